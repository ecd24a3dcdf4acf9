//! What was learnt, and what it changes.

use super::chart;
use super::frame::button;
use super::overview::goodness;
use super::text::{counted, name, percent, score};
use crate::collection::Collection;
use crate::regrouped::{Anew, Changes};
use crate::teacher::{MOST_PAIRS, Teacher};
use std::path::Path;
use twinsift_learn::detect::Estimate;
use twinsift_server::html::{count, text};

/// Pairs that are listed.
const PAIRS: usize = 50;

/// Members of a group that are listed.
const MEMBERS: usize = 8;

/// What the page of learning tells.
pub(crate) struct Learning<'a> {
    pub(crate) collection: &'a Collection,
    pub(crate) teacher: &'a Teacher,
    pub(crate) curve: Vec<(usize, Estimate)>,
    pub(crate) anew: &'a Anew,
    pub(crate) model: &'a Path,
    /// After how many labels the model was written.
    pub(crate) written: Option<usize>,
    pub(crate) form_token: &'a str,
}

impl Learning<'_> {
    pub(crate) fn html(&self) -> String {
        let labels = self.curve.last().map_or(0, |point| point.0);
        let mut out = format!("<p>{}.</p>\n", counted(labels, "label"));
        if let Some((_, now)) = self.curve.last() {
            out += &goodness(now);
        }
        out += &self.sampling();
        out += "<h2>What was learnt</h2>\n";
        out += &chart::curve(&self.curve);
        out += &table(&self.curve);
        out += &self.pairs();
        out += "<h2>The groups by this detector</h2>\n";
        out += &self.groups();
        out += "<h2>Use this detector</h2>\n";
        out += &format!(
            "<p>It is written to <bdi>{}</bdi>, for <code>--model</code> of <code>pairs</code>, \
             <code>clusters</code> and <code>dedup</code>.</p>\n",
            text(&self.model.display().to_string())
        );
        if let Some(labels) = self.written {
            out += &format!(
                "<p role=\"status\" class=\"good\">Written, as learnt from {}.</p>\n",
                counted(labels, "label")
            );
        }
        out + &button(self.form_token, "/use", &[], "<button>Use this</button>")
    }

    /// What is not looked at, if anything.
    fn sampling(&self) -> String {
        let sampled = &self.teacher.sampled;
        let kept = sampled.pool.pairs.len() as u64;
        let mut out = String::new();
        if kept < sampled.seen {
            out += &format!(
                "<p class=\"faint\">Of {} pairs that could be the same, {} are looked at: at most {}, by a fixed \
                 rule, with those in doubt first. Each counts as many times as it stands for others.</p>\n",
                count(sampled.seen),
                count(kept),
                count(MOST_PAIRS as u64)
            );
        }
        if sampled.is_cut {
            out += "<p class=\"faint\">There are still more pairs, which were not counted.</p>\n";
        }
        out
    }

    fn pairs(&self) -> String {
        let changed = self.teacher.changed();
        let mut out = format!(
            "<h2>Pairs that change</h2>\n<p>Of {}, {} are now seen otherwise than by the first detector.</p>\n",
            counted(self.teacher.sampled.pool.pairs.len(), "pair"),
            count(changed.len() as u64)
        );
        if changed.is_empty() {
            return out;
        }
        out += "<details>\n<summary>Show them</summary>\n<ul class=\"changes\">\n";
        for &(at, now) in changed.iter().take(PAIRS) {
            let (a, b) = self.teacher.sampled.pool.pairs[at];
            let verdict = match now >= self.teacher.current.threshold {
                true => "now the same",
                false => "now different",
            };
            out += &format!(
                "<li><a href=\"/pair?a={a}&amp;b={b}\">{} and {}</a>: {verdict}, score {}</li>\n",
                name(&self.collection.id(a)),
                name(&self.collection.id(b)),
                score(now)
            );
        }
        out += "</ul>\n";
        if changed.len() > PAIRS {
            out += &format!(
                "<p>{} more are not listed.</p>\n",
                count((changed.len() - PAIRS) as u64)
            );
        }
        out + "</details>\n"
    }

    fn groups(&self) -> String {
        let again = button(
            self.form_token,
            "/anew",
            &[],
            "<button class=\"second\">Group all documents by this detector</button>",
        );
        match self.anew {
            Anew::Unasked => format!(
                "<p>Today there are {}. All documents can be grouped again, to see what would change; nothing \
                 is written.</p>\n{again}",
                counted(self.collection.groups.len(), "group")
            ),
            Anew::Running => {
                "<p role=\"status\">Documents are grouped: come back in a moment, or stay, for \
                              this page asks again every second.</p>\n"
                    .to_owned()
            }
            Anew::Failed(why) => format!("<p class=\"bad\">{}</p>\n{again}", text(why)),
            Anew::Done(changes) => self.changes(changes) + &again,
        }
    }

    fn changes(&self, changes: &Changes) -> String {
        let groups = &self.collection.groups;
        let mut out = format!(
            "<p role=\"status\">By the detector after {}: {} of {}, today {} of {}. {} are not there today.</p>\n",
            counted(changes.labels, "label"),
            counted(changes.groups, "group"),
            counted(changes.grouped, "document"),
            counted(groups.len(), "group"),
            counted(groups.grouped(), "document"),
            count(changes.new as u64),
        );
        if changes.shown.is_empty() {
            return out;
        }
        out += "<details>\n<summary>Show the new groups</summary>\n<ul class=\"changes\">\n";
        for members in &changes.shown {
            let names: Vec<String> = (members.iter().take(MEMBERS))
                .map(|&doc| {
                    format!(
                        "<a href=\"/group/{doc}\">{}</a>",
                        name(&self.collection.id(doc))
                    )
                })
                .collect();
            let more = match members.len().saturating_sub(MEMBERS) {
                0 => String::new(),
                more => format!(" and {} more", count(more as u64)),
            };
            out += &format!("<li>{}{more}</li>\n", names.join(", "));
        }
        if changes.new > changes.shown.len() {
            out += &format!(
                "<li>{} more groups are not listed</li>\n",
                changes.new - changes.shown.len()
            );
        }
        out + "</ul>\n</details>\n"
    }
}

/// The numbers of the curve.
fn table(points: &[(usize, Estimate)]) -> String {
    let rows: String = points
        .iter()
        .map(|(labels, one)| {
            let share = |interval: twinsift_learn::detect::Interval| {
                format!(
                    "<td class=\"number\">{} <span class=\"faint\">({}–{})</span></td>",
                    percent(interval.value),
                    percent(interval.low),
                    percent(interval.high)
                )
            };
            format!(
                "<tr><td class=\"number\">{labels}</td>{}{}</tr>\n",
                share(one.precision),
                share(one.recall)
            )
        })
        .collect();
    format!(
        "<details>\n<summary>The numbers</summary>\n<table>\n<tr><th class=\"number\">Labels</th>\
         <th class=\"number\">Precision</th><th class=\"number\">Recall</th></tr>\n{rows}</table>\n</details>\n"
    )
}
