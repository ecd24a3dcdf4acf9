//! Spots in their sentences, for people: shared ones in one colour, others in another.

use crate::say::Shown;
use anstyle::Style;
use twinsift::compare::{Sentence, SpotShown};

/// Sentences of a document that are printed; JSON has all.
const SHOWN: usize = 6;

/// The first sentences of a document that have shared spots, and how many there are.
/// Without colours, a shared spot is `[in brackets]`.
pub fn render(sentences: &[Sentence], shared: Style, other: Style) -> (Vec<Shown>, usize) {
    let telling: Vec<&Sentence> = sentences
        .iter()
        .filter(|sentence| sentence.spots.iter().any(|spot| spot.shared))
        .collect();
    let lines = telling
        .iter()
        .take(SHOWN)
        .map(|sentence| line(sentence, shared, other))
        .collect();
    (lines, telling.len())
}

fn line(sentence: &Sentence, shared: Style, other: Style) -> Shown {
    // By word: whether a shared spot holds it.
    let mut words: Vec<((usize, usize), bool)> = Vec::new();
    for SpotShown {
        shared,
        words: places,
        ..
    } in &sentence.spots
    {
        words.extend(places.iter().map(|&place| (place, *shared)));
    }
    // A word of several spots counts as shared if one of them is.
    words.sort_by_key(|&((start, end), shared)| (start, end, !shared));
    words.dedup_by_key(|&mut (place, _)| place);
    // Neighbours of one kind are marked together; pairs of characters overlap.
    let mut marks: Vec<((usize, usize), bool)> = Vec::new();
    for ((start, end), is_shared) in words {
        match marks.last_mut() {
            Some((mark, kind))
                if start <= mark.1
                    || (*kind == is_shared && sentence.text[mark.1..start].trim().is_empty()) =>
            {
                mark.1 = mark.1.max(end);
            }
            _ => marks.push(((start, end), is_shared)),
        }
    }
    let mut out = Shown::default();
    let mut at = 0;
    for ((start, end), is_shared) in marks {
        out = out.plain(&sentence.text[at..start]);
        let (style, open, close) = match is_shared {
            true => (shared, "[", "]"),
            false => (other, "", ""),
        };
        out = out.styled(
            style,
            &format!("{open}{}{close}", &sentence.text[start..end]),
        );
        at = end;
    }
    out.plain(&sentence.text[at..])
}
