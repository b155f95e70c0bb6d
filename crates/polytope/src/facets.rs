//! All facets of the independent-set polytope of a small board.

use std::collections::HashMap;
use std::io::{self, Write};

use ndqueens_model::board::{Board, Square};
use ndqueens_notation::error_class::{Classified, ErrorClass};
use ndqueens_system::cancel::Control;

use crate::adjacency::{Decomposition, PointSet};
use crate::double_description::ConeError;
use crate::equations::{Entry, Equations};
use crate::face::{Verdict, examine};
use crate::halfspace::Halfspace;
use crate::solutions::{Kind, ListError, list};
use crate::symmetry::Symmetries;

/// Largest number of images of the independent sets under the symmetries.
const MOST_IMAGES: usize = 1 << 26;

/// Number of intermediate facets above which [`Method::Automatic`] uses adjacency decomposition.
const DIRECT_FACETS: usize = 2000;

/// Method that enumerates facets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// The double description method, and adjacency decomposition if that has more than 2,000 intermediate
    /// facets.
    #[default]
    Automatic,
    /// The double description method, without a limit on the number of intermediate facets.
    DoubleDescription,
    /// Adjacency decomposition.
    AdjacencyDecomposition,
}

/// Limits of an enumeration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Largest number of independent sets of a board.
    pub sets: usize,
    /// Number of intermediate facets above which a face is decomposed further.
    pub intermediate_facets: usize,
    /// Method.
    pub method: Method,
}

impl Default for Limits {
    fn default() -> Self {
        Self { sets: 20_000, intermediate_facets: 20_000, method: Method::Automatic }
    }
}

/// Orbit of facets under the symmetries of the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FacetOrbit {
    /// Smallest facet of the orbit, with coprime numbers.
    pub halfspace: Halfspace,
    /// Number of facets of the orbit.
    pub size: usize,
    /// Number of independent sets on the facet.
    pub tight_sets: usize,
    /// Affinely independent sets among them, as many as the board has squares.
    pub sets: Vec<Vec<Square>>,
}

/// Facets of the independent-set polytope of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facets {
    /// Orbits of facets: nonnegativity first, then by increasing right-hand side and number of squares.
    pub orbits: Vec<FacetOrbit>,
    /// Number of independent sets of the board.
    pub sets: usize,
    /// Number of symmetries of the board that were used.
    pub symmetries: usize,
    /// Reason why there may be more facets; `None` if the list is complete.
    pub incomplete: Option<String>,
}

impl Facets {
    /// Returns the number of facets.
    #[must_use]
    pub fn count(&self) -> usize {
        self.orbits.iter().map(|orbit| orbit.size).sum()
    }
}

/// Reason why no facets were enumerated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FacetError {
    /// Board without squares.
    #[error("{0} has no squares")]
    NoSquares(String),
    /// Independent sets that cannot be listed.
    #[error(transparent)]
    Sets(#[from] ListError),
    /// Inequality that was found and is not a facet, which is a bug.
    #[error("{0} was found as a facet, and the check of it says: {1}")]
    Unconfirmed(String, String),
}

impl Classified for FacetError {
    fn class(&self) -> ErrorClass {
        match self {
            Self::NoSquares(_) => ErrorClass::BadInput,
            Self::Sets(error) => error.class(),
            Self::Unconfirmed(..) => ErrorClass::Failure,
        }
    }
}

/// Returns the facets of the independent-set polytope of a board, one of each orbit. Every facet is checked:
/// its inequality is valid by an exact search, and its tight sets have the rank of a facet.
///
/// # Errors
/// Returns an error if the board has too many independent sets.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
/// use ndqueens_polytope::facets::{Limits, enumerate_facets};
/// use ndqueens_system::cancel::Control;
///
/// let board = Board::new(&"2x3x3".parse()?);
/// let facets = enumerate_facets(&board, &Limits::default(), &Control::new())?;
/// assert_eq!((facets.orbits.len(), facets.count()), (13, 66));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn enumerate_facets(board: &Board, limits: &Limits, control: &Control) -> Result<Facets, FacetError> {
    enumerate_facets_with(board, limits, control, &mut |_, _| {})
}

