//! Hints to the system about memory: populate, trim, prefetch.

use crate::vector::Vector;

/// Populates the memory of an array's first `length` items at once, rather than page by
/// page when each is first written to: that takes a third less time. If the system cannot,
/// nothing happens.
#[cfg(target_os = "linux")]
pub(crate) fn about_to_fill<T>(array: &mut Vec<T>, length: usize) {
    /// What addresses given to the system must be multiples of, or a multiple of
    /// that.
    const PAGE: usize = 1 << 16;
    let start = array.as_mut_ptr().cast::<u8>();
    let bytes = length.min(array.capacity()) * size_of::<T>();
    let skipped = start.addr().next_multiple_of(PAGE) - start.addr();
    if let Some(bytes) = bytes.checked_sub(skipped) {
        // SAFETY: the range lies within the array, and what it holds does not
        // change.
        unsafe {
            let start = start.add(skipped).cast();
            libc::madvise(start, bytes / PAGE * PAGE, libc::MADV_POPULATE_WRITE);
        }
    }
}

/// Does nothing on other systems.
#[cfg(not(target_os = "linux"))]
pub(crate) fn about_to_fill<T>(_: &mut Vec<T>, _: usize) {}

/// More bytes than this are much for one document or block.
pub(crate) const HEAVY: usize = 4 << 20;

/// Gives memory that is free back to the system, after `bytes` were freed, if that is much:
/// each thread has free memory of its own, and would keep what a large document took.
pub(crate) fn give_back_after(bytes: usize) {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    if bytes > HEAVY {
        // SAFETY: it takes only memory that is not in use.
        unsafe {
            libc::malloc_trim(0);
        }
    }
}

/// [Fetches](fetch) the first features of a vector, so many lines of the cache. What follows comes
/// by itself once they are read in turn.
#[inline]
pub(crate) fn fetch_vector(vector: Vector<'_>, lines: usize) {
    for line in vector.values.chunks(8).take(lines) {
        fetch(&line[0]);
    }
}

/// Prefetches an item that will soon be read, without waiting for it.
#[inline]
#[cfg_attr(not(target_arch = "x86_64"), expect(unused_variables))]
pub(crate) fn fetch<T>(item: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: it changes nothing, and the address is that of an item.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast()) };
    }
}
