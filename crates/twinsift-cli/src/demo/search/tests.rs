use super::*;
use std::collections::BTreeSet;

#[test]
fn the_same_seed_makes_the_same_evaluation() {
    let (once, again, other) = (evaluation(1, 3), evaluation(1, 3), evaluation(2, 3));
    for (a, b) in once.topics.iter().zip(&again.topics) {
        assert_eq!((&a.query, &a.text, &a.pages), (&b.query, &b.text, &b.pages));
    }
    assert_ne!(once.topics[0].text, other.topics[0].text);
}

#[test]
fn every_query_has_copies_and_look_alikes() {
    for topic in evaluation(5, 8).topics {
        let kinds: BTreeSet<&str> = topic.pages.iter().map(|page| page.kind).collect();
        assert_eq!(kinds.len(), topic.pages.len(), "one page of each kind");
        let of_first = topic.pages.iter().filter(|page| page.class == 0);
        assert_eq!(of_first.count(), 7);
        let ids: BTreeSet<&String> = topic.pages.iter().map(|page| &page.id).collect();
        assert_eq!(ids.len(), topic.pages.len());
        assert!(!topic.text.is_empty());
    }
}

/// What is served at an address is one page.
#[test]
fn every_address_is_that_of_one_page() {
    let topics = evaluation(6, 50).topics;
    let pages = topics.iter().flat_map(|topic| &topic.pages);
    let behind = |page: &pages::Page| page.behind.as_ref().map(|(url, _)| url.clone());
    let all: Vec<String> = pages
        .flat_map(|page| std::iter::once(page.url.clone()).chain(behind(page)))
        .collect();
    let distinct: BTreeSet<&String> = all.iter().collect();
    assert_eq!(distinct.len(), all.len());
}

/// What is fetched of a redirect or a frame has nothing of the story; what a browser
/// shows has all of it.
#[test]
fn a_browser_shows_what_a_fetch_does_not() {
    let topics = evaluation(3, 10).topics;
    let pages = topics.iter().flat_map(|topic| &topic.pages);
    for page in pages.filter(|page| ["redirect", "frame"].contains(&page.kind)) {
        let Some(rendered) = &page.rendered else {
            continue;
        };
        assert!(page.html.len() * 2 < rendered.len(), "{}", page.kind);
        assert!(page.behind.is_some());
    }
}

#[test]
fn engines_return_ten_results_each_once() {
    for run in evaluation(4, 5).runs {
        assert_eq!(run.rankings.len(), 5);
        for (_, ranking) in &run.rankings {
            let distinct: BTreeSet<&String> = ranking.iter().collect();
            assert_eq!(distinct.len(), ranking.len());
            assert!((5..=10).contains(&ranking.len()), "{}", ranking.len());
        }
    }
}
