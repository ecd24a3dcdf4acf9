//! From pages to text.

use std::time::{Duration, Instant};

use twinsift_io::{Content, ReadOptions};

use super::{Files, read_bytes, read_with};

fn text(html: &str) -> String {
    read_bytes("a.html", html).docs.remove(0).text
}

fn main_text(html: &str) -> String {
    let files = Files::new();
    let path = files.add("a.html", html);
    let options = ReadOptions {
        content: Content::Main,
        ..ReadOptions::default()
    };
    read_with(&[path], options).docs.remove(0).text
}

#[test]
fn blocks_end_lines_and_inline_elements_do_not_split_words() {
    assert_eq!(text("<div>a<p>b</p>c<br>d</div>"), "a\nb\nc\nd");
    assert_eq!(
        text("un<b>believ</b>able <i>x</i>\n <u>y</u>"),
        "unbelievable x y"
    );
    assert_eq!(text("<table><tr><td>a<td>b<tr><td>c</table>"), "a\nb\nc");
    assert_eq!(text("<ul><li>a<li>b</ul>"), "a\nb");
    assert_eq!(text("  a \n\t b  "), "a b");
}

#[test]
fn titles_are_kept_apart() {
    let doc = read_bytes(
        "a.html",
        "<head><title> A &amp;\n B </title></head><body>text",
    )
    .docs
    .remove(0);
    assert_eq!(doc.title.as_deref(), Some("A & B"));
    assert_eq!(doc.text, "text");
    let doc = read_bytes("a.html", "<svg><title>no</title></svg><title>yes</title>x")
        .docs
        .remove(0);
    assert_eq!(doc.title.as_deref(), Some("yes"));
    assert_eq!(read_bytes("a.html", "x").docs[0].title, None);
}

#[test]
fn what_is_not_shown_is_not_text() {
    assert_eq!(
        text("a<script>if (1 < 2) document.write('<p>no</p>')</script>b"),
        "a\nb"
    );
    assert_eq!(
        text("<style>p > a { x }</style>a<!-- no <p> --><noscript>no</noscript>"),
        "a"
    );
    assert_eq!(
        text("<template>no<p>no<template>no</template>no</template>yes"),
        "yes"
    );
    assert_eq!(
        text("<select><option>no<option>no</select>yes<textarea>no</textarea>"),
        "yes"
    );
    assert_eq!(
        text("<iframe>no</iframe><svg><style/><text>x</text></svg>yes"),
        "xyes"
    );
    assert_eq!(text("<script>never closed"), "");
    assert_eq!(text("<!DOCTYPE html><?php no ?>a<![CDATA[no]]>b"), "ab");
}

#[test]
fn empty_elements_of_xhtml_are_empty() {
    let page = "<html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title/><script src=\"x\"/><style />\
        </head><body>a<textarea/>b<select/>c<template/>d<iframe src='y' />e</body></html>";
    let words = "a\nb\nc\nd\ne";
    assert_eq!(text(page), words);
    assert_eq!(
        text(&page.replace("\"http", "'http").replace("xhtml\"", "xhtml'")),
        words
    );
    let declared = page.replace(" xmlns=\"http://www.w3.org/1999/xhtml\"", "");
    let declared = format!("<?xml version=\"1.0\"?>\n{declared}");
    assert_eq!(text(&declared), words);
    assert_eq!(
        text(&declared.replace("<title/>", "<title>T</title>")),
        words
    );
}

#[test]
fn elements_without_an_end_do_not_swallow_the_page() {
    // As in a browser, if there is an end.
    assert_eq!(text("a<script src='x'/>no</script>b"), "a\nb");
    assert_eq!(text("<title/>no</title>a"), "a");
    assert_eq!(text("<title/><script src='x'/>a<p>b<iframe/>c"), "a\nb\nc");
    assert_eq!(text("<title>A title<body><p>b"), "A title\nb");
    let doc = read_bytes(
        "a.html",
        "<title>T</title>a<svg><title>b</svg><script/>c<title>d",
    )
    .docs
    .remove(0);
    assert_eq!(doc.title.as_deref(), Some("T"));
    assert_eq!(doc.text, "a\nb\nc\nd");
    // A page that is cut off within a script.
    assert_eq!(text("<p>a<script src='x'/>b<script>if (c)"), "a\nb");
    let many = "<title><textarea/><script/>".repeat(100_000);
    assert_eq!(text(&format!("{many}a")), "a");
}

