//! Bodies of requests: how many bytes, for how long, and in how much memory.

use crate::error::{Answered, ApiError};
use crate::json::{JSON, NDJSON};
use crate::options::Limits;
use axum::body::{Body, HttpBody};
use axum::http::{HeaderMap, StatusCode, header};
use bytes::Bytes;
use http_body_util::BodyExt;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};

/// Lists and objects within each other, at most.
const MOST_NESTED: usize = 100;

/// The unit in which memory for bodies is counted.
const KIB: usize = 1024;

/// A body, which counts as held until it is dropped.
#[derive(Debug)]
pub(crate) struct Held {
    pub(crate) bytes: Bytes,
    _memory: OwnedSemaphorePermit,
}

/// What a body is, by its content type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Json,
    Lines,
}

/// Reads bodies, within limits.
#[derive(Debug)]
pub(crate) struct Bodies {
    /// Memory for all that are held.
    memory: Arc<Semaphore>,
    /// The most bytes of one.
    most: usize,
    /// How long one may take to arrive.
    time: Duration,
}

/// What a body is. A type must be named: a browser asks before it sends one of these to
/// another site than the page's own, and is refused.
pub(crate) fn kind(headers: &HeaderMap) -> Answered<Kind> {
    let unsupported = |sentence: &str| ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, sentence);
    if headers.contains_key(header::CONTENT_ENCODING) {
        return Err(unsupported(
            "bodies are taken as they are: send this one without a content encoding",
        ));
    }
    let named = headers.get(header::CONTENT_TYPE);
    let named = named.and_then(|value| value.to_str().ok()).unwrap_or("");
    let essence = named.split(';').next().unwrap_or("").trim();
    let is = |kind: &str| essence.eq_ignore_ascii_case(kind);
    match () {
        () if is(JSON) => Ok(Kind::Json),
        () if is(NDJSON) || is("application/jsonl") || is("application/ndjson") => Ok(Kind::Lines),
        () => Err(unsupported(
            "the content type must be application/json or application/x-ndjson",
        )),
    }
}

impl Bodies {
    pub(crate) fn new(limits: &Limits) -> Self {
        let permits = (limits.bodies / KIB).min(Semaphore::MAX_PERMITS);
        Self {
            memory: Arc::new(Semaphore::new(permits)),
            most: limits.body,
            time: limits.time,
        }
    }

    /// Reads a body.
    pub(crate) async fn read(&self, mut body: Body) -> Answered<Held> {
        let told = body.size_hint().exact().unwrap_or(0);
        if told > self.most as u64 {
            return Err(too_large(self.most));
        }
        let mut memory = self.reserve(told as usize)?;
        let deadline = Instant::now() + self.time;
        let mut whole = Gathered::Nothing;
        loop {
            let frame = timeout_at(deadline, body.frame()).await;
            let Some(frame) = frame.map_err(|_| self.too_slow())? else {
                break;
            };
            let frame = frame.map_err(|_| ApiError::malformed("the body did not arrive whole"))?;
            let Ok(data) = frame.into_data() else {
                continue;
            };
            whole = whole.and(data);
            let (length, counted) = (whole.as_slice().len(), memory.num_permits() * KIB);
            if length > self.most {
                return Err(too_large(self.most));
            }
            if length > counted {
                memory.merge(self.reserve((length - counted).max(64 * KIB))?);
            }
        }
        Ok(Held {
            bytes: whole.into_bytes(),
            _memory: memory,
        })
    }

    fn reserve(&self, bytes: usize) -> Answered<OwnedSemaphorePermit> {
        let permits = u32::try_from(bytes.div_ceil(KIB)).unwrap_or(u32::MAX);
        let memory = Arc::clone(&self.memory).try_acquire_many_owned(permits);
        memory.map_err(|_| {
            ApiError::busy(
                "the service holds as many bodies of requests as it may: try again later",
            )
        })
    }

    fn too_slow(&self) -> ApiError {
        ApiError::new(
            StatusCode::REQUEST_TIMEOUT,
            format!(
                "the body did not arrive within {} s",
                self.time.as_secs_f32()
            ),
        )
    }
}

/// What has arrived of a body. One part is not copied; many, which may be of a byte each, are
/// put together at once.
enum Gathered {
    Nothing,
    One(Bytes),
    Many(Vec<u8>),
}

impl Gathered {
    fn and(self, part: Bytes) -> Self {
        match self {
            Self::Nothing => Self::One(part),
            Self::One(first) => Self::Many([first, part].concat()),
            Self::Many(mut bytes) => {
                bytes.extend_from_slice(&part);
                Self::Many(bytes)
            }
        }
    }

    fn into_bytes(self) -> Bytes {
        match self {
            Self::Nothing => Bytes::new(),
            Self::One(bytes) => bytes,
            Self::Many(bytes) => bytes.into(),
        }
    }

    fn as_slice(&self) -> &[u8] {
        match self {
            Self::Nothing => &[],
            Self::One(bytes) => bytes,
            Self::Many(bytes) => bytes,
        }
    }
}

fn too_large(most: usize) -> ApiError {
    ApiError::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        format!("the body has more than {most} bytes: send it in several requests"),
    )
}

/// The JSON value of a body.
pub(crate) fn value(bytes: &[u8]) -> Answered<Value> {
    refuse_nested(bytes).map_err(ApiError::malformed)?;
    serde_json::from_slice(bytes).map_err(|error| malformed(&error))
}

/// Why a body is no JSON.
pub(crate) fn malformed(error: &serde_json::Error) -> ApiError {
    ApiError::malformed(format!("the body is broken JSON: {error}"))
}

/// Refuses JSON that is nested too deeply, whether or not it is sound.
pub(crate) fn refuse_nested(bytes: &[u8]) -> Result<(), String> {
    let (mut depth, mut in_text, mut is_escaped) = (0usize, false, false);
    for &byte in bytes {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_text => is_escaped = true,
            b'"' => in_text = !in_text,
            _ if in_text => {}
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MOST_NESTED {
            return Err(format!("the JSON is nested more than {MOST_NESTED} deep"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nesting_is_counted_outside_of_texts() {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(refuse_nested(nested(MOST_NESTED).as_bytes()).is_ok());
        assert!(refuse_nested(nested(MOST_NESTED + 1).as_bytes()).is_err());
        let text = format!("[\"\\\"{}\"]", "[".repeat(200));
        assert!(refuse_nested(text.as_bytes()).is_ok());
        assert!(refuse_nested(&b"[]".repeat(200)).is_ok());
    }
}
