//! Best bounds of boards other than n^d, from closed forms, the archive, publications, constructions, and a
//! short exact search.

use std::collections::HashMap;

use ndqueens_model::board::Board;
use ndqueens_model::facts::known::{self, PublishedBounds};
use ndqueens_model::facts::{Bounds, Provenance, Side, UpperBound, UpperBounds as _};
use ndqueens_notation::counted::counted;
use ndqueens_notation::name::{BoardName, Piece};
use ndqueens_system::cancel::Deadline;

use super::{Best, Trust, closed_forms, found, of_cube, unrefuted_bounds};
use crate::archive::Archive;
use crate::bounds::{Contradiction, Cube, Derivation, Step, Strength};
use crate::certificates::{CertificateStore, Stored};
use crate::ledger::{BoundCheck, RowStatus};

/// Maximum dimension of a box that is bounded by its layers.
const MOST_AXES: usize = 8;

/// The best bound so far among all trusted ones, and among the checked ones.
struct Pair {
    trusted: Best,
    checked: Best,
}

impl Pair {
    fn new(best: Best) -> Self {
        Self { trusted: best.clone(), checked: best }
    }

    /// Replaces a bound by `best` if that is better, or equal and stronger. Of equally good bounds the first
    /// is kept.
    fn offer(&mut self, best: &Best) {
        let side = best.derivation.steps[0].side;
        let replaces = |known: &Best| {
            side.is_better(best.value, known.value)
                || best.value == known.value && best.strength < known.strength
        };
        if best.is_checked() && replaces(&self.checked) {
            self.checked = best.clone();
        }
        if replaces(&self.trusted) {
            self.trusted = best.clone();
        }
    }

    fn into_best(self) -> Best {
        let Self { trusted, checked } = self;
        let certified = (!trusted.is_checked()).then(|| Box::new(checked));
        Best { certified, ..trusted }
    }
}

/// Returns the best lower and the best upper bound of a board.
///
/// # Errors
/// Returns both derivations if the lower bound exceeds the upper one.
pub(super) fn of_board(
    archive: &Archive,
    board: &Board,
    trust: Trust,
    certificates: &[Stored],
    deadline: Deadline,
) -> Result<[Best; 2], Box<Contradiction>> {
    let name = board.name();
    let leaf = |side, value: u128, strength, reason: String| Best::leaf(name, side, value, strength, reason);
    let mut lower =
        Pair::new(leaf(Side::Lower, board.size().min(1) as u128, Strength::Theorem, "one piece".to_owned()));
    let mut upper = Pair::new(trivial(board));
    for best in lower_bounds(archive, board, trust, deadline) {
        lower.offer(&best);
    }
    let trusted = match trust {
        Trust::Checked => None,
        Trust::Archived => Some(unrefuted_bounds(archive, deadline)),
        Trust::Reported => Some(unrefuted_bounds(archive, deadline).add_publications()),
    };
    let checked = archive.prior_results().checked_bounds(deadline);
    for bounds in [Some(checked), trusted].into_iter().flatten() {
        upper.offer(&Uppers { bounds: &bounds, known: HashMap::new() }.of(name));
    }
    // No placement is constructed on larger boards, so use the cubes that they contain.
    if board.size() > found::MOST_SQUARES {
        for cube in cubes_inside(name) {
            let [inside, _] = of_cube(archive, cube, trust, certificates, deadline)?;
            for bound in [inside.certified.as_deref(), Some(&inside)].into_iter().flatten() {
                let reason = format!("it contains {}", cube.board());
                lower.offer(&derive(name, bound.value, reason, bound.clone()));
            }
        }
    }
    let is_open = |lower: &Pair, upper: &Pair| lower.checked.value < upper.checked.value;
    if is_open(&lower, &upper)
        && !deadline.is_over()
        && let Some(made) = found::best_placement(board, 0, archive.notes())
    {
        let reason = format!("placement, made and checked in this run: {}", made.origin);
        lower.offer(&leaf(Side::Lower, made.size() as u128, Strength::Checked, reason));
    }
    if is_open(&lower, &upper)
        && let Some(found::Settled { placement, nodes }) = found::settle(board, deadline, archive.notes())
    {
        let value = placement.size() as u128;
        let placed = "placement by exact search, checked in this run".to_owned();
        lower.offer(&leaf(Side::Lower, value, Strength::Checked, placed));
        let proof = format!("proof tree of {}, made and checked in this run", counted(nodes, "node"));
        upper.offer(&leaf(Side::Upper, value, Strength::Checked, proof));
    }
    let [lower, upper] = [lower, upper].map(Pair::into_best);
    if lower.value > upper.value {
        return Err(Box::new(Contradiction { lower: lower.derivation, upper: upper.derivation }));
    }
    Ok([lower, upper])
}

