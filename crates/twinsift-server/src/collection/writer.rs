//! The thread that writes to an index: group commit, merging, and removal of what has expired.

use super::merging::Merging;
use super::pending::{Pending, Steps};
use super::{Change, Done, Found, Job, Shared, Task};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};
use twinsift_index::{Index, Time};

/// At most so many documents are committed together.
const MOST_TOGETHER: usize = 4096;

/// How often it is looked after what does not come by the queue.
const IDLE: Duration = Duration::from_millis(500);

/// As long as a merge is under way.
const IDLE_MERGING: Duration = Duration::from_millis(20);

pub(super) struct Writer {
    shared: Arc<Shared>,
    /// The index; `None` after a failed write, until it can be opened again.
    index: Option<Index>,
    steps: Option<Steps>,
    merging: Merging,
    purge: Duration,
    purged: Instant,
}

/// What is to be answered once a change is committed.
enum Planned {
    /// The number of the change among those of the commit.
    Add(usize),
    Remove(usize),
    Answer(Found),
}

impl Writer {
    pub(super) fn new(shared: Arc<Shared>, mut index: Index, purge: Duration) -> Self {
        index.set_merging(false);
        Self {
            steps: Steps::new(&index.searcher()).ok(),
            index: Some(index),
            shared,
            merging: Merging::default(),
            purge,
            purged: Instant::now(),
        }
    }

    /// Works until it is told to end, or the queue is closed.
    pub(super) fn run(mut self, jobs: &Receiver<Job>) {
        loop {
            let idle = match self.merging.is_running() {
                true => IDLE_MERGING,
                false => IDLE,
            };
            match jobs.recv_timeout(idle) {
                Ok(Job::Change(first)) => {
                    let (group, is_last) = gather(first, jobs);
                    self.shared
                        .waiting
                        .fetch_sub(group.len(), Ordering::Relaxed);
                    self.commit(group);
                    if is_last {
                        break;
                    }
                }
                Ok(Job::Close) | Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {}
            }
            self.look_after();
        }
        self.close();
    }

    /// Commits changes together, and answers each of them.
    fn commit(&mut self, group: Vec<Change>) {
        let (answers, tasks): (Vec<_>, Vec<_>) = group
            .into_iter()
            .map(|change| (change.answer, change.tasks))
            .unzip();
        // The sender may have stopped waiting for its answer.
        match self.commit_tasks(tasks) {
            Ok(done) => {
                for (answer, done) in answers.into_iter().zip(done) {
                    let _ = answer.send(Ok(done));
                }
            }
            Err(why) => {
                tracing::error!(collection = self.shared.name, why, "a commit failed");
                for answer in answers {
                    let _ = answer.send(Err(format!("the change may not be stored: {why}")));
                }
            }
        }
    }

    fn commit_tasks(&mut self, tasks: Vec<Vec<Task>>) -> Result<Vec<Vec<Done>>, String> {
        self.reopen().map_err(|error| error.to_string())?;
        let (Some(index), Some(steps)) = (&mut self.index, &self.steps) else {
            return Err("the index is not open".to_owned());
        };
        let searcher = index.searcher();
        let is_query = |task: &Task| matches!(task, Task::Query(_));
        let is_searched = tasks.iter().flatten().any(is_query);
        let mut pending = Pending::new(&searcher, steps, is_searched);
        let now = Time::now();
        let mut plan = |task| {
            Ok(match task {
                Task::Add(record) => Planned::Add(pending.add(record)),
                Task::Remove(id) => Planned::Remove(pending.remove(id)),
                Task::Query(query) => Planned::Answer(pending.query(query, now)?),
            })
        };
        let planned: twinsift_index::Result<Vec<Vec<Planned>>> = tasks
            .into_iter()
            .map(|tasks| tasks.into_iter().map(&mut plan).collect())
            .collect();
        let planned = planned.map_err(|error| error.to_string())?;
        let changes = pending.batch.len() as u64;
        let known = match index.commit(pending.batch) {
            Ok(known) => known,
            Err(error) => {
                self.give_up();
                return Err(error.to_string());
            }
        };
        self.shared.commits.fetch_add(1, Ordering::Relaxed);
        self.shared.changes.fetch_add(changes, Ordering::Relaxed);
        let was_known = |at: usize| known.get(at).copied().unwrap_or(false);
        let done = |planned| match planned {
            Planned::Add(at) => Done::Added(was_known(at)),
            Planned::Remove(at) => Done::Removed(was_known(at)),
            Planned::Answer(found) => Done::Answered(found),
        };
        let done = planned
            .into_iter()
            .map(|of| of.into_iter().map(done).collect());
        Ok(done.collect())
    }

    /// Closes the index after a failed write: what is on disk is not known.
    fn give_up(&mut self) {
        self.merging.abandon();
        self.index = None;
    }

    /// Opens the index again after a failed write, with all that is on disk.
    fn reopen(&mut self) -> twinsift_index::Result<()> {
        if self.index.is_none() {
            let mut index = Index::open(&self.shared.folder)?;
            index.set_merging(false);
            self.shared.set_searcher(index.searcher());
            self.index = Some(index);
            tracing::info!(collection = self.shared.name, "the index is open again");
        }
        Ok(())
    }

    /// Merges segments, and removes what has expired, if it is time for it.
    fn look_after(&mut self) {
        let Some(index) = &mut self.index else {
            return;
        };
        let mut outcome = self.merging.advance(index);
        if outcome.is_ok() && self.purged.elapsed() >= self.purge {
            self.purged = Instant::now();
            outcome = index.expire(Time::now()).map(|expired| {
                if expired > 0 {
                    let collection = &self.shared.name;
                    tracing::info!(collection, expired, "expired documents were removed");
                }
            });
        }
        if let Err(error) = outcome {
            tracing::error!(collection = self.shared.name, %error, "the index cannot be kept");
            self.give_up();
        }
    }

    fn close(mut self) {
        let Some(mut index) = self.index.take() else {
            return;
        };
        let closed = self.merging.finish(&mut index).and_then(|()| index.close());
        if let Err(error) = closed {
            tracing::error!(collection = self.shared.name, %error, "the index was not sealed");
        }
    }
}

/// A change with all others that wait, and whether there are to be no more.
fn gather(first: Change, jobs: &Receiver<Job>) -> (Vec<Change>, bool) {
    let mut documents = first.tasks.len();
    let mut group = vec![first];
    while documents < MOST_TOGETHER {
        match jobs.try_recv() {
            Ok(Job::Change(change)) => {
                documents += change.tasks.len();
                group.push(change);
            }
            Ok(Job::Close) => return (group, true),
            Err(_) => break,
        }
    }
    (group, false)
}
