//! Pages for people: the collections, a collection, a document and its matches, and two texts
//! side by side. They are whole without scripts, and take nothing from elsewhere.

mod html;

use crate::access::{Access, credentials};
use crate::answers::MatchShown;
use crate::collection::{Collection, Hit};
use crate::error::{Answered, ApiError};
use crate::keys::Right;
use crate::parts::{InPath, InQuery};
use crate::routes::{collections::CollectionShown, compare, documents::RecordShown};
use crate::service::{App, blocking};
use axum::Router;
use axum::body::Body;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;
use std::borrow::Cow;
use std::sync::Arc;
use twinsift::Document;
use twinsift_index::Time;

const HTML: &str = "text/html; charset=utf-8";

/// Nothing is loaded but our own style sheet, and forms go nowhere else.
const POLICY: (HeaderName, HeaderValue) = (
    header::CONTENT_SECURITY_POLICY,
    HeaderValue::from_static(
        "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
);

/// The most matches of a document that are shown.
const SHOWN: usize = 20;

/// A refusal, as a page.
#[derive(Debug)]
pub(crate) struct PageError(ApiError);

impl From<ApiError> for PageError {
    fn from(error: ApiError) -> Self {
        Self(error)
    }
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        let status = self.0.status();
        let mut response = page(status, html::refused(self.0.sentence()));
        if status == StatusCode::UNAUTHORIZED {
            // A browser asks for a name, which does not matter, and a password, which is the key.
            let basic = HeaderValue::from_static("Basic realm=\"twinsift\", charset=\"UTF-8\"");
            response
                .headers_mut()
                .insert(header::WWW_AUTHENTICATE, basic);
        }
        response
    }
}

/// Who is asking: a browser asks for the key as a password.
#[derive(Clone, Debug)]
struct PageAccess(Access);

impl FromRequestParts<App> for PageAccess {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Self::Rejection> {
        let basic = credentials(&parts.headers, "Basic");
        let basic = basic.and_then(|text| BASE64_STANDARD.decode(text).ok());
        let basic = basic.and_then(|bytes| String::from_utf8(bytes).ok());
        let password = basic.as_deref().and_then(|text| text.split_once(':'));
        let password = password.map(|(_, password)| password);
        let bearer = credentials(&parts.headers, "Bearer");
        Ok(Self(Access::of(app, password.or(bearer))?))
    }
}

type Page = Result<Response, PageError>;

pub(crate) fn router() -> Router<App> {
    Router::new()
        .route("/", get(all))
        .route("/view/{name}", get(one))
        .route("/view/{name}/compare", post(two))
        .route("/style.css", get(style))
}

fn page(status: StatusCode, html: String) -> Response {
    let mut response = crate::json::body(status, HTML, html);
    response.headers_mut().extend([POLICY]);
    response
}

async fn style() -> Response {
    crate::json::body(
        StatusCode::OK,
        "text/css; charset=utf-8",
        crate::html::STYLE,
    )
}

/// The collections.
async fn all(State(app): State<App>, PageAccess(access): PageAccess) -> Page {
    let mut all = app.collections.all();
    all.retain(|one| access.may_read(&one.shared.name));
    let shown = blocking(move || {
        let shown = all.iter().map(|one| CollectionShown::of(one));
        shown.collect::<Answered<Vec<_>>>()
    });
    Ok(page(StatusCode::OK, html::collections(&shown.await?)))
}

#[derive(Debug, Deserialize)]
struct Lookup {
    id: Option<String>,
}

/// A collection, and what was found of the id that was looked up.
async fn one(
    State(app): State<App>,
    PageAccess(access): PageAccess,
    InPath(name): InPath<String>,
    InQuery(lookup): InQuery<Lookup>,
) -> Page {
    access.require(Right::Read, Some(&name))?;
    let collection = app.collections.get(&name)?;
    let html = blocking(move || {
        let shown = CollectionShown::of(&collection)?;
        let id = lookup.id.filter(|id| !id.is_empty());
        let found = id.map(|id| (look_up(&collection, &id), id));
        Ok(html::collection(&shown, found))
    });
    Ok(page(StatusCode::OK, html.await?))
}

/// What is known of a document, and what it is a near duplicate of.
fn look_up(collection: &Collection, id: &str) -> Answered<(RecordShown, Vec<MatchShown>)> {
    let record = RecordShown::find(collection, id)?;
    let (searcher, now) = (collection.searcher(), Time::now());
    let mut matches = Vec::new();
    if let Some((known, _)) = searcher.get(id, now)? {
        let answer = searcher.search(&known.signature, SHOWN + 1, now)?;
        let others = answer.matches.into_iter();
        let others = others.filter(|found| found.id.text != id);
        let shown = others.map(|found| MatchShown::from(&Hit::from(found)));
        matches.extend(shown.take(SHOWN));
    }
    Ok((record, matches))
}

/// Two texts, as the collection compares them.
async fn two(
    State(app): State<App>,
    PageAccess(access): PageAccess,
    InPath(name): InPath<String>,
    body: Body,
) -> Page {
    access.require(Right::Read, Some(&name))?;
    let collection: Arc<Collection> = app.collections.get(&name)?;
    let held = app.bodies.read(body).await?;
    let permit = app.begin_work()?;
    let html = blocking(move || {
        let _permit = permit;
        let field = |name: &str| {
            let mut fields = form_urlencoded::parse(&held.bytes);
            let found = fields.find(|(key, _)| key == name);
            found.map_or_else(Cow::default, |(_, value)| value)
        };
        let (a, b) = (
            Document::new("a", field("a")),
            Document::new("b", field("b")),
        );
        let comparison = compare::explain(&a, &b, collection.searcher().recipe())?;
        Ok(html::comparison(&name, &comparison))
    });
    Ok(page(StatusCode::OK, html.await?))
}