/// Returns the same as [`enumerate_facets`]. Calls `watch` during an adjacency decomposition with the number
/// of orbits found and the number of those whose neighbours are not known yet.
///
/// # Errors
/// Returns an error in the cases of [`enumerate_facets`].
pub fn enumerate_facets_with(
    board: &Board,
    limits: &Limits,
    control: &Control,
    watch: &mut dyn FnMut(usize, usize),
) -> Result<Facets, FacetError> {
    if board.size() == 0 {
        return Err(FacetError::NoSquares(board.name().to_string()));
    }
    let sets = list(board, Kind::Independent, limits.sets, control)?;
    let symmetries = Symmetries::at_most(MOST_IMAGES / sets.len(), board);
    let points: Vec<Vec<Entry>> = sets.iter().map(|set| point(set)).collect();
    let group = permute_sets(&sets, &symmetries);
    let (points, symmetries) = (&points, &symmetries);
    let confirm = |facet: &PointSet| confirm(board, points, facet, symmetries);
    let decompose = |most| Decomposition::new(points, board.size() + 1, group, most, control);
    let (orbits, incomplete) = match limits.method {
        Method::DoubleDescription => describe(&decompose(usize::MAX), &confirm)?,
        Method::AdjacencyDecomposition => {
            explore(&mut decompose(limits.intermediate_facets), &confirm, watch)?
        }
        Method::Automatic => {
            let mut decomposition = decompose(DIRECT_FACETS);
            match describe(&decomposition, &confirm)? {
                (_, Some(ConeError::TooManyFacets(_))) => {
                    decomposition.set_limit(limits.intermediate_facets);
                    explore(&mut decomposition, &confirm, watch)?
                }
                described => described,
            }
        }
    };
    let mut facets = Facets {
        orbits,
        sets: sets.len(),
        symmetries: symmetries.order(),
        incomplete: incomplete.map(|error| error.to_string()),
    };
    let support = |orbit: &FacetOrbit| orbit.halfspace.support().len();
    facets.orbits.sort_by_cached_key(|orbit| (orbit.halfspace.rhs, support(orbit), orbit.halfspace.clone()));
    Ok(facets)
}

/// Orbits of facets, and the reason why there may be more.
type FoundFacets = (Vec<FacetOrbit>, Option<ConeError>);

/// Check of a facet, given by its points.
type Confirm<'a> = dyn Fn(&PointSet) -> Result<FacetOrbit, FacetError> + 'a;

/// Returns the facets by the double description method.
fn describe(decomposition: &Decomposition<'_>, confirm: &Confirm<'_>) -> Result<FoundFacets, FacetError> {
    match decomposition.facets_at_once() {
        Ok(found) => Ok((found.iter().map(confirm).collect::<Result<_, _>>()?, None)),
        Err(error) => Ok((Vec::new(), Some(error))),
    }
}

/// Returns the facets by adjacency decomposition. Checks each one when it is found, so that little is left to
/// do after a stop request.
fn explore(
    decomposition: &mut Decomposition<'_>,
    confirm: &Confirm<'_>,
    watch: &mut dyn FnMut(usize, usize),
) -> Result<FoundFacets, FacetError> {
    let mut orbits: Vec<FacetOrbit> = Vec::new();
    let mut failed = None;
    let decomposed = decomposition.facets(&mut |progress| {
        for found in progress.orbits.iter().skip(orbits.len()) {
            match confirm(&found.representative) {
                Ok(orbit) => orbits.push(orbit),
                Err(error) => {
                    failed.get_or_insert(error);
                    return;
                }
            }
        }
        watch(orbits.len(), progress.untreated);
    });
    if let Some(error) = failed {
        return Err(error);
    }
    for facet in decomposed.orbits.iter().skip(orbits.len()) {
        orbits.push(confirm(facet)?);
    }
    Ok((orbits, decomposed.incomplete))
}

