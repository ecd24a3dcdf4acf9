//! The command.
#[cfg(test)]
mod demo;

fn main() {}
