//! What the pages are about, from the first moment on.

use crate::collection::Collection;
use crate::error::Error;
use crate::groups::Groups;
use crate::label_file::{Label, LabelFile, Why};
use crate::options::Options;
use crate::regrouped::{Anew, Changes};
use crate::session::Session;
use crate::spool::{Spool, Texts};
use crate::teacher::{Reason, Said, Teacher};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use twinsift::{Matches, Stage};
use twinsift_learn::detect::{Model, Verdict};

/// All that pages share.
pub(crate) type App = Arc<State>;

/// A review.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) options: Options,
    pub(crate) session: Session,
    pub(crate) spool: Arc<Spool>,
    ready: OnceLock<Collection>,
    core: Mutex<Core>,
    /// The collection, grouped anew.
    pub(crate) anew: Mutex<Anew>,
}

/// What changes while people look.
#[derive(Debug)]
pub(crate) struct Core {
    pub(crate) labels: LabelFile,
    /// The documents that labels name.
    names: HashMap<String, u32>,
    known: Vec<Said>,
    by_pair: HashMap<(u32, u32), Verdict>,
    pub(crate) teacher: Option<Teacher>,
    /// Why there is no teacher, and will be none.
    pub(crate) failed: Option<String>,
    /// The pair that is being asked about.
    pub(crate) pending: Option<((u32, u32), Why)>,
    /// The pair that was asked about last.
    pub(crate) told: Option<Told>,
    /// Where the model was written, and after how many labels.
    pub(crate) written: Option<usize>,
}

/// What was answered last, and what the detector had thought.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    pub(crate) pair: (u32, u32),
    pub(crate) verdict: Verdict,
    pub(crate) thought: Thought,
}

/// What a detector thinks of a pair.
#[derive(Clone, Debug)]
pub(crate) struct Thought {
    pub(crate) score: f64,
    pub(crate) is_same: bool,
    pub(crate) reasons: Vec<Reason>,
}

/// Reasons that are shown.
const REASONS: usize = 5;

/// The two documents in order.
pub(crate) fn ordered(a: u32, b: u32) -> (u32, u32) {
    (a.min(b), a.max(b))
}

impl State {
    pub(crate) fn new(options: Options, session: Session, spool: Spool, labels: LabelFile) -> Self {
        Self {
            options,
            session,
            spool: Arc::new(spool),
            ready: OnceLock::new(),
            core: Mutex::new(Core {
                labels,
                names: HashMap::new(),
                known: Vec::new(),
                by_pair: HashMap::new(),
                teacher: None,
                failed: None,
                pending: None,
                told: None,
                written: None,
            }),
            anew: Mutex::default(),
        }
    }

    /// The collection, once it was read and grouped.
    pub(crate) fn collection(&self) -> Option<&Collection> {
        self.ready.get()
    }

    pub(crate) fn core(&self) -> MutexGuard<'_, Core> {
        self.core.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is being done, for who waits.
    pub(crate) fn doing(&self) -> String {
        let count = twinsift_server::html::count;
        let progress = self.options.settings.observer.progress();
        match progress.stage {
            Stage::Reading => format!("{} documents are read", count(self.spool.count())),
            Stage::Weighing => "words are weighed".to_owned(),
            Stage::Matching | Stage::Sorting => match progress.total {
                Some(total) if total > 0 => {
                    let percent = (progress.done * 100 / total).min(100);
                    format!("near duplicates are found: {percent} %")
                }
                _ => "near duplicates are found".to_owned(),
            },
            _ => "work goes on".to_owned(),
        }
    }

    /// Takes what was found: pages of groups are there from now on.
    pub(crate) fn show(&self, matches: Matches) -> Result<&Collection, Error> {
        let texts = self.spool.finish(matches.documents())?;
        let groups = Groups::of(&matches)?;
        let mut core = self.core();
        let named = core.labels.standing();
        let wanted: std::collections::HashSet<&str> = named
            .iter()
            .flat_map(|label| [&*label.a, &*label.b])
            .collect();
        let documents = matches.documents();
        if !wanted.is_empty() {
            core.names = (0..documents.len() as u32)
                .map(|doc| (documents.id(doc).text, doc))
                .filter(|(id, _)| wanted.contains(&**id))
                .map(|(id, doc)| (id.into_owned(), doc))
                .collect();
        }
        core.read_labels();
        drop(core);
        let collection = Collection {
            matches,
            texts,
            groups,
        };
        Ok(self.ready.get_or_init(|| collection))
    }

