//! Numbers as people read them: as many digits as mean something.

use crate::numbers;

/// What stands where there is no value.
pub const NONE: &str = "–";

/// A score from 0 to 1.
pub fn share(value: f64) -> String {
    decimals(value, 3)
}

/// A threshold or another setting: no more digits than it needs.
pub fn setting(value: f64) -> String {
    if !value.is_finite() {
        return NONE.to_owned();
    }
    let shown = share(down(value));
    shown.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A threshold in a column: points stand below each other.
pub fn threshold(value: f64) -> String {
    match value.fract() == 0.0 && value > 1.0 {
        true => count(value),
        false => share(down(value)),
    }
}

/// Three digits of a threshold, so that a user who sets it finds no fewer pairs.
fn down(value: f64) -> f64 {
    (value * 1000.0 + 1e-9).floor() / 1000.0
}

/// A difference, with its sign.
pub fn difference(value: f64) -> String {
    match value.is_finite() {
        true => format!("{value:+.3}").replace('-', "−"),
        false => NONE.to_owned(),
    }
}

/// Seconds, megabytes and the like: three digits.
pub fn amount(value: f64) -> String {
    match value.abs() {
        0.0..10.0 => decimals(value, 2),
        10.0..100.0 => decimals(value, 1),
        size if size.is_finite() => count(value),
        _ => NONE.to_owned(),
    }
}

/// A whole number, in groups of three digits.
pub fn count(value: f64) -> String {
    if !value.is_finite() {
        return NONE.to_owned();
    }
    let sign = if value <= -0.5 { "−" } else { "" };
    let digits = numbers::count(value.abs().round() as u64);
    format!("{sign}{digits}")
}

/// A whole number where there is little room.
pub fn short(value: f64) -> String {
    match value {
        1e9.. => format!("{}G", setting(value / 1e9)),
        1e6.. => format!("{}M", setting(value / 1e6)),
        1e3.. => format!("{}k", setting(value / 1e3)),
        _ => setting(value),
    }
}

/// The p of a test.
pub fn chance(value: f64) -> String {
    match value < 0.001 {
        true => "< 0.001".to_owned(),
        false => share(value),
    }
}

/// `count` things: "1 pair", "2,000 pairs".
pub fn things(number: u64, one: &str, many: &str) -> String {
    format!(
        "{} {}",
        count(number as f64),
        if number == 1 { one } else { many }
    )
}

fn decimals(value: f64, digits: usize) -> String {
    match value.is_finite() {
        true => format!("{value:.digits$}").replace('-', "−"),
        false => NONE.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_that_mean_something() {
        assert_eq!(share(0.91249), "0.912");
        assert_eq!(share(f64::NAN), NONE);
        assert_eq!(setting(0.5), "0.5");
        assert_eq!(setting(20.0), "20");
        assert_eq!(threshold(20.0), "20");
        assert_eq!(threshold(0.5), "0.500");
        assert_eq!(difference(-0.0123), "−0.012");
        assert_eq!(amount(0.0049), "0.00");
        assert_eq!(amount(12.345), "12.3");
        assert_eq!(amount(64_241.1), "64,241");
        assert_eq!(count(642_411.0), "642,411");
        assert_eq!(count(-1234.0), "−1,234");
        assert_eq!(short(25_000.0), "25k");
        assert_eq!(chance(0.0004), "< 0.001");
        assert_eq!(things(1, "pair", "pairs"), "1 pair");
    }
}
