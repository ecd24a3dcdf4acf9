//! Answers in JSON, and values as they stand in them.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use serde::Serialize;
use serde_json::Value;
use std::time::{Duration, UNIX_EPOCH};
use twinsift::Id;
use twinsift_index::Time;

/// The type of a JSON value.
pub(crate) const JSON: &str = "application/json";
/// The type of many JSON values, a line for each.
pub(crate) const NDJSON: &str = "application/x-ndjson";

/// An answer in JSON.
pub(crate) fn json(status: StatusCode, value: &impl Serialize) -> Response {
    body(status, JSON, line(value))
}

/// An answer of some type.
pub(crate) fn body(status: StatusCode, kind: &'static str, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

/// A value as a line of JSON.
pub(crate) fn line(value: &impl Serialize) -> Vec<u8> {
    let mut bytes = Vec::new();
    push_line(&mut bytes, value);
    bytes
}

/// Appends a value as a line of JSON.
pub(crate) fn push_line(bytes: &mut Vec<u8>, value: &impl Serialize) {
    let start = bytes.len();
    if serde_json::to_writer(&mut *bytes, value).is_err() {
        // No value of ours has keys that are no texts, which is all that could fail.
        bytes.truncate(start);
        bytes.extend(b"null");
    }
    bytes.push(b'\n');
}

/// A name as it was given: a number where the document had one.
pub(crate) fn id(id: &Id<'_>) -> Value {
    let number = || serde_json::from_str(&id.text).ok();
    let number = id.is_number.then(number).flatten();
    number.map_or_else(|| Value::from(&*id.text), Value::Number)
}

/// A moment as RFC 3339 writes it.
pub(crate) fn moment(time: Time) -> String {
    // What is later than the year 9999 has no such form.
    const LAST: u64 = 253_402_300_799_000;
    let since = Duration::from_millis(time.0.min(LAST));
    humantime::format_rfc3339_millis(UNIX_EPOCH + since).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_they_are_known() {
        assert_eq!(id(&Id::number("7")), Value::from(7));
        assert_eq!(id(&Id::text("7")), Value::from("7"));
        assert_eq!(moment(Time(0)), "1970-01-01T00:00:00.000Z");
        assert_eq!(moment(Time(u64::MAX)), "9999-12-31T23:59:59.000Z");
    }
}