/// Returns the characteristic vector of a set, after a constant entry 1.
fn point(set: &[Square]) -> Vec<Entry> {
    [0].into_iter().chain(set.iter().map(|square| square + 1)).collect()
}

/// Returns the image of each set under each symmetry, by number.
fn permute_sets(sets: &[Vec<Square>], symmetries: &Symmetries) -> Vec<Vec<u32>> {
    let numbers: HashMap<&[Square], u32> = sets.iter().map(Vec::as_slice).zip(0..).collect();
    let permute = |images: &Vec<Square>| {
        let image = |set: &Vec<Square>| {
            let mut image: Vec<Square> = set.iter().map(|&square| images[square as usize]).collect();
            image.sort_unstable();
            numbers[image.as_slice()]
        };
        sets.iter().map(image).collect()
    };
    symmetries.images().iter().map(permute).collect()
}

/// Returns the orbit of the facet on which the points of `tight` lie, after checking that it is a facet.
fn confirm(
    board: &Board,
    points: &[Vec<Entry>],
    tight: &PointSet,
    symmetries: &Symmetries,
) -> Result<FacetOrbit, FacetError> {
    let halfspace = hyperplane(board.size(), points, tight)
        .ok_or_else(|| FacetError::Unconfirmed("a set of points".to_owned(), "no hyperplane".to_owned()))?;
    let halfspace = symmetries.representative(&halfspace);
    let unconfirmed = |why: String| FacetError::Unconfirmed(halfspace.format(board), why);
    let face = examine(board, &halfspace, &Control::new()).map_err(|error| unconfirmed(error.to_string()))?;
    if face.verdict != Verdict::Facet {
        return Err(unconfirmed(format!("its face has dimension {}", face.dimension)));
    }
    let size = symmetries.orbit_size(&halfspace);
    Ok(FacetOrbit { halfspace, size, tight_sets: tight.count_ones(..), sets: face.sets })
}

/// Returns the inequality whose hyperplane contains the points of `tight` and no others, with coprime
/// numbers; `None` if there is not exactly one.
fn hyperplane(size: usize, points: &[Vec<Entry>], tight: &PointSet) -> Option<Halfspace> {
    let mut equations = Equations::new(size + 1);
    for point in tight.ones() {
        equations.insert(&points[point]).ok()?;
    }
    let [row] = equations.rows() else { return None };
    let outside = (0..points.len()).find(|&point| !tight.contains(point))?;
    let value: i128 = points[outside].iter().map(|&at| row[at as usize]).sum();
    let number = |x: i128| i64::try_from(-x * value.signum()).ok();
    let coefficients = row[1..].iter().map(|&x| number(x)).collect::<Option<Vec<_>>>()?;
    Some(Halfspace { coefficients, rhs: -number(row[0])? }.primitive())
}
/// Writes one facet of each orbit as a CSV file of rows, which a formulation may name.
///
/// # Errors
/// Returns an error if the output cannot be written.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
/// use ndqueens_polytope::facets::{Limits, enumerate_facets, write_csv};
/// use ndqueens_system::cancel::Control;
///
/// let board = Board::new(&"1x2".parse()?);
/// let facets = enumerate_facets(&board, &Limits::default(), &Control::new())?;
/// let mut text = Vec::new();
/// write_csv(&board, &facets.orbits, &mut text)?;
/// let text = String::from_utf8(text)?;
/// assert!(text.contains("facet_1,<=,1,1,\"(0,0)\"\nfacet_1,<=,1,1,\"(0,1)\"\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_csv(board: &Board, orbits: &[FacetOrbit], out: &mut dyn Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(["row", "sense", "rhs", "coefficient", "square"])?;
    for (k, FacetOrbit { halfspace, .. }) in orbits.iter().enumerate() {
        for square in halfspace.support() {
            let coefficient = halfspace.coefficients[square as usize];
            writer.write_record([
                format!("facet_{k}"),
                "<=".to_owned(),
                halfspace.rhs.to_string(),
                coefficient.to_string(),
                board.label(square),
            ])?;
        }
    }
    writer.flush()
}
