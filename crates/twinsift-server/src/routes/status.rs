//! How the service is, and what it offers.

use crate::access::Access;
use crate::error::{Answered, ApiError, Refused};
use crate::json::{JSON, body, json};
use crate::keys::Right;
use crate::metrics;
use crate::service::{App, blocking};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;
use std::sync::atomic::Ordering;
use utoipa::ToSchema;

/// How the service is.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Health {
    #[schema(value_type = String, example = "ok")]
    status: &'static str,
}

/// Say whether the service runs.
#[utoipa::path(get, path = "/health", tag = "status", security(()), responses(
    (status = 200, description = "It runs", body = Health),
))]
pub(crate) async fn live() -> Response {
    json(StatusCode::OK, &Health { status: "ok" })
}

/// Say whether the service takes requests.
#[utoipa::path(get, path = "/health/ready", tag = "status", security(()), responses(
    (status = 200, description = "It takes requests", body = Health),
    (status = 503, description = "It is being shut down", body = Refused),
))]
pub(crate) async fn ready(State(app): State<App>) -> Answered {
    match app.is_closing.load(Ordering::Relaxed) {
        true => Err(ApiError::busy("the service is being shut down")),
        false => Ok(json(StatusCode::OK, &Health { status: "ready" })),
    }
}

/// Figures for Prometheus.
#[utoipa::path(get, path = "/metrics", tag = "status", responses(
    (status = 200, description = "Figures in the text form of OpenMetrics", body = String,
        content_type = "application/openmetrics-text"),
))]
pub(crate) async fn metrics(State(app): State<App>, access: Access) -> Answered {
    access.require(Right::Read, None)?;
    let text = blocking(move || app.metrics.text(&app.collections.all())).await?;
    Ok(body(StatusCode::OK, metrics::TEXT, text))
}

/// This description.
#[utoipa::path(get, path = "/openapi.json", tag = "status", security(()), responses(
    (status = 200, description = "The description of this interface", body = Object),
))]
pub(crate) async fn openapi(State(app): State<App>) -> Response {
    body(StatusCode::OK, JSON, app.description.clone())
}
