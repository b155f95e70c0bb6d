//! Search for large symmetric independent sets of `3^d` among the faces of a cube, by simulated annealing.
//!
//! A group of symmetries of the cube `{0,1}^d` permutes its vertices, its faces and their directions. An
//! invariant set of faces is a union of orbits of faces. An orbit is a set of disjoint faces with
//! different directions exactly if each element that fixes the direction of a face fixes the face, and all
//! others map it to a disjoint face; such a face is a *placement*. An orbit of directions is a *slot* for
//! one orbit of faces, a *point* is an orbit of vertices, and the search is that of [`super::faces`] with
//! points instead of vertices.
//!
//! A round consists of many short runs. Each run starts from random faces with at most one free axis that the
//! whole group fixes. They are never removed: a single face is worth little compared with an orbit of many
//! faces, so annealing would lose it.

use std::collections::HashSet;

use rand::rngs::Xoshiro256PlusPlus;

use super::faces::{
    Anneal, Conflicts, Face, LabelledCube, MAX_REWARDED_PAIRS, NONE, PROPOSALS_PER_STEP, RAMP, REWARD,
};
use super::faces::{below, directions, uniform};
use super::subgroup::Subgroup;

/// Temperatures at the start and at the end of a run.
const TEMPERATURES: [f64; 2] = [0.09, 0.05];

/// Number of runs in a round.
const RUNS: u64 = 16;

/// Exponents p of the worth of an orbit of faces, (length of the orbit / order of the group)^p. Runs
/// take them in turn.
const EXPONENTS: [f64; 2] = [1.0, 0.6];

/// Number of proposals between two changes of the temperature; divides [`PROPOSALS_PER_STEP`].
const PROPOSALS_AT_ONE_TEMPERATURE: u64 = 1 << 14;

/// Smallest dimension of a cube whose symmetric sets are searched by default.
const MIN_AXES: usize = 10;

/// Maximum number of free axes of a face that is placed before a run.
const MAX_FREE_AXES_OF_FIXED: u32 = 1;

/// Maximum order of a group.
const MAX_ELEMENTS: usize = 1 << 12;

/// Maximum number of pairs of a slot and a point.
const MAX_LISTS: usize = 1 << 26;

/// Owner of a point that is never proposed, because a fixed face covers it or no placement does.
const DEAD: u32 = NONE - 1;

/// Owner of a point that a proposal covers, until it is accepted or rejected.
const PROPOSED: u32 = NONE - 2;

/// Returns the number of proposals in a run on a cube with `axes` axes.
fn proposals(axes: usize) -> u64 {
    1 << match axes {
        ..=10 => 20,
        11 => 21,
        12 => 23,
        _ => 24,
    }
}

/// Returns the default group of a search, a cycle of all axes except the last one; `None` if there are fewer
/// than [`MIN_AXES`] axes.
pub(super) fn default_group(axes: usize) -> Option<Subgroup> {
    (axes >= MIN_AXES).then(|| Subgroup::cycle(axes - 1, axes))
}

/// A symmetry of the cube.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Element {
    /// Source axis of each axis of the image.
    sources: Vec<usize>,
    /// Axes of the image that are reflected.
    reflected: u32,
}

impl Element {
    /// Returns the image of a set of axes.
    fn permute(&self, axes: u32) -> u32 {
        self.sources.iter().enumerate().fold(0, |image, (to, from)| image | (axes >> from & 1) << to)
    }

    /// Returns the image of a face.
    fn map(&self, face: &Face) -> Face {
        let direction = self.permute(face.direction);
        Face { direction, ones: (self.permute(face.ones) ^ self.reflected) & !direction, label: 0 }
    }

    /// Returns the symmetry that applies `self` after `first`.
    fn after(&self, first: &Self) -> Self {
        Self {
            sources: self.sources.iter().map(|&between| first.sources[between]).collect(),
            reflected: self.permute(first.reflected) ^ self.reflected,
        }
    }

    /// Returns all elements of a subgroup, or `None` if there are more than [`MAX_ELEMENTS`].
    fn all(subgroup: &Subgroup, axes: usize) -> Option<Vec<Self>> {
        let generators: Vec<Self> = subgroup
            .generators()
            .iter()
            .map(|generator| Self {
                sources: generator.iter().map(|&(from, _)| from).collect(),
                reflected: generator
                    .iter()
                    .rev()
                    .fold(0, |set, &(_, reflected)| set << 1 | u32::from(reflected)),
            })
            .collect();
        let mut elements = vec![Self { sources: (0..axes).collect(), reflected: 0 }];
        let mut listed: HashSet<Self> = elements.iter().cloned().collect();
        let mut next = 0;
        while let Some(element) = elements.get(next).cloned() {
            next += 1;
            for generator in &generators {
                let product = generator.after(&element);
                if listed.insert(product.clone()) {
                    elements.push(product);
                }
            }
            if elements.len() > MAX_ELEMENTS {
                return None;
            }
        }
        Some(elements)
    }
}

