//! The pages in a real browser: browse, answer by keys, undo, a kill in the middle, and a model.

use super::{Review, collection};
use crate::browser::{Chromium, page_faults};
use std::time::{Duration, Instant};

/// The words of a page.
fn words(browser: &Chromium) -> String {
    browser
        .evaluate("document.querySelector('main').innerText")
        .as_str()
        .unwrap()
        .to_owned()
}

/// Asks for a page until it holds something.
fn wait_for(browser: &Chromium, address: &str, part: &str) {
    let deadline = Instant::now() + Duration::from_secs(120);
    loop {
        browser.go(address);
        let there = format!("!!document.querySelector({})", serde_json::json!(part));
        if browser.evaluate(&there) == true {
            return;
        }
        assert!(Instant::now() < deadline, "{address}: {}", words(browser));
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// The pair that is asked about.
fn asked(browser: &Chromium) -> String {
    let pair = "['a', 'b'].map(name => document.querySelector(`.bar [name=${name}]`).value).join()";
    browser.evaluate(pair).as_str().unwrap().to_owned()
}

#[test]
fn a_reader_teaches_a_detector_and_uses_it() {
    let folder = collection();
    let line = "pages.jsonl --labels labels.csv -o mine.json";
    let review = Review::start(&folder, line);
    let browser = Chromium::start();
    browser.show_as(1280, "light");
    browser.go(&review.url(&review.token));
    wait_for(&browser, &review.url("/question"), ".bar");
    // Blind: neither a score nor a reason before the answer.
    let reasons = "document.querySelectorAll('.reasons').length";
    assert_eq!(browser.evaluate(reasons), 0);
    let first = asked(&browser);
    browser.press("s");
    assert!(
        words(&browser).contains("Saved: the same"),
        "{}",
        words(&browser)
    );
    assert_ne!(asked(&browser), first);
    assert_eq!(browser.evaluate(reasons), 1);
    for key in ["d", "u", "s", "d", "n"] {
        browser.press(key);
    }
    let rows = |expected: usize| {
        let text = folder.text("labels.csv");
        assert_eq!(text.lines().count(), 1 + expected, "{text}");
        text
    };
    assert!(rows(6).contains(",never,"));
    let third = asked(&browser);
    browser.press("z");
    assert_ne!(asked(&browser), third);
    browser.press("z");
    rows(8);
    browser.press("d");
    let text = rows(9);
    assert_eq!(text.matches(",undone,").count(), 2);
    assert!(
        text.contains(",random\n") && text.contains(",teaching\n"),
        "{text}"
    );

    // Killed in the middle, nothing is lost.
    drop(review);
    assert_eq!(folder.text("labels.csv"), text);
    let review = Review::start(&folder, line);
    browser.go(&review.url(&review.token));
    wait_for(&browser, &review.url("/question"), ".bar");
    assert!(words(&browser).contains("5 answers so far"));
    for key in ["s", "d", "s", "d"] {
        browser.press(key);
    }
    looks(&browser, &review);

    // Keys lead from difference to difference, in both texts.
    browser.go(&review.url("/pair?a=0&b=1"));
    browser.evaluate(
        "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'j', bubbles: true}))",
    );
    assert!(
        browser
            .evaluate("document.querySelectorAll('.here').length")
            .as_u64()
            >= Some(1)
    );

    // A member of a group that is not the same as the rest.
    browser.go(&review.url("/groups?sort=size"));
    browser.click(".cards a");
    browser.evaluate("document.querySelector('.members input').checked = true");
    browser.click("button[value=apart]");
    assert!(
        words(&browser).contains("You said: different"),
        "{}",
        words(&browser)
    );
    assert!(folder.text("labels.csv").ends_with(",chosen\n"));

    browser.go(&review.url("/learning"));
    browser.click("form[action='/anew'] button");
    wait_for(&browser, &review.url("/learning"), "form[action='/anew']");
    assert!(
        words(&browser).contains("By the detector after 10 labels"),
        "{}",
        words(&browser)
    );
    browser.click("form[action='/use'] button");
    assert!(
        words(&browser).contains("Written, as learnt from 10 labels"),
        "{}",
        words(&browser)
    );
    let pairs = folder.run("pairs pages.jsonl --model mine.json").ok();
    assert!(pairs.text().lines().count() > 5, "{pairs:?}");
}

/// Every page is whole on a desk and on a phone, in light and dark.
fn looks(browser: &Chromium, review: &Review) {
    let mut faults = Vec::new();
    for (name, path, charts) in [
        ("review-overview", "/", &["sizes"][..]),
        ("review-groups", "/groups", &[]),
        ("review-search", "/groups?words=the&sort=score", &[]),
        ("review-question", "/question", &[]),
        ("review-learning", "/learning", &["learning"]),
        ("review-pair", "/pair?a=0&b=1", &[]),
    ] {
        faults.extend(page_faults(browser, name, &review.url(path), charts));
    }
    browser.go(&review.url("/groups"));
    let group = browser.evaluate("document.querySelector('.cards a').href");
    faults.extend(page_faults(
        browser,
        "review-group",
        group.as_str().unwrap(),
        &[],
    ));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