/// Returns the largest cubes of at least two dimensions that a box of queens contains, one for each length of
/// its sides. Returns none for other boards.
fn cubes_inside(name: &BoardName) -> Vec<Cube> {
    let BoardName::Grid { piece: Piece::Queen, torus: false, sides } = name else { return Vec::new() };
    let mut sides = sides.clone();
    sides.sort_unstable_by(|a, b| b.cmp(a));
    let is_last = |axes: usize| sides.get(axes).is_none_or(|&next| next < sides[axes - 1]);
    (2..=sides.len())
        .filter(|&axes| sides[axes - 1] > 1 && is_last(axes))
        .map(|axes| Cube { dimension: axes, side: sides[axes - 1] })
        .collect()
}

/// Returns the trivial upper bound, from a partition of the board into cliques.
fn trivial(board: &Board) -> Best {
    let reason = "a partition of the squares into cliques".to_owned();
    Best::leaf(board.name(), Side::Upper, board.trivial_bound().into(), Strength::Theorem, reason)
}

/// Returns the lower bounds from closed forms, the archive and publications.
fn lower_bounds(archive: &Archive, board: &Board, trust: Trust, deadline: Deadline) -> Vec<Best> {
    let name = board.name();
    let leaf = |value: u128, strength, reason: String| Best::leaf(name, Side::Lower, value, strength, reason);
    let forms = closed_forms::of(name).into_iter().filter(|form| form.side == Side::Lower);
    let forms = forms.filter(|form| trust == Trust::Reported || form.strength < Strength::Reported);
    let mut bounds: Vec<Best> = forms.map(|form| leaf(form.value, form.strength, form.reason)).collect();
    let certificate = CertificateStore::of(archive).best(name);
    bounds.extend(certificate.map(|certificate| {
        let origin = format!("certificate, {}", certificate.origin);
        leaf(certificate.size() as u128, Strength::Checked, origin)
    }));
    bounds.extend(archive.check_bound(name, Side::Lower, 0, deadline).and_then(
        |BoundCheck { row, status, .. }| {
            let strength = match status {
                RowStatus::Checked => Strength::Checked,
                RowStatus::Refused(_) => return None,
                _ if trust == Trust::Checked => return None,
                _ => Strength::Archived,
            };
            Some(leaf(row.value.into(), strength, format!("{} {}", row.kind, row.file)))
        },
    ));
    let placed = archive.bounds().boxes.lower(name).filter(|_| trust != Trust::Checked);
    bounds.extend(placed.map(|placed| leaf(placed.into(), Strength::Archived, "table of boxes".to_owned())));
    let published = known::lookup(name).filter(|_| trust == Trust::Reported);
    bounds.extend(published.and_then(|PublishedBounds { lower, source, .. }| {
        Some(leaf(u128::from((*lower)?), Strength::Reported, format!("published: {source}")))
    }));
    bounds
}

/// Computes upper bounds of a board and, recursively, of its layers.
struct Uppers<'b> {
    bounds: &'b Bounds,
    known: HashMap<BoardName, Best>,
}

impl Uppers<'_> {
    /// Returns the best upper bound of a board.
    fn of(&mut self, name: &BoardName) -> Best {
        if let Some(known) = self.known.get(name) {
            return known.clone();
        }
        let mut best = trivial(&Board::new(name));
        let mut offer = |other: Best| {
            if other.value < best.value || other.value == best.value && other.strength < best.strength {
                best = other;
            }
        };
        for form in closed_forms::of(name).into_iter().filter(|form| form.side == Side::Upper) {
            offer(Best::leaf(name, Side::Upper, form.value, form.strength, form.reason));
        }
        if let Some(UpperBound { value, provenance, .. }) = self.bounds.upper(name) {
            let (strength, reason) = match provenance {
                Provenance::Theorem(why) => (Strength::Theorem, why),
                Provenance::Proved(file) => (Strength::Checked, file),
                Provenance::Archived(why) => (Strength::Archived, format!("{why}, not checked in this run")),
                Provenance::Reported(why) => (Strength::Reported, format!("published: {why}")),
                Provenance::Solved(why) | Provenance::Rejected(why) => (Strength::Reported, why),
            };
            offer(Best::leaf(name, Side::Upper, value.into(), strength, reason));
        }
        let parts = self.bounds_of_parts(name);
        parts.into_iter().for_each(offer);
        self.known.insert(name.clone(), best.clone());
        best
    }

    /// Returns the bounds that follow from those of the layers, and for a queen torus from that of the plain
    /// box.
    fn bounds_of_parts(&mut self, name: &BoardName) -> Vec<Best> {
        let BoardName::Grid { piece, torus, sides } = name else { return Vec::new() };
        let mut bounds = Vec::new();
        if *torus && *piece == Piece::Queen && sides[0] > 1 {
            let plain = self.of(&BoardName::grid(*piece, false, sides));
            let reason = "a placement on the torus is one on the plain board".to_owned();
            bounds.push(derive(name, plain.value, reason, plain));
        }
        if sides.len() < 2 || sides.len() > MOST_AXES {
            return bounds;
        }
        let mut lengths = sides.clone();
        lengths.sort_unstable();
        lengths.dedup();
        for length in lengths {
            let axis = sides.iter().position(|&side| side == length).expect("a side of the box");
            let rest: Vec<u32> = [&sides[..axis], &sides[axis + 1..]].concat();
            let layer = self.of(&BoardName::grid(*piece, *torus, &rest).with_sorted_sides());
            let value = u128::from(length) * layer.value;
            bounds.push(derive(name, value, format!("layers: {length} along an axis"), layer));
        }
        bounds
    }
}

