//! Ctrl-C: the first one asks for a clean stop where there is something to keep, the second one ends the process. What does
//! not stop within [`GRACE`] of the first one is ended as well, and so is what goes on for [`OVERTIME`] after the time limit.

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

/// How long the work may go on after its time limit: to stop at its next look at the clock, to check and to keep what it has.
const OVERTIME: Duration = Duration::from_secs(3);

/// Ends the process when the time limit of the command, which begins now, is long over: the work itself looks at it, but
/// not in every phase.
pub(crate) fn limit(limit: Option<Duration>) {
    let Some(limit) = limit.and_then(|limit| limit.checked_add(OVERTIME)) else { return };
    std::thread::spawn(move || {
        std::thread::sleep(limit);
        log("stopped at the time limit: what was begun does not look at it, and nothing more could be kept");
        end();
    });
}

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
