//! Stacks of recursive searches, whose depth may be the number of squares of the board, and
//! of child processes.

use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// Upper bound on the stack space of one level of a search with the functions that it calls, in bytes.
const RED_ZONE: usize = 128 << 10;

/// Size of an additional stack segment, in bytes; the system commits its pages on first use.
const SEGMENT: usize = 8 << 20;

/// Runs one level of a recursive search, on a new stack segment if less than 128 KiB of the current one are
/// left.
pub fn level<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(RED_ZONE, SEGMENT, work)
}

/// Raises the limit on the stack of child processes to `bytes`, if it is lower, or as far as
/// the system allows.
pub fn raise_limit(bytes: u64) {
    if let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_STACK)
        && soft < bytes.min(hard)
    {
        // A program whose stack is too small reports it.
        let _ = setrlimit(Resource::RLIMIT_STACK, bytes.min(hard), hard);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grows_a_small_stack() {
        fn sum(n: u64) -> u64 {
            let page = std::hint::black_box([n; 512]);
            level(|| if n == 0 { 0 } else { page[511] + sum(n - 1) })
        }
        let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(|| sum(4096));
        assert_eq!(thread.expect("a thread").join().expect("deep enough"), 4096 * 4097 / 2);
    }
}
