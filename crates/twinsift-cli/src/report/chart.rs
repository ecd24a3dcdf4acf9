//! The frame of a chart: scales, axes, ticks and grid, as plain SVG.
//!
//! Units are about pixels on a desk. A phone shows the whole chart at two thirds
//! of the size, and the style sheet makes the letters larger for it; margins
//! leave room for that.

use super::escape;
use super::numbers::{setting, short};
use std::fmt::Write as _;

const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 330.0;
const LEFT: f64 = 62.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 54.0;

/// About the width of a character on a phone, where letters are largest.
const CHARACTER: f64 = 8.0;

#[derive(Clone, Copy, Debug)]
enum Scale {
    Linear,
    Logarithmic,
}

/// One direction of a chart.
#[derive(Clone, Debug)]
pub struct Axis {
    label: String,
    scale: Scale,
    low: f64,
    high: f64,
    /// In ascending order; a label may be empty.
    ticks: Vec<(f64, String)>,
}

impl Axis {
    /// From 0 to 1.
    pub fn share(label: &str) -> Self {
        Self::linear(label, 0.0, 1.0)
    }

    /// From a round number at or below `low` to one at or above `high`.
    pub fn linear(label: &str, low: f64, high: f64) -> Self {
        let (low, high) = match high - low > 1e-9 {
            true => (low, high),
            false if (0.0..=1.0).contains(&low) => (0.0, 1.0),
            false => (low - 0.5, low + 0.5),
        };
        let step = round_step((high - low) / 5.0);
        let first = (low / step + 1e-6).floor();
        let last = (high / step - 1e-6).ceil();
        let ticks = (0..=(last - first) as usize).map(|at| {
            let value = (first + at as f64) * step;
            (value, setting(value))
        });
        Self {
            label: label.to_owned(),
            scale: Scale::Linear,
            low: first * step,
            high: last * step,
            ticks: ticks.collect(),
        }
    }

    /// Counts from 1 to `high`, each power of ten as far from the next.
    pub fn counts(label: &str, high: f64) -> Self {
        let powers = high.max(10.0).log10().ceil() as i32;
        let ticks = (0..=powers).map(|power| 10f64.powi(power));
        Self {
            label: label.to_owned(),
            scale: Scale::Logarithmic,
            low: 0.6,
            high: 10f64.powi(powers),
            ticks: ticks.map(|value| (value, short(value))).collect(),
        }
    }

    /// With a tick for each of `values`, in ascending order.
    pub fn values(label: &str, values: &[f64]) -> Self {
        let low = values.first().copied().unwrap_or(0.0);
        let high = values.last().copied().unwrap_or(1.0);
        let is_wide = low > 0.0 && high / low >= 10.0;
        let margin = match high > low {
            true => (high - low) * 0.04,
            false => 0.5,
        };
        let (scale, low, high) = match is_wide {
            true => (Scale::Logarithmic, low / 1.1, high * 1.1),
            false => (Scale::Linear, low - margin, high + margin),
        };
        Self {
            label: label.to_owned(),
            scale,
            low,
            high,
            ticks: values.iter().map(|&value| (value, short(value))).collect(),
        }
    }

    /// Places next to each other, each with a name: 0, 1, 2, …
    pub fn places(label: &str, names: &[String]) -> Self {
        let ticks = names.iter().enumerate();
        Self {
            label: label.to_owned(),
            scale: Scale::Linear,
            low: -0.5,
            high: names.len() as f64 - 0.5,
            ticks: ticks.map(|(at, name)| (at as f64, name.clone())).collect(),
        }
    }

    /// Where `value` lies: 0 is the beginning, 1 the end.
    fn at(&self, value: f64) -> f64 {
        let place = match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Logarithmic => {
                (value.max(self.low) / self.low).ln() / (self.high / self.low).ln()
            }
        };
        place.clamp(0.0, 1.0)
    }
}

/// 1, 2 or 5 times a power of ten, at or above `least`.
fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    let fits = |step: &f64| *step >= least * (1.0 - 1e-9);
    steps.into_iter().find(fits).unwrap_or(10.0 * power)
}

/// A chart without its content.
pub struct Chart {
    /// What it shows, for the tests: `precision-recall`.
    pub kind: String,
    pub title: String,
    /// The same as the picture, in words, for who cannot see it.
    pub description: String,
    pub x: Axis,
    pub y: Axis,
}

impl Chart {
    /// The place of a point on the page.
    pub fn place(&self, x: f64, y: f64) -> (f64, f64) {
        (
            LEFT + self.x.at(x) * (WIDTH - LEFT - RIGHT),
            HEIGHT - BOTTOM - self.y.at(y) * (HEIGHT - TOP - BOTTOM),
        )
    }

    /// Where the horizontal axis is drawn.
    pub fn base(&self) -> f64 {
        HEIGHT - BOTTOM
    }

