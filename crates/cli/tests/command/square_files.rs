//! Sets of squares in files of other programs, and files that cannot be read.
