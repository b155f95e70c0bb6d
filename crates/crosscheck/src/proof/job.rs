//! The tree of a box with all that its check needs, so that any thread can do it.

use std::collections::HashMap;
use std::io::{self, BufRead, Read};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::{panic, thread};

use ndqueens_model::name::BoardName;

use super::joint::{Joint, SHORT};
use super::order::Squares;
use super::seats::{Offer, Seats};
use super::tree::{Boxes, Region, Tree};
use super::{Checker, Lines, ProofError, boxes, is_statement, no_statement};

/// Whether a check is still wanted.
type GoOn<'g> = &'g (dyn Fn() -> bool + Sync);

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

/// Checks a tree, and that nothing follows it but a statement; how many nodes it has. Where there are seats, one more thread may take the
/// rest of a long tree, from a joint on.
pub(super) fn check(job: Job, go_on: GoOn<'_>, seats: Option<&Seats>) -> Result<u64, ProofError> {
    let Job { board, sides, queens, lemmas, text, lines_before } = job;
    let mut whole = Stoppable { text: &text, go_on };
    let mut checker = Checker { lemmas, ..Checker::new(Lines::after(&mut whole, "proof", lines_before)) };
    let (squares, regions) = checker.order_and_slabs(&board, queens, &sides)?;
    let Checker { mut lines, lemmas, .. } = checker;
    let boxes = boxes(&board, &lemmas);
    if let Some(seats) = seats.filter(|_| text.len() >= SHORT)
        && let Some(joint) = Joint::find(&text, (lines_before, lines.read_so_far()), &squares)
    {
        let halves = Halves { text: &text, joint: &joint, squares: &squares, regions: &regions, boxes };
        return halves.check(go_on, seats);
    }
    let nodes = Tree::new(&mut lines, &squares, boxes, regions).check()?;
    expect_end(&mut lines).map(|()| nodes)
}

/// A tree with a joint.
struct Halves<'t> {
    text: &'t [u8],
    joint: &'t Joint,
    squares: &'t Squares,
    regions: &'t [Region],
    boxes: Option<Boxes<'t>>,
}

impl Halves<'_> {
    fn check(&self, go_on: GoOn<'_>, seats: &Seats) -> Result<u64, ProofError> {
        let offer = Offer::new(seats);
        let is_wanted = AtomicBool::new(true);
        let check_rest = || {
            let Some(_seat) = offer.take() else { return Ok(0) };
            self.rest(&|| is_wanted.load(Relaxed) && go_on())
        };
        thread::scope(|scope| {
            let rest = scope.spawn(check_rest);
            let unless_left = Withdrawn { offer: &offer, is_wanted: &is_wanted };
            let (nodes, is_left) = self.first(go_on, &|| !offer.take_back())?;
            if !is_left {
                drop(unless_left);
                return Ok(nodes);
            }
            match rest.join() {
                Ok(rest) => rest.map(|rest| nodes + rest),
                Err(fault) => panic::resume_unwind(fault),
            }
        })
    }

    /// Up to the joint, if the rest is left to another thread, or to the end; how many nodes there are, and whether the rest was left.
    fn first(&self, go_on: GoOn<'_>, is_left: &dyn Fn() -> bool) -> Result<(u64, bool), ProofError> {
        let mut first = Stoppable { text: &self.text[self.joint.root.offset..], go_on };
        let mut lines = Lines::after(&mut first, "proof", self.joint.root.line - 1);
        lines.next()?;
        let tree = Tree::new(&mut lines, self.squares, self.boxes, self.regions.to_vec());
        let (nodes, is_left) = tree.check_up_to(self.joint, is_left)?;
        if !is_left {
            expect_end(&mut lines)?;
        }
        Ok((nodes, is_left))
    }

    /// From the joint to the end.
    fn rest(&self, go_on: GoOn<'_>) -> Result<u64, ProofError> {
        let mut rest = Stoppable { text: &self.text[self.joint.place.offset..], go_on };
        let mut lines = Lines::after(&mut rest, "proof", self.joint.place.line - 1);
        lines.next()?;
        let tree = Tree::new(&mut lines, self.squares, self.boxes, self.regions.to_vec());
        let nodes = tree.check_from(self.joint)?;
        expect_end(&mut lines).map(|()| nodes)
    }
}

/// Ends the check of the rest of a tree when it is dropped.
struct Withdrawn<'o> {
    offer: &'o Offer<'o>,
    is_wanted: &'o AtomicBool,
}

impl Drop for Withdrawn<'_> {
    fn drop(&mut self) {
        self.is_wanted.store(false, Relaxed);
        self.offer.take_back();
    }
}

/// Refuses what follows a tree, unless it is a statement.
fn expect_end(lines: &mut Lines<'_>) -> Result<(), ProofError> {
    if lines.is_over()? {
        return Ok(());
    }
    lines.next()?;
    if is_statement(lines.text.as_bytes()) { Ok(()) } else { Err(no_statement(lines)) }
}

