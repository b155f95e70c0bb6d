//! The walk: from independent set to independent set, by the best of three moves that is not tabu.
//!
//! *Add* takes a vertex that no held one attacks, *swap* one that a single held one attacks, which leaves, and *drop*
//! gives up a held one. A vertex that left may not come back for a while, unless that gives the best set of the walk.

use rand::RngExt as _;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom as _;

use super::orbit_graph::OrbitGraph;

/// Moves for which a dropped vertex stays out.
const TENURE: u64 = 7;

/// A set of vertices with constant-time insertion, removal and random choice.
struct VertexSet {
    items: Vec<u32>,
    place: Vec<u32>,
}

impl VertexSet {
    const ABSENT: u32 = u32::MAX;

    fn new(size: usize) -> Self {
        Self { items: Vec::new(), place: vec![Self::ABSENT; size] }
    }

    fn insert(&mut self, v: u32) {
        self.place[v as usize] = self.items.len() as u32;
        self.items.push(v);
    }

    fn remove(&mut self, v: u32) {
        let place = std::mem::replace(&mut self.place[v as usize], Self::ABSENT);
        self.items.swap_remove(place as usize);
        if let Some(&moved) = self.items.get(place as usize) {
            self.place[moved as usize] = place;
        }
    }
}

/// What is held of a vertex's neighbours.
#[derive(Clone, Copy, Default)]
struct Blockers {
    count: u32,
    /// Their numbers, combined with exclusive or: with one of them, its number.
    which: u32,
}

/// A walk on the independent sets of a graph.
pub(super) struct Walk<'g> {
    graph: &'g OrbitGraph,
    random: Xoshiro256PlusPlus,
    held: VertexSet,
    /// Vertices not held with no held neighbour.
    free: VertexSet,
    /// Vertices not held with just one held neighbour.
    single: VertexSet,
    blockers: Vec<Blockers>,
    /// The first move in which a vertex may come back.
    back: Vec<u64>,
    weight: u64,
    moves: u64,
    growing: bool,
    work: u64,
    ties: Vec<u32>,
    best: Vec<u32>,
    best_weight: u64,
}

impl<'g> Walk<'g> {
    /// A walk that begins with the independent set `start`.
    pub(super) fn new(graph: &'g OrbitGraph, start: &[u32], random: Xoshiro256PlusPlus) -> Self {
        let size = graph.len();
        let mut free = VertexSet::new(size);
        (0..size as u32).for_each(|v| free.insert(v));
        let mut walk = Self {
            graph,
            random,
            held: VertexSet::new(size),
            free,
            single: VertexSet::new(size),
            blockers: vec![Blockers::default(); size],
            back: vec![0; size],
            weight: 0,
            moves: 0,
            growing: true,
            work: size as u64,
            ties: Vec::new(),
            best: Vec::new(),
            best_weight: 0,
        };
        start.iter().for_each(|&v| walk.add(v));
        walk.note_best();
        walk
    }

    /// The largest set so far.
    pub(super) fn best(&self) -> &[u32] {
        &self.best
    }

    /// The number of squares in [`Self::best`].
    pub(super) fn best_weight(&self) -> u64 {
        self.best_weight
    }

    /// Whether it has never made another move than to add.
    pub(super) fn is_growing(&self) -> bool {
        self.growing
    }

    /// Neighbours and candidates looked at so far.
    pub(super) fn work(&self) -> u64 {
        self.work
    }

    /// Makes a move. True when it gave a set larger than all before.
    pub(super) fn step(&mut self) -> bool {
        self.moves += 1;
        self.work += 1 + (self.free.items.len() + self.single.items.len()) as u64;
        let added = self.pick_added();
        self.growing &= added;
        if !added && !self.pick_swapped() {
            self.drop_one();
            return false;
        }
        let v = *self.ties.choose(&mut self.random).expect("one was picked");
        let blockers = self.blockers[v as usize];
        if blockers.count == 1 {
            let length = TENURE + self.random.random_range(0..=self.single.items.len() as u64);
            self.remove(blockers.which, length);
        }
        self.add(v);
        self.weight > self.best_weight && {
            self.note_best();
            true
        }
    }

    fn note_best(&mut self) {
        self.best.clone_from(&self.held.items);
        self.best_weight = self.weight;
    }

    fn may_come(&self, v: u32, gain: i64) -> bool {
        self.back[v as usize] <= self.moves || self.weight as i64 + gain > self.best_weight as i64
    }

    /// Puts the vertices of most weight that may be added into the ties; whether there is one.
    fn pick_added(&mut self) -> bool {
        let mut most = 0;
        self.ties.clear();
        for place in 0..self.free.items.len() {
            let v = self.free.items[place];
            self.tie(v, i64::from(self.graph.weight(v)), &mut most);
        }
        !self.ties.is_empty()
    }

    /// Puts the vertices that may be swapped in with most gain into the ties; whether there is one that is better than
    /// to drop a vertex.
    fn pick_swapped(&mut self) -> bool {
        let mut most = i64::MIN;
        self.ties.clear();
        for place in 0..self.single.items.len() {
            let v = self.single.items[place];
            let out = self.blockers[v as usize].which;
            let gain = i64::from(self.graph.weight(v)) - i64::from(self.graph.weight(out));
            self.tie(v, gain, &mut most);
        }
        !self.ties.is_empty()
    }

    /// Puts a vertex into the ties if it gains the most so far and may come.
    fn tie(&mut self, v: u32, gain: i64, most: &mut i64) {
        if gain >= *most && self.may_come(v, gain) {
            if gain > *most {
                *most = gain;
                self.ties.clear();
            }
            self.ties.push(v);
        }
    }

    fn drop_one(&mut self) {
        if let Some(&v) = self.held.items.choose(&mut self.random) {
            self.remove(v, TENURE);
        }
    }

    /// Puts a vertex without held neighbours into the set.
    fn add(&mut self, v: u32) {
        let graph = self.graph;
        self.free.remove(v);
        self.held.insert(v);
        self.weight += u64::from(graph.weight(v));
        self.work += graph.neighbours(v).len() as u64;
        for &w in graph.neighbours(v) {
            let blockers = &mut self.blockers[w as usize];
            blockers.count += 1;
            blockers.which ^= v;
            match blockers.count {
                1 => {
                    self.free.remove(w);
                    self.single.insert(w);
                }
                2 => self.single.remove(w),
                _ => {}
            }
        }
    }

    /// Takes a vertex out of the set, for so many moves at least.
    fn remove(&mut self, v: u32, length: u64) {
        let graph = self.graph;
        self.held.remove(v);
        self.free.insert(v);
        self.back[v as usize] = self.moves + length;
        self.weight -= u64::from(graph.weight(v));
        self.work += graph.neighbours(v).len() as u64;
        for &w in graph.neighbours(v) {
            let blockers = &mut self.blockers[w as usize];
            blockers.count -= 1;
            blockers.which ^= v;
            match blockers.count {
                0 => {
                    self.single.remove(w);
                    self.free.insert(w);
                }
                1 => self.single.insert(w),
                _ => {}
            }
        }
    }
}
