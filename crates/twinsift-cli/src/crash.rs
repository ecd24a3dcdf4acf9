//! Mistakes of our own: told in a sentence, and nothing half written stays behind.

use crate::say::say;

/// Has a panic end the program as a failure. Nobody waits for a thread that is gone.
pub fn end_with_a_sentence() {
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
