//! Who may see the pages: the one browser that came first with the token of the start.
//!
//! A page on another site can make a browser send requests to this machine. So requests must
//! name this machine as their host, come with a cookie that is never sent along from elsewhere,
//! and changes must carry a token that stands in our own forms only.

use axum::http::{HeaderMap, header};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use subtle::ConstantTimeEq;

/// The secrets of a review.
#[derive(Debug)]
pub(crate) struct Session {
    address: SocketAddr,
    token: String,
    is_used: AtomicBool,
    cookie: String,
    form: String,
}

impl Session {
    /// New secrets for the pages at an address.
    pub(crate) fn new(address: SocketAddr) -> Result<Self, getrandom::Error> {
        Ok(Self {
            address,
            token: secret()?,
            is_used: AtomicBool::new(false),
            cookie: secret()?,
            form: secret()?,
        })
    }

    /// The address to begin at, which works once.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/?token={}", self.address, self.token)
    }

    /// What stands in forms.
    pub(crate) fn form_token(&self) -> &str {
        &self.form
    }

    /// Whether a request is for this server by name.
    pub(crate) fn is_host(&self, headers: &HeaderMap) -> bool {
        let host = headers
            .get(header::HOST)
            .and_then(|host| host.to_str().ok());
        host.is_some_and(|host| self.is_own(host))
    }

    /// Whether a request does not come from another site.
    pub(crate) fn is_origin(&self, headers: &HeaderMap) -> bool {
        match headers.get(header::ORIGIN).map(|origin| origin.to_str()) {
            None => true,
            Some(Ok(origin)) => origin
                .strip_prefix("http://")
                .is_some_and(|host| self.is_own(host)),
            Some(Err(_)) => false,
        }
    }

    fn is_own(&self, host: &str) -> bool {
        let port = self.address.port();
        host == self.address.to_string() || host == format!("localhost:{port}")
    }

    /// The cookie for the first who has the token.
    pub(crate) fn begin(&self, token: &str) -> Option<String> {
        let is_first = is_equal(token, &self.token) && !self.is_used.swap(true, Ordering::SeqCst);
        is_first.then(|| {
            format!(
                "{}={}; Path=/; HttpOnly; SameSite=Strict",
                self.cookie_name(),
                self.cookie
            )
        })
    }

    /// Whether a request has the cookie.
    pub(crate) fn is_known(&self, headers: &HeaderMap) -> bool {
        let cookies = headers.get_all(header::COOKIE).iter();
        let cookies = cookies.filter_map(|value| value.to_str().ok());
        let mut pairs = cookies
            .flat_map(|value| value.split(';'))
            .filter_map(|pair| pair.trim().split_once('='));
        pairs.any(|(name, value)| name == self.cookie_name() && is_equal(value, &self.cookie))
    }

    /// Whether a form is ours.
    pub(crate) fn is_form(&self, token: &str) -> bool {
        is_equal(token, &self.form)
    }

    /// Browsers keep cookies by host, whatever the port: each review has one of its own.
    fn cookie_name(&self) -> String {
        format!("twinsift-review-{}", self.address.port())
    }
}

fn is_equal(a: &str, b: &str) -> bool {
    a.as_bytes().ct_eq(b.as_bytes()).into()
}

fn secret() -> Result<String, getrandom::Error> {
    let mut bytes = [0u8; 24];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn with(name: header::HeaderName, value: &str) -> HeaderMap {
        let value = HeaderValue::from_str(value).expect("a header");
        HeaderMap::from_iter([(name, value)])
    }

    #[test]
    fn the_token_works_once_and_only_its_cookie_is_known() {
        let session = Session::new(SocketAddr::from(([127, 0, 0, 1], 8123))).expect("secrets");
        let (_, token) = session
            .url()
            .split_once("token=")
            .map(|(a, b)| (a.to_owned(), b.to_owned()))
            .expect("a token");
        assert_eq!(session.begin("wrong"), None);
        let set = session.begin(&token).expect("a cookie");
        assert!(set.contains("HttpOnly") && set.contains("SameSite=Strict"));
        assert_eq!(session.begin(&token), None);
        let cookie = set.split(';').next().expect("a cookie");
        assert!(session.is_known(&with(header::COOKIE, &format!("other=1; {cookie}"))));
        assert!(!session.is_known(&with(header::COOKIE, "twinsift-review-8123=00")));
        assert!(!session.is_known(&HeaderMap::new()));
    }

    #[test]
    fn other_hosts_and_origins_are_not_ours() {
        let session = Session::new(SocketAddr::from(([127, 0, 0, 1], 8123))).expect("secrets");
        for (host, is_own) in [
            ("127.0.0.1:8123", true),
            ("localhost:8123", true),
            ("127.0.0.1:8124", false),
            ("evil.example:8123", false),
            ("127.0.0.1", false),
        ] {
            assert_eq!(session.is_host(&with(header::HOST, host)), is_own, "{host}");
            let origin = format!("http://{host}");
            assert_eq!(
                session.is_origin(&with(header::ORIGIN, &origin)),
                is_own,
                "{host}"
            );
        }
        assert!(!session.is_host(&HeaderMap::new()));
        assert!(session.is_origin(&HeaderMap::new()));
        assert!(!session.is_origin(&with(header::ORIGIN, "null")));
    }
}
