//! ANDD
pub mod loss;
pub mod minimise;
pub mod sample;
