//! Looks at a report in a real browser, as a reader would: on a desk and on a
//! phone, in light and dark.
//!
//! Works on any page whose charts are `svg.chart` in an element with
//! `data-chart`, with the plot area as `.plot` and what is drawn as `.drawn`. A
//! chart is empty if hiding what is drawn changes hardly a pixel: axes and grid
//! do not count, nor does what has the colour of the background.
//!
//! With the variable `TWINSIFT_PICTURES` set to a folder, pictures and a print
//! of every page that is looked at are left there.

#![allow(clippy::unwrap_used)]
#![allow(
    dead_code,
    reason = "some tests look at files, others at pages that are served"
)]

mod chromium;

pub use chromium::Chromium;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const WIDTHS: [u32; 2] = [1280, 360];
const SCHEMES: [&str; 2] = ["light", "dark"];

/// Fewer pixels than this is nothing: a single mark on a phone has more.
const LEAST_PIXELS: u64 = 20;

/// How far red, green and blue together must be off for a pixel to be seen.
const LEAST_CONTRAST: u32 = 90;

/// Name, words and plot area of the chart with a number, brought into view; marks
/// at the edge of a plot reach out of it a little.
const CHART: &str = "(number => {
    const chart = document.querySelectorAll('svg.chart')[number];
    if (!chart) return null;
    chart.scrollIntoView({block: 'center'});
    const name = chart.closest('[data-chart]')?.dataset.chart ?? '';
    const plot = chart.querySelector('.plot')?.getBoundingClientRect();
    return {name, words: !!chart.querySelector('title')?.textContent, clip: plot && {
        x: plot.x + scrollX - 6, y: plot.y + scrollY - 6,
        width: plot.width + 12, height: plot.height + 12, scale: 1}};
})";

/// Hides what is drawn, element by element: pages may forbid styles that are not theirs.
const HIDE: &str = "document.querySelectorAll('.drawn, .drawn *').forEach(drawn => \
    drawn.style.setProperty('visibility', 'hidden', 'important'))";

const UNHIDE: &str = "document.querySelectorAll('.drawn, .drawn *').forEach(drawn => \
    drawn.style.removeProperty('visibility'))";

/// How many pixels of two pictures are off by at least some contrast.
const DIFFERING: &str = "(async (first, second, least) => {
    const read = async data => {
        const picture = new Image();
        picture.src = 'data:image/png;base64,' + data;
        await picture.decode();
        const canvas = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
        canvas.drawImage(picture, 0, 0);
        return canvas.getImageData(0, 0, picture.width, picture.height).data;
    };
    const [a, b] = [await read(first), await read(second)];
    if (a.length !== b.length) throw new Error('two sizes');
    const off = at => Math.abs(a[at] - b[at]);
    let count = 0;
    for (let at = 0; at < a.length; at += 4) count += off(at) + off(at + 1) + off(at + 2) >= least;
    return count;
})";

/// Words that lie upon others, and elements that are empty. What scrolls by itself hides a part
/// of its words, and what sticks to the edge of the window lies upon the page on purpose.
const MISLAID: &str = "(() => {
    const faults = [];
    const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
    const words = [];
    while (walker.nextNode()) {
        const node = walker.currentNode;
        const parent = node.parentElement;
        if (!node.textContent.trim() || parent.closest('.text, .bar, option, title')) continue;
        if (!parent.checkVisibility()) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const box of range.getClientRects()) {
            if (box.width > 1 && box.height > 1) words.push([box, node.textContent.trim()]);
        }
    }
    if (words.length < 3) faults.push('there is hardly a word on the page');
    for (let i = 0; i < words.length; i++) for (let j = i + 1; j < words.length; j++) {
        const [a, b] = [words[i][0], words[j][0]];
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (across > 2 && down > a.height / 2) {
            faults.push(`\"${words[i][1].slice(0, 40)}\" and \"${words[j][1].slice(0, 40)}\" overlap`);
        }
    }
    for (const one of document.querySelectorAll('main p, main li, main td, main h1, main h2, main h3, .text')) {
        const shows = one.textContent.trim() || one.querySelector('input, button, svg');
        if (!shows) faults.push(`an empty ${one.localName} ${one.className}`);
    }
    for (const one of document.querySelectorAll('button, nav a, select, .text')) {
        const box = one.getBoundingClientRect();
        if (one.checkVisibility() && (box.height < 22 || box.right > innerWidth + 1 || box.left < -1)) {
            faults.push(`${one.localName} \"${one.textContent.slice(0, 30)}\" is small or cut off`);
        }
    }
    return faults;
})()";

