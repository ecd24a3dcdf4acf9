//! Ctrl-C and other signals that end the program: unfinished outputs are removed first.

/// Removes unfinished outputs when a signal ends the program. A signal that the parent
/// process has set to be ignored stays ignored.
#[cfg(unix)]
pub fn remove_unfinished_on_signal() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    let wanted = [SIGHUP, SIGINT, SIGTERM];
    let wanted = wanted.into_iter().filter(|&signal| !is_ignored(signal));
    // Without a handler a signal ends the program all the same.
    let Ok(mut signals) = Signals::new(wanted) else {
        return;
    };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            twinsift_io::remove_unfinished();
            let _ = emulate_default_handler(signal);
        }
    });
}

#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: without a new action, the system only writes the present one; it is looked
    // at only if that went well.
    unsafe {
        libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) == 0
            && action.assume_init().sa_sigaction == libc::SIG_IGN
    }
}

/// Elsewhere the system has no such signals.
#[cfg(not(unix))]
pub fn remove_unfinished_on_signal() {}
