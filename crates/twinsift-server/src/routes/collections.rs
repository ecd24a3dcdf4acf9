//! Making, showing and removing collections.

use crate::access::Access;
use crate::collection::Collection;
use crate::error::{Answered, Refused};
use crate::json::json;
use crate::keys::Right;
use crate::parts::InPath;
use crate::recipe;
use crate::service::{App, blocking};
use axum::body::Body;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use serde_json::Value;
use std::sync::atomic::Ordering;
use twinsift_index::Time;
use utoipa::ToSchema;

/// A collection: how its documents are compared, and figures.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CollectionShown {
    pub(crate) name: String,
    /// The id of the recipe.
    pub(crate) id: String,
    /// The recipe in words.
    pub(crate) method: String,
    /// The complete recipe.
    #[schema(value_type = Object)]
    pub(crate) recipe: Value,
    /// Documents that are known.
    pub(crate) documents: u64,
    /// Documents that were removed or have expired, and still take space.
    pub(crate) removed: u64,
    /// Immutable files of documents.
    pub(crate) segments: u64,
    /// Documents that are in the log alone.
    pub(crate) in_log: u64,
    /// Bytes on disk.
    pub(crate) bytes: u64,
    /// Changes that wait to be written.
    pub(crate) waiting: u64,
}

impl CollectionShown {
    /// Looks at every document.
    pub(crate) fn of(collection: &Collection) -> Answered<Self> {
        let searcher = collection.searcher();
        let (recipe, stats) = (searcher.recipe(), searcher.stats(Time::now())?);
        Ok(Self {
            name: collection.shared.name.clone(),
            id: recipe.id(),
            method: recipe.to_string(),
            recipe: serde_json::from_str(&recipe.to_json()).unwrap_or_default(),
            documents: stats.documents,
            removed: stats.removed,
            segments: stats.segments,
            in_log: stats.in_log,
            bytes: stats.bytes,
            waiting: collection.shared.waiting.load(Ordering::Relaxed) as u64,
        })
    }
}

/// All collections.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CollectionsShown {
    /// Those that the key is for, by name.
    collections: Vec<CollectionShown>,
}

/// Something that is gone now.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CollectionRemoved {
    name: String,
    /// Always true.
    removed: bool,
}

/// List the collections.
#[utoipa::path(get, path = "/collections", tag = "collections", responses(
    (status = 200, description = "The collections that the key is for", body = CollectionsShown),
))]
pub(crate) async fn list(State(app): State<App>, access: Access) -> Answered {
    let all = app.collections.all().into_iter();
    let may_read: Vec<_> = all
        .filter(|one| access.may_read(&one.shared.name))
        .collect();
    let shown = blocking(move || {
        let shown = may_read.iter().map(|one| CollectionShown::of(one));
        shown.collect::<Answered<Vec<_>>>()
    });
    let collections = shown.await?;
    Ok(json(StatusCode::OK, &CollectionsShown { collections }))
}

/// Make a collection.
///
/// The body has the keys of a config file; without a body, or with an empty object, the recipe is
/// the default one.
#[utoipa::path(put, path = "/collections/{name}", tag = "collections",
    params(("name" = String, Path, description = "The name of the collection", pattern = "^[a-z0-9][a-z0-9._-]{0,63}$")),
    request_body(content = Option<crate::schemas::RecipeChoices>, content_type = "application/json"),
    responses(
        (status = 201, description = "It was made", body = CollectionShown),
        (status = 200, description = "It was there with this recipe", body = CollectionShown),
        (status = 409, description = "It is there with another recipe", body = Refused),
))]
pub(crate) async fn create(
    State(app): State<App>,
    access: Access,
    InPath(name): InPath<String>,
    body: Body,
) -> Answered {
    access.require(Right::Admin, Some(&name))?;
    let held = app.bodies.read(body).await?;
    let _permit = app.begin_work()?;
    let recipe = recipe::read(&held.bytes)?;
    let (shown, is_new) = blocking(move || {
        let (collection, is_new) = app.collections.create(&name, &recipe)?;
        Ok((CollectionShown::of(&collection)?, is_new))
    })
    .await?;
    let status = match is_new {
        true => StatusCode::CREATED,
        false => StatusCode::OK,
    };
    Ok(json(status, &shown))
}

/// Show a collection: its recipe and figures.
#[utoipa::path(get, path = "/collections/{name}", tag = "collections",
    params(("name" = String, Path, description = "The name of the collection")),
    responses((status = 200, description = "The collection", body = CollectionShown)),
)]
pub(crate) async fn show(
    State(app): State<App>,
    access: Access,
    InPath(name): InPath<String>,
) -> Answered {
    access.require(Right::Read, Some(&name))?;
    let collection = app.collections.get(&name)?;
    let shown = blocking(move || CollectionShown::of(&collection)).await?;
    Ok(json(StatusCode::OK, &shown))
}

/// Remove a collection with all its documents.
#[utoipa::path(delete, path = "/collections/{name}", tag = "collections",
    params(("name" = String, Path, description = "The name of the collection")),
    responses(
        (status = 200, description = "It is gone", body = CollectionRemoved),
        (status = 409, description = "The service has this one collection only", body = Refused),
))]
pub(crate) async fn remove(
    State(app): State<App>,
    access: Access,
    InPath(name): InPath<String>,
) -> Answered {
    access.require(Right::Admin, Some(&name))?;
    let removed = blocking(move || {
        app.collections.remove(&name)?;
        Ok(CollectionRemoved {
            name,
            removed: true,
        })
    });
    Ok(json(StatusCode::OK, &removed.await?))
}
