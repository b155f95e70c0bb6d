//! Refutation of a box by cases: the numbers of queens in the layers across an axis.
//!
//! A full layer of `n x n` squares has a queen on each row, so the search fills one full layer after the
//! other, row by row, and little is left to search. If two full layers are close together, few placements of
//! the first leave room for the second. These cases are refuted first. What is left is one case, in which
//! full layers are far apart; it is split across the next axis in the same way. After the last axis, each
//! pair of full layers is a case of its own.

use std::io::{self, Write};
use std::sync::Arc;

use fixedbitset::FixedBitSet;
use rayon::prelude::*;
use tempfile::SpooledTempFile;

use crate::boxes::slab::Slab;
use crate::layers::{Axis, CaseSplit, Range};
use crate::proof::MAX_BYTES_IN_MEMORY;
use crate::question::Feasibility;
use crate::schedule::task::{Task, cut_off_for};
use crate::schedule::turns::run_in_turns;
use crate::search::budget::Budget;
use crate::search::instance::{Instance, OrbitalBranching, Region, Subproblem};
use crate::search::tree_search::{End, Run};

/// A case may take this many times the mean number of nodes of the cases refuted before it.
const TIMES_THE_MEAN: u64 = 8;

/// Nodes that each case may take at least.
const MIN_NODES: u64 = 1 << 12;

/// The first cases may take one part in this many of all nodes that are left.
const PARTS_OF_BUDGET: u64 = 8;

/// Result of a search by cases.
struct CasesResult {
    end: Result<(), End>,
    nodes: u64,
    done: f64,
    /// Tree of the cases, if all were refuted and proofs are written.
    tree: Option<SpooledTempFile>,
}

impl CasesResult {
    const EMPTY: Self = Self { end: Ok(()), nodes: 0, done: 0.0, tree: None };

    /// Adds the nodes of a case that ends the result, and returns its tree.
    fn add(&mut self, case: Self) -> Option<SpooledTempFile> {
        self.nodes += case.nodes;
        self.done += case.done;
        self.end = case.end;
        case.tree
    }
}

/// Cases that were refuted, with their trees, and the groups of vectors that are left.
#[derive(Default)]
struct RefutedCases {
    cases: Vec<Vec<Range>>,
    trees: Vec<SpooledTempFile>,
    rest: Vec<usize>,
}

/// Case split across one axis, below the assumptions of the splits above it.
struct SplitBody<'s> {
    split: &'s CaseSplit,
    assumed: &'s [Range],
    /// Number of full layers that are filled row by row in each case.
    filled: usize,
    /// Part of the whole tree that each group is.
    share: f64,
}

impl SplitBody<'_> {
    /// Returns the case of each group.
    fn cases(&self, groups: &[usize]) -> Vec<Vec<Range>> {
        groups.iter().map(|&group| self.split.case(&[group], false)).collect()
    }
}

/// Instance of a case.
struct CaseInstance {
    instance: Instance,
    /// Numbers of its regions in proofs.
    numbers: Vec<usize>,
    /// Rows of layers among the regions, each with the number of the region that contains it.
    parts: Vec<(usize, Range)>,
}

