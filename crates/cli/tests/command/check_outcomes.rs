//! What `ndq check` reports: shown, refuted, not checked, and cannot be read.
