//! The files that examples name, made for them: news pages of the demonstration, and mail.

use crate::formats::{html_response, mail, response};
use crate::texts::{BRIDGE, BRIDGE_EDITED, MUSEUM, STORM, line, news};
use crate::{Folder, gzip};
use serde_json::Value;
use std::fmt::Write as _;
use std::sync::OnceLock;

/// Makes a file or folder of a name.
type Make = fn(&Folder, &str);

/// Names as examples write them, and what makes the file or folder.
pub const FILES: &[(&str, Make)] = &[
    ("a.jsonl", |folder, name| folder.add(name, news())),
    ("archive/", |folder, name| {
        let [old, older] = [&pages()[..20], &pages()[20..30]].map(lines);
        folder.add(&format!("{name}2025.jsonl"), old);
        folder.add(&format!("{name}2024.jsonl.gz"), gzip(older.as_bytes()));
    }),
    ("articles.jsonl", |folder, name| {
        folder.add(name, lines(&pages()[..40]))
    }),
    ("collection/", collection),
    ("crawl.jsonl", |folder, name| {
        folder.add(name, lines(pages()))
    }),
    ("crawl.jsonl.zst", |folder, name| {
        folder.add(
            name,
            zstd::encode_all(lines(pages()).as_bytes(), 3).unwrap(),
        );
    }),
    ("crawl.warc.gz", crawl),
    ("incoming.jsonl", incoming),
    ("labels.csv", |folder, name| {
        let row = |pair: &[Value]| {
            let [a, b] = [&pair[0], &pair[1]].map(|page| page["id"].as_str().unwrap());
            let is_same = u8::from(pair[0]["story"] == pair[1]["story"]);
            format!("pages/{a}.html,pages/{b}.html,{is_same}\n")
        };
        let rows: String = pages().windows(2).map(row).collect();
        folder.add(name, format!("a,b,label\n{rows}"));
    }),
    ("mail.mbox", |folder, name| {
        folder.add(name, mbox(campaign_twins()))
    }),
    ("Maildir/", |folder, name| {
        for (number, mail) in campaign_twins().enumerate() {
            let state = ["new", "cur"][number % 2];
            folder.add(&format!("{name}{state}/{number}"), mail);
        }
    }),
    ("old-mail.mbox", |folder, name| {
        folder.add(
            name,
            mbox((0..200).map(|number| letter(number, "all", 100))),
        );
    }),
    ("pages/", |folder, name| {
        for page in pages() {
            let file = format!("{name}{}.html", page["id"].as_str().unwrap());
            folder.add(&file, page["html"].as_str().unwrap());
        }
    }),
    ("part-*.jsonl", |folder, name| {
        for (number, part) in pages().chunks(30).enumerate() {
            folder.add(&name.replace('*', &number.to_string()), lines(part));
        }
    }),
    ("spam/", |folder, name| {
        // Few of the first one's words are common: some of its signatures are rejected.
        folder.add(&format!("{name}campaign-01.eml"), letter(1_001, "you", 40));
        for number in 2..=20 {
            let file = format!("{name}campaign-{number:02}.eml");
            folder.add(&file, letter(1_000 + number, "you", 100));
        }
    }),
    ("stories.csv", |folder, name| {
        let rows = [BRIDGE, STORM, BRIDGE_EDITED, MUSEUM].iter().zip(1..);
        let rows = rows.map(|(text, number)| format!("{number},{text}\n"));
        folder.add(name, "id,story\n".to_owned() + &rows.collect::<String>());
    }),
    ("today.jsonl", |folder, name| {
        folder.add(name, lines(&pages()[30..]))
    }),
];

/// Pages of the demonstration corpus, some of them copies of others.
fn pages() -> &'static [Value] {
    static PAGES: OnceLock<Vec<Value>> = OnceLock::new();
    PAGES.get_or_init(|| {
        let folder = Folder::new();
        folder.run("demo --documents 60 --out demo.jsonl -q").ok();
        let text = folder.text("demo.jsonl");
        let pages = text.lines().map(|line| serde_json::from_str(line).unwrap());
        pages.collect()
    })
}

fn lines(pages: &[Value]) -> String {
    pages.iter().map(|page| format!("{page}\n")).collect()
}

