//! Lower bounds by construction.
