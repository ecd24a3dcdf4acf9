//! Mails and mailboxes.

use super::{Doc, Files, read_bytes, read_with};
use twinsift_io::{Content, FieldNames, ReadOptions};

#[test]
fn a_mail_is_subject_and_body() {
    let mail = "From: a@b\r\nSubject: =?utf-8?B?R3LDvMOfZQ==?=\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\
                Content-Transfer-Encoding: quoted-printable\r\n\r\nsch=F6n=\r\ner\r\n";
    let result = read_bytes("a.eml", mail);
    assert_eq!(result.texts(), ["Grüße\n\nschöner\r\n"]);
    assert_eq!(result.docs[0].title.as_deref(), Some("Grüße"));
    assert!(result.ids()[0].ends_with("/a.eml"));
}

#[test]
fn the_plain_part_is_preferred_and_attachments_are_ignored() {
    let mail = "Subject: s\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=o\n\n\
        --o\nContent-Type: multipart/alternative; boundary=i\n\n\
        --i\nContent-Type: text/plain\n\nplain\n--i\nContent-Type: text/html\n\n<p>html</p>\n--i--\n\
        --o\nContent-Type: text/plain\nContent-Disposition: attachment; filename=x.txt\n\nattached\n--o--\n";
    assert_eq!(read_bytes("a.eml", mail).texts(), ["s\n\nplain"]);
}

#[test]
fn html_stands_in_where_the_plain_part_is_empty_or_missing() {
    let only = "Subject: s\nContent-Type: text/html; charset=utf-8\n\n<style>x</style><p>a<p>b\n";
    assert_eq!(read_bytes("a.eml", only).texts(), ["s\n\na\nb"]);
    let blank = "Subject: s\nContent-Type: multipart/alternative; boundary=i\n\n\
        --i\nContent-Type: text/plain\n\n \n--i\nContent-Type: text/html\n\n<p>html</p>\n--i--\n";
    assert_eq!(read_bytes("a.eml", blank).texts(), ["s\n\nhtml"]);
}

#[test]
fn parts_without_an_end_are_read() {
    let cut = "Subject: s\nContent-Type: multipart/mixed; boundary=X\n\n--X\nContent-Type: text/plain; charset=iso-8859-1\n\nsold in K\u{f6}ln\n";
    let cut: Vec<u8> = cut.chars().map(|letter| letter as u8).collect();
    assert_eq!(read_bytes("a.eml", cut).texts(), ["s\n\nsold in Köln"]);
    let nested = "Subject: s\nContent-Type: multipart/mixed; BOUNDARY=\"a b\"\n\n--a b\n\
        Content-Type: multipart/alternative; boundary=B\n\n\
        --B\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\nPHA+b25lPC9wPg==\n";
    assert_eq!(read_bytes("a.eml", nested).texts(), ["s\n\none"]);
    let inner = "Subject: s\nContent-Type: multipart/mixed; boundary=A\n\n--A\n\
        Content-Type: multipart/alternative; boundary=B\n\n--B\nContent-Type: text/plain\n\none\n--A--\n";
    assert_eq!(read_bytes("a.eml", inner).texts(), ["s\n\none"]);
    let more = inner.replace("--A--", "--A\nContent-Type: text/plain\n\ntwo\n--A--");
    for mail in [
        more.clone(),
        more.replace('\n', "\r\n"),
        more.replace("--A--", ""),
    ] {
        let text = read_bytes("a.eml", &mail).texts().join("");
        let words: Vec<_> = text.split_whitespace().collect();
        assert_eq!(words, ["s", "one", "two"], "{mail:?}");
    }
    // A boundary may begin like another one, and two parts may lack their ends.
    let deep = "Subject: s\nContent-Type: multipart/mixed; boundary=A\n\n--A\n\
        Content-Type: multipart/mixed; boundary=AB\n\n--AB\n\
        Content-Type: multipart/alternative; boundary=C\n\n--C\nContent-Type: text/plain\n\none\n\
        --A\nContent-Type: text/plain\n\ntwo\n--A--\n";
    let text = read_bytes("a.eml", deep).texts().join("");
    let words: Vec<_> = text.split_whitespace().collect();
    assert_eq!(words, ["s", "one", "two"]);
}

