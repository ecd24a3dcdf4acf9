//! Measures against brute force, scikit-learn and trec_eval.

mod judge;
mod trials;