/// An orbit of directions.
#[derive(Debug)]
struct Slot {
    /// Free axes of its faces that are placements.
    direction: u32,
    /// Number of directions in the orbit.
    length: usize,
}

/// A face whose orbit is a set of disjoint faces with different directions.
#[derive(Debug)]
struct Placement {
    slot: u32,
    /// Axes that are fixed to 1.
    ones: u32,
    /// Points that the orbit covers, without duplicates.
    points: Vec<u32>,
}

/// Orbits of the vertices and faces of a cube under a group.
#[derive(Debug)]
pub(super) struct CubeOrbits {
    cube: LabelledCube,
    axes: usize,
    elements: Vec<Element>,
    /// Number of vertices in each point.
    sizes: Vec<u32>,
    /// Points of the neighbours of a vertex of each point; the neighbours along all axes follow each other.
    neighbours: Vec<u32>,
    slots: Vec<Slot>,
    /// Placements, sorted by slot.
    placements: Vec<Placement>,
}

impl CubeOrbits {
    /// Lists the orbits of a cube without labels. Returns `None` if the group or the lists are too large.
    pub(super) fn new(cube: &LabelledCube, subgroup: &Subgroup) -> Option<Self> {
        let axes = cube.axes();
        let elements = Element::all(subgroup, axes)?;
        let vertex = |ones| Face { direction: 0, ones, label: 0 };
        let mut point_of = vec![NONE; 1 << axes];
        let mut first = Vec::new();
        let mut sizes: Vec<u32> = Vec::new();
        for lowest in 0..1 << axes {
            if point_of[lowest as usize] == NONE {
                let mut size = 0;
                for element in &elements {
                    let image = &mut point_of[element.map(&vertex(lowest)).ones as usize];
                    size += u32::from(*image == NONE);
                    *image = first.len() as u32;
                }
                first.push(lowest);
                sizes.push(size);
            }
        }
        let neighbours =
            first.iter().flat_map(|v| (0..axes).map(move |axis| v ^ 1 << axis)).map(|v| point_of[v as usize]);
        let mut orbits = Self {
            cube: cube.clone(),
            axes,
            neighbours: neighbours.collect(),
            sizes,
            slots: Vec::new(),
            placements: Vec::new(),
            elements,
        };
        let mut seen = HashSet::new();
        for (direction, offsets) in directions(axes, 0) {
            if seen.contains(&direction) {
                continue;
            }
            let images: HashSet<u32> =
                orbits.elements.iter().map(|element| element.permute(direction)).collect();
            let slot = orbits.slots.len() as u32;
            let before = orbits.placements.len();
            for ones in (0..1 << axes).filter(|ones| ones & direction == 0) {
                if orbits.is_placement(&Face { direction, ones, label: 0 }) {
                    let mut points: Vec<u32> =
                        offsets.iter().map(|offset| point_of[(ones | offset) as usize]).collect();
                    points.sort_unstable();
                    points.dedup();
                    orbits.placements.push(Placement { slot, ones, points });
                }
            }
            if orbits.placements.len() > before {
                orbits.slots.push(Slot { direction, length: images.len() });
            }
            seen.extend(images);
        }
        (orbits.slots.len() * orbits.sizes.len() <= MAX_LISTS).then_some(orbits)
    }

    /// Returns `true` if the orbit of a face is a set of disjoint faces with different directions.
    fn is_placement(&self, face: &Face) -> bool {
        self.elements.iter().all(|element| {
            let image = element.map(face);
            if image.direction == face.direction {
                image.ones == face.ones
            } else {
                (image.ones ^ face.ones) & !image.direction & !face.direction != 0
            }
        })
    }

    /// Returns the faces in the orbit of a placement.
    fn faces(&self, placement: u32) -> Vec<Face> {
        let Placement { slot, ones, .. } = self.placements[placement as usize];
        let face = Face { direction: self.slots[slot as usize].direction, ones, label: 0 };
        let mut faces: Vec<Face> = Vec::new();
        for image in self.elements.iter().map(|element| element.map(&face)) {
            if !faces.contains(&image) {
                faces.push(image);
            }
        }
        faces
    }
}

