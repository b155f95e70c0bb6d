//! All facets of the independent-set polytope of a small board.

use ndqueens_model::board::{Board, Square};
use ndqueens_notation::error_class::{Classified, ErrorClass};
use ndqueens_system::cancel::Control;

use crate::adjacency::{Decomposition, PointSet, Progress};
use crate::double_description::ConeError;
use crate::equations::{Entry, Equations};
use crate::face::{FaceError, Verdict, examine};
use crate::halfspace::Halfspace;
use crate::solutions::{Kind, ListError, list};
use crate::symmetry::Symmetries;

/// Method that enumerates facets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// The double description method, and adjacency decomposition if that has too many intermediate facets.
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
    /// Largest number of intermediate facets of the double description method, except with
    /// [`Method::DoubleDescription`].
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
}

/// Facets of the independent-set polytope of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facets {
    /// Orbits of facets: nonnegativity first, then by increasing right-hand side and number of squares.
    pub orbits: Vec<FacetOrbit>,
    /// Number of independent sets of the board.
    pub sets: usize,
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
    let symmetries = Symmetries::of(board);
    let constant = board.size() as Entry;
    let points: Vec<Vec<Entry>> = sets.iter().map(|set| [set.as_slice(), &[constant]].concat()).collect();
    let group = permute_sets(&sets, &symmetries);
    let most = match limits.method {
        Method::DoubleDescription => usize::MAX,
        Method::Automatic | Method::AdjacencyDecomposition => limits.intermediate_facets,
    };
    let mut decomposition = Decomposition::new(&points, board.size() + 1, group, most, control);
    let at_once = match limits.method {
        Method::AdjacencyDecomposition => Err(ConeError::TooManyFacets(most)),
        Method::Automatic | Method::DoubleDescription => decomposition.facets_at_once(),
    };
    let (found, incomplete) = match at_once {
        Ok(found) => (found, None),
        Err(ConeError::TooManyFacets(_)) => {
            let mut watch = |Progress { orbits, untreated }: Progress| watch(orbits, untreated);
            let decomposed = decomposition.facets(&mut watch);
            (decomposed.orbits, decomposed.incomplete)
        }
        Err(error) => (Vec::new(), Some(error)),
    };
    let mut orbits = Vec::new();
    for tight in found {
        orbits.push(confirm(board, &points, &tight, &symmetries)?);
    }
    let support = |orbit: &FacetOrbit| orbit.halfspace.support().len();
    orbits.sort_by_cached_key(|orbit| (orbit.halfspace.rhs, support(orbit), orbit.halfspace.clone()));
    Ok(Facets { orbits, sets: sets.len(), incomplete: incomplete.map(|error| error.to_string()) })
}

/// Returns the image of each set under each symmetry, by number.
fn permute_sets(sets: &[Vec<Square>], symmetries: &Symmetries) -> Vec<Vec<u32>> {
    let numbers: std::collections::HashMap<&[Square], u32> =
        sets.iter().map(Vec::as_slice).zip(0..).collect();
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
    let unconfirmed =
        |halfspace: &Halfspace, why: String| FacetError::Unconfirmed(halfspace.format(board), why);
    let halfspace = hyperplane(board.size(), points, tight)
        .ok_or_else(|| FacetError::Unconfirmed("a set of points".to_owned(), "no hyperplane".to_owned()))?;
    let face = examine(board, &halfspace, &Control::new())
        .map_err(|error: FaceError| unconfirmed(&halfspace, error.to_string()))?;
    if !matches!(face.verdict, Verdict::Facet) {
        return Err(unconfirmed(&halfspace, format!("its face has dimension {}", face.dimension)));
    }
    let tight_sets = tight.count_ones(..);
    let size = symmetries.orbit_size(&halfspace);
    Ok(FacetOrbit { halfspace: symmetries.representative(&halfspace), size, tight_sets })
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
    let coefficients = row[..size].iter().map(|&x| number(x)).collect::<Option<Vec<_>>>()?;
    Some(Halfspace { coefficients, rhs: -number(row[size])? }.primitive())
}
