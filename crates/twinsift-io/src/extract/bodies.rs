//! A page for the engine's signals: each body as it came, as a reader sees it, and
//! reduced to its main content.

use std::borrow::Cow;

use twinsift::Document;
use twinsift::page::{Body, Page};

use super::{html, main_content};

/// The page that a document is, read with [`Content::Html`](crate::Content::Html) and
/// [`Body::Both`](crate::Body::Both). Finding main content takes most of the time;
/// without `main` it is left empty. A body that is not there, or empty, is `None`.
pub fn signal_page(document: Document<'_>, main: bool) -> Page<'_> {
    let rendered = document.rendered.and_then(|page| {
        let url = page.url.or_else(|| document.url.clone());
        body(page.text, page.title, url, main)
    });
    Page {
        fetched: body(document.text, document.title, document.url, main),
        rendered,
    }
}

fn body<'a>(
    source: Cow<'a, str>,
    title: Option<Cow<'a, str>>,
    url: Option<Cow<'a, str>>,
    main: bool,
) -> Option<Body<'a>> {
    if source.is_empty() {
        return None;
    }
    let page = html::extract(&source);
    let article = match main {
        true => match main_content::extract(&source, &page.text) {
            Ok(Some(text)) => text,
            _ => page.text.clone(),
        },
        false => String::new(),
    };
    Some(Body {
        url,
        title: title.or(page.title.map(Cow::Owned)),
        text: Cow::Owned(page.text),
        main: Cow::Owned(article),
        source,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use twinsift::Rendered;

    #[test]
    fn both_bodies_are_taken_apart() {
        let mut document = Document::new("1", "<title>Soon</title><p>Please wait.");
        document.url = Some("http://x.org/a".into());
        document.rendered = Some(Box::new(Rendered {
            text: "<title>Here</title><p>The bridge is open.".into(),
            title: Some("Here".into()),
            url: Some("http://x.org/b".into()),
        }));
        let page = signal_page(document, true);
        let (fetched, rendered) = (page.fetched.expect("one"), page.rendered.expect("two"));
        assert_eq!(fetched.title.as_deref(), Some("Soon"));
        assert_eq!(fetched.text.trim(), "Please wait.");
        assert_eq!(fetched.url.as_deref(), Some("http://x.org/a"));
        assert_eq!(rendered.main.trim(), "The bridge is open.");
        assert_eq!(rendered.url.as_deref(), Some("http://x.org/b"));
    }

    #[test]
    fn an_empty_body_is_none() {
        let page = signal_page(Document::new("1", ""), true);
        assert!(page.fetched.is_none() && page.rendered.is_none());
    }
}
