//! Every solution of `k` queens: the search continues after each one.
//!
//! Symmetry is used as in a proof, so that only some of the solutions are met. Each stands for a share of them
//! ([`Share`]): sums over all solutions of anything that symmetry leaves alone are sums over those met, with shares.
//!
//! Where there are as many queens as lines in a partition of the board, each line holds one: the search branches on the line with
//! the fewest free squares then.
//!
//! With proofs, the tree is written down as well; that all solutions are those in a list is then checked by who reads it.

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

use crate::proof::{HELD_IN_MEMORY, Tree};
use crate::schedule::part_trees::PartTrees;
use crate::schedule::task::{DEEPEST_CUT, Task};
use crate::search::budget::Budget;
use crate::search::instance::{Instance, OrbitalBranching, Region, Subproblem};
use crate::search::log::{FirstFit, Log, Share};
use crate::search::tree_search::{CutOff, Run, Search};

/// What a search has met, in sums.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    /// Sums over the solutions with the same share and the same number of symmetries that map them to themselves.
    sums: Vec<(Share, u64, Sums)>,
    /// One solution of each orbit that was met, the least of its images, as increasing square numbers; when they are kept.
    pub representatives: BTreeSet<Vec<Square>>,
    /// Whether there were more orbits than may be kept.
    pub more: bool,
}

/// Sums over some solutions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sums {
    solutions: u64,
    /// The queens on each orbit of squares.
    on_orbit: Vec<u64>,
}

impl Tally {
    fn sums(&mut self, share: Share, stabiliser: u64) -> &mut Sums {
        let place = self.sums.binary_search_by_key(&(share, stabiliser), |(share, s, _)| (*share, *s));
        let place = place.unwrap_or_else(|place| {
            self.sums.insert(place, (share, stabiliser, Sums::default()));
            place
        });
        &mut self.sums[place].2
    }

