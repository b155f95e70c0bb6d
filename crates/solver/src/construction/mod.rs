//! Lower bounds by construction: independent sets for warm starts and certificates.
//!
//! | method | makes | on |
//! | --- | --- | --- |
//! | [`regular`] | full solutions that are linear mod n | queens, `n^d`, also `torus:n^d`; no prime below `2^d` divides n |
//! | [`cut`] | the best box cut out of a linear set | queens, every plain box |
//! | [`extend`] | a full solution of a smaller cube, and more round it | queens, `n^d` above a side with regular solutions |
//! | [`corner`] | the best of these on the next larger cube, with a corner cut off | queens, `n^d` |
//! | [`stack`] | layer upon layer, each as large as the ones before leave room for | queens, plain boxes of two axes or more |
//! | [`planar`] | full solutions in closed form | queens, `n^2` |
//! | [`product`] | products of solutions on fewer axes | queens, every plain box of two axes or more |
//! | greedy | walks of [`crate::local_search`] from the empty set | every board that fits into memory |

pub mod corner;
pub mod cut;
pub mod extend;
pub mod linear;
pub mod planar;
pub mod product;
pub mod regular;
pub mod stack;

use std::fmt;
use std::str::FromStr;

use ndqueens_model::board::{Board, Grid, Square};
use ndqueens_model::certificate::Certificate;
use ndqueens_model::name::{BoardName, Piece};

use self::cut::Cut;
use self::linear::Linear;
use self::regular::NoRegular;
use crate::local_search;

/// A way to construct an independent set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// A regular solution; see [`regular`].
    Regular,
    /// The best subcube cut; see [`cut`].
    Cut,
    /// A smaller full solution with more squares round it; see [`extend`].
    Extend,
    /// The closed form in two dimensions; see [`planar`].
    Planar,
    /// A product of two solutions; see [`product`].
    Product,
    /// A larger cube's solution with a corner cut off; see [`corner`].
    Corner,
    /// Layer upon layer; see [`stack`].
    Stack,
    /// Local search from the empty set; see [`crate::local_search::quick`].
    Greedy,
}

impl Method {
    /// Every method, explicit constructions before search.
    pub const ALL: [Self; 8] = [
        Self::Regular,
        Self::Planar,
        Self::Cut,
        Self::Extend,
        Self::Product,
        Self::Corner,
        Self::Stack,
        Self::Greedy,
    ];
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Regular => "regular",
            Self::Cut => "cut",
            Self::Extend => "extend",
            Self::Planar => "planar",
            Self::Product => "product",
            Self::Corner => "corner",
            Self::Stack => "stack",
            Self::Greedy => "greedy",
        })
    }
}

/// A text is not the name of a method.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{name}\" is not a construction; known are {}", Method::ALL.map(|m| m.to_string()).join(", "))]
pub struct UnknownMethod {
    /// The text as given.
    pub name: String,
}

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(name: &str) -> Result<Self, UnknownMethod> {
        let known = Self::ALL.into_iter().find(|method| method.to_string() == name);
        known.ok_or_else(|| UnknownMethod { name: name.to_owned() })
    }
}

/// How much work a construction may take; the result depends on this, never on the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// Elementary steps of the search for coefficients, roughly, for each modulus.
    pub cut: u64,
    /// Neighbours that the local search looks at.
    pub greedy: u64,
}

impl Default for Effort {
    /// About a second for each method.
    fn default() -> Self {
        Self { cut: 10_000_000, greedy: 50_000_000 }
    }
}

