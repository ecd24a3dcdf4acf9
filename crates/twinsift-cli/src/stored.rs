//! Files of `twinsift signatures`, in place of documents.
//!
//! A row has an `id`, the values `s0`, `s1`, … as hexadecimal digits (empty where a
//! value was rejected), and what is true of the whole file: the `method` that compares
//! it, its `width` in values, the `bits` of a value, the ids of the `lexicon` and of the
//! `recipe`. So every row tells what the file holds, whatever its own values are, and
//! files can be cut, sorted and joined by other programs. Any table format will do.

use crate::exit::bad_input;
use crate::say::say;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use twinsift::collection::documents::{Documents, Entry};
use twinsift::recipe::{Matching, Method};
use twinsift::sketch::Rows;
use twinsift::{Document, Item, Recipe, Signature, Skipped};
use twinsift_io::write::{Column, Kind, Table, Value};
use twinsift_io::{FieldNames, Format, Inputs, ReadOptions};

/// What a file of signatures was made with.
#[derive(Clone, Debug)]
pub struct Stored {
    /// The file, for messages.
    name: String,
    pub method: Method,
    pub recipe: String,
    lexicon: Option<String>,
    /// Values to a document.
    pub width: usize,
    /// 64-bit numbers to a value.
    pub lanes: usize,
    /// All of this as the rows state it.
    stated: Vec<Option<String>>,
    /// Whether a row with a value has been read.
    has_values: Arc<AtomicBool>,
}

/// What a look at a file tells.
enum Probed {
    Signatures(Stored),
    Documents,
    /// It has no rows, which is as good as either.
    Nothing,
}

/// The most values to a document: more min-hashes than anyone needs.
const MOST_VALUES: usize = 512;

/// What every row states of its file. These are the first of the extra fields, and the
/// values follow.
const STATED: [&str; 5] = ["method", "width", "bits", "lexicon", "recipe"];

/// The fields of a file of signatures with so many values to a document.
pub fn fields(names: &FieldNames, values: usize) -> FieldNames {
    let values = (0..values).map(|at| format!("s{at}"));
    FieldNames {
        extra: STATED
            .map(str::to_owned)
            .into_iter()
            .chain(values)
            .collect(),
        no_text: true,
        ..names.clone()
    }
}

/// The table at `path` with the fields of signatures; nothing if it is no table. What
/// cannot be read is reported when it is read in earnest.
fn table(path: &Path, options: &ReadOptions) -> Option<Inputs> {
    // Standard input is not for looking at, whatever is called - here.
    if path.as_os_str() == "-" || !path.is_file() {
        return None;
    }
    let options = ReadOptions {
        fields: fields(&options.fields, 1),
        ..options.clone()
    };
    let inputs = Inputs::open(&[path.to_owned()], options).ok()?;
    let is_table = matches!(
        inputs.sources().first()?.format?,
        Format::Jsonl | Format::Json | Format::Csv | Format::Tsv | Format::Parquet
    );
    is_table.then_some(inputs)
}

impl Stored {
    /// What the files at `paths` were made with, if they hold signatures. The first
    /// one decides; the others must be of the same kind.
    pub fn probe(paths: &[PathBuf], options: &ReadOptions) -> anyhow::Result<Option<Self>> {
        let mut found: Option<(&Path, Option<Self>)> = None;
        for path in paths {
            let kind = match Self::probe_one(path, options)? {
                Probed::Nothing => continue,
                Probed::Documents => None,
                Probed::Signatures(stored) => Some(stored),
            };
            match (&found, kind) {
                (None, kind) => found = Some((path, kind)),
                (Some((_, Some(first))), Some(other)) => first.refuse_other(&other)?,
                (Some((_, None)), None) => {}
                (Some((first, Some(_))), None) => return Err(mixed(first, path)),
                (Some((first, None)), Some(_)) => return Err(mixed(path, first)),
            }
        }
        Ok(found.and_then(|(_, stored)| stored))
    }

    /// A look at the first row of a file that can be read.
    fn probe_one(path: &Path, options: &ReadOptions) -> anyhow::Result<Probed> {
        let Some(inputs) = table(path, options) else {
            return Ok(Probed::Documents);
        };
        let mut found = None;
        let mut is_empty = true;
        // Should the first row be broken, the next ones tell.
        for batch in (inputs.first_record().into_iter()).chain(inputs.batches().take(1)) {
            inputs.expand(&batch, &mut |item| {
                is_empty = false;
                if let (Item::Document(row), None) = (item, &found) {
                    found = Some(Self::of_row(path, &row));
                }
            });
            if found.is_some() {
                break;
            }
        }
        Ok(match found.transpose()?.flatten() {
            Some(stored) => Probed::Signatures(stored),
            None if is_empty => Probed::Nothing,
            None => Probed::Documents,
        })
    }

