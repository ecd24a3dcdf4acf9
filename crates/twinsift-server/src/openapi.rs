//! The description of the interface, made from the code.

use crate::{recipe, routes};
use serde_json::{Map, json};

/// The description as JSON.
pub(crate) fn text() -> String {
    let (_, description) = routes::api();
    let mut value = serde_json::to_value(&description).unwrap_or_default();
    value["components"]["schemas"]["RecipeChoices"] = recipe::schema();
    value["components"]["responses"] = json!({
        "Refused": {
            "description": "Why the request was refused. 429 and 503 say when to try again",
            "headers": {"Retry-After": {"schema": {"type": "integer"}}},
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Refused"}}},
        }
    });
    let paths = value["paths"].as_object_mut();
    for operations in paths.into_iter().flat_map(Map::values_mut) {
        for operation in operations
            .as_object_mut()
            .into_iter()
            .flat_map(Map::values_mut)
        {
            operation["responses"]["default"] = json!({"$ref": "#/components/responses/Refused"});
        }
    }
    serde_json::to_string_pretty(&value).unwrap_or_default() + "\n"
}