/// What is wrong with the page at an address, whatever it is shown on, one sentence each.
pub fn page_faults(browser: &Chromium, name: &str, address: &str, charts: &[&str]) -> Vec<String> {
    let mut faults = Vec::new();
    let (origin, _) = address.rsplit_once('/').unwrap();
    for width in WIDTHS {
        for scheme in SCHEMES {
            browser.show_as(width, scheme);
            let asked = browser.go(address).into_iter();
            let foreign =
                asked.filter(|asked| !asked.starts_with(origin.get(..20).unwrap_or(origin)));
            let mut found: Vec<String> = foreign.map(|asked| format!("asks for {asked}")).collect();
            found.extend(chart_faults(browser, charts));
            keep_picture(browser, Path::new(name), width, scheme);
            found.extend(width_faults(browser));
            let mislaid = browser.evaluate(MISLAID);
            let mislaid = mislaid.as_array().unwrap().iter();
            found.extend(mislaid.map(|fault| fault.as_str().unwrap().to_owned()));
            let shown = |fault| format!("{name}, {width} px, {scheme}: {fault}");
            faults.extend(found.into_iter().map(shown));
        }
    }
    faults
}

/// What is wrong with a page, one sentence each; `charts` must all be on it.
pub fn faults(page: &Path, charts: &[&str]) -> Vec<String> {
    let browser = Chromium::start();
    let mut faults = Vec::new();
    for width in WIDTHS {
        for scheme in SCHEMES {
            browser.show_as(width, scheme);
            let requests = browser.open(page);
            let mut found: Vec<String> = requests
                .into_iter()
                .map(|address| format!("asks for {address}"))
                .collect();
            found.extend(chart_faults(&browser, charts));
            keep_picture(&browser, page, width, scheme);
            found.extend(width_faults(&browser));
            faults.extend(
                found
                    .iter()
                    .map(|fault| format!("{width} px, {scheme}: {fault}")),
            );
        }
    }
    faults
}

fn chart_faults(browser: &Chromium, expected: &[&str]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut names = BTreeSet::new();
    for number in 0.. {
        let chart = browser.evaluate(&format!("{CHART}({number})"));
        let Some(name) = chart["name"].as_str() else {
            break;
        };
        names.insert(name.to_owned());
        if chart["words"] != true {
            faults.push(format!("chart {name} has no title for who cannot see it"));
        }
        match drawn_pixels(browser, &chart["clip"]) {
            None => faults.push(format!("chart {name} has no visible plot area")),
            Some(drawn) if drawn < LEAST_PIXELS => {
                faults.push(format!("chart {name} is empty: {drawn} pixels are drawn"));
            }
            Some(_) => {}
        }
    }
    let missing = expected.iter().filter(|name| !names.contains(**name));
    faults.extend(missing.map(|name| format!("chart {name} is missing")));
    faults
}

/// How many pixels of a plot area are not as they were if nothing were drawn.
fn drawn_pixels(browser: &Chromium, clip: &Value) -> Option<u64> {
    let size = |side: &str| clip[side].as_f64().filter(|size| *size >= 50.0);
    size("width").and(size("height"))?;
    let full = browser.picture_of(clip);
    browser.evaluate(HIDE);
    let bare = browser.picture_of(clip);
    browser.evaluate(UNHIDE);
    let count = format!("{DIFFERING}('{full}', '{bare}', {LEAST_CONTRAST})");
    let count = browser.evaluate_elsewhere(&count);
    Some(count.as_u64().unwrap())
}

/// The page must not scroll sideways, not even with everything unfolded.
fn width_faults(browser: &Chromium) -> Option<String> {
    browser.evaluate("for (const part of document.querySelectorAll('details')) part.open = true");
    let excess = browser
        .evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
    let excess = excess.as_i64().unwrap();
    (excess > 0).then(|| format!("the page scrolls sideways by {excess} px"))
}

fn keep_picture(browser: &Chromium, page: &Path, width: u32, scheme: &str) {
    let Some(folder) = std::env::var_os("TWINSIFT_PICTURES") else {
        return;
    };
    let stem = page.file_stem().unwrap().to_string_lossy();
    let name = |ending: &str| Path::new(&folder).join(format!("{stem}-{ending}"));
    let picture = browser.whole_picture();
    fs::write(name(&format!("{width}-{scheme}.png")), picture).unwrap();
    fs::write(name("print.pdf"), browser.printed()).unwrap();
}