    /// Adds what another search of the same enumeration has met; at most `keep` orbits are kept.
    pub fn add(&mut self, other: Self, keep: usize) {
        for (share, stabiliser, sums) in other.sums {
            let here = self.sums(share, stabiliser);
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

    /// The number of solutions that were met.
    #[must_use]
    pub fn met(&self) -> u64 {
        self.sums.iter().map(|(_, _, sums)| sums.solutions).sum()
    }

    /// The number of solutions.
    #[must_use]
    pub fn solutions(&self) -> BigUint {
        whole(&self.sum(|_, sums| sums.solutions))
    }

    /// For each size of a stabiliser in a group of this order, increasing, the number of orbits whose solutions have one of
    /// that size: by the orbit-stabiliser theorem, the number of solutions times the size over the order.
    #[must_use]
    pub fn up_to_symmetry(&self, order: u64) -> Vec<(u64, BigUint)> {
        let sizes: BTreeSet<u64> = self.sums.iter().map(|(_, size, _)| *size).collect();
        sizes.into_iter().map(|size| (size, whole(&self.orbits_of(size, order)))).collect()
    }

    /// Whether the queens on all orbits of squares are as many as those of the solutions, each of so many queens.
    #[must_use]
    pub fn has_queens_of(&self, size: u64) -> bool {
        let sums = |sums: &Sums| {
            let queens = sums.on_orbit.iter().try_fold(0u64, |sum, &on| sum.checked_add(on));
            queens.is_some() && queens == sums.solutions.checked_mul(size)
        };
        self.sums.iter().all(|(_, _, met)| sums(met))
    }

    /// Whether all numbers of solutions come out whole, as those of all parts of a search do.
    #[must_use]
    pub fn adds_up(&self, orbits: &Orbits, order: Option<u64>) -> bool {
        let up_to_symmetry =
            |order| self.sums.iter().all(|&(_, size, _)| self.orbits_of(size, order).is_integer());
        self.sum(|_, sums| sums.solutions).is_integer()
            && order.is_none_or(up_to_symmetry)
            && (0..orbits.count()).all(|number| self.on_square_of(number, orbits).is_integer())
    }

    /// For each orbit of squares, how many solutions have a queen on any one square of it.
    #[must_use]
    pub fn density(&self, orbits: &Orbits) -> Vec<BigUint> {
        (0..orbits.count()).map(|number| whole(&self.on_square_of(number, orbits))).collect()
    }

    /// How many orbits of solutions there are whose stabilisers have this size, in a group of this order.
    fn orbits_of(&self, size: u64, order: u64) -> BigRational {
        self.sum(|stabiliser, sums| if stabiliser == size { sums.solutions } else { 0 })
            * fraction(size, order)
    }

    /// How many solutions have a queen on one square of this orbit.
    fn on_square_of(&self, number: usize, orbits: &Orbits) -> BigRational {
        self.sum(|_, sums| sums.on_orbit.get(number).copied().unwrap_or(0))
            * fraction(1, orbits.sizes()[number] as u64)
    }

    /// A sum over all solutions of what symmetry leaves alone.
    fn sum(&self, what: impl Fn(u64, &Sums) -> u64) -> BigRational {
        let sum = |sum: BigRational, (share, stabiliser, sums): &(Share, u64, Sums)| {
            let share = fraction(share.numerator, share.denominator);
            sum + share * BigInt::from(what(*stabiliser, sums))
        };
        self.sums.iter().fold(BigRational::zero(), sum)
    }
}

fn fraction(numerator: u64, denominator: u64) -> BigRational {
    BigRational::new(numerator.into(), denominator.into())
}

/// # Panics
/// When shares do not add up: what was met is not all there is.
fn whole(sum: &BigRational) -> BigUint {
    assert!(sum.is_integer(), "the shares of the solutions add up to {sum}, which is not a whole number");
    sum.to_integer().try_into().expect("shares are positive")
}

/// An enumeration whose tree is cut off, so that its parts can be searched one by one.
pub struct Enumeration<'a> {
    /// For each part its part of the tree, when the children of a node count alike.
    pub weights: Vec<f64>,
    /// What was met above the parts.
    pub top: Tally,
    /// The order of the symmetry group; `None` when it is not known or too large to be listed.
    pub order: Option<u64>,
    /// The size of the solutions.
    pub(crate) size: u64,
    pub(crate) run_part: Box<RunPart<'a>>,
    /// The tree above the parts and those below, where proofs are written.
    pub(crate) trees: Option<(Vec<u8>, PartTrees)>,
}

/// Searches the part of a number, and writes its tree.
pub(crate) type RunPart<'a> =
    dyn Fn(usize, Option<&mut dyn Write>) -> io::Result<Option<Tally>> + Send + Sync + 'a;

impl Enumeration<'_> {
    /// Searches one part; `None` when stopped.
    ///
    /// # Errors
    /// When its tree cannot be written to a temporary file.
    ///
    /// # Panics
    /// When there is no part of that number.
    pub fn run(&self, number: usize) -> io::Result<Option<Tally>> {
        let Some((_, trees)) = &self.trees else { return (self.run_part)(number, None) };
        let mut tree = BufWriter::new(SpooledTempFile::new(HELD_IN_MEMORY >> 4));
        let tally = (self.run_part)(number, Some(&mut tree))?;
        if tally.is_some() {
            trees.add(number, tree.into_inner().map_err(io::IntoInnerError::into_error)?)?;
        }
        Ok(tally)
    }

    /// Writes, as proofs do, that these are all solutions: the list, and the tree, once all parts have been searched. The list
    /// must have, of each solution that was met, all images under the board's symmetry.
    ///
    /// # Errors
    /// When it cannot be written.
    ///
    /// # Panics
    /// When proofs are not written.
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

/// Adds up what a search meets, and writes its tree.
struct Collector<'t, 'o> {
    tree: Option<Tree<'t, &'o mut dyn Write>>,
    /// The square at each position.
    squares: &'t [Square],
    /// The board's symmetry group on positions.
    group: &'t Group,
    orbits: &'t Orbits,
    /// The most orbits of solutions that are kept.
    keep: usize,
    tally: Tally,
}

impl Collector<'_, '_> {
    fn stabiliser(&self, placed: &[usize]) -> u64 {
        let mut set = FixedBitSet::with_capacity(self.squares.len());
        set.extend(placed.iter().copied());
        let fixes = |g: &u32| placed.iter().all(|&x| set.contains(self.group.image(*g, x)));
        self.group.elements().filter(fixes).count() as u64
    }

