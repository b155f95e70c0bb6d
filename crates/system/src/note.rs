//! Notes to the user about files that do not stop the work, for example that a damaged file is written again.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use parking_lot::Mutex;

static LISTENER: OnceLock<fn(&str)> = OnceLock::new();

/// Notes that were reported.
static REPORTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Sets the function that receives all notes. Later calls have no effect.
pub fn listen(listener: fn(&str)) {
    let _ = LISTENER.set(listener);
}

/// Reports a note, which is a sentence without a line break, unless the same note was reported before.
pub fn report(words: &str) {
    if let Some(listener) = LISTENER.get()
        && REPORTED.lock().insert(words.to_owned())
    {
        listener(&format!("note: {words}"));
    }
}