impl Task<'_> {
    /// Searches by cases. Returns the answer and the number of nodes, or `None` if there are no cases.
    pub(crate) fn answer_by_layers(&self, node_limit: u64) -> io::Result<Option<(Feasibility, u64)>> {
        let axes = self.axes_with_cases();
        if axes.is_empty() {
            return Ok(None);
        }
        let budget = Budget::new(node_limit);
        let mut body = self.split_body(&axes, 0, &[], &budget, 1.0)?;
        if body.end == Err(End::Stopped) && !self.settings.control.is_stopped() {
            body.nodes = node_limit;
        }
        let tree = match body.tree {
            Some(mut cases) if body.end.is_ok() => {
                let mut tree = io::BufWriter::new(SpooledTempFile::new(MAX_BYTES_IN_MEMORY));
                self.write_regions(&mut tree)?;
                io::Seek::rewind(&mut cases)?;
                io::copy(&mut cases, &mut tree)?;
                Some(tree.into_inner().map_err(io::IntoInnerError::into_error)?)
            }
            _ => None,
        };
        Ok(Some((self.answer_of(body.end, body.done, tree), body.nodes)))
    }

    /// Returns the shortest axes, if there are cases across them.
    fn axes_with_cases(&self) -> Vec<usize> {
        let shortest = self.layers.iter().map(Vec::len).min();
        // Axes with the same bounds have the same cases.
        let mut known: Vec<(&[u64], bool)> = Vec::new();
        let mut has_cases = |&axis: &usize| {
            let most = self.layers[axis].as_slice();
            let has_cases = known.iter().find(|(known, _)| *known == most).map(|(_, has_cases)| *has_cases);
            has_cases.unwrap_or_else(|| {
                known.push((most, self.axis(axis).split(&[]).is_some()));
                known.last().is_some_and(|(_, has_cases)| *has_cases)
            })
        };
        let axes = (0..self.layers.len()).filter(|&axis| Some(self.layers[axis].len()) == shortest);
        axes.filter(|axis| has_cases(axis)).collect()
    }

    fn axis(&self, axis: usize) -> Axis<'_> {
        Axis { axis, queens: self.size, most: &self.layers[axis] }
    }

    /// Searches by cases across one axis. The groups of vectors that take too long together form one more
    /// case, which is split across the next axis. After the last axis each group is a case, whatever it
    /// takes.
    fn split_body(
        &self,
        axes: &[usize],
        stage: usize,
        assumed: &[Range],
        budget: &Budget<'_>,
        weight: f64,
    ) -> io::Result<CasesResult> {
        // With a single axis there is no further split for the groups that are left.
        let is_last = stage >= axes.len() || axes.len() == 1;
        // Full layers that are far apart hardly restrict each other.
        let filled = if is_last && axes.len() > 1 { 1 } else { usize::MAX };
        let axis = self.axis(axes[stage % axes.len()]);
        let split = axis.split(assumed).expect("fewer vectors than before");
        let distances = split.by_distance();
        let number: usize = distances.iter().map(Vec::len).sum();
        let share = weight / number.max(1) as f64;
        let body = SplitBody { split: &split, assumed, filled, share };
        let mut whole = CasesResult::EMPTY;
        let mut refuted = RefutedCases::default();
        if distances.is_empty() {
            let case = split.case(&[], false);
            refuted.trees.extend(whole.add(self.run_case(assumed, &case, usize::MAX, budget, weight)?));
            refuted.cases.push(case);
        } else if is_last {
            self.run_all_cases(&body, distances, budget, &mut whole, &mut refuted)?;
        } else {
            self.run_short_cases(&body, distances, budget, &mut whole, &mut refuted)?;
        }
        if whole.end.is_err() {
            return Ok(whole);
        }
        let RefutedCases { mut cases, mut trees, rest } = refuted;
        if !rest.is_empty() {
            let none_refuted = cases.is_empty();
            let case = split.case(&rest, split.mirrored);
            let further: Vec<Range> = assumed.iter().chain(&case).copied().collect();
            let further = if none_refuted { assumed } else { &further };
            let below = self.split_body(axes, stage + 1, further, budget, share * rest.len() as f64)?;
            let tree = whole.add(below);
            if none_refuted {
                whole.tree = tree;
                return Ok(whole);
            }
            trees.extend(tree);
            cases.push(case);
        }
        if self.settings.proofs && whole.end.is_ok() {
            whole.tree = Some(join(&split, &cases, trees)?);
        }
        Ok(whole)
    }

    /// Searches every group as a case, groups of the same distance in turn, until one is not refuted.
    fn run_all_cases(
        &self,
        body: &SplitBody<'_>,
        distances: Vec<Vec<usize>>,
        budget: &Budget<'_>,
        whole: &mut CasesResult,
        refuted: &mut RefutedCases,
    ) -> io::Result<()> {
        let run = |_: usize, case: &Vec<Range>, budget: &Budget<'_>| {
            let result = self.run_case(body.assumed, case, body.filled, budget, body.share)?;
            let run = Run { end: result.end, nodes: result.nodes, done: result.done, parts: Vec::new() };
            Ok((run, result.tree))
        };
        for groups in distances {
            let cases = body.cases(&groups);
            let (run, trees) = run_in_turns(&cases, budget, self.settings.control, run)?;
            whole.nodes += run.nodes;
            whole.done += run.done;
            whole.end = run.end;
            if whole.end.is_err() {
                return Ok(());
            }
            refuted.cases.extend(cases);
            refuted.trees.extend(trees.into_iter().flatten());
        }
        Ok(())
    }

    /// Searches groups as cases with node limits, closest full layers first. Groups that meet their limit are
    /// left, and so are all groups after a distance at which none was refuted.
    fn run_short_cases(
        &self,
        body: &SplitBody<'_>,
        distances: Vec<Vec<usize>>,
        budget: &Budget<'_>,
        whole: &mut CasesResult,
        refuted: &mut RefutedCases,
    ) -> io::Result<()> {
        let mut nodes_of_refuted = 0;
        let mut is_hopeless = false;
        for groups in distances {
            if is_hopeless {
                refuted.rest.extend(groups);
                continue;
            }
            let limit = match refuted.cases.len() as u64 {
                0 => budget.remaining() / PARTS_OF_BUDGET,
                number => TIMES_THE_MEAN * nodes_of_refuted / number,
            };
            let limit = limit.max(MIN_NODES).min(budget.remaining());
            let cases = body.cases(&groups);
            let run = |case: &Vec<Range>| {
                self.run_case(body.assumed, case, body.filled, &Budget::new(limit), body.share)
            };
            let results =
                cases.par_iter().with_max_len(1).map(run).collect::<io::Result<Vec<CasesResult>>>()?;
            is_hopeless = true;
            for ((group, case), result) in groups.into_iter().zip(cases).zip(results) {
                whole.nodes += result.nodes;
                budget.spend(result.nodes.min(budget.remaining()));
                match result.end {
                    Ok(()) => {
                        is_hopeless = false;
                        whole.done += result.done;
                        nodes_of_refuted += result.nodes;
                        refuted.trees.extend(result.tree);
                        refuted.cases.push(case);
                    }
                    Err(End::Found(_)) => whole.end = result.end,
                    Err(End::Stopped) => {
                        self.settings.control.uncount_progress(result.done);
                        refuted.rest.push(group);
                    }
                }
            }
            let is_stopped = self.settings.control.is_stopped() || budget.remaining() == 0;
            if whole.end.is_ok() && is_stopped && !refuted.rest.is_empty() {
                whole.end = Err(End::Stopped);
            }
            if whole.end.is_err() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Searches one case, in which `filled` full layers at most are filled row by row.
    fn run_case(
        &self,
        assumed: &[Range],
        case: &[Range],
        filled: usize,
        budget: &Budget<'_>,
        weight: f64,
    ) -> io::Result<CasesResult> {
        let ranges: Vec<Range> = assumed.iter().chain(case).copied().collect();
        let CaseInstance { instance, numbers, parts } = self.case_instance(&ranges, filled);
        let root = Subproblem { weight, elements: self.preserving(&ranges).collect(), ..instance.root() };
        let mut head = Vec::new();
        for (of, Range { axis, from, to, demand }) in parts {
            writeln!(head, "part {of} {} {from}-{to} {demand}", axis + 1)?;
        }
        let left = budget.remaining();
        let (run, tree) = self.search(&instance, &numbers, &root, &head, budget, cut_off_for(left))?;
        let nodes = self.count_nodes(&run, left);
        Ok(CasesResult { end: run.end, nodes, done: run.done, tree })
    }

    /// Returns what is searched if these ranges are assumed, and `filled` full layers at most are filled row
    /// by row.
    fn case_instance(&self, ranges: &[Range], filled: usize) -> CaseInstance {
        let slab = |slab: &Slab| Range {
            axis: slab.axis,
            from: slab.from as usize,
            to: (slab.from + slab.width) as usize - 1,
            demand: slab.demand,
        };
        let mut known: Vec<(Range, usize)> = Vec::new();
        for (range, number) in self.slabs.iter().map(slab).chain(ranges.iter().copied()).zip(1..) {
            let same = |(known, _): &&mut (Range, usize)| {
                (known.axis, known.from, known.to) == (range.axis, range.from, range.to)
            };
            match known.iter_mut().find(same) {
                Some(known) if known.0.demand < range.demand => *known = (range, number),
                Some(_) => {}
                None => known.push((range, number)),
            }
        }
        let full = known.iter().map(|&(range, number)| (range, self.needed_rows(range, number)));
        let mut full = sort_nearest_first(full.filter(|(_, rows)| !rows.is_empty()).collect());
        full.truncate(filled);
        let rows = (0..).zip(&full).flat_map(|(layer, (_, rows))| rows.iter().map(move |_| layer)).collect();
        let parts: Vec<(usize, Range, Region)> = full.into_iter().flat_map(|(_, rows)| rows).collect();
        let mut regions: Vec<(Region, usize)> =
            known.iter().map(|(range, number)| (self.region(range), *number)).collect();
        regions.sort_by_key(|(region, _)| region.squares.count_ones(..));
        regions.push((self.instance.whole_region().clone(), 0));
        let numbers = (self.slabs.len() + ranges.len() + 1..).zip(&parts).map(|(number, _)| number);
        let numbers = numbers.chain(regions.iter().map(|(_, number)| *number)).collect();
        let squares = parts.iter().map(|(_, _, region)| region.clone());
        let regions = squares.chain(regions.iter().map(|(region, _)| region.clone())).collect();
        let indexed = Arc::clone(&self.indexed);
        let mut instance =
            Instance::new(indexed, regions, self.settings.components, OrbitalBranching::AtEveryNode);
        instance.row_layers = rows;
        CaseInstance {
            instance,
            numbers,
            parts: parts.into_iter().map(|(of, range, _)| (of, range)).collect(),
        }
    }

    /// Returns the rows of a layer that must hold a queen because the rest of the layer is too small, each
    /// with the number of the layer.
    fn needed_rows(&self, layer: Range, number: usize) -> Vec<(usize, Range, Region)> {
        let Some(grid) = self.board.grid().filter(|_| layer.from == layer.to) else { return Vec::new() };
        let mut parts = Vec::new();
        for (axis, &side) in grid.sides().iter().enumerate().filter(|&(axis, _)| axis != layer.axis) {
            let bound = |width: u32| {
                let mut sides = grid.sides().to_vec();
                (sides[layer.axis], sides[axis]) = (1, width);
                sides.sort_unstable();
                if width == 0 { Some(0) } else { self.bounds.get(&sides).copied() }
            };
            for row in 0..side {
                let outside = bound(row).zip(bound(side - 1 - row)).map(|(before, after)| before + after);
                let demand = outside.map_or(0, |outside| layer.demand.saturating_sub(outside));
                let range = Range { axis, from: row as usize, to: row as usize, demand };
                if demand > 0 {
                    let Region { mut squares, .. } = self.region(&layer);
                    squares.intersect_with(&self.region(&range).squares);
                    parts.push((number, range, Region { squares, demand: self.cap_demand(demand) }));
                }
            }
        }
        parts
    }

    /// Limits a demand to the number of squares plus 1. Demands above that cannot be met either.
    fn cap_demand(&self, demand: u64) -> i32 {
        demand.min(self.board.size() as u64 + 1) as i32
    }

    fn region(&self, range: &Range) -> Region {
        let squares = self.indexed.layers_between(range.axis, range.from..=range.to);
        Region { squares, demand: self.cap_demand(range.demand) }
    }

    /// Returns the elements of the symmetry group that map each range to a range with the same demand or
    /// more.
    fn preserving<'e>(&'e self, ranges: &[Range]) -> impl Iterator<Item = u32> + 'e {
        let region = |range: &Range| {
            let Region { squares, demand } = self.region(range);
            (squares.count_ones(..), squares, demand)
        };
        let regions: Vec<(usize, FixedBitSet, i32)> = ranges.iter().map(region).collect();
        self.indexed.group.elements().filter(move |&g| {
            regions.iter().all(|(size, squares, demand)| {
                let image =
                    |to: &FixedBitSet| squares.ones().all(|x| to.contains(self.indexed.group.image(g, x)));
                regions.iter().any(|(other, to, least)| other == size && least >= demand && image(to))
            })
        })
    }
}

