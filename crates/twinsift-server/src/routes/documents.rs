//! Adding documents, and looking at one.

use crate::access::Access;
use crate::answers::{self, Added, Purpose};
use crate::body;
use crate::collection::{Collection, Done, Task};
use crate::documents::Broken;
use crate::error::{Answered, ApiError};
use crate::json::{id, json, moment};
use crate::keys::Right;
use crate::parts::InPath;
use crate::schemas::DocumentOrDocuments;
use crate::service::{App, blocking};
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use serde::Serialize;
use serde_json::Value;
use twinsift_index::Time;
use utoipa::ToSchema;

/// What is known of a document.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RecordShown {
    #[schema(value_type = String)]
    pub(crate) id: Value,
    pub(crate) label: Option<String>,
    /// When it was added.
    #[schema(format = DateTime)]
    pub(crate) added: String,
    /// Until when it is known, if it is not for ever.
    #[schema(format = DateTime)]
    pub(crate) expires: Option<String>,
    /// Whether it has enough to be compared.
    pub(crate) judged: bool,
}

impl RecordShown {
    /// What is known of the document with an id. Waits for the disk.
    pub(crate) fn find(collection: &Collection, name: &str) -> Answered<Self> {
        let found = collection.searcher().get(name, Time::now())?;
        let (record, expires) = found.ok_or_else(|| unknown(name))?;
        Ok(Self {
            id: id(&record.id),
            label: record.label,
            added: moment(record.added),
            expires: expires.map(moment),
            judged: record.signature.is_judged(),
        })
    }
}

/// A document that is gone.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DocumentRemoved {
    id: String,
    /// Always true.
    removed: bool,
}

fn unknown(id: &str) -> ApiError {
    let id: String = id.chars().take(80).collect();
    ApiError::not_found(format!("there is no document \"{id}\""))
}

/// Add documents, in place of others with their ids.
///
/// The answer has a line of JSON for each document, in order, written once the document is on
/// disk. A document that cannot be taken has an error in its line, and the others are added.
#[utoipa::path(post, path = "/collections/{name}/documents", tag = "documents",
    params(("name" = String, Path, description = "The name of the collection")),
    request_body(content(
        (DocumentOrDocuments = "application/json"),
        (String = "application/x-ndjson"),
    )),
    responses(
        (status = 200, description = "A line for each document; for a single one its line, as JSON", content(
            (Added = "application/json"),
            (String = "application/x-ndjson"),
        )),
        (status = 422, description = "The single document cannot be taken", body = Broken),
))]
pub(crate) async fn add(
    State(app): State<App>,
    access: Access,
    InPath(name): InPath<String>,
    headers: HeaderMap,
    body: Body,
) -> Answered {
    access.require(Right::Write, Some(&name))?;
    let collection = app.collections.get(&name)?;
    let kind = body::kind(&headers)?;
    let held = app.bodies.read(body).await?;
    answers::answer(&app, collection, Purpose::Add, held, kind).await
}

/// Show what is known of a document.
#[utoipa::path(get, path = "/collections/{name}/documents/{id}", tag = "documents",
    params(
        ("name" = String, Path, description = "The name of the collection"),
        ("id" = String, Path, description = "The id of the document, percent-encoded"),
    ),
    responses((status = 200, description = "The document", body = RecordShown)),
)]
pub(crate) async fn show(
    State(app): State<App>,
    access: Access,
    InPath((name, id)): InPath<(String, String)>,
) -> Answered {
    access.require(Right::Read, Some(&name))?;
    let collection = app.collections.get(&name)?;
    let shown = blocking(move || RecordShown::find(&collection, &id)).await?;
    Ok(json(StatusCode::OK, &shown))
}

/// Remove a document.
#[utoipa::path(delete, path = "/collections/{name}/documents/{id}", tag = "documents",
    params(
        ("name" = String, Path, description = "The name of the collection"),
        ("id" = String, Path, description = "The id of the document, percent-encoded"),
    ),
    responses((status = 200, description = "It is gone, also after a crash", body = DocumentRemoved)),
)]
pub(crate) async fn remove(
    State(app): State<App>,
    access: Access,
    InPath((name, id)): InPath<(String, String)>,
) -> Answered {
    access.require(Right::Write, Some(&name))?;
    let collection = app.collections.get(&name)?;
    let tasks = vec![Task::Remove(id.clone())];
    match collection.submit(tasks)?.done().await?.first() {
        Some(Done::Removed(true)) => {
            let removed = DocumentRemoved { id, removed: true };
            Ok(json(StatusCode::OK, &removed))
        }
        _ => Err(unknown(&id)),
    }
}