#[test]
fn what_a_person_could_read_counts_whatever_its_type() {
    for (kind, body) in [
        ("garbage", "the body"),
        ("multipart/mixed", "the body"),
        ("multipart/mixed; boundary=A", "the body"),
        ("text/enriched", "<bold>the</bold> body"),
    ] {
        let mail = format!("Subject: s\nContent-Type: {kind}\n\n{body}\n");
        let texts = read_bytes("a.eml", &mail).texts().join("");
        assert_eq!(texts.trim_end(), "s\n\nthe body", "{kind}");
    }
    let pdf =
        "Subject: s\nContent-Type: application/pdf\nContent-Transfer-Encoding: base64\n\nb25l\n";
    assert_eq!(read_bytes("a.eml", pdf).texts(), ["s\n\n"]);
}

#[test]
fn a_footer_behind_an_encoded_body_does_no_harm() {
    for (kind, code) in [("plain", "b25lIHR3bw=="), ("html", "PHA+b25lIHR3bzwvcD4=")] {
        let mail = format!(
            "Subject: s\nContent-Type: text/{kind}\nContent-Transfer-Encoding: base64\n\n{code}\n\n-------\na list\n"
        );
        let words = read_bytes("a.eml", &mail).texts().join("");
        let words: Vec<&str> = words.split_whitespace().collect();
        assert_eq!(words, ["s", "one", "two", "-------", "a", "list"], "{kind}");
    }
}

#[test]
fn bytes_without_a_charset_are_guessed() {
    let mut mail = b"Subject: s\n\n".to_vec();
    let russian = "Привет, как дела? Съешь ещё этих мягких булок.";
    let encoding = encoding_rs::Encoding::for_label(b"windows-1251").unwrap();
    mail.extend(encoding.encode(russian).0.iter());
    assert_eq!(
        read_bytes("a.eml", mail).texts(),
        [format!("s\n\n{russian}")]
    );
}

#[test]
fn what_is_called_ascii_and_is_not_is_guessed() {
    for charset in ["us-ascii", "US-ASCII", "\"ascii\"", "ANSI_X3.4-1968"] {
        for (kind, encoding, body) in [
            ("plain", "8bit", "un café, deux cafés"),
            ("html", "8bit", "<p>un café, deux cafés"),
            ("plain", "quoted-printable", "un caf=C3=A9, deux caf=C3=A9s"),
            ("plain", "base64", "dW4gY2Fmw6ksIGRldXggY2Fmw6lz"),
        ] {
            let mail = format!(
                "Subject: s\nContent-Type: text/{kind}; charset={charset}\n\
                 Content-Transfer-Encoding: {encoding}\n\n{body}"
            );
            let texts = read_bytes("a.eml", mail);
            assert_eq!(
                texts.texts(),
                ["s\n\nun café, deux cafés"],
                "{charset} {body}"
            );
        }
    }
    let part = "Content-Type: text/plain; charset=us-ascii\n\nun café\n";
    let parts = format!(
        "Subject: s\nContent-Type: multipart/mixed; boundary=o\n\n--o\n{part}--o\n{part}--o--\n"
    );
    assert_eq!(
        read_bytes("a.eml", parts).texts(),
        ["s\n\nun café\n\nun café"]
    );
    let french = b"Subject: s\nContent-Type: text/plain; charset=us-ascii\n\nun caf\xe9, na\xefve";
    assert_eq!(read_bytes("a.eml", french).texts(), ["s\n\nun café, naïve"]);
}

#[test]
fn bare_bytes_in_subjects_and_encoded_parts_are_decoded() {
    let encoding = encoding_rs::Encoding::for_label(b"windows-1251").unwrap();
    let russian = "Привет, как дела? Съешь ещё этих мягких булок.";
    let bytes = encoding.encode(russian).0;
    let mut mail = b"Subject: ".to_vec();
    mail.extend(bytes.iter());
    mail.extend(b"\nContent-Type: text/plain; charset=windows-1251\n\n");
    mail.extend(bytes.iter());
    let result = read_bytes("a.eml", mail);
    assert_eq!(result.texts(), [format!("{russian}\n\n{russian}")]);
    assert_eq!(result.docs[0].title.as_deref(), Some(russian));
    let quoted: String = bytes.iter().map(|byte| format!("={byte:02X}")).collect();
    let mail = format!("Subject: s\nContent-Transfer-Encoding: quoted-printable\n\n{quoted}");
    assert_eq!(
        read_bytes("a.eml", mail).texts(),
        [format!("s\n\n{russian}")]
    );
}

