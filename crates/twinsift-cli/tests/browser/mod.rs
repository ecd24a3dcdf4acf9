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

mod chromium;

use chromium::Chromium;
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

/// Puts a style on the page that hides what is drawn.
const HIDE: &str = "(() => {
    const style = document.createElement('style');
    style.id = 'bare';
    style.textContent = '.drawn, .drawn * { visibility: hidden !important }';
    document.head.append(style);
})()";

const UNHIDE: &str = "document.getElementById('bare').remove()";

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
