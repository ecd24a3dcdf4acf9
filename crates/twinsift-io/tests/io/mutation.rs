//! Inputs with bytes changed at random: nothing panics, and what is copied
//! without the broken records reads as the good ones did.

use std::fs;

use twinsift_io::{Inputs, ReadOptions};

use super::rewrite::copy_good;
use super::{Files, collect, gzip, read, warc};

/// A small generator; the same numbers every time.
pub(crate) struct Random(pub u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound.max(1)
    }

    fn mutate(&mut self, bytes: &[u8]) -> Vec<u8> {
        const SPICE: &[u8] = b"\"{}[],:\\\n\r\t<>&;/-!=\0\xff\x80 From WARC/1.0";
        let mut bytes = bytes.to_vec();
        for _ in 0..=self.below(6) {
            let at = self.below(bytes.len());
            match self.below(5) {
                0 => bytes.truncate(at.max(1)),
                1 => bytes[at] = SPICE[self.below(SPICE.len())],
                2 => bytes.insert(at, SPICE[self.below(SPICE.len())]),
                3 => {
                    bytes.remove(at);
                }
                _ => {
                    let end = (at + self.below(40)).min(bytes.len());
                    let piece = bytes[at..end].to_vec();
                    let to = self.below(bytes.len());
                    bytes.splice(to..to, piece);
                }
            }
            if bytes.is_empty() {
                bytes.push(b'x');
            }
        }
        bytes
    }
}

fn samples() -> Vec<(&'static str, Vec<u8>)> {
    let lines: String = (0..20)
        .map(|n| format!("{{\"id\":{n},\"text\":\"a \\u00e9 {n}\",\"x\":[1,{{\"y\":null}}]}}\n"))
        .collect();
    let list = format!("[{}]", lines.trim_end().replace('\n', ",\n"));
    let csv: String = (0..20)
        .map(|n| format!("{n},\"a, \"\"b\"\"\n{n}\",x\n"))
        .collect();
    let mbox: String = (0..6)
        .map(|n| {
            format!(
                "From x Mon\nSubject: {n}\nContent-Type: multipart/mixed; boundary=b\n\n\
                 --b\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\nPHA+YTxwPmI=\n--b--\n\n"
            )
        })
        .collect();
    let http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n<p>he\r\n0\r\n\r\n";
    let archive: Vec<u8> = (0..6)
        .flat_map(|n| warc::response(&format!("http://{n}/"), "sha1:A", http))
        .collect();
    let members: Vec<_> = (0..6)
        .map(|n| gzip(&warc::response(&format!("http://{n}/"), "sha1:A", http)))
        .collect();
    let page = "<!doctype html><title>T &amp; t</title><script>if(a<b)</script><p>a<b>c</b><pre>x\n y</pre>";
    vec![
        ("a.jsonl", lines.clone().into_bytes()),
        ("a.jsonl.gz", gzip(lines.as_bytes())),
        (
            "a.jsonl.zst",
            zstd::encode_all(lines.as_bytes(), 3).unwrap(),
        ),
        ("a.json", list.into_bytes()),
        ("a.csv", format!("id,text,note\n{csv}").into_bytes()),
        ("a.mbox", mbox.clone().into_bytes()),
        ("a.eml", mbox.into_bytes()),
        ("a.warc", archive),
        ("a.warc.gz", members.concat()),
        ("a.html", page.as_bytes().to_vec()),
        ("a", lines.into_bytes()),
    ]
}

#[test]
fn changed_bytes_neither_panic_nor_change_what_is_copied() {
    let mut random = Random(7);
    let files = Files::new();
    for (name, sample) in samples() {
        for round in 0..150 {
            let path = files.add(name, random.mutate(&sample));
            let Ok(inputs) = Inputs::open(&[path], ReadOptions::default()) else {
                continue;
            };
            let format = inputs.sources()[0].format.unwrap();
            let first = collect(&inputs);
            let extension = name.split_once('.').map_or("", |(_, extension)| extension);
            let out = files.path(&format!("out.{extension}"));
            copy_good(&inputs, &out)
                .unwrap_or_else(|error| panic!("{name}, round {round}: {error}"));
            // What is told by content may be something else after the cut.
            if !format.is_single() && name != "a" {
                let again = read(&out);
                // A newline may have been added to the very end.
                let trimmed: Vec<_> = first.texts().into_iter().map(str::trim_end).collect();
                let read: Vec<_> = again.texts().into_iter().map(str::trim_end).collect();
                assert_eq!(read, trimmed, "{name}, round {round}");
                assert!(
                    again.skipped.is_empty(),
                    "{name}, round {round}: {:?}",
                    again.skipped
                );
            }
            fs::remove_file(&out).unwrap();
        }
    }
}
