//! Search for large independent sets of boxes with sides of at most 3 among the faces of a cube, by simulated
//! annealing.
//!
//! A square of a box with `a` sides of 3 and `b` sides of 2 is a face of the cube `{0,1}^a`: a coordinate 0
//! or 2 fixes its axis to 0 or 1, a coordinate 1 leaves it free. The coordinates on the axes of side 2 are
//! its *label*, and the *direction* of a face is the set of its free axes. Two queens attack each other
//! exactly if their faces intersect, or have the same direction and the same label. A placement is therefore
//! a set of disjoint faces that differ in the direction or in the label, and the volume of the cube bounds
//! their number; see [`ndqueens_model::facts::volume`]. Sides of 1 can be ignored.
//!
//! A direction with a label is a *slot* for one face. A move places a face in a slot and removes the previous
//! face of the slot and the faces that the new one intersects. The energy is
//! `-faces - REWARD * min(pairs, MAX_REWARDED_PAIRS)`, where *pairs* is the number of pairs of adjacent
//! uncovered vertices: adjacent holes leave room for another face. Without the upper limit the empty cube
//! would have the least energy.
//!
//! # References
//! S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, *Optimization by simulated annealing*, Science 220 (1983).

use ndqueens_model::board::Board;
use ndqueens_model::facts::volume;
use ndqueens_notation::name::Piece;
use rand::Rng as _;
use rand::rngs::Xoshiro256PlusPlus;

/// Reward for a pair of adjacent uncovered vertices; a face is worth 1.
pub(super) const REWARD: f64 = 0.07;

/// Maximum number of rewarded pairs.
pub(super) const MAX_REWARDED_PAIRS: i64 = 16;

/// Temperatures at the start and at the end of a round.
const TEMPERATURES: [f64; 2] = [0.075, 0.05];

/// Fraction of a round in which the reward grows from 0 to [`REWARD`].
pub(super) const RAMP: f64 = 0.05;

/// Maximum number of faces that a move removes.
pub(super) const MAX_REMOVED: usize = 2;

/// Number of proposals between two changes of the temperature.
pub(super) const PROPOSALS_PER_STEP: u64 = 1 << 16;

/// Maximum number of sides of 2 and 3 of a box that is searched.
pub const MAX_AXES: usize = 16;

/// Marker for no face, slot or owner.
pub(super) const NONE: u32 = u32::MAX;

/// Returns the number of proposals in a round on a box with `axes` sides of 2 and 3.
pub(super) fn proposals(axes: usize) -> u64 {
    1 << (4 * axes).saturating_sub(9).clamp(20, 31)
}

/// A box with sides of at most 3 as a cube with labels.
#[derive(Debug, Clone)]
pub(super) struct LabelledCube {
    sides: Vec<u32>,
    /// Number of axes of side 3, those of the cube.
    axes: usize,
    /// Number of axes of side 2, the bits of a label.
    label_bits: usize,
}

impl LabelledCube {
    /// Returns the cube of a box for queens, or `None` if a side is above 3 or more than [`MAX_AXES`]
    /// sides are above 1.
    pub(super) fn of(board: &Board) -> Option<Self> {
        let sides = board.plain_box().filter(|_| board.piece() == Some(Piece::Queen))?.sides();
        let count = |length: u32| sides.iter().filter(|&&side| side == length).count();
        let (axes, label_bits) = (count(3), count(2));
        let is_small = axes + label_bits <= MAX_AXES && axes + label_bits + count(1) == sides.len();
        is_small.then(|| Self { sides: sides.to_vec(), axes, label_bits })
    }

    /// Returns the number of axes of side 3.
    pub(super) fn axes(&self) -> usize {
        self.axes
    }

    /// Returns `true` if all sides of the box are 3.
    pub(super) fn is_cube(&self) -> bool {
        self.axes == self.sides.len()
    }

    /// Returns the coordinates of the square that a face is.
    pub(super) fn square(&self, face: &Face) -> Vec<u32> {
        let (mut axis, mut bit) = (0, 0);
        let coordinate = |&side: &u32| match side {
            3 => {
                let (free, one) = (face.direction >> axis & 1, face.ones >> axis & 1);
                axis += 1;
                if free == 1 { 1 } else { 2 * one }
            }
            2 => {
                bit += 1;
                face.label >> (bit - 1) & 1
            }
            _ => 0,
        };
        self.sides.iter().map(coordinate).collect()
    }
}

/// A round of annealing.
pub(super) trait Anneal {
    /// Returns the number of faces in the best placement so far.
    fn best_size(&self) -> usize;

    /// Returns `true` once all proposals of the round were made.
    fn is_over(&self) -> bool;

    /// Returns the coordinates of the queens of the best placement so far.
    fn best(&self) -> Vec<Vec<u32>>;

    /// Makes [`PROPOSALS_PER_STEP`] proposals. Stops early if the placement reaches `target` faces.
    fn advance(&mut self, target: usize);
}

