//! What is answered to which request.

pub(crate) mod collections;
pub(crate) mod compare;
pub(crate) mod documents;
mod query;
mod status;

use crate::service::App;
use axum::Router;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// All routes of the interface, with their description.
pub(crate) fn api() -> (Router<App>, OpenApi) {
    let base = crate::schemas::base();
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
