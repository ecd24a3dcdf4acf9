//! From pages to what is compared of them, and from two of these to a row of signals.
//!
//! Whatever depends on one page alone is computed once ([`Signals::prepare`]), however
//! many pairs it is in; and only what some wanted signal looks at. What is left for a
//! pair is cheap, but for compression.

use super::address::Address;
use super::background::Background;
use super::compression::{Compressor, Doubled};
use super::content::Bag;
use super::simhash::SimHash;
use super::snippet::Query;
use super::tfidf::TopTerms;
use super::title::Title;
use super::{Cost, Measure, Signal, Source};
use super::{containment, domain, language, length, path, registered_domain};
use super::{shingles, snippet, spots, terms};
use twinsift::features::spots::{Detector, Language, Spots};
use twinsift::features::{Features, Featurise};
use twinsift::page::{Body, Page};
use twinsift::tokenise::Tokens;

/// Computes some signals.
#[derive(Clone, Debug)]
pub struct Signals {
    signals: Vec<Signal>,
    background: Background,
    spots: Spots,
    detector: Detector,
}

/// A page, ready to be compared: its bodies by [`Source`].
#[derive(Clone, Debug, Default)]
pub struct Prepared([Option<PreparedBody>; 2]);

/// One body of a page, with what the wanted signals read of it.
#[derive(Clone, Debug, Default)]
struct PreparedBody {
    address: Option<Address>,
    title: Option<Title>,
    length: usize,
    language: Option<Language>,
    simhash: Option<SimHash>,
    top_terms: Option<TopTerms>,
    shingles: Option<Bag>,
    spots: Option<Bag>,
    body: Option<Doubled>,
    main: Option<Doubled>,
    /// The visible text, for snippets.
    text: Option<String>,
}

/// The snippets of a page for one query, by [`Source`].
#[derive(Clone, Debug, Default)]
pub struct Snippets([Option<Doubled>; 2]);

impl Signals {
    /// Computes `signals`, with words weighed by `background`.
    pub fn new(signals: &[Signal], background: Background) -> Self {
        Self {
            signals: signals.to_vec(),
            background,
            spots: spots::features(),
            detector: Detector::default(),
        }
    }

    /// The signals, in the order of the rows.
    pub fn signals(&self) -> &[Signal] {
        &self.signals
    }

    /// The table behind the weights of words.
    pub fn background(&self) -> &Background {
        &self.background
    }

    /// Whether any of them looks at main content, which is costly to find.
    pub fn want_main(&self) -> bool {
        let mut signals = self.signals.iter();
        signals.any(|signal| signal.measure.is_of_main_content())
    }

    fn wants(&self, source: Source, measure: Measure) -> bool {
        self.signals.contains(&Signal { source, measure })
    }

    fn wants_cost(&self, source: Source, cost: Cost) -> bool {
        let is_it =
            |signal: &&Signal| signal.source == source && signal.measure.about().cost == cost;
        self.signals.iter().any(|signal| is_it(&signal))
    }

