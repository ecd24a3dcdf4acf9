use std::collections::{HashMap, HashSet};

use super::*;

/// The story on a page, without any of the furniture.
fn story_text(page: &Page) -> String {
    let start = page.html.find("<main>").expect("a main part");
    let end = page.html.find("</main>").expect("its end");
    text_of(&page.html[start..end])
}

/// All text between tags.
fn text_of(html: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for letter in html.chars() {
        match letter {
            '<' => inside = true,
            '>' => {
                inside = false;
                out.push(' ');
            }
            _ if !inside => out.push(letter),
            _ => {}
        }
    }
    for (entity, letter) in [
        ("&ldquo;", "“"),
        ("&rdquo;", "”"),
        ("&rsquo;", "’"),
        ("&pound;", "£"),
        ("&amp;", "&"),
    ] {
        out = out.replace(entity, letter);
    }
    out
}

fn grams(text: &str) -> HashSet<String> {
    let words: Vec<String> = text
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.windows(5).map(|five| five.join(" ")).collect()
}

fn jaccard(a: &HashSet<String>, b: &HashSet<String>) -> f64 {
    let both = a.intersection(b).count();
    both as f64 / (a.len() + b.len() - both) as f64
}

#[test]
fn the_same_seed_gives_the_same_pages() {
    let first: Vec<Page> = pages(42, 60).collect();
    let second: Vec<Page> = pages(42, 60).collect();
    assert_eq!(first, second);
    let other: Vec<Page> = pages(43, 60).collect();
    assert_ne!(first, other);
}

/// Fails if any page of the default corpus changes. It is meant to: results
/// that the guide quotes were made with these pages.
#[test]
fn the_default_corpus_never_changes() {
    let mut digest = 0xcbf2_9ce4_8422_2325_u64;
    for page in pages(42, 200) {
        for byte in page
            .id
            .bytes()
            .chain(page.url.bytes())
            .chain(page.html.bytes())
        {
            digest = (digest ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    assert_eq!(digest, 0x02a9_182a_71ac_fd10, "{digest:#x}");
}

#[test]
fn the_mix_is_as_promised() {
    let pages: Vec<Page> = pages(1, 200).collect();
    assert_eq!(pages.len(), 200);
    let ids: HashSet<&str> = pages.iter().map(|page| page.id.as_str()).collect();
    assert_eq!(ids.len(), 200, "ids are unique");
    let urls: HashSet<&str> = pages.iter().map(|page| page.url.as_str()).collect();
    assert_eq!(urls.len(), 200, "addresses are unique");

    let mut stories: HashMap<u32, Vec<u32>> = HashMap::new();
    for page in &pages {
        stories.entry(page.story).or_default().push(page.site);
    }
    let copied: Vec<&Vec<u32>> = stories.values().filter(|sites| sites.len() > 1).collect();
    assert_eq!(copied.len(), 35);
    for sites in &copied {
        assert!(sites.len() <= 6);
        let distinct: HashSet<&u32> = sites.iter().collect();
        assert_eq!(
            distinct.len(),
            sites.len(),
            "each copy stands on its own site"
        );
    }
    let sites: HashSet<u32> = pages.iter().map(|page| page.site).collect();
    assert_eq!(sites.len(), sites::ALL.len(), "every site occurs");
}

#[test]
fn any_number_of_pages_can_be_had() {
    for documents in [0, 1, 2, 3, 7, 11] {
        assert_eq!(pages(5, documents).count(), documents);
    }
    // The first pages of a very large corpus come at once.
    assert_eq!(pages(5, 1_000_000).take(3).count(), 3);
}

#[test]
fn copies_are_near_duplicates_and_strangers_are_not() {
    let pages: Vec<Page> = pages(9, 140).collect();
    let texts: Vec<HashSet<String>> = pages.iter().map(|page| grams(&story_text(page))).collect();
    let (mut sum, mut copies) = (0.0, 0.0);
    for a in 0..pages.len() {
        for b in a + 1..pages.len() {
            let score = jaccard(&texts[a], &texts[b]);
            if pages[a].story == pages[b].story {
                assert!(score > 0.6, "{} and {}: {score}", pages[a].id, pages[b].id);
                sum += score;
                copies += 1.0;
            } else {
                assert!(score < 0.1, "{} and {}: {score}", pages[a].id, pages[b].id);
            }
        }
    }
    let mean = sum / copies;
    assert!(
        (0.8..0.97).contains(&mean),
        "copies are alike, not equal: {mean}"
    );
}

#[test]
fn frames_have_the_size_of_frames() {
    for page in pages(4, 400) {
        let count = |text: &str| text.split_whitespace().count();
        let body = &page.html[page.html.find("<body>").expect("a body")..];
        let frame = count(&text_of(body)) - count(&story_text(&page));
        assert!((70..=370).contains(&frame), "{}: {frame} words", page.id);
    }
}

#[test]
fn markup_is_balanced() {
    const VOID: [&str; 5] = ["meta", "link", "br", "input", "!DOCTYPE"];
    for page in pages(11, 100) {
        let mut open: Vec<&str> = Vec::new();
        for piece in page.html.split('<').skip(1) {
            let tag = piece.split('>').next().expect("a tag");
            let name = tag
                .trim_start_matches('/')
                .split(' ')
                .next()
                .expect("a name");
            if tag.starts_with('/') {
                assert_eq!(open.pop(), Some(name), "{}", page.id);
            } else if !VOID.contains(&name) {
                open.push(name);
            }
        }
        assert!(open.is_empty(), "{}: {open:?}", page.id);
        assert!(page.html.contains("<h1>"));
    }
}