/// Sorts full layers: the closest two first, and then always the one that is closest to those before it.
fn sort_nearest_first<T>(mut layers: Vec<(Range, T)>) -> Vec<(Range, T)> {
    let apart = |a: &Range, b: &Range| (a.axis != b.axis, a.from.abs_diff(b.from));
    let mut sorted: Vec<(Range, T)> = Vec::new();
    while !layers.is_empty() {
        let distance = |(place, (layer, _)): &(usize, &(Range, T))| {
            let others = layers.iter().enumerate().filter(|(other, _)| other != place);
            let next = match sorted.is_empty() {
                true => others.map(|(_, (other, _))| apart(layer, other)).min(),
                false => sorted.iter().map(|(other, _)| apart(layer, other)).min(),
            };
            (next, layer.axis, layer.from)
        };
        let next = layers.iter().enumerate().min_by_key(distance).map_or(0, |(place, _)| place);
        sorted.push(layers.remove(next));
    }
    sorted
}

/// Writes the cases of a split, and then their trees.
fn join(split: &CaseSplit, cases: &[Vec<Range>], trees: Vec<SpooledTempFile>) -> io::Result<SpooledTempFile> {
    let mut whole = io::BufWriter::new(SpooledTempFile::new(MAX_BYTES_IN_MEMORY >> 4));
    write!(whole, "layers {}{}", split.axis + 1, if split.mirrored { " mirrored" } else { "" })?;
    for case in cases {
        write!(whole, " /")?;
        for range in case {
            write!(whole, " {}-{} {}", range.from, range.to, range.demand)?;
        }
    }
    writeln!(whole)?;
    for mut tree in trees {
        io::Seek::rewind(&mut tree)?;
        io::copy(&mut tree, &mut whole)?;
    }
    whole.into_inner().map_err(io::IntoInnerError::into_error)
}