/// State of a round: placements of different slots whose orbits are disjoint.
pub(super) struct SymmetricAnnealing<'a> {
    orbits: &'a CubeOrbits,
    /// Placement in each slot, or [`NONE`].
    placed: Vec<u32>,
    /// Slot of the placement that covers each point, [`NONE`], [`DEAD`] or [`PROPOSED`].
    owner: Vec<u32>,
    uncovered: Vec<u32>,
    /// Position of each uncovered point in `uncovered`.
    place: Vec<u32>,
    /// Slots that proposals are made for.
    active: Vec<u32>,
    /// Worth of a placement in each slot; 1 if the orbit has as many faces as the group has elements.
    worth: Vec<f64>,
    /// Starts in `lists` of the lists of placements of a slot that cover a point.
    list_starts: Vec<u32>,
    lists: Vec<u32>,
    /// Number of faces.
    faces: usize,
    /// Number of ordered pairs of adjacent uncovered vertices.
    pairs: i64,
    /// Placements of the best set, and the number of their faces.
    best: Vec<u32>,
    best_faces: usize,
    random: Xoshiro256PlusPlus,
    /// Number of proposals made.
    done: u64,
    /// Points that a proposal covers. Kept to save allocations, as the next field.
    covered_now: Vec<u32>,
    /// Points that a proposal uncovers.
    uncovered_now: Vec<u32>,
}

impl<'a> SymmetricAnnealing<'a> {
    /// Creates a round. `random` is used for all moves.
    pub(super) fn new(orbits: &'a CubeOrbits, random: Xoshiro256PlusPlus) -> Self {
        let (slots, points) = (orbits.slots.len(), orbits.sizes.len());
        Self {
            orbits,
            placed: vec![NONE; slots],
            owner: vec![NONE; points],
            uncovered: Vec::new(),
            place: vec![0; points],
            active: Vec::new(),
            worth: Vec::new(),
            list_starts: Vec::new(),
            lists: Vec::new(),
            faces: 0,
            pairs: 0,
            best: Vec::new(),
            best_faces: 0,
            random,
            done: 0,
            covered_now: Vec::new(),
            uncovered_now: Vec::new(),
        }
    }

    /// Starts a run from fixed faces.
    fn start_run(&mut self) {
        let orbits = self.orbits;
        let (slots, points) = (orbits.slots.len(), orbits.sizes.len());
        let run = self.done / proposals(orbits.axes);
        let exponent = EXPONENTS[run as usize % EXPONENTS.len()];
        let order = orbits.elements.len() as f64;
        self.worth = orbits.slots.iter().map(|slot| (slot.length as f64 / order).powf(exponent)).collect();
        self.placed = vec![NONE; slots];
        self.owner = vec![NONE; points];
        self.faces = 0;
        for free in (0..=MAX_FREE_AXES_OF_FIXED).rev() {
            self.place_fixed_faces(free);
        }
        self.active = (0..slots as u32).filter(|&slot| self.placed[slot as usize] == NONE).collect();
        let is_free = |placement: &Placement| {
            self.placed[placement.slot as usize] == NONE
                && placement.points.iter().all(|&point| self.owner[point as usize] == NONE)
        };
        let free: Vec<u32> = (0..orbits.placements.len() as u32)
            .filter(|&placement| is_free(&orbits.placements[placement as usize]))
            .collect();
        let is_coverable = self.build_lists(&free);
        self.uncovered.clear();
        for (point, &is_coverable) in is_coverable.iter().enumerate() {
            if is_coverable {
                self.place[point] = self.uncovered.len() as u32;
                self.uncovered.push(point as u32);
            } else {
                self.owner[point] = DEAD;
            }
        }
        self.pairs = 0;
        for &point in &self.uncovered {
            let neighbours = self.neighbours(point).filter(|&other| self.owner[other as usize] == NONE);
            self.pairs += neighbours.count() as i64 * i64::from(orbits.sizes[point as usize]);
        }
        self.keep_if_best();
    }

