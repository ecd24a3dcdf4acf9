//! A main document on its way to the page.

use std::time::Instant;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::browser::Tab;
use crate::error::WebError;

/// So many bytes are asked for first, and then twice as many each time up to the
/// last: the browser answers when it has as many, and a slow answer may end
/// before that.
const FIRST_PIECE: usize = 64;
const LAST_PIECE: usize = 1 << 20;

/// Headers that are no longer true of a body that has been unpacked and read.
const UNTRUE: [&str; 3] = ["content-encoding", "content-length", "transfer-encoding"];

/// A body, or its beginning and why there is no more.
pub(super) struct Received {
    pub bytes: Vec<u8>,
    pub whole: Result<(), String>,
}

/// Reads the body of an answer, up to a size and a time.
pub(super) fn receive(
    tab: &mut Tab,
    session: &str,
    event: &Value,
    most: usize,
    until: Instant,
) -> Result<Received, WebError> {
    let request = json!({"requestId": event["requestId"]});
    let mut bytes = Vec::new();
    let late = || Err("the answer did not end in time".to_owned());
    let stream = tab.call_in(session, "Fetch.takeResponseBodyAsStream", request, until);
    let stream = match stream {
        Err(WebError::Late(_)) => {
            let whole = late();
            return Ok(Received { bytes, whole });
        }
        stream => stream?,
    };
    let mut size = FIRST_PIECE;
    let whole = loop {
        let piece = json!({"handle": stream["stream"], "size": size});
        size = (2 * size).min(LAST_PIECE);
        let piece = match tab.call_in(session, "IO.read", piece, until) {
            Ok(piece) => piece,
            Err(WebError::Late(_)) => break late(),
            // The connection broke; browsers show what they have got.
            Err(WebError::Refused { .. }) => break Err("the answer breaks off".to_owned()),
            Err(error) => return Err(error),
        };
        let data = piece["data"].as_str().unwrap_or_default();
        match piece["base64Encoded"] == true {
            true => bytes.extend(STANDARD.decode(data).unwrap_or_default()),
            false => bytes.extend_from_slice(data.as_bytes()),
        }
        if bytes.len() > most {
            bytes.truncate(most);
            break Err(cut_at(most));
        }
        if piece["eof"] == true {
            break Ok(());
        }
    };
    tab.tell(session, "IO.close", json!({"handle": stream["stream"]}));
    Ok(Received { bytes, whole })
}

/// What is said of a body that is too large.
pub(super) fn cut_at(most: usize) -> String {
    format!("larger than {most} bytes, and cut there")
}

/// Gives the page an answer.
pub(super) fn hand_over(
    tab: &Tab,
    session: &str,
    event: &Value,
    status: u16,
    headers: &Value,
    bytes: &[u8],
) {
    let answer = json!({
        "requestId": event["requestId"],
        "responseCode": status,
        "responseHeaders": headers,
        "body": STANDARD.encode(bytes),
    });
    tab.tell(session, "Fetch.fulfillRequest", answer);
}

/// The value of an answer's header, by its name in small letters.
pub(super) fn header(event: &Value, name: &str) -> String {
    let mut headers = event["responseHeaders"].as_array().into_iter().flatten();
    let found = headers.find(|header| is_named(header, name));
    let value = found.and_then(|header| header["value"].as_str());
    value.unwrap_or_default().trim().to_owned()
}

/// The headers of an answer that still hold when its body has been read.
pub(super) fn headers_to_keep(event: &Value) -> Value {
    let headers = event["responseHeaders"].as_array().into_iter().flatten();
    let kept = headers.filter(|header| !UNTRUE.iter().any(|name| is_named(header, name)));
    kept.cloned().collect()
}

fn is_named(header: &Value, name: &str) -> bool {
    let found = header["name"].as_str().unwrap_or_default();
    found.eq_ignore_ascii_case(name)
}
