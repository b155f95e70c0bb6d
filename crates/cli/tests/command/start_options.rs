//! Options that are combined: starts with symmetry rows, squares in every convention, times.
