//! Verification of certificates of facets, from the definition of the board.
//!
//! An inequality a·x <= b defines a facet of the convex hull of the independent sets of a board with N
//! squares if it is valid and N independent sets with affinely independent characteristic vectors satisfy it
//! with equality. Validity is decided by the search for a heavier independent set of [`weighted`]. Vectors that are linearly independent modulo a prime are linearly independent over the rationals.

use std::collections::HashMap;

use ndqueens_notation::certificate::facets::{FacetCertificate, FacetCertificates};
use ndqueens_notation::certificate::{format_square, format_squares};
use ndqueens_notation::error_class::{Classified, ErrorClass};

use crate::boards::definition;
use crate::boards::linear::gcd;
use crate::graph::{Graph, TooManySquares};
use crate::stop::{Stop, Stopped};
use crate::weighted::{self, Verdict, WeightedError};

/// Largest number of squares of a board whose certificates are checked.
pub const MOST_SQUARES: usize = weighted::MAX_SQUARES;

/// Largest absolute value of a coefficient or a right-hand side, so that no sum overflows.
const LARGEST_NUMBER: u64 = 1 << 40;

/// Modulus of the test of linear independence, the prime 2^61 - 1.
const PRIME: u64 = (1 << 61) - 1;

/// Fault in a certificate of facets. Facets and sets count from 1.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::facets::{FacetFault, verify_facets};
/// use ndqueens_notation::certificate::facets::FacetCertificates;
/// use ndqueens_notation::name::reject_files;
///
/// let text = "ndqueens facets 1\nboard: 1x2\nfacets: 1\norigin: by hand\nat most 1: 1*0,0 1*0,1\n0,0\n0,0\n";
/// let dependent = FacetCertificates::parse_with(text, &reject_files)?;
/// let fault = verify_facets(&dependent, &|| false).expect_err("one set twice");
/// assert!(matches!(fault, FacetFault::Dependent { facet: 1, set: 2 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FacetFault {
    /// Board with too many squares for the queen graph.
    #[error(transparent)]
    TooLarge(#[from] TooManySquares),
    /// Board with too many squares for the test of linear independence.
    #[error("the board has {0} squares, and certificates of facets are checked on at most {MOST_SQUARES}")]
    Squares(usize),
    /// Number that is too large.
    #[error("facet {facet}: {number} is too large: coefficients and right-hand sides are at most 2^40")]
    Number {
        /// Facet.
        facet: usize,
        /// Number.
        number: i64,
    },
    /// Square that is not on the board, or occurs twice.
    #[error("facet {facet}: {} is {fault}", format_square(square))]
    Square {
        /// Facet.
        facet: usize,
        /// Square.
        square: Vec<u32>,
        /// Description of the fault.
        fault: &'static str,
    },
    /// Number of sets that is not the number of squares.
    #[error("facet {facet} has {sets} sets, and the board has {squares} squares")]
    SetCount {
        /// Facet.
        facet: usize,
        /// Number of sets.
        sets: usize,
        /// Number of squares.
        squares: usize,
    },
    /// Set with two squares that attack each other.
    #[error("facet {facet}, set {set}: {} and {} attack each other", format_square(&squares[0]), format_square(&squares[1]))]
    Attack {
        /// Facet.
        facet: usize,
        /// Set.
        set: usize,
        /// The two squares.
        squares: [Vec<u32>; 2],
    },
    /// Set that does not satisfy the inequality with equality.
    #[error("facet {facet}, set {set}: the left-hand side is {left}, not {rhs}")]
    NotTight {
        /// Facet.
        facet: usize,
        /// Set.
        set: usize,
        /// Left-hand side.
        left: i64,
        /// Right-hand side.
        rhs: i64,
    },
    /// Set that is linearly dependent on earlier ones modulo a prime.
    #[error("facet {facet}, set {set}: its vector depends on those before it")]
    Dependent {
        /// Facet.
        facet: usize,
        /// Set.
        set: usize,
    },
    /// Inequality that an independent set violates.
    #[error("facet {facet}: the independent set {} violates the inequality", format_squares(set))]
    Violated {
        /// Facet.
        facet: usize,
        /// Independent set.
        set: Vec<Vec<u32>>,
    },
    /// Facet of an earlier inequality.
    #[error("facet {facet} is facet {earlier} again")]
    Repeated {
        /// Facet.
        facet: usize,
        /// Earlier facet.
        earlier: usize,
    },
    /// Inequality without nonzero coefficients.
    #[error("facet {0} has no coefficient other than 0")]
    Empty(usize),
    /// Search for an independent set that violates the inequality, which did not end.
    #[error(transparent)]
    Search(#[from] WeightedError),
}

impl Classified for FacetFault {
    fn class(&self) -> ErrorClass {
        match self {
            Self::TooLarge(_) | Self::Squares(_) | Self::Number { .. } | Self::Search(_) => ErrorClass::Limit,
            Self::Square { .. }
            | Self::SetCount { .. }
            | Self::Attack { .. }
            | Self::NotTight { .. }
            | Self::Dependent { .. }
            | Self::Violated { .. }
            | Self::Repeated { .. }
            | Self::Empty(_) => ErrorClass::Refuted,
        }
    }
}

/// Verifies that every inequality defines a facet of the convex hull of the independent sets of the board, and
/// that no facet is repeated.
///
/// # Errors
/// Returns an error if an inequality is not shown to define a facet, or if `stop` returns `true`.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::facets::verify_facets;
/// use ndqueens_notation::certificate::facets::FacetCertificates;
/// use ndqueens_notation::name::reject_files;
///
/// let text = "ndqueens facets 1\nboard: 1x2\nfacets: 1\norigin: by hand\nat most 1: 1*0,0 1*0,1\n0,0\n0,1\n";
/// verify_facets(&FacetCertificates::parse_with(text, &reject_files)?, &|| false)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn verify_facets(certificates: &FacetCertificates, stop: Stop<'_>) -> Result<(), FacetFault> {
    let graph = Graph::new(&*definition(&certificates.board))?;
    let squares = graph.squares().len();
    if squares > MOST_SQUARES {
        return Err(FacetFault::Squares(squares));
    }
    let numbers =
        graph.squares().iter().zip(0..).map(|(square, number)| (square.as_slice(), number)).collect();
    let mut seen = HashMap::new();
    for (certificate, facet) in certificates.facets.iter().zip(1..) {
        let numbers = verify_facet(certificate, facet, &graph, &numbers, stop)?;
        if let Some(earlier) = seen.insert(numbers, facet) {
            return Err(FacetFault::Repeated { facet, earlier });
        }
    }
    Ok(())
}

