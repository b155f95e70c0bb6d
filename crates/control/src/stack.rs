//! A stack that is deep enough for a search, which may go down once for each square of the largest boards.

/// What a level of a search may take at most, with what it calls, in bytes.
const RED_ZONE: usize = 128 << 10;

/// By how much the stack grows, in bytes; the system gives them as they are used.
const SEGMENT: usize = 8 << 20;

/// Does the work of a level, on a further piece of stack where what is left might not do.
pub fn level<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(RED_ZONE, SEGMENT, work)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_stack_grows() {
        fn sum(n: u64) -> u64 {
            let page = std::hint::black_box([n; 512]);
            level(|| if n == 0 { 0 } else { page[511] + sum(n - 1) })
        }
        let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(|| sum(4096));
        assert_eq!(thread.expect("a thread").join().expect("deep enough"), 4096 * 4097 / 2);
    }
}
