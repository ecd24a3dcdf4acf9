//! Every format may be compressed; streams may be cut short or damaged.

use std::fs;
use std::io::Write;

use lzma_rust2::{XzOptions, XzWriter};
use twinsift_io::{Inputs, ReadOptions, SurvivorWriter};

use super::{Files, gzip, read, read_bytes, warc};

const LINES: &str = "{\"id\":1,\"text\":\"a\"}\n{\"id\":2,\"text\":\"b\"}\n";

pub(crate) fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).unwrap()
}

pub(crate) fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = XzWriter::new(Vec::new(), XzOptions::with_preset(1)).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

type Compress = fn(&[u8]) -> Vec<u8>;

const ALL: [(&str, Compress); 4] = [("gz", gzip), ("zst", zstd), ("bz2", bzip2), ("xz", xz)];

/// Many lines that do not compress to nothing.
fn many_lines() -> String {
    let mut seed = 1u64;
    (0..20_000)
        .map(|n| {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            format!("{{\"id\":{n},\"text\":\"{seed:x}\"}}\n")
        })
        .collect()
}

#[test]
fn every_format_is_read_compressed() {
    let samples = [
        ("a.jsonl", LINES),
        (
            "a.json",
            "[{\"id\":1,\"text\":\"a\"},{\"id\":2,\"text\":\"b\"}]",
        ),
        ("a.csv", "id,text\n1,a\n2,b\n"),
        ("a.tsv", "id\ttext\n1\ta\n2\tb\n"),
        (
            "a.mbox",
            "From x\nSubject: s\n\na\n\nFrom y\nSubject: t\n\nb\n",
        ),
        ("a.html", "<p>a"),
        ("a.eml", "Subject: s\n\na"),
        ("a.txt", "a"),
    ];
    for (name, sample) in samples {
        let plain = read_bytes(name, sample);
        assert!(!plain.docs.is_empty() && plain.skipped.is_empty(), "{name}");
        for (extension, compress) in ALL {
            let name = format!("{name}.{extension}");
            let result = read_bytes(&name, compress(sample.as_bytes()));
            assert_eq!(result.texts(), plain.texts(), "{name}: {result:?}");
            assert_eq!(result.records(), plain.records(), "{name}");
        }
    }
}

#[test]
fn compression_is_known_without_the_extension() {
    for (extension, compress) in ALL {
        let result = read_bytes("data", compress(LINES.as_bytes()));
        assert_eq!(result.texts(), ["a", "b"], "{extension}");
    }
}

#[test]
fn members_and_frames_follow_one_another() {
    for (extension, compress) in ALL {
        let mut bytes = compress(b"{\"text\":\"a\"}\n{\"te");
        bytes.extend(compress(b"xt\":\"b\"}\n"));
        let result = read_bytes(&format!("a.jsonl.{extension}"), bytes);
        assert_eq!(result.texts(), ["a", "b"], "{extension}");
        assert!(result.skipped.is_empty());
    }
}

#[test]
fn long_windows_are_read() {
    let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
    encoder.window_log(30).unwrap();
    encoder.write_all(LINES.as_bytes()).unwrap();
    let result = read_bytes("a.jsonl.zst", encoder.finish().unwrap());
    assert_eq!(result.texts(), ["a", "b"]);
}

#[test]
fn a_stream_cut_short_gives_what_came_before() {
    let lines = many_lines();
    for (extension, compress) in ALL {
        // In two parts, for the formats that only give whole blocks.
        let half = lines.len() / 2;
        let mut bytes = compress(&lines.as_bytes()[..half]);
        bytes.extend(compress(&lines.as_bytes()[half..]));
        bytes.truncate(bytes.len() * 3 / 4);
        let result = read_bytes(&format!("a.jsonl.{extension}"), bytes);
        let count = result.docs.len();
        assert!((9_990..20_000).contains(&count), "{extension}: {count}");
        assert_eq!(result.skipped.len(), 1, "{extension}: {:?}", result.skipped);
        let (record, place, reason) = &result.skipped[0];
        assert_eq!(*record, count as u64 + 1);
        assert_eq!(*place, format!("a.jsonl.{extension}:{record}"));
        assert!(
            reason.starts_with("the compressed data "),
            "{extension}: {reason}"
        );
    }
}

