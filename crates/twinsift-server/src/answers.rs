//! From the documents of a request to a line for each, in order.
//!
//! Documents are worked on in groups. The first group decides whether the request is taken at
//! all; the lines of the others follow as a stream, each once it is true.

use crate::body::{Held, Kind};
use crate::collection::{Collection, Done, Found, Hit, Query, Task};
use crate::documents::{Broken, Documents, Submitted};
use crate::error::{Answered, ApiError};
use crate::json::{self, JSON, NDJSON, push_line};
use crate::service::{Service, blocking};
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;
use bytes::Bytes;
use futures_util::stream;
use serde::Serialize;
use serde_json::Value;
use std::convert::Infallible;
use std::ops::Range;
use std::sync::Arc;
use tokio::sync::mpsc;
use twinsift_index::{Record, Searcher, Time};
use utoipa::ToSchema;

/// So many groups of lines wait for a client to read them.
const LINES_AHEAD: usize = 4;

/// What is done with the documents of a request.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Purpose {
    Add,
    Query {
        top: usize,
        learn: bool,
        renew: bool,
    },
}

/// A document that was added.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Added {
    #[schema(value_type = String)]
    id: Value,
    /// Always true: what was not added has an error instead.
    added: bool,
    /// Whether another document had this id, which is gone now.
    replaced: bool,
}

/// What a document duplicates.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct QueryAnswer {
    /// The id of the document, if it has one.
    #[schema(value_type = Option<String>)]
    id: Value,
    #[schema(value_type = Verdict)]
    verdict: &'static str,
    /// The known document that is most alike.
    #[schema(value_type = Option<String>)]
    duplicate_of: Value,
    score: Option<f64>,
    label: Option<String>,
    /// The most alike first.
    matches: Vec<MatchShown>,
}

/// Whether a document is known.
#[derive(Debug, ToSchema)]
#[allow(dead_code, reason = "only its schema is used")]
pub(crate) enum Verdict {
    #[schema(rename = "duplicate")]
    Duplicate,
    #[schema(rename = "new")]
    New,
    /// The document has too little to be compared.
    #[schema(rename = "not judged")]
    NotJudged,
}

/// A known document that another one is a near duplicate of.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct MatchShown {
    #[schema(value_type = String)]
    pub(crate) duplicate_of: Value,
    /// How alike the two are, by the recipe's own measure.
    pub(crate) score: f64,
    pub(crate) label: Option<String>,
}

impl From<&Hit> for MatchShown {
    fn from(hit: &Hit) -> Self {
        Self {
            duplicate_of: json::id(&hit.id),
            score: hit.score,
            label: hit.label.clone(),
        }
    }
}

impl QueryAnswer {
    fn new(id: Value, found: &Found) -> Self {
        let first = found.matches.first();
        Self {
            id,
            verdict: match (first, found.is_judged) {
                (Some(_), _) => "duplicate",
                (None, true) => "new",
                (None, false) => "not judged",
            },
            duplicate_of: first.map_or(Value::Null, |hit| json::id(&hit.id)),
            score: first.map(|hit| hit.score),
            label: first.and_then(|hit| hit.label.clone()),
            matches: found.matches.iter().map(MatchShown::from).collect(),
        }
    }
}

/// What stands in for a document until its line is written.
enum Slot {
    Broken(Broken),
    /// It is answered already.
    Found(Value, Found),
    /// The next of the tasks says.
    Task(Value),
}

/// The documents of a request, where they are looked for, and what for.
struct Work {
    collection: Arc<Collection>,
    searcher: Searcher,
    purpose: Purpose,
    documents: Documents,
}

/// Works through the documents of a request.
pub(crate) async fn answer(
    service: &Service,
    collection: Arc<Collection>,
    purpose: Purpose,
    held: Held,
    kind: Kind,
) -> Answered {
    let permit = service.begin_work()?;
    let (work, mut groups, first) = blocking(move || {
        let work = Work {
            searcher: collection.searcher(),
            collection,
            purpose,
            documents: Documents::find(held.bytes.clone(), kind)?,
        };
        let groups = work.documents.groups();
        let first = groups.first().cloned().map(|group| work.prepare(group));
        Ok(((work, held), groups.into_iter(), first.transpose()?))
    })
    .await?;
    groups.next();
    let (slots, tasks) = first.unwrap_or_default();
    let done = match tasks.is_empty() {
        true => Vec::new(),
        false => work.0.collection.submit(tasks)?.done().await?,
    };
    let is_broken = slots.iter().any(|slot| matches!(slot, Slot::Broken(_)));
    let lines = lines(slots, done);
    if work.0.documents.is_single {
        let status = match is_broken {
            true => StatusCode::UNPROCESSABLE_ENTITY,
            false => StatusCode::OK,
        };
        return Ok(json::body(status, JSON, lines));
    }
    if groups.len() == 0 {
        return Ok(json::body(StatusCode::OK, NDJSON, lines));
    }
    let (sender, receiver) = mpsc::channel(LINES_AHEAD);
    tokio::task::spawn_blocking(move || {
        let (work, _held) = work;
        let _permit = permit;
        if sender.blocking_send(Bytes::from(lines)).is_err() {
            return;
        }
        for group in groups {
            let lines = work.finish(group);
            // The client has gone, and its other documents with it.
            if sender.blocking_send(lines.into()).is_err() {
                return;
            }
        }
    });
    Ok(streamed(receiver))
}