    /// What a row states of its file; nothing if it is no row of signatures.
    fn of_row(path: &Path, row: &Document<'_>) -> anyhow::Result<Option<Self>> {
        let name = path.display().to_string();
        let stated: Vec<Option<String>> = (row.extra[..STATED.len()].iter())
            .map(|value| value.as_deref().map(str::to_owned))
            .collect();
        let [method, width, bits, lexicon, recipe] = &stated[..] else {
            return Ok(None);
        };
        let is_id = |id: &&String| id.len() == 16 && id.bytes().all(|b| b.is_ascii_hexdigit());
        let Some(recipe) = recipe.as_ref().filter(is_id) else {
            return Ok(None);
        };
        let has_more = lexicon.is_some() || row.extra[STATED.len()].is_some();
        let (method, width, bits) = match (method, width, bits) {
            (Some(method), Some(width), Some(bits)) => (method, width, bits),
            (None, None, None) if has_more => {
                return Err(bad_input(format!(
                    "{name} holds signatures of an older version, which do not say what they are: make them again with twinsift signatures"
                )));
            }
            _ => return Ok(None),
        };
        let known = serde_json::from_value(method.as_str().into()).ok();
        let width = (width.parse().ok()).filter(|width| (1..=MOST_VALUES).contains(width));
        let lanes = match bits.as_str() {
            "64" => Some(1),
            "128" => Some(2),
            "160" => Some(3),
            _ => None,
        };
        let (Some(method), Some(width), Some(lanes)) = (known, width, lanes) else {
            return Err(bad_input(format!(
                "{name} holds signatures that are unknown here (method {method}, {bits} bits): it is damaged, or of a newer version"
            )));
        };
        Ok(Some(Self {
            name,
            method,
            recipe: recipe.clone(),
            lexicon: lexicon.clone(),
            width,
            lanes,
            stated,
            has_values: Arc::default(),
        }))
    }

    /// Signatures that were made in different ways are never compared.
    pub fn refuse_other(&self, other: &Self) -> anyhow::Result<()> {
        if self.stated == other.stated {
            return Ok(());
        }
        let what = match self.lexicon == other.lexicon {
            true => "settings",
            false => "lexicons",
        };
        Err(bad_input(format!(
            "{} and {} were signed with different {what}: sign one of them again",
            self.name, other.name
        )))
    }

    /// Refuses to compare them by another method than theirs.
    pub fn refuse_method(&self, recipe: &Recipe) -> anyhow::Result<()> {
        match recipe.method() == self.method {
            true => Ok(()),
            false => Err(bad_input(format!(
                "{} holds signatures of --method {}, which no other method compares",
                self.name,
                self.stated[0].as_deref().unwrap_or_default()
            ))),
        }
    }

    /// Refuses to compare these with documents that `recipe` signs otherwise.
    pub fn refuse_recipe(&self, recipe: &Recipe) -> anyhow::Result<()> {
        let name = &self.name;
        let ours = recipe.lexicon().map(|lexicon| lexicon.id());
        let why = match (&self.lexicon, ours) {
            (Some(theirs), None) if matches!(recipe.matching(), Matching::IMatch(_)) => {
                format!(
                    "{name} holds signatures of the lexicon {theirs}: name that lexicon with --lexicon"
                )
            }
            (Some(theirs), Some(ours)) if theirs != ours => format!(
                "{name} was signed with the lexicon {theirs}, and --lexicon is {ours}: sign it again, or name its own lexicon"
            ),
            _ if self.recipe == recipe.signature_id() => {
                let [width, lanes] = [recipe.signature_width(), recipe.signature_lanes()];
                if [self.width, self.lanes] == [width, lanes] {
                    return Ok(());
                }
                format!(
                    "{name} is damaged: it says that a row has {} values of {} bits, and its recipe makes {width} of {}",
                    self.width,
                    bits(self.lanes),
                    bits(lanes)
                )
            }
            _ => format!(
                "{name} was signed with other settings (recipe {}, not {}): use those it was signed with, or sign it again",
                self.recipe,
                recipe.signature_id()
            ),
        };
        Err(bad_input(why))
    }

    /// The item that a row stands for.
    pub fn item<'a>(&self, mut document: Document<'a>) -> Item<'a> {
        match self.row(&document) {
            Ok(row) => {
                if row.iter().any(|&number| number != 0) {
                    self.has_values.store(true, Ordering::Relaxed);
                }
                let signature = match self.method {
                    Method::Exact => of_digest(&row),
                    _ => Signature::of_sketch(row),
                };
                document.signature = Some(Box::new(signature));
                document.extra.clear();
                Item::Document(document)
            }
            Err(reason) => Item::Skipped(Skipped::one(document.place, reason)),
        }
    }

    /// Says so if everything has been read and not one document had a signature.
    pub fn tell_if_useless(&self) {
        if !self.has_values.load(Ordering::Relaxed) {
            say!(
                "note: not one row of {} has a signature, so that nothing in it can be matched",
                self.name
            );
        }
    }

    /// The numbers of a row.
    fn row(&self, document: &Document<'_>) -> Result<Vec<u64>, String> {
        let (stated, values) = document.extra.split_at(STATED.len());
        for ((name, ours), theirs) in STATED.iter().zip(&self.stated).zip(stated) {
            if ours.as_deref() != theirs.as_deref() {
                let shown = |value: Option<&str>| value.unwrap_or("missing").to_owned();
                return Err(format!(
                    "its {name} is {}, and that of its file {}",
                    shown(theirs.as_deref()),
                    shown(ours.as_deref())
                ));
            }
        }
        let mut row = Vec::with_capacity(self.width * self.lanes);
        for (at, value) in values.iter().enumerate() {
            let value = value.as_deref().unwrap_or_default();
            if value.is_empty() {
                row.extend(std::iter::repeat_n(0, self.lanes));
                continue;
            }
            let is_one = value.len() == digits(self.lanes)
                && value.bytes().all(|byte| byte.is_ascii_hexdigit());
            if !is_one {
                return Err(format!("s{at} is no signature"));
            }
            for from in (0..value.len()).step_by(16) {
                let part = &value[from..value.len().min(from + 16)];
                let number = u64::from_str_radix(part, 16).unwrap_or_default();
                row.push(number << (4 * (16 - part.len())));
            }
        }
        Ok(row)
    }
}