#[test]
fn all_that_decodes_before_a_cut_is_read() {
    let lines = many_lines();
    // bzip2 gives whole blocks only, and this is one.
    for (extension, compress) in ALL.into_iter().filter(|(name, _)| *name != "bz2") {
        let mut bytes = compress(lines.as_bytes());
        bytes.truncate(bytes.len() * 3 / 4);
        let count = read_bytes(&format!("a.jsonl.{extension}"), bytes)
            .docs
            .len();
        assert!((12_000..15_500).contains(&count), "{extension}: {count}");
    }
}

#[test]
fn zeros_may_fill_the_space_between_members() {
    for (extension, compress) in ALL {
        let mut bytes = compress(b"{\"text\":\"a\"}\n");
        bytes.extend([0; 512]);
        bytes.extend(compress(b"{\"text\":\"b\"}\n"));
        bytes.extend([0; 512]);
        let result = read_bytes(&format!("a.jsonl.{extension}"), bytes);
        assert_eq!(result.texts(), ["a", "b"], "{extension}");
        assert!(
            result.skipped.is_empty(),
            "{extension}: {:?}",
            result.skipped
        );
    }
}

#[test]
fn damage_is_told() {
    for (extension, compress) in ALL {
        let mut bytes = compress(many_lines().as_bytes());
        let middle = bytes.len() / 2;
        for byte in &mut bytes[middle..middle + 64] {
            *byte ^= 0x5a;
        }
        let result = read_bytes(&format!("a.jsonl.{extension}"), bytes);
        let message = result.skipped.last().map(|(_, _, reason)| reason.as_str());
        let message = message.unwrap_or_else(|| panic!("{extension}: no message"));
        assert!(
            message.starts_with("the compressed data "),
            "{extension}: {message}"
        );
    }
}

#[test]
fn bytes_go_before_names() {
    let warc = warc::record("conversion", "Content-Type: text/plain\r\n", b"a");
    for (extension, compress) in ALL {
        let packed = compress(LINES.as_bytes());
        for name in [
            "a.jsonl",
            "a.json",
            "a.jsonl.gz",
            "a.jsonl.xz",
            "data",
            "a.dump",
        ] {
            let result = read_bytes(name, &packed);
            assert_eq!(
                result.texts(),
                ["a", "b"],
                "{extension} as {name}: {result:?}"
            );
        }
        assert_eq!(read_bytes("a.warc", compress(&warc)).texts(), ["a"]);
        assert_eq!(read_bytes("a.txt", compress(b"word")).texts(), ["word"]);
        let plain = read_bytes(&format!("a.jsonl.{extension}"), LINES);
        assert_eq!(plain.texts(), ["a", "b"], "{extension}: {plain:?}");
    }
    assert_eq!(read_bytes("a.warc.gz", &warc).texts(), ["a"]);
    let text = "BZh9 is how such files begin";
    assert_eq!(read_bytes("a.txt", text).texts(), [text]);
}

#[test]
fn what_is_neither_text_nor_compressed_is_told() {
    for (extension, _) in ALL {
        for rubbish in [b"\x07\x00 {\"text\":\"a\"}\n".as_slice(), b""] {
            let result = read_bytes(&format!("a.jsonl.{extension}"), rubbish);
            assert!(result.docs.is_empty());
            assert!(
                rubbish.is_empty() || result.skipped.len() == 1,
                "{extension}"
            );
        }
    }
}

#[test]
fn survivors_are_compressed_by_their_names() {
    let files = Files::new();
    files.add("in/a.jsonl", gzip(LINES.as_bytes()));
    files.add("in/b.jsonl.gz", LINES);
    let inputs = Inputs::open(&[files.path("in")], ReadOptions::default()).unwrap();
    let mut writer = SurvivorWriter::folder(&files.path("out")).unwrap();
    for index in 0..2 {
        inputs.copy_without(index, &[1], &mut writer).unwrap();
    }
    writer.finish().unwrap();
    let [a, b] = ["out/a.jsonl", "out/b.jsonl.gz"].map(|name| fs::read(files.path(name)).unwrap());
    assert!(a.ends_with(b"\"b\"}\n") && b.starts_with(b"\x1f\x8b"));
    assert_eq!(read(&files.path("out/b.jsonl.gz")).texts(), ["b"]);
}

#[test]
fn a_document_cut_short_is_not_half_read() {
    let mut bytes = gzip(many_lines().as_bytes());
    bytes.truncate(bytes.len() / 2);
    let result = read_bytes("a.txt.gz", bytes);
    assert!(result.docs.is_empty());
    assert_eq!(result.reasons(), ["the compressed data ends too early"]);
}
