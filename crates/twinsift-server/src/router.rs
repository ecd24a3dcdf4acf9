//! All that is served, and what is done around it.

use crate::error::ApiError;
use crate::observe::observe;
use crate::service::App;
use crate::{pages, routes};
use axum::Router;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;

/// Everything that is served.
pub(crate) fn router(app: &App) -> Router {
    let (api, _) = routes::api();
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