    /// Computes what depends on one page alone.
    pub fn prepare(&self, page: Page<'_>) -> Prepared {
        let side = |body: Option<Body<'_>>, source| {
            let wanted = self.signals.iter().any(|signal| signal.source == source);
            body.filter(|_| wanted).map(|body| self.side(body, source))
        };
        Prepared([
            side(page.fetched, Source::Fetched),
            side(page.rendered, Source::Rendered),
        ])
    }

    fn side(&self, body: Body<'_>, source: Source) -> PreparedBody {
        let wants = |measure| self.wants(source, measure);
        let mut side = PreparedBody {
            address: body.url.as_deref().and_then(Address::parse),
            title: body.title.as_deref().and_then(Title::of),
            length: body.source.len(),
            ..PreparedBody::default()
        };
        let mut tokens = Tokens::new();
        if self.wants_cost(source, Cost::Terms) {
            tokens.read(&body.text);
            side.language = self.detector.language(&tokens);
            if let Some(terms) = terms::Terms::of(&tokens, &self.background) {
                side.simhash = Some(terms.simhash());
                side.top_terms = Some(terms.top());
            }
        }
        if self.wants_cost(source, Cost::Content) {
            tokens.read(&body.main);
            let mut features = Features::new();
            if wants(Measure::MainShingles) || wants(Measure::MainContainment) {
                shingles::features().features(&tokens, &mut features);
                side.shingles = Bag::of(&features);
            }
            if wants(Measure::MainSpots) {
                self.spots.features(&tokens, &mut features);
                side.spots = Bag::of(&features);
            }
        }
        if wants(Measure::Mcd) {
            side.body = Some(Doubled::new(body.source));
        }
        if wants(Measure::MainMcd) && !body.main.is_empty() {
            side.main = Some(Doubled::new(body.main));
        }
        if wants(Measure::SnippetMcd) {
            side.text = Some(body.text.into_owned());
        }
        side
    }

    /// The snippets of a page for a query.
    pub fn snippets(&self, page: &Prepared, query: &Query) -> Snippets {
        let of = |side: &Option<PreparedBody>| {
            let text = side.as_ref()?.text.as_ref()?;
            snippet::of(text, query, &self.background)
        };
        match query.is_empty() {
            true => Snippets::default(),
            false => Snippets(page.0.each_ref().map(of)),
        }
    }

    /// The signals of a pair, in the order of [`signals`](Self::signals); snippets
    /// for its query, if it has one. The order of the two pages does not matter.
    pub fn row(
        &self,
        a: &Prepared,
        b: &Prepared,
        snippets: Option<(&Snippets, &Snippets)>,
    ) -> Vec<Option<f64>> {
        (0..self.signals.len())
            .map(|at| self.value(at, a, b, snippets))
            .collect()
    }

    /// One signal of a pair, by its place.
    pub fn value(
        &self,
        at: usize,
        a: &Prepared,
        b: &Prepared,
        snippets: Option<(&Snippets, &Snippets)>,
    ) -> Option<f64> {
        let Signal { source, measure } = self.signals[at];
        if measure != Measure::SnippetMcd {
            return measured(measure, a.side(source)?, b.side(source)?);
        }
        let (x, y) = snippets?;
        let [x, y] = [x, y].map(|page| page.0[source as usize].as_ref());
        Some(x?.mcd(y?))
    }

    /// What compressed a pair's bodies for a signal; `None` if nothing did.
    pub fn compressor(&self, signal: Signal, a: &Prepared, b: &Prepared) -> Option<Compressor> {
        let text = |page: &'_ Prepared| -> Option<usize> {
            let side = page.side(signal.source)?;
            match signal.measure {
                Measure::Mcd => side.body.as_ref().map(Doubled::len),
                Measure::MainMcd => side.main.as_ref().map(Doubled::len),
                _ => None,
            }
        };
        Some(Compressor::of(text(a)?, text(b)?))
    }
}

impl Prepared {
    /// Whether there is such a body, and any signal that looks at it.
    pub fn has(&self, source: Source) -> bool {
        self.side(source).is_some()
    }

    fn side(&self, source: Source) -> Option<&PreparedBody> {
        self.0[source as usize].as_ref()
    }
}

