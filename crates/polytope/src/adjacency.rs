//! Facets of a face of a polytope up to symmetry, by adjacency decomposition.
//!
//! Each facet F of a face W has facets of its own, the ridges of W in F, and beyond each ridge there is one
//! other facet of W. Starting from one facet, the facets of W are found by computing the ridges of one facet
//! of each orbit. The ridges of F are computed in the same way, or by the double description method if that
//! stays within a limit.
//!
//! Not all orbits have to be treated. The facets of a polytope of dimension d form a d-connected graph
//! (Balinski), and those that do not contain a given vertex form a connected graph. The list is therefore
//! complete if fewer than d facets are untreated, or if all untreated ones contain a common vertex.
//!
//! # References
//! T. Christof, G. Reinelt, *Combinatorial optimization and small polytopes*, TOP 4 (1996), 1-64.
//! D. Bremner, M. Dutour Sikiric, A. Schuermann, *Polyhedral representation conversion up to symmetries*,
//! 2009.
//! M. L. Balinski, *On the graph structure of convex polyhedra in n-space*, 1961.

use std::collections::{BTreeSet, HashMap, HashSet};

use fixedbitset::FixedBitSet;
use ndqueens_system::cancel::Control;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

use crate::double_description::{ConeError, cone_facets};
use crate::equations::{Entry, Equations, Overflow, combine, evaluate, spanning_positions};

/// Set of points of a polytope, by their numbers.
pub(crate) type PointSet = FixedBitSet;

/// Progress of a decomposition at its outermost level.
pub(crate) struct Progress<'f> {
    /// Orbits of facets found so far, in the order of their discovery.
    pub(crate) orbits: &'f [PointOrbit],
    /// Number of orbits whose ridges are not computed yet.
    pub(crate) untreated: usize,
}

/// Polytope with 0/1 vertices and a group of symmetries, whose faces are decomposed.
pub(crate) struct Decomposition<'a> {
    /// Vertices with 1 as the first entry.
    points: &'a [Vec<Entry>],
    /// Length of the vertices.
    width: usize,
    /// Image of each point under each symmetry.
    group: Vec<Vec<u32>>,
    /// Number of intermediate facets above which a face is decomposed.
    most_facets: usize,
    control: &'a Control,
    /// Facets of faces that were computed, one of each orbit under the stabiliser of the face, by the
    /// smallest image of the face.
    known: HashMap<PointSet, Vec<PointSet>>,
}

/// Facets of a polytope that a decomposition found.
#[derive(Debug)]
pub(crate) struct Decomposed {
    /// Facets, one of each orbit, in the order of their discovery.
    pub(crate) orbits: Vec<PointSet>,
    /// Reason why there may be more; `None` if the list is complete.
    pub(crate) incomplete: Option<ConeError>,
}

/// Face whose facets are computed, with coordinates in which it has full dimension.
struct Frame {
    face: PointSet,
    /// Number of coordinates.
    rank: usize,
    /// Vector of each point; empty for points that are not on the face.
    vectors: Vec<Vec<Entry>>,
    /// Symmetries that map the face to itself.
    stabiliser: Vec<usize>,
}

/// Facets of a face during a decomposition.
#[derive(Default)]
struct Found {
    orbits: Vec<PointOrbit>,
    representatives: HashSet<PointSet>,
    /// Numbers of the orbits whose ridges are not computed yet.
    untreated: Vec<usize>,
}

impl Found {
    /// Returns the facets, one of each orbit.
    fn into_representatives(self) -> Vec<PointSet> {
        self.orbits.into_iter().map(|orbit| orbit.representative).collect()
    }

    /// Returns `true` if the list is known to be complete although some orbits are untreated.
    fn is_complete(&self, frame: &Frame) -> bool {
        if self.untreated.len() == self.orbits.len() {
            return false;
        }
        let facets: usize = self.untreated.iter().map(|&orbit| self.orbits[orbit].size).sum();
        let mut common = frame.face.clone();
        self.untreated.iter().for_each(|&orbit| common.intersect_with(&self.orbits[orbit].common));
        facets + 1 < frame.rank || !common.is_clear()
    }

