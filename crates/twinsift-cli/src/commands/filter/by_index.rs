//! `twinsift filter --index`: what is known, and what is learnt, is on disk.

use super::{Answers, Known, answer_all};
use crate::args::{FilterArgs, SourceArgs};
use crate::commands::index::{matched_now, tell_dropped};
use crate::exit::bad_input;
use crate::numbers::counted;
use crate::plan::Run;
use crate::summary::line;
use std::path::Path;
use twinsift::filter::Answer;
use twinsift::{Choices, Document, Id};
use twinsift_index::{Batch, Index, Record, Searcher, Time};

/// An index that answers, and learns if it is open to be changed.
struct ByIndex {
    searcher: Searcher,
    index: Option<Index>,
    time_to_live: Option<u64>,
    renew: bool,
}

pub fn run(folder: &Path, args: FilterArgs) -> anyhow::Result<()> {
    if args.run.method.choices != Choices::default() {
        return Err(bad_input(
            "an index compares documents by its own method: leave out the flags of methods",
        ));
    }
    let index = match args.learn {
        true => Some(Index::open(folder)?),
        false => None,
    };
    index.iter().for_each(tell_dropped);
    let searcher = match &index {
        Some(index) => index.searcher(),
        None => Searcher::open(folder)?,
    };
    let sources = SourceArgs::only(args.inputs);
    let run = Run::of_index(sources, &args.run.read, &args.run.common, searcher.clone())?;
    if !run.quiet {
        let documents = searcher.stats(Time::now())?.documents;
        line("method", &run.recipe.to_string());
        line("known", &counted(documents, "document"));
    }
    let mut known = ByIndex {
        searcher,
        index,
        time_to_live: args.ttl,
        renew: args.renew,
    };
    answer_all(&run, &mut known)?;
    Ok(known.index.map_or(Ok(()), Index::close)?)
}

impl Answers for ByIndex {
    fn answer(&mut self, document: &Document<'_>) -> anyhow::Result<Known> {
        // Another process may have written since.
        self.searcher.refresh()?;
        let signature = self.searcher.extractor().extract(document);
        let now = Time::now();
        let answer = self.searcher.search(&signature, 1, now)?;
        let best = answer.matches.first();
        let known = Known {
            label: best.and_then(|best| best.label.clone()),
            answer: match best {
                Some(best) => Answer::DuplicateOf {
                    id: best.id.clone(),
                    score: best.score,
                },
                None if answer.is_judged => Answer::Unknown,
                None => Answer::NotJudged,
            },
        };
        if let Some(index) = &mut self.index {
            let mut batch = match self.renew {
                true => matched_now(&self.searcher, &answer, now)?,
                false => Batch::default(),
            };
            if answer.is_judged {
                let id = Id {
                    text: document.id.text.as_ref().into(),
                    is_number: document.id.is_number,
                };
                let mut record = Record::new(id, signature, now);
                // Another variant of the same campaign.
                record.label.clone_from(&known.label);
                record.time_to_live = self.time_to_live;
                batch.add(record);
            }
            index.commit(batch)?;
        }
        Ok(known)
    }
}
