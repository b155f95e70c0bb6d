//! Tabu walk on independent sets: each step makes the best of three kinds of moves that is not tabu.
//!
//! *Add* inserts a vertex without neighbours in the set, *swap* inserts a vertex with one neighbour in the
//! set and removes that one, and *drop* removes a vertex. A removed vertex is tabu for a while, unless
//! inserting it gives the best set of the walk.

use rand::RngExt as _;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom as _;

use super::orbit_graph::OrbitGraph;

/// Number of moves for which a dropped vertex is tabu.
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

/// The neighbours of a vertex that are in the set.
#[derive(Clone, Copy, Default)]
struct Blockers {
    count: u32,
    /// Exclusive or of their numbers; the number itself if there is one.
    xor: u32,
}

/// A walk on the independent sets of a graph.
pub(super) struct Walk<'g> {
    graph: &'g OrbitGraph,
    random: Xoshiro256PlusPlus,
    /// The current set.
    set: VertexSet,
    /// Vertices outside the set without a neighbour in it.
    free: VertexSet,
    /// Vertices outside the set with exactly one neighbour in it.
    single: VertexSet,
    blockers: Vec<Blockers>,
    /// First move in which a vertex is no longer tabu.
    tabu_until: Vec<u64>,
    /// Number of squares of the current set.
    weight: u64,
    moves: u64,
    /// `true` as long as all moves were additions.
    is_growing: bool,
    work: u64,
    /// Candidates of the current move with the largest gain.
    ties: Vec<u32>,
    best: Vec<u32>,
    best_weight: u64,
}

impl<'g> Walk<'g> {
    /// Creates a walk that starts from the independent set `start`.
    pub(super) fn new(graph: &'g OrbitGraph, start: &[u32], random: Xoshiro256PlusPlus) -> Self {
        let size = graph.len();
        let mut free = VertexSet::new(size);
        (0..size as u32).for_each(|v| free.insert(v));
        let mut walk = Self {
            graph,
            random,
            set: VertexSet::new(size),
            free,
            single: VertexSet::new(size),
            blockers: vec![Blockers::default(); size],
            tabu_until: vec![0; size],
            weight: 0,
            moves: 0,
            is_growing: true,
            work: size as u64,
            ties: Vec::new(),
            best: Vec::new(),
            best_weight: 0,
        };
        start.iter().for_each(|&v| walk.add(v));
        walk.record_best();
        walk
    }

    /// Returns the largest set so far.
    pub(super) fn best(&self) -> &[u32] {
        &self.best
    }

    /// Returns the number of squares in [`Self::best`].
    pub(super) fn best_weight(&self) -> u64 {
        self.best_weight
    }

    /// Returns `true` as long as all moves were additions.
    pub(super) fn is_growing(&self) -> bool {
        self.is_growing
    }

    /// Returns the number of neighbours and candidates visited so far.
    pub(super) fn work(&self) -> u64 {
        self.work
    }

    /// Makes a move. Returns `true` if the set is now larger than all previous ones.
    pub(super) fn step(&mut self) -> bool {
        self.moves += 1;
        self.work += 1 + (self.free.items.len() + self.single.items.len()) as u64;
        let can_add = self.collect_additions();
        self.is_growing &= can_add;
        if !can_add && !self.collect_swaps() {
            self.drop_random();
            return false;
        }
        let v = *self.ties.choose(&mut self.random).expect("there is a candidate");
        let blockers = self.blockers[v as usize];
        if blockers.count == 1 {
            let tenure = TENURE + self.random.random_range(0..=self.single.items.len() as u64);
            self.remove(blockers.xor, tenure);
        }
        self.add(v);
        let is_best = self.weight > self.best_weight;
        if is_best {
            self.record_best();
        }
        is_best
    }

    fn record_best(&mut self) {
        self.best.clone_from(&self.set.items);
        self.best_weight = self.weight;
    }

    /// Returns `true` if a vertex is not tabu, or a move with this gain gives the best set.
    fn is_allowed(&self, v: u32, gain: i64) -> bool {
        self.tabu_until[v as usize] <= self.moves || self.weight as i64 + gain > self.best_weight as i64
    }

    /// Collects the allowed additions with the largest gain. Returns `false` if no move is allowed.
    fn collect_additions(&mut self) -> bool {
        let mut largest_gain = 0;
        self.ties.clear();
        for place in 0..self.free.items.len() {
            let v = self.free.items[place];
            self.collect(v, i64::from(self.graph.weight(v)), &mut largest_gain);
        }
        !self.ties.is_empty()
    }

    /// Collects the allowed swaps with the largest gain. Returns `false` if no move is allowed.
    fn collect_swaps(&mut self) -> bool {
        let mut largest_gain = i64::MIN;
        self.ties.clear();
        for place in 0..self.single.items.len() {
            let v = self.single.items[place];
            let out = self.blockers[v as usize].xor;
            let gain = i64::from(self.graph.weight(v)) - i64::from(self.graph.weight(out));
            self.collect(v, gain, &mut largest_gain);
        }
        !self.ties.is_empty()
    }

    /// Adds a vertex to the candidates if it is allowed and its gain is the largest so far.
    fn collect(&mut self, v: u32, gain: i64, largest_gain: &mut i64) {
        if gain >= *largest_gain && self.is_allowed(v, gain) {
            if gain > *largest_gain {
                *largest_gain = gain;
                self.ties.clear();
            }
            self.ties.push(v);
        }
    }

    fn drop_random(&mut self) {
        if let Some(&v) = self.set.items.choose(&mut self.random) {
            self.remove(v, TENURE);
        }
    }

    /// Inserts a vertex without neighbours in the set.
    fn add(&mut self, v: u32) {
        let graph = self.graph;
        self.free.remove(v);
        self.set.insert(v);
        self.weight += u64::from(graph.weight(v));
        self.work += graph.neighbours(v).len() as u64;
        for &w in graph.neighbours(v) {
            let blockers = &mut self.blockers[w as usize];
            blockers.count += 1;
            blockers.xor ^= v;
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

    /// Removes a vertex from the set and makes it tabu for `tenure` moves.
    fn remove(&mut self, v: u32, tenure: u64) {
        let graph = self.graph;
        self.set.remove(v);
        self.free.insert(v);
        self.tabu_until[v as usize] = self.moves + tenure;
        self.weight -= u64::from(graph.weight(v));
        self.work += graph.neighbours(v).len() as u64;
        for &w in graph.neighbours(v) {
            let blockers = &mut self.blockers[w as usize];
            blockers.count -= 1;
            blockers.xor ^= v;
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
