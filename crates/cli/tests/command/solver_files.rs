//! Solution files and answers of other solvers.
