//! Documentation as a reader finds it: sections, with the code in them in order.

use std::fs;
use std::path::{Path, PathBuf};

/// What stands between two headings.
pub struct Section {
    pub code: Vec<Code>,
}

/// A piece of code, and where it stands: `GUIDE.md:193`.
pub struct Code {
    pub place: String,
    pub kind: Kind,
}

pub enum Kind {
    /// A fenced block and its language.
    Block(String, String),
    /// `code` within a sentence.
    Span(String),
}

/// A file of the repository.
pub fn repository(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(name)
}

pub fn text(name: &str) -> String {
    fs::read_to_string(repository(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

pub fn sections(name: &str) -> Vec<Section> {
    let text = text(name);
    let mut sections = vec![Section { code: Vec::new() }];
    let mut lines = text.lines().zip(1..);
    // Sentences run over lines, and so does code in them.
    let mut sentences: Vec<(String, usize)> = Vec::new();
    while let Some((line, number)) = lines.next() {
        let code = &mut sections.last_mut().unwrap().code;
        let place = format!("{name}:{number}");
        if let Some(language) = line.strip_prefix("```") {
            spans(name, &mut sentences, code);
            let block: Vec<&str> = lines
                .by_ref()
                .map(|(line, _)| line)
                .take_while(|line| *line != "```")
                .collect();
            let kind = Kind::Block(language.to_owned(), block.join("\n"));
            code.push(Code { place, kind });
        } else if line.starts_with('#') {
            spans(name, &mut sentences, code);
            sections.push(Section { code: Vec::new() });
        } else {
            sentences.push((line.to_owned(), number));
        }
    }
    spans(name, &mut sentences, &mut sections.last_mut().unwrap().code);
    sections
}

/// Moves the spans of code out of some lines.
fn spans(name: &str, sentences: &mut Vec<(String, usize)>, code: &mut Vec<Code>) {
    let mut open: Option<(String, usize)> = None;
    for (line, number) in sentences.drain(..) {
        let mut parts = line.split('`');
        let before = parts.next().unwrap_or_default();
        if let Some((span, _)) = &mut open {
            *span += " ";
            *span += before;
        }
        for part in parts {
            match open.take() {
                None => open = Some((part.to_owned(), number)),
                Some((span, number)) => code.push(Code {
                    place: format!("{name}:{number}"),
                    kind: Kind::Span(span),
                }),
            }
        }
    }
    assert!(open.is_none(), "{name}: code without an end: {open:?}");
}
