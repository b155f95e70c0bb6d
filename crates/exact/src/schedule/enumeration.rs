//! Enumeration of all solutions with `k` queens: the search continues after each solution.
//!
//! Symmetry is used as in a proof, so the search visits only some solutions, each of which represents a
//! [`Share`] of all solutions. A sum over all solutions of a function that is invariant under symmetry is the
//! sum over the visited ones, with shares as weights.
//!
//! If the number of queens is that of the lines in a partition of the board, each line holds one queen, and
//! the search branches on the line with the fewest free squares.
//!
//! With proofs, the tree is written, too, and a checker verifies that the list of solutions is complete.

use std::collections::BTreeSet;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::sync::Arc;

use fixedbitset::FixedBitSet;
use ndqueens_model::board::{Board, Generator, Group, Orbits, Square, closure};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::Zero as _;
use serde::{Deserialize, Serialize};
use tempfile::SpooledTempFile;

use crate::proof::{MAX_BYTES_IN_MEMORY, ProofTreeWriter};
use crate::schedule::part_trees::PartTrees;
use crate::schedule::task::{MAX_CUT_DEPTH, Task};
use crate::search::budget::Budget;
use crate::search::instance::{Instance, OrbitalBranching, Region, Subproblem};
use crate::search::log::{FirstFit, Log, Share};
use crate::search::tree_search::{CutOff, Run, Search};

/// Sums over the solutions that a search visited.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    /// Sums over the solutions with the same share and the same number of symmetries that map them to
    /// themselves.
    sums: Vec<(Share, u64, Sums)>,
    /// One solution of each orbit, the least of its images, as increasing square numbers. Empty if solutions
    /// are not kept.
    pub representatives: BTreeSet<Vec<Square>>,
    /// `true` if there were more orbits than may be kept.
    pub more: bool,
}

/// Sums over some solutions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sums {
    solutions: u64,
    /// Number of queens on each orbit of squares.
    on_orbit: Vec<u64>,
}

impl Tally {
    /// Returns the sums for a share and the size of a stabiliser.
    fn sums_mut(&mut self, share: Share, stabiliser: u64) -> &mut Sums {
        let place = self.sums.binary_search_by_key(&(share, stabiliser), |(share, s, _)| (*share, *s));
        let place = place.unwrap_or_else(|place| {
            self.sums.insert(place, (share, stabiliser, Sums::default()));
            place
        });
        &mut self.sums[place].2
    }

    /// Adds the tally of another part of the same enumeration. At most `keep` orbits are kept.
    pub fn add(&mut self, other: Self, keep: usize) {
        for (share, stabiliser, sums) in other.sums {
            let here = self.sums_mut(share, stabiliser);
            here.solutions += sums.solutions;
            here.on_orbit.resize(sums.on_orbit.len(), 0);
            here.on_orbit.iter_mut().zip(sums.on_orbit).for_each(|(here, other)| *here += other);
        }
        self.more |= other.more;
        for set in other.representatives {
            self.store_set(set, keep);
        }
    }

    fn store_set(&mut self, set: Vec<Square>, most: usize) {
        if self.representatives.len() < most {
            self.representatives.insert(set);
        } else {
            self.more |= !self.representatives.contains(&set);
        }
    }

    /// Returns the number of solutions that were visited.
    #[must_use]
    pub fn met(&self) -> u64 {
        self.sums.iter().map(|(_, _, sums)| sums.solutions).sum()
    }

    /// Returns the number of solutions.
    #[must_use]
    pub fn solutions(&self) -> BigUint {
        to_integer(&self.sum(|_, sums| sums.solutions))
    }

    /// Returns the number of orbits of solutions for each size of a stabiliser, in increasing order of the
    /// sizes. `order` is the order of the symmetry group. By the orbit-stabiliser theorem, the number is that
    /// of the solutions times the size divided by the order.
    #[must_use]
    pub fn up_to_symmetry(&self, order: u64) -> Vec<(u64, BigUint)> {
        let sizes: BTreeSet<u64> = self.sums.iter().map(|(_, size, _)| *size).collect();
        sizes.into_iter().map(|size| (size, to_integer(&self.count_orbits(size, order)))).collect()
    }

    /// Returns `true` if the number of queens on all orbits of squares is that of the solutions times `size`.
    #[must_use]
    pub fn has_queens_of(&self, size: u64) -> bool {
        let sums = |sums: &Sums| {
            let queens = sums.on_orbit.iter().try_fold(0u64, |sum, &on| sum.checked_add(on));
            queens.is_some() && queens == sums.solutions.checked_mul(size)
        };
        self.sums.iter().all(|(_, _, met)| sums(met))
    }

