//! What the methods of an evaluation have in common.

use crate::plan::lexicon;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use twinsift::{Choices, Lexicon, Settings};
use twinsift_io::ReadOptions;
use twinsift_learn::classify;

/// What holds for every method that does not say otherwise.
#[derive(Debug)]
pub struct Base {
    pub choices: Choices,
    /// The classifier of the method `signals`.
    pub classifier: Option<Arc<classify::Model>>,
    /// Where files are looked for.
    pub folder: PathBuf,
    /// Those that have been read.
    lexicons: RefCell<BTreeMap<(PathBuf, bool), Arc<Lexicon>>>,
}

impl Base {
    pub fn new(choices: Choices, folder: &Path) -> Self {
        Self {
            choices,
            classifier: None,
            folder: folder.to_owned(),
            lexicons: RefCell::default(),
        }
    }

    /// With the classifier that the choices name.
    pub fn with_classifier(self, classifier: Option<Arc<classify::Model>>) -> Self {
        Self { classifier, ..self }
    }

    /// A lexicon file, or documents to count. Each is read once.
    pub fn lexicon(&self, name: &str, fold: bool) -> anyhow::Result<Arc<Lexicon>> {
        let key = (self.folder.join(name), fold);
        if let Some(known) = self.lexicons.borrow().get(&key) {
            return Ok(known.clone());
        }
        let lexicon = lexicon::load(&key.0, ReadOptions::default(), fold, &Settings::default())?;
        self.lexicons.borrow_mut().insert(key, lexicon.clone());
        Ok(lexicon)
    }
}
