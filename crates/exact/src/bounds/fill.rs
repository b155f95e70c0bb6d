//! Which boxes are bounded, and with how many nodes: a box, and before it the boxes inside it, smallest
//! first.

use std::collections::HashSet;
use std::io::{self, Write};

use crate::bounds::round::{self, Missing, Step, Termination};
use crate::boxes::box_result::{Entry, Justification, write_entry};
use crate::boxes::box_table::{BoxTable, replace_sides, search_prerequisites, sub_boxes};
use crate::settings::Settings;

/// Node limit in the first round of a board, and of each box that differs from it in at most two sides.
const FIRST_LIMIT: u64 = 5_000;
/// The node limit doubles this number of times from round to round.
const ROUND_BITS: u32 = 3;
/// The node limit of a box is halved this number of times for each further side that differs.
const SIDE_BITS: u32 = 6;
/// The node limit is halved this number of times for boxes with a side above half of the board's side plus
/// one. The bound of a cut mostly suffices for them.
const THICK_BITS: u32 = 12;

/// Returns the sides of a box and of a board, in ascending order, without those that they share.
fn remove_shared_sides(sides: &[u32], board: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut others = board.to_vec();
    others.sort_unstable();
    let is_own = |side: &u32| {
        let place = others.iter().position(|other| other == side);
        place.map(|place| others.remove(place)).is_none()
    };
    let own = sides.iter().copied().filter(is_own).collect();
    (own, others)
}

/// Returns how many times the node limit of a box inside a board is halved.
fn halvings(sides: &[u32], board: &[u32]) -> u32 {
    let (own, others) = remove_shared_sides(sides, board);
    let is_thick = own.iter().zip(&others).any(|(&side, &whole)| side > whole / 2 + 1);
    SIDE_BITS * (own.len() as u32).saturating_sub(2) + if is_thick { THICK_BITS } else { 0 }
}

/// Writes the lines and trees of the boxes that were reported.
fn write_entries(boxes: &mut [Missing], proof: Option<&mut dyn Write>) -> io::Result<()> {
    let Some(out) = proof else { return Ok(()) };
    for one in boxes.iter_mut().filter(|one| one.is_reported) {
        let result = one.result.as_mut().expect("a reported box has a result");
        write_entry(out, &one.sides, result)?;
    }
    Ok(())
}

impl BoxTable {
    /// Bounds a box, and before it all boxes inside, smallest first. The proof of each new entry is written
    /// to `proof`, if given, and `report` is called for it. If the search ends early, the results so far are
    /// kept, and the remaining boxes are bounded by lines and cuts, without report and proof.
    ///
    /// # Errors
    /// Returns an error if a proof cannot be written.
    pub fn fill(
        &mut self,
        sides: &[u32],
        settings: &Settings<'_>,
        proof: Option<&mut dyn Write>,
        report: &mut (dyn FnMut(Step<'_>) + Send),
    ) -> io::Result<Termination> {
        self.fill_all(sub_boxes(sides), sides, settings, proof, report)
    }

    /// Bounds all boxes inside a box like [`Self::fill`], but not the box itself.
    ///
    /// # Errors
    /// Returns an error if a proof cannot be written.
    pub fn fill_inside(
        &mut self,
        sides: &[u32],
        settings: &Settings<'_>,
        proof: Option<&mut dyn Write>,
        report: &mut (dyn FnMut(Step<'_>) + Send),
    ) -> io::Result<Termination> {
        let mut inside = sub_boxes(sides);
        inside.pop();
        self.fill_all(inside, sides, settings, proof, report)
    }

    /// Bounds a box, and the boxes inside as far as that helps: thin slabs and their thin slabs may take as
    /// many nodes as the box, other boxes far fewer. If the bounds of the box do not meet after a round, all
    /// limits are larger in the next one. The proof and the table contain only the boxes on which the bound
    /// depends.
    ///
    /// # Errors
    /// Returns an error if a proof cannot be written.
    pub(crate) fn fill_towards(
        &mut self,
        sides: &[u32],
        settings: &Settings<'_>,
        proof: Option<&mut dyn Write>,
        report: &mut (dyn FnMut(Step<'_>) + Send),
    ) -> io::Result<Termination> {
        let mut boxes = self.list_missing(sub_boxes(sides));
        let mut most = FIRST_LIMIT;
        loop {
            let limit = |part: &[u32]| {
                let limit = most.checked_shr(halvings(part, sides)).unwrap_or(0);
                limit.min(settings.node_limit_for(part, sides))
            };
            let end = round::run(self, &mut boxes, &limit, settings, report)?;
            let is_closed = self.get(sides).is_some_and(Entry::is_closed);
            if is_closed || !end.is_finished() || most >= settings.node_limit {
                let needed = self.list_needed(sides);
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

    /// Returns the boxes on which the bound of a box depends, itself included.
    fn list_needed(&self, sides: &[u32]) -> HashSet<Vec<u32>> {
        let mut needed = HashSet::new();
        let mut next = vec![replace_sides(sides, &[])];
        while let Some(part) = next.pop() {
            let Some(entry) = self.get(&part).filter(|_| needed.insert(part.clone())) else { continue };
            match entry.justification {
                Justification::Lines => {}
                Justification::Cut { axis, width } => {
                    next.extend(
                        [width, part[axis] - width].map(|width| replace_sides(&part, &[(axis, width)])),
                    );
                }
                Justification::Search => next.extend(search_prerequisites(&part)),
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
        report: &mut (dyn FnMut(Step<'_>) + Send),
    ) -> io::Result<Termination> {
        let settings = &Settings { proofs: proof.is_some(), ..*settings };
        let mut boxes = self.list_missing(boxes);
        let limit = |part: &[u32]| settings.node_limit_for(part, board);
        let end = round::run(self, &mut boxes, &limit, settings, report)?;
        write_entries(&mut boxes, proof)?;
        Ok(end)
    }

    /// Returns the boxes that are not in the table.
    fn list_missing(&self, boxes: Vec<Vec<u32>>) -> Vec<Missing> {
        let missing = boxes.into_iter().filter(|sides| self.get(sides).is_none());
        missing.map(Missing::new).collect()
    }
}
