//! What is wrong with single records of an input: each is described, counted and left
//! out, or with `--strict` the end of the run.

use crate::exit::bad_input;
use crate::say::say;

/// Broken records that are described one by one; beyond that they are counted.
const DESCRIBED: u64 = 20;

/// Reports broken records as they come.
pub struct Complaints {
    strict: bool,
    count: u64,
    what: &'static str,
}

impl Complaints {
    /// Complaints about records that are called `what`, in the plural.
    pub fn new(strict: bool, what: &'static str) -> Self {
        Self {
            strict,
            count: 0,
            what,
        }
    }

    /// How many there were.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Takes note of a record that is left out, described as "place: reason".
    pub fn take(&mut self, described: &str) -> anyhow::Result<()> {
        self.tell("skipped", described)
    }

    /// Takes note of a record that is used, though something is missing.
    pub fn note(&mut self, described: &str) -> anyhow::Result<()> {
        self.tell("note:", described)
    }

    fn tell(&mut self, word: &str, described: &str) -> anyhow::Result<()> {
        if self.strict {
            return Err(bad_input(format!("{described} (--strict stops here)")));
        }
        self.count += 1;
        if self.count <= DESCRIBED {
            say!("{word} {described}");
        }
        Ok(())
    }

    /// Says how many more there were than have been described.
    pub fn close(&self) {
        let more = self.count.saturating_sub(DESCRIBED);
        if more > 0 {
            say!("skipped {more} more {}", self.what);
        }
    }
}
