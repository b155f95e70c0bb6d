//! Separation of local cuts: facets of the independent-set polytope of a small set of squares that a point
//! violates.
//!
//! The sets are sub-boxes at every stride, alone or with the centres of their cells. At a point that is the same
//! on all squares of an orbit, a cut can be averaged over the symmetries of the board that map its set to itself,
//! so it has one coefficient for each of their orbits. At other points, it has one for each square.
//! A linear program finds the coefficients that the point violates most among those that are valid for some
//! independent sets; a search for heavier independent sets adds more of them until all are satisfied. The
//! coefficients are then rounded to integers, and a last search computes the right-hand side.
//!
//! # References
//! D. Applegate, R. Bixby, V. Chvátal, W. Cook, *TSP cuts which do not conform to the template paradigm*, 2001;
//! C. Buchheim, F. Liers, M. Oswald, *Local cuts revisited*, Oper. Res. Lett. 36 (2008).

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use ndqueens_exact::lp::{LinearProgram as _, Optimum};
use ndqueens_model::board::Board;
use ndqueens_model::orbit::{BoxOrbits, Orbit, OrbitRow, Shape};

use crate::lp::SimplexProgram;
use crate::weighted_independent_set::{HeavierSets, MAX_VERTICES, Permutation, SymmetricGraph, VertexSet};

/// Maximum side of a sub-box.
const MAX_SIDE: u32 = 6;
/// Maximum order of the symmetry group of the board; of larger groups only the reflections are used.
const MAX_GROUP: usize = 50_000;
/// Value of a left-hand side, divided by the right-hand side, above which a cut counts as violated.
const MIN_RATIO: f64 = 1.0 + 1e-5;
/// Weight of a right-hand side of 1 in searches for independent sets.
const SCALE: u64 = 1_000_000;
/// Excess of the weight of an independent set, in units of `1 / SCALE`, above which it violates a cut.
const TOLERANCE: u64 = 20;
/// Weight that a square with the value 0 has in the objective, so that cuts are lifted to it.
const LIFTING: f64 = 1e-6;
/// Maximum number of known independent sets that are added to an LP at a time.
const MAX_ROWS_PER_ROUND: usize = 20;
/// Maximum number of LPs for one set of squares.
const MAX_LPS: usize = 400;
/// Maximum number of nodes of a search for independent sets.
const NODE_LIMIT: u64 = 300_000;
/// Denominators that are tried for the coefficients.
const MAX_DENOMINATOR: u32 = 60;
/// Binary logarithm of the maximum number of rounds in which a set without cuts is left out.
const MAX_REST: u32 = 4;
/// Maximum number of cuts that are returned at a time.
const MAX_CUTS: usize = 12;

/// Kind of a set of squares: a box, and possibly the centres of its cells. Sets of one kind have the same
/// independent sets at every place and stride.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Kind {
    sides: Vec<u32>,
    has_centres: bool,
}

impl Kind {
    /// Returns the distance of neighbouring corners of cells: 2 with centres, which are half-way between them.
    fn stride(&self) -> u32 {
        if self.has_centres { 2 } else { 1 }
    }

    /// Returns the points of the box, and the centres of its cells.
    fn points(&self) -> Vec<Vec<u32>> {
        let lattice = |corner: Vec<u32>, sides: Vec<u32>| {
            Shape::Lattice { corner, sides, stride: self.stride() }.squares()
        };
        let mut points = lattice(vec![0; self.sides.len()], self.sides.clone());
        if self.has_centres {
            let first_centre = self.sides.iter().map(|&side| u32::from(side > 1)).collect();
            points.extend(lattice(first_centre, self.cells().collect()));
        }
        points
    }

    /// Returns the number of cells along each axis.
    fn cells(&self) -> impl Iterator<Item = u32> {
        self.sides.iter().map(|&side| side.max(2) - 1)
    }

    /// Returns the largest coordinate of a point along each axis.
    fn extents(&self) -> Vec<u32> {
        self.sides.iter().map(|&side| self.stride() * (side - 1)).collect()
    }

