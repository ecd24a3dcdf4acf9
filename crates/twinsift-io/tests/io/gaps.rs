//! Damage in the midst of compressed data: what follows is found again, and nothing from
//! before is taken together with it.

use std::io::Write;

use twinsift_io::{Inputs, ReadOptions};

use super::compression::{bzip2, xz, zstd};
use super::mutation::Random;
use super::rewrite::copy_good;
use super::{Files, Result, gzip, read, read_bytes, warc};

type Compress = fn(&[u8]) -> Vec<u8>;

const ALL: [(&str, Compress); 4] = [("gz", gzip), ("zst", zstd), ("bz2", bzip2), ("xz", xz)];

/// Members one after the other, the second of which is damaged behind its header.
fn damaged(compress: Compress, members: &[&[u8]]) -> Vec<u8> {
    let mut members: Vec<_> = members.iter().map(|plain| compress(plain)).collect();
    for byte in &mut members[1][11..19] {
        *byte ^= 0x5a;
    }
    members.concat()
}

/// Lines that do not compress to nothing.
fn lines(seed: u64) -> String {
    let mut random = Random(seed);
    (0..100)
        .map(|_| {
            format!(
                "{{\"text\":\"{} {}\"}}\n",
                random.below(1 << 30),
                random.below(1 << 30)
            )
        })
        .collect()
}

/// Whatever can be read must also be copied, and read the same again.
fn check_copy(name: &str, bytes: &[u8]) -> Result {
    let files = Files::new();
    let path = files.add(name, bytes);
    let first = read(&path);
    let inputs = Inputs::open(&[path], ReadOptions::default()).unwrap();
    let out = files.path(&format!("out-{name}"));
    copy_good(&inputs, &out).unwrap_or_else(|message| panic!("{name}: {message}"));
    let again = read(&out);
    assert!(again.skipped.is_empty(), "{name}: {:?}", again.skipped);
    assert_eq!(again.texts(), first.texts(), "{name}");
    first
}

#[test]
fn members_behind_a_damaged_one_are_read() {
    let [a, b, c] = [1, 2, 3].map(lines);
    for (extension, compress) in ALL {
        let members = [a.as_bytes(), b.as_bytes(), c.as_bytes()];
        let bytes = damaged(compress, &members);
        let name = format!("a.jsonl.{extension}");
        let result = check_copy(&name, &bytes);
        let last = read_bytes("c.jsonl", &c);
        let texts = result.texts();
        assert!((200..300).contains(&texts.len()), "{name}: {}", texts.len());
        assert_eq!(texts[texts.len() - 100..], last.texts(), "{name}");
        let place = bytes.len() - compress(c.as_bytes()).len();
        let message: Vec<_> = result
            .reasons()
            .into_iter()
            .filter(|reason| reason.starts_with("the compressed data "))
            .collect();
        let [message] = message[..] else {
            panic!("{message:?}")
        };
        assert!(
            message.ends_with(&format!("; reading goes on at byte {place} of the file")),
            "{message}"
        );
    }
}

#[test]
fn a_line_that_is_cut_is_not_continued_behind_the_gap() {
    for (extension, compress) in ALL {
        let bytes = damaged(
            compress,
            &[
                b"{\"text\":\"one\"}\n{\"text\":\"tw",
                lines(4).as_bytes(),
                b"o\"}\n{\"text\":\"three\"}\n",
            ],
        );
        let result = check_copy(&format!("a.jsonl.{extension}"), &bytes);
        let texts = result.texts();
        assert_eq!((texts[0], texts[texts.len() - 1]), ("one", "three"));
        assert!(!texts.contains(&"two"), "{extension}: {texts:?}");
    }
}

fn page(number: usize) -> Vec<u8> {
    let mut random = Random(number as u64);
    let words: Vec<_> = (0..200)
        .map(|_| random.below(1 << 30).to_string())
        .collect();
    let http = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>page {number} {}",
        words.join(" ")
    );
    warc::response(&format!("http://{number}/"), "sha1:A", http.as_bytes())
}

