//! The solutions that a count lists, so that its tree shows that there are no others.

use std::cmp::Ordering;

use super::order::Squares;
use super::{Lines, ProofError};
use crate::fault::Reason;
use crate::graph::Graph;

/// The most squares that are listed, those of all solutions together: what is held in memory has an end.
const MOST_SQUARES: u64 = 1 << 26;

/// Independent sets of so many squares, in lexicographic order.
pub(super) struct Listed {
    size: usize,
    sets: usize,
    /// The numbers of the squares of a set, increasing; one set after the other.
    numbers: Vec<u32>,
}

impl Listed {
    /// Reads the lines after `solutions size sets`.
    pub(super) fn read(
        lines: &mut Lines<'_>,
        graph: &Graph,
        size: u64,
        sets: u64,
    ) -> Result<Self, ProofError> {
        let fits = size.checked_mul(sets).is_some_and(|squares| squares <= MOST_SQUARES);
        let (true, Ok(size), Ok(sets)) = (fits, usize::try_from(size), usize::try_from(sets)) else {
            return Err(lines.fault(Reason::limit(format!(
                "a list may have {MOST_SQUARES} squares in all, and no more"
            ))));
        };
        let mut listed = Self { size, sets: 0, numbers: Vec::new() };
        for left in (1..=sets).rev() {
            lines.next()?;
            listed.add(lines, graph, left)?;
        }
        Ok(listed)
    }

    /// Adds the set of a line, which must come after those before it.
    fn add(&mut self, lines: &Lines<'_>, graph: &Graph, left: usize) -> Result<(), ProofError> {
        let mut words = lines.text.split(' ');
        if words.next() != Some("solution") {
            return Err(lines.unreadable(format!("expected \"solution ...\", {left} more of them")));
        }
        let begin = self.numbers.len();
        for word in words {
            let number: u32 = lines.number(word)?;
            if number as usize >= graph.squares().len() {
                return Err(lines.fault(format!("there is no square {number}")));
            }
            let set = &self.numbers[begin..];
            if set.last().is_some_and(|&last| last >= number) {
                return Err(lines.fault("the squares of a solution must be in increasing order"));
            }
            let attacks = graph.neighbours(number as usize);
            if let Some(other) = set.iter().find(|&&other| attacks.contains(other as usize)) {
                return Err(lines.fault(format!("squares {other} and {number} attack each other")));
            }
            self.numbers.push(number);
        }
        let found = self.numbers.len() - begin;
        if found != self.size {
            return Err(lines.fault(format!("a solution has {} squares, and this one {found}", self.size)));
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

    /// Whether these squares, by number and increasing, are a solution that is listed.
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

    /// Whether the image of every solution under a permutation of the squares is listed too. Then all are images, for different
    /// sets have different ones.
    pub(super) fn is_kept_by(&self, images: &[usize], squares: &Squares) -> bool {
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
