//! Are two pages from one owner's domain?

use super::about::{About, Cost, Large};
use super::address::Address;

/// Finer than hosts: mirrors under `m.` and `news.` are one owner's.
pub const ABOUT: About = About {
    name: "same_registered_domain",
    definition: "1 if the registered domains are equal (news.example.co.uk and example.co.uk), else 0",
    cost: Cost::Address,
    large: Large::Alike,
};

/// 1 if the registered domains are equal, else 0.
pub fn same(a: &Address, b: &Address) -> f64 {
    f64::from(a.registered == b.registered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owners_are_told_apart_below_the_suffix() {
        let parse = |url| Address::parse(url).expect("an address");
        let a = parse("http://one.co.uk/");
        assert_eq!(same(&a, &parse("http://m.one.co.uk/")), 1.0);
        assert_eq!(same(&a, &parse("http://two.co.uk/")), 0.0);
    }
}
