//! Files of `twinsift signatures`, in place of documents.
//!
//! A row has an `id`, the values `s0`, `s1`, … as hexadecimal digits (empty where a
//! value was rejected), the id of the `lexicon` and of the `recipe`. Any table
//! format will do.

use crate::exit::bad_input;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use twinsift::recipe::Matching;
use twinsift::{Document, Item, Recipe, Signatures, Skipped};
use twinsift_io::write::{Column, Kind, Table, Value, WriteError};
use twinsift_io::{FieldNames, Format, Inputs, ReadOptions};

/// What a file of signatures was made with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The file, for messages.
    name: String,
    pub recipe: String,
    lexicon: Option<String>,
    /// Values to a document.
    pub width: usize,
    /// 64-bit numbers to a value.
    pub lanes: usize,
}

/// The most values to a document: more min-hashes than anyone needs.
const MOST_VALUES: usize = 512;

/// Where values begin among the extra fields.
const VALUES_FROM: usize = 2;

/// The fields of a file of signatures with so many values to a document.
pub fn fields(names: &FieldNames, values: usize) -> FieldNames {
    let values = (0..values).map(|at| format!("s{at}"));
    FieldNames {
        extra: ["recipe".to_owned(), "lexicon".to_owned()]
            .into_iter()
            .chain(values)
            .collect(),
        no_text: true,
        ..names.clone()
    }
}

/// The table at `path` with the fields of signatures; nothing if it is no table. What
/// cannot be read is reported when it is read in earnest.
fn table(path: &Path, options: &ReadOptions, values: usize) -> Option<Inputs> {
    // Standard input is not for looking at, whatever is called - here.
    if path.as_os_str() == "-" || !path.is_file() {
        return None;
    }
    let options = ReadOptions {
        fields: fields(&options.fields, values),
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
        let Some((first, others)) = paths.split_first() else {
            return Ok(None);
        };
        let Some(stored) = Self::probe_one(first, options) else {
            return Ok(None);
        };
        for path in others {
            match Self::probe_one(path, options) {
                Some(other) => stored.refuse_other(&other)?,
                None => {
                    return Err(bad_input(format!(
                        "{} holds signatures and {} does not: name documents or files of signatures, not both",
                        first.display(),
                        path.display()
                    )));
                }
            }
        }
        Ok(Some(stored))
    }

    fn probe_one(path: &Path, options: &ReadOptions) -> Option<Self> {
        if !Self::may_hold_some(path, options)? {
            return None;
        }
        let inputs = table(path, options, MOST_VALUES)?;
        let batch = inputs.batches().next()?;
        // Rejected values are there, and empty; so any row tells how many there are.
        let mut found: Option<Self> = None;
        inputs.expand(&batch, &mut |item| {
            let Item::Document(document) = item else {
                return;
            };
            if found.as_ref().is_none_or(|known| known.lanes == 0) {
                found = Self::of_row(path, &document).or(found.take());
            }
        });
        // Where no document has a signature, one number is as good as another.
        let lanes = found.as_ref()?.lanes.max(1);
        found
            .filter(|found| found.width > 0)
            .map(|found| Self { lanes, ..found })
    }

    /// Most files hold documents, which a look at the first one tells.
    fn may_hold_some(path: &Path, options: &ReadOptions) -> Option<bool> {
        let inputs = table(path, options, 1)?;
        let mut may = None;
        inputs.expand(&inputs.first_record()?, &mut |item| {
            if let Item::Document(row) = item {
                may = Some(Self::of_row(path, &row).is_some());
            }
        });
        // A broken one tells nothing.
        Some(may.unwrap_or(true))
    }

    /// What a row says of its file; no lanes if it has no value.
    fn of_row(path: &Path, row: &Document<'_>) -> Option<Self> {
        let text = |at: usize| row.extra.get(at)?.as_deref();
        let values = (VALUES_FROM..row.extra.len()).map_while(text);
        let lanes = match values.clone().find(|value| !value.is_empty()).map(str::len) {
            None => 0,
            Some(16) => 1,
            Some(32) => 2,
            Some(40) => 3,
            Some(_) => return None,
        };
        Some(Self {
            name: path.display().to_string(),
            recipe: text(0)?.to_owned(),
            lexicon: text(1).filter(|id| !id.is_empty()).map(str::to_owned),
            width: values.count(),
            lanes,
        })
    }

    /// Whether they are I-Match signatures.
    pub fn has_lexicon(&self) -> bool {
        self.lexicon.is_some()
    }

    /// Signatures that were made in different ways are never compared.
    pub fn refuse_other(&self, other: &Self) -> anyhow::Result<()> {
        if self.lexicon != other.lexicon {
            return Err(bad_input(format!(
                "{} and {} were signed with different lexicons: sign one of them again",
                self.name, other.name
            )));
        }
        match self.recipe == other.recipe {
            true => Ok(()),
            false => Err(bad_input(format!(
                "{} and {} were signed with different settings: sign one of them again",
                self.name, other.name
            ))),
        }
    }

    /// Refuses to compare these with documents that `recipe` signs otherwise.
    pub fn refuse_recipe(&self, recipe: &Recipe) -> anyhow::Result<()> {
        let name = &self.name;
        let ours = recipe.lexicon.as_ref().map(|lexicon| lexicon.id());
        let why = match (&self.lexicon, ours) {
            (Some(theirs), None) if matches!(recipe.matching, Matching::IMatch { .. }) => format!(
                "{name} holds signatures of the lexicon {theirs}: name that lexicon with --lexicon"
            ),
            (Some(theirs), Some(ours)) if theirs != ours => format!(
                "{name} was signed with the lexicon {theirs}, and --lexicon is {ours}: sign it again, or name its own lexicon"
            ),
            _ if self.recipe == recipe.signature_id() => return Ok(()),
            _ => format!(
                "{name} was signed with another method or other settings (recipe {}, not {}): use those it was signed with, or sign it again",
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
                document.signatures = Some(row);
                document.extra.clear();
                Item::Document(document)
            }
            Err(reason) => Item::Skipped(Skipped::one(document.place, reason)),
        }
    }

    /// The numbers of a row.
    fn row(&self, document: &Document<'_>) -> Result<Vec<u64>, String> {
        let text = |at: usize| document.extra[at].as_deref();
        if text(0) != Some(&self.recipe) {
            return Err("signed in another way than the first row of its file".to_owned());
        }
        let mut row = Vec::with_capacity(self.width * self.lanes);
        for at in 0..self.width {
            let value = text(VALUES_FROM + at).unwrap_or_default();
            if value.is_empty() {
                row.extend(std::iter::repeat_n(0, self.lanes));
                continue;
            }
            let digits = value.len();
            let is_whole = digits.div_ceil(16) == self.lanes && value.is_ascii();
            let lane = |lane: usize| {
                let part = &value[lane * 16..digits.min(lane * 16 + 16)];
                let number = u64::from_str_radix(part, 16).ok()?;
                Some(number << (4 * (16 - part.len())))
            };
            let lanes: Option<Vec<u64>> = (0..self.lanes)
                .map(|at| is_whole.then(|| lane(at))?)
                .collect();
            row.extend(lanes.ok_or_else(|| format!("s{at} is no signature"))?);
        }
        Ok(row)
    }
}

