//! The documents that have been read, for the matchers.

use crate::analyse::AnalysedBatch;
use crate::collection::documents::Documents;
use crate::collection::store::Store;
use crate::document::{ContentKey, Skipped};
use crate::error::Result;
use crate::hash;
use crate::matches::Report;
use crate::recipe::Recipe;
use crate::settings::{Budget, Settings};
use crate::sketch::Rows;
use crate::sketch::imatch::{Signer, own};

/// Everything that has been read so far.
#[derive(Debug)]
pub(super) struct Collected {
    pub(super) documents: Documents,
    pub(super) store: Store,
    /// Documents with too few spots: what they are compared by instead.
    pub(super) fallback: Store,
    pub(super) unsigned: Vec<(u32, u32)>,
    pub(super) rows: Rows,
    pub(super) digests: Vec<Option<u128>>,
    pub(super) content_keys: Vec<(u32, ContentKey)>,
    /// Documents whose text is another one's: neither store nor rows have them.
    pub(super) repeated: u64,
    pub(super) report: Report,
}

impl Collected {
    /// Nothing yet, of documents with `row_width` numbers to a row of their sketch.
    pub(super) fn new(settings: &Settings, row_width: usize) -> Self {
        let budget = Budget::new(settings.memory);
        Self {
            documents: Documents::default(),
            store: Store::new(budget.features(), settings),
            fallback: Store::new(budget.size_bands(), settings),
            unsigned: Vec::new(),
            rows: Rows::new(row_width),
            digests: Vec::new(),
            content_keys: Vec::new(),
            repeated: 0,
            report: Report::default(),
        }
    }

    /// Signs all documents by the statistics of the collection.
    pub(super) fn sign_by_own_lexicon(
        &mut self,
        recipe: &Recipe,
        settings: &Settings,
    ) -> Result<()> {
        let Some(imatch) = recipe.imatch_matcher() else {
            return Ok(());
        };
        let Self {
            store,
            rows,
            digests,
            unsigned,
            ..
        } = self;
        let lexicon = own::lexicon(store, self.documents.len(), settings)?;
        let signer = Signer::new(&lexicon, imatch.rules, recipe.seed, &recipe.signature_id());
        *rows = Rows::new(signer.row_width());
        own::sign(store, &signer, |doc, signed, row| {
            let digest = &mut digests[doc as usize];
            if signed.valid.count_ones() < imatch.require {
                *digest = None;
                unsigned.push((doc, signed.terms));
                return;
            }
            rows.set(doc, row);
            if imatch.verify.is_none() {
                *digest = Some(hash::digest(row.iter().copied()));
            }
        })?;
        unsigned.sort_unstable();
        self.report.unsigned = unsigned.len() as u64;
        Ok(())
    }

    /// Appends an analysed batch; broken records go to `on_skipped`.
    pub(super) fn append(
        &mut self,
        mut analysed: AnalysedBatch,
        on_skipped: &mut dyn FnMut(Skipped) -> Result<()>,
    ) -> Result<()> {
        for skipped in analysed.skipped {
            self.report.skipped += skipped.records;
            on_skipped(skipped)?;
        }
        let first = self.documents.len() as u32;
        for entry in analysed.entries.iter() {
            self.documents.push(entry)?;
        }
        let rows = analysed.rows.chunks_exact(self.rows.width().max(1));
        for (doc, row) in analysed.row_docs.iter().zip(rows) {
            self.rows.set(first + doc, row);
        }
        let unsigned = analysed.unsigned.iter();
        self.unsigned
            .extend(unsigned.map(|&(doc, spots)| (first + doc, spots)));
        if !analysed.fallback.is_empty() {
            let docs = analysed.fallback.docs.iter_mut();
            docs.for_each(|doc| *doc += first);
            self.fallback.push(analysed.fallback)?;
        }
        self.digests.append(&mut analysed.digests);
        let content_keys = analysed
            .content_keys
            .into_iter()
            .map(|(doc, content_key)| (first + doc, content_key));
        self.content_keys.extend(content_keys);
        self.report.short += analysed.short;
        self.report.words += analysed.words;
        self.repeated += analysed.repeated;
        self.store.count_absent(analysed.repeated_features);
        if !analysed.block.is_empty() {
            analysed.block.docs.iter_mut().for_each(|doc| *doc += first);
            self.store.push(analysed.block)?;
        }
        Ok(())
    }
}
