//! What is searched: regions that must hold queens, and the nodes of their trees.

use std::sync::Arc;

use super::bits::Bits;
use super::indexed::IndexedBoard;
use super::settings::Components;

/// A set of squares that must hold at least `demand` queens.
#[derive(Debug, Clone)]
pub(super) struct Region<const W: usize> {
    pub(super) squares: Bits<W>,
    pub(super) demand: i32,
}

/// Where the search branches on orbits, while symmetries are left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OrbitalBranching {
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
pub(super) struct Instance<const W: usize> {
    pub(super) indexed: Arc<IndexedBoard<W>>,
    /// Regions, smallest first; the last one is the whole.
    pub(super) regions: Vec<Region<W>>,
    /// The first regions are the rows of full layers: for each of them the number of its layer, in increasing order. One layer is
    /// filled after the other.
    pub(super) rows: Vec<u32>,
    /// For each square the regions that contain it.
    pub(super) regions_of: Vec<Vec<u32>>,
    pub(super) components: Components,
    pub(super) orbital: OrbitalBranching,
}

impl<const W: usize> Instance<W> {
    /// `regions` go from small to large; the last one is the whole that is searched.
    pub(super) fn new(
        indexed: Arc<IndexedBoard<W>>,
        regions: Vec<Region<W>>,
        components: Components,
        orbital: OrbitalBranching,
    ) -> Self {
        let containing =
            |x| (0..regions.len() as u32).filter(|&r| regions[r as usize].squares.contains(x)).collect();
        let regions_of = (0..indexed.squares.len()).map(containing).collect();
        Self { indexed, regions, rows: Vec::new(), regions_of, components, orbital }
    }

    /// The whole, with its demand.
    pub(super) fn whole(&self) -> &Region<W> {
        self.regions.last().expect("the whole is a region")
    }

    /// The whole tree.
    pub(super) fn root(&self) -> Subproblem<W> {
        Subproblem {
            placed: Vec::new(),
            free: self.whole().squares,
            elements: self.indexed.group.elements().collect(),
            orbits: Vec::new(),
            weight: 1.0,
        }
    }

    /// The squares that some elements take a square to, itself included.
    pub(super) fn orbit(&self, x: usize, elements: &[u32]) -> Bits<W> {
        let mut orbit = Bits::EMPTY;
        orbit.insert(x);
        elements.iter().for_each(|&g| orbit.insert(self.indexed.group.image(g, x)));
        orbit
    }

    /// The elements that may act below a queen on a square.
    pub(super) fn stabiliser(&self, x: usize, elements: &[u32]) -> Vec<u32> {
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
pub(super) struct Subproblem<const W: usize> {
    pub(super) placed: Vec<usize>,
    pub(super) free: Bits<W>,
    /// Elements of the group that fix the squares placed, and map free squares to free squares.
    pub(super) elements: Vec<u32>,
    /// The orbits that it has a queen of because the tree branched on them.
    pub(super) orbits: Vec<Bits<W>>,
    /// Its part of the tree, when the children of a node count alike.
    pub(super) weight: f64,
}

impl<const W: usize> Subproblem<W> {
    /// The squares that its symmetries take a square to.
    pub(super) fn orbit(&self, x: usize, instance: &Instance<W>) -> Bits<W> {
        instance.orbit(x, &self.elements)
    }

    /// The child with a queen on a free square, which stands for its orbit, and is so much of the tree.
    pub(super) fn with_queen(&self, x: usize, instance: &Instance<W>, weight: f64) -> Self {
        let mut child = Self { weight, ..self.clone() };
        if self.elements.len() > 1 {
            child.orbits.push(self.orbit(x, instance));
        }
        child.elements = instance.stabiliser(x, &self.elements);
        child.free &= !instance.indexed.attacks[x];
        child.free.remove(x);
        child.placed.push(x);
        child
    }
}
