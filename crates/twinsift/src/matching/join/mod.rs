//! Every pair at or above a threshold, and no other: the exact join.
//!
//! The idea is the prefix filter of the AllPairs and PPJoin family. Put features
//! into an order that is the same for all documents, the rare ones first. Two
//! similar documents share so much that they must share a feature near the front of
//! both, in their *prefixes*. So an index of prefixes finds every candidate, and because
//! prefixes hold rare features it finds few others.
//!
//! What usually costs most is to find out which features are rare. Here small
//! tables do it that may err in the harmless direction (`ranges` says how they are
//! kept in the cache), and most documents never get that far:
//!
//! 1. `prefilter` drops every document that cannot have a partner, by a look at a part
//!    of it, its `region`. In most collections those are most documents.
//! 2. `frequencies` counts the features of what is left, in longer regions, and each
//!    document's `prefix` is taken from them, rare ones first.
//! 3. `probe` takes documents by size; each looks in the `index` of prefixes
//!    for smaller ones, and candidates that survive the bounds are compared in
//!    full.
//!
//! Where nearly all documents are candidates of each other, `accumulate` is quicker than
//! step 3.
//!
//! Where documents are crowded and only verdicts or groups are asked for, `preferred` has few of
//! them look for partners.
//!
//! Where memory is short, documents are cut into *size bands*, each of similar size
//! (`size_bands`), and each band is indexed once and probed by itself and by the bands
//! within reach.

mod accumulate;
mod frequencies;
mod index;
mod preferred;
mod prefilter;
mod prefix;
mod probe;
mod ranges;
mod region;
mod size_bands;

use super::edges::EdgeSink;
use super::wanted::Wanted;
use super::{Job, MatcherReport};
use crate::collection::store::Store;
use crate::error::Result;
use crate::parallel;
use crate::similarity::Similarity;
use accumulate::Lists;
use frequencies::Frequencies;
use index::Index;
use prefix::{Partners, Prefixes};
use region::Region;
pub(crate) use region::{prefix_length, prefix_length_by};
use size_bands::{SizeBand, SizeBands};

/// Which pairs are wanted: those of at least this similarity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    pub(crate) similarity: Similarity,
    pub(crate) threshold: f64,
    /// Whether features have weights.
    weighted: bool,
    /// Where the prefilter looks for repeated features.
    short: Region,
    /// Where partners must share features.
    region: Region,
    /// The least total of a partner, as a share of a document's own.
    smallest_partner: f64,
}

impl Rule {
    pub(crate) fn new(similarity: Similarity, threshold: f64, weighted: bool) -> Self {
        Self {
            similarity,
            threshold,
            weighted,
            short: Region::new(similarity, threshold, weighted, region::SHORT),
            region: Region::new(similarity, threshold, weighted, region::LONG),
            smallest_partner: similarity.smallest_partner(threshold, weighted),
        }
    }
}

/// Finds every pair of representatives that fulfils the rule.
pub(crate) fn join(
    job: &Job<'_>,
    rule: &Rule,
    store: Store,
    sink: &EdgeSink,
) -> Result<MatcherReport> {
    job.begin(0)?;
    let kept = prefilter::may_have_partner(job, rule, &store)?;
    let bands = SizeBands::cut(job, store, kept)?;
    job.begin(bands.documents())?;
    let mut report = MatcherReport {
        size_bands: bands.len() as u64,
        ..MatcherReport::default()
    };
    for at in 0..bands.len() {
        let loaded = bands.load(at)?;
        let band = SizeBand::new(&loaded, rule.region);
        let later = bands.within_reach(at, band.largest_total() / rule.smallest_partner);
        report.indexed += band.documents() as u64;
        let (frequencies, classified) = Frequencies::new(job, rule, &band, !later.is_empty())?;
        // Within the band a feature must occur twice to be shared.
        let prefixes = Prefixes::new(job, rule, &band, &classified, 2)?;
        // Without other bands this is not needed any more.
        let for_others = (!later.is_empty()).then_some(classified);
        report.compared += match &job.wanted {
            // With several bands, which documents are passed over is known only after all.
            Wanted::Preferred(preference, enough) if bands.len() == 1 => {
                let preferred = (preference, *enough);
                preferred::within(job, rule, &band, prefixes, preferred, sink)?
            }
            _ => {
                let index = Index::new(job, &prefixes, Partners::Larger)?;
                match Lists::if_quicker(job, rule, &band, &prefixes, &index, sink)? {
                    None => probe::within(job, rule, &band, &prefixes, &index, u64::MAX, sink)?,
                    Some(lists) => {
                        drop((prefixes, index));
                        accumulate::within(job, rule, &band, &lists, u64::MAX, sink)?
                    }
                }
            }
        };
        let Some(classified) = for_others else {
            continue;
        };
        // Here once is enough: the other one is in another band.
        let prefixes = Prefixes::new(job, rule, &band, &classified, 1)?;
        let index = Index::new(job, &prefixes, Partners::Larger)?;
        drop(prefixes);
        drop(classified);
        for later in later {
            let loaded = bands.load(later)?;
            let other = SizeBand::new(&loaded, rule.region);
            let prefixes =
                Prefixes::new(job, rule, &other, &frequencies.of(job, rule, &other)?, 1)?;
            report.compared += probe::across(job, rule, &band, &index, &other, &prefixes, sink)?;
        }
    }
    parallel::drop_aside(bands);
    Ok(report)
}
