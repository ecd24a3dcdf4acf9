//! Sizes as people write them.

/// Bytes of `500M`, `1.5G`, `64KiB` or `1000000`. Units are powers of 1024.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let digits = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit = unit.trim().to_ascii_lowercase();
    let power = match unit.trim_end_matches("ib").trim_end_matches('b') {
        "" => 0,
        "k" => 1,
        "m" => 2,
        "g" => 3,
        "t" => 4,
        _ => return Err(format!("\"{unit}\" is no unit: use K, M, G or T")),
    };
    let number: f64 = number
        .parse()
        .map_err(|_| "write a number and a unit, such as 500M".to_owned())?;
    let bytes = number * 1024f64.powi(power);
    match (1.0..=1e18).contains(&bytes) {
        true => Ok(bytes as u64),
        false => Err("it is out of range".to_owned()),
    }
}

/// Milliseconds of `90s`, `15m`, `12h`, `30d` or `2w`.
pub fn parse_duration(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let digits = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let seconds = match unit.trim() {
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3_600.0,
        "d" => 86_400.0,
        "w" => 7.0 * 86_400.0,
        _ => return Err("write a number and a unit, s, m, h, d or w, such as 30d".to_owned()),
    };
    let number: f64 = number
        .parse()
        .map_err(|_| "write a number and a unit, such as 30d".to_owned())?;
    let milliseconds = number * seconds * 1_000.0;
    match (1.0..=1e15).contains(&milliseconds) {
        true => Ok(milliseconds as u64),
        false => Err("it is out of range".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_written() {
        assert_eq!(parse_duration("90s"), Ok(90_000));
        assert_eq!(parse_duration("1.5h"), Ok(5_400_000));
        assert_eq!(parse_duration("30 d"), Ok(2_592_000_000));
        assert_eq!(parse_duration("0.001s"), Ok(1));
        for wrong in ["", "30", "d", "30y", "0s", "1.2.3s", "99999999999d"] {
            assert!(parse_duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_are_read_as_written() {
        assert_eq!(parse_size("200M"), Ok(200 << 20));
        assert_eq!(parse_size("1.5g"), Ok(3 << 29));
        assert_eq!(parse_size("64 KiB"), Ok(64 << 10));
        assert_eq!(parse_size("123"), Ok(123));
        assert!(parse_size("12Q").is_err());
        assert!(parse_size("").is_err());
        assert!(parse_size("0").is_err());
    }
}