#[test]
fn characters_split_over_encoded_words_are_whole() {
    for (subject, expected) in [
        (
            "=?utf-8?Q?un_caf=C3?=\n =?UTF-8?Q?=A9_noir?=",
            "un café noir",
        ),
        (
            "Re: =?utf-8?B?Y2Fmww==?= =?utf-8*fr?B?qSE=?= ok",
            "Re: café! ok",
        ),
        ("=?utf-8?B?Y2Fmww==?=\r\n\t=?utf-8?q?=A9?=", "café"),
        (
            "=?gb2312?B?1tA=?= =?gb2312?B?uQ==?= =?gb2312?B?+g==?=",
            "中国",
        ),
        (
            "=?utf-8?Q?caf=C3?= =?utf-8?Q?=A9?= =?iso-8859-1?Q?=E9?=",
            "caféé",
        ),
        (
            "=? =?utf-8?x?y?= =?utf-8?Q?=C3?==?utf-8?Q?=A9?=",
            "=? =?utf-8?x?y?= é",
        ),
        (
            "=?utf-8?Q?=C3?= and =?utf-8?Q?=A9?=",
            "\u{fffd} and \u{fffd}",
        ),
    ] {
        let mail = format!("Subject: {subject}\n\nbody\n");
        let result = read_bytes("a.eml", mail);
        assert_eq!(result.docs[0].title.as_deref(), Some(expected), "{subject}");
    }
}

#[test]
fn a_raw_mail_is_one_mail_whatever_its_lines_say() {
    let mail = "From x@y Thu Sep 19 17:52:00 2002\nSubject: s\n\na\n\nFrom here on it goes on\n";
    let result = read_bytes("a.eml", mail);
    assert_eq!(result.texts(), ["s\n\na\n\nFrom here on it goes on\n"]);
}

#[test]
fn a_mailbox_is_cut_at_from_lines_after_blank_ones() {
    let mbox = "From a Thu\nSubject: 1\n\none\nFrom inside\n\nFrom b Thu\r\nSubject: 2\r\n\r\ntwo\r\n\r\nFrom c Thu\nSubject: 3\n\nthree";
    let result = read_bytes("a.mbox", mbox);
    assert_eq!(result.records(), [1, 2, 3]);
    let titles: Vec<_> = result
        .docs
        .iter()
        .map(|doc| doc.title.as_deref().unwrap())
        .collect();
    assert_eq!(titles, ["1", "2", "3"]);
    assert!(result.docs[0].text.contains("From inside"));
    assert!(result.ids()[1].ends_with("a.mbox:2"));
}

/// Places in a mailbox say nothing, and change with the next mail; files have names.
#[test]
fn mails_of_a_mailbox_are_named_by_their_message_id() {
    let boxed = |header: &str| format!("From a Thu\n{header}Subject: s\n\ntext\n\n");
    let mbox = [
        "Message-ID: <one@example.org>\n",
        "Message-Id:\n <two:2@example.org>\n",
        "Message-ID: <one@example.org>\n",
        "",
        "Message-ID: <>\n",
        "Message-ID: no name\n",
        // No sender takes the name of a place.
        "Message-ID: <a@b.mbox:4>\n",
    ];
    let result = read_bytes("a@b.mbox", mbox.map(boxed).concat());
    let ids = result.ids();
    assert_eq!(
        ids[..3],
        ["one@example.org", "two:2@example.org", "one@example.org"]
    );
    let second = result.docs[2].second_id.as_deref();
    assert!(second.unwrap().ends_with("a@b.mbox:3"), "{second:?}");
    for (record, id) in (4..).zip(&ids[3..]) {
        assert!(id.ends_with(&format!("a@b.mbox:{record}")), "{id}");
    }
    let file = read_bytes("a.eml", "Message-ID: <one@example.org>\n\ntext");
    assert!(file.ids()[0].ends_with("/a.eml"));
}