    /// Lists the given placements by slot and point. Returns for each point `true` if one of them covers it.
    fn build_lists(&mut self, placements: &[u32]) -> Vec<bool> {
        let orbits = self.orbits;
        let (slots, points) = (orbits.slots.len(), orbits.sizes.len());
        let lists = |placement: u32| {
            let Placement { slot, points: covered, .. } = &orbits.placements[placement as usize];
            covered.iter().map(move |&point| *slot as usize * points + point as usize)
        };
        // The ends of the lists become their starts, because each list is filled from its end.
        self.list_starts = vec![0; slots * points + 1];
        for list in placements.iter().flat_map(|&placement| lists(placement)) {
            self.list_starts[list] += 1;
        }
        let mut end = 0;
        for start in &mut self.list_starts {
            end += *start;
            *start = end;
        }
        self.lists = vec![NONE; end as usize];
        let mut is_coverable = vec![false; points];
        for &placement in placements {
            for list in lists(placement) {
                self.list_starts[list] -= 1;
                self.lists[self.list_starts[list] as usize] = placement;
                is_coverable[list % points] = true;
            }
        }
        is_coverable
    }

    /// Places a random face with `free_axes` free axes in each slot of length 1 that has a placement
    /// disjoint from all others.
    fn place_fixed_faces(&mut self, free_axes: u32) {
        let orbits = self.orbits;
        for (slot, Slot { direction, length }) in orbits.slots.iter().enumerate() {
            if *length != 1 || direction.count_ones() != free_axes {
                continue;
            }
            let is_free = |placement: &Placement| {
                placement.slot as usize == slot
                    && placement.points.iter().all(|&point| self.owner[point as usize] == NONE)
            };
            let free: Vec<usize> =
                (0..orbits.placements.len()).filter(|&p| is_free(&orbits.placements[p])).collect();
            if !free.is_empty() {
                let chosen = free[below(&mut self.random, free.len())];
                self.placed[slot] = chosen as u32;
                self.faces += 1;
                for &point in &orbits.placements[chosen].points {
                    self.owner[point as usize] = DEAD;
                }
            }
        }
    }

