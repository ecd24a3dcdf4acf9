//! The log of the service, on standard error.

use tracing::Level;

/// How a line of the log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// As a JSON object, for programs.
    Json,
}

/// Writes the log of this process to standard error: every request, or with `quiet` only what
/// goes wrong.
pub fn log_to_stderr(format: LogFormat, quiet: bool) {
    let level = match quiet {
        true => Level::WARN,
        false => Level::INFO,
    };
    let log = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_target(false)
        .with_writer(std::io::stderr);
    // Another log that was there before stays.
    let _ = match format {
        LogFormat::Text => tracing::subscriber::set_global_default(log.with_ansi(false).finish()),
        LogFormat::Json => {
            tracing::subscriber::set_global_default(log.json().flatten_event(true).finish())
        }
    };
}
