//! What kind of documents the inputs hold, told before any of them is read.

use super::feed::Feed;
use super::options::FieldNames;
use super::{Inputs, Source, decompress};
use crate::format::Format;
use std::collections::HashMap;
use std::sync::Arc;
use twinsift::Find;

/// So many bytes of a table are searched for the names of its fields.
const HEAD: usize = 1 << 20;

/// So many sources are looked at.
const SOURCES: usize = 16;

/// A kind of documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum DocumentKind {
    /// Plain texts.
    Texts,
    /// Web pages.
    Pages,
    /// Mail.
    Mail,
}

impl DocumentKind {
    /// The kind of records of which it is known whether they have a field.
    pub fn of_fields(names: &FieldNames, has: impl Fn(&str) -> bool) -> Self {
        let has_any = |named: &Option<String>, usual: &str| has(named.as_deref().unwrap_or(usual));
        let takes_html = names.html.is_some() || names.text.is_none();
        if takes_html && (has_any(&names.html, "html") || has_any(&names.rendered, "rendered")) {
            Self::Pages
        } else if names.subject.as_deref() != Some(FieldNames::NONE)
            && has_any(&names.subject, "subject")
            && !has_any(&names.title, "title")
        {
            // What has a title is no mail: its subject is what it is about.
            Self::Mail
        } else {
            Self::Texts
        }
    }

    /// What people usually look for among such documents.
    pub fn usual_find(self) -> Find {
        match self {
            Self::Texts => Find::Copies,
            Self::Pages => Find::Stories,
            Self::Mail => Find::Campaigns,
        }
    }
}

impl Inputs {
    /// The kind that most of the first sources are of, by their formats and the fields of their
    /// first records: HTML and WARC are pages, so are records with a field of HTML; mail is what
    /// mailboxes hold, and records with a subject and no title.
    pub fn kind(&self) -> DocumentKind {
        let readable = self.sources.iter().enumerate();
        let readable = readable.filter(|(_, source)| source.format.is_some());
        let mut counts: HashMap<DocumentKind, usize> = HashMap::new();
        for (index, source) in readable.take(SOURCES) {
            *counts.entry(self.kind_of(index, source)).or_default() += 1;
        }
        let most = counts
            .into_iter()
            .max_by_key(|&(kind, count)| (count, kind));
        most.map_or(DocumentKind::Texts, |(kind, _)| kind)
    }

    fn kind_of(&self, index: usize, source: &Source) -> DocumentKind {
        match source.format {
            Some(Format::Html | Format::Warc) => DocumentKind::Pages,
            Some(Format::Mbox | Format::Eml) => DocumentKind::Mail,
            Some(format) if format.is_table() => self.kind_of_table(index, source, format),
            #[cfg(feature = "parquet")]
            Some(Format::Parquet) => {
                let names = self.column_names(index).unwrap_or_default();
                self.kind_by(|name| names.iter().any(|known| known == name))
            }
            _ => DocumentKind::Texts,
        }
    }

    fn kind_of_table(&self, index: usize, source: &Source, format: Format) -> DocumentKind {
        let has = |head: &[u8]| {
            let text = String::from_utf8_lossy(head);
            match format {
                Format::Csv | Format::Tsv => {
                    let header = text.lines().next().unwrap_or_default();
                    let is_mark = |c: char| !c.is_alphanumeric() && !"_-. ".contains(c);
                    let columns: Vec<&str> = header.split(is_mark).map(str::trim).collect();
                    self.kind_by(|name| columns.contains(&name))
                }
                _ => self.kind_by(|name| names_field(&text, name)),
            }
        };
        let mut streams = self.streams.lock().unwrap_or_else(|held| held.into_inner());
        if let Some(feed) = streams.get_mut(&index) {
            return has(feed.window());
        }
        match decompress::open(source.file(), source.compression, Arc::default()) {
            Ok(plain) => {
                let mut feed = Feed::new(plain, HEAD, self.options.max_document, false);
                has(feed.want(HEAD))
            }
            Err(_) => DocumentKind::Texts,
        }
    }

    fn kind_by(&self, has: impl Fn(&str) -> bool) -> DocumentKind {
        DocumentKind::of_fields(&self.options.fields, has)
    }
}

/// Whether JSON has a field of this name. Within a string, a quote has a backslash before it.
fn names_field(json: &str, name: &str) -> bool {
    let quoted = format!("\"{name}\"");
    let mut places = json.match_indices(&quoted);
    places.any(|(at, _)| json[at + quoted.len()..].trim_start().starts_with(':'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ReadOptions;

    fn kind(files: &[(&str, &str)]) -> DocumentKind {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).expect("written");
        }
        let inputs = Inputs::open(&[folder.path().to_owned()], ReadOptions::default());
        inputs.expect("open").kind()
    }

    #[test]
    fn kinds_are_told_by_formats_and_fields() {
        let mail = "From: a@b.c\nSubject: hello\n\ntext\n";
        assert_eq!(kind(&[("a.eml", mail)]), DocumentKind::Mail);
        assert_eq!(kind(&[("a.html", "<p>text")]), DocumentKind::Pages);
        assert_eq!(kind(&[("a.txt", "text")]), DocumentKind::Texts);
        let page = r#"{"id": 1, "html": "<p>subject</p>", "subject": "s"}"#;
        assert_eq!(kind(&[("a.jsonl", page)]), DocumentKind::Pages);
        let message = r#"{"id": 1, "subject" : "s", "text": "\"html\": no"}"#;
        assert_eq!(kind(&[("a.jsonl", message)]), DocumentKind::Mail);
        assert_eq!(
            kind(&[("a.csv", "id,\"html\"\n1,<p>\n")]),
            DocumentKind::Pages
        );
        assert_eq!(
            kind(&[("a.csv", "id,text\n1,subject\n")]),
            DocumentKind::Texts
        );
        assert_eq!(
            kind(&[("a.json", r#"[{"text": "subject"}]"#)]),
            DocumentKind::Texts
        );
    }

    #[test]
    fn most_sources_decide() {
        let files = [("a.txt", "text"), ("b.txt", "text"), ("c.html", "<p>text")];
        assert_eq!(kind(&files), DocumentKind::Texts);
        assert_eq!(kind(&files[1..]), DocumentKind::Pages);
    }
}