    fn neighbours(&self, point: u32) -> impl Iterator<Item = u32> + 'a {
        let (axes, orbits) = (self.orbits.axes, self.orbits);
        orbits.neighbours[point as usize * axes..][..axes].iter().copied()
    }

    /// Returns the number of ordered pairs of adjacent uncovered vertices with a vertex of
    /// an uncovered point.
    fn pairs_with(&self, point: u32) -> i64 {
        let pairs: i64 = self
            .neighbours(point)
            .filter(|&other| self.owner[other as usize] == NONE)
            .map(|other| if other == point { 1 } else { 2 })
            .sum();
        pairs * i64::from(self.orbits.sizes[point as usize])
    }

    fn keep_if_best(&mut self) {
        if self.faces > self.best_faces {
            self.best_faces = self.faces;
            self.best = self.placed.iter().copied().filter(|&placement| placement != NONE).collect();
        }
    }

    /// Proposes a random placement that covers a random uncovered point, or any point if all are covered.
    fn propose(&mut self, temperature: f64, reward: f64) {
        let Some((slot, placement)) = self.choose_placement() else { return };
        let Some(conflicts) = self.conflicts(slot, placement) else { return };
        let removed = conflicts.slots();
        let largest_increase = -temperature * (1.0 - uniform(&mut self.random)).ln();
        let increase = removed.iter().map(|&old| self.worth[old as usize]).sum::<f64>() - self.worth[slot];
        let unit = 2 * self.orbits.elements.len() as i64;
        let max_pairs = MAX_REWARDED_PAIRS * unit;
        let old_pairs = self.pairs;
        let is_accepted = |pairs: i64| {
            let rewarded = pairs.min(max_pairs) - old_pairs.min(max_pairs);
            increase - reward * rewarded as f64 / unit as f64 <= largest_increase
        };
        if !is_accepted(max_pairs) {
            return;
        }
        if let Some(pairs) = self.try_changes(placement, removed, is_accepted) {
            self.pairs = pairs;
            self.replace(slot, placement, removed);
            self.keep_if_best();
        }
    }

    /// Chooses an active slot and a placement for it that is not there yet; `None` if the chosen point
    /// cannot be covered.
    fn choose_placement(&mut self) -> Option<(usize, u32)> {
        let slot = self.active[below(&mut self.random, self.active.len())] as usize;
        let point = match self.uncovered.len() {
            0 => below(&mut self.random, self.owner.len()) as u32,
            count => self.uncovered[below(&mut self.random, count)],
        };
        let list = slot * self.owner.len() + point as usize;
        let list = &self.lists[self.list_starts[list] as usize..self.list_starts[list + 1] as usize];
        if list.is_empty() {
            return None;
        }
        let placement = list[below(&mut self.random, list.len())];
        (self.placed[slot] != placement).then_some((slot, placement))
    }

    /// Returns the slots whose placements must be removed for a new one, or `None` if there are more than
    /// `MAX_REMOVED`.
    fn conflicts(&self, slot: usize, placement: u32) -> Option<Conflicts> {
        let mut conflicts = Conflicts::default();
        if self.placed[slot] != NONE {
            conflicts.add(slot as u32)?;
        }
        for &point in &self.orbits.placements[placement as usize].points {
            let owner = self.owner[point as usize];
            if owner != NONE {
                conflicts.add(owner)?;
            }
        }
        Some(conflicts)
    }

    /// Changes the owners of the points that a proposal covers or uncovers, lists these points in
    /// `covered_now` and `uncovered_now`, and returns the new number of pairs. If the proposal is rejected,
    /// restores the owners and returns `None`.
    fn try_changes(
        &mut self,
        placement: u32,
        removed: &[u32],
        is_accepted: impl Fn(i64) -> bool,
    ) -> Option<i64> {
        let orbits = self.orbits;
        let mut pairs = self.pairs;
        self.covered_now.clear();
        self.uncovered_now.clear();
        for &point in &orbits.placements[placement as usize].points {
            if self.owner[point as usize] == NONE {
                pairs -= self.pairs_with(point);
                self.covered_now.push(point);
            }
            self.owner[point as usize] = PROPOSED;
        }
        for &old in removed {
            for &point in &orbits.placements[self.placed[old as usize] as usize].points {
                if self.owner[point as usize] != PROPOSED {
                    self.owner[point as usize] = NONE;
                    pairs += self.pairs_with(point);
                    self.uncovered_now.push(point);
                }
            }
        }
        if is_accepted(pairs) {
            return Some(pairs);
        }
        for &old in removed {
            for &point in &orbits.placements[self.placed[old as usize] as usize].points {
                self.owner[point as usize] = old;
            }
        }
        for &point in &self.covered_now {
            self.owner[point as usize] = NONE;
        }
        None
    }

    /// Replaces the placements in the slots `removed` by the new one, after
    /// [`Self::try_changes`] accepted it.
    fn replace(&mut self, slot: usize, placement: u32, removed: &[u32]) {
        let orbits = self.orbits;
        for &old in removed {
            self.placed[old as usize] = NONE;
            self.faces -= orbits.slots[old as usize].length;
        }
        self.placed[slot] = placement;
        self.faces += orbits.slots[slot].length;
        for &point in &orbits.placements[placement as usize].points {
            self.owner[point as usize] = slot as u32;
        }
        for &point in &self.covered_now {
            let place = self.place[point as usize];
            let last = self.uncovered.pop().expect("the point was uncovered");
            if last != point {
                self.uncovered[place as usize] = last;
                self.place[last as usize] = place;
            }
        }
        for &point in &self.uncovered_now {
            self.place[point as usize] = self.uncovered.len() as u32;
            self.uncovered.push(point);
        }
    }
}

