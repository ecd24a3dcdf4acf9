//! The pages, one after the other.
//!
//! A corpus is planned in blocks: which story each page tells, and whether it
//! is the agency's text or a desk's version. Only the plan of one block is
//! held, a few bytes per page. A story is told anew for each of its copies,
//! which costs some time and saves the memory for all of them.

use super::chance::Chance;
use super::edits;
use super::frames::{self, Slot};
use super::grammar::Grammar;
use super::sites;
use super::stories;

/// A news page, with what is known about its making.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Its name, unique within the corpus.
    pub id: String,
    /// Its address.
    pub url: String,
    /// The headline.
    pub title: String,
    /// The page as a site would send it.
    pub html: String,
    /// Which story it tells: pages with the same number are near duplicates.
    pub story: u32,
    /// Which site it stands on.
    pub site: u32,
}

/// Pages that are shuffled together. Copies of a story are never further apart.
const BLOCK: usize = 50_000;

/// Stories with copies among a thousand pages: 35 among 200.
const COPIED_STORIES_PER_MILLE: usize = 175;

/// One page of the plan.
#[derive(Clone, Copy, Debug)]
struct Planned {
    story: u32,
    copy: u32,
}

/// Makes a corpus of so many pages. The same seed and number give the same
/// pages, everywhere and always.
pub fn pages(seed: u64, documents: usize) -> impl Iterator<Item = Page> {
    let grammar = Grammar::new();
    let mut next_story = 0;
    let blocks = (0..documents)
        .step_by(BLOCK)
        .map(move |start| BLOCK.min(documents - start));
    blocks
        .enumerate()
        .flat_map(move |(number, size)| {
            let mut chance = Chance::of(&[seed, documents as u64, number as u64]);
            plan(size, &mut next_story, &mut chance)
        })
        .enumerate()
        .map(move |(index, planned)| page(&grammar, seed, index, planned))
}

/// Decides which story each page of a block tells.
fn plan(size: usize, next_story: &mut u32, chance: &mut Chance) -> Vec<Planned> {
    let mut pages = Vec::with_capacity(size);
    let mut add = |pages: &mut Vec<Planned>, copies: u32| {
        let story = *next_story;
        *next_story += 1;
        pages.extend((0..copies).map(|copy| Planned { story, copy }));
    };
    for _ in 0..(size * COPIED_STORIES_PER_MILLE).div_ceil(1000) {
        // Two to six copies, small groups being more common.
        let copies = *chance.pick(&[2, 2, 2, 3, 3, 3, 4, 4, 5, 6]);
        if pages.len() + copies as usize > size {
            break;
        }
        add(&mut pages, copies);
    }
    while pages.len() < size {
        add(&mut pages, 1);
    }
    chance.shuffle(&mut pages);
    pages
}

fn page(grammar: &Grammar, seed: u64, index: usize, planned: Planned) -> Page {
    let number = u64::from(planned.story);
    let teller = &mut Chance::of(&[seed, STORY, number]);
    let mut story = stories::tell(grammar, teller);
    let site = site_of(planned, teller);
    let date = format!(
        "{} {} 20{}",
        teller.between(1, 28),
        teller.pick(&[
            "January",
            "March",
            "April",
            "June",
            "July",
            "September",
            "November"
        ]),
        teller.between(19, 25)
    );
    let desk = &mut Chance::of(&[seed, DESK, number, u64::from(planned.copy)]);
    if planned.copy > 0 {
        edits::edit(&mut story, grammar, desk);
    }
    let place = &sites::ALL[site];
    let host = &place.host;
    let url = format!(
        "https://www.{host}/{}/{}-{index}.html",
        story.section,
        frames::slug(&story.headline)
    );
    let slot = Slot {
        site: place,
        url: &url,
        date: &date,
    };
    let html = frames::page(grammar, &slot, &story, desk);
    let name = host.trim_end_matches(".example");
    Page {
        id: format!("{name}-{:06}", index + 1),
        url,
        title: story.headline,
        html,
        story: planned.story,
        site: site as u32,
    }
}

/// Streams of chance for telling a story and for putting it on a site.
const STORY: u64 = 1;
const DESK: u64 = 2;

/// Copies of one story stand on different sites.
fn site_of(planned: Planned, teller: &mut Chance) -> usize {
    let mut order: Vec<usize> = (0..sites::ALL.len()).collect();
    teller.shuffle(&mut order);
    order[planned.copy as usize]
}

#[cfg(test)]
mod tests;
