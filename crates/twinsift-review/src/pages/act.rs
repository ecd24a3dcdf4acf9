//! Forms that change something. What they change is on disk when they lead on.

use super::guard::Fields;
use super::{Answer, Refused, lead_to, with_collection};
use crate::collection::Collection;
use crate::label_file::Why;
use crate::regrouped::Anew;
use crate::state::{App, State as Review, Told, ordered};
use axum::extract::{Extension, State};
use axum::http::StatusCode;
use std::sync::{Arc, PoisonError};
use twinsift_io::AtomicFile;
use twinsift_learn::detect::Verdict;

fn unprocessable(sentence: &str) -> Refused {
    Refused::new(StatusCode::UNPROCESSABLE_ENTITY, sentence)
}

/// A document that a form names.
fn doc(collection: &Collection, number: Option<u32>) -> Result<u32, Refused> {
    let known = number.filter(|&doc| doc < collection.texts.documents());
    known.ok_or_else(|| unprocessable("there is no such document"))
}

pub(super) async fn answer(State(app): State<App>, Extension(fields): Extension<Fields>) -> Answer {
    with_collection(app, "Questions", "/question", move |review, collection| {
        let pair = ordered(
            doc(collection, fields.number("a"))?,
            doc(collection, fields.number("b"))?,
        );
        let verdict =
            Verdict::parse(fields.get("label")).filter(|&verdict| verdict != Verdict::Undone);
        let (Some(verdict), true) = (verdict, pair.0 != pair.1) else {
            return Err(unprocessable("say whether two documents are the same"));
        };
        let back = fields.get("back");
        if !back.is_empty() {
            review.say(collection, pair, verdict, Why::Chosen)?;
            // Only to a page of ours.
            let is_ours = back.starts_with("/group/") || back.starts_with("/pair?");
            return Ok(lead_to(if is_ours { back } else { "/" }));
        }
        let mut core = review.core();
        let asked = core.pending.filter(|(asked, _)| *asked == pair);
        let thought = core.thought(pair, &collection.texts)?;
        drop(core);
        let why = asked.map_or(Why::Chosen, |(_, why)| why);
        review.say(collection, pair, verdict, why)?;
        let mut core = review.core();
        core.told = thought.map(|thought| Told {
            pair,
            verdict,
            thought,
        });
        if asked.is_some() {
            core.pending = None;
        }
        Ok(lead_to("/question"))
    })
    .await
}

pub(super) async fn undo(State(app): State<App>) -> Answer {
    with_collection(app, "Questions", "/question", |review, collection| {
        review.undo(collection)?;
        Ok(lead_to("/question"))
    })
    .await
}

/// Members that are not the same as the rest, perhaps the same as each other.
pub(super) async fn split(State(app): State<App>, Extension(fields): Extension<Fields>) -> Answer {
    with_collection(app, "Groups", "/groups", move |review, collection| {
        let first = doc(collection, fields.number("first"))?;
        let members: Vec<u32> = (fields.all("doc"))
            .map(|number| doc(collection, number.parse().ok()))
            .collect::<Result<_, _>>()?;
        let members: Vec<u32> = members
            .into_iter()
            .filter(|&member| member != first)
            .collect();
        for &member in &members {
            review.say(
                collection,
                ordered(first, member),
                Verdict::Different,
                Why::Chosen,
            )?;
        }
        if let (Some((&head, rest)), "split") = (members.split_first(), fields.get("how")) {
            for &member in rest.iter().filter(|&&member| member != head) {
                review.say(
                    collection,
                    ordered(head, member),
                    Verdict::Same,
                    Why::Chosen,
                )?;
            }
        }
        Ok(lead_to(&format!("/group/{first}")))
    })
    .await
}

/// Groups all documents by the detector of the moment, beside all else.
pub(super) async fn group_anew(State(app): State<App>) -> Answer {
    let review: Arc<Review> = Arc::clone(&app);
    with_collection(app, "Learning", "/learning", move |_, _| {
        let has_teacher = review.core().teacher.is_some();
        let mut anew = review.anew.lock().unwrap_or_else(PoisonError::into_inner);
        if !matches!(*anew, Anew::Running) && has_teacher {
            *anew = Anew::Running;
            let review = Arc::clone(&review);
            std::thread::spawn(move || {
                if let Some(collection) = review.collection() {
                    review.group_anew(collection);
                }
            });
        }
        Ok(lead_to("/learning"))
    })
    .await
}

/// Writes the detector of the moment as a model.
pub(super) async fn use_model(State(app): State<App>) -> Answer {
    with_collection(app, "Learning", "/learning", |review, _| {
        let mut core = review.core();
        let Some(model) = core.model(review.options.find) else {
            return Err(unprocessable(
                "there is no detector yet: wait until there are questions",
            ));
        };
        AtomicFile::write_all_to(&review.options.model, model.spelled().as_bytes())
            .map_err(crate::Error::from)?;
        core.written = Some(core.known().len());
        Ok(lead_to("/learning"))
    })
    .await
}
