//! Leaves: the facts that derivations start from.

use std::collections::HashMap;
use std::fmt::Display;
use std::sync::Arc;

use ndqueens_model::facts::Side;
use ndqueens_model::facts::known::{self, Published};
use ndqueens_model::facts::volume;
use ndqueens_model::facts::{Provenance, UpperBound};
use ndqueens_notation::certificate::Certificate;
use ndqueens_notation::name::BoardName;
use ndqueens_solver::construct::cut::Cut;
use ndqueens_solver::construct::linear::regular;
use ndqueens_system::cancel::Deadline;
use parking_lot::Mutex;
use rayon::prelude::*;

use super::cube::Cube;
use super::facts::{Bounds, Conflict, FactId, Reason, Strength};
use crate::archive::Archive;

/// Sources of leaves in addition to theorems and constructions.
#[derive(Debug, Clone)]
pub struct Sources {
    /// The archive, whose bounds are checked when a requested bound rests on them.
    pub archive: Archive,
    /// Certificates that crosscheck has verified, each with the name of its file.
    pub certificates: Vec<(String, Certificate)>,
    /// Use published values.
    pub reported: bool,
    /// Use only those archived bounds whose proofs pass the check in this run.
    pub checked_only: bool,
    /// Deadline for the checks of archived proofs.
    pub deadline: Deadline,
    /// Further values, treated like published ones.
    pub values: Vec<Published>,
    /// Cuts found so far; shared by clones.
    pub cuts: Cuts,
}

impl Sources {
    /// Returns the bounds of an archive, without certificates and published values.
    #[must_use]
    pub fn of(archive: &Archive) -> Self {
        Self {
            archive: archive.clone(),
            certificates: Vec::new(),
            reported: false,
            checked_only: false,
            deadline: Deadline::NEVER,
            values: Vec::new(),
            cuts: Cuts::default(),
        }
    }
}

/// Cache of the best cut of each cube that is found with little effort.
#[derive(Debug, Clone, Default)]
pub struct Cuts(Arc<Mutex<HashMap<Cube, Option<Cut>>>>);

impl Cuts {
    fn of(&self, cube: Cube) -> Option<Cut> {
        let cache = || self.0.lock();
        let cached = cache().get(&cube).cloned();
        cached.unwrap_or_else(|| {
            let cut = find_cut(cube);
            cache().insert(cube, cut.clone());
            cut
        })
    }
}

/// Work limit of the search for a cut, in elementary steps per modulus.
const CUT_WORK: u64 = 300_000;

/// Largest box whose cuts are counted, in squares.
const MOST_SQUARES: u128 = 1 << 40;

impl Bounds {
    pub(super) fn add_leaves(&mut self, cubes: &[Cube], sources: &Sources) -> Result<(), Conflict> {
        let cuts: Vec<Option<Cut>> = cubes.par_iter().map(|&cube| sources.cuts.of(cube)).collect();
        for (&cube, cut) in cubes.iter().zip(cuts) {
            self.add_theorems(cube)?;
            if let Some(cut) = cut {
                let sides = vec![cube.side; cube.dimension];
                let leaf = Reason::Leaf(Strength::Theorem, &cut);
                self.add(Side::Lower, &sides, cut.size.into(), leaf, &[])?;
            }
            self.add_box_leaves(&vec![cube.side; cube.dimension])?;
        }
        for (name, certificate) in &sources.certificates {
            if let Some(cube) = self.cube(&certificate.board) {
                let origin = format!("certificate {name}, checked ({})", certificate.origin);
                let leaf = Reason::Leaf(Strength::Checked, &origin);
                let sides = vec![cube.side; cube.dimension];
                self.add(Side::Lower, &sides, certificate.size() as u128, leaf, &[])?;
            }
        }
        let published = known::table().iter().filter(|_| sources.reported);
        for row in published.chain(&sources.values) {
            if let Some(cube) = self.cube(&row.board) {
                let source = format!("published: {row}");
                let leaf = Reason::Leaf(Strength::Reported, &source);
                self.add(row.side, &vec![cube.side; cube.dimension], row.value.into(), leaf, &[])?;
            }
        }
        Ok(())
    }

    /// Returns the cube that a board is, if the extent contains it.
    fn cube(&self, board: &BoardName) -> Option<Cube> {
        Cube::of(board).filter(|&cube| self.extent.contains(cube))
    }