/// Returns the directions that faces may have, as bit sets in increasing order, each with the offsets of the
/// vertices of such a face from its lowest vertex.
pub(super) fn directions(axes: usize, label_bits: usize) -> impl Iterator<Item = (u32, Vec<u32>)> {
    let largest = volume::largest_face(axes, label_bits);
    let submasks = |mask: u32| (0..=mask).filter(move |sub| sub & !mask == 0);
    (0..1u32 << axes)
        .filter(move |mask| mask.count_ones() <= largest)
        .map(move |mask| (mask, submasks(mask).collect()))
}

/// A face of the cube, as sets of axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Face {
    /// Free axes.
    pub(super) direction: u32,
    /// Axes that are fixed to 1; these are the bits of the lowest vertex.
    pub(super) ones: u32,
    /// Coordinates on the axes of side 2.
    pub(super) label: u32,
}

/// State of a round: disjoint faces with different directions or labels.
pub(super) struct Annealing {
    cube: LabelledCube,
    /// Directions that faces may have, each with the offsets of the vertices of such a face from
    /// its lowest vertex.
    directions: Vec<(u32, Vec<u32>)>,
    /// Lowest vertex of the face in each slot, or [`NONE`]. The number of a slot consists of the number of
    /// its direction and the bits of its label.
    lowest: Vec<u32>,
    /// Slot of the face that covers each vertex, or [`NONE`].
    owner: Vec<u32>,
    uncovered: Vec<u32>,
    /// Position of each uncovered vertex in `uncovered`.
    place: Vec<u32>,
    /// Number of faces.
    faces: usize,
    /// Number of pairs of adjacent uncovered vertices.
    pairs: i64,
    best: Vec<Face>,
    random: Xoshiro256PlusPlus,
    /// Number of proposals of the round.
    total: u64,
    /// Number of proposals made.
    done: u64,
    /// Vertices that a proposal covers. Kept to save allocations, as the next field.
    covered_now: Vec<u32>,
    /// Vertices that a proposal uncovers, with their owners.
    uncovered_now: Vec<(u32, u32)>,
}

impl Annealing {
    /// Creates the empty placement. `random` is used for all moves.
    pub(super) fn new(cube: &LabelledCube, random: Xoshiro256PlusPlus) -> Self {
        let LabelledCube { axes, label_bits, .. } = *cube;
        let vertices = 1u32 << axes;
        let directions: Vec<_> = directions(axes, label_bits).collect();
        Self {
            cube: cube.clone(),
            lowest: vec![NONE; directions.len() << label_bits],
            directions,
            owner: vec![NONE; vertices as usize],
            uncovered: (0..vertices).collect(),
            place: (0..vertices).collect(),
            faces: 0,
            pairs: i64::from(vertices) / 2 * axes as i64,
            best: Vec::new(),
            random,
            total: proposals(axes + label_bits),
            done: 0,
            covered_now: Vec::new(),
            uncovered_now: Vec::new(),
        }
    }

    fn current(&self) -> Vec<Face> {
        let label_bits = self.cube.label_bits;
        let placed = self.lowest.iter().enumerate().filter(|&(_, &ones)| ones != NONE);
        let face = |(slot, &ones): (usize, &u32)| Face {
            direction: self.directions[slot >> label_bits].0,
            ones,
            label: (slot & ((1 << label_bits) - 1)) as u32,
        };
        placed.map(face).collect()
    }

    /// Proposes a face in a random slot that covers a random uncovered vertex, or any vertex
    /// if all are covered.
    fn propose(&mut self, temperature: f64, reward: f64) {
        let slot = below(&mut self.random, self.lowest.len());
        let vertex = match self.uncovered.len() {
            0 => below(&mut self.random, self.owner.len()) as u32,
            count => self.uncovered[below(&mut self.random, count)],
        };
        let lowest = vertex & !self.directions[slot >> self.cube.label_bits].0;
        if self.lowest[slot] == lowest {
            return;
        }
        let Some(conflicts) = self.conflicts(slot, lowest) else { return };
        let removed = conflicts.slots();
        let largest_increase = -temperature * (1.0 - uniform(&mut self.random)).ln();
        // The placed face counts 1.
        let increase = removed.len() as f64 - 1.0;
        let old_pairs = self.pairs;
        let is_accepted = |pairs: i64| {
            let rewarded = pairs.min(MAX_REWARDED_PAIRS) - old_pairs.min(MAX_REWARDED_PAIRS);
            increase - reward * rewarded as f64 <= largest_increase
        };
        self.list_changes(slot, lowest, removed);
        if let Some(pairs) = self.try_changes(slot, is_accepted) {
            self.pairs = pairs;
            self.replace(slot, lowest, removed);
        }
    }

    /// Returns the slots whose faces must be removed for a new face, or `None` if there are more
    /// than [`MAX_REMOVED`].
    fn conflicts(&self, slot: usize, lowest: u32) -> Option<Conflicts> {
        let mut conflicts = Conflicts::default();
        if self.lowest[slot] != NONE {
            conflicts.add(slot as u32)?;
        }
        for offset in &self.directions[slot >> self.cube.label_bits].1 {
            let owner = self.owner[(lowest | offset) as usize];
            if owner != NONE {
                conflicts.add(owner)?;
            }
        }
        Some(conflicts)
    }

