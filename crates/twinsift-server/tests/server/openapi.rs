//! The description of the interface.

use super::with_news;
use serde_json::Value;
use std::path::Path;

/// Clients are generated from the copy in docs/; `UPDATE_OPENAPI=1` writes it anew.
#[test]
fn the_copy_in_the_documentation_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json");
    let current = twinsift_server::openapi();
    if std::env::var_os("UPDATE_OPENAPI").is_some() {
        std::fs::write(&path, &current).unwrap();
    }
    let copy = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        copy == current,
        "UPDATE_OPENAPI=1 cargo test -p twinsift-server writes docs/openapi.json anew"
    );
}

#[test]
fn the_service_tells_its_description() {
    let (running, _folder) = with_news(|_| {});
    let told = running.client().get("/openapi.json");
    assert_eq!(told.body, twinsift_server::openapi());
    let told: Value = told.json();
    for path in ["/collections/{name}/query", "/compare", "/metrics"] {
        assert!(told["paths"][path].is_object(), "{path}");
    }
    assert!(told["components"]["schemas"]["RecipeChoices"]["properties"]["threshold"].is_object());
}
