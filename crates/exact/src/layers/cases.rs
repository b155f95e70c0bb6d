//! Refuting a box by cases: how many queens the layers across an axis hold.
//!
//! A full layer of `n x n` squares has a queen on each row, so that the search fills one full layer after the other, row by row;
//! little is left to search then. Where two full layers stand close together, few placements of the first leave room for the
//! second. What is left when these cases fell is one case, in which full layers are far apart, and is split across the
//! next axis in the same way; at last each pair of full layers is a case of its own.

use std::io::{self, Write};
use std::sync::Arc;

use fixedbitset::FixedBitSet;
use rayon::prelude::*;
use tempfile::SpooledTempFile;

use crate::boxes::slab::Slab;
use crate::layers::{Axis, CaseSplit, Range};
use crate::proof::HELD_IN_MEMORY;
use crate::question::Feasibility;
use crate::schedule::task::{Task, piece};
use crate::schedule::turns::run_in_turns;
use crate::search::budget::Budget;
use crate::search::instance::{Instance, OrbitalBranching, Region, Subproblem};
use crate::search::tree_search::{End, Run};

/// A case may take so many times the nodes that those before took in the mean, and so many nodes anyhow.
const TIMES_THE_MEAN: u64 = 8;
const NODES_OF_A_CASE: u64 = 1 << 12;
/// The first cases may take this part of all nodes.
const PART_OF_A_CASE: u64 = 8;

/// What came of a search by cases.
struct CasesResult {
    end: Result<(), End>,
    nodes: u64,
    done: f64,
    /// The tree, if it ended and proofs are written.
    tree: Option<SpooledTempFile>,
}

/// What is searched in a case.
struct Seeded {
    instance: Instance,
    /// The numbers of its regions in proofs.
    numbers: Vec<usize>,
    /// The parts among them, each with the number of the region that it is part of.
    parts: Vec<(usize, Range)>,
}

