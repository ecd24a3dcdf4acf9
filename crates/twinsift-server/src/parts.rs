//! The parts of an address.

use crate::error::ApiError;
use crate::service::App;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{FromRequestParts, Path, Query};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

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
        let read = Query::from_request_parts(parts, app).await;
        let Query(value) = read.map_err(|rejection: QueryRejection| {
            let why = rejection.body_text();
            let why = why
                .rsplit_once("query string: ")
                .map_or(&*why, |(_, why)| why);
            ApiError::malformed(format!(
                "what stands behind ? in the address makes no sense: {why}"
            ))
        })?;
        Ok(Self(value))
    }
}
