//! The pages of an evaluation as a web of their own, on this machine alone.
//!
//! Names that end in `.localhost` are this machine wherever they are asked
//! for, so every site keeps a host to itself and no name has to be set up.

use super::Evaluation;
use super::pages::Page;
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

/// The most that is read of a request, and the longest that it is waited for.
const REQUEST: u64 = 64 << 10;
const PATIENCE: Duration = Duration::from_secs(60);

/// The address of invented hosts, and what becomes of it.
const INVENTED: (&str, &str) = ("https://", ".example");

/// A place for the pages of an evaluation, before they are there.
pub struct Site {
    listener: TcpListener,
    port: u16,
}

impl Site {
    /// A site at a port of this machine; 0 is any that is free.
    pub fn open(port: u16) -> std::io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let port = listener.local_addr()?.port();
        Ok(Self { listener, port })
    }

    /// Gives every page of an evaluation an address here, links to it included.
    pub fn settle(&self, evaluation: &mut Evaluation) {
        let topics = evaluation.topics.iter_mut();
        for page in topics.flat_map(|topic| &mut topic.pages) {
            let texts = [&mut page.url, &mut page.final_url, &mut page.html];
            let behind = page.behind.iter_mut().flat_map(|(url, html)| [url, html]);
            for text in texts.into_iter().chain(&mut page.rendered).chain(behind) {
                *text = moved(text, self.port);
            }
        }
    }

    /// Where the site is.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Answers requests until the program ends.
    pub fn serve(&self, evaluation: &Evaluation) {
        let pages = evaluation.topics.iter().flat_map(|topic| &topic.pages);
        let known: Arc<HashMap<String, String>> = Arc::new(pages.flat_map(served).collect());
        for stream in self.listener.incoming().flatten() {
            let known = Arc::clone(&known);
            // A client that closes the connection early is no error.
            std::thread::spawn(move || answer(stream, &known));
        }
    }
}

/// What there is of a page, by address.
fn served(page: &Page) -> impl Iterator<Item = (String, String)> {
    let itself = (page.url.clone(), page.html.clone());
    std::iter::once(itself).chain(page.behind.clone())
}

/// A text with all addresses of invented hosts moved to this machine.
fn moved(text: &str, port: u16) -> String {
    let (scheme, ending) = INVENTED;
    let mut out = String::with_capacity(text.len());
    let mut pieces = text.split(scheme);
    out += pieces.next().unwrap_or_default();
    for piece in pieces {
        let is_of_host = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
        let end = piece.find(|c| !is_of_host(c)).unwrap_or(piece.len());
        let (host, rest) = piece.split_at(end);
        match host.strip_suffix(ending) {
            Some(name) => out += &format!("http://{name}.localhost:{port}{rest}"),
            None => out += &format!("{scheme}{piece}"),
        }
    }
    out
}

fn answer(mut stream: TcpStream, known: &HashMap<String, String>) -> std::io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut request = BufReader::new(stream.try_clone()?.take(REQUEST));
    let mut first = String::new();
    request.read_line(&mut first)?;
    let path = first.split(' ').nth(1).unwrap_or_default();
    let mut host = String::new();
    let mut line = String::new();
    while request.read_line(&mut line)? > 2 {
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("host")
        {
            value.trim().clone_into(&mut host);
        }
        line.clear();
    }
    let found = known.get(&format!("http://{host}{path}"));
    let (status, html) = match found {
        Some(html) => ("200 OK", html.as_str()),
        None => ("404 Not Found", "<p>There is no such page."),
    };
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{html}",
        html.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_invented_hosts_move_and_others_stay() {
        let text = "see https://www.a-b.example/x?y=1, https://c.example and https://real.org/";
        assert_eq!(
            moved(text, 80),
            "see http://www.a-b.localhost:80/x?y=1, http://c.localhost:80 and https://real.org/"
        );
        assert_eq!(moved("nothing", 80), "nothing");
    }

    #[test]
    fn a_site_answers_for_its_pages_and_no_others() {
        let site = Site::open(0).expect("a port");
        let mut evaluation = super::super::evaluation(1, 1);
        site.settle(&mut evaluation);
        let page = evaluation.topics[0].pages[0].clone();
        let port = site.port();
        std::thread::spawn(move || site.serve(&evaluation));
        let ask = |address: &str| {
            let rest = address.strip_prefix("http://").expect("an address");
            let (host, path) = rest.split_once('/').expect("a path");
            let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("a server");
            write!(stream, "GET /{path} HTTP/1.1\r\nhost: {host}\r\n\r\n").expect("sent");
            let mut answer = String::new();
            stream.read_to_string(&mut answer).expect("an answer");
            answer
        };
        let found = ask(&page.url);
        assert!(found.starts_with("HTTP/1.1 200 ") && found.ends_with(&page.html));
        let missing = ask(&format!("http://other.localhost:{port}/"));
        assert!(missing.starts_with("HTTP/1.1 404 "));
    }
}
