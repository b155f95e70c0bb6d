//! What a user should know of a file though the work goes on, such as that a damaged part of it is made again.

use std::sync::OnceLock;

static LISTENER: OnceLock<fn(&str)> = OnceLock::new();

/// Has notes told to somebody; the first one who asks gets them all.
pub fn listen(listener: fn(&str)) {
    let _ = LISTENER.set(listener);
}

/// Tells a note, a sentence without an end of line.
pub(crate) fn tell(words: &str) {
    if let Some(listener) = LISTENER.get() {
        listener(words);
    }
}
