//! What has been read, on its way to the matchers.

use crate::analyse::Parcel;
use crate::collection::documents::Documents;
use crate::collection::store::Store;
use crate::document::{Skipped, Twin};
use crate::error::Result;
use crate::hash;
use crate::matches::Report;
use crate::recipe::{Matching, Recipe};
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
    pub(super) twins: Vec<(u32, Twin)>,
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
            twins: Vec::new(),
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
        let (Some(rules), Matching::IMatch { require, verify }) = (recipe.imatch, recipe.matching)
        else {
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
        let signer = Signer::new(&lexicon, rules, recipe.seed, &recipe.signature_id());
        *rows = Rows::new(signer.row_width());
        own::sign(store, &signer, |doc, signed, row| {
            let digest = &mut digests[doc as usize];
            if signed.valid.count_ones() < require {
                *digest = None;
                unsigned.push((doc, signed.terms));
                return;
            }
            rows.set(doc, row);
            if verify.is_none() {
                *digest = Some(hash::digest(row.iter().copied()));
            }
        })?;
        unsigned.sort_unstable();
        self.report.unsigned = unsigned.len() as u64;
        Ok(())
    }

    /// Takes what a batch left behind; broken records go to `on_skipped`.
    pub(super) fn append(
        &mut self,
        mut parcel: Parcel,
        on_skipped: &mut dyn FnMut(Skipped) -> Result<()>,
    ) -> Result<()> {
        for skipped in parcel.skipped {
            self.report.skipped += skipped.records;
            on_skipped(skipped)?;
        }
        let first = self.documents.len() as u32;
        for entry in parcel.entries.iter() {
            self.documents.push(entry)?;
        }
        let rows = parcel.rows.chunks_exact(self.rows.width().max(1));
        for (doc, row) in parcel.row_docs.iter().zip(rows) {
            self.rows.set(first + doc, row);
        }
        let unsigned = parcel.unsigned.iter();
        self.unsigned
            .extend(unsigned.map(|&(doc, spots)| (first + doc, spots)));
        if !parcel.fallback.is_empty() {
            let docs = parcel.fallback.docs.iter_mut();
            docs.for_each(|doc| *doc += first);
            self.fallback.push(parcel.fallback)?;
        }
        self.digests.append(&mut parcel.digests);
        let twins = parcel
            .twins
            .into_iter()
            .map(|(doc, twin)| (first + doc, twin));
        self.twins.extend(twins);
        self.report.short += parcel.short;
        self.report.words += parcel.words;
        self.repeated += parcel.repeated;
        self.store.count_absent(parcel.repeated_features);
        if !parcel.block.is_empty() {
            parcel.block.docs.iter_mut().for_each(|doc| *doc += first);
            self.store.push(parcel.block)?;
        }
        Ok(())
    }
}
