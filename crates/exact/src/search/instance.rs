//! What is searched: regions that must hold queens, and the nodes of their trees.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use crate::search::indexed_board::IndexedBoard;
use crate::search::layout::Layout;
use crate::settings::Components;

/// A set of squares that must hold at least `demand` queens.
#[derive(Debug, Clone)]
pub(crate) struct Region {
    pub(crate) squares: FixedBitSet,
    pub(crate) demand: i32,
}

/// Where the search branches on orbits, while symmetries are left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OrbitalBranching {
    /// At every node.
    Throughout,
    /// At the root alone, on so many orbits at most, all under the same symmetries.
    AtRoot {
        /// The most orbits.
        orbits: u32,
    },
}

/// What is searched.
#[derive(Debug)]
pub(crate) struct Instance {
    pub(crate) indexed: Arc<IndexedBoard>,
    /// Regions, smallest first; the last one is the whole.
    pub(crate) regions: Vec<Region>,
    /// The first regions are the rows of full layers, or the lines of partitions where each line holds a queen: for each of them the
    /// number of its layer, in increasing order. One layer is filled after the other; all lines are of layer 0.
    pub(crate) rows: Vec<u32>,
    /// How the free squares of a node are held.
    pub(crate) layout: Layout,
    pub(crate) components: Components,
    pub(crate) orbital: OrbitalBranching,
}

impl Instance {
    /// `regions` go from small to large; the last one is the whole that is searched.
    pub(crate) fn new(
        indexed: Arc<IndexedBoard>,
        regions: Vec<Region>,
        components: Components,
        orbital: OrbitalBranching,
    ) -> Self {
        let squares: Vec<&FixedBitSet> = regions.iter().map(|region| &region.squares).collect();
        let layout = Layout::new(&indexed, &squares);
        Self { indexed, regions, rows: Vec::new(), layout, components, orbital }
    }

    /// The whole, with its demand.
    pub(crate) fn whole(&self) -> &Region {
        self.regions.last().expect("the whole is a region")
    }

    /// The whole tree.
    pub(crate) fn root(&self) -> Subproblem {
        Subproblem {
            placed: Vec::new(),
            free: self.whole().squares.clone(),
            elements: self.indexed.group.elements().collect(),
            orbits: Vec::new(),
            weight: 1.0,
            left_over: Vec::new(),
        }
    }

    /// The squares that some elements take a square to, itself included.
    pub(crate) fn orbit(&self, x: usize, elements: &[u32]) -> FixedBitSet {
        let mut orbit = FixedBitSet::with_capacity(self.indexed.squares.len());
        orbit.insert(x);
        elements.iter().for_each(|&g| orbit.insert(self.indexed.group.image(g, x)));
        orbit
    }

    /// The elements that may act below a queen on a square.
    pub(crate) fn stabiliser(&self, x: usize, elements: &[u32]) -> Vec<u32> {
        match self.orbital {
            OrbitalBranching::Throughout => {
                let fixes = |g: &u32| self.indexed.group.image(*g, x) == x;
                elements.iter().copied().filter(fixes).collect()
            }
            OrbitalBranching::AtRoot { .. } => Vec::new(),
        }
    }
}

/// A node, with all that the tree below it depends on.
#[derive(Debug, Clone)]
pub(crate) struct Subproblem {
    pub(crate) placed: Vec<usize>,
    pub(crate) free: FixedBitSet,
    /// Elements of the group that fix the squares placed, and map free squares to free squares.
    pub(crate) elements: Vec<u32>,
    /// The orbits that it has a queen of because the tree branched on them.
    pub(crate) orbits: Vec<FixedBitSet>,
    /// Its part of the tree, when the children of a node count alike.
    pub(crate) weight: f64,
    /// About how many squares the covers of each region leave over; none where nothing is known of them.
    pub(crate) left_over: Vec<u32>,
}

impl Subproblem {
    /// The squares that its symmetries take a square to.
    pub(crate) fn orbit(&self, x: usize, instance: &Instance) -> FixedBitSet {
        instance.orbit(x, &self.elements)
    }

    /// The child with a queen on a free square, which stands for its orbit, and is so much of the tree.
    pub(crate) fn with_queen(&self, x: usize, instance: &Instance, weight: f64) -> Self {
        let mut child = Self { weight, ..self.clone() };
        if self.elements.len() > 1 {
            child.orbits.push(self.orbit(x, instance));
        }
        child.elements = instance.stabiliser(x, &self.elements);
        child.free.remove(x);
        instance.indexed.attacked(x).for_each(|y| child.free.remove(y));
        child.placed.push(x);
        child
    }
}
