//! Every signal of two pages, and what a classifier makes of them, for `compare`.

use crate::say::{Shown, plain, styled};
use anstyle::{AnsiColor, Style};
use serde_json::{Map, Value, json};
use twinsift::Document;
use twinsift_io::signal_page;
use twinsift_learn::classify::Model;
use twinsift_learn::signals::{Background, Query, QueryPair, Row, Signal, Signals};

/// What there is to tell.
pub struct SignalsShown {
    signals: Vec<Signal>,
    row: Row,
    /// What compressed the bodies, beside the signals it made.
    compressors: Vec<Option<&'static str>>,
    pub score: Option<f64>,
    decision: Vec<String>,
}

/// Computes every signal of two pages that were read with both bodies. Words are weighed
/// as by the model; without one, by the two pages themselves.
pub fn tell(
    (a, b): (Document<'static>, Document<'static>),
    query: Option<&str>,
    model: Option<&Model>,
) -> SignalsShown {
    let pages = [a, b].map(|document| signal_page(document, true));
    let background = match model {
        Some(model) => model.background.clone(),
        None => {
            let bodies =
                (pages.iter()).filter_map(|page| page.fetched.as_ref().or(page.rendered.as_ref()));
            Background::of(&bodies.map(|body| &*body.text).collect::<Vec<_>>())
        }
    };
    let all = Signal::all();
    let signals = Signals::new(&all, background);
    let [a, b] = pages.map(|page| signals.prepare(page));
    let compressors = all.iter().map(|&signal| {
        let by = signals.compressor(signal, &a, &b);
        by.map(|by| by.name())
    });
    let compressors = compressors.collect();
    let pair = QueryPair {
        a: 0,
        b: 1,
        query: query.map(|_| 0),
    };
    let queries: Vec<Query> = query.iter().map(|text| Query::new(text)).collect();
    let row = signals.rows(&[a, b], &[pair], &queries).swap_remove(0);
    let needed = |model: &Model| -> Row {
        let value = |signal: &Signal| {
            let at = all.iter().position(|known| known == signal);
            at.and_then(|at| row[at])
        };
        model.signals.iter().map(value).collect()
    };
    SignalsShown {
        score: model.map(|model| model.score(&needed(model))),
        decision: model.map_or(Vec::new(), |model| model.decision(&needed(model))),
        signals: all,
        row,
        compressors,
    }
}

impl SignalsShown {
    /// What a comparison says of them in JSON.
    pub fn fields(&self) -> Map<String, Value> {
        let mut object = Map::new();
        let values = self.signals.iter().zip(&self.row);
        let values: Map<String, Value> = values
            .map(|(signal, value)| (signal.name(), json!(value)))
            .collect();
        object.insert("signals".into(), Value::Object(values));
        if let Some(score) = self.score {
            object.insert("classifier_score".into(), json!(score));
            object.insert("decision".into(), json!(self.decision));
        }
        object
    }

    /// A table for people, and the path to the decision.
    pub fn render(&self) -> Shown {
        let strong = Style::new().bold();
        let faint = AnsiColor::BrightBlack.on_default();
        let mut out = Shown::default();
        out.line(plain(""));
        out.line(styled(strong, "signals"));
        for ((signal, value), by) in self.signals.iter().zip(&self.row).zip(&self.compressors) {
            let value = value.map_or("missing".to_owned(), |value| format!("{value:.4}"));
            let by = by.map_or(String::new(), |by| format!("by {by}; "));
            let definition = signal.measure.about().definition;
            let named = plain(&format!("  {:32} {value:>8}  ", signal.name()));
            out.line(named.styled(faint, &format!("{by}{definition}")));
        }
        if let Some(score) = self.score {
            out.line(plain(""));
            out.line(styled(strong, &format!("the classifier says {score:.4}")));
            for line in &self.decision {
                out.line(plain(&format!("  {line}")));
            }
        }
        out
    }
}
