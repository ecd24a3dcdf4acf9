//! From segments to the postings that each task joins.

use super::classes::Redirects;
use super::codec::{Input, damaged, put};
use super::parity::Parities;
use super::plan::{Plan, Side, salt};
use super::postings::{Mark, PostingMaker, Size};
use super::segment::{parsed, signatures};
use crate::error::Result;
use crate::recipe::Recipe;

/// A router with more postings is full.
const FULL: usize = 1 << 21;

/// Sends the postings of documents to the tasks of a plan.
#[derive(Debug)]
pub struct Router {
    plan: Plan,
    maker: PostingMaker,
    outboxes: Vec<Outbox>,
    waiting: usize,
    sent: u64,
}

/// What goes to one task.
#[derive(Debug, Default)]
struct Outbox {
    documents: Vec<RoutedDocument>,
    keys: Vec<RoutedPosting>,
    units: Vec<RoutedPosting>,
}

/// What a task knows of a document.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RoutedDocument {
    pub(super) number: u64,
    pub(super) size: Size,
    /// The sides on which its class has documents.
    pub(super) sides: u8,
    pub(super) parities: Option<Parities>,
}

/// Added to the sides of a document whose parities follow.
const HAS_PARITIES: u8 = 1 << 7;

impl Router {
    /// A router for a recipe and a plan that was made for it.
    pub fn new(recipe: &Recipe, plan: Plan) -> Result<Self> {
        let mut outboxes = Vec::new();
        outboxes.resize_with(plan.tasks(), Outbox::default);
        Ok(Self {
            maker: PostingMaker::new(recipe, plan.order.clone())?,
            plan,
            outboxes,
            waiting: 0,
            sent: 0,
        })
    }

    /// Adds the documents of a segment that represent their classes.
    pub fn add<'a>(
        &mut self,
        segment: u64,
        stored: &[u8],
        redirects: impl Iterator<Item = &'a [u8]>,
    ) -> Result<()> {
        let redirects = Redirects::new(redirects)?;
        let (plan, outboxes) = (&self.plan, &mut self.outboxes);
        let (maker, waiting) = (&mut self.maker, &mut self.waiting);
        let mut postings = Vec::new();
        signatures(stored, |row, bytes| {
            let number = segment + u64::from(row);
            let Some(sides) = redirects.sides(number) else {
                return Ok(());
            };
            let signature = parsed(bytes)?;
            let (size, salt) = (maker.make(&signature, &mut postings), salt(&signature));
            let document = RoutedDocument {
                number,
                size,
                sides,
                parities: maker.parities(&signature, size),
            };
            for &posting in &postings {
                plan.route(posting.key, size.total, salt, |to| {
                    let outbox = &mut outboxes[to.task as usize];
                    let document = outbox.place(document);
                    match to.unit {
                        None => outbox.keys.push(RoutedPosting {
                            group: posting.key,
                            side: Side::Only as u8,
                            document,
                            mark: posting.mark,
                        }),
                        Some((unit, side)) => outbox.units.push(RoutedPosting {
                            group: unit.into(),
                            side: side as u8,
                            document,
                            mark: posting.mark,
                        }),
                    }
                    *waiting += 1;
                });
            }
            Ok(())
        })
    }

    /// Whether it is time to [`send`](Self::send).
    pub fn is_full(&self) -> bool {
        self.waiting >= FULL
    }

    /// The postings that were sent so far.
    pub fn sent(&self) -> u64 {
        self.sent
    }

    /// What was added since the last call: for each task that is to get something, a blob.
    pub fn send(&mut self) -> Vec<(u32, Vec<u8>)> {
        self.sent += self.waiting as u64;
        self.waiting = 0;
        let weighted = self.maker.is_weighted();
        let outboxes = (0..).zip(&mut self.outboxes);
        outboxes
            .filter(|(_, outbox)| !outbox.documents.is_empty())
            .map(|(task, outbox)| (task, std::mem::take(outbox).packed(weighted)))
            .collect()
    }
}

impl Outbox {
    /// The place of a document, which is the last one or a new one.
    #[inline]
    fn place(&mut self, document: RoutedDocument) -> u32 {
        let is_last = |last: &RoutedDocument| last.number == document.number;
        if !self.documents.last().is_some_and(is_last) {
            self.documents.push(document);
        }
        self.documents.len() as u32 - 1
    }