    /// Returns the number of points.
    fn size(&self) -> usize {
        let corners = self.sides.iter().map(|&side| side as usize).product::<usize>();
        let cells = self.cells().map(|cells| cells as usize).product::<usize>();
        if self.has_centres { corners + cells } else { corners }
    }
}

/// Symmetry of the board: axis `i` is mapped to axis `axes[i]`, reversed if `reflects[i]`.
#[derive(Debug, Clone)]
struct Isometry {
    axes: Vec<usize>,
    reflects: Vec<bool>,
}

impl Isometry {
    /// Returns the symmetry that maps every square to itself.
    fn identity(dimension: usize) -> Self {
        Self { axes: (0..dimension).collect(), reflects: vec![false; dimension] }
    }
}

/// Returns the symmetries of a box, or only its reflections if there are more than [`MAX_GROUP`].
fn isometries(sides: &[u32]) -> Vec<Isometry> {
    let dimension = sides.len();
    let mut orders: Vec<Vec<usize>> = vec![Vec::new()];
    for axis in 0..dimension {
        let is_free = |order: &[usize], image: usize| !order.contains(&image) && sides[image] == sides[axis];
        orders = orders
            .iter()
            .flat_map(|order| {
                let images = (0..dimension).filter(|&image| is_free(order, image));
                images.map(|image| [&order[..], &[image]].concat()).collect::<Vec<_>>()
            })
            .collect();
        if orders.len() << dimension > MAX_GROUP {
            orders = vec![(0..dimension).collect()];
            break;
        }
    }
    let reflections = (0u32..1 << dimension)
        .map(|bits| (0..dimension).map(|axis| bits >> axis & 1 == 1).collect::<Vec<bool>>());
    reflections
        .flat_map(|reflects| {
            let with_order =
                move |axes: &Vec<usize>| Isometry { axes: axes.clone(), reflects: reflects.clone() };
            orders.iter().map(with_order).collect::<Vec<_>>()
        })
        .collect()
}

/// Set of squares on the board.
struct LocalSet {
    kind: Rc<Kind>,
    /// Squares, in the order of the points of the kind.
    squares: Vec<Vec<u32>>,
    /// Graph of attacks, with the symmetries of the board that map the set to itself.
    graph: SymmetricGraph,
    /// Number of the orbit of each square under these symmetries.
    orbit_of: Vec<usize>,
    /// Column of each orbit, whose value is that of its squares.
    columns: Vec<u32>,
    /// Number of rounds since the last cut in which the set gave none.
    failures: u32,
    /// Number of rounds in which the set is left out.
    rest: u32,
}

/// Function that returns the corners of the sets of a kind from the number of positions along each axis.
type Corners<'a> = dyn Fn(&dyn Fn(usize) -> u32, &Kind) -> Vec<Vec<u32>> + 'a;

/// Places of the sets, and the symmetries under which cuts are averaged.
struct Scope<'a> {
    kinds: Vec<Kind>,
    group: Vec<Isometry>,
    corners: &'a Corners<'a>,
    /// Returns the column of a square.
    column: &'a dyn Fn(&[u32]) -> u32,
}

/// Separation of local cuts on a board.
pub(super) struct LocalCuts {
    sets: Vec<LocalSet>,
    /// Independent sets of each kind, as numbers of points.
    independent_sets: HashMap<Rc<Kind>, BTreeSet<Vec<u16>>>,
}

impl LocalCuts {
    /// Lists the sets of at most `max_squares` squares up to the symmetries of the board, for points that are
    /// the same on all squares of an orbit. `column_of` has the column of each orbit of squares.
    pub(super) fn up_to_symmetry(
        board: &Board,
        orbits: &BoxOrbits,
        column_of: &HashMap<Orbit, u32>,
        max_squares: usize,
    ) -> Self {
        let sides = orbits.sides();
        let scope = Scope {
            kinds: kinds(sides, max_squares.min(MAX_VERTICES), true),
            group: isometries(sides),
            corners: &|room, kind| orbits.positions(room, |axis| kind.sides[axis]),
            column: &|square| column_of[&orbits.orbit(square)],
        };
        Self::new(board, sides, scope)
    }

