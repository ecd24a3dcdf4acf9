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
const LEAST_PIXELS: usize = 20;

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
fn drawn_pixels(browser: &Chromium, clip: &Value) -> Option<usize> {
    let size = |side: &str| clip[side].as_f64().filter(|size| *size >= 50.0);
    size("width").and(size("height"))?;
    let full = pixels(&browser.picture_of(clip));
    browser.evaluate(HIDE);
    let bare = pixels(&browser.picture_of(clip));
    browser.evaluate(UNHIDE);
    assert_eq!(full.len(), bare.len());
    let contrast = |(a, b): (&[u8; 3], &[u8; 3])| -> u32 {
        a.iter().zip(b).map(|(&a, &b)| a.abs_diff(b) as u32).sum()
    };
    let pairs = full.iter().zip(&bare);
    Some(
        pairs
            .filter(|&pair| contrast(pair) >= LEAST_CONTRAST)
            .count(),
    )
}

/// Red, green and blue, one pixel after the other.
fn pixels(png: &[u8]) -> Vec<[u8; 3]> {
    let decoder = png::Decoder::new(std::io::Cursor::new(png));
    let mut reader = decoder.read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut bytes).unwrap();
    bytes[..frame.buffer_size()]
        .chunks_exact(frame.color_type.samples())
        .map(|pixel| [pixel[0], pixel[1], pixel[2]])
        .collect()
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