/// A text that ends in a fault when it is of no use any more.
struct Stoppable<'t> {
    text: &'t [u8],
    go_on: GoOn<'t>,
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A proof whose last tree, that of 4^3, has a root of four orbits.
    const PROOF: &str = include_str!("../../tests/vectors/accepted/large.proof");

    /// The tree of 4^3 and the bounds that stand before it.
    fn tree() -> (String, HashMap<BoardName, u64>) {
        let (before, rest) = PROOF.split_once("box 4x4x4 7 search\n").expect("its statement");
        let bound = |line: &str| {
            let mut words = line.strip_prefix("box ")?.split(' ');
            Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?))
        };
        let end = rest.find("at most").expect("the end of the proof");
        (rest[..end].to_owned(), before.lines().filter_map(bound).collect())
    }

    fn job(text: &str, lemmas: &HashMap<BoardName, u64>) -> Job {
        let board = "4x4x4".parse().expect("a board");
        let (text, lemmas) = (text.as_bytes().to_vec(), lemmas.clone());
        Job { board, sides: vec![4; 3], queens: Some(8), lemmas, text, lines_before: 7 }
    }

    /// Does something with both halves of a tree, unless it has no joint.
    fn in_halves<T>(
        text: &str,
        lemmas: &HashMap<BoardName, u64>,
        change: impl FnOnce(&mut Joint),
        look: impl FnOnce(&Halves<'_>) -> T,
    ) -> Option<T> {
        let Job { board, sides, queens, lemmas, text, lines_before } = job(text, lemmas);
        let mut whole = text.as_slice();
        let lines = Lines::after(&mut whole, "proof", lines_before);
        let mut checker = Checker { lemmas: lemmas.clone(), ..Checker::new(lines) };
        let (squares, regions) = checker.order_and_slabs(&board, queens, &sides).ok()?;
        let (squares, regions, boxes) = (&squares, regions.as_slice(), boxes(&board, &lemmas));
        let mut joint = Joint::find(&text, (lines_before, checker.lines.read_so_far()), squares)?;
        change(&mut joint);
        Some(look(&Halves { text: &text, joint: &joint, squares, regions, boxes }))
    }

    /// What the check of both halves comes to, and whether the second one counts.
    fn one_after_the_other(halves: &Halves<'_>) -> Result<(u64, bool), String> {
        let (nodes, is_left) = halves.first(&|| true, &|| true).map_err(|fault| fault.to_string())?;
        let rest = if is_left { halves.rest(&|| true) } else { Ok(0) };
        Ok((nodes + rest.map_err(|fault| fault.to_string())?, is_left))
    }

    fn whole(text: &str, lemmas: &HashMap<BoardName, u64>) -> Result<u64, String> {
        check(job(text, lemmas), &|| true, None).map_err(|fault| fault.to_string())
    }

    /// Every line left out, doubled, or exchanged with the next one, and every byte replaced.
    fn edits(text: &str) -> Vec<String> {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let mut edits = Vec::new();
        for at in 0..lines.len() {
            let (before, after) = (lines[..at].concat(), lines[at + 1..].concat());
            edits.push(format!("{before}{after}"));
            edits.push(format!("{before}{0}{0}{after}", lines[at]));
            if let Some(next) = lines.get(at + 1) {
                edits.push(format!("{before}{next}{}{}", lines[at], lines[at + 2..].concat()));
            }
        }
        for (at, byte) in text.char_indices() {
            for other in
                ["", "1", "3", "-", " ", "h", "L"].into_iter().filter(|other| !other.starts_with(byte))
            {
                edits.push(format!("{}{other}{}", &text[..at], &text[at + 1..]));
            }
        }
        edits
    }

    #[test]
    fn two_halves_of_a_tree_say_what_the_tree_says() {
        let (text, lemmas) = tree();
        let nodes = whole(&text, &lemmas).expect("it is accepted");
        assert_eq!(in_halves(&text, &lemmas, |_| (), one_after_the_other), Some(Ok((nodes, true))));
        let (mut accepted, mut refused, mut left) = (0, 0, 0);
        for edit in edits(&text) {
            let Some(halves) = in_halves(&edit, &lemmas, |_| (), one_after_the_other) else { continue };
            left += u32::from(matches!(halves, Ok((_, true))));
            let whole = whole(&edit, &lemmas);
            *if whole.is_ok() { &mut accepted } else { &mut refused } += 1;
            assert_eq!(halves.map(|(nodes, _)| nodes), whole, "{edit}");
        }
        assert!(accepted > 50 && refused > 2_000 && left > 50, "{accepted} {refused} {left}");
    }

    #[test]
    fn a_joint_that_is_not_so_changes_nothing() {
        let (text, lemmas) = tree();
        let nodes = whole(&text, &lemmas).expect("it is accepted");
        for square in 0..64 {
            let checked = in_halves(&text, &lemmas, |joint| joint.free.toggle(square), one_after_the_other);
            assert_eq!(checked, Some(Ok((nodes, false))), "{square}");
        }
        let checked = in_halves(&text, &lemmas, |joint| joint.place.line += 1, one_after_the_other);
        assert_eq!(checked, Some(Ok((nodes, false))));
    }

    #[test]
    fn a_second_thread_takes_the_rest_or_leaves_it() {
        let (text, lemmas) = tree();
        let nodes = whole(&text, &lemmas).expect("it is accepted");
        let on_seats = |seats, go_on: GoOn<'_>| {
            let check = |halves: &Halves<'_>| halves.check(go_on, &Seats::new(seats)).ok();
            in_halves(&text, &lemmas, |_| (), check).expect("it has a joint")
        };
        for seats in [0, 1, 1, 1, 1, 2] {
            assert_eq!(on_seats(seats, &|| true), Some(nodes));
            assert_eq!(on_seats(seats, &|| false), None);
        }
    }
}
