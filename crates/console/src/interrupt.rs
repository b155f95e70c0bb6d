//! Ctrl-C: the first one asks for a clean stop where there is something to keep, the second one ends the process. What does
//! not stop within ten seconds of the first one is ended as well, and so is what goes on for [`OVERTIME`] after the time limit.
//! Who started the process with a signal ignored, as `nohup` does with the hang-up, wants it ignored.

use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use ndqueens_system::program::{self, scratch};
use ndqueens_system::{file, signal};
use parking_lot::Mutex;

use crate::Exit;
use crate::output::{Output, log};

/// When the first one came.
static ASKED: OnceLock<Instant> = OnceLock::new();

/// What comes so soon after the first one is the same: some senders signal a process and its group.
const ONE: Duration = Duration::from_millis(300);

/// How long a clean stop may take.
const GRACE: Duration = Duration::from_secs(10);

/// How long work that stops at its time limit may go on after it: to its next look at the clock, to check and to keep what it has.
pub const OVERTIME: Duration = Duration::from_secs(3);

/// Ends the process when the time limit of the command, which begins now, has been over for so long: the work itself looks at
/// it, but not in every phase. A command that does not stop by itself has no overtime.
pub fn limit(limit: Option<Duration>, overtime: Duration, json: bool) {
    let words = match overtime.is_zero() {
        false => "stopped (time limit): the step under way cannot be interrupted, and is lost",
        true => "stopped (time limit) before anything was finished",
    };
    let Some(limit) = limit.and_then(|limit| limit.checked_add(overtime)) else { return };
    let stop = move || {
        std::thread::sleep(limit);
        end(words, json);
    };
    // There is no race with what takes no time.
    if limit.is_zero() { stop() } else { drop(std::thread::spawn(stop)) }
}

/// Installs the handler for Ctrl-C and termination. A command that does not ask [`asked`] is ended by the first one.
pub fn install(asks: bool, json: bool) {
    let installed = signal::on_stop_request(move || {
        let now = Instant::now();
        let first = *ASKED.get_or_init(|| now);
        if first < now {
            if now - first > ONE {
                end("stopped (second signal): what was under way is lost", json);
            }
            return;
        }
        if !asks {
            end("stopped (signal) before anything was finished", json);
        }
        std::thread::spawn(move || {
            std::thread::sleep(GRACE);
            end("stopped (signal): the step under way cannot be interrupted, and is lost", json);
        });
    });
    debug_assert!(installed.is_ok(), "installed once");
}

/// What is finished, to be printed when the process is ended before the work is done.
static FINISHED: Mutex<String> = Mutex::new(String::new());

/// Has a text printed when the process is ended before the work is done: what is finished so far.
pub fn finished(text: String) {
    *FINISHED.lock() = text;
}

/// Whether the process is being ended.
static ENDING: AtomicBool = AtomicBool::new(false);

/// Waits for the end of a process that is being ended: what its work says of the programs that were ended with it is not told.
pub fn wait_if_ending() {
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
        // Whoever reads may have stopped reading, and the work may be printing: it is not waited for.
        let printing = std::thread::spawn(move || match json {
            true => Output::new(json).fault(words, ndqueens_notation::error_class::ErrorClass::Limit),
            false => drop(Output::new(json).result(&(), &finished)),
        });
        (0..100).take_while(|_| !printing.is_finished()).for_each(|_| std::thread::sleep(ONE / 100));
    }
    std::process::exit(Exit::Stopped as i32);
}

/// Whether a stop was asked for.
pub fn asked() -> bool {
    ASKED.get().is_some()
}
