//! Charts as plain SVG: bars, and lines with the interval around them. Colours and sizes come
//! from the style sheet.

use std::fmt::Write as _;
use twinsift_learn::detect::{Estimate, Interval};
use twinsift_server::html::{count, text};

/// Bars with their names and numbers.
pub(crate) fn bars(name: &str, title: &str, rows: &[(&str, u64)]) -> String {
    let most = rows.iter().map(|row| row.1).max().unwrap_or(0).max(1) as f64;
    let height = 26 * rows.len();
    let mut drawn = String::new();
    let mut words = String::new();
    for (at, (label, number)) in rows.iter().enumerate() {
        let y = 26 * at;
        let width = (*number as f64 / most * 170.0).max(f64::from(u8::from(*number > 0)) * 2.0);
        let _ = write!(
            drawn,
            "<rect x=\"100\" y=\"{}\" width=\"{width:.1}\" height=\"16\"/>",
            y + 4
        );
        let _ = write!(
            words,
            "<text x=\"92\" y=\"{0}\" class=\"end\">{1}</text><text x=\"{2:.1}\" y=\"{0}\">{3}</text>",
            y + 17,
            text(label),
            106.0 + width,
            count(*number)
        );
    }
    format!(
        "<figure data-chart=\"{name}\"><svg class=\"chart bars\" viewBox=\"0 0 340 {height}\" role=\"img\">\
         <title>{title}</title><rect class=\"plot\" x=\"100\" width=\"240\" height=\"{height}\"/>\
         <g class=\"drawn first\">{drawn}</g>{words}</svg></figure>\n"
    )
}

/// Precision and recall over the number of labels.
pub(crate) fn curve(points: &[(usize, Estimate)]) -> String {
    let last = points.iter().map(|point| point.0).max().unwrap_or(0).max(1) as f64;
    let x = |labels: usize| 44.0 + labels as f64 / last * 280.0;
    let y = |share: f64| 12.0 + (1.0 - share) * 150.0;
    let line = |class: &str, of: &dyn Fn(&Estimate) -> Interval| {
        let ups = points.iter().map(|(n, one)| (x(*n), y(of(one).high)));
        let downs = points.iter().rev().map(|(n, one)| (x(*n), y(of(one).low)));
        let band: String = ups
            .chain(downs)
            .map(|(x, y)| format!("{x:.1},{y:.1} "))
            .collect();
        let middle = points.iter().map(|(n, one)| (x(*n), y(of(one).value)));
        let middle: Vec<(f64, f64)> = middle.collect();
        let path: String = middle
            .iter()
            .map(|(x, y)| format!("{x:.1},{y:.1} "))
            .collect();
        let dots: String = middle
            .iter()
            .map(|(x, y)| format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"/>"))
            .collect();
        format!(
            "<g class=\"{class}\"><polygon class=\"band\" points=\"{band}\"/>\
             <polyline points=\"{path}\"/>{dots}</g>"
        )
    };
    let axis: String = [0.0, 0.25, 0.5, 0.75, 1.0]
        .map(|share| {
            format!(
                "<line x1=\"44\" x2=\"324\" y1=\"{0:.1}\" y2=\"{0:.1}\"/>\
                 <text x=\"38\" y=\"{1:.1}\" class=\"end\">{2:.0} %</text>",
                y(share),
                y(share) + 4.0,
                share * 100.0
            )
        })
        .concat();
    let drawn = line("first", &|one| one.precision) + &line("second", &|one| one.recall);
    format!(
        "<figure data-chart=\"learning\"><svg class=\"chart\" viewBox=\"0 0 340 200\" role=\"img\">\
         <title>Precision and recall over the number of labels; the table below has the numbers</title>\
         <g class=\"axis\">{axis}<text x=\"44\" y=\"182\">0</text>\
         <text x=\"324\" y=\"182\" class=\"end\">{} labels</text></g>\
         <rect class=\"plot\" x=\"44\" y=\"12\" width=\"280\" height=\"150\"/>\
         <g class=\"drawn\">{drawn}</g></svg>\n<figcaption><span class=\"key first\">precision, full line</span> \
         <span class=\"key second\">recall, broken line</span></figcaption></figure>\n",
        last as u64
    )
}