    /// Returns `true` if all numbers of solutions are integers. They are, if all parts of a search were
    /// added.
    #[must_use]
    pub fn adds_up(&self, orbits: &Orbits, order: Option<u64>) -> bool {
        let up_to_symmetry =
            |order| self.sums.iter().all(|&(_, size, _)| self.count_orbits(size, order).is_integer());
        self.sum(|_, sums| sums.solutions).is_integer()
            && order.is_none_or(up_to_symmetry)
            && (0..orbits.count()).all(|number| self.count_on_square(number, orbits).is_integer())
    }

    /// Returns, for each orbit of squares, the number of solutions with a queen on a given square of it.
    #[must_use]
    pub fn density(&self, orbits: &Orbits) -> Vec<BigUint> {
        (0..orbits.count()).map(|number| to_integer(&self.count_on_square(number, orbits))).collect()
    }

    /// Returns the number of orbits of solutions whose stabilisers have this size, for a group of this order.
    fn count_orbits(&self, size: u64, order: u64) -> BigRational {
        self.sum(|stabiliser, sums| if stabiliser == size { sums.solutions } else { 0 })
            * fraction(size, order)
    }

    /// Returns the number of solutions with a queen on a given square of an orbit.
    fn count_on_square(&self, number: usize, orbits: &Orbits) -> BigRational {
        self.sum(|_, sums| sums.on_orbit.get(number).copied().unwrap_or(0))
            * fraction(1, orbits.sizes()[number] as u64)
    }

    /// Returns the sum of an invariant function over all solutions.
    fn sum(&self, invariant: impl Fn(u64, &Sums) -> u64) -> BigRational {
        let sum = |sum: BigRational, (share, stabiliser, sums): &(Share, u64, Sums)| {
            let share = fraction(share.numerator, share.denominator);
            sum + share * BigInt::from(invariant(*stabiliser, sums))
        };
        self.sums.iter().fold(BigRational::zero(), sum)
    }
}

fn fraction(numerator: u64, denominator: u64) -> BigRational {
    BigRational::new(numerator.into(), denominator.into())
}

/// Returns a sum of shares as an integer.
///
/// # Panics
/// Panics if the sum is not an integer, which means that parts of the search are missing.
fn to_integer(sum: &BigRational) -> BigUint {
    assert!(sum.is_integer(), "the shares of the solutions add up to {sum}, which is not an integer");
    sum.to_integer().try_into().expect("shares are positive")
}

/// Enumeration whose tree is cut off, so that its parts can be searched one by one.
pub struct Enumeration<'a> {
    /// Weight of each part: its share of the tree if all children of a node have equal shares.
    pub weights: Vec<f64>,
    /// Solutions above the parts.
    pub top: Tally,
    /// Order of the symmetry group, or `None` if it is unknown or too large to be listed.
    pub order: Option<u64>,
    /// Size of the solutions.
    pub(crate) size: u64,
    pub(crate) run_part: Box<RunPart<'a>>,
    /// Nodes above the parts, and the trees of the parts, if proofs are written.
    pub(crate) trees: Option<(Vec<u8>, PartTrees)>,
}

/// Function that searches a part, given by its number, and writes its tree.
pub(crate) type RunPart<'a> =
    dyn Fn(usize, Option<&mut dyn Write>) -> io::Result<Option<Tally>> + Send + Sync + 'a;

impl Enumeration<'_> {
    /// Searches one part. Returns `None` if the search was stopped.
    ///
    /// # Errors
    /// Returns an error if its tree cannot be written to a temporary file.
    ///
    /// # Panics
    /// Panics if there is no part of that number.
    pub fn run(&self, number: usize) -> io::Result<Option<Tally>> {
        let Some((_, trees)) = &self.trees else { return (self.run_part)(number, None) };
        let mut tree = BufWriter::new(SpooledTempFile::new(MAX_BYTES_IN_MEMORY >> 4));
        let tally = (self.run_part)(number, Some(&mut tree))?;
        if tally.is_some() {
            trees.add(number, tree.into_inner().map_err(io::IntoInnerError::into_error)?)?;
        }
        Ok(tally)
    }

    /// Writes the proof that a list of solutions is complete: the list and the tree, after all parts have
    /// been searched. The list must contain all images of the visited solutions under the symmetries of the
    /// board.
    ///
    /// # Errors
    /// Returns an error if the proof cannot be written.
    ///
    /// # Panics
    /// Panics if the settings did not ask for proofs.
    pub fn write(self, solutions: &BTreeSet<Vec<Square>>, out: &mut dyn Write) -> io::Result<()> {
        let (top, trees) = self.trees.expect("proofs are written");
        writeln!(out, "solutions {} {}", self.size, solutions.len())?;
        for set in solutions {
            write!(out, "solution")?;
            set.iter().try_for_each(|square| write!(out, " {square}"))?;
            writeln!(out)?;
        }
        let mut tree = trees.join(&[], top.as_slice())?;
        io::Seek::rewind(&mut tree)?;
        io::copy(&mut tree, out).map(drop)
    }
}

