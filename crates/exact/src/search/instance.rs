//! Problem solved by a search: regions with demands, and the nodes of the search tree.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use crate::search::indexed_board::IndexedBoard;
use crate::search::layout::Layout;
use crate::settings::Components;

/// Set of squares that must hold at least `demand` queens.
#[derive(Debug, Clone)]
pub(crate) struct Region {
    pub(crate) squares: FixedBitSet,
    pub(crate) demand: i32,
}

/// Nodes at which the search branches on orbits, as long as the stabiliser is not trivial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OrbitalBranching {
    /// All nodes.
    AtEveryNode,
    /// The root only; all orbits are those of the group of the root.
    AtRoot {
        /// Maximum number of orbits to branch on.
        max_orbits: u32,
    },
}

/// Problem solved by a search.
#[derive(Debug)]
pub(crate) struct Instance {
    pub(crate) indexed: Arc<IndexedBoard>,
    /// Regions, smallest first; the last one contains all squares that are searched.
    pub(crate) regions: Vec<Region>,
    /// Layer numbers of the first regions, in increasing order. These regions are the rows of full layers,
    /// which are filled one layer after the other, or the lines of a partition whose lines must all hold a
    /// queen; those all have layer 0.
    pub(crate) row_layers: Vec<u32>,
    /// Bitset layout of the free squares of a node.
    pub(crate) layout: Layout,
    pub(crate) components: Components,
    pub(crate) orbital: OrbitalBranching,
}

impl Instance {
    /// Creates an instance from regions sorted by size; the last one contains all squares that are searched.
    pub(crate) fn new(
        indexed: Arc<IndexedBoard>,
        regions: Vec<Region>,
        components: Components,
        orbital: OrbitalBranching,
    ) -> Self {
        let squares: Vec<&FixedBitSet> = regions.iter().map(|region| &region.squares).collect();
        let layout = Layout::new(&indexed, &squares);
        Self { indexed, regions, row_layers: Vec::new(), layout, components, orbital }
    }

    /// Returns the region that contains all squares that are searched; its demand is the target.
    pub(crate) fn whole_region(&self) -> &Region {
        self.regions.last().expect("an instance has regions")
    }

    /// Returns the root node.
    pub(crate) fn root(&self) -> Subproblem {
        Subproblem {
            placed: Vec::new(),
            free: self.whole_region().squares.clone(),
            elements: self.indexed.group.elements().collect(),
            orbits: Vec::new(),
            weight: 1.0,
            uncovered_estimates: Vec::new(),
        }
    }

    /// Returns the orbit of square `x` under `elements`, `x` included.
    pub(crate) fn orbit(&self, x: usize, elements: &[u32]) -> FixedBitSet {
        let mut orbit = FixedBitSet::with_capacity(self.indexed.squares.len());
        orbit.insert(x);
        elements.iter().for_each(|&g| orbit.insert(self.indexed.group.image(g, x)));
        orbit
    }

    /// Returns the elements that act on the child with a queen on `x`: the stabiliser of `x` if the search
    /// branches on orbits at every node, otherwise no elements.
    pub(crate) fn stabiliser(&self, x: usize, elements: &[u32]) -> Vec<u32> {
        match self.orbital {
            OrbitalBranching::AtEveryNode => {
                let fixes = |g: &u32| self.indexed.group.image(*g, x) == x;
                elements.iter().copied().filter(fixes).collect()
            }
            OrbitalBranching::AtRoot { .. } => Vec::new(),
        }
    }
}

/// Node of the search tree, with everything that the subtree below it depends on.
#[derive(Debug, Clone)]
pub(crate) struct Subproblem {
    /// Squares of the queens placed.
    pub(crate) placed: Vec<usize>,
    /// Squares that may still receive a queen.
    pub(crate) free: FixedBitSet,
    /// Group elements that fix the placed queens and map free squares to free squares.
    pub(crate) elements: Vec<u32>,
    /// Orbits branched on above this node whose branch has a queen on the orbit.
    pub(crate) orbits: Vec<FixedBitSet>,
    /// Fraction of the whole tree, where all children of a node have equal weight.
    pub(crate) weight: f64,
    /// Estimated number of squares that a clique cover leaves uncovered, for each region; empty if unknown.
    pub(crate) uncovered_estimates: Vec<u32>,
}

impl Subproblem {
    /// Returns the orbit of square `x` under the symmetries of the node.
    pub(crate) fn orbit(&self, x: usize, instance: &Instance) -> FixedBitSet {
        instance.orbit(x, &self.elements)
    }

    /// Returns the child with a queen on the free square `x`, which represents its orbit; `weight` is the
    /// weight of the child.
    pub(crate) fn with_queen(&self, x: usize, instance: &Instance, weight: f64) -> Self {
        let mut child = Self { weight, ..self.clone() };
        if self.elements.len() > 1 {
            child.orbits.push(self.orbit(x, instance));
        }
        child.elements = instance.stabiliser(x, &self.elements);
        child.free.remove(x);
        instance.indexed.neighbours(x).for_each(|y| child.free.remove(y));
        child.placed.push(x);
        child
    }
}
