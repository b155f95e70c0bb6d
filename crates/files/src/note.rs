//! What a user should know of a file though the work goes on, such as that a damaged part of it is made again.

use std::collections::BTreeSet;
use std::sync::{Mutex, OnceLock, PoisonError};

static LISTENER: OnceLock<fn(&str)> = OnceLock::new();

/// What was reported.
static REPORTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Has notes reported to a listener; the first one gets them all.
pub fn listen(listener: fn(&str)) {
    let _ = LISTENER.set(listener);
}

/// Reports a note, a sentence without an end of line, unless it was reported before.
pub fn report(words: &str) {
    if let Some(listener) = LISTENER.get()
        && REPORTED.lock().unwrap_or_else(PoisonError::into_inner).insert(words.to_owned())
    {
        listener(&format!("note: {words}"));
    }
}
