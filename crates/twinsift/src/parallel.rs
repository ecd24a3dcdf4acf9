//! Work shared among threads.
//!
//! Every function here gives the same result whatever the number of threads.
//! They run on the pool of threads that the caller has entered.

use crate::collection::block::Block;
use crate::collection::store::Store;
use crate::error::{Error, Result};
use crossbeam_channel::bounded;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

/// Takes every block out of `store`, maps them in parallel by number and content,
/// and hands the results on in order.
pub(crate) fn each_block<T: Send>(
    mut store: Store,
    map: impl Fn(usize, Block) -> T + Sync,
    mut then: impl FnMut(T) -> Result<()>,
) -> Result<()> {
    let together = rayon::current_num_threads() * 4;
    for start in (0..store.len()).step_by(together) {
        let group = (start..store.len().min(start + together))
            .map(|at| store.take(at))
            .collect::<Result<Vec<_>>>()?;
        let mapped: Vec<T> = group
            .into_par_iter()
            .enumerate()
            .map(|(at, block)| map(start + at, Arc::unwrap_or_clone(block)))
            .collect();
        mapped.into_iter().try_for_each(&mut then)?;
    }
    Ok(())
}

/// Shares `count` pieces of work among the threads, `chunk` at a time. Each
/// thread has a state of its own; `tally` makes a number of it at the end,
/// and the sum of these is returned.
pub(crate) fn share_out<S>(
    count: usize,
    chunk: usize,
    init: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, Range<usize>) -> Result<()> + Sync,
    tally: impl Fn(S) -> u64 + Sync,
) -> Result<u64> {
    let next = AtomicUsize::new(0);
    let sum = Mutex::new(Ok(0));
    rayon::scope(|scope| {
        for _ in 0..rayon::current_num_threads() {
            scope.spawn(|_| {
                let mut state = init();
                let outcome = loop {
                    let start = next.fetch_add(chunk, Relaxed);
                    if start >= count {
                        break Ok(tally(state));
                    }
                    if let Err(error) = work(&mut state, start..count.min(start + chunk)) {
                        next.store(count, Relaxed);
                        break Err(error);
                    }
                };
                if let Ok(mut sum) = sum.lock() {
                    match (outcome, sum.as_mut()) {
                        (Ok(more), Ok(sum)) => *sum += more,
                        (Err(error), Ok(_)) => *sum = Err(error),
                        (_, Err(_)) => {}
                    }
                }
            });
        }
    });
    sum.into_inner()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Draws `items` on a thread of its own, maps them on `threads` others, each with
/// a state of its own, and hands the results to `then` in the order of the items.
/// Only a few items are under way at any time.
pub(crate) fn in_order<I: Send, S, T: Send>(
    threads: usize,
    items: impl Iterator<Item = I> + Send,
    init: impl Fn() -> S + Sync,
    map: impl Fn(&mut S, I) -> T + Sync,
    mut then: impl FnMut(T) -> Result<()>,
) -> Result<()> {
    let (init, map) = (&init, &map);
    let threads = threads.max(1);
    let under_way = threads * 4;
    // A permit for each item under way: the drawing thread waits for one, and
    // gets it back when the item's result has been handed on.
    let (give_permit, take_permit) = bounded(under_way);
    let (send_item, take_item) = bounded(under_way);
    let (send_result, take_result) = bounded(under_way);
    for _ in 0..under_way {
        give_permit.send(()).map_err(|_| Error::Stopped)?;
    }
    std::thread::scope(move |scope| {
        scope.spawn(move || {
            for numbered in items.enumerate() {
                if take_permit.recv().is_err() || send_item.send(numbered).is_err() {
                    return;
                }
            }
        });
        for _ in 0..threads {
            let (take_item, send_result) = (take_item.clone(), send_result.clone());
            scope.spawn(move || {
                let mut state = init();
                for (number, item) in take_item {
                    if send_result.send((number, map(&mut state, item))).is_err() {
                        return;
                    }
                }
            });
        }
        drop((take_item, send_result));
        let mut early = BTreeMap::new();
        let mut next = 0;
        let outcome = take_result.iter().try_for_each(|(number, result)| {
            early.insert(number, result);
            while let Some(result) = early.remove(&next) {
                then(result)?;
                next += 1;
                // Nobody waits any more once all items have been drawn.
                let _ = give_permit.send(());
            }
            Ok(())
        });
        // After an error the other threads still wait for one of these.
        drop((take_result, give_permit));
        outcome
    })
}