#[test]
fn blank_lines_before_the_first_message_are_passed_over() {
    for blank in ["\n", "\r\n", "\n \n\r\n", &"\n".repeat(3 << 20)] {
        let mbox = format!("{blank}From a Thu\nSubject: 1\n\none\n\nFrom b Thu\nSubject: 2\n");
        let result = read_bytes("a.mbox", mbox);
        assert_eq!(result.records(), [1, 2]);
        assert_eq!(result.docs[0].title.as_deref(), Some("1"));
        assert!(result.skipped.is_empty());
    }
    let nothing = read_bytes("a.mbox", "\n \r\n");
    assert!(nothing.docs.is_empty() && nothing.skipped.is_empty());
}

#[test]
fn a_paragraph_may_begin_like_a_mailbox() {
    let from = "From a@b Mon Jan  1 00:00:00 2024\n";
    let mbox = format!(
        "{from}Subject: 1\n\none\n\nFrom here on we go to the lake.\nBye\n\n{from}Subject: 2\n\ntwo\n\nFrom now on"
    );
    let times = format!("{from}Subject: 1\n\none\n\nFrom 9:30 on Mon Jan 1 we are open.\nBye\n");
    assert_eq!(read_bytes("a.mbox", times).docs.len(), 1);
    let texts = [
        "1\n\none\n\nFrom here on we go to the lake.\nBye\n",
        "2\n\ntwo\n\nFrom now on",
    ];
    let result = read_bytes("a.mbox", &mbox);
    let trimmed: Vec<_> = result.texts().iter().map(|text| text.trim_end()).collect();
    assert_eq!(trimmed, texts.map(str::trim_end));
    // Wherever what is in sight at first may end.
    let long = "word ".repeat(60_000);
    for shift in 0..60 {
        let filler = "x".repeat(shift);
        let first = format!("{from}Subject: 1\n\n{long}{filler}\n\n");
        let mbox = format!("{first}{from}Subject: 2\n\ntwo\n\n").repeat(4);
        assert_eq!(read_bytes("a.mbox", &mbox).docs.len(), 8, "{shift}");
    }
}

#[test]
fn mailboxes_may_be_put_together_without_a_blank_line() {
    for from in [
        "From a@b Mon Jan  1 00:00:00 2024",
        "From - Mon Jan 01 00:00:00 2024",
        "From a@b  Mon Jan 1 00:00 2024 +0100",
        "From 17@xxx Mon Jan 01 00:00:00 +0000 2024\r",
    ] {
        let one = format!("{from}\nSubject: 1\n\none\n");
        let two = format!("{from}\nSubject: 2\n\ntwo");
        let result = read_bytes("a.mbox", format!("{one}{two}"));
        assert_eq!(result.texts(), ["1\n\none\n", "2\n\ntwo"], "{from}");
    }
    // Without a header behind it, or without a date, it is part of the text.
    for line in [
        "From a@b Mon Jan  1 00:00:00 2024\nhe wrote",
        "From Mon Jan 1 on\nNote: closed",
        "From a@b\nSubject: 2",
    ] {
        let mbox = format!("From a@b Mon Jan  1 00:00:00 2024\nSubject: 1\n\none\n{line}\n\ntwo");
        assert_eq!(read_bytes("a.mbox", mbox).docs.len(), 1, "{line}");
    }
}

#[test]
fn what_is_no_mail_is_skipped() {
    assert_eq!(read_bytes("a.eml", "").reasons(), ["not a mail"]);
}

#[test]
fn nested_parts_do_not_overflow() {
    let mut mail = String::from("Subject: s\nContent-Type: message/rfc822\n\n");
    for _ in 0..20_000 {
        mail.push_str("Content-Type: message/rfc822\n\n");
    }
    mail.push_str("Subject: inner\n\nx\n");
    assert_eq!(read_bytes("a.eml", &mail).docs.len(), 1);
    let mut mail = String::from("Subject: s\n");
    for level in 0..20_000 {
        mail.push_str(&format!(
            "Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n"
        ));
    }
    mail.push_str("\nx\n");
    assert_eq!(read_bytes("a.eml", &mail).docs.len(), 1);
}

