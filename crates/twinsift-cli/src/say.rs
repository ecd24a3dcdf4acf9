//! Words for the user, on standard error. Nobody may be listening any more, as
//! in `twinsift … 2>&1 | head`, and that is no reason to fail.

/// As `eprintln!`, but a reader that has gone away is not minded.
macro_rules! say {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(anstream::stderr(), $($words)*);
    }};
}

pub(crate) use say;
