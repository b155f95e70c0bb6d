//! Graphs in files of other programs, board names, and files compressed by gzip.
