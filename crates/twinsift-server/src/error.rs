//! What can go wrong: for clients as JSON with one sentence, for who starts the service as one.

use crate::json::json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use utoipa::ToSchema;

/// Why a request was refused.
#[derive(Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    sentence: String,
}

/// The body of a refusal.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Refused {
    /// What went wrong, as one sentence.
    #[schema(example = "there is no collection \"news\"")]
    pub(crate) error: String,
}

/// What a request is answered with.
pub(crate) type Answered<T = Response> = Result<T, ApiError>;

impl ApiError {
    pub(crate) fn new(status: StatusCode, sentence: impl Into<String>) -> Self {
        Self {
            status,
            sentence: sentence.into(),
        }
    }

    /// The request cannot be understood.
    pub(crate) fn malformed(sentence: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, sentence)
    }

    /// The request is understood, and makes no sense.
    pub(crate) fn unprocessable(sentence: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, sentence)
    }

    pub(crate) fn not_found(sentence: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, sentence)
    }

    /// The service has more to do than it takes on.
    pub(crate) fn busy(sentence: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, sentence)
    }

    /// A fault of the service, which the log tells about.
    pub(crate) fn fault(cause: &dyn std::fmt::Display) -> Self {
        tracing::error!(cause = %cause, "a request failed");
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "this request failed by a fault of the service, which its log tells about",
        )
    }

    pub(crate) fn status(&self) -> StatusCode {
        self.status
    }

    pub(crate) fn sentence(&self) -> &str {
        &self.sentence
    }
}

impl From<twinsift_index::Error> for ApiError {
    fn from(error: twinsift_index::Error) -> Self {
        Self::fault(&error)
    }
}

impl From<tokio::task::JoinError> for ApiError {
    fn from(error: tokio::task::JoinError) -> Self {
        Self::fault(&error)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let Self { status, sentence } = self;
        let mut response = json(status, &Refused { error: sentence });
        let headers = response.headers_mut();
        if matches!(
            status,
            StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS
        ) {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

/// Why the service does not start, or has ended.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The address is for other machines too, and everyone could do anything.
    #[error(
        "{0} can be reached from other machines: name a key file with --keys, or listen on 127.0.0.1"
    )]
    Open(SocketAddr),
    /// The system refused the address.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
    /// A file or folder could not be read, made or removed.
    #[error("cannot {what} {path}: {source}", path = path.display())]
    Io {
        /// What was tried, such as "read".
        what: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A line of the key file is no key.
    #[error("{path}, line {line}: {why}", path = path.display())]
    Keys {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
    /// The certificate or its key cannot be used.
    #[error("{path} cannot be used for TLS: {why}", path = path.display())]
    Tls {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// The folder of an index cannot name a collection.
    #[error(
        "the folder {path} cannot name a collection: {NAMES}; rename it, or serve a folder above it",
        path = .0.display()
    )]
    Name(PathBuf),
    /// The system has no random numbers for a key.
    #[error("cannot make a key: {0}")]
    Random(String),
    /// An index cannot be opened.
    #[error(transparent)]
    Index(#[from] twinsift_index::Error),
}

/// What names of collections are, for messages.
pub(crate) const NAMES: &str =
    "a name has up to 64 of a-z, 0-9, dot, underscore and hyphen, the first a letter or digit";
