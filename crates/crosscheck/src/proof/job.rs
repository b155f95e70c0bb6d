//! The tree of a box with all that its check needs, so that any thread can do it.

use std::collections::HashMap;
use std::io::{self, BufRead, Read};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Arc, OnceLock};
use std::{panic, thread};

use ndqueens_notation::name::BoardName;

use super::joint::{Begins, Joint, SHORT};
use super::layers::{Refusal, Steps};
use super::order::Squares;
use super::rows::Boxes;
use super::seats::{Offer, Seats};
use super::tree::{Region, Tree};
use super::{Checker, Format, Lines, ProofError, boxes, is_statement, no_statement};
use crate::fault::FaultKind;

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
    /// Steps of the case splits of its proof.
    pub(super) steps: Arc<Steps>,
    pub(super) format: Format,
}

/// Checks a tree, and that nothing follows it but a statement; how many nodes it has. Where there are seats, one more thread may take half
/// of what is left of a long tree.
pub(super) fn check(job: Job, go_on: GoOn<'_>, seats: Option<&Seats>) -> Result<u64, ProofError> {
    let Job { board, sides, queens, lemmas, text, lines_before, steps, format } = job;
    let left = AtomicUsize::new(text.len());
    let mut whole = Stoppable { text: &text, go_on, left: &left };
    let mut checker = Checker { lemmas, ..Checker::new(Lines::after(&mut whole, "proof", lines_before)) };
    let (squares, regions) = checker.order_and_slabs(&board, queens, &sides)?;
    let Checker { lines, lemmas, .. } = checker;
    let first_line = lines.read_so_far();
    let boxes = boxes(&board, &lemmas);
    let opened = Opened {
        text: &text,
        lines_before,
        first_line,
        squares: &squares,
        regions,
        boxes,
        joint: OnceLock::new(),
        left: &left,
        steps: &steps,
        format,
    };
    match seats.filter(|_| text.len() >= SHORT) {
        Some(seats) => opened.check(lines, go_on, seats),
        None => opened.first(lines).map(|(nodes, _)| nodes),
    }
}

/// A tree of which what stands before the first node has been read.
struct Opened<'t> {
    text: &'t [u8],
    lines_before: u64,
    first_line: u64,
    squares: &'t Squares,
    regions: Vec<Region>,
    boxes: Option<Boxes<'t>>,
    /// Where the second half begins, as soon as a thread has taken it.
    joint: OnceLock<Joint>,
    /// How many bytes the first half has still to read, if it goes on to the end.
    left: &'t AtomicUsize,
    /// Steps of the case splits of the proof.
    steps: &'t Steps,
    format: Format,
}

impl Opened<'_> {
    fn check(&self, lines: Lines<'_>, go_on: GoOn<'_>, seats: &Seats) -> Result<u64, ProofError> {
        let offer = Offer::new(seats);
        let is_wanted = AtomicBool::new(true);
        let steps_of_rest = Steps::default();
        let check_rest = || {
            let go_on = || is_wanted.load(Relaxed) && go_on();
            match offer.take() {
                Some(_seat) if self.cut(&go_on) => self.rest(&go_on, &steps_of_rest),
                _ => Ok(0),
            }
        };
        thread::scope(|scope| {
            let rest = scope.spawn(check_rest);
            let unless_left = Withdrawn { offer: &offer, is_wanted: &is_wanted };
            let first = self.first(lines);
            if !matches!(first, Ok((_, true))) {
                drop(unless_left);
            }
            let rest = rest.join();
            match first? {
                (nodes, false) => Ok(nodes),
                (nodes, true) => match rest {
                    Ok(rest) => {
                        let nodes = nodes + rest?;
                        self.steps
                            .add(steps_of_rest.so_far())
                            .map_err(|many| too_many(&many, self.first_line))?;
                        Ok(nodes)
                    }
                    Err(fault) => panic::resume_unwind(fault),
                },
            }
        })
    }

    /// Makes a joint, unless little is left.
    fn cut(&self, go_on: GoOn<'_>) -> bool {
        let left = self.left.load(Relaxed);
        let lines = (self.lines_before, self.first_line);
        let joint = Joint::find(self.text, left, lines, self.squares, go_on);
        joint.is_some_and(|joint| self.joint.set(joint).is_ok())
    }

    /// Up to the joint, or to the end where there is none or it is not so; how many nodes there are, and whether the rest is left.
    fn first(&self, mut lines: Lines<'_>) -> Result<(u64, bool), ProofError> {
        let regions = self.regions.clone();
        let tree = Tree::new(&mut lines, self.format, self.squares, self.boxes, regions, self.steps);
        let (nodes, is_left) = tree.check_up_to(&self.joint)?;
        if !is_left {
            expect_end(&mut lines)?;
        }
        Ok((nodes, is_left))
    }

    /// From the joint to the end. The steps of its case splits are counted apart, for they count only if the first half ends at the joint.
    fn rest(&self, go_on: GoOn<'_>, steps: &Steps) -> Result<u64, ProofError> {
        let Some(joint) = self.joint.get() else { return Ok(0) };
        let opening = match joint.begins {
            // A case needs the line of its split.
            Begins::Case(_) => self.text[joint.root..].split_inclusive(|&byte| byte == b'\n').next(),
            Begins::Node(_) => None,
        };
        let before = joint.place.line - 1 - u64::from(opening.is_some());
        let left = AtomicUsize::new(0);
        let rest = Stoppable { text: &self.text[joint.place.offset..], go_on, left: &left };
        let mut rest = opening.unwrap_or_default().chain(rest);
        let mut lines = Lines::after(&mut rest, "proof", before);
        lines.next()?;
        let regions = self.regions.clone();
        let tree = Tree::new(&mut lines, self.format, self.squares, self.boxes, regions, steps);
        let nodes = tree.check_from(joint)?;
        expect_end(&mut lines).map(|()| nodes)
    }
}

