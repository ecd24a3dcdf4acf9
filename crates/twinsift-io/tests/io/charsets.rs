//! Bytes of many charsets.

use super::read_bytes;

const RUSSIAN: &str = "Съешь же ещё этих мягких французских булок, да выпей чаю. Привет, мир!";
const JAPANESE: &str = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。";
const FRENCH: &str = "Dès Noël où un zéphyr haï me vêt de glaçons würmiens, à l'été déjà passé.";

fn encode(label: &str, text: &str) -> Vec<u8> {
    let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
    encoding.encode(text).0.into_owned()
}

#[test]
fn texts_are_guessed() {
    for (label, text) in [
        ("windows-1251", RUSSIAN),
        ("koi8-r", RUSSIAN),
        ("shift_jis", JAPANESE),
        ("euc-jp", JAPANESE),
        ("iso-8859-1", FRENCH),
        ("utf-8", JAPANESE),
    ] {
        assert_eq!(
            read_bytes("a.txt", encode(label, text)).texts(),
            [text],
            "{label}"
        );
    }
}

#[test]
fn a_few_bad_bytes_do_not_change_the_charset() {
    for text in [RUSSIAN, JAPANESE, FRENCH] {
        let broken = [text.as_bytes(), b" \xff ", text.as_bytes()].concat();
        let expected = format!("{text} \u{fffd} {text}");
        assert_eq!(read_bytes("a.txt", &broken).texts(), [expected.as_str()]);
        assert_eq!(read_bytes("a.html", &broken).texts(), [expected.as_str()]);
        let mail = [b"Subject: s\n\n", broken.as_slice()].concat();
        assert_eq!(
            read_bytes("a.eml", mail).texts(),
            [format!("s\n\n{expected}")]
        );
    }
    let cut_inside = "un café, deux café".as_bytes();
    let cut_inside = &cut_inside[..cut_inside.len() - 1];
    assert_eq!(
        read_bytes("a.txt", cut_inside).texts(),
        ["un café, deux caf\u{fffd}"]
    );
}

#[test]
fn other_charsets_are_not_taken_for_damaged_utf_8() {
    let chinese = "中华人民共和国国务院总理今天在北京会见了来访的外国客人。";
    let thai = "ประเทศไทยมีชื่ออย่างเป็นทางการว่าราชอาณาจักรไทย";
    for (label, text) in [
        ("windows-1252", "café naïve"),
        ("windows-1252", "un café"),
        ("windows-1252", "“Grüße” – à l’été"),
        ("gbk", chinese),
        ("windows-874", thai),
    ] {
        assert_eq!(read_bytes("a.txt", encode(label, text)).texts(), [text]);
    }
}

#[test]
fn marks_decide() {
    assert_eq!(read_bytes("a.txt", "\u{feff}abc").texts(), ["abc"]);
    let mut bytes = vec![0xff, 0xfe];
    bytes.extend("Grüße 猫".encode_utf16().flat_map(u16::to_le_bytes));
    assert_eq!(read_bytes("a.txt", &bytes).texts(), ["Grüße 猫"]);
    let mut bytes = vec![0xfe, 0xff];
    bytes.extend("<p>Grüße 猫".encode_utf16().flat_map(u16::to_be_bytes));
    assert_eq!(read_bytes("a.html", &bytes).texts(), ["Grüße 猫"]);
}

#[test]
fn pages_declare_their_charset() {
    for (label, declaration, text) in [
        ("windows-1251", "<meta charset=windows-1251>", RUSSIAN),
        (
            "shift_jis",
            "<META http-equiv=\"Content-Type\" content=\"text/html; charset=Shift_JIS\">",
            JAPANESE,
        ),
        (
            "iso-8859-1",
            "<?xml version=\"1.0\" encoding='ISO-8859-1'?>",
            FRENCH,
        ),
        (
            "windows-1251",
            "<!-- <meta charset=utf-8> --><meta charset = 'windows-1251' />",
            RUSSIAN,
        ),
        ("utf-8", "<meta charset=\"utf-16\">", RUSSIAN),
        ("utf-8", "<meta charset=\"no-such-thing\">", RUSSIAN),
        ("windows-1251", "", RUSSIAN),
    ] {
        let page = encode(label, &format!("{declaration}<p>{text}"));
        assert_eq!(
            read_bytes("a.html", page).texts(),
            [text],
            "{label} {declaration}"
        );
    }
}

#[test]
fn wrong_declarations_never_fail() {
    let page = encode("windows-1251", &format!("<meta charset=utf-8><p>{RUSSIAN}"));
    let result = read_bytes("a.html", page);
    assert!(result.docs[0].text.contains('\u{fffd}'));
}
