//! A site with every trick that a page can play on whoever looks at it.

use super::server::{Asked, page, send};
use std::io::Write;
use std::net::TcpStream;
use std::time::Duration;

/// Pages that stand as they are written, each under a line with its path;
/// `PORT` is the server's.
const PAGES: &str = include_str!("pages.txt");

/// How much text the large pages have.
pub const HUGE: usize = 3 << 20;

pub fn answer(asked: &Asked, port: u16, stream: &mut TcpStream) -> std::io::Result<()> {
    let path = asked.path.split('?').next().unwrap();
    let is_it = |section: &&str| section.lines().next() == Some(path);
    if let Some(section) = PAGES.split("=== ").find(is_it) {
        let html = &section[path.len()..];
        return page(stream, &html.replace("PORT", &port.to_string()));
    }
    let html = "Content-Type: text/html";
    match path {
        "/found" => send(stream, "302 Found\nLocation: /landing", b""),
        "/moved" => send(
            stream,
            "301 Moved Permanently\nLocation: /found?twice",
            b"moved",
        ),
        "/elsewhere" => {
            let to = format!("308 Permanent\nLocation: http://other.localhost:{port}/landing");
            send(stream, &to, b"")
        }
        "/outside" => {
            let to = format!("302 Found\nLocation: http://forbidden.localhost:{port}/landing");
            send(stream, &to, b"")
        }
        "/refresh-header" => {
            let head = "200 OK\nContent-Type: text/html\nRefresh: 1; url=/landing";
            send(stream, head, b"<p>wait")
        }
        "/loop-http" => send(stream, "302 Found\nLocation: /loop-http", b""),
        "/missing" => send(
            stream,
            &format!("404 Not Found\n{html}"),
            b"<p>no such page",
        ),
        "/fails" => send(stream, &format!("500 Oops\n{html}"), b"<p>out of order"),
        "/empty" => send(stream, "204 No Content", b""),
        "/locked" => {
            let head = format!("401 Unauthorized\n{html}\nWWW-Authenticate: Basic realm=x");
            send(stream, &head, b"<p>members only")
        }
        "/text" => send(
            stream,
            "200 OK\nContent-Type: text/plain",
            b"1 < 2 <b>&amp;",
        ),
        "/archive" => send(
            stream,
            "200 OK\nContent-Type: application/zip",
            b"PK\x03\x04",
        ),
        "/attached" => {
            let head = format!("200 OK\n{html}\nContent-Disposition: attachment; filename=x.html");
            send(stream, &head, b"<p>not shown")
        }
        "/latin" => {
            let head = "200 OK\nContent-Type: text/html; charset=iso-8859-1";
            send(stream, head, b"<p>caf\xe9 \x80 5")
        }
        "/japanese" => {
            let text = encoding_rs::SHIFT_JIS
                .encode("<meta charset=shift_jis><p>日本語の頁")
                .0;
            send(stream, "200 OK\nContent-Type: text/html", &text)
        }
        "/wide" => {
            let units = "\u{feff}<p>пример"
                .encode_utf16()
                .flat_map(u16::to_le_bytes);
            send(
                stream,
                &format!("200 OK\n{html}"),
                &units.collect::<Vec<u8>>(),
            )
        }
        "/packed" => {
            let mut packed = flate2::write::GzEncoder::new(Vec::new(), Default::default());
            packed.write_all(b"<p>packed and unpacked")?;
            let head = format!("200 OK\n{html}\nContent-Encoding: gzip");
            send(stream, &head, &packed.finish()?)
        }
        "/huge" => {
            let text = format!("<p>large{}", " and larger".repeat(HUGE / 11));
            send(stream, &format!("200 OK\n{html}"), text.as_bytes())
        }
        "/slow-data" => {
            std::thread::sleep(Duration::from_secs(1));
            send(stream, "200 OK\nContent-Type: text/plain", b"came later")
        }
        "/events" => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")?;
            until_gone(stream, b"data: x\n\n", Duration::from_millis(200))
        }
        "/endless" => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>begin")?;
            until_gone(
                stream,
                &b"<p>on and on ".repeat(5000),
                Duration::from_millis(1),
            )
        }
        "/trickle" => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>begin")?;
            until_gone(stream, b" drop", Duration::from_millis(10))
        }
        "/breaks" => {
            let head =
                b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n";
            stream.write_all(head)?;
            stream.write_all(b"11\r\n<p>the first half\r\nff\r\n and")
        }
        "/never" | "/silent" => until_gone(stream, b"", Duration::from_secs(30)),
        "/nonsense" => stream.write_all(b"220 mail.example ESMTP\r\n"),
        "/style.css" => send(
            stream,
            "200 OK\nContent-Type: text/css",
            b"p { color: red }",
        ),
        "/script.js" => {
            let script = b"document.body.append('and a script')";
            send(stream, "200 OK\nContent-Type: text/javascript", script)
        }
        _ => send(
            stream,
            &format!("404 Not Found\n{html}"),
            b"<p>nothing here",
        ),
    }
}

/// Goes on until nobody reads it.
fn until_gone(stream: &mut TcpStream, piece: &[u8], pause: Duration) -> std::io::Result<()> {
    loop {
        stream.write_all(piece)?;
        std::thread::sleep(pause);
    }
}
