//! Lists of solutions in a count, whose tree shows that the list is complete.

use std::cmp::Ordering;

use ndqueens_notation::counted::counted;

use super::order::Squares;
use super::{Lines, ProofError};
use crate::fault::Reason;
use crate::graph::Graph;

/// Maximum number of squares in a list, those of all solutions together, to limit memory.
const MAX_SQUARES: u64 = 1 << 26;

/// Independent sets of `size` squares in lexicographic order.
pub(super) struct SolutionList {
    size: usize,
    sets: usize,
    /// Numbers of the squares of each set in increasing order, one set after the other.
    numbers: Vec<u32>,
}

impl SolutionList {
    /// Reads the lines after `solutions size sets`.
    pub(super) fn read(
        lines: &mut Lines<'_>,
        graph: &Graph,
        size: u64,
        sets: u64,
    ) -> Result<Self, ProofError> {
        let fits = size.checked_mul(sets).is_some_and(|squares| squares <= MAX_SQUARES);
        let (true, Ok(size), Ok(sets)) = (fits, usize::try_from(size), usize::try_from(sets)) else {
            return Err(lines.fault(Reason::limit(format!(
                "the solutions of a list have at most {MAX_SQUARES} squares in all"
            ))));
        };
        let mut listed = Self { size, sets: 0, numbers: Vec::new() };
        for left in (1..=sets).rev() {
            lines.read_line()?;
            listed.add(lines, graph, left)?;
        }
        Ok(listed)
    }

    /// Adds the set of a line, which must be larger than the sets before it. `left` is the number of missing
    /// sets, this one included.
    fn add(&mut self, lines: &Lines<'_>, graph: &Graph, left: usize) -> Result<(), ProofError> {
        let mut words = lines.text.split(' ');
        if words.next() != Some("solution") {
            let more = counted(left as u64, "more solution");
            return Err(
                lines.unreadable(format!("expected \"solution ...\", since the list announces {more}"))
            );
        }
        let begin = self.numbers.len();
        for word in words {
            let number: u32 = lines.parse_number(word)?;
            if number as usize >= graph.squares().len() {
                return Err(lines.fault(Reason::from(format!("there is no square {number}")).at(word)));
            }
            let set = &self.numbers[begin..];
            if set.last().is_some_and(|&last| last >= number) {
                let fault = Reason::from("the squares of a solution must be in increasing order");
                return Err(lines.fault(fault.at(word)));
            }
            let attacks = graph.neighbours(number as usize);
            if let Some(other) = set.iter().find(|&&other| attacks.contains(other as usize)) {
                let fault = Reason::from(format!("squares {other} and {number} attack each other"));
                return Err(lines.fault(fault.at(word)));
            }
            self.numbers.push(number);
        }
        let found = self.numbers.len() - begin;
        if found != self.size {
            let squares = counted(self.size as u64, "square");
            return Err(lines.fault(format!("a solution has {squares}, and this one has {found}")));
        }
        if self.sets > 0 && self.set(self.sets - 1) >= &self.numbers[begin..] {
            return Err(lines.fault("solutions must be in increasing order without repetition"));
        }
        self.sets += 1;
        Ok(())
    }

    fn set(&self, place: usize) -> &[u32] {
        &self.numbers[place * self.size..(place + 1) * self.size]
    }

    /// Returns `true` if the list contains the set of squares with these numbers, which must increase.
    pub(super) fn contains(&self, set: &[u32]) -> bool {
        let (mut from, mut to) = (0, self.sets);
        while from < to {
            let middle = from + (to - from) / 2;
            match self.set(middle).cmp(set) {
                Ordering::Less => from = middle + 1,
                Ordering::Greater => to = middle,
                Ordering::Equal => return true,
            }
        }
        false
    }

    /// Returns `true` if the list contains the image of every solution under a permutation of the squares.
    /// Since different sets have different images, the permutation then maps the list onto itself.
    pub(super) fn is_preserved_by(&self, images: &[usize], squares: &Squares) -> bool {
        let by_number = (0..images.len()).map(|number| {
            let place = squares.place(number)?;
            u32::try_from(squares.number(images[place])).ok()
        });
        let Some(by_number) = by_number.collect::<Option<Vec<u32>>>() else { return false };
        let mut image = Vec::with_capacity(self.size);
        (0..self.sets).all(|place| {
            image.clear();
            image.extend(self.set(place).iter().map(|&number| by_number[number as usize]));
            image.sort_unstable();
            self.contains(&image)
        })
    }
}