impl Task<'_> {
    /// Searches by cases; `None` when there are none.
    pub(crate) fn answer_by_layers(&self, node_limit: u64) -> io::Result<Option<(Feasibility, u64)>> {
        // The shortest ones, of which those with the same bounds have the same cases.
        let shortest = self.layers.iter().map(Vec::len).min();
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
        let axes: Vec<usize> = axes.filter(|axis| has_cases(axis)).collect();
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
                let mut tree = io::BufWriter::new(SpooledTempFile::new(HELD_IN_MEMORY));
                self.write_regions(&mut tree)?;
                io::Seek::rewind(&mut cases)?;
                io::copy(&mut cases, &mut tree)?;
                Some(tree.into_inner().map_err(io::IntoInnerError::into_error)?)
            }
            _ => None,
        };
        Ok(Some((self.judge(body.end, body.done, tree), body.nodes)))
    }

    fn axis(&self, axis: usize) -> Axis<'_> {
        Axis { axis, queens: self.size, most: &self.layers[axis] }
    }

    /// Splits a body across one axis after another; after the last one it splits it into all cases.
    fn split_body(
        &self,
        axes: &[usize],
        stage: usize,
        assumed: &[Range],
        budget: &Budget<'_>,
        weight: f64,
    ) -> io::Result<CasesResult> {
        // Along a single axis there is nothing to come back to.
        let last = stage >= axes.len() || axes.len() == 1;
        // Full layers that are far apart say little of each other.
        let filled = if last && axes.len() > 1 { 1 } else { usize::MAX };
        let axis = self.axis(axes[stage % axes.len()]);
        let split = axis.split(assumed).expect("fewer vectors than before");
        let distances = split.by_distance();
        let number: usize = distances.iter().map(Vec::len).sum();
        let share = weight / number.max(1) as f64;
        let mut whole = CasesResult { end: Ok(()), nodes: 0, done: 0.0, tree: None };
        let (mut cases, mut trees, mut rest): (Vec<Vec<Range>>, Vec<SpooledTempFile>, Vec<usize>) =
            Default::default();
        if distances.is_empty() {
            let case = split.case(&[], false);
            let body = self.run_case(assumed, &case, usize::MAX, budget, weight)?;
            whole.nodes += body.nodes;
            whole.done += body.done;
            whole.end = body.end;
            trees.extend(body.tree);
            cases.push(case);
        }
        let mut fallen = (0u64, 0u64);
        let mut hopeless = false;
        for groups in distances {
            // Where none of those falls that are closer, none will.
            if hopeless {
                rest.extend(groups);
                continue;
            }
            let limit = match fallen {
                (0, _) => budget.left() / PART_OF_A_CASE,
                (cases, nodes) => TIMES_THE_MEAN * nodes / cases,
            };
            let limit = limit.max(NODES_OF_A_CASE);
            let own: Vec<Vec<Range>> = groups.iter().map(|&group| split.case(&[group], false)).collect();
            let before = budget.left();
            if last {
                let run = |_: usize, case: &Vec<Range>, budget: &Budget<'_>| {
                    let body = self.run_case(assumed, case, filled, budget, share)?;
                    Ok((
                        Run { end: body.end, nodes: body.nodes, done: body.done, parts: Vec::new() },
                        body.tree,
                    ))
                };
                let (run, more) = run_in_turns(&own, budget, self.settings.control, run)?;
                whole.nodes += run.nodes;
                whole.done += run.done;
                whole.end = run.end;
                if whole.end.is_err() {
                    return Ok(whole);
                }
                cases.extend(own);
                trees.extend(more.into_iter().flatten());
                continue;
            }
            let run = |case: &Vec<Range>| {
                self.run_case(assumed, case, filled, &Budget::new(limit.min(before)), share)
            };
            let bodies = own.par_iter().with_max_len(1).map(run).collect::<io::Result<Vec<CasesResult>>>()?;
            hopeless = true;
            for ((group, case), body) in groups.into_iter().zip(own).zip(bodies) {
                whole.nodes += body.nodes;
                budget.spend(body.nodes.min(budget.left()));
                match body.end {
                    Ok(()) => {
                        hopeless = false;
                        whole.done += body.done;
                        fallen = (fallen.0 + 1, fallen.1 + body.nodes);
                        trees.extend(body.tree);
                        cases.push(case);
                    }
                    Err(End::Found(_)) => whole.end = body.end,
                    Err(End::Stopped) => {
                        self.settings.control.uncount_progress(body.done);
                        rest.push(group);
                    }
                }
            }
            let stopped = self.settings.control.is_stopped() || budget.left() == 0;
            if whole.end.is_ok() && stopped && !rest.is_empty() {
                whole.end = Err(End::Stopped);
            }
            if whole.end.is_err() {
                return Ok(whole);
            }
        }
        if !rest.is_empty() {
            let nothing_fell = cases.is_empty();
            let case = split.case(&rest, split.mirrored);
            let further: Vec<Range> = assumed.iter().chain(&case).copied().collect();
            let further = if nothing_fell { assumed } else { &further };
            let body = self.split_body(axes, stage + 1, further, budget, share * rest.len() as f64)?;
            whole.nodes += body.nodes;
            whole.done += body.done;
            whole.end = body.end;
            if nothing_fell {
                whole.tree = body.tree;
                return Ok(whole);
            }
            trees.extend(body.tree);
            cases.push(case);
        }
        if self.settings.proofs && whole.end.is_ok() {
            whole.tree = Some(join(&split, &cases, trees)?);
        }
        Ok(whole)
    }

    /// Searches one case; so many full layers are filled row by row.
    fn run_case(
        &self,
        assumed: &[Range],
        case: &[Range],
        filled: usize,
        budget: &Budget<'_>,
        weight: f64,
    ) -> io::Result<CasesResult> {
        let ranges: Vec<Range> = assumed.iter().chain(case).copied().collect();
        let Seeded { instance, numbers, parts } = self.seeded(&ranges, filled);
        let root = Subproblem { weight, elements: self.keeping(&ranges).collect(), ..instance.root() };
        let mut head = Vec::new();
        for (of, Range { axis, from, to, demand }) in parts {
            writeln!(head, "part {of} {} {from}-{to} {demand}", axis + 1)?;
        }
        let left = budget.left();
        let (run, tree) = self.search(&instance, &numbers, &root, &head, budget, piece(left))?;
        let nodes = self.nodes_within(&run, left);
        Ok(CasesResult { end: run.end, nodes, done: run.done, tree })
    }

    /// What is searched where these ranges are assumed, and so many full layers are filled row by row.
    fn seeded(&self, ranges: &[Range], filled: usize) -> Seeded {
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
        let full = known.iter().map(|&(range, number)| (range, self.parts(range, number)));
        let mut full = nearest_first(full.filter(|(_, rows)| !rows.is_empty()).collect());
        full.truncate(filled);
        let rows = (0..).zip(&full).flat_map(|(layer, (_, rows))| rows.iter().map(move |_| layer)).collect();
        let parts: Vec<(usize, Range, Region)> = full.into_iter().flat_map(|(_, rows)| rows).collect();
        let mut regions: Vec<(Region, usize)> =
            known.iter().map(|(range, number)| (self.region(range), *number)).collect();
        regions.sort_by_key(|(region, _)| region.squares.count_ones(..));
        regions.push((self.instance.whole().clone(), 0));
        let numbers = (self.slabs.len() + ranges.len() + 1..).zip(&parts).map(|(number, _)| number);
        let numbers = numbers.chain(regions.iter().map(|(_, number)| *number)).collect();
        let squares = parts.iter().map(|(_, _, region)| region.clone());
        let regions = squares.chain(regions.iter().map(|(region, _)| region.clone())).collect();
        let indexed = Arc::clone(&self.indexed);
        let mut instance =
            Instance::new(indexed, regions, self.settings.components, OrbitalBranching::Throughout);
        instance.rows = rows;
        Seeded { instance, numbers, parts: parts.into_iter().map(|(of, range, _)| (of, range)).collect() }
    }

    /// The rows of a layer, of this number, that must hold a queen, because the rest of the layer is too small.
    fn parts(&self, layer: Range, number: usize) -> Vec<(usize, Range, Region)> {
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
                    parts.push((number, range, Region { squares, demand: self.capped(demand) }));
                }
            }
        }
        parts
    }

    /// One queen more than there are squares fits as little as any number above it.
    fn capped(&self, demand: u64) -> i32 {
        demand.min(self.board.size() as u64 + 1) as i32
    }

    fn region(&self, range: &Range) -> Region {
        let squares = self.indexed.between(range.axis, range.from..=range.to);
        Region { squares, demand: self.capped(range.demand) }
    }

    /// The elements that map each range to one of at least its demand.
    fn keeping<'e>(&'e self, ranges: &[Range]) -> impl Iterator<Item = u32> + 'e {
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

/// Full layers, the closest two first, and then again and again the one that is closest to those before.
fn nearest_first<T>(mut layers: Vec<(Range, T)>) -> Vec<(Range, T)> {
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

/// The cases, and then their trees.
fn join(split: &CaseSplit, cases: &[Vec<Range>], trees: Vec<SpooledTempFile>) -> io::Result<SpooledTempFile> {
    let mut whole = io::BufWriter::new(SpooledTempFile::new(HELD_IN_MEMORY >> 4));
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