/// Returns a bound that follows from the bound of another board, with `from` as its premise.
fn derive(board: &BoardName, value: u128, reason: String, from: Best) -> Best {
    let side = from.derivation.steps[0].side;
    let first = Step {
        fact: format!("alpha({board}) {} {value}", side.sign()),
        side,
        value,
        strength: from.strength,
        reason,
        premises: vec![1],
    };
    let below = from.derivation.steps.into_iter().map(|mut step| {
        step.premises.iter_mut().for_each(|premise| *premise += 1);
        step
    });
    Best::of(Derivation { steps: std::iter::once(first).chain(below).collect() })
}

#[cfg(test)]
mod tests {
    use ndqueens_crosscheck::boards::definition;
    use ndqueens_crosscheck::graph::Graph;
    use ndqueens_crosscheck::recursive;

    use super::*;

    fn bounds(name: &str, trust: Trust) -> [Best; 2] {
        let board = Board::new(&name.parse().expect("a board name"));
        of_board(&Archive::embedded(), &board, trust, &[], Deadline::NEVER).expect("no contradiction")
    }

    #[test]
    fn large_boxes_have_the_bounds_of_cubes_inside() {
        let inside = |name: &str| -> Vec<String> {
            let cubes = cubes_inside(&name.parse().expect("a board name"));
            cubes.iter().map(|cube| cube.board().to_string()).collect()
        };
        assert_eq!(inside("2x3x3x5x1"), ["3^3", "2^4"]);
        assert_eq!(inside("4x4x4x7"), ["4^4"]);
        assert!(inside("torus:4^3").is_empty() && inside("rook:4x4x5").is_empty());
        let [lower, upper] = bounds("2x30x30x30", Trust::Checked);
        let [cube, _] = of_cube(
            &Archive::embedded(),
            Cube { dimension: 3, side: 30 },
            Trust::Checked,
            &[],
            Deadline::NEVER,
        )
        .expect("bounds");
        assert!(lower.value >= cube.value && cube.value > 1 && lower.value <= upper.value, "{lower}");
        assert_eq!(lower.derivation.steps[0].fact, format!("alpha(2x30x30x30) >= {}", lower.value));
    }

    #[test]
    fn small_boards_are_settled_as_by_exact_search() {
        for name in [
            "hex:1",
            "hex:2",
            "hex:3",
            "hex:4",
            "hex:5",
            "three:2",
            "three:4",
            "three:6",
            "sudoku:2",
            "rook:3^3",
            "bishop:3^3",
            "bishop:3x4",
            "torus:4^2",
            "torus:6^2",
            "torus:3^3",
            "2x3x4",
            "3x3x4",
            "4x6",
            "rook:2x3x4",
            "moebius:5x6",
            "klein:6x5",
            "knight:5^2",
            "knight:3^3",
            "king:5x6",
            "king:torus:5^2",
            "superqueen:6^2",
            "superqueen:3^3",
        ] {
            let graph =
                Graph::new(&*definition(&name.parse().expect("a board name"))).expect("a small board");
            let size = recursive::independence_number(&graph, &|| false).expect("not stopped") as u128;
            for trust in [Trust::Checked, Trust::Archived, Trust::Reported] {
                let [lower, upper] = bounds(name, trust);
                assert_eq!((lower.value, upper.value), (size, size), "{name}: {lower}; {upper}");
                assert!(lower.is_checked() && upper.is_checked(), "{name}: {lower}; {upper}");
            }
        }
    }

    #[test]
    fn only_reported_bounds_have_a_certified_one_beside_them() {
        let [lower, upper] = bounds("torus:50^2", Trust::Reported);
        assert_eq!((lower.value, lower.strength, upper.value), (49, Strength::Reported, 49));
        assert!(lower.certified.is_some_and(|certified| certified.value < 49) && upper.certified.is_none());
        let [lower, _] = bounds("torus:50^2", Trust::Archived);
        assert!(lower.value < 49 && lower.is_checked());
    }

    #[test]
    fn layers_name_the_bound_that_they_follow_from() {
        let [_, upper] = bounds("torus:12^3", Trust::Archived);
        assert_eq!(upper.value, 120);
        let [_, upper] = bounds("bishop:9^3", Trust::Archived);
        let steps = &upper.derivation.steps;
        assert_eq!((upper.value, steps[0].premises.as_slice()), (144, &[1][..]));
        assert_eq!(steps[1].fact, "alpha(bishop:9^2) <= 16");
    }
}
