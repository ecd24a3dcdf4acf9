//! The pages over HTTP: who may see them, and what each address answers.

mod act;
mod guard;
mod show;

use crate::collection::Collection;
use crate::error::Error;
use crate::state::{App, State};
use crate::views::frame::{self, Page};
use axum::Router;
use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use std::sync::Arc;

/// All pages.
pub(crate) fn router(state: &Arc<State>) -> Router {
    Router::new()
        .route("/", get(show::overview))
        .route("/groups", get(show::groups))
        .route("/group/{doc}", get(show::group))
        .route("/pair", get(show::pair))
        .route("/question", get(show::question))
        .route("/learning", get(show::learning))
        .route("/answer", post(act::answer))
        .route("/undo", post(act::undo))
        .route("/split", post(act::split))
        .route("/anew", post(act::group_anew))
        .route("/use", post(act::use_model))
        .route("/style.css", get(style))
        .route("/script.js", get(script))
        .fallback(async || Refused::not_found())
        .layer(from_fn_with_state(Arc::clone(state), guard::guard))
        .with_state(Arc::clone(state))
}

/// Why a request was refused.
#[derive(Debug)]
pub(crate) struct Refused {
    status: StatusCode,
    sentence: String,
}

impl Refused {
    fn new(status: StatusCode, sentence: &str) -> Self {
        Self {
            status,
            sentence: sentence.to_owned(),
        }
    }

    fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "there is nothing at this address")
    }
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string())
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        answer(
            self.status,
            "text/html; charset=utf-8",
            frame::refused(&self.sentence),
        )
    }
}

/// What a page is answered with.
type Answer = Result<Response, Refused>;

fn answer(status: StatusCode, kind: &'static str, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

fn page(page: &Page) -> Response {
    answer(StatusCode::OK, "text/html; charset=utf-8", page.html())
}

/// Leads on to a page of ours.
fn lead_to(address: &str) -> Response {
    let mut response = answer(StatusCode::SEE_OTHER, "text/plain", Body::empty());
    let address = HeaderValue::from_str(address).unwrap_or(HeaderValue::from_static("/"));
    response.headers_mut().insert(header::LOCATION, address);
    response
}

/// Makes a page on a thread that may wait for the disk; until the collection is there, one that
/// says how far it is.
async fn with_collection(
    app: App,
    title: &'static str,
    part: &'static str,
    make: impl FnOnce(&State, &Collection) -> Answer + Send + 'static,
) -> Answer {
    let made = tokio::task::spawn_blocking(move || match app.collection() {
        Some(collection) => make(&app, collection),
        None => Ok(page(&frame::waiting(title, part, &app.doing(), ""))),
    });
    made.await.unwrap_or_else(|_| {
        let sentence = "this page could not be made: the program has a fault";
        Err(Refused::new(StatusCode::INTERNAL_SERVER_ERROR, sentence))
    })
}

async fn style() -> Response {
    answer(
        StatusCode::OK,
        "text/css; charset=utf-8",
        crate::views::style(),
    )
}

async fn script() -> Response {
    let script = include_str!("../views/script.js");
    answer(StatusCode::OK, "text/javascript; charset=utf-8", script)
}