/// Numbers of the squares of a board by their coordinates.
type Numbers<'g> = HashMap<&'g [u32], usize>;

/// Verifies one facet. Returns the coefficients and the right-hand side of its inequality, divided by their
/// greatest common divisor. They are those of no other facet, because the polytope has full dimension.
fn verify_facet(
    certificate: &FacetCertificate,
    facet: usize,
    graph: &Graph,
    numbers: &Numbers<'_>,
    stop: Stop<'_>,
) -> Result<Vec<i64>, FacetFault> {
    let squares = graph.squares().len();
    let rhs = certificate.rhs;
    let weights = read_weights(certificate, facet, numbers)?;
    if certificate.sets.len() != squares {
        return Err(FacetFault::SetCount { facet, sets: certificate.sets.len(), squares });
    }
    let mut echelon = Echelon::default();
    for (set, number) in certificate.sets.iter().zip(1..) {
        if stop() {
            return Err(WeightedError::Stopped(Stopped).into());
        }
        let members = read_set(set, facet, number, graph, numbers)?;
        let left: i64 = members.iter().map(|&v| weights[v]).sum();
        if left != rhs {
            return Err(FacetFault::NotTight { facet, set: number, left, rhs });
        }
        let mut vector = vec![0; squares + 1];
        members.iter().for_each(|&v| vector[v] = 1);
        vector[squares] = 1;
        if !echelon.insert(vector) {
            return Err(FacetFault::Dependent { facet, set: number });
        }
    }
    if let Some(set) = violating_set(&weights, rhs, graph, stop)? {
        let set = set.into_iter().map(|v| graph.squares()[v].clone()).collect();
        return Err(FacetFault::Violated { facet, set });
    }
    let divisor = weights.iter().fold(rhs.abs(), |divisor, weight| gcd(divisor, weight.abs()));
    Ok(weights.iter().chain([&rhs]).map(|number| number / divisor).collect())
}

