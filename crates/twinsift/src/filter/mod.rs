//! Is this document a near duplicate of one that we know?
//!
//! A [`Filter`] answers one document at a time, at once: for a stream, such as the
//! mail that comes in. It compares a document with the known ones that share a
//! [blocking key](crate::Keys) with it, by the recipe's own measure. It can learn what it
//! has answered; what it learns beyond a limit makes it forget the oldest, so that its
//! memory is steady. Recipes that compare sketches (I-Match, super-shingles, equal texts)
//! take less than a kilobyte for a known document, others about eight bytes for a feature.

mod index;

use crate::document::{Document, Id};
use crate::error::{Result, refuse};
use crate::extract::Extractor;
use crate::features::Weights;
use crate::keys::Keys;
use crate::recipe::{Matching, Recipe};
use crate::signature::Signature;
use crate::statistics::Statistics;
use crate::verifier::Verifier;
use index::Index;

/// Learnt documents that are remembered unless told otherwise.
pub const REMEMBERED: usize = 1_000_000;

/// Answers documents of a stream.
///
/// ```
/// use twinsift::filter::{Answer, Filter};
/// use twinsift::recipe::Method;
/// use twinsift::{Choices, Document, Id};
///
/// let recipe = Choices { method: Some(Method::Exact), ..Choices::default() }.resolve()?;
/// let mut filter = Filter::new(&recipe)?;
/// filter.insert(&Document::new("spam-1", "Buy our pills!"))?;
/// let answer = filter.answer(&Document::new("m7", "buy our PILLS"));
/// assert_eq!(answer, Answer::DuplicateOf { id: Id::text("spam-1"), score: 1.0 });
/// assert_eq!(filter.answer(&Document::new("m8", "lunch?")), Answer::Unknown);
/// # Ok::<(), twinsift::Error>(())
/// ```
#[derive(Debug)]
pub struct Filter {
    extractor: Extractor,
    keys: Keys,
    verifier: Verifier,
    known: Index,
    learnt: Index,
}

/// What a filter says of a document.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// It is a near duplicate of this known document.
    DuplicateOf {
        /// The known document.
        id: Id<'static>,
        /// The recipe's score of the pair.
        score: f64,
    },
    /// It is a near duplicate of none.
    Unknown,
    /// It has too little to be judged by.
    NotJudged,
}

impl Filter {
    /// A filter that knows nothing yet. Refused for recipes that go by the statistics of a
    /// collection: a stream has none. [`with_statistics`](Self::with_statistics) takes some.
    pub fn new(recipe: &Recipe) -> Result<Self> {
        let why = match recipe.matching() {
            _ if !Statistics::are_needed_by(recipe) => {
                return Self::with_statistics(recipe, &Statistics::default());
            }
            Matching::IMatch(_) => {
                "a filter needs a lexicon: make one with twinsift lexicon and name it with ‹lexicon›"
            }
            _ if recipe.weights == Weights::TfIdf => {
                "‹weights› tfidf goes by the statistics of a whole collection, which a stream does not have: use ‹weights› binary or counts"
            }
            _ => {
                "‹idf› goes by the statistics of a whole collection, which a stream does not have: leave out ‹idf›"
            }
        };
        refuse(why)
    }

    /// As [`new`](Self::new), for any recipe: how common features are is said by `statistics`,
    /// and does not change with what is learnt.
    pub fn with_statistics(recipe: &Recipe, statistics: &Statistics) -> Result<Self> {
        Ok(Self {
            extractor: Extractor::new(recipe, statistics)?,
            keys: Keys::new(recipe)?,
            verifier: Verifier::new(recipe)?,
            known: Index::new(usize::MAX),
            learnt: Index::new(REMEMBERED),
        })
    }

    /// How many learnt documents are remembered.
    pub fn remember(&mut self, documents: usize) {
        self.learnt = Index::new(documents);
    }

    /// Documents that are known, learnt ones included.
    pub fn len(&self) -> usize {
        self.known.len() + self.learnt.len()
    }

    /// Whether no document is known.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a known document, or its signatures. Returns whether it can be matched: some have too
    /// little to be judged by.
    pub fn insert(&mut self, document: &Document<'_>) -> Result<bool> {
        if let Some(signature) = &document.signature {
            self.extractor.recipe().check_signature(signature)?;
        }
        let signature = self.extractor.extract(document);
        let keys = self.keys.of(&signature);
        match signature.is_judged() {
            false => Ok(false),
            true => self
                .known
                .insert(&document.id, signature, keys)
                .map(|()| true),
        }
    }

    /// Whether a document is a near duplicate of a known one.
    pub fn answer(&self, document: &Document<'_>) -> Answer {
        let signature = self.extractor.extract(document);
        self.find(&signature, &self.keys.of(&signature))
    }

    /// As [`answer`](Self::answer); from now on the document is known too.
    pub fn answer_and_learn(&mut self, document: &Document<'_>) -> Result<Answer> {
        let signature = self.extractor.extract(document);
        let keys = self.keys.of(&signature);
        let answer = self.find(&signature, &keys);
        if signature.is_judged() {
            self.learnt.insert(&document.id, signature, keys)?;
        }
        Ok(answer)
    }

    fn find(&self, signature: &Signature, keys: &[u64]) -> Answer {
        if !signature.is_judged() {
            return Answer::NotJudged;
        }
        let find = |index: &Index| index.find(signature, keys, &self.verifier);
        match find(&self.known).or_else(|| find(&self.learnt)) {
            Some((id, score)) => Answer::DuplicateOf { id, score },
            None => Answer::Unknown,
        }
    }
}
