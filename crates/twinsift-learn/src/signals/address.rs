//! An address, taken apart for the signals that look at it.

/// The parts of an address that are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The host in lower case, without a leading `www.` and without the port.
    pub host: String,
    /// The registrable domain of the host, by the public suffix list; the whole host where
    /// there is none.
    pub registered: String,
    /// The segments of the path, then the parameters in alphabetical order.
    pub segments: Vec<String>,
}

impl Address {
    /// Takes an address apart; `None` if it names no host.
    pub fn parse(url: &str) -> Option<Self> {
        let (_, rest) = url.trim().split_once("://")?;
        let rest = rest.split('#').next().unwrap_or_default();
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        let host = authority.rsplit('@').next().unwrap_or_default();
        let host = without_port(host).trim_end_matches('.').to_lowercase();
        let host = host.strip_prefix("www.").unwrap_or(&host).to_owned();
        if host.is_empty() {
            return None;
        }
        let (path, parameters) = path.split_once('?').unwrap_or((path, ""));
        let mut parameters: Vec<&str> = parameters.split('&').collect();
        parameters.sort_unstable();
        let segments = path.split('/').chain(parameters);
        Some(Self {
            registered: registered(&host).to_owned(),
            segments: segments
                .filter(|segment| !segment.is_empty())
                .map(str::to_owned)
                .collect(),
            host,
        })
    }
}

/// A host without its port; the colons of `[::1]` are no port's.
fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

/// The registrable domain of a host. IP addresses have none.
fn registered(host: &str) -> &str {
    let is_number = host.starts_with('[') || host.parse::<std::net::IpAddr>().is_ok();
    match is_number {
        true => host,
        false => psl::domain_str(host).unwrap_or(host),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_lose_what_means_nothing() {
        for url in [
            "https://WWW.Example.com:8080/x",
            "http://user:password@example.com./y#z",
            "http://example.com?q",
        ] {
            let address = Address::parse(url).expect("an address");
            assert_eq!(address.host, "example.com", "{url}");
        }
    }

    #[test]
    fn what_can_be_registered_depends_on_the_suffix() {
        let registered = |url| Address::parse(url).expect("an address").registered;
        assert_eq!(registered("http://m.one.co.uk/"), "one.co.uk");
        assert_eq!(registered("http://news.example.com/"), "example.com");
        assert_eq!(registered("http://127.0.0.1:81/"), "127.0.0.1");
        assert_eq!(registered("http://[::1]:81/"), "[::1]");
        assert_eq!(registered("http://localhost/"), "localhost");
    }

    #[test]
    fn parameters_are_put_in_order() {
        let address = Address::parse("http://x.org/a//b/?q=1&p=2#end").expect("an address");
        assert_eq!(address.segments, ["a", "b", "p=2", "q=1"]);
    }

    #[test]
    fn what_is_no_address_is_missing() {
        assert_eq!(Address::parse("x.org/a"), None);
        assert_eq!(Address::parse("file:///a"), None);
        assert_eq!(Address::parse(""), None);
    }
}