/// Refuses to write what could not be read again.
pub fn refuse_too_many(recipe: &Recipe) -> anyhow::Result<()> {
    let values = match recipe.matching {
        Matching::WeightedMinHash { bands, rows, .. } => bands as usize * rows as usize,
        Matching::MinHashes { values, .. } => values as usize,
        _ => 0,
    };
    match values > MOST_VALUES {
        true => Err(bad_input(format!(
            "a file of signatures holds at most {MOST_VALUES} values to a document: ask for fewer with --bands and --rows"
        ))),
        false => Ok(()),
    }
}

/// Digits of a value: SHA-1 has 160 bits, of three numbers.
fn digits(lanes: usize) -> usize {
    match lanes {
        3 => 40,
        lanes => lanes * 16,
    }
}

/// Writes a collection's signatures.
pub fn write(signatures: &Signatures, table: &mut Table) -> Result<(), WriteError> {
    let documents = signatures.documents();
    let digits = digits(signatures.lanes());
    let mut values = vec![String::new(); signatures.width()];
    for doc in 0..documents.len() as u32 {
        let row = signatures.row(doc).unwrap_or(&[]);
        for (at, value) in values.iter_mut().enumerate() {
            value.clear();
            let lanes = row.get(at * signatures.lanes()..).unwrap_or(&[]);
            let lanes = &lanes[..lanes.len().min(signatures.lanes())];
            if lanes.iter().all(|&lane| lane == 0) {
                continue;
            }
            for lane in lanes {
                // Writing to a string does not fail.
                let _ = write!(value, "{lane:016x}");
            }
            value.truncate(digits);
        }
        let id = documents.id(doc);
        let mut cells = vec![Value::Id(&id)];
        cells.extend(values.iter().map(|value| Value::Text(value)));
        cells.push(signatures.lexicon().map_or(Value::Missing, Value::Text));
        cells.push(Value::Text(signatures.recipe()));
        table.row(&cells)?;
    }
    Ok(())
}

/// The columns of a file of signatures; `names` are those of the values.
pub fn columns<'a>(id: Column<'a>, names: &'a [String]) -> Vec<Column<'a>> {
    let mut columns = vec![id];
    columns.extend(names.iter().map(|name| Column::new(name, Kind::Digest)));
    columns.push(Column::new("lexicon", Kind::Text));
    columns.push(Column::new("recipe", Kind::Text));
    columns
}