/// A web archive with one story at two sites whose addresses the guide names, and a page
/// without sentences.
fn crawl(folder: &Folder, name: &str) {
    let pages = pages();
    let has_copy = |page: &&Value| {
        pages
            .iter()
            .filter(|other| other["story"] == page["story"])
            .count()
            > 1
    };
    let story = &pages.iter().find(has_copy).unwrap()["story"];
    let mut named = ["https://a.example/x", "https://b.example/y"].into_iter();
    let mut records = vec![response(
        "https://c.example/z",
        "Leeds 2 Hull 1 York 3 Ripon 0",
    )];
    for page in pages {
        let named = (page["story"] == *story).then(|| named.next()).flatten();
        let address = named.unwrap_or_else(|| page["url"].as_str().unwrap());
        records.push(html_response(address, page["html"].as_str().unwrap()));
    }
    let members = records.iter().flat_map(|record| gzip(record.as_bytes()));
    folder.add(name, members.collect::<Vec<u8>>());
}

/// One story in many formats.
fn collection(folder: &Folder, name: &str) {
    for (file, content) in [
        ("crawl.warc", response("https://a.example/", BRIDGE)),
        ("lines.jsonl", line("1", STORM) + &line("2", BRIDGE_EDITED)),
        ("mail/1.eml", mail("Museum", MUSEUM)),
        ("table.csv", format!("id,text\n3,{STORM}\n4,{MUSEUM}\n")),
        ("note.txt", BRIDGE.to_owned()),
    ] {
        folder.add(&format!("{name}{file}"), content);
    }
}

/// A message of a known campaign with one word left out, a new one, one that says too little
/// and a broken line.
fn incoming(folder: &Folder, name: &str) {
    let known = letter(1_017, "colleague", 100);
    let (_, known) = known.split_once("\n\n").unwrap();
    let common = COMMON.split_whitespace();
    let word = common
        .rev()
        .find(|word| known.contains(&format!(" {word} ")))
        .unwrap();
    let known = known.replacen(&format!(" {word} "), " ", 1);
    let new = letter(2_000, "friend", 100);
    let (_, new) = new.split_once("\n\n").unwrap();
    let row = |id: &str, text: &str| serde_json::json!({"id": id, "subject": "Hi", "text": text});
    let rows = [row("m1", &known), row("m2", new), row("m3", "Thank you")];
    let rows = rows.map(|row| format!("{row}\n"));
    folder.add(name, rows.concat() + "{broken\n");
}

/// Each of some campaigns twice, to other people.
fn campaign_twins() -> impl Iterator<Item = String> {
    (0..20).map(|number| {
        letter(
            1_000 + number / 2,
            ["Anna", "Bert"][number as usize % 2],
            100,
        )
    })
}

fn mbox(mails: impl Iterator<Item = String>) -> String {
    let begin = "From a@example.org Mon Jan  1 00:00:00 2024\n";
    mails.map(|mail| format!("{begin}{mail}\n")).collect()
}

/// Words that a quarter of all mails have, each of them.
const COMMON: &str = "account address answer balance before between business claim client confirm contact contract credit
    customer deliver details discount download enquiry estimate expires family finance follow forward future general
    holiday important insurance interest invoice limited manager market meeting member message minutes offer office
    opinion order package payment people phone policy present price product profit program promise quality question
    receive regards reply request reward sample schedule secure selected service shipping shopping signature special
    standard success support ticket today travel update urgent value version visit welcome window winner world";

/// A mail made from a number: `share` per cent of the common words that it could have, and
/// forty words of its own.
fn letter(number: u64, to: &str, share: u64) -> String {
    let mut text = format!("Subject: Hi\n\nDear {to},");
    for (word, at) in COMMON.split_whitespace().zip(0..) {
        if mixed(number, at) % 100 < 28 && mixed(at, number) % 100 < share {
            write!(text, " {word} ").unwrap();
        }
    }
    for at in 0..40 {
        let mut own = mixed(number, 1_000 + at);
        text.push(' ');
        for _ in 0..6 {
            text.push(char::from(b'a' + u8::try_from(own % 26).unwrap()));
            own /= 26;
        }
    }
    text + "\n"
}

/// A number without pattern from two others.
fn mixed(a: u64, b: u64) -> u64 {
    let mut x =
        (a + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (b + 1).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    for _ in 0..2 {
        x = (x ^ (x >> 31)).wrapping_mul(0x94d0_49bb_1331_11eb);
    }
    x >> 8
}
