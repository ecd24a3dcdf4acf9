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

#[cfg(test)]
mod tests {
    use super::*;

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
