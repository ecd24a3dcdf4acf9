//! The groups as one file, to read and to send around.