    fn add_theorems(&mut self, cube: Cube) -> Result<(), Conflict> {
        let Cube { dimension, side } = cube;
        let sides = vec![side; dimension];
        let mut theorem = |side: Side, value: u128, why: &str| {
            self.add(side, &sides, value, Reason::Leaf(Strength::Theorem, &why), &[]).map(drop)
        };
        theorem(Side::Lower, 1, "one queen")?;
        if dimension == 2 && side >= 4 {
            theorem(Side::Lower, side.into(), "closed form of Pauls 1874 and Hoffman, Loessi, Moore 1969")?;
        }
        if dimension == 2 && side == 3 {
            theorem(Side::Upper, 2, "three queens do not fit on 3^2 (Ahrens 1910)")?;
        }
        if dimension > 1
            && let Ok(solution) = regular::first(side, dimension)
        {
            theorem(Side::Lower, cube.lines(), &format!("regular solution {solution}"))?;
        }
        if dimension == 3 {
            let n = i128::from(side);
            let value = u128::try_from(n * n - 10 * n - 32).unwrap_or(0);
            theorem(Side::Lower, value, "n^2 - 10 n - 32 (Kunt 2023, Corollary 8.2)")?;
        }
        Ok(())
    }

    /// Adds the upper bounds of a box that theorems and the archive give.
    pub(super) fn add_box_leaves(&mut self, sides: &[u32]) -> Result<(), Conflict> {
        let product = |sides: &[u32]| sides.iter().map(|&side| u128::from(side)).product::<u128>();
        let (_, base) = sides.split_last().expect("a box has sides");
        let mut leaf = |value: u128, reason: Reason<'_>| self.add(Side::Upper, sides, value, reason, &[]);
        let lines: &dyn Display = &"parallel lines partition the board";
        leaf(product(base), Reason::Leaf(Strength::Theorem, lines))?;
        let halves: Vec<u32> = sides.iter().map(|side| side.div_ceil(2)).collect();
        let cliques: &dyn Display =
            &"boxes of side 2 partition the board, and each is a clique (Kunt 2023, Corollary 13.1)";
        leaf(product(&halves), Reason::Leaf(Strength::Theorem, cliques))?;
        let board = BoardName::queen(sides);
        let archived: Vec<UpperBound> = self.archive.bounds().upper(&board).cloned().collect();
        for archived in archived {
            self.add_archived(sides, &Arc::new(archived))?;
        }
        // Prefer a file that shows the same bound for this board, because readers look for it.
        let is_shown = |bound: u64| {
            let best = self.best_id(Side::Upper, sides).map(|id| &self.facts[id]);
            best.is_some_and(|best| best.value <= bound.into() && best.strength <= Strength::Checked)
        };
        if let Some(bound) = volume::bound(sides).filter(|&bound| !is_shown(bound)) {
            let by_volume: &dyn Display =
                &"volume of a cube: queens are disjoint faces that differ in direction or label";
            self.add(Side::Upper, sides, bound.into(), Reason::Leaf(Strength::Theorem, by_volume), &[])?;
        }
        Ok(())
    }

    /// Adds an archived bound with the result of the check of its proof, or as valid if it is not yet
    /// checked.
    fn add_archived(&mut self, sides: &[u32], archived: &Arc<UpperBound>) -> Result<(), Conflict> {
        let UpperBound { value, provenance, .. } = self.assumption(archived);
        let (strength, origin) = match provenance {
            Provenance::Proved(file) => (Strength::Checked, file),
            Provenance::Archived(why) if !self.checked_only => {
                (Strength::Archived, format!("{why}, not checked in this run"))
            }
            _ => return Ok(()),
        };
        let reason = Reason::Archived(archived, strength, &origin);
        self.add(Side::Upper, sides, value.into(), reason, &[]).map(drop)
    }

    /// Returns the result of the check of a bound, or the assumption about it if it is not yet checked.
    fn assumption(&self, archived: &UpperBound) -> UpperBound {
        self.rechecked.get(archived).cloned().unwrap_or_else(|| self.archive.ledger().assume_valid(archived))
    }

    /// Checks the archived proofs on which these facts rest, until `deadline`. Returns `true` if all results
    /// are as assumed.
    pub(super) fn check_proofs(&mut self, ids: &[FactId], deadline: Deadline) -> bool {
        let archived: Vec<Arc<UpperBound>> =
            self.with_premises(ids).iter().filter_map(|&id| self.facts[id].archived.clone()).collect();
        let mut is_as_assumed = true;
        for bound in archived {
            let assumption = self.assumption(&bound);
            let checked = self.rechecked.entry(Arc::clone(&bound));
            is_as_assumed &= *checked.or_insert_with(|| self.archive.recheck(&bound, deadline)) == assumption;
        }
        is_as_assumed
    }
}

/// Returns the best cut of a cube that is found with little effort, if there is one.
fn find_cut(cube: Cube) -> Option<Cut> {
    let squares = u128::from(cube.side).checked_pow(cube.dimension as u32)?;
    let is_small = cube.dimension > 1 && cube.side > 1 && squares <= MOST_SQUARES;
    is_small.then(|| Cut::best(&vec![cube.side; cube.dimension], &[], CUT_WORK)).flatten()
}
