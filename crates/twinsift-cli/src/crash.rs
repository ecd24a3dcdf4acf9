//! Panics: reported as mistakes of our own, and unfinished outputs are removed.

use crate::say::say;

/// Has a panic of any thread end the program as a failure.
pub fn install_panic_handler() {
    std::panic::set_hook(Box::new(|panic| {
        if twinsift_io::is_guarded() {
            return;
        }
        twinsift_io::remove_unfinished();
        say!("error: this is a mistake in twinsift, not yours; please report it:");
        panic.to_string().lines().for_each(|line| say!("{line}"));
        std::process::exit(1);
    }));
}
