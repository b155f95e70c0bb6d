//! The tree of a box with all that its check needs, so that any thread can do it.

use std::collections::HashMap;
use std::io::{self, BufRead, Read};

use ndqueens_model::name::BoardName;

use super::{Checker, Lines, ProofError};

/// Trees that are longer, in bytes, are checked as they are read.
pub(super) const LONGEST: usize = 1 << 25;

/// The tree of a box, as it stands in a proof.
pub(super) struct Job {
    pub(super) board: BoardName,
    pub(super) sides: Vec<u32>,
    /// So many queens are to be refuted; `None` stands for more than can be reckoned with.
    pub(super) queens: Option<u64>,
    /// The bounds that stand further up.
    pub(super) lemmas: HashMap<BoardName, u64>,
    /// Its lines, and the one after them, if there is one.
    pub(super) text: Vec<u8>,
    /// How many lines stand before them.
    pub(super) lines_before: u64,
}

/// Checks a tree, and that nothing follows it but a statement; how many nodes it has.
pub(super) fn check(job: Job, go_on: &dyn Fn() -> bool) -> Result<u64, ProofError> {
    let Job { board, sides, queens, lemmas, text, lines_before } = job;
    let mut text = Stoppable { text: &text, go_on };
    let lines = Lines::after(&mut text, "proof", lines_before);
    let mut checker = Checker { lemmas, ..Checker::new(lines) };
    checker.search(&board, queens, &sides, None)?;
    if !checker.lines.is_over()? {
        checker.lines.next()?;
        checker.expect_statement()?;
    }
    Ok(checker.nodes)
}

/// A text that ends in a fault when it is of no use any more.
struct Stoppable<'t> {
    text: &'t [u8],
    go_on: &'t dyn Fn() -> bool,
}

/// How many bytes pass between two looks.
const PIECE: usize = 1 << 12;

impl Read for Stoppable<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(bytes)?;
        self.consume(read);
        Ok(read)
    }
}

impl BufRead for Stoppable<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if !(self.go_on)() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        Ok(&self.text[..self.text.len().min(PIECE)])
    }

    fn consume(&mut self, amount: usize) {
        self.text = &self.text[amount..];
    }
}
