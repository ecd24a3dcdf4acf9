//! What a caller may choose about reading.

use std::path::PathBuf;

use encoding_rs::Encoding;

use crate::extract::Content;
use crate::format::Format;

/// Names of the fields of JSON, CSV and Parquet records. `None` means the
/// usual names are tried, in any letter case; the name [`NONE`](Self::NONE)
/// means that no field plays the part.
#[derive(Clone, Debug, Default)]
pub struct FieldNames {
    /// The document's name; else `id`, `doc_id`, `url`, or the record's place.
    /// With `none`, documents of all formats are named by their places.
    pub id: Option<String>,
    /// The text; else `text`, `content`, `body`, `article`. Naming `html` and
    /// not this one leaves the text fields aside.
    pub text: Option<String>,
    /// The page's HTML; else `html`. Naming `text` and not this one leaves
    /// the HTML aside.
    pub html: Option<String>,
    /// The title; else `title`, or the subject.
    pub title: Option<String>,
    /// The subject of a mail, which is compared with its text as in mail of
    /// any other format; else `subject`, unless that name is given to another
    /// part or the record has a title.
    pub subject: Option<String>,
    /// The address; else `url`.
    pub url: Option<String>,
    /// The page's HTML as a browser showed it; else `rendered`. Naming `text`
    /// or `html` and not this one leaves it aside, unless both bodies are
    /// asked for.
    pub rendered: Option<String>,
    /// The field by which a keep rule ranks duplicates.
    pub rank: Option<String>,
    /// Further fields whose values are wanted, such as labels.
    pub extra: Vec<String>,
    /// Only [`extra`](Self::extra) is wanted: no record needs a text. For files
    /// that hold labels and no documents.
    pub no_text: bool,
}

impl FieldNames {
    /// The name that stands for no field at all.
    pub const NONE: &str = "none";
}

/// Which body of a page is compared: the one that was fetched, or the one that
/// a browser showed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Body {
    /// The rendered one; the fetched one where there is no other.
    #[default]
    Rendered,
    /// The fetched one.
    Fetched,
    /// The fetched one, with the other beside it in
    /// [`Document::rendered`](twinsift::Document::rendered).
    Both,
}

/// Records may have so many bytes, unless a caller says otherwise.
pub const MAX_DOCUMENT: usize = 64 << 20;

/// A charset, by any of its usual names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CharsetName(pub(crate) &'static Encoding);

impl CharsetName {
    /// The charset that `name` stands for.
    pub fn of(name: &str) -> Option<Self> {
        Encoding::for_label(name.trim().as_bytes()).map(Self)
    }

    /// Whether bytes of ASCII may be part of other characters, so that the
    /// rows and cells of a table cannot be told apart.
    pub fn hides_ascii(self) -> bool {
        self.0 == encoding_rs::ISO_2022_JP
    }
}

/// How inputs are read.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// Which fields hold what.
    pub fields: FieldNames,
    /// How much of an HTML page becomes text.
    pub content: Content,
    /// Which body of a page is compared.
    pub body: Body,
    /// Ids are unique within their file only: the file's name is put before each.
    pub id_per_file: bool,
    /// The format of every input; `None` goes by name, then by content.
    pub format: Option<Format>,
    /// The charset of texts, pages and tables that do not tell it by a byte-order mark;
    /// `None` goes by what pages declare, then by the bytes.
    pub charset: Option<CharsetName>,
    /// The ASCII character between the cells of CSV and TSV; `None` goes by the header.
    pub delimiter: Option<u8>,
    /// A record with more bytes, compressed or not, is skipped.
    pub max_document: usize,
    /// Records will be copied from these inputs later on. So what cannot be read
    /// twice (standard input, pipes) is kept in a temporary file, and rows of
    /// Parquet are documents only if all of their columns can be read.
    pub to_copy: bool,
    /// The folder for temporary files.
    pub tmp: PathBuf,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            fields: FieldNames::default(),
            content: Content::default(),
            body: Body::default(),
            id_per_file: false,
            format: None,
            charset: None,
            delimiter: None,
            max_document: MAX_DOCUMENT,
            to_copy: false,
            tmp: std::env::temp_dir(),
        }
    }
}
