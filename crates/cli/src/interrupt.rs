//! Handling of Ctrl-C, termination signals and the time limit. The first signal requests a clean stop if
//! there is work to save, the second one ends the process. The process also ends if it has not stopped ten
//! seconds after the first signal, or [`OVERTIME`] after the time limit. A signal that was ignored when the
//! process started, such as the hang-up under `nohup`, remains ignored.

use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use ndqueens_system::program::{self, scratch};
use ndqueens_system::{file, signal};
use parking_lot::Mutex;

use crate::exit::Exit;
use crate::output::{Output, log};

/// Time of the first signal.
static REQUESTED: OnceLock<Instant> = OnceLock::new();

/// Time after the first signal in which further ones are ignored, since some senders signal both a process
/// and its group.
const ONE: Duration = Duration::from_millis(300);

/// Maximum duration of a clean stop.
const GRACE: Duration = Duration::from_secs(10);

/// Maximum overrun of work that stops at its time limit by itself: the time until its next check of the
/// clock, and for checking and saving its results.
pub(crate) const OVERTIME: Duration = Duration::from_secs(3);

/// Ends the process `overtime` after the time limit of the command, which starts now. The work checks the
/// limit itself, but not in every phase. A command that does not stop by itself has no overtime.
pub(crate) fn limit(limit: Option<Duration>, overtime: Duration, json: bool) {
    let words = match overtime.is_zero() {
        false => "stopped (time limit): the step under way cannot be interrupted, and is lost",
        true => "stopped (time limit) before anything was finished",
    };
    let Some(limit) = limit.and_then(|limit| limit.checked_add(overtime)) else { return };
    let stop = move || {
        std::thread::sleep(limit);
        end(words, json);
    };
    // With a zero limit, stop synchronously, so that the command cannot finish first.
    if limit.is_zero() { stop() } else { drop(std::thread::spawn(stop)) }
}

/// Installs the handler for Ctrl-C and termination. If `polls` is `false`, the command does not poll
/// [`is_requested`], and the first signal ends it.
pub(crate) fn install(polls: bool, json: bool) {
    let installed = signal::on_stop_request(move || {
        let now = Instant::now();
        let first = *REQUESTED.get_or_init(|| now);
        if first < now {
            if now - first > ONE {
                end("stopped (second signal): what was under way is lost", json);
            }
            return;
        }
        if !polls {
            end("stopped (signal) before anything was finished", json);
        }
        std::thread::spawn(move || {
            std::thread::sleep(GRACE);
            end("stopped (signal): the step under way cannot be interrupted, and is lost", json);
        });
    });
    debug_assert!(installed.is_ok(), "installed once");
}

/// Finished results, printed if the process ends before its work is done.
static FINISHED: Mutex<String> = Mutex::new(String::new());

/// Sets the text that is printed if the process ends before its work is done: the results so far.
pub(crate) fn print_when_stopped(text: String) {
    *FINISHED.lock() = text;
}

/// `true` while the process is ending.
static ENDING: AtomicBool = AtomicBool::new(false);

/// Waits for the end of the process if it is ending, so that failures of the programs killed with it are not
/// reported.
pub(crate) fn wait_if_ending() {
    while ENDING.load(Relaxed) {
        std::thread::park();
    }
}

#[allow(clippy::exit, reason = "nothing is left to save")]
fn end(words: &'static str, json: bool) {
    log(words);
    let first = !ENDING.swap(true, Relaxed);
    program::kill_all();
    scratch::remove_all();
    file::remove_temporaries();
    let finished = FINISHED.lock().clone();
    if first && (json || !finished.is_empty()) {
        // Printing may block, because no program reads the output or the work holds it: wait only for a short
        // time.
        let printing = std::thread::spawn(move || match json {
            true => Output::new(json).fault(words, ndqueens_notation::error_class::ErrorClass::Limit),
            false => drop(Output::new(json).result(&(), &finished)),
        });
        (0..100).take_while(|_| !printing.is_finished()).for_each(|_| std::thread::sleep(ONE / 100));
    }
    std::process::exit(Exit::Stopped as i32);
}

/// Returns `true` if a stop was requested.
pub(crate) fn is_requested() -> bool {
    REQUESTED.get().is_some()
}
