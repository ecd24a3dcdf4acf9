//! Why two documents are near duplicates, or are not.

use crate::access::Access;
use crate::body::{self, Kind};
use crate::documents::Reader;
use crate::error::{Answered, ApiError};
use crate::json::json;
use crate::recipe;
use crate::schemas::{DocumentSent, RecipeChoices};
use crate::service::{App, blocking};
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use twinsift::compare::Comparison;
use twinsift::{Document, Id, Recipe};
use utoipa::ToSchema;

/// Two documents.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pair<'a> {
    #[serde(borrow)]
    #[schema(value_type = DocumentSent)]
    a: &'a RawValue,
    #[serde(borrow)]
    #[schema(value_type = DocumentSent)]
    b: &'a RawValue,
    /// How they are compared, if not by the default recipe.
    #[schema(value_type = Option<RecipeChoices>)]
    #[serde(default)]
    recipe: Option<Map<String, Value>>,
}

/// Explain why two documents are, or are not, near duplicates.
///
/// The answer is what `twinsift compare --json` prints.
#[utoipa::path(post, path = "/compare", tag = "documents",
    request_body(content = Pair, content_type = "application/json"),
    responses((status = 200, description = "The explanation", body = Object)),
)]
pub(crate) async fn compare(
    State(app): State<App>,
    _access: Access,
    headers: HeaderMap,
    body: Body,
) -> Answered {
    if body::kind(&headers)? != Kind::Json {
        return Err(ApiError::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "the content type must be application/json",
        ));
    }
    let held = app.bodies.read(body).await?;
    let permit = app.begin_work()?;
    let comparison = blocking(move || {
        let _permit = permit;
        body::refuse_nested(&held.bytes).map_err(ApiError::malformed)?;
        let pair: Pair<'_> =
            serde_json::from_slice(&held.bytes).map_err(|error| body::malformed(&error))?;
        let recipe = recipe::resolve(pair.recipe.clone().unwrap_or_default())?;
        let reader = Reader::new(&recipe);
        let a = document(&reader, pair.a, "a")?;
        let b = document(&reader, pair.b, "b")?;
        explain(&a, &b, &recipe)
    });
    Ok(json(StatusCode::OK, &comparison.await?))
}

/// What two documents have in common.
pub(crate) fn explain(a: &Document<'_>, b: &Document<'_>, recipe: &Recipe) -> Answered<Comparison> {
    twinsift::compare(a, b, recipe).map_err(|error| recipe::refused(&error))
}

/// One of the two; it need not have an id.
fn document<'a>(reader: &Reader, object: &'a RawValue, side: &'a str) -> Answered<Document<'a>> {
    let read = reader.read(object.get().as_bytes());
    let submitted = read.map_err(|broken| {
        ApiError::unprocessable(format!("the document \"{side}\": {}", broken.error))
    })?;
    let id = submitted.id().is_none().then(|| Id::text(side));
    let document = submitted.document;
    Ok(Document {
        id: id.unwrap_or_else(|| document.id.clone()),
        ..document
    })
}
