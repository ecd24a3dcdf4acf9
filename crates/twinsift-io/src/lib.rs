//! Reading and writing document collections.