    /// The whole figure; `drawn` is the content and `below` follows the picture.
    pub fn figure(&self, drawn: &str, below: &str) -> String {
        let title = escape::text(&self.title);
        format!(
            "<figure data-chart=\"{kind}\">\n<figcaption>{title}</figcaption>\n\
             <svg class=\"chart\" role=\"img\" viewBox=\"0 0 {WIDTH} {HEIGHT}\">\n\
             <title>{title}</title>\n<desc>{description}</desc>\n{frame}\
             <g class=\"drawn\">\n{drawn}</g>\n</svg>\n{below}</figure>\n",
            kind = escape::text(&self.kind),
            description = escape::text(&self.description),
            frame = self.frame(),
        )
    }

    fn frame(&self) -> String {
        let (width, height) = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
        let (right, base) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        let mut out = format!(
            "<rect class=\"plot\" x=\"{LEFT}\" y=\"{TOP}\" width=\"{width}\" height=\"{height}\"/>\n"
        );
        for (value, label) in &self.y.ticks {
            let y = self.place(0.0, *value).1;
            let _ = writeln!(
                out,
                "<path class=\"grid\" d=\"M{LEFT} {y:.1}H{right}\"/>\
                 <path class=\"tick\" d=\"M{LEFT} {y:.1}h-5\"/>\
                 <text class=\"end\" x=\"{:.1}\" y=\"{y:.1}\" dy=\"0.35em\">{}</text>",
                LEFT - 9.0,
                escape::text(label),
            );
        }
        let mut free_from = f64::NEG_INFINITY;
        for (value, label) in &self.x.ticks {
            let x = LEFT + self.x.at(*value) * width;
            let _ = write!(out, "<path class=\"tick\" d=\"M{x:.1} {base}v5\"/>");
            let half = (label.chars().count() as f64 / 2.0 + 0.4) * CHARACTER;
            if x - half >= free_from {
                let _ = write!(
                    out,
                    "<text class=\"middle\" x=\"{x:.1}\" y=\"{:.1}\" dy=\"0.8em\">{}</text>",
                    base + 8.0,
                    escape::text(label),
                );
                free_from = x + half;
            }
            out.push('\n');
        }
        let _ = writeln!(
            out,
            "<path class=\"axis\" d=\"M{LEFT} {TOP}V{base}H{right}\"/>\n\
             <text class=\"middle label\" x=\"{:.1}\" y=\"{:.1}\">{}</text>\n\
             <text class=\"middle label\" transform=\"translate(15 {:.1}) rotate(-90)\">{}</text>",
            LEFT + width / 2.0,
            HEIGHT - 8.0,
            escape::text(&self.x.label),
            TOP + height / 2.0,
            escape::text(&self.y.label),
        );
        out
    }
}

/// A line through `points`, without those that would lie on the one before.
pub fn line(points: impl IntoIterator<Item = (f64, f64)>) -> String {
    let mut path = String::new();
    let (mut last, mut skipped) = (None, None);
    for (x, y) in points {
        let is_near = |&(a, b): &(f64, f64)| (a - x).abs() < 0.7 && (b - y).abs() < 0.7;
        if last.as_ref().is_some_and(is_near) {
            skipped = Some((x, y));
            continue;
        }
        let step = if path.is_empty() { 'M' } else { 'L' };
        let _ = write!(path, "{step}{x:.1} {y:.1}");
        (last, skipped) = (Some((x, y)), None);
    }
    if let Some((x, y)) = skipped {
        let _ = write!(path, "L{x:.1} {y:.1}");
    }
    format!("<path class=\"line\" d=\"{path}\"/>")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|(_, label)| label.as_str()).collect()
    }

    #[test]
    fn ticks_are_round() {
        let share = ["0", "0.2", "0.4", "0.6", "0.8", "1"];
        assert_eq!(ticks(&Axis::share("")), share);
        let narrow = Axis::linear("", 0.87, 0.98);
        assert_eq!(ticks(&narrow), ["0.85", "0.9", "0.95", "1"]);
        assert_eq!(
            ticks(&Axis::counts("", 1200.0)),
            ["1", "10", "100", "1k", "10k"]
        );
    }

    #[test]
    fn ends_lie_at_the_ends() {
        for axis in [Axis::linear("", -3.0, 7.0), Axis::counts("", 500.0)] {
            assert_eq!(axis.at(axis.low), 0.0);
            assert_eq!(axis.at(axis.high), 1.0);
            assert_eq!(axis.at(axis.low - 1e9), 0.0);
        }
    }

    #[test]
    fn an_axis_of_one_value_has_a_width() {
        for axis in [Axis::linear("", 7.5, 7.5), Axis::values("", &[3.0])] {
            assert!(axis.low < axis.high, "{axis:?}");
            assert!((0.2..0.8).contains(&axis.at((axis.low + axis.high) / 2.0)));
        }
    }

    #[test]
    fn a_line_keeps_its_last_point() {
        let drawn = line([(1.0, 1.0), (1.1, 1.0), (1.2, 1.1)]);
        assert_eq!(drawn, "<path class=\"line\" d=\"M1.0 1.0L1.2 1.1\"/>");
    }
}