impl std::fmt::Debug for Enumeration<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Enumeration").field("parts", &self.weights.len()).finish_non_exhaustive()
    }
}

/// Adds up the solutions that a search visits, and writes its tree.
struct Collector<'t, 'o> {
    tree: Option<ProofTreeWriter<'t, &'o mut dyn Write>>,
    /// Square at each position.
    squares: &'t [Square],
    /// Symmetry group of the board, acting on positions.
    group: &'t Group,
    orbits: &'t Orbits,
    /// Maximum number of orbits of solutions that are kept.
    keep: usize,
    tally: Tally,
}

impl Collector<'_, '_> {
    /// Returns the order of the stabiliser of a solution.
    fn stabiliser_order(&self, placed: &[usize]) -> u64 {
        let mut set = FixedBitSet::with_capacity(self.squares.len());
        set.extend(placed.iter().copied());
        let fixes = |g: &u32| placed.iter().all(|&x| set.contains(self.group.image(*g, x)));
        self.group.elements().filter(fixes).count() as u64
    }

    /// Returns the least image of a solution, as increasing square numbers.
    fn canonical(&self, placed: &[usize]) -> Vec<Square> {
        let image = |g: u32| {
            let mut image: Vec<Square> =
                placed.iter().map(|&x| self.squares[self.group.image(g, x)]).collect();
            image.sort_unstable();
            image
        };
        self.group.elements().map(image).min().expect("a group has an element")
    }
}

impl Log for Collector<'_, '_> {
    fn log_cover(
        &mut self,
        cover: FirstFit,
        cliques: impl FnOnce() -> Vec<Vec<usize>>,
        uncovered: impl FnOnce() -> Vec<usize>,
    ) {
        if let Some(tree) = &mut self.tree {
            tree.log_cover(cover, cliques, uncovered);
        }
    }

    fn log_orbit(&mut self, square: usize, elements: &[u32]) {
        if let Some(tree) = &mut self.tree {
            tree.log_orbit(square, elements);
        }
    }

    fn log_part(&mut self, number: usize) {
        if let Some(tree) = &mut self.tree {
            tree.log_part(number);
        }
    }

    fn is_broken(&self) -> bool {
        self.tree.as_ref().is_some_and(ProofTreeWriter::is_broken)
    }

    fn log_solution(&mut self, placed: &[usize], share: Share) -> ControlFlow<()> {
        let stabiliser = self.stabiliser_order(placed);
        let sums = self.tally.sums_mut(share, stabiliser);
        sums.solutions += 1;
        sums.on_orbit.resize(self.orbits.count(), 0);
        for &x in placed {
            sums.on_orbit[self.orbits.of(self.squares[x])] += 1;
        }
        if self.keep > 0 {
            let canonical = self.canonical(placed);
            self.tally.store_set(canonical, self.keep);
        }
        if let Some(tree) = &mut self.tree {
            tree.write_solution();
        }
        ControlFlow::Continue(())
    }
}

/// Maximum number of lines on which the search branches.
const MAX_LINES: usize = 1024;

/// Returns the lines, or other cliques, of the partition of the board, and those of its images under the
/// symmetries of the board.
pub(crate) fn partition_lines(board: &Board) -> Vec<Vec<Square>> {
    let sorted = |mut lines: Vec<Vec<Square>>| {
        lines.iter_mut().for_each(|line| line.sort_unstable());
        lines.sort_unstable();
        lines
    };
    let image = |lines: &Vec<Vec<Square>>, symmetry: &Generator<'_>| {
        sorted(lines.iter().map(|line| line.iter().map(|&square| symmetry(square)).collect()).collect())
    };
    let partition = sorted(board.partition());
    let most = MAX_LINES / partition.len();
    let mut partitions = closure(partition, &board.generators(), most, image);
    partitions.truncate(most);
    partitions.concat()
}