/// Returns the coefficient of every square.
fn read_weights(
    certificate: &FacetCertificate,
    facet: usize,
    numbers: &Numbers<'_>,
) -> Result<Vec<i64>, FacetFault> {
    let mut weights = vec![None; numbers.len()];
    let all = certificate.terms.iter().map(|term| term.coefficient).chain([certificate.rhs]);
    if let Some(number) = all.into_iter().find(|number| number.unsigned_abs() > LARGEST_NUMBER) {
        return Err(FacetFault::Number { facet, number });
    }
    for term in &certificate.terms {
        let fault = |fault| FacetFault::Square { facet, square: term.square.clone(), fault };
        let number =
            *numbers.get(term.square.as_slice()).ok_or_else(|| fault("not a square of the board"))?;
        if weights[number].replace(term.coefficient).is_some() {
            return Err(fault("given two coefficients"));
        }
    }
    let weights: Vec<i64> = weights.into_iter().map(Option::unwrap_or_default).collect();
    if weights.iter().all(|&weight| weight == 0) { Err(FacetFault::Empty(facet)) } else { Ok(weights) }
}

/// Returns the numbers of the squares of an independent set.
fn read_set(
    set: &[Vec<u32>],
    facet: usize,
    number: usize,
    graph: &Graph,
    numbers: &Numbers<'_>,
) -> Result<Vec<usize>, FacetFault> {
    let mut members: Vec<usize> = Vec::new();
    for square in set {
        let fault = |fault| FacetFault::Square { facet, square: square.clone(), fault };
        let v = *numbers.get(square.as_slice()).ok_or_else(|| fault("not a square of the board"))?;
        if members.contains(&v) {
            return Err(fault("twice in a set"));
        }
        if let Some(&other) = members.iter().find(|&&other| graph.neighbours(v).contains(other)) {
            let squares = [graph.squares()[other].clone(), square.clone()];
            return Err(FacetFault::Attack { facet, set: number, squares });
        }
        members.push(v);
    }
    Ok(members)
}

/// Vectors modulo [`PRIME`] in echelon form.
#[derive(Default)]
struct Echelon {
    /// Position of the first nonzero entry, which is 1, and the vector.
    rows: Vec<(usize, Vec<u64>)>,
}

impl Echelon {
    /// Adds a vector with entries below the prime. Returns `false` if it depends on the earlier ones.
    fn insert(&mut self, mut vector: Vec<u64>) -> bool {
        for (pivot, row) in &self.rows {
            let factor = vector[*pivot];
            if factor != 0 {
                let entries = vector.iter_mut().zip(row);
                entries.for_each(|(x, &y)| *x = (*x + PRIME - multiply(factor, y)) % PRIME);
            }
        }
        let Some(pivot) = vector.iter().position(|&x| x != 0) else { return false };
        let inverse = power(vector[pivot], PRIME - 2);
        vector.iter_mut().for_each(|x| *x = multiply(*x, inverse));
        self.rows.push((pivot, vector));
        true
    }
}

/// Returns a product modulo [`PRIME`].
fn multiply(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b) % u128::from(PRIME);
    u64::try_from(product).expect("a remainder is below the prime")
}

/// Returns a power modulo [`PRIME`].
fn power(base: u64, exponent: u64) -> u64 {
    let (mut result, mut square, mut exponent) = (1, base, exponent);
    while exponent > 0 {
        if exponent % 2 == 1 {
            result = multiply(result, square);
        }
        square = multiply(square, square);
        exponent /= 2;
    }
    result
}