/// The signature of a digest of two numbers; of nothing, if both are 0.
fn of_digest(row: &[u64]) -> Signature {
    let digest = row
        .iter()
        .fold(0, |digest, &lane| digest << 64 | u128::from(lane));
    match digest {
        0 => Signature::default(),
        digest => Signature::of_digest(digest),
    }
}

fn mixed(signatures: &Path, documents: &Path) -> anyhow::Error {
    bad_input(format!(
        "{} holds signatures and {} does not: name documents or files of signatures, not both",
        signatures.display(),
        documents.display()
    ))
}

/// Refuses to write what could not be read again.
pub fn refuse_too_many(recipe: &Recipe) -> anyhow::Result<()> {
    match recipe.signature_width() > MOST_VALUES {
        true => Err(bad_input(format!(
            "a file of signatures holds at most {MOST_VALUES} values to a document: ask for fewer with --bands and --rows"
        ))),
        false => Ok(()),
    }
}

/// Bits of a value: SHA-1 has 160, of three numbers.
fn bits(lanes: usize) -> usize {
    match lanes {
        3 => 160,
        lanes => lanes * 64,
    }
}

/// Hexadecimal digits of a value.
fn digits(lanes: usize) -> usize {
    bits(lanes) / 4
}

/// The signatures of a collection, made with a recipe.
pub struct Signatures {
    recipe: Recipe,
    pub documents: Documents,
    rows: Rows,
}

impl Signatures {
    /// None yet.
    pub fn new(recipe: &Recipe) -> Self {
        Self {
            rows: Rows::new(recipe.signature_width() * recipe.signature_lanes()),
            documents: Documents::default(),
            recipe: recipe.clone(),
        }
    }

    pub fn push(&mut self, entry: Entry<'_>, signature: &Signature) -> twinsift::Result<()> {
        let doc = self.documents.push(entry)?;
        if let Some(values) = self.recipe.signature_values(signature) {
            self.rows.set(doc, &values);
        }
        Ok(())
    }

    /// Documents that have a signature.
    pub fn signed(&self) -> usize {
        self.rows.docs().count()
    }

    /// Writes a row for each document.
    pub fn write(&self, table: &mut Table) -> anyhow::Result<()> {
        let (width, lanes) = (self.recipe.signature_width(), self.recipe.signature_lanes());
        let method = serde_json::to_value(self.recipe.method())?;
        let method = method.as_str().unwrap_or_default();
        let lexicon = self.recipe.lexicon().map(|lexicon| lexicon.id());
        let made_with = self.recipe.signature_id();
        let mut values = vec![String::new(); width];
        for doc in 0..self.documents.len() as u32 {
            let row = self.rows.get(doc).unwrap_or(&[]);
            let mut present = row.chunks_exact(lanes);
            for value in &mut values {
                spell(present.next().unwrap_or(&[]), value);
            }
            let id = self.documents.id(doc);
            let mut cells = vec![Value::Id(&id)];
            cells.extend(values.iter().map(|value| Value::Text(value)));
            cells.extend([
                Value::Text(method),
                Value::Integer(width as i64),
                Value::Integer(bits(lanes) as i64),
                lexicon.map_or(Value::Missing, Value::Text),
                Value::Text(&made_with),
            ]);
            table.row(&cells)?;
        }
        Ok(())
    }
}

/// Replaces `out` by the digits of a value; by none if it is missing.
fn spell(value: &[u64], out: &mut String) {
    out.clear();
    if value.iter().any(|&lane| lane != 0) {
        for lane in value {
            // Writing to a string does not fail.
            let _ = write!(out, "{lane:016x}");
        }
        out.truncate(digits(value.len()));
    }
}

/// The columns of a file of signatures; `names` are those of the values.
pub fn columns<'a>(id: Column<'a>, names: &'a [String]) -> Vec<Column<'a>> {
    let mut columns = vec![id];
    columns.extend(names.iter().map(|name| Column::new(name, Kind::Digest)));
    columns.extend(STATED.map(|name| match name {
        "width" | "bits" => Column::new(name, Kind::Integer),
        _ => Column::new(name, Kind::Text),
    }));
    columns
}