    /// The least image, as increasing square numbers.
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
    fn covered(
        &mut self,
        cover: FirstFit,
        cliques: impl FnOnce() -> Vec<Vec<usize>>,
        uncovered: impl FnOnce() -> Vec<usize>,
    ) {
        if let Some(tree) = &mut self.tree {
            tree.covered(cover, cliques, uncovered);
        }
    }

    fn orbit(&mut self, square: usize, elements: &[u32]) {
        if let Some(tree) = &mut self.tree {
            tree.orbit(square, elements);
        }
    }

    fn part(&mut self, number: usize) {
        if let Some(tree) = &mut self.tree {
            tree.part(number);
        }
    }

    fn is_broken(&self) -> bool {
        self.tree.as_ref().is_some_and(Tree::is_broken)
    }

    fn found(&mut self, placed: &[usize], share: Share) -> ControlFlow<()> {
        let stabiliser = self.stabiliser(placed);
        let sums = self.tally.sums(share, stabiliser);
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
            tree.solution();
        }
        ControlFlow::Continue(())
    }
}

/// The most lines that are taken for rows.
const MOST_LINES: usize = 1024;

/// The lines of the board's partition, or its other cliques, and of the images of the partition under the board's symmetry.
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
    let most = MOST_LINES / partition.len();
    let mut partitions = closure(partition, &board.generators(), most, image);
    partitions.truncate(most);
    partitions.concat()
}

impl<'a> Task<'a> {
    /// Takes the lines of partitions for the rows of a full layer, where there are as many queens as lines.
    pub(crate) fn fill_lines(&mut self) {
        let bound = self.board.trivial_bound();
        if self.size != bound || bound > MOST_LINES as u64 {
            return;
        }
        let row = |line| Region { squares: self.indexed.set(line), demand: 1 };
        let mut regions: Vec<Region> = partition_lines(self.board).into_iter().map(row).collect();
        let rows = vec![0; regions.len()];
        regions.push(self.instance.whole().clone());
        let (indexed, components) = (Arc::clone(&self.indexed), self.settings.components);
        self.instance = Instance::new(indexed, regions, components, OrbitalBranching::Throughout);
        self.instance.rows = rows;
    }

    /// Prepares the search for every placement of the queens, as [`super::Question::enumerate`] says.
    pub(crate) fn enumerate(mut self, parts: usize, keep: usize) -> io::Result<Option<Enumeration<'a>>> {
        // A proof would have to name the lines of each node; a first-fit cover is a letter.
        if !self.settings.proofs {
            self.fill_lines();
        }
        // Stabilisers are those in the whole group, whether or not the search uses it.
        let apart = (!self.settings.components.symmetry).then(|| Group::of(self.board, &self.indexed.places));
        let group = apart.as_ref().unwrap_or(&self.indexed.group);
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
            if run.parts.is_empty() || run.parts.len() >= parts || depth == DEEPEST_CUT {
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
            let group = apart.as_ref().unwrap_or(&self.indexed.group);
            let told = self.collect(&run.parts[number], CutOff::Never, group, keep, out)?;
            Ok(told.map(|(_, tally)| tally))
        });
        Ok(Some(Enumeration { weights, top, order, size, run_part, trees }))
    }

    /// Searches a part for every placement; `None` when stopped.
    fn collect(
        &self,
        part: &Subproblem,
        cut_off: CutOff,
        group: &Group,
        keep: usize,
        out: Option<&mut dyn Write>,
    ) -> io::Result<Option<(Run, Tally)>> {
        let (squares, orbits, tally) = (&self.indexed.squares, self.board.orbits(), Tally::default());
        let tree = out.map(|out| self.tree(out));
        let collector = Collector { tree, squares, group, orbits, keep, tally };
        let (control, budget) = (self.settings.control, Budget::new(u64::MAX));
        let (run, collector) = Search::new(&self.instance, cut_off, &budget, control, collector).run(part);
        collector.tree.map(Tree::finish).transpose()?;
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
            *tally.sums(share, stabiliser) = large.clone();
        }
        let part = BigUint::from(part);
        assert_eq!(tally.solutions(), &part * (61u32 * 48));
        // An orbit has 48 solutions, or 24 when a symmetry maps them to themselves.
        assert_eq!(tally.up_to_symmetry(48), [(1, &part * 49u32), (2, &part * 24u32)]);
    }
}
