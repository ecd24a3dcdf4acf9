//! Progress on a terminal: a bar with rate and remaining time where the size is
//! known, else a counter. Nothing is drawn when standard error is not a terminal.

use crate::say::visible;
use indicatif::{ProgressBar, ProgressStyle};
use std::borrow::Cow;
use std::io::IsTerminal;
use std::time::Duration;

/// A bar over bytes read, or no bar.
pub fn reading(total: Option<u64>, quiet: bool) -> ProgressBar {
    if hidden(quiet) {
        return ProgressBar::hidden();
    }
    let (bar, template) = match total {
        Some(total) => (
            ProgressBar::new(total),
            "reading  {bar:30} {bytes}/{total_bytes}  {bytes_per_sec}  {eta} left",
        ),
        None => (
            ProgressBar::new_spinner(),
            "reading  {spinner} {bytes}  {bytes_per_sec}",
        ),
    };
    with_style(bar, template)
}

/// A bar over pages, or a counter where it is not known how many there are.
pub fn pages(total: Option<usize>, quiet: bool) -> ProgressBar {
    if hidden(quiet) {
        return ProgressBar::hidden();
    }
    let (bar, template) = match total {
        Some(total) => (
            ProgressBar::new(total as u64),
            "rendering  {bar:30} {pos}/{len} pages  {per_sec}  {eta} left",
        ),
        None => (
            ProgressBar::new_spinner(),
            "rendering  {spinner} {pos} pages  {per_sec}",
        ),
    };
    with_style(bar, template)
}

/// A spinner with some words.
pub fn working(words: impl Into<Cow<'static, str>>, quiet: bool) -> ProgressBar {
    if hidden(quiet) {
        return ProgressBar::hidden();
    }
    let bar = with_style(ProgressBar::new_spinner(), "{msg}  {spinner} {elapsed}");
    bar.set_message(visible(&words.into()).into_owned());
    bar
}

fn hidden(quiet: bool) -> bool {
    quiet || !std::io::stderr().is_terminal()
}

fn with_style(bar: ProgressBar, template: &str) -> ProgressBar {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}