    /// Removes the untreated orbit of facets with the fewest points, whose ridges are computed quickly.
    fn next(&mut self) -> Option<PointSet> {
        let points = |&at: &usize| self.orbits[self.untreated[at]].representative.count_ones(..);
        let next = (0..self.untreated.len()).min_by_key(points)?;
        Some(self.orbits[self.untreated.swap_remove(next)].representative.clone())
    }
}

/// Orbit of facets of a face.
pub(crate) struct PointOrbit {
    /// Facet of the orbit.
    pub(crate) representative: PointSet,
    size: usize,
    /// Points that lie on all facets of the orbit.
    common: PointSet,
}

impl<'a> Decomposition<'a> {
    /// Creates the decomposition of the polytope with these vertices, whose entries are below `width`.
    pub(crate) fn new(
        points: &'a [Vec<Entry>],
        width: usize,
        group: Vec<Vec<u32>>,
        most_facets: usize,
        control: &'a Control,
    ) -> Self {
        Self { points, width, group, most_facets, control, known: HashMap::new() }
    }

    /// Sets the number of intermediate facets above which a face is decomposed.
    pub(crate) fn set_limit(&mut self, most_facets: usize) {
        self.most_facets = most_facets;
    }

    /// Returns the facets of the whole polytope up to symmetry, and calls `watch` after each treated orbit.
    pub(crate) fn facets(&mut self, watch: &mut dyn FnMut(&Progress<'_>)) -> Decomposed {
        let mut whole = PointSet::with_capacity(self.points.len());
        whole.insert_range(..);
        let mut found = Found::default();
        let incomplete = self.decompose(&whole, &mut found, watch).err();
        Decomposed { orbits: found.into_representatives(), incomplete }
    }

    /// Returns the facets of the whole polytope up to symmetry, by the double description method.
    ///
    /// # Errors
    /// Returns an error if there are too many intermediate facets, integers exceed their type, or a stop is
    /// requested.
    pub(crate) fn facets_at_once(&self) -> Result<Vec<PointSet>, ConeError> {
        let mut whole = PointSet::with_capacity(self.points.len());
        whole.insert_range(..);
        self.describe(&whole)
    }

    /// Returns the facets of a face, one of each orbit under its stabiliser.
    fn facets_of(&mut self, face: &PointSet) -> Result<Vec<PointSet>, ConeError> {
        let (canonical, element) = self.smallest_image(face, 0..self.group.len());
        if !self.known.contains_key(&canonical) {
            let facets = match self.describe(&canonical) {
                Err(ConeError::TooManyFacets(_)) => {
                    let mut found = Found::default();
                    self.decompose(&canonical, &mut found, &mut |_| {})?;
                    found.into_representatives()
                }
                facets => facets?,
            };
            self.known.insert(canonical.clone(), facets);
        }
        let images = &self.group[element];
        let mut back = vec![0; images.len()];
        for (point, &image) in (0..).zip(images) {
            back[image as usize] = point;
        }
        Ok(self.known[&canonical].iter().map(|facet| image_of(facet, &back)).collect())
    }

    /// Returns the facets of a face, one of each orbit under its stabiliser, by the double description
    /// method.
    fn describe(&self, face: &PointSet) -> Result<Vec<PointSet>, ConeError> {
        let frame = self.frame(face)?;
        let members: Vec<usize> = face.ones().collect();
        let generators: Vec<Vec<Entry>> = members.iter().map(|&point| frame.vectors[point].clone()).collect();
        let facets = cone_facets(frame.rank, &generators, self.most_facets, self.control)?;
        let mut representatives = BTreeSet::new();
        for facet in facets {
            let mut points = PointSet::with_capacity(self.points.len());
            points.extend(facet.ones().map(|k| members[k]));
            representatives.insert(self.smallest_image(&points, frame.stabiliser.iter().copied()).0);
        }
        Ok(representatives.into_iter().collect())
    }

    /// Adds to `found` the facets of a face, one of each orbit under its stabiliser, by adjacency
    /// decomposition.
    fn decompose(
        &mut self,
        face: &PointSet,
        found: &mut Found,
        watch: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<(), ConeError> {
        let frame = self.frame(face)?;
        self.add(&smallest_first_facet(&frame)?, &frame, found);
        while !found.is_complete(&frame) {
            if self.control.is_stopped() {
                return Err(ConeError::Stopped);
            }
            let facet = found.next().expect("an incomplete list has untreated orbits");
            for ridge in self.ridges(&facet, &frame)? {
                self.add(&neighbour(&frame, &facet, &ridge)?, &frame, found);
            }
            watch(&Progress { orbits: &found.orbits, untreated: found.untreated.len() });
        }
        Ok(())
    }

    /// Adds the orbit of a facet of a face if it is new.
    fn add(&self, facet: &PointSet, frame: &Frame, found: &mut Found) {
        let (representative, _) = self.smallest_image(facet, frame.stabiliser.iter().copied());
        if !found.representatives.insert(representative.clone()) {
            return;
        }
        let mut common = representative.clone();
        let mut fixing = 0;
        for &element in &frame.stabiliser {
            let image = image_of(&representative, &self.group[element]);
            common.intersect_with(&image);
            fixing += usize::from(image == representative);
        }
        found.untreated.push(found.orbits.len());
        found.orbits.push(PointOrbit { representative, size: frame.stabiliser.len() / fixing, common });
    }

    /// Returns the ridges of a face in one of its facets, one of each orbit under the symmetries that fix
    /// both.
    fn ridges(&mut self, facet: &PointSet, frame: &Frame) -> Result<Vec<PointSet>, ConeError> {
        let ridges = self.facets_of(facet)?;
        let all = self.stabiliser(facet, 0..self.group.len());
        let both = self.stabiliser(facet, frame.stabiliser.iter().copied());
        if all == both {
            return Ok(ridges);
        }
        let mut representatives = BTreeSet::new();
        for ridge in ridges {
            for &element in &all {
                let image = image_of(&ridge, &self.group[element]);
                representatives.insert(self.smallest_image(&image, both.iter().copied()).0);
            }
        }
        Ok(representatives.into_iter().collect())
    }

    /// Returns coordinates in which a face has full dimension.
    fn frame(&self, face: &PointSet) -> Result<Frame, Overflow> {
        let positions =
            spanning_positions(self.width, face.ones().map(|point| self.points[point].as_slice()))?;
        let mut vectors = vec![Vec::new(); self.points.len()];
        for point in face.ones() {
            vectors[point] = restrict(&self.points[point], &positions);
        }
        let stabiliser = self.stabiliser(face, 0..self.group.len());
        Ok(Frame { face: face.clone(), rank: positions.len(), vectors, stabiliser })
    }

    /// Returns the smallest image of a set of points under some symmetries, and a symmetry that gives it.
    fn smallest_image(&self, set: &PointSet, elements: impl IntoIterator<Item = usize>) -> (PointSet, usize) {
        let images = elements.into_iter().map(|element| (image_of(set, &self.group[element]), element));
        images.min().expect("the identity is a symmetry")
    }

    /// Returns those of some symmetries that map a set of points to itself.
    fn stabiliser(&self, set: &PointSet, elements: impl IntoIterator<Item = usize>) -> Vec<usize> {
        elements.into_iter().filter(|&element| image_of(set, &self.group[element]) == *set).collect()
    }
}

/// Number of facets from which the first one is chosen.
const FIRST_FACETS: u64 = 40;

/// Returns the facet with the fewest points of several random ones. The neighbours of such a facet are found
/// quickly, and tend to have few points, too.
fn smallest_first_facet(frame: &Frame) -> Result<PointSet, Overflow> {
    let facets = (0..FIRST_FACETS).map(|seed| random_facet(frame, &mut ChaCha8Rng::seed_from_u64(seed)));
    let facets = facets.collect::<Result<Vec<_>, _>>()?;
    let points = |facet: &PointSet| facet.count_ones(..);
    Ok(facets.into_iter().min_by_key(points).expect("at least one facet"))
}

/// Returns a random facet of a face: begins with the face of the points with the most entries 1, and turns its
/// hyperplane about random axes until it contains a facet.
fn random_facet(frame: &Frame, rng: &mut ChaCha8Rng) -> Result<PointSet, Overflow> {
    let ones = |point: usize| frame.vectors[point].len();
    let most = frame.face.ones().map(ones).max().expect("a face has points");
    let mut functional = vec![-1_i128; frame.rank];
    // The first coordinate is the constant 1.
    functional[0] += most as i128;
    if frame.face.ones().all(|point| ones(point) == most) {
        // Begin with the points on which a coordinate is 0.
        let splits = |at: &Entry| frame.face.ones().any(|point| !frame.vectors[point].contains(at));
        let at = (0..frame.rank as Entry).find(splits).expect("a face of two points or more");
        functional = vec![0; frame.rank];
        functional[at as usize] = 1;
    }
    loop {
        let tight = zeros(frame, &functional)?;
        let equations = equations(frame, &tight)?;
        if equations.rank() + 1 >= frame.rank {
            return Ok(tight);
        }
        let others: Vec<&Vec<i128>> =
            equations.rows().iter().filter(|row| !is_multiple(row, &functional)).collect();
        let sign = if rng.random() { 1 } else { -1 };
        let other = others[rng.random_range(0..others.len())].iter().map(|x| x * sign).collect::<Vec<_>>();
        functional = turn(frame, &functional, &other)?;
    }
}

/// Returns the facet of a face on the other side of a ridge of a facet.
fn neighbour(frame: &Frame, facet: &PointSet, ridge: &PointSet) -> Result<PointSet, Overflow> {
    let of_facet = functional(frame, facet, &frame.face)?;
    let of_ridge = functional(frame, ridge, facet)?;
    zeros(frame, &turn(frame, &of_facet, &of_ridge)?)
}

/// Returns a functional that is 0 on a facet `zero` of a face `within`, and positive on the other points of
/// that face.
fn functional(frame: &Frame, zero: &PointSet, within: &PointSet) -> Result<Vec<i128>, Overflow> {
    let equations = equations(frame, zero)?;
    for row in equations.rows() {
        for point in within.difference(zero) {
            let value = evaluate(row, &frame.vectors[point])?;
            if value != 0 {
                return Ok(row.iter().map(|x| x * value.signum()).collect());
            }
        }
    }
    unreachable!("a facet of a face satisfies an equation that the face does not satisfy")
}

/// Returns a multiple of `other + t * functional` for the smallest t such that it is at least 0 on the face.
/// The functional is at least 0 on the face, and where it is 0, `other` is at least 0.
fn turn(frame: &Frame, functional: &[i128], other: &[i128]) -> Result<Vec<i128>, Overflow> {
    // The largest -g / f with f > 0.
    let mut steepest: Option<(i128, i128)> = None;
    for point in frame.face.ones() {
        let vector = &frame.vectors[point];
        let (f, g) = (evaluate(functional, vector)?, evaluate(other, vector)?);
        if f == 0 {
            continue;
        }
        let is_steeper = match steepest {
            None => true,
            Some((f0, g0)) => g.checked_mul(f0).ok_or(Overflow)? < g0.checked_mul(f).ok_or(Overflow)?,
        };
        if is_steeper {
            steepest = Some((f, g));
        }
    }
    let (f, g) = steepest.expect("the functional is not 0 on the whole face");
    combine(other, f, functional, g)
}

/// Returns the points of a face on which a functional is 0.
fn zeros(frame: &Frame, functional: &[i128]) -> Result<PointSet, Overflow> {
    let mut zeros = PointSet::with_capacity(frame.face.len());
    for point in frame.face.ones() {
        let value = evaluate(functional, &frame.vectors[point])?;
        debug_assert!(value >= 0, "the functional is valid for the face");
        zeros.set(point, value == 0);
    }
    Ok(zeros)
}

/// Returns the equations of some points of a face.
fn equations(frame: &Frame, points: &PointSet) -> Result<Equations, Overflow> {
    let mut equations = Equations::new(frame.rank);
    for point in points.ones() {
        equations.insert(&frame.vectors[point])?;
    }
    Ok(equations)
}

/// Returns the image of a set of points under a permutation.
fn image_of(set: &PointSet, images: &[u32]) -> PointSet {
    let mut image = PointSet::with_capacity(set.len());
    image.extend(set.ones().map(|point| images[point] as usize));
    image
}

/// Returns a vector restricted to increasing positions.
fn restrict(point: &[Entry], positions: &[Entry]) -> Vec<Entry> {
    (0..).zip(positions).filter(|(_, at)| point.contains(at)).map(|(k, _)| k).collect()
}

/// Returns `true` if two nonzero vectors are multiples of each other.
fn is_multiple(a: &[i128], b: &[i128]) -> bool {
    let Some(at) = a.iter().position(|&x| x != 0) else { return false };
    b[at] != 0 && combine(a, b[at], b, a[at]).is_ok_and(|row| row.iter().all(|&x| x == 0))
}
