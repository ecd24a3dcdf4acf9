//! Are two pages from one host?

use super::about::{About, Cost, Large};
use super::address::Address;

/// The paper's signal of addresses.
pub const ABOUT: About = About {
    name: "same_domain",
    definition: "1 if the hosts of the addresses are equal, a leading www. aside, else 0",
    cost: Cost::Address,
    large: Large::Alike,
};

/// 1 if the hosts are equal, else 0.
pub fn same(a: &Address, b: &Address) -> f64 {
    f64::from(a.host == b.host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_itself_and_no_other() {
        let parse = |url| Address::parse(url).expect("an address");
        let a = parse("https://www.example.com/x");
        assert_eq!(same(&a, &parse("http://example.com/y")), 1.0);
        assert_eq!(same(&a, &parse("http://news.example.com/x")), 0.0);
    }
}