impl<'a> Task<'a> {
    /// Makes the search branch on the lines of partitions if the number of queens is that of the lines.
    pub(crate) fn branch_on_lines(&mut self) {
        let bound = self.board.trivial_bound();
        if self.size != bound || bound > MAX_LINES as u64 {
            return;
        }
        let row = |line| Region { squares: self.indexed.place_set(line), demand: 1 };
        let mut regions: Vec<Region> = partition_lines(self.board).into_iter().map(row).collect();
        let rows = vec![0; regions.len()];
        regions.push(self.instance.whole_region().clone());
        let (indexed, components) = (Arc::clone(&self.indexed), self.settings.components);
        self.instance = Instance::new(indexed, regions, components, OrbitalBranching::AtEveryNode);
        self.instance.row_layers = rows;
    }

    /// Prepares the enumeration of all solutions; see [`Question::enumerate`](crate::Question::enumerate).
    pub(crate) fn enumerate(mut self, parts: usize, keep: usize) -> io::Result<Option<Enumeration<'a>>> {
        // A proof would have to list the lines of each node, whereas a first-fit cover is one letter.
        if !self.settings.proofs {
            self.branch_on_lines();
        }
        // Stabilisers are those in the whole group, even if the search does not use it.
        let whole_group =
            (!self.settings.components.symmetry).then(|| Group::of(self.board, &self.indexed.places));
        let group = whole_group.as_ref().unwrap_or(&self.indexed.group);
        let order = group.is_whole().then(|| u64::from(group.order()));
        let (size, proofs) = (self.size, self.settings.proofs);
        let mut depth = 0;
        let (run, top, tree) = loop {
            let mut tree = Vec::new();
            let out = proofs.then_some(&mut tree as &mut dyn Write);
            let root = self.instance.root();
            let Some((run, top)) = self.collect(&root, CutOff::AtDepth(depth), group, keep, out)? else {
                return Ok(None);
            };
            if run.parts.is_empty() || run.parts.len() >= parts || depth == MAX_CUT_DEPTH {
                break (run, top, tree);
            }
            depth += 1;
        };
        let trees = if proofs {
            let mut above = Vec::new();
            self.write_regions(&mut above)?;
            above.extend(tree);
            Some((above, PartTrees::default()))
        } else {
            None
        };
        let weights = run.parts.iter().map(|part| part.weight).collect();
        let run_part = Box::new(move |number: usize, out: Option<&mut dyn Write>| {
            let group = whole_group.as_ref().unwrap_or(&self.indexed.group);
            let collected = self.collect(&run.parts[number], CutOff::Never, group, keep, out)?;
            Ok(collected.map(|(_, tally)| tally))
        });
        Ok(Some(Enumeration { weights, top, order, size, run_part, trees }))
    }

    /// Enumerates the solutions of a part. Returns `None` if the search was stopped.
    fn collect(
        &self,
        part: &Subproblem,
        cut_off: CutOff,
        group: &Group,
        keep: usize,
        out: Option<&mut dyn Write>,
    ) -> io::Result<Option<(Run, Tally)>> {
        let (squares, orbits, tally) = (&self.indexed.squares, self.board.orbits(), Tally::default());
        let tree = out.map(|out| self.tree_writer(out));
        let collector = Collector { tree, squares, group, orbits, keep, tally };
        let (control, budget) = (self.settings.control, Budget::new(u64::MAX));
        let (run, collector) = Search::new(&self.instance, cut_off, &budget, control, collector).run(part);
        collector.tree.map(ProofTreeWriter::finish).transpose()?;
        Ok(run.end.is_ok().then_some((run, collector.tally)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_beyond_64_bits_are_exact() {
        let mut tally = Tally::default();
        let part = 1u64 << 58;
        let large = Sums { solutions: 48 * part, on_orbit: vec![48 * part] };
        for (share, stabiliser) in [((48, 1), 1), ((24, 2), 2), ((1, 3), 1), ((2, 3), 1)] {
            let share = Share { numerator: share.0, denominator: share.1 };
            *tally.sums_mut(share, stabiliser) = large.clone();
        }
        let part = BigUint::from(part);
        assert_eq!(tally.solutions(), &part * (61u32 * 48));
        // An orbit has 48 solutions, or 24 when a symmetry maps them to themselves.
        assert_eq!(tally.up_to_symmetry(48), [(1, &part * 49u32), (2, &part * 24u32)]);
    }
}
