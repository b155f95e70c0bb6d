//! Ctrl-C: the first one asks for a clean stop where there is something to keep, the second one ends the process. What does
//! not stop within [`GRACE`] of the first one is ended as well.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use ndqueens_lab::file;

use crate::output::log;

/// When the first one came.
static ASKED: OnceLock<Instant> = OnceLock::new();

/// What comes so soon after the first one is the same: some senders signal a process and its group.
const ONE: Duration = Duration::from_millis(300);

/// How long a clean stop may take.
const GRACE: Duration = Duration::from_secs(10);

/// Installs the handler for Ctrl-C and termination. A command that does not ask [`asked`] is ended by the first one.
pub(crate) fn install(asks: bool) {
    let handled = ctrlc::set_handler(move || {
        let now = Instant::now();
        let first = *ASKED.get_or_init(|| now);
        if first < now {
            if now - first > ONE {
                end();
            }
            return;
        }
        if !asks {
            log("stopped before anything was finished");
            end();
        }
        std::thread::spawn(|| {
            std::thread::sleep(GRACE);
            log("stopped at once: what was begun does not look at Ctrl-C, and nothing could be kept");
            end();
        });
    });
    debug_assert!(handled.is_ok(), "installed once");
}

#[allow(clippy::exit, reason = "nothing is left to be kept")]
fn end() {
    file::remove_temporaries();
    std::process::exit(3);
}

/// Whether a stop was asked for.
pub(crate) fn asked() -> bool {
    ASKED.get().is_some()
}
