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

use super::instance::{Instance, OrbitalBranching, Region, Subproblem};
use super::layers::{Axis, CaseSplit, Range};
use super::proof::HELD_IN_MEMORY;
use super::question::Answer;
use super::search::{Budget, End, NO_DEPTH_LIMIT};
use super::slab::Slab;
use super::task::{FIRST_DIVE, PARTS, Searched, Seed, Task};

/// A case may take so many times the nodes that those before took in the mean, and so many nodes anyhow.
const TIMES_THE_MEAN: u64 = 8;
const NODES_OF_A_CASE: u64 = 1 << 12;
/// The first cases may take this part of all nodes.
const PART_OF_A_CASE: u64 = 8;

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
    pub(super) fn answer_by_layers(&self, node_limit: u64) -> io::Result<Option<(Answer, u64)>> {
        let mut axes: Vec<(usize, usize)> = Vec::new();
        for axis in 0..self.layers.len() {
            if self.axis(axis).split(&[]).is_some() {
                axes.push((self.layers[axis].len(), axis));
            }
        }
        axes.sort_unstable();
        axes.retain(|&(side, _)| Some(side) == self.layers.iter().map(Vec::len).min());
        if axes.is_empty() {
            return Ok(None);
        }
        let axes: Vec<usize> = axes.into_iter().map(|(_, axis)| axis).collect();
        let budget = Budget::new(node_limit);
        let mut body = self.split_body(&axes, 0, &[], &budget, 1.0)?;
        if body.end == Err(End::Stopped) && budget.left() == 0 && !self.settings.control.is_stopped() {
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
        budget: &Budget,
        weight: f64,
    ) -> io::Result<Searched> {
        // Along a single axis there is nothing to come back to.
        let last = stage >= axes.len() || axes.len() == 1;
        // Full layers that are far apart say little of each other.
        let filled = if last && axes.len() > 1 { 1 } else { usize::MAX };
        let axis = self.axis(axes[stage % axes.len()]);
        let split = axis.split(assumed).expect("fewer vectors than before");
        let distances = split.by_distance();
        let number: usize = distances.iter().map(Vec::len).sum();
        let share = weight / number.max(1) as f64;
        let mut whole = Searched { end: Ok(()), nodes: 0, done: 0.0, tree: None };
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
            let run = |case: &Vec<Range>| {
                let own = Budget::new(limit.min(before));
                let body = self.run_case(assumed, case, filled, if last { budget } else { &own }, share)?;
                if matches!(body.end, Err(End::Found(_))) {
                    budget.exhaust();
                }
                Ok(body)
            };
            let bodies = own.par_iter().with_max_len(1).map(run).collect::<io::Result<Vec<Searched>>>()?;
            hopeless = !last;
            for ((group, case), body) in groups.into_iter().zip(own).zip(bodies) {
                whole.nodes += body.nodes;
                if !last {
                    budget.spend(body.nodes.min(budget.left()));
                }
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
            let stopped =
                self.settings.control.is_stopped() || budget.left() == 0 || last && !rest.is_empty();
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
        budget: &Budget,
        weight: f64,
    ) -> io::Result<Searched> {
        let ranges: Vec<Range> = assumed.iter().chain(case).copied().collect();
        let Seeded { instance, numbers, parts } = self.seeded(&ranges, filled);
        let mut root = Subproblem { weight, ..instance.root() };
        root.elements.retain(|&g| self.keeps(g, &ranges));
        let mut head = Vec::new();
        for (of, Range { axis, from, to, demand }) in parts {
            writeln!(head, "part {of} {} {from}-{to} {demand}", axis + 1)?;
        }
        let mut tree =
            self.settings.proofs.then(|| io::BufWriter::new(SpooledTempFile::new(HELD_IN_MEMORY >> 4)));
        if let Some(tree) = &mut tree {
            tree.write_all(&head)?;
        }
        let left = budget.left();
        let dive = Budget::new(left.min(FIRST_DIVE));
        let run = self.run_on(&instance, &numbers, &root, NO_DEPTH_LIMIT, &dive, tree.as_mut())?;
        budget.spend(run.nodes.min(left));
        if run.end == Err(End::Stopped) && left > FIRST_DIVE && !self.settings.control.is_stopped() {
            self.settings.control.uncount_progress(run.done);
            let seed = Seed { instance: &instance, numbers: &numbers, root, head };
            let searched = self.search_in_parts(&seed, PARTS, budget)?;
            return Ok(Searched { nodes: run.nodes + searched.nodes, ..searched });
        }
        let tree = tree.map(io::BufWriter::into_inner).transpose().map_err(io::IntoInnerError::into_error)?;
        Ok(Searched { end: run.end, nodes: run.nodes, done: run.done, tree })
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
        let inside = |square: &[u32]| (range.from..=range.to).contains(&(square[range.axis] as usize));
        let squares = self.board.squares().filter(|&square| inside(&self.board.coordinates(square)));
        Region { squares: self.indexed.set(squares), demand: self.capped(range.demand) }
    }

    /// Whether an element maps each range to one of at least its demand.
    fn keeps(&self, element: u32, ranges: &[Range]) -> bool {
        let regions: Vec<Region> = ranges.iter().map(|range| self.region(range)).collect();
        regions.iter().all(|region| {
            let mut image = FixedBitSet::with_capacity(region.squares.len());
            region.squares.ones().for_each(|x| image.insert(self.indexed.group.image(element, x)));
            regions.iter().any(|to| to.squares == image && to.demand >= region.demand)
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