/// Why a construction yields nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConstructionError {
    /// Two of the squares that must be contained attack each other.
    #[error("the squares {0:?} and {1:?} that are to be included attack each other")]
    IncludeAttacks(Vec<u32>, Vec<u32>),
    /// The method is for other boards.
    #[error("this construction is for {0}")]
    NotFor(&'static str),
    /// There is no regular solution on this side.
    #[error(transparent)]
    NoRegular(#[from] NoRegular),
    /// No set of this kind was found that contains the squares to be included.
    #[error("no set of this kind was found that contains the squares to be included, if any")]
    NotFound,
    /// The classes of a colouring cannot be stacked.
    #[error("no order of the classes makes a full solution")]
    NoOrder,
    /// The board has too many squares or attacks.
    #[error("the board is too large")]
    TooLarge,
}

/// What came of one method.
#[derive(Debug, Clone)]
pub struct Attempt {
    /// The method.
    pub method: Method,
    /// The certificate, or why there is none.
    pub result: Result<Certificate, ConstructionError>,
}

/// Constructs an independent set that contains the squares `include`.
///
/// The certificate's origin says how to make it again. The same arguments give the same certificate.
///
/// # Errors
/// When the method does not apply, or `include` attacks itself.
pub fn construct(
    method: Method,
    board: &Board,
    include: &[Square],
    seed: u64,
    effort: Effort,
) -> Result<Certificate, ConstructionError> {
    for (i, &a) in include.iter().enumerate() {
        if let Some(&b) = include[..i].iter().find(|&&b| board.attacks(a, b)) {
            return Err(ConstructionError::IncludeAttacks(board.coordinates(b), board.coordinates(a)));
        }
    }
    let must: Vec<Vec<u32>> = include.iter().map(|&s| board.coordinates(s)).collect();
    let (squares, origin) = match method {
        Method::Regular => regular_solution(board, &must, effort)?,
        Method::Cut => {
            let grid = queens(board, false).ok_or(ConstructionError::NotFor("queens on plain boxes"))?;
            let cut = Cut::best(grid.sides(), &must, effort.cut).ok_or(ConstructionError::NotFound)?;
            (cut.squares(), cut.to_string())
        }
        Method::Extend => {
            let cube =
                queens(board, false).map(Grid::sides).filter(|sides| sides.iter().all(|n| *n == sides[0]));
            let sides = cube.ok_or(ConstructionError::NotFor("queens on n^d"))?;
            let found = extend::extend(board, (sides[0], sides.len()), seed, effort.greedy)?;
            let squares = found.squares.iter().map(|&s| board.coordinates(s)).collect();
            (
                squares,
                format!(
                    "regular solution {} with more squares round it, seed {seed}, work {}",
                    found.core, effort.greedy
                ),
            )
        }
        Method::Planar => {
            let square = queens(board, false).map(Grid::sides).filter(|s| s.len() == 2 && s[0] == s[1]);
            let full = square.and_then(|sides| planar::full(sides[0]));
            let full = full.ok_or(ConstructionError::NotFor("queens on n^2, n = 1 or at least 4"))?;
            let squares = full.into_iter().map(Vec::from).collect();
            (squares, format!("closed form for {}", board.name()))
        }
        Method::Product => best_product(board, seed, effort)?,
        Method::Corner => corner_cut(board, seed, effort)?,
        Method::Stack => {
            let grid = queens(board, false).filter(|grid| grid.dimension() > 1);
            let grid = grid.ok_or(ConstructionError::NotFor("queens on plain boxes of two axes or more"))?;
            let found =
                stack::heuristic(board, grid, seed, effort.greedy).ok_or(ConstructionError::TooLarge)?;
            let squares = found.into_iter().map(|s| board.coordinates(s)).collect();
            (squares, format!("layers stacked one by one, seed {seed}, work {}", effort.greedy))
        }
        Method::Greedy => {
            let found = local_search::quick(board, include, seed, effort.greedy, usize::MAX)
                .ok_or(ConstructionError::TooLarge)?;
            let squares = found.into_iter().map(|s| board.coordinates(s)).collect();
            let included = if must.is_empty() { String::new() } else { format!(", with {must:?} included") };
            (squares, format!("local search, seed {seed}, work {}{included}", effort.greedy))
        }
    };
    let certificate = Certificate::independent(board.name().clone(), squares, origin);
    let included = must.iter().all(|s| certificate.squares.binary_search(s).is_ok());
    included.then_some(certificate).ok_or(ConstructionError::NotFound)
}

/// Tries every method.
#[must_use]
pub fn all(board: &Board, include: &[Square], seed: u64, effort: Effort) -> Vec<Attempt> {
    let attempt = |method| Attempt { method, result: construct(method, board, include, seed, effort) };
    Method::ALL.map(attempt).into()
}

/// The largest set that any method yields; of equals the first in the order of [`Method::ALL`].
///
/// # Errors
/// When no method applies, the last one's reason.
pub fn best(
    board: &Board,
    include: &[Square],
    seed: u64,
    effort: Effort,
) -> Result<Certificate, ConstructionError> {
    best_of(&Method::ALL, board, include, seed, effort)
}

fn best_of(
    methods: &[Method],
    board: &Board,
    include: &[Square],
    seed: u64,
    effort: Effort,
) -> Result<Certificate, ConstructionError> {
    let mut best = Err(ConstructionError::TooLarge);
    for &method in methods {
        let result = construct(method, board, include, seed, effort);
        let size = |result: &Result<Certificate, _>| result.as_ref().map_or(0, Certificate::size);
        if best.is_err() || size(&result) > size(&best) {
            best = result;
        }
        if size(&best) as u64 == board.trivial_bound() {
            break;
        }
    }
    best
}

/// The board as a box for queens, plain or wrapped round.
fn queens(board: &Board, torus: bool) -> Option<&Grid> {
    board.grid().filter(|grid| grid.piece() == Piece::Queen && grid.is_torus() == torus)
}

fn regular_solution(
    board: &Board,
    must: &[Vec<u32>],
    effort: Effort,
) -> Result<(Vec<Vec<u32>>, String), ConstructionError> {
    let grid = queens(board, false).or(queens(board, true));
    let sides = grid.map(Grid::sides).filter(|sides| sides.iter().all(|n| *n == sides[0]));
    let sides = sides.ok_or(ConstructionError::NotFor("queens on n^d and torus:n^d"))?;
    let mut solution = regular::first(sides[0], sides.len())?;
    if let Some(square) = must.first() {
        let through = |coefficients: &[u32], square: &[u32]| Linear::through(sides[0], coefficients, square);
        solution = regular::coefficients(sides[0], sides.len())
            .limited(effort.cut)
            .map(|a| through(&a, square))
            .find(|found| must.iter().all(|s| through(&found.coefficients, s) == *found))
            .ok_or(ConstructionError::NotFound)?;
    }
    Ok((solution.squares(sides), format!("regular solution {solution}")))
}

/// The best of the linear constructions on the next larger cube, a corner cut off.
fn corner_cut(
    board: &Board,
    seed: u64,
    effort: Effort,
) -> Result<(Vec<Vec<u32>>, String), ConstructionError> {
    let sides = queens(board, false).map(Grid::sides).filter(|sides| sides.iter().all(|n| *n == sides[0]));
    let sides = sides.ok_or(ConstructionError::NotFor("queens on n^d"))?;
    let larger: Vec<u32> = sides.iter().map(|side| side + 1).collect();
    let methods = [Method::Regular, Method::Planar, Method::Cut, Method::Extend];
    let whole = best_of(&methods, &Board::new(&BoardName::queen(&larger)), &[], seed, effort)?;
    let (squares, corner) = corner::cut(&larger, &whole.squares);
    let origin = format!("{} ({}) without the layers at its corner {corner:?}", whole.board, whole.origin);
    Ok((squares, origin))
}

/// The largest product over the ways to part the axes into the first few and the rest.
fn best_product(
    board: &Board,
    seed: u64,
    effort: Effort,
) -> Result<(Vec<Vec<u32>>, String), ConstructionError> {
    let sides = queens(board, false).map(Grid::sides).filter(|sides| sides.len() > 1);
    let sides = sides.ok_or(ConstructionError::NotFor("queens on plain boxes of two axes or more"))?;
    let equal = sides.iter().all(|n| *n == sides[0]);
    let parts = if equal { sides.len() / 2 } else { sides.len() - 1 };
    // There are many factors; a smaller effort for each keeps the whole within bounds. Products of products
    // would take exponential time.
    let effort = Effort { cut: effort.cut / 8, greedy: effort.greedy / 8 };
    let methods = [Method::Planar, Method::Cut, Method::Greedy];
    let factor =
        |sides: &[u32]| best_of(&methods, &Board::new(&BoardName::queen(sides)), &[], seed, effort).ok();
    let pairs = (1..=parts).filter_map(|axes| {
        let (left, right) = sides.split_at(axes);
        Some([factor(left)?, factor(right)?])
    });
    let size = |[a, b]: &[Certificate; 2]| a.size() * b.size();
    let largest = pairs.reduce(|a, b| if size(&b) > size(&a) { b } else { a });
    let [a, b] = largest.ok_or(ConstructionError::TooLarge)?;
    let origin = format!("product of {} ({}) and {} ({})", a.board, a.origin, b.board, b.origin);
    Ok((product::product(&a.squares, &b.squares), origin))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const EFFORT: Effort = Effort { cut: 100_000, greedy: 200_000 };

    fn board(name: &str) -> Board {
        Board::new(&name.parse().expect("a board name"))
    }

    /// Panics unless the squares are distinct, on the board, and free of attacks.
    pub(super) fn assert_independent(board: &BoardName, squares: &[Vec<u32>]) {
        let certificate = Certificate::independent(board.clone(), squares.to_vec(), "a test");
        ndqueens_crosscheck::verify::verify(&certificate).expect("an independent set");
    }

    #[test]
    fn the_best_of_all_reaches_the_known_values() {
        for (name, size, origin) in [
            ("2^2", 1, "linear"),
            ("3^2", 2, "cut"),
            ("8^2", 8, "closed form"),
            ("4^3", 7, "cut"),
            ("5^3", 13, "layers stacked"),
            ("10^3", 91, "k = 1, p = 0"),
            ("11^3", 121, "regular solution"),
            ("torus:11^3", 121, "regular solution"),
            ("rook:4^3", 16, "local search"),
            ("4^4", 16, "cut"),
            ("5^5", 94, "linear set"),
            ("2^12", 1, "product"),
        ] {
            let effort = Effort { cut: 1_000_000, greedy: 5_000_000 };
            let certificate = best(&board(name), &[], 1, effort).expect(name);
            assert_independent(&certificate.board, &certificate.squares);
            assert_eq!(certificate.size(), size, "{name}: {}", certificate.origin);
            assert!(certificate.origin.contains(origin), "{name}: {}", certificate.origin);
        }
    }

    #[test]
    fn squares_that_attack_each_other_cannot_be_included() {
        for Attempt { result, .. } in all(&board("4^3"), &[0, 21], 1, EFFORT) {
            let error = result.expect_err("a diagonal");
            assert_eq!(error, ConstructionError::IncludeAttacks(vec![0, 0, 0], vec![1, 1, 1]));
        }
    }

    #[test]
    fn a_regular_solution_goes_through_given_squares() {
        let eleven = board("11^3");
        let include = [[0, 0, 4], [1, 0, 6], [0, 1, 9]].map(|s| eleven.square(&s).expect("on the board"));
        let certificate = construct(Method::Regular, &eleven, &include, 1, EFFORT).expect("one exists");
        assert_eq!(certificate.origin, "regular solution x3 = 2 x1 + 5 x2 + 4 mod 11");
    }

    #[test]
    fn methods_are_named_as_they_print() {
        for method in Method::ALL {
            assert_eq!(method.to_string().parse(), Ok(method));
        }
        let error = "cube".parse::<Method>().expect_err("no such method");
        assert!(error.to_string().contains("regular, planar, cut"), "{error}");
    }

    proptest! {
        #[test]
        fn whatever_a_method_yields_is_independent(
            sides in prop::collection::vec(1u32..=5, 1..=3), form in 0usize..5, at: u32, must: bool,
        ) {
            use Piece::{Bishop, Queen, Rook};
            let forms = [(Queen, false), (Queen, true), (Rook, false), (Bishop, false), (Queen, false)];
            let (piece, torus) = forms[form];
            let sides = if torus || form == 4 { vec![sides[0]; sides.len()] } else { sides };
            let board = Board::new(&BoardName::grid(piece, torus, &sides));
            let include: Vec<Square> = must.then(|| at % board.size() as u32).into_iter().collect();
            let attempts = all(&board, &include, 1, EFFORT);
            prop_assert!(attempts.iter().any(|a| a.result.is_ok()));
            for certificate in attempts.into_iter().filter_map(|a| a.result.ok()) {
                assert_independent(board.name(), &certificate.squares);
                prop_assert!(include.iter().all(|&s| certificate.squares.contains(&board.coordinates(s))));
            }
        }
    }
}