/// Returns an independent set that violates an inequality, as numbers of squares, or `None` if all satisfy it.
fn violating_set(
    weights: &[i64],
    rhs: i64,
    graph: &Graph,
    stop: Stop<'_>,
) -> Result<Option<Vec<usize>>, FacetFault> {
    // The empty set violates an inequality with a negative right-hand side.
    let Ok(bound) = u64::try_from(rhs) else { return Ok(Some(Vec::new())) };
    // A heaviest set needs no square with a negative coefficient.
    let heavy: Vec<usize> = (0..weights.len()).filter(|&v| weights[v] > 0).collect();
    let heavy_weights: Vec<u64> = heavy.iter().map(|&v| weights[v].unsigned_abs()).collect();
    let attacks = |a: usize, b: usize| graph.neighbours(heavy[a]).contains(heavy[b]);
    match weighted::check(&attacks, &heavy_weights, bound, u64::MAX, &mut || !stop())? {
        Verdict::Holds { .. } => Ok(None),
        Verdict::Violated(set) => Ok(Some(set.into_iter().map(|v| heavy[v]).collect())),
        Verdict::Undecided => Err(WeightedError::Stopped(Stopped).into()),
    }
}

#[cfg(test)]
mod tests {
    use ndqueens_notation::name::reject_files;

    use super::*;

    /// Facet of the cube inequality on `2x3`: two columns of a 2x3 board.
    const TEXT: &str = "ndqueens facets 1\nboard: 2x3\nfacets: 1\norigin: by hand\n\
                        at most 1: 1*0,0 1*0,1 1*1,0 1*1,1\n0,0\n0,1\n1,0\n1,1\n0,0 1,2\n1,0 0,2\n";

    fn verify(text: &str) -> Result<(), FacetFault> {
        verify_facets(&FacetCertificates::parse_with(text, &reject_files).expect(text), &|| false)
    }

    #[test]
    fn accepts_a_facet() {
        assert_eq!(verify(TEXT), Ok(()));
        // The nonnegativity of a square is shown by the empty set and the other squares.
        let text = "ndqueens facets 1\nboard: 1x2\nfacets: 1\norigin: by hand\nat most 0: -1*0,1\n-\n0,0\n";
        assert_eq!(verify(text), Ok(()));
    }

    #[test]
    fn rejects_forgeries() {
        let forged = |from: &str, to: &str| {
            assert!(TEXT.contains(from), "{from}");
            verify(&TEXT.replacen(from, to, 1)).expect_err(to)
        };
        let violated = forged("1*1,1\n", "1*1,1 1*0,2\n");
        assert!(matches!(violated, FacetFault::NotTight { .. } | FacetFault::Violated { .. }), "{violated}");
        assert!(matches!(forged("1*0,0", "2*0,0"), FacetFault::NotTight { facet: 1, set: 1, .. }));
        assert!(matches!(forged("1*0,0", "1*0,3"), FacetFault::Square { .. }));
        assert!(matches!(forged("1*0,0", "1*0,1"), FacetFault::Square { .. }));
        assert!(matches!(forged("0,0 1,2", "0,0 0,2"), FacetFault::Attack { set: 5, .. }));
        assert!(matches!(forged("0,0 1,2", "0,0"), FacetFault::Dependent { set: 5, .. }));
        assert!(matches!(forged("0,0 1,2\n", ""), FacetFault::SetCount { sets: 5, squares: 6, .. }));
        assert!(matches!(forged("0,0 1,2", "0,0 0,0"), FacetFault::Square { .. }));
        assert!(matches!(forged("at most 1", "at most 1099511627777"), FacetFault::Number { .. }));
        let (_, block) = TEXT.split_once("by hand\n").expect("a facet");
        let doubled = block.replace("1*", "2*").replace("at most 1", "at most 2");
        for repeated in [block, doubled.as_str()] {
            let text = format!("{}{repeated}", TEXT.replace("facets: 1", "facets: 2"));
            assert_eq!(verify(&text), Err(FacetFault::Repeated { facet: 2, earlier: 1 }));
        }
    }

    #[test]
    fn rejects_a_violated_inequality() {
        // All six sets have weight 1, but (0,0) with (1,2) has weight 2.
        let text = "ndqueens facets 1\nboard: 2x3\nfacets: 1\norigin: by hand\n\
                    at most 1: 1*0,0 1*0,1 1*0,2 1*1,0 1*1,1 1*1,2\n0,0\n0,1\n0,2\n1,0\n1,1\n1,2\n";
        assert!(matches!(verify(text), Err(FacetFault::Violated { .. })));
        assert!(matches!(
            verify_facets(&FacetCertificates::parse_with(text, &reject_files).expect("a text"), &|| true),
            Err(FacetFault::Search(WeightedError::Stopped(_)))
        ));
    }
}
