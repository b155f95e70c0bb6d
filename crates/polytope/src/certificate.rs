//! Certificates of facets, which crosscheck verifies.

use ndqueens_model::board::{Board, Square};
use ndqueens_notation::certificate::facets::{FacetCertificate, FacetCertificates, Term};

use crate::halfspace::Halfspace;

/// Returns the certificate of a facet, given its inequality and affinely independent tight sets.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
/// use ndqueens_polytope::certificate::certify;
/// use ndqueens_polytope::face::examine;
/// use ndqueens_polytope::halfspace::Halfspace;
/// use ndqueens_system::cancel::Control;
///
/// let board = Board::new(&"1x2".parse()?);
/// let line = Halfspace { coefficients: vec![1, 1], rhs: 1 };
/// let face = examine(&board, &line, &Control::new())?;
/// assert_eq!(certify(&board, &line, &face.sets).to_string(), "at most 1: 1*0,0 1*0,1\n0,1\n0,0\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn certify(board: &Board, halfspace: &Halfspace, sets: &[Vec<Square>]) -> FacetCertificate {
    let term = |square: Square| Term {
        square: board.coordinates(square),
        coefficient: halfspace.coefficients[square as usize],
    };
    let coordinates = |set: &Vec<Square>| set.iter().map(|&square| board.coordinates(square)).collect();
    FacetCertificate {
        terms: halfspace.support().into_iter().map(term).collect(),
        rhs: halfspace.rhs,
        sets: sets.iter().map(coordinates).collect(),
    }
}

/// Returns the file with certificates of facets of a board.
#[must_use]
pub fn collect(board: &Board, facets: Vec<FacetCertificate>, origin: &str) -> FacetCertificates {
    FacetCertificates { board: board.name().clone(), origin: origin.to_owned(), facets }
}
