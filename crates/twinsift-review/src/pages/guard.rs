//! What is checked of every request, and what every answer forbids the browser.

use super::{Refused, lead_to};
use crate::state::App;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// Bytes of a form.
const MOST_BYTES: usize = 1 << 20;

/// Nothing is loaded but our own style sheet and script, nothing stands in the page itself, and
/// forms go nowhere else.
const HEADERS: [(HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; form-action 'self'; base-uri 'none'; \
         frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    // With no referrer at all, browsers would not say either which origin a form comes from.
    (header::REFERRER_POLICY, "same-origin"),
    (header::CACHE_CONTROL, "no-store"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// The fields of a form that was checked.
#[derive(Clone, Debug)]
pub(super) struct Fields(Arc<Vec<(String, String)>>);

impl Fields {
    /// The fields of a query or of a form.
    pub(super) fn parse(bytes: &[u8]) -> Self {
        Self(Arc::new(
            form_urlencoded::parse(bytes).into_owned().collect(),
        ))
    }

    /// The first value of a name, or nothing.
    pub(super) fn get(&self, name: &str) -> &str {
        let field = self.0.iter().find(|(key, _)| key == name);
        field.map_or("", |(_, value)| value)
    }

    /// All values of a name.
    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let fields = self.0.iter().filter(move |(key, _)| key == name);
        fields.map(|(_, value)| &**value)
    }

    /// A number of a name.
    pub(super) fn number(&self, name: &str) -> Option<u32> {
        self.get(name).parse().ok()
    }
}

/// Checks a request before anything looks at it.
pub(super) async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    let mut response = match checked(&app, request).await {
        Ok(Checked::Known(request)) => next.run(request).await,
        Ok(Checked::Answered(response)) => response,
        Err(sentence) => Refused::new(StatusCode::FORBIDDEN, sentence).into_response(),
    };
    for (name, value) in HEADERS {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    response
}

enum Checked {
    Known(Request),
    Answered(Response),
}

async fn checked(app: &App, request: Request) -> Result<Checked, &'static str> {
    let session = &app.session;
    if !session.is_host(request.headers()) || !session.is_origin(request.headers()) {
        return Err("this request names another host: the pages are for this machine alone");
    }
    if !session.is_known(request.headers()) {
        let query = Fields::parse(request.uri().query().unwrap_or_default().as_bytes());
        let is_begin = request.method() == Method::GET && request.uri().path() == "/";
        let cookie = is_begin
            .then(|| session.begin(query.get("token")))
            .flatten();
        let cookie = cookie.and_then(|cookie| HeaderValue::from_str(&cookie).ok());
        let Some(cookie) = cookie else {
            return Err(
                "these pages are shown to the browser that first opened the address that was printed at the start: \
                 start twinsift review again for a new one",
            );
        };
        let mut response = lead_to("/");
        response.headers_mut().insert(header::SET_COOKIE, cookie);
        return Ok(Checked::Answered(response));
    }
    if request.method() == Method::GET || request.method() == Method::HEAD {
        return Ok(Checked::Known(request));
    }
    let (mut parts, body) = request.into_parts();
    let bytes = to_bytes(body, MOST_BYTES)
        .await
        .map_err(|_| "this form is too large")?;
    let fields = Fields::parse(&bytes);
    if !session.is_form(fields.get("form")) {
        return Err("this form is not one of these pages: open the page again");
    }
    parts.extensions.insert(fields);
    Ok(Checked::Known(Request::from_parts(parts, Body::empty())))
}
