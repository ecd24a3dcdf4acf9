//! Who is asking, and what they may do.

use crate::error::{Answered, ApiError};
use crate::keys::{Key, Right};
use crate::service::App;
use axum::extract::FromRequestParts;
use axum::http::header::{AUTHORIZATION, HOST};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, Uri};
use std::net::IpAddr;

/// What the holder of a key, or everyone on this machine, may do.
#[derive(Clone, Debug)]
pub(crate) struct Access(Option<Key>);

impl Access {
    /// Refuses what the key does not allow; without a collection, what concerns all of them. It
    /// does not matter whether the collection is there: names are none of others' business.
    pub(crate) fn require(&self, right: Right, collection: Option<&str>) -> Answered<()> {
        let Some(key) = &self.0 else {
            return Ok(());
        };
        let (name, forbidden) = (&key.name, StatusCode::FORBIDDEN);
        if !key.is_for(collection) {
            let what = match collection {
                Some(_) => "this collection",
                None => "what concerns all collections",
            };
            let sentence = format!("the key \"{name}\" is not for {what}");
            return Err(ApiError::new(forbidden, sentence));
        }
        if key.right < right {
            let (right, own) = (right.name(), key.right.name());
            let sentence =
                format!("this needs the right {right}, and the key \"{name}\" has {own}");
            return Err(ApiError::new(forbidden, sentence));
        }
        Ok(())
    }

    /// Whether a collection may be looked at.
    pub(crate) fn may_read(&self, collection: &str) -> bool {
        self.require(Right::Read, Some(collection)).is_ok()
    }

    /// What a key allows that was presented, or without keys everything.
    pub(crate) fn of(app: &App, presented: Option<&str>) -> Answered<Self> {
        let Some(keys) = &app.keys else {
            return Ok(Self(None));
        };
        let unauthorised = |sentence| ApiError::new(StatusCode::UNAUTHORIZED, sentence);
        let presented = presented.ok_or_else(|| {
            unauthorised("this needs a key: send it as \"Authorization: Bearer KEY\"")
        })?;
        let key = keys.find(presented);
        let key = key.ok_or_else(|| unauthorised("this key is not known"))?;
        Ok(Self(Some(key.clone())))
    }
}

/// What follows the name of a scheme in the header.
pub(crate) fn credentials<'a>(headers: &'a HeaderMap, scheme: &str) -> Option<&'a str> {
    let value = headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (named, rest) = value.split_once(' ')?;
    named.eq_ignore_ascii_case(scheme).then(|| rest.trim())
}

impl FromRequestParts<App> for Access {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        Self::of(app, credentials(&parts.headers, "Bearer"))
    }
}

/// Refuses requests that a page of another site has a browser send to this machine by a name of
/// its own. Where there are keys, such a page has none.
pub(crate) fn check_host(app: &App, headers: &HeaderMap, uri: &Uri) -> Answered<()> {
    if app.keys.is_some() {
        return Ok(());
    }
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let host = uri.authority().map(|authority| authority.as_str()).or(host);
    match host.is_none_or(is_this_machine) {
        true => Ok(()),
        false => Err(ApiError::new(
            StatusCode::MISDIRECTED_REQUEST,
            "without keys the service answers only to localhost and its address",
        )),
    }
}

fn is_this_machine(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    let address: Option<IpAddr> = name.parse().ok();
    address.map_or_else(
        || name.eq_ignore_ascii_case("localhost"),
        |address| address.is_loopback(),
    )
}

#[cfg(test)]
mod tests {
    use super::is_this_machine;

    #[test]
    fn only_names_of_this_machine_are_its_names() {
        for host in [
            "localhost",
            "localhost:8017",
            "127.0.0.1:1",
            "[::1]:8017",
            "127.9.9.9",
        ] {
            assert!(is_this_machine(host), "{host}");
        }
        for host in [
            "evil.example",
            "localhost.evil.example:80",
            "10.0.0.1",
            "[::2]",
            "",
        ] {
            assert!(!is_this_machine(host), "{host}");
        }
    }
}