impl Anneal for SymmetricAnnealing<'_> {
    fn best_size(&self) -> usize {
        self.best_faces
    }

    fn is_over(&self) -> bool {
        self.done >= RUNS * proposals(self.orbits.axes)
    }

    fn best(&self) -> Vec<Vec<u32>> {
        let faces = self.best.iter().flat_map(|&placement| self.orbits.faces(placement));
        faces.map(|face| self.orbits.cube.square(&face)).collect()
    }

    fn advance(&mut self, target: usize) {
        let total = proposals(self.orbits.axes);
        for _ in 0..PROPOSALS_PER_STEP / PROPOSALS_AT_ONE_TEMPERATURE {
            if self.done.is_multiple_of(total) {
                self.start_run();
            }
            let share = (self.done % total) as f64 / total as f64;
            let [first, last] = TEMPERATURES;
            let temperature = first * (last / first).powf(share);
            let reward = REWARD * (share / RAMP).min(1.0);
            self.done += PROPOSALS_AT_ONE_TEMPERATURE;
            if self.active.is_empty() {
                continue;
            }
            for _ in 0..PROPOSALS_AT_ONE_TEMPERATURE {
                if self.best_faces >= target {
                    return;
                }
                self.propose(temperature, reward);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndqueens_model::board::{Board, Square};
    use rand::SeedableRng as _;

    /// Groups on 3^d with d from 3 to 6.
    const GROUPS: [(&str, &str); 8] = [
        ("3^3", "2,1,3"),
        ("3^4", "2,3,1,4"),
        ("3^4", "2,3,4,1"),
        ("3^4", "-1,-2,-3,-4"),
        ("3^4", "2,1,3,4;1,2,4,3"),
        ("3^5", "2,3,4,1,5"),
        ("3^5", "2,-1,4,3,5"),
        ("3^6", "2,3,4,5,1,6"),
    ];

    fn orbits(name: &str, group: &str) -> (Board, Subgroup, CubeOrbits) {
        let board = Board::new(&name.parse().expect("a board name"));
        let group = Subgroup::parse(group, &board).expect("a group");
        let cube = LabelledCube::of(&board).expect("a box with sides of 3");
        let orbits = CubeOrbits::new(&cube, &group).expect("a small group");
        (board, group, orbits)
    }

    fn is_independent(board: &Board, squares: &[Square]) -> bool {
        (1..squares.len()).all(|i| squares[..i].iter().all(|&other| !board.attacks(other, squares[i])))
    }

    #[test]
    fn placements_are_the_independent_orbits_of_squares() {
        for (name, group) in GROUPS {
            let (board, group, orbits) = orbits(name, group);
            let square = |face: Face| board.square(&orbits.cube.square(&face)).expect("a square");
            let sorted = |mut squares: Vec<Square>| {
                squares.sort_unstable();
                squares
            };
            let placed: HashSet<Vec<Square>> = (0..orbits.placements.len() as u32)
                .map(|placement| sorted(orbits.faces(placement).into_iter().map(square).collect()))
                .collect();
            let largest = directions(orbits.axes, 0).map(|(mask, _)| mask.count_ones()).max().expect("one");
            let is_small = |&square: &Square| {
                board.coordinates(square).iter().filter(|&&x| x == 1).count() <= largest as usize
            };
            let expected: HashSet<Vec<Square>> = board
                .squares()
                .filter(is_small)
                .map(|square| sorted(group.orbit(&board, square)))
                .filter(|orbit| is_independent(&board, orbit))
                .collect();
            assert_eq!(placed, expected, "{name} {group}");
        }
    }

    #[test]
    fn points_cover_every_vertex_once() {
        for (name, group) in GROUPS {
            let (_, _, orbits) = orbits(name, group);
            assert_eq!(orbits.sizes.iter().sum::<u32>(), 1 << orbits.axes, "{name} {group}");
            for (i, placement) in orbits.placements.iter().enumerate() {
                let vertices: u32 = placement.points.iter().map(|&point| orbits.sizes[point as usize]).sum();
                let faces = orbits.faces(i as u32);
                assert_eq!(vertices, faces.len() as u32 * (1 << faces[0].direction.count_ones()));
                assert_eq!(faces.len(), orbits.slots[placement.slot as usize].length);
            }
        }
    }

    #[test]
    fn moves_update_pairs_and_faces() {
        for (name, group) in GROUPS {
            let (board, _, orbits) = orbits(name, group);
            let mut annealing = SymmetricAnnealing::new(&orbits, Xoshiro256PlusPlus::seed_from_u64(1));
            annealing.start_run();
            for _ in 0..2000 {
                if !annealing.active.is_empty() {
                    annealing.propose(0.2, REWARD);
                }
            }
            let pairs: i64 = annealing
                .uncovered
                .iter()
                .map(|&point| {
                    let others = annealing.neighbours(point).filter(|&o| annealing.owner[o as usize] == NONE);
                    others.count() as i64 * i64::from(orbits.sizes[point as usize])
                })
                .sum();
            assert_eq!(annealing.pairs, pairs, "{name} {group}");
            let faces: Vec<Face> = annealing
                .placed
                .iter()
                .filter(|&&placement| placement != NONE)
                .flat_map(|&placement| orbits.faces(placement))
                .collect();
            assert_eq!(annealing.faces, faces.len());
            let squares: Vec<Square> =
                faces.iter().map(|face| board.square(&orbits.cube.square(face)).expect("a square")).collect();
            assert!(is_independent(&board, &squares), "{name} {group}");
        }
    }

    #[test]
    fn rejects_groups_that_are_too_large() {
        let board = Board::new(&"3^8".parse().expect("a board name"));
        let cube = LabelledCube::of(&board).expect("a box with sides of 3");
        let all = Subgroup::parse("2,1,3,4,5,6,7,8;2,3,4,5,6,7,8,1", &board).expect("a group");
        assert!(CubeOrbits::new(&cube, &all).is_none());
    }
}