#[test]
fn entities_are_decoded() {
    assert_eq!(
        text("&lt;b&gt; &eacute;&#233;&#xE9; &copy &nosuch; &#0;&#xD800;"),
        "<b> ééé © &nosuch; \u{fffd}\u{fffd}"
    );
    assert_eq!(text("a&nbsp;b"), "a\u{a0}b");
}

#[test]
fn preformatted_text_keeps_its_lines() {
    assert_eq!(text("x<pre>a\n  b</pre>y"), "x\na\n  b\ny");
}

#[test]
fn odd_markup_is_read_all_the_same() {
    assert_eq!(text("a < b <3 </> x"), "a < b <3 x");
    assert_eq!(text("<p"), "");
    assert_eq!(text("a<p attr='>'>b"), "a\nb");
    assert_eq!(text("<P>a</P><BR/>b"), "a\nb");
}

#[test]
fn absurd_nesting_is_neither_deep_nor_slow() {
    let start = Instant::now();
    for open in ["<div>", "<b>", "<span></x>", "<template>", "<svg>", "<pre>"] {
        let html = format!("{}text", open.repeat(1_000_000));
        let expected = if open == "<template>" { "" } else { "text" };
        assert_eq!(text(&html), expected, "{open}");
        if open.contains("div") || open.contains("span") {
            assert_eq!(main_text(&html), expected, "{open}");
        }
    }
    assert!(start.elapsed() < Duration::from_secs(120));
}

#[test]
fn many_attributes_do_not_pile_up() {
    for (attribute, count) in [
        ("a=\"x\" ", 200_000),
        ("a=\" x\"\n", 20_000),
        ("b='x' ", 9000),
    ] {
        for tag in ["p", "/p"] {
            let attributes = attribute.repeat(count);
            let page = format!("<p>\"one\" two<{tag} {attributes}>\"three\" four \"five\" six</p>");
            assert_eq!(text(&page), "\"one\" two\n\"three\" four \"five\" six");
            assert_eq!(main_text(&page), text(&page));
        }
    }
    // A tag that never ends.
    assert_eq!(text(&format!("one<p {}", "a=\"x\" ".repeat(50_000))), "one");
}

fn news_page() -> String {
    let menu: String = (0..60)
        .map(|n| format!("<li><a href='/{n}'>Menu entry {n}</a></li>"))
        .collect();
    let story: String = (0..12)
        .map(|n| {
            format!(
                "<p>Paragraph {n} of the story, which goes on for a good while, has commas, and says \
                 what happened, who was there, and why it matters to those who read it.</p>"
            )
        })
        .collect();
    format!(
        "<html><head><title>The story</title></head><body><nav><ul>{menu}</ul></nav>\
         <div id='content'><article><h1>The story</h1>{story}</article></div>\
         <footer><p>Imprint and privacy</p></footer></body></html>"
    )
}

#[test]
fn main_content_is_the_story() {
    let whole = text(&news_page());
    let main = main_text(&news_page());
    assert!(whole.contains("Menu entry 7") && whole.contains("Imprint"));
    assert!(main.contains("Paragraph 0 of") && main.contains("Paragraph 11 of"));
    assert!(
        !main.contains("Menu entry") && !main.contains("Imprint"),
        "{main}"
    );
}

#[test]
fn without_main_content_it_is_the_whole_page() {
    assert_eq!(main_text("<p>short"), "short");
    assert_eq!(main_text(""), "");
    let deep = format!("{}{}", "<div>".repeat(2000), news_page());
    assert!(main_text(&deep).contains("Menu entry 7"));
}
