//! `twinsift lexicon show`: what a lexicon holds.

use super::super::{print_data, print_shown};
use super::contents;
use crate::args::LexiconShowArgs;
use crate::exit::bad_input;
use crate::numbers::count;
use crate::say::{self, plain, styled};
use anstyle::Style;
use serde::Serialize;
use twinsift::Lexicon;
use twinsift::features::lexicon::counts;
use twinsift::sketch::imatch::Rules;
use twinsift::sketch::imatch::window::Window;
use twinsift::tokenise::Tokens;

/// Bars of the histogram, from idf 0 to 1.
const BARS: usize = 20;

/// Words that are shown at each edge of the window.
const AT_THE_EDGE: usize = 12;

const STRONG: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();

/// What is printed.
#[derive(Serialize)]
struct Shown {
    id: String,
    documents: u64,
    words: usize,
    least_documents: u32,
    left_out: u64,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    fold: bool,
    window: WindowShown,
    histogram: Vec<Bar>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    asked: Vec<WordShown>,
}

#[derive(Serialize)]
struct WindowShown {
    idf: [f64; 2],
    primary: usize,
    secondary: usize,
    most_frequent: Vec<WordShown>,
    least_frequent: Vec<WordShown>,
}

#[derive(Serialize)]
struct Bar {
    idf: [f64; 2],
    words: usize,
}

#[derive(Serialize)]
struct WordShown {
    word: String,
    documents: u64,
    /// Missing for words that the lexicon does not have.
    #[serde(skip_serializing_if = "Option::is_none")]
    idf: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    member: Option<&'static str>,
}

pub fn run(args: LexiconShowArgs) -> anyhow::Result<()> {
    let window = args.idf.unwrap_or(Rules::default().window);
    if !(0.0 <= window[0] && window[0] <= window[1] && window[1] <= 1.0) {
        return Err(bad_input(format!(
            "--idf {},{} is out of range: both must be from 0 to 1, the smaller one first",
            window[0], window[1]
        )));
    }
    let lexicon = Lexicon::open(&args.file)?;
    let shown = look(&lexicon, window, &args.word)?;
    match args.json {
        true => print_data(&(serde_json::to_string_pretty(&shown)? + "\n"))?,
        false => print_shown(&render(&shown, &lexicon))?,
    }
    Ok(())
}

fn look(lexicon: &Lexicon, range: [f64; 2], asked: &[String]) -> anyhow::Result<Shown> {
    let frequencies = lexicon.frequencies();
    let mut bars = [0; BARS];
    for &frequency in frequencies {
        let idf = lexicon.normalised_idf(frequency);
        bars[((idf * BARS as f64) as usize).min(BARS - 1)] += 1;
    }
    let window = Window::new(lexicon, range);
    let mut primary: Vec<usize> = window.primary().collect();
    primary.sort_by_key(|&at| (std::cmp::Reverse(frequencies[at]), lexicon.word(at)));
    let word = |&at: &usize| WordShown {
        word: lexicon.word(at).to_owned(),
        documents: u64::from(frequencies[at]),
        idf: Some(lexicon.normalised_idf(frequencies[at])),
        member: None,
    };
    let rarest = primary.len().saturating_sub(AT_THE_EDGE).max(AT_THE_EDGE);
    Ok(Shown {
        id: lexicon.id().to_owned(),
        documents: lexicon.documents(),
        words: lexicon.len(),
        least_documents: lexicon.least(),
        left_out: lexicon.left_out(),
        fold: lexicon.is_folded(),
        window: WindowShown {
            idf: range,
            secondary: window.secondary(usize::MAX).count(),
            most_frequent: primary.iter().take(AT_THE_EDGE).map(word).collect(),
            least_frequent: primary.iter().skip(rarest).map(word).collect(),
            primary: primary.len(),
        },
        histogram: (0..BARS)
            .map(|at| Bar {
                idf: [at, at + 1].map(|edge| edge as f64 / BARS as f64),
                words: bars[at],
            })
            .collect(),
        asked: asked
            .iter()
            .map(|word| membership(lexicon, range, word))
            .collect::<anyhow::Result<_>>()?,
    })
}

/// Where a word belongs.
fn membership(lexicon: &Lexicon, range: [f64; 2], spelling: &str) -> anyhow::Result<WordShown> {
    let mut tokens = Tokens::new();
    tokens.read_as(spelling, lexicon.is_folded());
    let [word] = tokens.words().collect::<Vec<_>>()[..] else {
        return Err(bad_input(format!("--word \"{spelling}\" is not one word")));
    };
    let documents = lexicon.frequency(word);
    let idf = (documents > 0).then(|| lexicon.normalised_idf(documents as u32));
    let member = match idf {
        None => "not in the lexicon",
        Some(_) if !counts(word.as_bytes()) => {
            "never looked at: shorter than four characters, or several digits"
        }
        Some(idf) if idf < range[0] => "below the window: too common",
        Some(idf) if idf > range[1] => "above the window: in the secondary lexicon",
        Some(_) => "in the window: in the primary lexicon",
    };
    Ok(WordShown {
        word: word.to_owned(),
        documents,
        idf,
        member: Some(member),
    })
}

fn render(shown: &Shown, lexicon: &Lexicon) -> say::Shown {
    let window = &shown.window;
    let mut out = say::Shown::default();
    out.line(styled(STRONG, "documents").plain(&format!("  {}", count(shown.documents))));
    out.line(styled(STRONG, "words").plain(&format!("      {}", contents(lexicon))));
    out.line(styled(STRONG, "window").plain(&format!(
        "     idf {} to {}: {} words; above it {}, the secondary lexicon",
        window.idf[0],
        window.idf[1],
        count(window.primary as u64),
        count(window.secondary as u64)
    )));
    out.line(styled(STRONG, "id").plain(&format!("         {}", shown.id)));
    out.line(plain(""));
    out.line(styled(FAINT, "normalised idf        words"));
    let most = shown
        .histogram
        .iter()
        .map(|bar| bar.words)
        .max()
        .unwrap_or(0);
    for bar in &shown.histogram {
        // By the logarithm: most words are rare.
        let share = (bar.words as f64 + 1.0).ln() / (most as f64 + 1.0).ln().max(1.0);
        let is_in = bar.idf[1] > window.idf[0] && bar.idf[0] < window.idf[1];
        let style = if is_in { STRONG } else { FAINT };
        let range = format!("{:.2} to {:.2}", bar.idf[0], bar.idf[1]);
        out.line(
            plain(&format!("{range}  {:>12}  ", count(bar.words as u64)))
                .styled(style, &"█".repeat((share * 30.0).round() as usize)),
        );
    }
    let edges = [
        ("most frequent words of the window", &window.most_frequent),
        ("least frequent words of the window", &window.least_frequent),
    ];
    for (title, words) in edges {
        out.line(plain(""));
        out.line(styled(STRONG, title));
        for word in words {
            let idf = word.idf.unwrap_or_default();
            let number = count(word.documents);
            out.line(plain(&format!("  {idf:.3}  {number:>9}  {}", word.word)));
        }
    }
    for word in &shown.asked {
        let member = word.member.unwrap_or_default();
        let figures = word.idf.map_or(String::new(), |idf| {
            format!(" (idf {idf:.3}, {} documents)", count(word.documents))
        });
        out.line(plain(""));
        out.line(styled(STRONG, &word.word).plain(&format!(": {member}{figures}")));
    }
    out
}
