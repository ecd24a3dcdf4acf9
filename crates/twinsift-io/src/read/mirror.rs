//! Where each source stands in a folder that mirrors them.
//!
//! A file that is named by itself goes by its name, one in a folder by its way from there.
//! Where two come to the same place, as `jan/a.csv` and `feb/a.csv` do, both take as much
//! of their paths along as tells them apart.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use super::source::Source;

/// Gives sources places of their own, as far as their paths differ.
pub(super) fn make_unique(sources: &mut [Source]) {
    loop {
        let mut taken: HashMap<PathBuf, usize> = HashMap::new();
        for source in sources.iter() {
            *taken.entry(source.inside.clone()).or_default() += 1;
        }
        let mut is_changed = false;
        for source in sources.iter_mut() {
            if taken[&source.inside] > 1
                && let Some(longer) = with_parent(&source.path, &source.inside)
            {
                source.inside = longer;
                is_changed = true;
            }
        }
        if !is_changed {
            return;
        }
    }
}

/// `inside`, with one more folder of the path before it.
fn with_parent(path: &Path, inside: &Path) -> Option<PathBuf> {
    let named = |path: &Path| -> Vec<PathBuf> {
        let parts = path.components();
        let named = parts.filter(|part| matches!(part, Component::Normal(_)));
        named.map(|part| PathBuf::from(part.as_os_str())).collect()
    };
    let parts = named(path);
    let from = parts.len().checked_sub(named(inside).len() + 1)?;
    Some(parts[from..].iter().collect())
}
