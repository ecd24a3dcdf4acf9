//! Asking what documents duplicate.

use crate::access::Access;
use crate::answers::{self, Purpose, QueryAnswer};
use crate::body;
use crate::documents::Broken;
use crate::error::{Answered, ApiError};
use crate::keys::Right;
use crate::parts::{InPath, InQuery};
use crate::schemas::DocumentOrDocuments;
use crate::service::App;
use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use serde::Deserialize;

/// The most matches that can be asked for.
const MOST: usize = 1000;

/// How documents are looked for.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Params {
    /// The most matches of a document.
    #[serde(default = "usual_top")]
    #[param(default = 10, minimum = 1, maximum = 1000)]
    top: usize,
    /// Know the document from then on; it is on disk before the answer.
    #[serde(default)]
    #[param(default = false)]
    learn: bool,
    /// Have what is matched live as long from now on as it was to live at first.
    #[serde(default)]
    #[param(default = false)]
    renew: bool,
}

fn usual_top() -> usize {
    10
}

/// Ask what documents duplicate.
///
/// With `learn`, a document is known from then on: of two equal ones that come at the same time,
/// one is new and the other its duplicate. A document that replaces one with its id is not a
/// duplicate of that one.
#[utoipa::path(post, path = "/collections/{name}/query", tag = "documents",
    params(("name" = String, Path, description = "The name of the collection"), Params),
    request_body(content(
        (DocumentOrDocuments = "application/json"),
        (String = "application/x-ndjson"),
    )),
    responses(
        (status = 200, description = "A line for each document; for a single one its line, as JSON", content(
            (QueryAnswer = "application/json"),
            (String = "application/x-ndjson"),
        )),
        (status = 422, description = "The single document cannot be taken", body = Broken),
))]
pub(crate) async fn query(
    State(app): State<App>,
    access: Access,
    InPath(name): InPath<String>,
    InQuery(params): InQuery<Params>,
    headers: HeaderMap,
    body: Body,
) -> Answered {
    let Params { top, learn, renew } = params;
    let right = match learn || renew {
        true => Right::Write,
        false => Right::Read,
    };
    access.require(right, Some(&name))?;
    if !(1..=MOST).contains(&top) {
        let sentence = format!("\"top\" is a number from 1 to {MOST}");
        return Err(ApiError::malformed(sentence));
    }
    let collection = app.collections.get(&name)?;
    let kind = body::kind(&headers)?;
    let held = app.bodies.read(body).await?;
    let purpose = Purpose::Query { top, learn, renew };
    answers::answer(&app, collection, purpose, held, kind).await
}