fn measured(measure: Measure, a: &PreparedBody, b: &PreparedBody) -> Option<f64> {
    fn both<'s, T: 's>(
        of: impl Fn(&'s PreparedBody) -> &'s Option<T>,
        a: &'s PreparedBody,
        b: &'s PreparedBody,
        compare: impl Fn(&'s T, &'s T) -> f64,
    ) -> Option<f64> {
        Some(compare(of(a).as_ref()?, of(b).as_ref()?))
    }
    match measure {
        Measure::SameDomain => both(|s| &s.address, a, b, domain::same),
        Measure::SameRegisteredDomain => both(|s| &s.address, a, b, registered_domain::same),
        Measure::PathSimilarity => both(|s| &s.address, a, b, path::similarity),
        Measure::SameTitle => both(|s| &s.title, a, b, Title::same),
        Measure::LengthDistance => Some(length::distance(a.length, b.length)),
        Measure::SameLanguage => both(|s| &s.language, a, b, |x, y| language::same(*x, *y)),
        Measure::SimHashDistance => both(|s| &s.simhash, a, b, |x, y| x.distance(*y)),
        Measure::TfIdfDistance => both(|s| &s.top_terms, a, b, TopTerms::distance),
        Measure::MainShingles => both(|s| &s.shingles, a, b, shingles::similarity),
        Measure::MainContainment => both(|s| &s.shingles, a, b, containment::similarity),
        Measure::MainSpots => both(|s| &s.spots, a, b, spots::similarity),
        Measure::MainMcd => both(|s| &s.main, a, b, Doubled::mcd),
        Measure::Mcd => both(|s| &s.body, a, b, Doubled::mcd),
        Measure::SnippetMcd => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::sync::LazyLock;

    /// Its tables take a while to make.
    static ALL: LazyLock<Signals> =
        LazyLock::new(|| Signals::new(&Signal::all(), Background::of(&["a b", "b c"])));

    fn page(title: &str, url: &str, text: &str) -> Page<'static> {
        let body = Body {
            url: Some(url.to_owned().into()),
            title: Some(title.to_owned().into()),
            source: format!("<html><title>{title}</title><body>{text}</body>").into(),
            text: text.to_owned().into(),
            main: text.to_owned().into(),
        };
        Page {
            rendered: Some(body.clone()),
            fetched: Some(body),
        }
    }

    fn value(row: &[Option<f64>], name: &str) -> Option<f64> {
        let at = Signal::all()
            .iter()
            .position(|signal| signal.name() == name);
        row[at.expect("a signal")]
    }

    #[test]
    fn what_is_not_there_is_missing() {
        let signals = &*ALL;
        let whole = signals.prepare(page("T", "http://x.org/a", "the bridge is closed today"));
        let fetched_only = signals.prepare(Page::plain("the bridge is closed today"));
        let row = signals.row(&whole, &fetched_only, None);
        assert_eq!(value(&row, "same_title"), None);
        assert_eq!(value(&row, "same_domain"), None);
        assert_eq!(value(&row, "snippet_mcd"), None);
        assert_eq!(value(&row, "main_shingles"), Some(1.0));
        let rendered = Signal::all();
        let rendered = rendered.iter().zip(&row);
        let mut rendered = rendered.filter(|(signal, _)| signal.source == Source::Rendered);
        assert!(rendered.all(|(_, value)| value.is_none()));
        let nothing = signals.prepare(Page::default());
        let row = signals.row(&whole, &nothing, None);
        assert!(row.iter().all(Option::is_none));
        let empty = signals.prepare(Page::plain(""));
        let row = signals.row(&empty, &empty, None);
        assert_eq!(value(&row, "length_distance"), Some(0.0));
        assert_eq!(value(&row, "tfidf_distance"), None);
        assert_eq!(value(&row, "main_mcd"), None);
    }

    #[test]
    fn snippets_need_the_words_of_the_query_on_both_pages() {
        let signals = &*ALL;
        let a = signals.prepare(page("T", "http://x.org/a", "the bridge is closed today"));
        let b = signals.prepare(page("T", "http://x.org/a", "the tunnel is closed today"));
        let with = |query: &str| {
            let query = Query::new(query);
            let (x, y) = (signals.snippets(&a, &query), signals.snippets(&b, &query));
            let row = signals.row(&a, &b, Some((&x, &y)));
            value(&row, "rendered_snippet_mcd")
        };
        assert!(with("closed").is_some_and(|distance| distance > 0.0));
        assert_eq!(with("bridge"), None);
        assert_eq!(with(""), None);
    }

    #[test]
    fn only_what_is_wanted_is_prepared() {
        let wanted = Signal::of_names(&["same_title"]).expect("known");
        let signals = Signals::new(&wanted, Background::default());
        let prepared = signals.prepare(page("T", "http://x.org/a", "some words"));
        let [fetched, rendered] = prepared.0;
        assert!(rendered.is_none());
        let side = fetched.expect("a side");
        assert!(side.body.is_none() && side.shingles.is_none() && side.top_terms.is_none());
    }

    proptest! {
        #[test]
        fn rows_are_symmetric_in_range_and_perfect_for_a_page_and_itself(
            x in "[a-d .]{1,200}", y in "[a-d .]{1,200}",
        ) {
            let signals = &*ALL;
            let a = signals.prepare(page(&x, "http://x.org/1", &x));
            let b = signals.prepare(page(&y, "http://y.org/2", &y));
            let row = signals.row(&a, &b, None);
            prop_assert_eq!(&row, &signals.row(&b, &a, None));
            for value in row.iter().flatten() {
                prop_assert!((0.0..=1.0).contains(value));
            }
            for (signal, value) in signals.signals().iter().zip(signals.row(&a, &a, None)) {
                let perfect = match signal.measure.about().large {
                    super::super::Large::Alike => 1.0,
                    super::super::Large::Apart => 0.0,
                };
                prop_assert!(value.is_none_or(|value| value == perfect), "{signal}: {value:?}");
            }
        }
    }
}
