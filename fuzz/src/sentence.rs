//! Error messages.

use std::fmt::Display;

/// Panics unless an error message is not empty and has no control characters. A message may quote a board
/// name in further lines, which begin with four blanks.
pub(crate) fn assert_plain(fault: &impl Display) {
    let words = fault.to_string();
    assert!(!words.trim().is_empty(), "an empty error message");
    let first = words.replace("\n    ", " ");
    assert!(!first.contains(char::is_control), "a control character in the error message {words:?}");
    assert!(words.matches('\n').count() <= 2, "several lines in the error message {words:?}");
}
