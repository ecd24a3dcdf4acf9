//! Which task joins which keys.
//!
//! Keys are spread over slots, and slots over tasks. A key that so many documents have that its
//! pairs would keep one task busy is *split*: its postings are put into an order by size and cut
//! into groups, and each pair of groups is a unit of work of its own, unless their sizes are too
//! far apart for any match. Where all sizes are equal, a hash of the document orders them.
//!
//! All this is estimated from a sample. A bad estimate makes a task slower, and nothing else.

use super::codec::{Input, damaged, put};
use super::order::FeatureOrder;
use super::postings::{Bounds, PostingMaker, bounds, joins};
use super::sample::Sample;
use crate::error::Result;
use crate::hash;
use crate::matcher::KeyRule;
use crate::recipe::Recipe;
use crate::signature::Signature;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// What a plan is made for.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// The fewest tasks.
    pub tasks: usize,
    /// The most postings of a task.
    pub most_postings: usize,
    /// Comparisons that are not worth splitting a key for.
    pub least_unit: u64,
}

/// What is expected of a join.
#[derive(Clone, Copy, Debug, Default)]
pub struct Estimate {
    /// Different documents.
    pub documents: u64,
    /// Bytes of their signatures.
    pub signature_bytes: u64,
    /// Documents of the sample.
    pub sampled: u64,
    /// Postings of all documents.
    pub postings: u64,
    /// Postings that are sent, with those that are sent to several tasks.
    pub routed: u64,
    /// Pairs of postings of one key that are within reach by their sizes.
    pub comparisons: u64,
}

/// Where postings go.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    pub(super) order: FeatureOrder,
    tasks: u32,
    /// The task of each slot.
    slots: Vec<u32>,
    splits: HashMap<u64, Split>,
}

/// A key that is split.
#[derive(Clone, Debug, Default, PartialEq)]
struct Split {
    /// Where each group but the first begins.
    cuts: Vec<(f32, u32)>,
    units: Vec<Unit>,
}

/// Two groups of a key, or one with itself.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Unit {
    left: u32,
    right: u32,
    task: u32,
}

/// Where a posting goes: a task, and the unit there if its key is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Destination {
    pub(super) task: u32,
    pub(super) unit: Option<(u32, Side)>,
}

/// Which of its groups a posting belongs to in a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// The unit has one group.
    Only = 0,
    Left = 1,
    Right = 2,
}

/// Slots to a task, at least, and the fewest of all.
const SLOTS_PER_TASK: usize = 16;
const LEAST_SLOTS: usize = 1 << 12;

/// Units that all tasks together may have for one key, to a task.
const UNITS_PER_TASK: usize = 32;

/// Parts of a task's work that a unit may be.
const UNITS: f64 = 8.0;

/// Documents of the sample that have a key before it is split.
const LEAST_SAMPLED: usize = 8;

/// A posting of the sample.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
struct Sampled {
    key: u64,
    total: f32,
    salt: u32,
}

