//! One limit on memory for every command, which the system keeps, and one end where memory runs out: a sentence, no temporary
//! files left behind, exit code 4. It holds for what is allocated here, for HiGHS and for threads alike.

#![allow(
    unsafe_code,
    reason = "an allocator is an unsafe trait, and C++ calls a handler when memory runs out"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use ndqueens_control as control;
use ndqueens_files as files;
use nix::libc;
use nix::sys::resource::{Resource, getrlimit, setrlimit};

use crate::Exit;

/// The system's allocator, but for what it does when there is no memory.
struct Guarded;

#[global_allocator]
static ALLOCATOR: Guarded = Guarded;

// SAFETY: the system's allocator does all of it; a null pointer never comes back.
unsafe impl GlobalAlloc for Guarded {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract, which is the same.
        had(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        had(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        had(unsafe { System.realloc(pointer, layout, size) }, size)
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

fn had(pointer: *mut u8, bytes: usize) -> *mut u8 {
    if pointer.is_null() {
        end(Some(bytes));
    }
    pointer
}

unsafe extern "C" {
    /// `std::set_new_handler`: what C++ calls where it would throw `std::bad_alloc`.
    #[link_name = "_ZSt15set_new_handlerPFvvE"]
    safe fn set_new_handler(handler: Option<extern "C" fn()>) -> Option<extern "C" fn()>;
}

unsafe extern "C" {
    /// `std::set_terminate`: what C++ calls where nothing catches an exception, such as that of a thread that cannot be had.
    #[link_name = "_ZSt13set_terminatePFvvE"]
    safe fn set_terminate(handler: Option<extern "C" fn()>) -> Option<extern "C" fn()>;
}

extern "C" fn end_of_cpp() {
    end(None);
}

extern "C" fn uncaught_in_cpp() {
    give_up(
        b"\nerror: the solver gave up, for it cannot have a thread or memory: the limits (ulimit) are too tight\n",
    );
}

/// Ends the process where what it needs cannot be had, after these words.
pub fn give_up(words: &[u8]) -> ! {
    // SAFETY: the bytes are there; nobody may listen.
    unsafe { libc::write(libc::STDERR_FILENO, words.as_ptr().cast(), words.len()) };
    files::remove_temporaries();
    leave()
}

fn leave() -> ! {
    // SAFETY: nothing is left to be kept, and destructors would wait for threads that cannot go on.
    unsafe { libc::_exit(Exit::Failed as i32) }
}

/// What the process may take, in bytes.
static ALLOWED: AtomicU64 = AtomicU64::new(u64::MAX);

/// Limits the memory of this process to so many GiB, or nine tenths of the machine's, and never above the limit it began with.
pub fn limit(gib: Option<u64>) {
    set_new_handler(Some(end_of_cpp));
    set_terminate(Some(uncaught_in_cpp));
    let wanted = gib.map_or_else(|| control::memory::total() / 10 * 9, |gib| gib << 30);
    let set = |resource| getrlimit(resource).unwrap_or((u64::MAX, u64::MAX));
    let (soft, hard) = set(Resource::RLIMIT_DATA);
    let addresses = set(Resource::RLIMIT_AS).0;
    if addresses != libc::RLIM_INFINITY {
        one_arena();
    }
    let allowed = wanted.min(soft).min(addresses);
    ALLOWED.store(allowed, Relaxed);
    // A system that does not keep the limit is no reason not to work.
    let _ = setrlimit(Resource::RLIMIT_DATA, allowed, hard);
}

/// Has all threads allocate from one arena: each arena of glibc reserves 64 MiB of addresses, which under a limit on them
/// fails, slowly, again and again.
fn one_arena() {
    #[cfg(target_env = "gnu")]
    // SAFETY: no thread but this one allocates yet.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 1);
    }
}

/// Bytes that a model may take: what was asked for, or three quarters of what is free.
pub fn for_models(gib: Option<u64>) -> u64 {
    gib.map_or_else(control::memory::for_models, |gib| gib << 30).min(ALLOWED.load(Relaxed))
}

/// Ends the process where memory has run out; nothing here allocates, but for very long names of temporary files.
fn end(bytes: Option<usize>) -> ! {
    static ENDING: AtomicBool = AtomicBool::new(false);
    if ENDING.swap(true, Relaxed) {
        // Another thread is at it, or this one, in vain.
        std::thread::sleep(Duration::from_secs(1));
        leave();
    }
    let mut words = [0; 256];
    let mut rest = &mut words[..];
    let room = rest.len();
    let mib = |bytes: u64| bytes.div_ceil(1 << 20);
    // Memory may run out before the limit is set.
    let addresses = getrlimit(Resource::RLIMIT_AS).map_or(u64::MAX, |(soft, _)| soft);
    let allowed = mib(ALLOWED.load(Relaxed).min(addresses));
    // The words are shorter than the room.
    let _ = match bytes {
        Some(bytes) => writeln!(
            rest,
            "\nerror: out of memory: cannot allocate {} MiB more; the limit is {allowed} MiB (--memory)",
            mib(bytes as u64)
        ),
        None => writeln!(
            rest,
            "\nerror: out of memory: the solver cannot allocate more; the limit is {allowed} MiB (--memory)"
        ),
    };
    let length = room - rest.len();
    give_up(&words[..length])
}
