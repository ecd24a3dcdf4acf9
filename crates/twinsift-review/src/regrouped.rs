//! What groups there would be by another detector.

use crate::collection::Collection;
use crate::groups::{Groups, PURPOSE, Sort};
use crate::options::Options;
use twinsift::{Detector, Recipe, Sifter};
use twinsift_learn::detect::sampled;

/// The groups that the detector of the moment would make.
#[derive(Debug, Default)]
pub(crate) enum Anew {
    #[default]
    Unasked,
    Running,
    Done(Box<Changes>),
    Failed(String),
}

/// What other groups there would be.
#[derive(Debug)]
pub(crate) struct Changes {
    /// Labels that the detector had learnt from.
    pub(crate) labels: usize,
    pub(crate) groups: usize,
    pub(crate) grouped: usize,
    /// How many of the groups are not there today.
    pub(crate) new: usize,
    /// The members of some of these.
    pub(crate) shown: Vec<Vec<u32>>,
}

/// Groups of [`Changes`] that are listed.
const CHANGES_SHOWN: usize = 100;

impl Changes {
    /// Groups a collection by a detector that has learnt from so many labels.
    pub(crate) fn of(
        collection: &Collection,
        detector: Detector,
        options: &Options,
        labels: usize,
    ) -> twinsift::Result<Self> {
        let recipe = Recipe::detector().detector(detector.into()).resolve()?;
        let mut sifter = Sifter::new(recipe, options.settings.clone())?;
        let docs: Vec<u32> = (0..collection.texts.documents()).collect();
        sampled::add(&mut sifter, &docs, &collection.texts)?;
        let groups = Groups::of(&sifter.finish_for(PURPOSE)?)?;
        let old = &collection.groups;
        let is_new = |group: &u32| {
            let members = groups.members(*group);
            let before = old.group_of(members[0]).map(|group| old.members(group));
            // The representative stands first, whoever it is.
            let sorted = |docs: &[u32]| {
                let mut docs = docs.to_vec();
                docs.sort_unstable();
                docs
            };
            before.is_none_or(|before| sorted(before) != sorted(members))
        };
        let by_size = groups.sorted(Sort::Size);
        let new: Vec<u32> = by_size.iter().copied().filter(is_new).collect();
        let shown = new.iter().take(CHANGES_SHOWN);
        Ok(Self {
            labels,
            groups: groups.len(),
            grouped: groups.grouped(),
            new: new.len(),
            shown: shown.map(|&group| groups.members(group).to_vec()).collect(),
        })
    }
}
