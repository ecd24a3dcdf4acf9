//! Numbers as people read them.

use std::time::Duration;

/// `12345` as `12,345`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 pair`, `2,000 pairs`, `2 classes`, `2 queries`.
pub fn counted(number: u64, what: &str) -> String {
    let plural = match (number, what.strip_suffix('y')) {
        (1, _) => what.to_owned(),
        (_, Some(stem)) => format!("{stem}ies"),
        _ if what.ends_with('s') => format!("{what}es"),
        _ => format!("{what}s"),
    };
    format!("{} {plural}", count(number))
}

/// A size for people: `1.4 GB`.
pub fn show_size(bytes: u64) -> String {
    let units = ["B", "KB", "MB", "GB", "TB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    match unit {
        0 => format!("{bytes} B"),
        _ => format!("{value:.1} {}", units[unit]),
    }
}

/// `1.25 s`, `75.0 s`, `3 min 20 s`.
pub fn seconds(time: Duration) -> String {
    match time.as_secs_f64() {
        short if short < 10.0 => format!("{short:.2} s"),
        long if long < 120.0 => format!("{long:.1} s"),
        long => format!("{:.0} min {:.0} s", (long / 60.0).floor(), long % 60.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1_000), "1,000");
        assert_eq!(count(12_345_678), "12,345,678");
        assert_eq!(counted(1, "pair"), "1 pair");
        assert_eq!(counted(2_000, "pair"), "2,000 pairs");
        assert_eq!(counted(2, "query"), "2 queries");
        assert_eq!(counted(0, "class"), "0 classes");
        assert_eq!(show_size(3 << 29), "1.5 GB");
    }
}