impl Plan {
    /// Plans a join by the samples of all [segment writers](super::segment::SegmentWriter).
    pub fn new<'a>(
        recipe: &Recipe,
        samples: impl Iterator<Item = &'a [u8]>,
        goal: Goal,
    ) -> Result<(Self, Estimate)> {
        let sample = Sample::new(samples)?;
        let mut estimate = Estimate {
            documents: sample.documents,
            signature_bytes: sample.bytes,
            sampled: sample.signatures.len() as u64,
            ..Estimate::default()
        };
        if !joins(recipe)? {
            return Ok((Self::default(), estimate));
        }
        let is_prefix = matches!(crate::Keys::new(recipe)?.rule(), KeyRule::Prefix { .. });
        let order = match is_prefix {
            true => FeatureOrder::of(&sample.signatures),
            false => FeatureOrder::default(),
        };
        let sampled = sampled_postings(recipe, &order, &sample)?;
        let planner = Planner::new(&sampled, sample.scale(), bounds(recipe)?, goal);
        estimate.postings = planner.postings as u64;
        estimate.comparisons = planner.comparisons as u64;
        let (slots, splits, routed) = planner.assign();
        estimate.routed = routed as u64;
        let tasks = planner.tasks as u32;
        let plan = Self {
            order,
            tasks,
            slots,
            splits,
        };
        Ok((plan, estimate))
    }

    /// How many tasks join; 0 if only equal documents can match.
    pub fn tasks(&self) -> usize {
        self.tasks as usize
    }

    /// How many keys are split.
    pub fn splits(&self) -> usize {
        self.splits.len()
    }

    /// Calls `send` with each destination of a posting.
    #[inline]
    pub(super) fn route(&self, key: u64, total: f32, salt: u32, mut send: impl FnMut(Destination)) {
        let Some(split) = self.splits.get(&key) else {
            let task = self.slots[slot(key, self.slots.len())];
            return send(Destination { task, unit: None });
        };
        let group = split.cuts.partition_point(|&cut| cut <= (total, salt)) as u32;
        // Units of one key stand together; their number is that of the key and theirs.
        for (number, unit) in (0u64..).zip(&split.units) {
            let side = match (unit.left == group, unit.right == group) {
                (true, true) => Side::Only,
                (true, false) => Side::Left,
                (false, true) => Side::Right,
                (false, false) => continue,
            };
            let unit_number = (hash::pair(key, number) >> 32) as u32;
            send(Destination {
                task: unit.task,
                unit: Some((unit_number, side)),
            });
        }
    }

    /// The plan as bytes, for the tasks.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.order.write(&mut out);
        put(&mut out, u64::from(self.tasks));
        put(&mut out, self.slots.len() as u64);
        self.slots
            .iter()
            .for_each(|&task| put(&mut out, task.into()));
        let mut keys: Vec<&u64> = self.splits.keys().collect();
        keys.sort_unstable();
        for key in keys {
            let split = &self.splits[key];
            put(&mut out, *key);
            put(&mut out, split.cuts.len() as u64);
            for (total, salt) in &split.cuts {
                out.extend(total.to_le_bytes());
                out.extend(salt.to_le_bytes());
            }
            put(&mut out, split.units.len() as u64);
            let numbers = split.units.iter();
            numbers
                .flat_map(|unit| [unit.left, unit.right, unit.task])
                .for_each(|number| put(&mut out, number.into()));
        }
        out
    }

    /// A plan from its bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut input = Input(bytes);
        let order = FeatureOrder::read(&mut input)?;
        let tasks = short(&mut input)?;
        let slots = (0..input.number()?).map(|_| short(&mut input));
        let slots: Vec<u32> = slots.collect::<Result<_>>()?;
        if slots.iter().any(|&task| task >= tasks) {
            return damaged();
        }
        let mut splits = HashMap::new();
        while !input.is_empty() {
            let key = input.number()?;
            let mut split = Split::default();
            for _ in 0..input.number()? {
                let total = f32::from_le_bytes(input.array()?);
                split.cuts.push((total, u32::from_le_bytes(input.array()?)));
            }
            for _ in 0..input.number()? {
                split.units.push(Unit {
                    left: short(&mut input)?,
                    right: short(&mut input)?,
                    task: short(&mut input)?,
                });
            }
            splits.insert(key, split);
        }
        Ok(Self {
            order,
            tasks,
            slots,
            splits,
        })
    }
}

fn short(input: &mut Input<'_>) -> Result<u32> {
    match u32::try_from(input.number()?) {
        Ok(number) => Ok(number),
        Err(_) => damaged(),
    }
}

/// The slot of a key of 48 bits.
fn slot(key: u64, slots: usize) -> usize {
    hash::range(key << 16, slots)
}

/// A hash of a document, to put documents of one size into an order.
pub(super) fn salt(signature: &Signature) -> u32 {
    signature.digest().map_or(0, |digest| (digest >> 96) as u32)
}

fn sampled_postings(
    recipe: &Recipe,
    order: &FeatureOrder,
    sample: &Sample,
) -> Result<Vec<Sampled>> {
    let mut maker = PostingMaker::new(recipe, order.clone())?;
    let (mut postings, mut sampled) = (Vec::new(), Vec::new());
    for signature in &sample.signatures {
        let (total, salt) = (maker.make(signature, &mut postings).total, salt(signature));
        let keys = postings.iter().map(|posting| posting.key);
        sampled.extend(keys.map(|key| Sampled { key, total, salt }));
    }
    sampled.sort_unstable_by(|a, b| {
        let by_size = a.total.total_cmp(&b.total);
        let by_key = a.key.cmp(&b.key);
        by_key.then(by_size).then(a.salt.cmp(&b.salt))
    });
    Ok(sampled)
}

/// Makes a plan of the postings of a sample, sorted by key and size.
struct Planner<'a> {
    sampled: &'a [Sampled],
    /// Documents that one of the sample stands for.
    scale: f64,
    bounds: Option<Bounds>,
    tasks: usize,
    postings: f64,
    comparisons: f64,
    /// Comparisons of a unit, at most.
    budget: f64,
}

impl<'a> Planner<'a> {
    fn new(sampled: &'a [Sampled], scale: f64, bounds: Option<Bounds>, goal: Goal) -> Self {
        let postings = sampled.len() as f64 * scale;
        let tasks = (goal.tasks).max((postings / goal.most_postings as f64).ceil() as usize);
        let mut planner = Self {
            sampled,
            scale,
            bounds,
            tasks: tasks.max(1),
            postings,
            comparisons: 0.0,
            budget: 0.0,
        };
        let pairs = planner.keys().map(|postings| planner.pairs(postings));
        planner.comparisons = pairs.sum::<f64>() * scale * scale;
        let share = (planner.comparisons + postings) / (planner.tasks as f64 * UNITS);
        planner.budget = share.max(goal.least_unit as f64);
        planner
    }

    /// The postings of each key.
    fn keys(&self) -> impl Iterator<Item = &'a [Sampled]> + use<'a> {
        self.sampled.chunk_by(|a, b| a.key == b.key)
    }

