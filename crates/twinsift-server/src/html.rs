//! What all pages are made with: text that stands for itself, values in addresses, numbers.

use std::fmt::{self, Write as _};

/// The style sheet that pages share.
pub const STYLE: &str = include_str!("pages/style.css");

/// Text that stands for itself in HTML, also in attributes. Whatever comes from outside goes
/// through this.
#[derive(Clone, Copy, Debug)]
pub struct Escaped<'a>(pub &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// Text that stands for itself.
pub fn text(text: &str) -> Escaped<'_> {
    Escaped(text)
}

/// A value of the query of an address.
pub fn encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |mut out, byte| {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'_' | b'-' => out.push(byte.into()),
            // Writing to a string does not fail.
            _ => _ = write!(out, "%{byte:02X}"),
        }
        out
    })
}

/// A number with its thousands apart.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_from_outside_is_text() {
        let evil = "<script>alert('1')</script>\"&";
        let shown = text(evil).to_string();
        assert_eq!(
            shown,
            "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&quot;&amp;"
        );
        assert_eq!(encoded("a b/ü"), "a%20b%2F%C3%BC");
        assert_eq!(count(1_234_567), "1,234,567");
    }
}