/// Returns the fault of a proof with too many steps, at the first line of the tree that they belong to.
pub(super) fn too_many(refusal: &Refusal, line: u64) -> ProofError {
    ProofError::Step { line, kind: FaultKind::Limit, fault: refusal.to_string() }
}

/// Ends the check of the rest of a tree when it is dropped.
struct Withdrawn<'o> {
    offer: &'o Offer<'o>,
    is_wanted: &'o AtomicBool,
}

impl Drop for Withdrawn<'_> {
    fn drop(&mut self) {
        self.is_wanted.store(false, Relaxed);
        self.offer.withdraw();
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
    /// How many bytes are left.
    left: &'t AtomicUsize,
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
        self.left.store(self.text.len(), Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use fixedbitset::FixedBitSet;
    use ndqueens_notation::name::Piece;

    use super::*;

    /// A tree with the bounds that it rests on.
    struct Sample {
        sides: Vec<u32>,
        queens: u64,
        lemmas: HashMap<BoardName, u64>,
        text: String,
    }

    impl Sample {
        /// The tree of 4^3, whose root has four orbits.
        fn nodes() -> Self {
            let proof = include_str!("../../tests/vectors/accepted/large.proof");
            let (before, rest) = proof.split_once("box 4x4x4 7 search\n").expect("its statement");
            let bound = |line: &str| {
                let mut words = line.strip_prefix("box ")?.split(' ');
                Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?))
            };
            let end = rest.find("at most").expect("the end of the proof");
            let (text, lemmas) = (rest[..end].to_owned(), before.lines().filter_map(bound).collect());
            Self { sides: vec![4; 3], queens: 8, lemmas, text }
        }

        /// A tree of 3^2 with two cases.
        fn cases() -> Self {
            let bound = |(name, most): (&str, u64)| (name.parse().expect("a board"), most);
            let parts = "part 0 1 0-2 0\n";
            let text = format!(
                "order lexicographic\nslab 1 0-0 1\nlayers 1 mirrored / 1-1 1 0-1 2 / 0-0 1\n\
                 {parts}orbit 3 1,-2\nnodes aca\n{}nodes aaa\n",
                parts.repeat(3)
            );
            let lemmas = [("1x1", 1), ("1x2", 1), ("1x3", 1), ("2x3", 2)].map(bound).into();
            Self { sides: vec![3; 2], queens: 3, lemmas, text }
        }

        fn edited(&self, text: String) -> Self {
            let (sides, lemmas) = (self.sides.clone(), self.lemmas.clone());
            Self { sides, queens: self.queens, lemmas, text }
        }

        fn job(&self) -> Job {
            let board = BoardName::grid(Piece::Queen, false, &self.sides);
            let (sides, queens) = (self.sides.clone(), Some(self.queens));
            let (lemmas, text) = (self.lemmas.clone(), self.text.clone().into_bytes());
            let steps = Arc::default();
            Job { board, sides, queens, lemmas, text, lines_before: 7, steps, format: Format::Two }
        }

        fn whole(&self) -> Result<u64, String> {
            check(self.job(), &|| true, None).map_err(|fault| fault.to_string())
        }
    }

    /// Does something with a tree that is cut in the middle, unless it has no joint there.
    fn in_halves<T>(
        sample: &Sample,
        change: impl FnOnce(&mut Joint),
        look: impl FnOnce(&Opened<'_>, Lines<'_>) -> T,
    ) -> Option<T> {
        let Job { board, sides, queens, lemmas, text, lines_before, steps, format } = sample.job();
        let mut whole = text.as_slice();
        let lines = Lines::after(&mut whole, "proof", lines_before);
        let mut checker = Checker { lemmas: lemmas.clone(), ..Checker::new(lines) };
        let (squares, regions) = checker.order_and_slabs(&board, queens, &sides).ok()?;
        let (lines, boxes) = (checker.lines, boxes(&board, &lemmas));
        let (first_line, left) = (lines.read_so_far(), AtomicUsize::new(text.len()));
        let mut joint = Joint::find(&text, text.len(), (lines_before, first_line), &squares, &|| true)?;
        change(&mut joint);
        let (squares, joint) = (&squares, joint.into());
        let opened = Opened {
            text: &text,
            lines_before,
            first_line,
            squares,
            regions,
            boxes,
            joint,
            left: &left,
            steps: &steps,
            format,
        };
        Some(look(&opened, lines))
    }

    /// What the check of both halves comes to, and whether the second one counts.
    fn one_after_the_other(opened: &Opened<'_>, lines: Lines<'_>) -> Result<(u64, bool), String> {
        let (nodes, is_left) = opened.first(lines).map_err(|fault| fault.to_string())?;
        let rest = if is_left { opened.rest(&|| true, &Steps::default()) } else { Ok(0) };
        Ok((nodes + rest.map_err(|fault| fault.to_string())?, is_left))
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
        let (mut accepted, mut refused, mut left) = (0, 0, 0);
        for sample in [Sample::nodes(), Sample::cases()] {
            let nodes = sample.whole().expect("it is accepted");
            assert_eq!(in_halves(&sample, |_| (), one_after_the_other), Some(Ok((nodes, true))));
            for edit in edits(&sample.text) {
                let edit = sample.edited(edit);
                let Some(halves) = in_halves(&edit, |_| (), one_after_the_other) else { continue };
                left += u32::from(matches!(halves, Ok((_, true))));
                let whole = edit.whole();
                *if whole.is_ok() { &mut accepted } else { &mut refused } += 1;
                assert_eq!(halves.map(|(nodes, _)| nodes), whole, "{}", edit.text);
            }
        }
        assert!(accepted > 100 && refused > 2_000 && left > 100, "{accepted} {refused} {left}");
    }

    #[test]
    fn a_joint_that_is_not_so_changes_nothing() {
        let refuse = |sample: &Sample, change: fn(&mut Joint)| {
            let nodes = sample.whole().expect("it is accepted");
            assert_eq!(in_halves(sample, change, one_after_the_other), Some(Ok((nodes, false))));
        };
        let change_begin: fn(&mut Joint) = |joint| match &mut joint.begins {
            Begins::Case(to_come) => *to_come += 1,
            Begins::Node(free) => free.toggle(0),
        };
        for sample in [Sample::nodes(), Sample::cases()] {
            refuse(&sample, change_begin);
            refuse(&sample, |joint| joint.place.line += 1);
            refuse(&sample, |joint| joint.place.line -= 1);
        }
        refuse(&Sample::nodes(), |joint| joint.begins = Begins::Case(1));
        refuse(&Sample::cases(), |joint| joint.begins = Begins::Node(FixedBitSet::with_capacity(9)));
    }

    #[test]
    fn a_second_thread_takes_the_rest_or_leaves_it() {
        for sample in [Sample::nodes(), Sample::cases()] {
            let nodes = sample.whole().expect("it is accepted");
            let on_seats = |seats, go_on: GoOn<'_>| {
                let check = |opened: &Opened<'_>, lines: Lines<'_>| {
                    let uncut = Opened { joint: OnceLock::new(), regions: opened.regions.clone(), ..*opened };
                    uncut.check(lines, go_on, &Seats::new(seats)).ok()
                };
                in_halves(&sample, |_| (), check).expect("it has a joint")
            };
            for seats in [0, 1, 1, 1, 1, 2] {
                assert_eq!(on_seats(seats, &|| true), Some(nodes));
            }
        }
    }
}
