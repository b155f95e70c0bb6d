//! How boxes are bounded: a board, or a box and before it all boxes inside, smallest first.

use std::collections::HashSet;
use std::io::{self, Write};

use crate::bounds::round::{self, Missing, Step, Termination};
use crate::boxes::box_result::{Entry, How, write_entry};
use crate::boxes::box_table::{BoxTable, below_a_search, parts, with};
use crate::settings::Settings;

/// Nodes that a board may take in the first round, and each box that differs from it in two sides at most.
const FIRST_LIMIT: u64 = 5_000;
/// By so many bits the limit is longer in each further round.
const ROUND_BITS: u32 = 3;
/// By so many bits it is shorter for each further side that differs.
const SIDE_BITS: u32 = 6;
/// By so many bits it is shorter for boxes with a side above half of the board's plus one: what a cut says of them is mostly enough.
const THICK_BITS: u32 = 12;

/// The sides of a box and of a board, in ascending order, that they do not share.
fn differing(sides: &[u32], board: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut others = board.to_vec();
    others.sort_unstable();
    let is_own = |side: &u32| {
        let place = others.iter().position(|other| other == side);
        place.map(|place| others.remove(place)).is_none()
    };
    let own = sides.iter().copied().filter(is_own).collect();
    (own, others)
}

/// By so many bits a box inside a board has a shorter limit.
fn shorter_by(sides: &[u32], board: &[u32]) -> u32 {
    let (own, others) = differing(sides, board);
    let is_thick = own.iter().zip(&others).any(|(&side, &whole)| side > whole / 2 + 1);
    SIDE_BITS * (own.len() as u32).saturating_sub(2) + if is_thick { THICK_BITS } else { 0 }
}

/// Writes what a proof says of the boxes that were told of.
fn write_entries(boxes: &mut [Missing], proof: Option<&mut dyn Write>) -> io::Result<()> {
    let Some(out) = proof else { return Ok(()) };
    for one in boxes.iter_mut().filter(|one| one.is_told) {
        let result = one.result.as_mut().expect("what is told of was found out");
        write_entry(out, &one.sides, result)?;
    }
    Ok(())
}

impl BoxTable {
    /// Finds out about a box, and before it about all boxes inside, smallest first. The proof of each new entry goes to
    /// `proof`, if that is given, and `tell` hears of it. Where it ends before, what was found so far stays, and the boxes that
    /// are left are bounded by lines and cuts, untold and unproved.
    ///
    /// # Errors
    /// When a proof cannot be written.
    pub fn fill(
        &mut self,
        sides: &[u32],
        settings: &Settings<'_>,
        proof: Option<&mut dyn Write>,
        tell: &mut (dyn FnMut(Step<'_>) + Send),
    ) -> io::Result<Termination> {
        self.fill_all(parts(sides), sides, settings, proof, tell)
    }

    /// Finds out about all boxes inside a box, but not about the box itself, as [`Self::fill`] does.
    ///
    /// # Errors
    /// When a proof cannot be written.
    pub fn fill_inside(
        &mut self,
        sides: &[u32],
        settings: &Settings<'_>,
        proof: Option<&mut dyn Write>,
        tell: &mut (dyn FnMut(Step<'_>) + Send),
    ) -> io::Result<Termination> {
        let mut inside = parts(sides);
        inside.pop();
        self.fill_all(inside, sides, settings, proof, tell)
    }

    /// Finds out about a box, and about the boxes inside as far as that helps: its thin slabs and their thin slabs may take as many
    /// nodes as itself, other boxes far fewer. When its bounds do not meet after a round, all may take more in the next. The proof, and
    /// with it the table, has only the boxes that the bound rests on.
    ///
    /// # Errors
    /// When a proof cannot be written.
    pub(crate) fn fill_towards(
        &mut self,
        sides: &[u32],
        settings: &Settings<'_>,
        proof: Option<&mut dyn Write>,
        tell: &mut (dyn FnMut(Step<'_>) + Send),
    ) -> io::Result<Termination> {
        let mut boxes = self.missing(parts(sides));
        let mut most = FIRST_LIMIT;
        loop {
            let limit = |part: &[u32]| {
                let limit = most.checked_shr(shorter_by(part, sides)).unwrap_or(0);
                limit.min(settings.limit_of(part, sides))
            };
            let end = round::run(self, &mut boxes, &limit, settings, tell)?;
            let is_closed = self.get(sides).is_some_and(Entry::is_closed);
            if is_closed || !end.is_finished() || most >= settings.node_limit {
                let needed = self.needed(sides);
                boxes.retain(|one| needed.contains(&one.sides));
                if proof.is_some() {
                    self.retain(&needed);
                }
                write_entries(&mut boxes, proof)?;
                return Ok(end);
            }
            most = most.saturating_mul(1 << ROUND_BITS);
        }
    }

    /// The boxes that the bound of a box rests on, itself included.
    fn needed(&self, sides: &[u32]) -> HashSet<Vec<u32>> {
        let mut needed = HashSet::new();
        let mut next = vec![with(sides, &[])];
        while let Some(part) = next.pop() {
            let Some(entry) = self.get(&part).filter(|_| needed.insert(part.clone())) else { continue };
            match entry.how {
                How::Lines => {}
                How::Cut { axis, width } => {
                    next.extend([width, part[axis] - width].map(|width| with(&part, &[(axis, width)])));
                }
                How::Search => next.extend(below_a_search(&part)),
            }
        }
        needed
    }

    fn fill_all(
        &mut self,
        boxes: Vec<Vec<u32>>,
        board: &[u32],
        settings: &Settings<'_>,
        proof: Option<&mut dyn Write>,
        tell: &mut (dyn FnMut(Step<'_>) + Send),
    ) -> io::Result<Termination> {
        let settings = &Settings { proofs: proof.is_some(), ..*settings };
        let mut boxes = self.missing(boxes);
        let limit = |part: &[u32]| settings.limit_of(part, board);
        let end = round::run(self, &mut boxes, &limit, settings, tell)?;
        write_entries(&mut boxes, proof)?;
        Ok(end)
    }

    fn missing(&self, boxes: Vec<Vec<u32>>) -> Vec<Missing> {
        let missing = boxes.into_iter().filter(|sides| self.get(sides).is_none());
        missing.map(Missing::new).collect()
    }
}
