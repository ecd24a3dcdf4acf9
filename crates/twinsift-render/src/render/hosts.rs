//! Which hosts a run may talk to.
//!
//! The rule is kept in two places. Every request of a page is looked at before
//! it is sent, redirects too, and refused with a reason that can be shown. And
//! the browser as a whole cannot find any other host, whichever way a page
//! tries: by web socket, by worker, or in a window of its own.

use std::collections::BTreeSet;
use std::net::{Ipv4Addr, Ipv6Addr};

use url::{Host, Url};

use crate::browser::BrowserOptions;
use crate::error::WebError;

/// A set of hosts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hosts {
    exact: BTreeSet<String>,
    /// Names of which all that end in them are allowed.
    below: BTreeSet<String>,
    /// Whether every public host is allowed.
    all_public: bool,
}

impl Hosts {
    /// Adds a host: `example.org` is that host alone, `*.example.org` all
    /// hosts below it, `*` every host but those of a private network and this
    /// machine, which have to be named.
    ///
    /// # Errors
    ///
    /// If that is no name of a host.
    pub fn allow(&mut self, pattern: &str) -> Result<(), WebError> {
        let refuse = || WebError::Host(pattern.to_owned());
        let parse = |name: &str| Host::parse(name).map_err(|_| refuse());
        match pattern.strip_prefix("*.") {
            _ if pattern == "*" => self.all_public = true,
            Some(name) => match parse(name)? {
                Host::Domain(name) => drop(self.below.insert(name)),
                _ => return Err(refuse()),
            },
            None => drop(self.exact.insert(parse(pattern)?.to_string())),
        }
        Ok(())
    }

    /// Adds the host of an address, if it has one.
    pub fn allow_host_of(&mut self, address: &Url) {
        if let Some(host) = address.host() {
            self.exact.insert(host.to_string());
        }
    }

    /// The hosts, as they are written, in order.
    pub fn names(&self) -> Vec<String> {
        let below = self.below.iter().map(|name| format!("*.{name}"));
        let all = self.all_public.then(|| "*".to_owned());
        self.exact.iter().cloned().chain(below).chain(all).collect()
    }

    /// Whether a request to an address may be sent.
    pub fn allows(&self, address: &Url) -> bool {
        let Some(host) = address.host() else {
            return false;
        };
        let name = host.to_string();
        let is_below = |end: &String| {
            let rest = name.strip_suffix(end.as_str());
            rest.is_some_and(|rest| rest.ends_with('.'))
        };
        self.exact.contains(&name)
            || self.below.iter().any(is_below)
            || (self.all_public && is_public(&host))
    }

    /// Keeps a browser to these hosts. Where every public host is allowed, the
    /// browser's own rule that public pages may not reach into a private network
    /// stays on; else there is nothing left for it to guard.
    pub(super) fn confine(&self, browser: &mut BrowserOptions) {
        if self.all_public {
            return;
        }
        let mut rules = "MAP * ~NOTFOUND".to_owned();
        for name in &self.exact {
            rules += &format!(" , EXCLUDE {name}");
        }
        for name in &self.below {
            rules += &format!(" , EXCLUDE *.{name}");
        }
        let flag = format!("--host-resolver-rules={rules}");
        browser.flags.push(flag);
        let rule = "LocalNetworkAccessChecks".to_owned();
        browser.without.push(rule);
    }
}

fn is_public(host: &Host<&str>) -> bool {
    match host {
        Host::Domain(name) => {
            let name = name.trim_end_matches('.');
            let local = ["localhost", "local", "internal", "home.arpa", "invalid"];
            name.contains('.') && !local.iter().any(|end| name.ends_with(&format!(".{end}")))
        }
        Host::Ipv4(address) => is_public_v4(*address),
        Host::Ipv6(address) => match address.to_ipv4() {
            Some(within) => is_public_v4(within),
            None => is_public_v6(*address),
        },
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [first, second, ..] = address.octets();
    let shared = first == 100 && (64..128).contains(&second);
    !(shared
        || first == 0
        || address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_broadcast())
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    !(address.is_loopback()
        || address.is_unspecified()
        || address.is_unique_local()
        || address.is_unicast_link_local()
        || address.is_multicast())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(patterns: &[&str], address: &str) -> bool {
        let mut hosts = Hosts::default();
        for pattern in patterns {
            hosts.allow(pattern).expect("a host");
        }
        hosts.allows(&address.parse().expect("an address"))
    }

    #[test]
    fn a_name_is_one_host_and_a_star_all_below() {
        assert!(allows(&["Example.org"], "https://EXAMPLE.org:8080/x"));
        assert!(!allows(&["example.org"], "https://www.example.org/"));
        assert!(!allows(&["example.org"], "https://example.org.evil.net/"));
        assert!(!allows(&["example.org"], "https://evil.net/example.org"));
        assert!(!allows(&["example.org"], "https://example.org@evil.net/"));
        assert!(allows(&["*.example.org"], "https://a.b.example.org/"));
        assert!(!allows(&["*.example.org"], "https://example.org/"));
        assert!(!allows(&["*.example.org"], "https://badexample.org/"));
        assert!(allows(
            &["bücher.example"],
            "https://xn--bcher-kva.example/"
        ));
        assert!(!allows(&[], "https://example.org/"));
    }

    #[test]
    fn all_public_hosts_are_not_this_machine_nor_its_network() {
        for address in [
            "https://example.org/",
            "http://8.8.8.8/",
            "http://[2001:4860::1]/",
        ] {
            assert!(allows(&["*"], address), "{address}");
        }
        for address in [
            "http://localhost/",
            "http://a.localhost/",
            "http://127.0.0.1/",
            "http://0x7f.1/",
            "http://2130706433/",
            "http://0.0.0.0/",
            "http://10.1.2.3/",
            "http://192.168.0.1/",
            "http://172.16.0.1/",
            "http://169.254.169.254/",
            "http://100.64.0.1/",
            "http://[::1]/",
            "http://[::ffff:127.0.0.1]/",
            "http://[fd00::1]/",
            "http://[fe80::1]/",
            "http://printer.local/",
            "http://intranet/",
        ] {
            assert!(!allows(&["*"], address), "{address}");
        }
        assert!(allows(&["*", "192.168.0.1"], "http://192.168.0.1/"));
    }

    #[test]
    fn what_is_no_host_is_refused() {
        for pattern in [
            "",
            "a b",
            "*.",
            "*.1.2.3.4",
            "http://example.org",
            "example.org/x",
        ] {
            assert!(Hosts::default().allow(pattern).is_err(), "{pattern}");
        }
    }
}
