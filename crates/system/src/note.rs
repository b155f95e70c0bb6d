//! Notes to the user about files that do not stop the work, for example that a damaged file is written again.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use parking_lot::Mutex;

/// Destination of notes. Clones share it, so that the same note is not reported twice.
///
/// # Examples
/// ```
/// use ndqueens_system::note::Notes;
///
/// let (sender, notes) = std::sync::mpsc::channel();
/// let destination = Notes::to(move |note| sender.send(note.to_owned()).expect("received"));
/// destination.report("a.csv is damaged");
/// destination.clone().report("a.csv is damaged");
/// drop(destination);
/// assert_eq!(notes.iter().collect::<Vec<_>>(), ["a.csv is damaged"]);
/// ```
#[derive(Clone, Default)]
pub struct Notes(Option<Arc<Listener>>);

struct Listener {
    receive: Box<dyn Fn(&str) + Send + Sync>,
    /// Notes that were reported.
    reported: Mutex<BTreeSet<String>>,
}

impl Notes {
    /// Creates a destination that passes each note to `receive` once. [`Notes::default`] discards all notes.
    #[must_use]
    pub fn to(receive: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(Listener { receive: Box::new(receive), reported: Mutex::default() })))
    }

    /// Reports several notes, as [`Self::report`] does.
    pub fn report_all(&self, notes: impl IntoIterator<Item = impl AsRef<str>>) {
        notes.into_iter().for_each(|note| self.report(note.as_ref()));
    }

    /// Reports a note, which is a sentence without a line break, unless the same note was reported before.
    pub fn report(&self, note: &str) {
        if let Some(Listener { receive, reported }) = self.0.as_deref()
            && reported.lock().insert(note.to_owned())
        {
            receive(note);
        }
    }
}

impl fmt::Debug for Notes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Notes").field(&self.0.is_some()).finish()
    }
}
