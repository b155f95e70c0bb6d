//! What a user should know of a file though the work goes on, such as that a damaged part of it is made again.

use std::collections::BTreeSet;
use std::sync::{Mutex, OnceLock, PoisonError};

static LISTENER: OnceLock<fn(&str)> = OnceLock::new();

/// What was told.
static TOLD: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Has notes told to somebody; the first one who asks gets them all.
pub fn listen(listener: fn(&str)) {
    let _ = LISTENER.set(listener);
}

/// Tells a note, a sentence without an end of line, unless it was told before.
pub(crate) fn tell(words: &str) {
    if let Some(listener) = LISTENER.get()
        && TOLD.lock().unwrap_or_else(PoisonError::into_inner).insert(words.to_owned())
    {
        listener(&format!("note: {words}"));
    }
}
