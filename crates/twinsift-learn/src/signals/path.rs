//! Do two addresses lead to the same place, whatever the host?

use super::about::{About, Cost, Large};
use super::address::Address;

/// Mirrors keep their paths.
pub const ABOUT: About = About {
    name: "path_similarity",
    definition: "twice the longest common sequence of path segments and parameters over their number",
    cost: Cost::Address,
    large: Large::Alike,
};

/// How much of the paths agrees, from 0 to 1.
pub fn similarity(a: &Address, b: &Address) -> f64 {
    let (x, y) = (&a.segments, &b.segments);
    match x.len() + y.len() {
        0 => 1.0,
        both => 2.0 * longest_common(x, y) as f64 / both as f64,
    }
}

/// The length of the longest common subsequence.
fn longest_common(x: &[String], y: &[String]) -> usize {
    let mut row = vec![0; y.len() + 1];
    for left in x {
        let mut diagonal = 0;
        for (at, right) in y.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = match left == right {
                true => diagonal + 1,
                false => above.max(row[at]),
            };
            diagonal = above;
        }
    }
    row[y.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_agree_by_their_common_sequence() {
        let parse = |url| Address::parse(url).expect("an address");
        let a = parse("http://x.org/a/b/1");
        assert_eq!(similarity(&a, &parse("http://y.org/a/c/1")), 2.0 / 3.0);
        assert_eq!(similarity(&a, &a), 1.0);
        assert_eq!(similarity(&a, &parse("http://x.org/")), 0.0);
        let b = parse("http://x.org/a?q=1&p=2");
        assert_eq!(similarity(&b, &parse("http://x.org/a/?p=2&q=1")), 1.0);
        let root = parse("http://x.org");
        assert_eq!(similarity(&root, &parse("http://y.org/")), 1.0);
    }
}
