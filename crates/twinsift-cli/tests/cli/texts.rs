//! Texts to compare.

use std::fmt::Write;

pub const BRIDGE: &str = "The council approved the new bridge over the river on Monday evening after a debate that lasted for more than four hours and drew a crowd of angry residents who fear that the traffic will ruin the quiet streets behind the old harbour";

/// [`BRIDGE`] with another ending: similar, but not equal.
pub const BRIDGE_EDITED: &str = "The council approved the new bridge over the river on Monday evening after a debate that lasted for more than four hours and drew a crowd of angry residents who fear that the traffic will ruin the quiet streets behind the old market";

pub const STORM: &str = "A storm with winds of up to ninety miles an hour is expected to reach the western coast by tomorrow morning and people who live close to the shore have been told to stay at home until the warning is lifted";

pub const MUSEUM: &str = "The museum will show forty drawings by the painter that were thought to be lost in a fire a century ago until a student found them this spring in the attic of a farmhouse that her grandparents had bought from a dealer";

/// `count` words from `first` on, no word twice.
pub fn words(first: usize, count: usize) -> String {
    let words: Vec<String> = (first..first + count).map(|n| format!("word{n}")).collect();
    words.join(" ")
}

/// A line of JSON with an id as it is to be spelt and a text.
pub fn line(id: &str, text: &str) -> String {
    format!("{{\"id\":{id},\"text\":\"{text}\"}}\n")
}

/// Five documents: two are near duplicates, two are equal, one is empty.
pub fn news() -> String {
    let mut lines = line("\"bridge\"", BRIDGE);
    lines += &line("\"storm\"", STORM);
    lines += &line("\"bridge-2\"", BRIDGE_EDITED);
    lines += &line("\"empty\"", "");
    lines += &line("\"storm-2\"", &format!("{STORM}!"));
    lines += &line("\"museum\"", MUSEUM);
    lines
}

/// Three documents of which the first two and the last two are near duplicates,
/// but not the first and the last.
pub fn chain() -> String {
    let mut lines = String::new();
    for (id, first) in [("\"a\"", 0), ("\"b\"", 4), ("\"c\"", 8)] {
        lines += &line(id, &words(first, 60));
    }
    lines
}

/// Documents that have nothing in common.
pub fn strangers(count: usize) -> String {
    let mut lines = String::new();
    for n in 0..count {
        writeln!(lines, "{{\"id\":{n},\"text\":\"{}\"}}", words(n * 100, 100)).unwrap();
    }
    lines
}

/// Documents that are all the same.
pub fn copies(count: usize) -> String {
    (0..count).map(|n| line(&n.to_string(), BRIDGE)).collect()
}
