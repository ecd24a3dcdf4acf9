//! Work shared among threads.
//!
//! Every function here gives the same result whatever the number of threads.
//! They run on the pool of threads that the caller has entered.

use crate::collection::block::Block;
use crate::collection::pages;
use crate::collection::store::Store;
use crate::error::{Error, Result};
use crate::observer::Observer;
use crate::settings::Settings;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Takes every block out of `store`, maps them in parallel,
/// and hands the results on in order.
pub(crate) fn each_block<T: Send>(
    mut store: Store,
    map: impl Fn(Block) -> T + Sync,
    mut then: impl FnMut(T) -> Result<()>,
) -> Result<()> {
    let together = rayon::current_num_threads() * 4;
    let mut next = 0;
    while next < store.len() {
        let (mut group, mut bytes) = (Vec::new(), 0);
        while next < store.len() && group.len() < together && bytes <= pages::HEAVY {
            bytes += store.spilled_block(next);
            group.push(store.take(next)?);
            next += 1;
        }
        let mapped: Vec<T> = group
            .into_par_iter()
            .map(|block| map(Arc::unwrap_or_clone(block)))
            .collect();
        mapped.into_iter().try_for_each(&mut then)?;
    }
    Ok(())
}

/// Shares `count` pieces of work among the threads, `chunk` at a time. Each
/// thread has a state of its own; `tally` makes a number of it at the end,
/// and the sum of these is returned. Ends soon when the observer is asked to.
pub(crate) fn share_out<S>(
    observer: &Observer,
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
                    let range = start..count.min(start + chunk);
                    let worked = observer.check().and_then(|()| work(&mut state, range));
                    if let Err(error) = worked {
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
    sum.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Maps `items` on `threads` threads, each with a state of its own, and hands the
/// results to `then` in the order of the items. Each thread draws an item when it
/// wants one and hands on whatever is due when it has finished it: there are no
/// threads besides, so that none takes time from another. Only a few items are
/// under way at any time, and together they have no more than the bytes that `load`
/// allows, or there is only one: so a large item is alone.
pub(crate) fn in_order<I, S, T: Send>(
    settings: &Settings,
    items: impl Iterator<Item = I> + Send,
    load: Load<impl Fn(&I) -> usize + Sync>,
    init: impl Fn() -> S + Sync,
    map: impl Fn(&mut S, I) -> T + Sync,
    then: impl FnMut(T) -> Result<()> + Send,
) -> Result<()> {
    let (threads, observer) = (settings.threads.max(1), &settings.observer);
    let source = Mutex::new(items.enumerate());
    let results = Mutex::new(OrderedResults {
        early: BTreeMap::new(),
        next: 0,
        bytes: 0,
        then,
        outcome: Ok(()),
    });
    let moved_on = Condvar::new();
    // Another item is drawn only when there is room for the one that was drawn before. All
    // that are under way come before it, so they do not wait for it.
    let draw = || {
        let mut source = lock(&source);
        // The next item may be as large as a large one that is under way.
        let is_heavy = |results: &mut OrderedResults<T, _>| {
            results.outcome.is_ok() && results.bytes > pages::HEAVY.max(load.most / 2)
        };
        drop(moved_on.wait_while(lock(&results), is_heavy));
        let (number, item) = source.next()?;
        let bytes = (load.bytes_of)(&item);
        let is_too_much = |results: &mut OrderedResults<T, _>| {
            results.outcome.is_ok()
                && results.bytes > 0
                && results.bytes.saturating_add(bytes) > load.most
        };
        let mut results = moved_on
            .wait_while(lock(&results), is_too_much)
            .unwrap_or_else(PoisonError::into_inner);
        results.bytes += bytes;
        Some((number, bytes, item))
    };
    let work = || {
        let mut state = init();
        loop {
            let Some((number, bytes, item)) = draw() else {
                return;
            };
            let result = map(&mut state, item);
            if bytes > pages::HEAVY {
                // What it took is not kept for smaller ones.
                state = init();
                pages::give_back_after(bytes);
            }
            // The item that is due never waits here, so there is always progress.
            let too_early = |results: &mut OrderedResults<T, _>| {
                results.outcome.is_ok() && number >= results.next + threads * UNDER_WAY
            };
            let mut results = moved_on
                .wait_while(lock(&results), too_early)
                .unwrap_or_else(PoisonError::into_inner);
            results.hand_on(number, bytes, result);
            if observer.is_cancelled() {
                results.outcome = Err(Error::Cancelled);
            }
            moved_on.notify_all();
            if results.outcome.is_err() {
                return;
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    results
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner)
        .outcome
}

/// Items under way for each thread.
const UNDER_WAY: usize = 4;

/// How much may be under way at once.
pub(crate) struct Load<F> {
    pub(crate) most: usize,
    pub(crate) bytes_of: F,
}

/// Results that are handed on in the order of their items.
struct OrderedResults<T, F> {
    /// Results that came too early, by number.
    early: BTreeMap<usize, (usize, T)>,
    /// The number of the next result.
    next: usize,
    /// Bytes of the items that have been drawn and not handed on.
    bytes: usize,
    then: F,
    outcome: Result<()>,
}

impl<T, F: FnMut(T) -> Result<()>> OrderedResults<T, F> {
    fn hand_on(&mut self, number: usize, bytes: usize, result: T) {
        self.early.insert(number, (bytes, result));
        while self.outcome.is_ok()
            && let Some((bytes, result)) = self.early.remove(&self.next)
        {
            self.bytes -= bytes;
            self.outcome = (self.then)(result);
            self.next += 1;
        }
    }
}

/// Drops what is no longer needed beside the work that goes on: to give much memory
/// back takes its time.
pub(crate) fn drop_aside(item: impl Send + 'static) {
    rayon::spawn(move || drop(item));
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_under_way_than_allowed_however_many_threads() {
        let sizes = [3usize, 1, 9, 2, 2, 2, 12, 1, 1, 4, 5, 1, 20, 1, 1, 1, 6, 6];
        for threads in [1, 2, 7] {
            let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let mut seen = Vec::new();
            let load = Load {
                most: 8,
                bytes_of: |&size: &usize| size,
            };
            let settings = Settings {
                threads,
                ..Settings::default()
            };
            in_order(
                &settings,
                sizes.into_iter(),
                load,
                || (),
                |(), size| {
                    let bytes = now.fetch_add(size, Relaxed) + size;
                    assert!(bytes <= 8 || bytes == size, "{bytes} with {size}");
                    most.fetch_max(bytes, Relaxed);
                    std::thread::yield_now();
                    now.fetch_sub(size, Relaxed);
                    size
                },
                |size| {
                    seen.push(size);
                    Ok(())
                },
            )
            .expect("no error");
            assert_eq!(seen, sizes);
            assert_eq!(most.into_inner(), 20);
        }
    }
}
