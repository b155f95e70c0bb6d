//! HiGHS.
