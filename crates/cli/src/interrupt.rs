//! Ctrl-C: the first one asks for a clean stop, the second one ends the process.

use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// Installs the handler for Ctrl-C and termination.
pub(crate) fn install() {
    let handled = ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::Relaxed) {
            #[allow(clippy::exit, reason = "a second Ctrl-C means at once")]
            std::process::exit(3);
        }
    });
    debug_assert!(handled.is_ok(), "installed once");
}

/// Whether a stop was asked for.
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