    /// Lists all sets of at most `max_squares` squares, for points that have a value for each square. The columns
    /// are the squares of the board.
    pub(super) fn at_all_places(board: &Board, sides: &[u32], max_squares: usize) -> Self {
        let scope = Scope {
            kinds: kinds(sides, max_squares.min(MAX_VERTICES), false),
            group: vec![Isometry::identity(sides.len())],
            corners: &|room, _| {
                let places = (0..sides.len()).map(room).collect();
                Shape::Lattice { corner: vec![0; sides.len()], sides: places, stride: 1 }.squares()
            },
            column: &|square| board.square(square).expect("a square of a set is on the board"),
        };
        Self::new(board, sides, scope)
    }

    fn new(board: &Board, sides: &[u32], scope: Scope<'_>) -> Self {
        let Scope { mut kinds, group, corners, column } = scope;
        kinds.sort_by_key(|kind| (kind.size(), kind.clone()));
        let mut sets = Vec::new();
        for kind in kinds.into_iter().map(Rc::new) {
            let points = kind.points();
            let Some(neighbours) = neighbours(board, &points) else { continue };
            let extents = kind.extents();
            for scale in 1.. {
                let room = |axis: usize| sides[axis].saturating_sub(scale * extents[axis]);
                if (0..sides.len()).any(|axis| room(axis) == 0) {
                    break;
                }
                for corner in corners(&room, &kind) {
                    let square = |point: &Vec<u32>| -> Vec<u32> {
                        corner.iter().zip(point).map(|(a, x)| a + scale * x).collect()
                    };
                    let squares: Vec<Vec<u32>> = points.iter().map(square).collect();
                    let symmetries = stabiliser(sides, &group, &kind, &points, &corner, scale);
                    let graph = SymmetricGraph::new(neighbours.clone(), symmetries);
                    let orbit_of = graph.orbits();
                    let mut columns = vec![0; orbit_of.iter().max().map_or(0, |last| last + 1)];
                    for (square, &orbit) in squares.iter().zip(&orbit_of) {
                        columns[orbit] = column(square);
                    }
                    sets.push(LocalSet {
                        kind: Rc::clone(&kind),
                        squares,
                        graph,
                        orbit_of,
                        columns,
                        failures: 0,
                        rest: 0,
                    });
                }
            }
        }
        Self { sets, independent_sets: HashMap::new() }
    }