    /// Pairs of the postings of a key whose sizes are within reach.
    fn pairs(&self, postings: &[Sampled]) -> f64 {
        let (mut first, mut pairs) = (0, 0);
        for (at, posting) in postings.iter().enumerate() {
            let least = Bounds::least_total(self.bounds, posting.total);
            while postings[first].total < least {
                first += 1;
            }
            pairs += at - first;
        }
        pairs as f64
    }

    /// The task of each slot, the keys that are split, and the postings that will be sent.
    fn assign(&self) -> (Vec<u32>, HashMap<u64, Split>, f64) {
        let slots = (self.tasks * SLOTS_PER_TASK)
            .next_power_of_two()
            .max(LEAST_SLOTS);
        let mut slot_costs = vec![0.0; slots];
        let mut splits: Vec<(u64, Split, f64)> = Vec::new();
        let (mut even, mut routed) = (self.postings, self.postings);
        for postings in self.keys() {
            let cost = self.pairs(postings) * self.scale * self.scale;
            if cost > self.budget && postings.len() >= LEAST_SAMPLED {
                let (split, unit_cost) = self.split(postings);
                routed += self.scale * self.repeats(&split, postings);
                splits.push((postings[0].key, split, unit_cost));
            } else if postings.len() >= LEAST_SAMPLED {
                slot_costs[slot(postings[0].key, slots)] += cost;
            } else {
                // Too few to tell by which of all keys they are.
                even += cost;
            }
        }
        for cost in &mut slot_costs {
            *cost += even / slots as f64;
        }
        let units = splits
            .iter()
            .enumerate()
            .flat_map(|(key, (_, split, cost))| {
                let units = split.units.iter().enumerate();
                units.map(move |(unit, of)| {
                    let share = if of.left == of.right { 0.5 } else { 1.0 };
                    (share * cost, Work::Unit(key, unit))
                })
            });
        let slots = (0..)
            .zip(slot_costs)
            .map(|(at, cost)| (cost, Work::Slot(at)));
        let mut work: Vec<(f64, Work)> = units.chain(slots).collect();
        work.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut tasks: Vec<u32> = vec![0; work.len() - work_units(&splits)];
        // The heaviest first, each to the task that has least to do.
        let idle = (0..self.tasks as u32).map(|task| Reverse((Load(0.0), task)));
        let mut loads: BinaryHeap<_> = idle.collect();
        for (cost, work) in work {
            let Some(Reverse((Load(load), task))) = loads.pop() else {
                break;
            };
            match work {
                Work::Slot(at) => tasks[at] = task,
                Work::Unit(key, unit) => splits[key].1.units[unit].task = task,
            }
            loads.push(Reverse((Load(load + cost), task)));
        }
        let splits = splits.into_iter().map(|(key, split, _)| (key, split));
        (tasks, splits.collect(), routed)
    }

    /// The groups and units of a key, and the comparisons of two groups.
    fn split(&self, postings: &[Sampled]) -> (Split, f64) {
        let most_groups = ((2 * UNITS_PER_TASK * self.tasks) as f64).sqrt().ceil();
        let group = (self.budget.sqrt() / self.scale).floor();
        let group = group
            .max(postings.len() as f64 / most_groups)
            .ceil()
            .max(1.0) as usize;
        let mut cuts: Vec<(f32, u32)> = postings
            .iter()
            .skip(group)
            .step_by(group)
            .map(|posting| (posting.total, posting.salt))
            .collect();
        cuts.dedup();
        let mut units = Vec::new();
        for left in 0..=cuts.len() {
            // Totals of this group are at most, and of the others at least, so large.
            let largest = cuts.get(left).map_or(f32::INFINITY, |cut| cut.0);
            let within_reach = (left..=cuts.len()).take_while(|&right| {
                let smallest = if right == 0 { 0.0 } else { cuts[right - 1].0 };
                right == left || largest >= Bounds::least_total(self.bounds, smallest)
            });
            units.extend(within_reach.map(|right| Unit {
                left: left as u32,
                right: right as u32,
                task: 0,
            }));
        }
        let size = group as f64 * self.scale;
        (Split { cuts, units }, size * size)
    }

    /// How many more times the postings of a split key are sent than once.
    fn repeats(&self, split: &Split, postings: &[Sampled]) -> f64 {
        let groups = (split.cuts.len() + 1) as f64;
        let sent: usize = split
            .units
            .iter()
            .map(|unit| if unit.left == unit.right { 1 } else { 2 })
            .sum();
        postings.len() as f64 * (sent as f64 / groups - 1.0)
    }
}

/// Something for a task to do.
#[derive(Clone, Copy)]
enum Work {
    Slot(usize),
    Unit(usize, usize),
}

fn work_units(splits: &[(u64, Split, f64)]) -> usize {
    splits.iter().map(|(_, split, _)| split.units.len()).sum()
}

/// What a task has to do so far.
#[derive(Clone, Copy, PartialEq)]
struct Load(f64);

impl Eq for Load {}

impl Ord for Load {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Load {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
