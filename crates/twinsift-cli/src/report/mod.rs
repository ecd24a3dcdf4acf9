//! The report of an evaluation: one HTML file to look at, keep and send on, and the
//! tables of it as [`markdown`].
//!
//! The file must still open in ten years and on a machine without a network, so
//! everything is in the file: the style sheet ([`page`]), pictures as plain SVG
//! ([`chart`]), no scripts. A policy in the file forbids it to load anything.
//! Whatever comes from the input goes through [`escape`]. The same outcome gives
//! the same bytes.

mod chart;
mod cohesion;
mod curves;
mod escape;
mod histogram;
pub mod markdown;
mod mistakes;
mod numbers;
mod page;
mod parameters;
mod series;
mod table;
mod tables;
#[cfg(test)]
mod tests;
mod verdict;

use crate::evaluate::outcome::Outcome;

/// The whole HTML file.
pub fn render(outcome: &Outcome) -> String {
    page::whole(outcome)
}
