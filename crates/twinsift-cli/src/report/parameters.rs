//! How a score follows a setting, such as recall the number of lexicons.
//!
//! A suite that varies a setting names its methods alike but for that setting
//! (`s k=1`, `s k=3`). Methods whose names differ in nothing else are a line.

use super::chart::{Axis, Chart, line};
use super::escape;
use super::numbers::{setting, share};
use super::series::{LOOKS, Look, legend};
use crate::evaluate::outcome::MethodOutcome;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use twinsift_eval::Scores;

type Score = (&'static str, fn(&Scores) -> f64);

const PRECISION: Score = ("Precision", |scores| scores.precision);
const RECALL: Score = ("Recall", |scores| scores.recall);
const F1: Score = ("F1", |scores| scores.f1);

/// A line of a chart: its name and its points from left to right.
type Line<'a> = (String, Vec<(f64, &'a MethodOutcome)>);

/// The charts of every setting that is varied.
pub fn charts(methods: &[&MethodOutcome]) -> Vec<String> {
    let names: BTreeSet<&str> = methods
        .iter()
        .flat_map(|method| method.parameters.keys().map(String::as_str))
        .collect();
    names
        .into_iter()
        .flat_map(|parameter| match families(methods, parameter) {
            families if families.is_empty() => Vec::new(),
            families if families.len() == 1 => vec![of_one(parameter, &families[0])],
            families => vec![
                of_several(parameter, RECALL, &families),
                of_several(parameter, F1, &families),
            ],
        })
        .collect()
}

/// Methods that differ in `parameter` only, in the order of the first of each.
fn families<'a>(methods: &[&'a MethodOutcome], parameter: &str) -> Vec<Line<'a>> {
    let mut families: Vec<Line<'a>> = Vec::new();
    for &method in methods {
        let Some(&value) = method.parameters.get(parameter).filter(|v| v.is_finite()) else {
            continue;
        };
        let name = name_without(&method.name, parameter);
        match families.iter_mut().find(|(known, _)| *known == name) {
            Some((_, members)) => members.push((value, method)),
            None => families.push((name, vec![(value, method)])),
        }
    }
    for (_, members) in &mut families {
        members.sort_by(|a, b| a.0.total_cmp(&b.0));
        members.dedup_by(|a, b| a.0 == b.0);
    }
    families.retain(|(_, members)| members.len() > 1);
    families
}

fn name_without(name: &str, parameter: &str) -> String {
    let is_other = |word: &&str| word.split_once('=').is_none_or(|(key, _)| key != parameter);
    name.split(' ')
        .filter(is_other)
        .collect::<Vec<_>>()
        .join(" ")
}

/// One family: all three scores in one picture.
fn of_one(parameter: &str, (family, members): &Line<'_>) -> String {
    let lines: Vec<_> = [RECALL, PRECISION, F1]
        .map(|(name, score)| (name.to_owned(), points(members, score)))
        .into();
    draw(
        parameter,
        "Score",
        &format!("Scores of {family} over {parameter}"),
        "scores",
        &lines,
    )
}

/// Several families: a picture for a score.
fn of_several(parameter: &str, (name, score): Score, families: &[Line<'_>]) -> String {
    let lines: Vec<_> = families
        .iter()
        .map(|(family, members)| (family.clone(), points(members, score)))
        .collect();
    let kind = name.to_lowercase();
    draw(
        parameter,
        name,
        &format!("{name} over {parameter}"),
        &kind,
        &lines,
    )
}

fn points(members: &[(f64, &MethodOutcome)], score: fn(&Scores) -> f64) -> Vec<(f64, f64)> {
    let members = members
        .iter()
        .map(|(value, method)| (*value, score(&method.scores)));
    members.filter(|(_, score)| score.is_finite()).collect()
}

fn draw(
    parameter: &str,
    score: &str,
    title: &str,
    kind: &str,
    lines: &[(String, Vec<(f64, f64)>)],
) -> String {
    let mut values: Vec<f64> = lines
        .iter()
        .flat_map(|(_, points)| points)
        .map(|p| p.0)
        .collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    let said = |&(value, score): &(f64, f64)| format!("{} at {}", share(score), setting(value));
    let each: Vec<String> = lines
        .iter()
        .map(|(name, points)| {
            let points: Vec<String> = points.iter().map(said).collect();
            format!("{name}: {}", points.join(", "))
        })
        .collect();
    let chart = Chart {
        kind: format!("{kind}-{parameter}"),
        title: title.to_owned(),
        description: format!("{title}. {}.", each.join("; ")),
        x: Axis::values(parameter, &values),
        y: Axis::share(score),
    };
    let mut drawn = String::new();
    let looks = |at: usize| Look((at < LOOKS).then_some(at));
    for (at, (name, points)) in lines.iter().enumerate().rev() {
        let look = looks(at);
        let places = || {
            points
                .iter()
                .map(|&(value, score)| chart.place(value, score))
        };
        let marks = points.iter().zip(places()).map(|(point, (x, y))| {
            let words = format!("{name}: {}", said(point));
            look.mark(x, y, &words)
        });
        let _ = writeln!(
            drawn,
            "<g class=\"{}\">{}{}</g>",
            look.class(),
            line(places()),
            marks.collect::<String>()
        );
    }
    let names: Vec<(Look, &str)> = lines
        .iter()
        .enumerate()
        .map(|(at, (name, _))| (looks(at), name.as_str()))
        .collect();
    let note = format!(
        "<p class=\"note\">At the thresholds the methods ran with; {} is the only setting that \
         differs along a line.</p>\n",
        escape::inline(parameter)
    );
    chart.figure(&drawn, &(legend(&names) + &note))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn method(name: &str) -> MethodOutcome {
        let parameters: BTreeMap<String, f64> = name
            .split(' ')
            .filter_map(|word| word.split_once('='))
            .filter_map(|(key, value)| Some((key.to_owned(), value.parse().ok()?)))
            .collect();
        MethodOutcome {
            name: name.to_owned(),
            parameters,
            ..MethodOutcome::default()
        }
    }

    fn kinds(names: &[&str]) -> Vec<String> {
        let methods: Vec<_> = names.iter().map(|name| method(name)).collect();
        charts(&methods.iter().collect::<Vec<_>>())
            .iter()
            .map(|chart| {
                let rest = chart.split_once("data-chart=\"").expect("a name").1;
                rest.split_once('"').expect("its end").0.to_owned()
            })
            .collect()
    }

    #[test]
    fn a_setting_that_varies_alone_is_a_chart() {
        assert_eq!(kinds(&["s k=1", "s k=3", "t"]), ["scores-k"]);
        assert_eq!(
            kinds(&["s k=1", "s k=3", "t k=1", "t k=3"]),
            ["recall-k", "f1-k"]
        );
    }

    #[test]
    fn other_differences_are_not_mistaken_for_it() {
        assert!(kinds(&["s k=1", "t k=3"]).is_empty());
        assert!(kinds(&["s k=1", "s k=3 idf=1"]).is_empty());
        assert!(kinds(&["s k=3", "s k=3"]).is_empty());
    }
}
