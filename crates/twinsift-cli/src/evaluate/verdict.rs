//! Which method does best on a collection.
//!
//! First by the thresholds that the methods ran with, which is what a user gets. The best
//! threshold in hindsight was chosen on the very labels that it is judged by; what it
//! would have reached comes second and is called so.

use super::outcome::{DataOutcome, MethodOutcome, Outcome};

/// What the figures of a collection come to.
#[derive(Clone, Copy, Debug)]
pub struct Verdict<'a> {
    /// The best at the thresholds that methods ran with.
    pub best: &'a MethodOutcome,
    /// The next one.
    pub next: Option<&'a MethodOutcome>,
    /// The best at any threshold, in hindsight.
    pub in_hindsight: &'a MethodOutcome,
}

impl<'a> Verdict<'a> {
    /// The verdict on a collection; `None` if no method was tried. Of equals, the first.
    pub fn on(data: &DataOutcome, outcome: &'a Outcome) -> Option<Self> {
        let by = |of: fn(&MethodOutcome) -> f64, but: Option<&str>| {
            let methods = outcome.methods_on(data);
            methods
                .filter(|method| Some(method.name.as_str()) != but)
                .rev()
                .max_by(|a, b| of(a).total_cmp(&of(b)))
        };
        let best = by(|method| method.scores.f1, None)?;
        Some(Self {
            best,
            next: by(|method| method.scores.f1, Some(&best.name)),
            in_hindsight: by(|method| method.max_f1, None)?,
        })
    }
}
