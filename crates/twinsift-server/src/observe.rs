//! What is done around every request: a name for it, a limit on its time, a line in the log, and
//! a count.

use crate::access::check_host;
use crate::error::ApiError;
use crate::service::App;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use std::panic::AssertUnwindSafe;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use tokio::time::timeout;

/// Names a request, in its head and that of its answer.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Headers of every answer.
const ALWAYS: [(HeaderName, HeaderValue); 2] = [
    (
        HeaderName::from_static("x-content-type-options"),
        HeaderValue::from_static("nosniff"),
    ),
    (
        HeaderName::from_static("cache-control"),
        HeaderValue::from_static("no-store"),
    ),
];

pub(crate) async fn observe(State(app): State<App>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let id = request_id(request.headers());
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    let route = request.extensions().get::<MatchedPath>();
    let route = route.map_or("unmatched", |route| route.as_str()).to_owned();
    let mut response = match check_host(&app, request.headers(), request.uri()) {
        Ok(()) => answer(&app, request, next).await,
        Err(error) => error.into_response(),
    };
    let (took, status) = (started.elapsed(), response.status());
    let headers = response.headers_mut();
    headers.insert(REQUEST_ID, id.clone());
    headers.extend(ALWAYS);
    app.metrics
        .count(known_method(&method), &route, status.as_u16(), took);
    tracing::info!(
        method = %method,
        path = %shortened(&path),
        status = status.as_u16(),
        microseconds = took.as_micros() as u64,
        request = %id.to_str().unwrap_or_default(),
        "request"
    );
    response
}

/// The answer to a request, whatever happens to whoever makes it.
async fn answer(app: &App, request: Request, next: Next) -> Response {
    // As long again as the body may take to arrive.
    let most = app.limits.time * 2;
    let running = AssertUnwindSafe(next.run(request)).catch_unwind();
    match timeout(most, running).await {
        Ok(Ok(response)) => response,
        Ok(Err(_)) => ApiError::fault(&"a panic").into_response(),
        Err(_) => ApiError::busy(format!(
            "the request was not answered within {} s; changes that it asked for may still be made",
            most.as_secs_f32()
        ))
        .into_response(),
    }
}

/// The name that the client gave the request, if it is one, else a new one.
fn request_id(headers: &HeaderMap) -> HeaderValue {
    static START: LazyLock<u64> = LazyLock::new(|| getrandom::u64().unwrap_or_default());
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let is_sound = |value: &&HeaderValue| {
        let bytes = value.as_bytes();
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-".contains(byte);
        (1..=64).contains(&bytes.len()) && bytes.iter().all(is_plain)
    };
    if let Some(given) = headers.get(REQUEST_ID).filter(is_sound) {
        return given.clone();
    }
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let made = format!("{:016x}-{number}", *START);
    HeaderValue::try_from(made).unwrap_or(HeaderValue::from_static("-"))
}

/// The method as figures name it: there are not as many as a client can invent.
fn known_method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        _ => "other",
    }
}

/// A path as the log shows it.
fn shortened(path: &str) -> &str {
    let end = path
        .char_indices()
        .nth(200)
        .map_or(path.len(), |(at, _)| at);
    &path[..end]
}
