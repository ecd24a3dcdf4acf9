//! What the description of the interface says beside its routes.

use crate::error::Refused;
use serde::Deserialize;
use serde_json::Value;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi, ToSchema};

/// A document, as files of JSON hold it.
///
/// It has a text, or a page as HTML, or a subject and a text if it is a mail. Other fields may
/// stand beside these, and do not matter.
#[derive(Debug, Deserialize, ToSchema)]
#[allow(dead_code, reason = "only its schema is used")]
pub(crate) struct DocumentSent {
    /// Its id, a text or a number; needed if it is added or learnt.
    #[schema(value_type = Option<Value>, example = "article-1")]
    id: Option<Value>,
    /// The text.
    #[schema(example = "The council approved the new bridge over the river.")]
    text: Option<String>,
    /// The page, in place of a text.
    html: Option<String>,
    /// The subject, if it is a mail.
    subject: Option<String>,
    title: Option<String>,
    url: Option<String>,
    /// What it belongs to, such as a known campaign.
    label: Option<String>,
    /// How long it is to be known: seconds, or a text such as 30d; for ever if left out.
    #[schema(value_type = Option<Value>, example = "30d")]
    ttl: Option<Value>,
}

/// A document, or a list of documents.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "only its schema is used")]
pub(crate) enum DocumentOrDocuments {
    One(Box<DocumentSent>),
    Many(Vec<DocumentSent>),
}

/// The keys of a config file.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct RecipeChoices {}

#[derive(OpenApi)]
#[openapi(
    info(
        title = "twinsift",
        description = "Collections of documents that stay on disk and answer at once: what does this document duplicate? What is acknowledged is on disk."
    ),
    components(schemas(Refused, DocumentSent, RecipeChoices)),
    tags(
        (name = "collections", description = "Making, showing and removing collections"),
        (name = "documents", description = "Adding documents, and asking what they duplicate"),
        (name = "status", description = "How the service is")
    ),
    security(("key" = [])),
    modifiers(&Keys)
)]
struct Base;

struct Keys;

impl Modify for Keys {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer);
        let scheme = SecurityScheme::Http(bearer.build());
        let components = openapi.components.get_or_insert_with(Default::default);
        components.add_security_scheme("key", scheme);
    }
}

/// What is not said by the routes themselves.
pub(crate) fn base() -> utoipa::openapi::OpenApi {
    Base::openapi()
}
