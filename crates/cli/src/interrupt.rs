//! Ctrl-C: the first one asks for a clean stop where there is something to keep, the second one ends the process.

use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// Installs the handler for Ctrl-C and termination. A command that does not ask [`asked`] is ended by the first one.
pub(crate) fn install(asks: bool) {
    let handled = ctrlc::set_handler(move || {
        if ASKED.swap(true, Ordering::Relaxed) || !asks {
            #[allow(clippy::exit, reason = "nothing is left to be kept")]
            std::process::exit(3);
        }
    });
    debug_assert!(handled.is_ok(), "installed once");
}

/// Whether a stop was asked for.
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
