//! Memory limit of the program. If memory runs out, the program prints a message, removes temporary files and
//! exits with code 4. The limit holds for allocations in Rust and in HiGHS, and for threads.
//!
//! The allocator and the handlers of C++ are global to the process, so the program installs them and not a
//! library.

#![allow(
    unsafe_code,
    reason = "an allocator is an unsafe trait, and C++ calls a handler when memory runs out"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use ndqueens_system::{memory, process};

use crate::exit::Exit;

/// Allocator of the system that ends the process if no memory is left.
struct CheckedAllocator;

#[global_allocator]
static ALLOCATOR: CheckedAllocator = CheckedAllocator;

// SAFETY: all calls are forwarded to the system's allocator; a null pointer is never returned.
unsafe impl GlobalAlloc for CheckedAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of this method, which is that of the system's allocator.
        end_if_null(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        end_if_null(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        end_if_null(unsafe { System.realloc(pointer, layout, size) }, size)
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Returns `pointer`, or ends the process if it is null.
fn end_if_null(pointer: *mut u8, bytes: usize) -> *mut u8 {
    if pointer.is_null() {
        end(Some(bytes));
    }
    pointer
}

unsafe extern "C" {
    /// `std::set_new_handler`: sets the function that C++ calls instead of throwing `std::bad_alloc`.
    #[link_name = "_ZSt15set_new_handlerPFvvE"]
    safe fn set_new_handler(handler: Option<extern "C" fn()>) -> Option<extern "C" fn()>;
}

unsafe extern "C" {
    /// `std::set_terminate`: sets the function that C++ calls if nothing catches an exception, for example if
    /// a thread cannot be started.
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

/// Prints a message and ends the process with exit code 4.
pub(crate) fn give_up(message: &[u8]) -> ! {
    process::abort_with(message, Exit::Failed as i32)
}

/// Memory limit of this process in bytes.
static ALLOWED: AtomicU64 = AtomicU64::new(u64::MAX);

/// Limits the memory of this process to `gib` GiB, or to nine tenths of the machine's memory, but never above
/// the limit that is already set.
pub(crate) fn limit(gib: Option<u64>) {
    set_new_handler(Some(end_of_cpp));
    set_terminate(Some(uncaught_in_cpp));
    let wanted = gib.map_or_else(|| memory::total() / 10 * 9, |gib| gib << 30);
    ALLOWED.store(memory::limit(wanted), Relaxed);
}

/// Returns the number of bytes that a model may use: `gib` GiB, or three quarters of the available memory.
pub(crate) fn for_models(gib: Option<u64>) -> u64 {
    gib.map_or_else(memory::for_models, |gib| gib << 30).min(ALLOWED.load(Relaxed))
}

/// Ends the process because memory has run out. Allocates only for very long names of temporary files.
fn end(bytes: Option<usize>) -> ! {
    static ENDING: AtomicBool = AtomicBool::new(false);
    if ENDING.swap(true, Relaxed) {
        // Another thread is ending the process, or this thread failed to.
        std::thread::sleep(Duration::from_secs(1));
        process::exit_now(Exit::Failed as i32);
    }
    let mut message = [0; 256];
    let mut rest = &mut message[..];
    let capacity = rest.len();
    let mib = |bytes: u64| bytes.div_ceil(1 << 20);
    // Memory may run out before the limit is set.
    let allowed = mib(ALLOWED.load(Relaxed).min(memory::address_space_limit()));
    // The message is shorter than the buffer.
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
    let length = capacity - rest.len();
    give_up(&message[..length])
}