    /// Returns cuts that a point violates, those of small sets first. `point` has the value of each column. The search ends with the cuts found so far if `keep_going`, which is called often, returns
    /// `false`.
    pub(super) fn violated_cuts(
        &mut self,
        point: &[f64],
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Vec<OrbitRow> {
        let mut cuts = Vec::new();
        // Sets that gave no cuts are left out for a growing number of rounds, unless no other set gives one.
        for is_patient in [false, true] {
            for set in self.sets.iter_mut().filter(|set| (set.rest > 0) == is_patient) {
                if cuts.len() >= MAX_CUTS || !keep_going() {
                    break;
                }
                let known = self.independent_sets.entry(Rc::clone(&set.kind)).or_default();
                let cut = set.violated_cut(point, known, keep_going);
                (set.failures, set.rest) = match &cut {
                    Some(_) => (0, 0),
                    None => (set.failures + 1, 1 << set.failures.min(MAX_REST)),
                };
                cuts.extend(cut);
            }
            if !cuts.is_empty() {
                break;
            }
        }
        self.sets.iter_mut().for_each(|set| set.rest = set.rest.saturating_sub(1));
        cuts
    }
}

/// Returns the kinds of sub-boxes of a box; with `up_to_exchange`, up to exchanging axes of the same length.
fn kinds(sides: &[u32], max_squares: usize, up_to_exchange: bool) -> Vec<Kind> {
    let mut boxes: Vec<Vec<u32>> = vec![Vec::new()];
    for (axis, &side) in sides.iter().enumerate() {
        let extend = |shorter: Vec<u32>| {
            let is_sorted = up_to_exchange && axis > 0 && sides[axis - 1] == side;
            let least = if is_sorted { shorter[axis - 1] } else { 1 };
            let product: usize = shorter.iter().map(|&side| side as usize).product();
            let is_small = move |&side: &u32| product * side as usize <= max_squares;
            (least..=side.min(MAX_SIDE)).filter(is_small).map(move |side| [&shorter[..], &[side]].concat())
        };
        boxes = boxes.into_iter().flat_map(extend).collect();
    }
    // Boxes with sides of at most 2 are cliques.
    boxes.retain(|sides| {
        sides.iter().any(|&side| side > 2) && sides.iter().filter(|&&side| side > 1).count() > 1
    });
    let with_centres =
        |sides: Vec<u32>| [false, true].map(|has_centres| Kind { sides: sides.clone(), has_centres });
    let kinds = boxes.into_iter().flat_map(with_centres);
    kinds.filter(|kind| kind.size() <= max_squares).collect()
}

/// Returns the neighbours of each point in the graph of attacks, or `None` if the points do not fit on the
/// board.
fn neighbours(board: &Board, points: &[Vec<u32>]) -> Option<Vec<VertexSet>> {
    let squares = points.iter().map(|point| board.square(point)).collect::<Option<Vec<_>>>()?;
    let neighbours = |&square: &_| {
        let mut set = VertexSet::default();
        let others = squares.iter().enumerate();
        others.filter(|(_, other)| board.attacks(square, **other)).for_each(|(number, _)| set.insert(number));
        set
    };
    Some(squares.iter().map(neighbours).collect())
}

/// Returns the symmetries of the board that map a set to itself, as permutations of its points.
fn stabiliser(
    sides: &[u32],
    group: &[Isometry],
    kind: &Kind,
    points: &[Vec<u32>],
    corner: &[u32],
    scale: u32,
) -> Vec<Permutation> {
    let extents = kind.extents();
    let fixes = |isometry: &&Isometry| {
        isometry.axes.iter().zip(&isometry.reflects).enumerate().all(|(axis, (&image, &reflects))| {
            let start = match reflects {
                true => sides[axis] - 1 - corner[axis] - scale * extents[axis],
                false => corner[axis],
            };
            kind.sides[axis] == kind.sides[image] && start == corner[image]
        })
    };
    let number_of: HashMap<&Vec<u32>, u16> = points.iter().zip(0..).collect();
    let permute = |isometry: &Isometry| -> Permutation {
        let map = |point: &Vec<u32>| {
            let mut mapped = point.clone();
            for (axis, (&image, &reflects)) in isometry.axes.iter().zip(&isometry.reflects).enumerate() {
                mapped[image] = if reflects { extents[axis] - point[axis] } else { point[axis] };
            }
            number_of[&mapped]
        };
        points.iter().map(map).collect()
    };
    let permutations: BTreeSet<Permutation> = group.iter().filter(fixes).map(permute).collect();
    permutations.into_iter().collect()
}

impl LocalSet {
    /// Returns the cut that the point violates most, relative to its right-hand side, or `None` if none was
    /// found within the limits. Adds the independent sets that the search finds to `known`.
    fn violated_cut(
        &self,
        point: &[f64],
        known: &mut BTreeSet<Vec<u16>>,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Option<OrbitRow> {
        let orbits = self.columns.len();
        let mut objective = vec![0.0; orbits];
        for &orbit in &self.orbit_of {
            objective[orbit] += point[self.columns[orbit] as usize].max(LIFTING);
        }
        if objective.iter().sum::<f64>() <= MIN_RATIO {
            return None;
        }
        let mut counts: BTreeSet<Vec<u32>> = known.iter().map(|set| self.count(set)).collect();
        // The most violated cut among those that are valid for the independent sets of the rows.
        let mut lp = SimplexProgram::new(&objective)?;
        for _ in 0..MAX_LPS {
            let Optimum { value, primal: coefficients, .. } = lp.solve()?;
            if value <= MIN_RATIO || !keep_going() {
                return None;
            }
            let mut violated: Vec<(f64, Vec<u32>)> = counts
                .iter()
                .map(|count| (dot(count, &coefficients), count.clone()))
                .filter(|(weight, _)| *weight > 1.0 + 2.0 * TOLERANCE as f64 / SCALE as f64)
                .collect();
            if violated.is_empty() {
                let weights =
                    self.expand(coefficients.iter().map(|coefficient| (coefficient * SCALE as f64) as u64));
                let found = self.search(&weights, SCALE + TOLERANCE, true, keep_going);
                if found.sets.is_empty() {
                    return if found.is_complete {
                        self.integer_cut(&coefficients, point, known, keep_going)
                    } else {
                        None
                    };
                }
                for set in found.sets {
                    let set: Vec<u16> = set.into_iter().map(|vertex| vertex as u16).collect();
                    let count = self.count(&set);
                    known.insert(set);
                    counts.insert(count.clone());
                    violated.push((dot(&count, &coefficients), count));
                }
            }
            violated.sort_by(|a, b| b.0.total_cmp(&a.0));
            for (_, count) in violated.into_iter().take(MAX_ROWS_PER_ROUND) {
                let terms = count.iter().enumerate().filter(|(_, count)| **count > 0);
                lp.add_weighted_row(terms.map(|(orbit, &count)| (orbit, f64::from(count))), 1.0)?;
            }
        }
        None
    }

    /// Returns an integer cut near the coefficients, with the right-hand side that an exact search finds, or
    /// `None` if the point does not violate it.
    fn integer_cut(
        &self,
        coefficients: &[f64],
        point: &[f64],
        known: &BTreeSet<Vec<u16>>,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Option<OrbitRow> {
        let weights = self.expand(scale_to_integers(coefficients).into_iter());
        let weight_of = |set: &Vec<u16>| set.iter().map(|&vertex| weights[vertex as usize]).sum::<u64>();
        let least = known.iter().map(weight_of).max().unwrap_or(0).max(*weights.iter().max()?);
        let found = self.search(&weights, least, false, keep_going);
        if !found.is_complete {
            return None;
        }
        let heaviest = found.sets.last();
        let rhs = heaviest.map_or(least, |set| set.iter().map(|&vertex| weights[vertex]).sum());
        let left: f64 = weights
            .iter()
            .zip(&self.orbit_of)
            .map(|(&weight, &orbit)| weight as f64 * point[self.columns[orbit] as usize])
            .sum();
        if left <= rhs as f64 * MIN_RATIO {
            return None;
        }
        let terms = self.squares.iter().cloned().zip(weights).filter(|(_, weight)| *weight > 0);
        Some(OrbitRow { shape: Shape::Weighted(terms.collect()), rhs, bound: None })
    }

    fn search(
        &self,
        weights: &[u64],
        threshold: u64,
        is_eager: bool,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> HeavierSets {
        self.graph.heavier_sets(weights, threshold, NODE_LIMIT, is_eager, keep_going)
    }

    /// Returns the number of vertices of a set in each orbit.
    fn count(&self, set: &[u16]) -> Vec<u32> {
        let mut count = vec![0; self.columns.len()];
        set.iter().for_each(|&vertex| count[self.orbit_of[vertex as usize]] += 1);
        count
    }

    /// Returns the weight of each square from those of the orbits.
    fn expand(&self, weights: impl Iterator<Item = u64>) -> Vec<u64> {
        let weights: Vec<u64> = weights.collect();
        self.orbit_of.iter().map(|&orbit| weights[orbit]).collect()
    }
}

/// Returns the sum of coefficients multiplied by counts.
fn dot(count: &[u32], coefficients: &[f64]) -> f64 {
    count.iter().zip(coefficients).map(|(&count, coefficient)| f64::from(count) * coefficient).sum()
}

/// Returns integers in nearly the same ratios: multiples by the first denominator that makes all coefficients
/// nearly integers, or rounded multiples by [`MAX_DENOMINATOR`].
fn scale_to_integers(coefficients: &[f64]) -> Vec<u64> {
    let scaled =
        |denominator: u32| coefficients.iter().map(move |coefficient| coefficient * f64::from(denominator));
    let is_integral = |denominator: &u32| scaled(*denominator).all(|x| (x - x.round()).abs() < 1e-5);
    let denominator = (1..=MAX_DENOMINATOR).find(is_integral).unwrap_or(MAX_DENOMINATOR);
    scaled(denominator).map(|x| x.round().max(0.0) as u64).collect()
}
