//! What is answered to which request.

pub(crate) mod collections;
pub(crate) mod compare;
pub(crate) mod documents;
mod query;
mod status;

use crate::error::ApiError;
use crate::observe::observe;
use crate::pages;
use crate::service::App;
use axum::Router;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{FromRequestParts, Path, Query};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::middleware::from_fn_with_state;
use serde::de::DeserializeOwned;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// All routes of the interface, with their description.
pub(crate) fn api() -> (Router<App>, OpenApi) {
    let base = crate::openapi::base();
    OpenApiRouter::with_openapi(base)
        .routes(routes!(collections::list))
        .routes(routes!(
            collections::create,
            collections::show,
            collections::remove
        ))
        .routes(routes!(documents::add))
        .routes(routes!(documents::show, documents::remove))
        .routes(routes!(query::query))
        .routes(routes!(compare::compare))
        .routes(routes!(status::live))
        .routes(routes!(status::ready))
        .routes(routes!(status::metrics))
        .routes(routes!(status::openapi))
        .split_for_parts()
}

/// Everything that is served.
pub(crate) fn router(app: &App) -> Router {
    let (api, _) = api();
    api.merge(pages::router())
        .fallback(async || ApiError::not_found("there is nothing at this address"))
        .method_not_allowed_fallback(async || {
            ApiError::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "this address does not take this method",
            )
        })
        .layer(from_fn_with_state(app.clone(), observe))
        .with_state(app.clone())
}

/// The parts of a path, with a sentence where they make no sense.
pub(crate) struct InPath<T>(pub(crate) T);

impl<T: DeserializeOwned + Send> FromRequestParts<App> for InPath<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let Path(value) =
            Path::from_request_parts(parts, app)
                .await
                .map_err(|rejection: PathRejection| {
                    let why = rejection.body_text();
                    ApiError::malformed(format!("the address makes no sense: {why}"))
                })?;
        Ok(Self(value))
    }
}

/// What stands behind the question mark, with a sentence where it makes no sense.
pub(crate) struct InQuery<T>(pub(crate) T);

impl<T: DeserializeOwned + Send> FromRequestParts<App> for InQuery<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let Query(value) = Query::from_request_parts(parts, app)
            .await
            .map_err(|rejection: QueryRejection| ApiError::malformed(rejection.body_text()))?;
        Ok(Self(value))
    }
}