fn streamed(receiver: mpsc::Receiver<Bytes>) -> Response {
    let lines = stream::unfold(receiver, |mut receiver| async {
        let lines = receiver.recv().await?;
        Some((Ok::<_, Infallible>(lines), receiver))
    });
    json::body(StatusCode::OK, NDJSON, Body::from_stream(lines))
}

impl Work {
    /// Reads the documents of a group, and says what is still to be done.
    fn prepare(&self, group: Range<usize>) -> Answered<(Vec<Slot>, Vec<Task>)> {
        let (mut slots, mut tasks) = (Vec::new(), Vec::new());
        for at in group {
            let slot = match self.collection.shared.reader.read(self.documents.get(at)) {
                Err(broken) => Slot::Broken(broken),
                Ok(document) => self.slot(&document, &mut tasks)?,
            };
            slots.push(slot);
        }
        Ok((slots, tasks))
    }

    fn slot(&self, submitted: &Submitted<'_>, tasks: &mut Vec<Task>) -> Answered<Slot> {
        let id = submitted.id().map_or(Value::Null, json::id);
        let signature = self.searcher.extractor().extract(&submitted.document);
        let is_kept = match self.purpose {
            Purpose::Add => true,
            Purpose::Query { learn, .. } => learn,
        };
        if is_kept && submitted.id().is_none() {
            let broken = Broken::new(None, "a document needs an id to be kept");
            return Ok(Slot::Broken(broken));
        }
        let now = Time::now();
        let record = match is_kept {
            false => None,
            true => {
                let id = submitted.document.id.clone();
                let record = Record {
                    label: submitted.label.clone(),
                    time_to_live: submitted.time_to_live,
                    ..Record::new(id, signature.clone(), now)
                };
                if let Err(error) = record.check() {
                    let broken = Broken::new(submitted.id(), error.to_string());
                    return Ok(Slot::Broken(broken));
                }
                Some(record)
            }
        };
        match (self.purpose, record) {
            (Purpose::Add, Some(record)) => tasks.push(Task::Add(record)),
            (Purpose::Query { top, renew, .. }, learn) if renew || learn.is_some() => {
                tasks.push(Task::Query(Query {
                    signature,
                    learn,
                    top,
                    renew,
                }));
            }
            (Purpose::Query { top, .. }, _) => {
                let answer = self.searcher.search(&signature, top, now)?;
                let found = Found {
                    is_judged: answer.is_judged,
                    matches: answer.matches.into_iter().map(Hit::from).collect(),
                };
                return Ok(Slot::Found(id, found));
            }
            (Purpose::Add, None) => {}
        }
        Ok(Slot::Task(id))
    }

    /// The lines of a group, on a thread that may wait.
    fn finish(&self, group: Range<usize>) -> Vec<u8> {
        let failed = |error: &ApiError| {
            let mut lines = Vec::new();
            for at in group.clone() {
                let read = self.collection.shared.reader.read(self.documents.get(at));
                let id = read.as_ref().ok().and_then(|submitted| submitted.id());
                Broken::new(id, error.sentence()).push(&mut lines);
            }
            lines
        };
        let outcome = self.prepare(group.clone()).and_then(|(slots, tasks)| {
            let done = match tasks.is_empty() {
                true => Vec::new(),
                false => self.collection.submit_patiently(tasks)?.wait()?,
            };
            Ok(lines(slots, done))
        });
        outcome.unwrap_or_else(|error| failed(&error))
    }
}

/// A line for each document.
fn lines(slots: Vec<Slot>, done: Vec<Done>) -> Vec<u8> {
    let (mut lines, mut done) = (Vec::new(), done.into_iter());
    for slot in slots {
        match slot {
            Slot::Broken(broken) => broken.push(&mut lines),
            Slot::Found(id, found) => push_line(&mut lines, &QueryAnswer::new(id, &found)),
            Slot::Task(id) => match done.next() {
                Some(Done::Added(replaced)) => push_line(
                    &mut lines,
                    &Added {
                        id,
                        added: true,
                        replaced,
                    },
                ),
                Some(Done::Answered(found)) => {
                    push_line(&mut lines, &QueryAnswer::new(id, &found));
                }
                Some(Done::Removed(_)) | None => {}
            },
        }
    }
    lines
}