/// The one mail in `bytes`, with the names of fields that a user gives.
fn row(name: &str, bytes: &str, fields: FieldNames) -> Doc {
    let files = Files::new();
    let path = files.add(name, bytes);
    let options = ReadOptions {
        fields,
        ..ReadOptions::default()
    };
    read_with(&[path], options).docs.remove(0)
}

/// A mail says the same whatever it comes in.
#[test]
fn a_row_with_a_subject_and_a_text_is_a_mail() {
    let mail = read_bytes("a.eml", "Subject: Great offer\n\nBuy now")
        .docs
        .remove(0);
    for (name, bytes) in [
        ("a.jsonl", r#"{"subject":"Great offer","text":"Buy now"}"#),
        ("a.jsonl", r#"{"Subject":" Great offer ","body":"Buy now"}"#),
        (
            "a.json",
            r#"[{"subject":"Great offer","html":"<p>Buy now"}]"#,
        ),
        ("a.csv", "subject,text\nGreat offer,Buy now\n"),
        ("a.tsv", "subject\ttext\nGreat offer\tBuy now\n"),
    ] {
        let row = row(name, bytes, FieldNames::default());
        assert_eq!(row.text, mail.text, "{bytes}");
        assert_eq!(row.title.as_deref().map(str::trim), mail.title.as_deref());
    }
    // A mail may be all subject; but a subject alone is no mail.
    let usual = FieldNames::default;
    let row = row("a.jsonl", r#"{"subject":"Great offer","text":""}"#, usual());
    assert_eq!(row.text, "Great offer");
    let result = read_bytes("a.jsonl", r#"{"subject":"Great offer"}"#);
    assert_eq!(result.docs, []);
}

#[test]
fn which_field_is_a_subject_can_be_said() {
    let line = r#"{"subject":"s","topic":"t","text":"x"}"#;
    let with = |fields: FieldNames| {
        let doc = row("a.jsonl", line, fields);
        (doc.text, doc.title)
    };
    let name = |name: &str| Some(name.to_owned());
    let topic = FieldNames {
        subject: name("topic"),
        ..FieldNames::default()
    };
    assert_eq!(with(topic), ("t\n\nx".to_owned(), name("t")));
    let none = FieldNames {
        subject: name("none"),
        ..FieldNames::default()
    };
    assert_eq!(with(none), ("x".to_owned(), None));
    // What is named as something else is not guessed to be a subject.
    let title = FieldNames {
        title: name("subject"),
        ..FieldNames::default()
    };
    assert_eq!(with(title), ("x".to_owned(), name("s")));
    let text = FieldNames {
        text: name("subject"),
        ..FieldNames::default()
    };
    assert_eq!(with(text), ("s".to_owned(), None));
    // Articles have titles, and are about something.
    let article = r#"{"title":"a","subject":"politics","text":"x"}"#;
    let article = row("a.jsonl", article, FieldNames::default());
    assert_eq!(
        (article.text.as_str(), article.title.as_deref()),
        ("x", Some("a"))
    );
}

/// Where pages themselves are wanted, a mail is put into one, subject and all.
#[test]
fn a_mail_in_a_row_is_a_page_where_pages_are_wanted() {
    let files = Files::new();
    let paths = [
        files.add("a.eml", "Subject: s\n\nx"),
        files.add("b.jsonl", r#"{"subject":"s","text":"x"}"#),
    ];
    let options = ReadOptions {
        content: Content::Html,
        ..ReadOptions::default()
    };
    let result = read_with(&paths, options);
    assert_eq!(result.docs[0].text, result.docs[1].text);
}

#[test]
fn encoded_words_that_nothing_ends_do_not_take_forever() {
    // The first word makes the subject be decoded again.
    let subject = format!("=?utf-8?q?=ff?= {}", "=?x?q?y".repeat(150_000));
    let mail = format!("From: a@b\nSubject: {subject}\n\nbody\n");
    let started = std::time::Instant::now();
    let result = read_bytes("a.eml", mail);
    assert!(result.texts()[0].ends_with("body\n") || result.texts()[0].ends_with("body"));
    assert!(started.elapsed() < std::time::Duration::from_secs(60));
}