    /// Lists the vertices that a new face covers and those that the removed faces uncover, in `covered_now`
    /// and `uncovered_now`.
    fn list_changes(&mut self, slot: usize, lowest: u32, removed: &[u32]) {
        let label_bits = self.cube.label_bits;
        let (direction, offsets) = &self.directions[slot >> label_bits];
        self.covered_now.clear();
        self.covered_now
            .extend(offsets.iter().map(|offset| lowest | offset).filter(|&v| self.owner[v as usize] == NONE));
        self.uncovered_now.clear();
        for &old in removed {
            let base = self.lowest[old as usize];
            let vertices = self.directions[old as usize >> label_bits].1.iter().map(|offset| base | offset);
            self.uncovered_now.extend(vertices.filter(|v| v & !direction != lowest).map(|v| (v, old)));
        }
    }

    /// Applies the listed changes to the owners of the vertices and returns the new number of pairs. If the
    /// proposal is rejected, restores the owners and returns `None`.
    fn try_changes(&mut self, slot: usize, is_accepted: impl Fn(i64) -> bool) -> Option<i64> {
        let mut pairs = self.pairs;
        for &vertex in &self.covered_now {
            pairs -= self.uncovered_neighbours(vertex);
            self.owner[vertex as usize] = slot as u32;
        }
        let upper_bound = pairs + (self.uncovered_now.len() * self.cube.axes) as i64;
        if is_accepted(upper_bound) {
            for &(vertex, _) in &self.uncovered_now {
                self.owner[vertex as usize] = NONE;
                pairs += self.uncovered_neighbours(vertex);
            }
            if is_accepted(pairs) {
                return Some(pairs);
            }
            for &(vertex, owner) in &self.uncovered_now {
                self.owner[vertex as usize] = owner;
            }
        }
        for &vertex in &self.covered_now {
            self.owner[vertex as usize] = NONE;
        }
        None
    }

    fn uncovered_neighbours(&self, vertex: u32) -> i64 {
        let is_uncovered = |axis: &usize| self.owner[(vertex ^ 1 << axis) as usize] == NONE;
        (0..self.cube.axes).filter(is_uncovered).count() as i64
    }

    /// Replaces the faces in the slots `removed` by the new face, after [`Self::try_changes`] accepted it.
    fn replace(&mut self, slot: usize, lowest: u32, removed: &[u32]) {
        for &old in removed {
            self.lowest[old as usize] = NONE;
        }
        for offset in &self.directions[slot >> self.cube.label_bits].1 {
            self.owner[(lowest | offset) as usize] = slot as u32;
        }
        self.lowest[slot] = lowest;
        self.faces = self.faces + 1 - removed.len();
        for &vertex in &self.covered_now {
            let place = self.place[vertex as usize];
            let last = self.uncovered.pop().expect("the vertex was uncovered");
            if last != vertex {
                self.uncovered[place as usize] = last;
                self.place[last as usize] = place;
            }
        }
        for &(vertex, _) in &self.uncovered_now {
            self.place[vertex as usize] = self.uncovered.len() as u32;
            self.uncovered.push(vertex);
        }
    }
}

/// Slots whose faces a proposal removes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Conflicts {
    slots: [u32; MAX_REMOVED],
    count: usize,
}

impl Conflicts {
    /// Adds a slot unless it is already there. Returns `None` if there are more than [`MAX_REMOVED`] slots.
    pub(super) fn add(&mut self, slot: u32) -> Option<()> {
        if !self.slots().contains(&slot) {
            *self.slots.get_mut(self.count)? = slot;
            self.count += 1;
        }
        Some(())
    }

    pub(super) fn slots(&self) -> &[u32] {
        &self.slots[..self.count]
    }
}

impl Anneal for Annealing {
    fn best_size(&self) -> usize {
        self.best.len()
    }

    fn is_over(&self) -> bool {
        self.done >= self.total
    }

    fn best(&self) -> Vec<Vec<u32>> {
        self.best.iter().map(|face| self.cube.square(face)).collect()
    }

    fn advance(&mut self, target: usize) {
        let share = self.done as f64 / self.total as f64;
        let [first, last] = TEMPERATURES;
        let temperature = first * (last / first).powf(share);
        let reward = REWARD * (share / RAMP).min(1.0);
        self.done += PROPOSALS_PER_STEP;
        for _ in 0..PROPOSALS_PER_STEP {
            self.propose(temperature, reward);
            if self.faces > self.best.len() {
                self.best = self.current();
                if self.faces >= target {
                    return;
                }
            }
        }
    }
}

/// Returns a random number that is at least 0 and less than 1.
pub(super) fn uniform(random: &mut Xoshiro256PlusPlus) -> f64 {
    (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// Returns a random number below `bound`, which is at most `2^32`.
pub(super) fn below(random: &mut Xoshiro256PlusPlus, bound: usize) -> usize {
    (((random.next_u64() >> 32) * bound as u64) >> 32) as usize
}