    /// Finds the pairs to ask about: questions are there from then on.
    pub(crate) fn teach(&self, collection: &Collection) {
        let Options {
            first,
            settings,
            seed,
            ..
        } = &self.options;
        let made = Teacher::new(&collection.texts, *first, settings.clone(), *seed);
        let known = self.core().known.clone();
        let made = made.and_then(|mut teacher| {
            teacher.learn(known, &collection.texts)?;
            teacher.curve();
            Ok(teacher)
        });
        let mut core = self.core();
        match made {
            Ok(teacher) => core.teacher = Some(teacher),
            Err(error) => core.failed = Some(error.to_string()),
        }
        // What was said in the meantime.
        let known = core.known.clone();
        if let Some(teacher) = &mut core.teacher
            && let Err(error) = teacher.learn(known, &collection.texts)
        {
            core.failed = Some(error.to_string());
        }
    }

    /// Keeps what is said of a pair, and learns from it.
    pub(crate) fn say(
        &self,
        collection: &Collection,
        pair: (u32, u32),
        verdict: Verdict,
        why: Why,
    ) -> Result<(), Error> {
        let (a, b) = (collection.id(pair.0), collection.id(pair.1));
        let mut core = self.core();
        core.labels.append(Label::now(&a, &b, verdict, why))?;
        core.names.extend([(a, pair.0), (b, pair.1)]);
        core.learn(collection)
    }

    /// Takes back what was said last; the pair that it was about, if it is in this collection.
    pub(crate) fn undo(&self, collection: &Collection) -> Result<Option<(u32, u32)>, Error> {
        let mut core = self.core();
        let Some(label) = core.labels.undo()? else {
            return Ok(None);
        };
        core.learn(collection)?;
        core.told = None;
        let docs = [&label.a, &label.b].map(|id| core.names.get(id).copied());
        let [Some(a), Some(b)] = docs else {
            return Ok(None);
        };
        let pair = ordered(a, b);
        core.pending = Some((pair, label.why));
        Ok(Some(pair))
    }

    /// Groups the collection anew by the detector of the moment.
    pub(crate) fn group_anew(&self, collection: &Collection) {
        let mut core = self.core();
        let labels = core.known.len();
        let Some(teacher) = &mut core.teacher else {
            return;
        };
        let detector = teacher.current;
        drop(core);
        let done = Changes::of(collection, detector, &self.options, labels);
        *self.anew.lock().unwrap_or_else(PoisonError::into_inner) = match done {
            Ok(changes) => Anew::Done(Box::new(changes)),
            Err(error) => Anew::Failed(error.to_string()),
        };
    }
}

impl Core {
    fn read_labels(&mut self) {
        let doc = |id: &str| self.names.get(id).copied();
        let said = |label: &Label| {
            Some(Said {
                pair: ordered(doc(&label.a)?, doc(&label.b)?),
                verdict: label.verdict,
                why: label.why,
            })
        };
        self.known = self.labels.standing().iter().filter_map(said).collect();
        self.known.retain(|said| said.pair.0 != said.pair.1);
        self.by_pair = self
            .known
            .iter()
            .map(|said| (said.pair, said.verdict))
            .collect();
    }

    fn learn(&mut self, collection: &Collection) -> Result<(), Error> {
        self.read_labels();
        if let Some(teacher) = &mut self.teacher {
            teacher.learn(self.known.clone(), &collection.texts)?;
        }
        Ok(())
    }

    /// What was said of pairs of this collection.
    pub(crate) fn known(&self) -> &[Said] {
        &self.known
    }

    /// What was said of a pair.
    pub(crate) fn verdict(&self, a: u32, b: u32) -> Option<Verdict> {
        self.by_pair.get(&ordered(a, b)).copied()
    }

    /// What the detector thinks of a pair.
    pub(crate) fn thought(
        &mut self,
        pair: (u32, u32),
        texts: &Texts,
    ) -> Result<Option<Thought>, Error> {
        let Some(teacher) = &mut self.teacher else {
            return Ok(None);
        };
        let row = teacher.row(pair, texts)?;
        let score = teacher.current.score_of(&row);
        Ok(Some(Thought {
            score,
            is_same: score >= teacher.current.threshold,
            reasons: teacher.reasons(&row, REASONS),
        }))
    }

    /// The detector as a model that `--model` takes.
    pub(crate) fn model(&self, find: twinsift::Find) -> Option<Model> {
        let teacher = self.teacher.as_ref()?;
        Some(Model::new(find, teacher.current, teacher.training()))
    }
}