#[test]
fn a_damaged_record_of_a_web_archive_costs_itself() {
    let pages: Vec<_> = (0..6).map(|number| gzip(&page(number))).collect();
    let begin = pages[0].len() + pages[1].len();
    let length = pages[2].len();
    let ways: [(&str, std::ops::Range<usize>); 4] = [
        ("header", 0..10),
        ("middle", length / 2..length / 2 + 9),
        ("checksum", length - 8..length - 4),
        ("this end and the next header", length - 4..length + 5),
    ];
    for (what, span) in ways {
        let mut bytes = pages.concat();
        for byte in &mut bytes[begin + span.start..begin + span.end] {
            *byte ^= 0x5a;
        }
        let result = check_copy("a.warc.gz", &bytes);
        let ids = result.ids();
        for id in ["http://0/", "http://1/", "http://4/", "http://5/"] {
            assert!(ids.contains(&id), "{what}: {ids:?}");
        }
        assert_eq!(ids.contains(&"http://3/"), span.end <= length, "{what}");
        assert_eq!(result.skipped.len(), 1, "{what}: {:?}", result.skipped);
    }
}

#[test]
fn a_gzip_file_within_a_record_is_not_taken_for_a_member() {
    let inner = gzip(b"WARC/1.0\r\nnot a record of this archive");
    let mut http = b"HTTP/1.1 200 OK\r\nContent-Type: application/gzip\r\n\r\n".to_vec();
    http.extend(&inner);
    let record = warc::response("http://inner/", "sha1:B", &http);
    let mut stored = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    stored.write_all(&record).unwrap();
    let mut stored = stored.finish().unwrap();
    assert!(memchr::memmem::find(&stored, &inner).is_some());
    stored[0] = 0;
    let bytes = [gzip(&page(0)), stored, gzip(&page(1))].concat();
    let result = check_copy("a.warc.gz", &bytes);
    assert_eq!(result.ids(), ["http://0/", "http://1/"]);
    assert_eq!(result.records(), [1, 3]);
}

#[test]
fn tables_and_mailboxes_go_on() {
    let rows = |from: usize| -> String {
        (from..from + 50)
            .map(|n| format!("{n},{}\n", n * 7919))
            .collect()
    };
    let table = damaged(
        gzip,
        &[
            format!("id,text\n{}", rows(0)).as_bytes(),
            rows(100).as_bytes(),
            // The end of a row that was cut has as many cells as a row.
            format!("9,rest of 199\n{}", rows(200)).as_bytes(),
        ],
    );
    let result = check_copy("a.csv.gz", &table);
    assert!(!result.texts().contains(&"rest of 199"));
    let message = "the beginning of the row may be missing";
    assert_eq!(result.reasons().last(), Some(&message));
    assert_eq!(
        result.texts().last(),
        Some(&(249 * 7919).to_string().as_str())
    );
    let mail = |n: usize| {
        format!(
            "From a@b Mon Jan  1 00:00:00 2024\nSubject: {n}\n\n{}\n\n",
            lines(n as u64)
        )
    };
    let rest = format!("the rest of a mail\n\n{}", mail(3));
    // Where a message ends is known by the next one: the one before the gap may be cut.
    let two = mail(0) + &mail(1);
    let mbox = damaged(gzip, &[two.as_bytes(), mail(2).as_bytes(), rest.as_bytes()]);
    let result = check_copy("a.mbox.gz", &mbox);
    let titles: Vec<_> = result
        .docs
        .iter()
        .filter_map(|doc| doc.title.as_deref())
        .collect();
    assert_eq!(titles, ["0", "3"]);
    assert_eq!(
        result.reasons()[1],
        "the beginning of the message is missing"
    );
}

#[test]
fn a_table_without_its_header_is_not_read() {
    let rows = lines(1).replace(['{', '}', '"'], "");
    let mut bytes = [
        gzip(format!("id,text\n{rows}").as_bytes()),
        gzip(b"1,a\n2,b\n"),
    ]
    .concat();
    bytes[1] = 0;
    let result = read_bytes("a.csv.gz", bytes);
    assert!(result.docs.is_empty());
    assert_eq!(result.skipped.len(), 1);
}
