//! What a page leaves in the browser, and whether it can be found again to be
//! forgotten.
//!
//! Cookies and cached answers are no matter: the former are all forgotten at
//! once, the latter never used. What is stored is forgotten by origin, but
//! only for pages: frames of another origin than their page's store theirs in
//! a place for that page alone. And some answers have the browser remember
//! something of the host that cannot be deleted.

use std::collections::BTreeSet;

use serde_json::Value;
use url::Url;

/// Headers that have an effect on what is asked of a host later.
const REMEMBERED: [&str; 2] = ["strict-transport-security", "accept-ch"];

/// What a page has left so far.
#[derive(Debug, Default)]
pub(in crate::render) struct Traces {
    /// Where main documents may have stored something.
    origins: BTreeSet<String>,
    /// That of the last one.
    main: String,
    is_out_of_reach: bool,
}

impl Traces {
    /// A document is asked for, by the page or by a frame in it.
    pub(super) fn document(&mut self, address: &str, is_main: bool) {
        let origin = match Url::parse(address) {
            Ok(address) => address.origin().ascii_serialization(),
            Err(_) => String::new(),
        };
        if is_main {
            self.main.clone_from(&origin);
            self.origins.insert(origin);
        } else if origin != self.main {
            self.is_out_of_reach = true;
        }
    }

    /// An answer has come, with these headers.
    pub(super) fn answer(&mut self, headers: &Value) {
        let mut names = headers.as_object().into_iter().flat_map(|all| all.keys());
        let is_remembered =
            |name: &String| REMEMBERED.contains(&name.to_ascii_lowercase().as_str());
        self.is_out_of_reach |= names.any(is_remembered);
    }

    /// The origins to be forgotten, unless that is not all.
    pub(super) fn origins(self) -> Option<BTreeSet<String>> {
        (!self.is_out_of_reach).then_some(self.origins)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn all_that_a_page_and_its_own_frames_store_is_found() {
        let mut traces = Traces::default();
        traces.document("http://a.example/x", true);
        traces.document("https://b.example:8443/y", true);
        traces.document("https://b.example:8443/frame", false);
        traces.answer(&json!({"Content-Type": "text/html"}));
        let found: Vec<String> = traces.origins().expect("all").into_iter().collect();
        assert_eq!(found, ["http://a.example", "https://b.example:8443"]);
    }

    /// A frame is looked at beside the page that it is in, not the one before.
    #[test]
    fn frames_of_others_store_where_it_is_not_found() {
        for frame in ["http://a.example/frame", "https://c.example/", "data:,x"] {
            let mut traces = Traces::default();
            traces.document("http://a.example/x", true);
            traces.document("http://b.example/y", true);
            traces.document(frame, false);
            assert_eq!(traces.origins(), None, "{frame}");
        }
    }

    #[test]
    fn what_is_remembered_of_a_host_is_not_found() {
        for name in ["Strict-Transport-Security", "accept-ch"] {
            let mut traces = Traces::default();
            traces.document("https://a.example/", true);
            traces.answer(&json!({name: "x"}));
            assert_eq!(traces.origins(), None, "{name}");
        }
    }
}