    /// The documents, then keys in ascending order, as differences, then units.
    fn packed(mut self, weighted: bool) -> Vec<u8> {
        let mut out = Vec::with_capacity(18 * self.documents.len() + 9 * self.keys.len());
        out.push(u8::from(weighted));
        put(&mut out, self.documents.len() as u64);
        let mut last = 0;
        for document in &self.documents {
            // Segments of a task may come in any order.
            put(&mut out, document.number.wrapping_sub(last));
            last = document.number;
            out.extend(document.size.total.to_le_bytes());
            out.extend(document.size.suffix.to_le_bytes());
            match document.parities {
                None => out.push(document.sides),
                Some(parities) => {
                    out.push(document.sides | HAS_PARITIES);
                    out.extend(parities.to_bytes());
                }
            }
        }
        let put_posting = |out: &mut Vec<u8>, routed: &RoutedPosting| {
            put(out, routed.document.into());
            out.push(routed.mark.rest);
            if weighted {
                out.extend(routed.mark.mass.to_le_bytes());
            }
        };
        self.keys.sort_unstable_by_key(RoutedPosting::place);
        put(&mut out, self.keys.len() as u64);
        let mut last = 0;
        for routed in &self.keys {
            put(&mut out, routed.group - last);
            last = routed.group;
            put_posting(&mut out, routed);
        }
        self.units.sort_unstable_by_key(RoutedPosting::place);
        for routed in &self.units {
            out.extend((routed.group as u32).to_le_bytes());
            out.push(routed.side);
            put_posting(&mut out, routed);
        }
        out
    }
}

/// A posting as a task gets it.
#[derive(Clone, Copy, Debug)]
pub(super) struct RoutedPosting {
    /// A key, or a unit: only postings of the same group meet.
    pub(super) group: u64,
    pub(super) document: u32,
    pub(super) side: u8,
    pub(super) mark: Mark,
}

impl RoutedPosting {
    /// By this number postings are sorted by group, side and document.
    pub(super) fn place(&self) -> u128 {
        u128::from(self.group) << 64 | u128::from(self.side) << 32 | u128::from(self.document)
    }
}

/// Units are told from keys, which have 48 bits, by this one.
const UNIT: u64 = 1 << 63;

/// Unpacks a blob, behind the documents of others.
pub(super) fn unpack(
    blob: &[u8],
    documents: &mut Vec<RoutedDocument>,
    postings: &mut Vec<RoutedPosting>,
) -> Result<()> {
    let mut input = Input(blob);
    let [weighted] = input.array()?;
    let before = documents.len() as u32;
    let mut number = 0u64;
    for _ in 0..input.number()? {
        number = number.wrapping_add(input.number()?);
        let total = f32::from_le_bytes(input.array()?);
        let suffix = f32::from_le_bytes(input.array()?);
        let [sides] = input.array()?;
        let parities = match sides & HAS_PARITIES {
            0 => None,
            _ => Some(Parities::from_bytes(input.array()?)),
        };
        documents.push(RoutedDocument {
            number,
            size: Size { total, suffix },
            sides: sides & !HAS_PARITIES,
            parities,
        });
    }
    let most = documents.len() as u32 - before;
    let mut posting = |input: &mut Input<'_>, group: u64, side: u8| {
        let at = input.number()?;
        if at >= u64::from(most) {
            return damaged();
        }
        let [rest] = input.array()?;
        let mass = match weighted {
            0 => 1.0,
            _ => f32::from_le_bytes(input.array()?),
        };
        postings.push(RoutedPosting {
            group,
            document: before + at as u32,
            side,
            mark: Mark { mass, rest },
        });
        Ok(())
    };
    let mut key = 0u64;
    for _ in 0..input.number()? {
        key = key.wrapping_add(input.number()?);
        posting(&mut input, key, Side::Only as u8)?;
    }
    while !input.is_empty() {
        let unit = u32::from_le_bytes(input.array()?);
        let [side] = input.array()?;
        posting(&mut input, UNIT | u64::from(unit), side)?;
    }
    Ok(())
}
