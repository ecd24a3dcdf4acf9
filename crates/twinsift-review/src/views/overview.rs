//! The overview: what there is, and how far one has come.

use super::chart;
use super::text::{counted, percent};
use crate::groups::Groups;
use std::path::Path;
use twinsift_learn::detect::{Estimate, Interval, Verdict};
use twinsift_server::html::{count, text};

/// How far from the threshold a score is near to it.
pub(crate) const NEAR: f64 = 0.1;

/// What the overview tells.
pub(crate) struct Overview<'a> {
    pub(crate) documents: usize,
    pub(crate) groups: &'a Groups,
    pub(crate) method: &'a str,
    pub(crate) labels: &'a Path,
    pub(crate) said: Vec<Verdict>,
    /// Labels of documents that are not in this collection.
    pub(crate) elsewhere: usize,
    /// What is known of questions: candidates, those near the threshold, and how good the
    /// detector is; or a sentence why nothing is yet.
    pub(crate) questions: Result<(u64, f64, Estimate), String>,
}

impl Overview<'_> {
    pub(crate) fn html(&self) -> String {
        let said =
            |wanted: Verdict| self.said.iter().filter(|said| **said == wanted).count() as u64;
        let mut rows = vec![
            ("Documents", count(self.documents as u64)),
            (
                "Groups",
                format!(
                    "{} of {}",
                    count(self.groups.len() as u64),
                    counted(self.groups.grouped(), "document")
                ),
            ),
            ("Found by", self.method.to_owned()),
        ];
        match &self.questions {
            Ok((candidates, near, _)) => {
                rows.push(("Pairs that could be the same", count(*candidates)));
                let words = format!("{} ({NEAR} to either side)", count(near.round() as u64));
                rows.push(("Of these near the threshold", words));
            }
            Err(why) => rows.push(("Pairs that could be the same", why.clone())),
        }
        let never = said(Verdict::Never);
        rows.push((
            "Labels",
            format!(
                "{}: {} the same, {} different, {never} never to match, {} unsure",
                count(self.said.len() as u64),
                count(said(Verdict::Same)),
                count(said(Verdict::Different)),
                count(said(Verdict::Unsure)),
            ),
        ));
        if self.elsewhere > 0 {
            rows.push(("Labels of other documents", count(self.elsewhere as u64)));
        }
        rows.push(("Kept in", self.labels.display().to_string()));
        let rows: String = rows
            .iter()
            .map(|(head, value)| {
                format!(
                    "<tr><th scope=\"row\">{head}</th><td>{}</td></tr>\n",
                    text(value)
                )
            })
            .collect();
        let mut out = format!("<table>\n{rows}</table>\n<h2>How large groups are</h2>\n");
        out += &match self.groups.is_empty() {
            true => "<p>No two documents are near duplicates.</p>\n".to_owned(),
            false => chart::bars(
                "sizes",
                "How many groups there are of each size",
                &self.groups.sizes(),
            ),
        };
        out += "<h2>How good the detector is</h2>\n";
        out += &match &self.questions {
            Err(why) => format!("<p role=\"status\">{}.</p>\n", text(why)),
            Ok((_, _, estimate)) => goodness(estimate),
        };
        out + "<p><a class=\"button\" href=\"/question\">Answer questions</a></p>\n"
    }
}

/// How good a detector is, in words.
pub(crate) fn goodness(estimate: &Estimate) -> String {
    let words = |interval: Interval| {
        format!(
            "<strong>{}</strong> <span class=\"faint\">({} to {})</span>",
            percent(interval.value),
            percent(interval.low),
            percent(interval.high)
        )
    };
    if estimate.answers == 0 {
        return "<p>Nothing is known yet: one of four questions is drawn at random, and their answers tell.</p>\n".to_owned();
    }
    let advice = match estimate.is_settled() {
        true => "More answers would hardly change this: it is a good moment to stop.",
        false => {
            "The intervals hold the true value 19 times in 20. More answers make them narrower."
        }
    };
    format!(
        "<dl class=\"figures\">\n<div><dt>Precision: of the pairs it takes for the same, those that are</dt>\
         <dd>{}</dd></div>\n<div><dt>Recall: of the pairs that are the same, those it finds</dt>\
         <dd>{}</dd></div>\n</dl>\n<p class=\"faint\">Known from {} to questions that were drawn at \
         random. {advice}</p>\n",
        words(estimate.precision),
        words(estimate.recall),
        counted(estimate.answers, "answer"),
    )
}
