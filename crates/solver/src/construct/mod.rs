//! Lower bounds by construction: independent sets for warm starts and certificates.
//!
//! | method | result | boards |
//! | --- | --- | --- |
//! | [`regular`] | full solutions that are linear mod n | queens, `n^d` and `torus:n^d`; no prime below `2^d` divides n |
//! | [`cut`] | the best box cut out of a linear set | queens, every plain box |
//! | [`extend`] | a full solution of a smaller cube, extended by squares around it | queens, `n^d` above a side with regular solutions |
//! | [`corner`] | the best of these on the next larger cube, with a corner cut off | queens, `n^d` |
//! | [`stack`] | layers, each a large set on the squares that the previous layers do not attack | queens, plain boxes of two axes or more |
//! | [`planar`] | full solutions in closed form | queens, `n^2` |
//! | [`product`] | the best product of solutions on two parts of the axes | queens, every plain box of two axes or more |
//! | parity | kings on even coordinates, knights on one colour | kings and knights, plain boxes and tori of even side |
//! | greedy | walks of [`local_search`] from the empty set | every board that fits into memory |

mod applies;
pub mod corner;
pub mod cut;
pub mod extend;
mod heuristics;
pub mod linear;
pub mod local_search;
mod method;
mod obstacle;
mod parity;
pub mod planar;
pub mod product;
pub(crate) mod rows;
pub mod stack;

use std::cmp::Reverse;
use std::collections::HashMap;
use std::rc::Rc;

use ndqueens_model::board::{Board, Square, TooMuchMemory, ensure_memory};
use ndqueens_notation::certificate::{Certificate, format_square, format_squares};
use ndqueens_notation::name::BoardName;

use self::cut::Cut;
pub use self::heuristics::Heuristics;
use self::linear::{Linear, regular};
pub use self::method::{Effort, Method, UnknownMethod};
pub use self::obstacle::Obstacle;
use self::product::Split;

/// Error of a construction.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConstructionError {
    /// Two of the squares to be included attack each other.
    #[error("the squares {} and {} that are to be included attack each other", format_square(.0), format_square(.1))]
    IncludeAttacks(Vec<u32>, Vec<u32>),
    /// The method does not apply to the board, or found no set with the squares to be included.
    #[error("{obstacle}; {}", applies::advice(instead))]
    DoesNotApply {
        /// The reason.
        obstacle: Obstacle,
        /// The methods that apply.
        instead: Vec<Method>,
    },
    /// The classes of a colouring cannot be stacked.
    #[error("no order of the classes makes a full solution")]
    NoOrder,
}

/// Result of one method.
#[derive(Debug, Clone)]
pub struct Attempt {
    /// The method.
    pub method: Method,
    /// The certificate, or the reason why the method failed.
    pub result: Result<Certificate, ConstructionError>,
}

/// Checks that the constructions fit into `memory` bytes. They need 10 bytes for every residue modulo a
/// number near the longest side, and two or three copies of the coordinates of the queens.
///
/// # Errors
/// Returns an error if the constructions need more memory.
pub fn ensure_constructible(board: &Board, memory: u64) -> Result<(), TooMuchMemory> {
    let longest = board.grid().and_then(|grid| grid.sides().iter().max()).map_or(0, |&side| u64::from(side));
    ensure_memory(board, "the constructions", longest * 10 + board.trivial_bound() * 200, memory)
}

/// Constructs an independent set that contains the squares `include`.
///
/// The origin of the certificate describes how to reproduce it. The result is deterministic.
///
/// # Errors
/// Returns an error if the method does not apply, or two squares of `include` attack each other.
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
    let does_not_apply = |obstacle| ConstructionError::DoesNotApply {
        obstacle,
        instead: applies::instead(method, board, !include.is_empty(), effort),
    };
    let Construction { squares, origin } = method
        .obstacle(board, effort)
        .map_or_else(|| run_method(method, board, include, seed, effort), Err)
        .map_err(does_not_apply)?;
    let certificate = Certificate::independent(board.name().clone(), squares, origin);
    let is_included = |&s: &Square| certificate.squares.binary_search(&board.coordinates(s)).is_ok();
    if include.iter().all(is_included) { Ok(certificate) } else { Err(does_not_apply(Obstacle::NotIncluded)) }
}

/// Result of a method.
struct Construction {
    /// Coordinates of the squares.
    squares: Vec<Vec<u32>>,
    /// Description of how the set was constructed.
    origin: String,
}

/// Runs a method on a board without obstacles.
fn run_method(
    method: Method,
    board: &Board,
    include: &[Square],
    seed: u64,
    effort: Effort,
) -> Result<Construction, Obstacle> {
    let included: Vec<Vec<u32>> = include.iter().map(|&s| board.coordinates(s)).collect();
    let grid = || board.grid().expect("the method is for boxes");
    let sides = || grid().sides();
    let with_origin = |squares: Vec<Square>, origin| Construction {
        squares: squares.into_iter().map(|s| board.coordinates(s)).collect(),
        origin,
    };
    let work = effort.greedy;
    match method {
        Method::Regular => regular_solution(sides(), &included, effort),
        Method::Cut => {
            let failure = if included.is_empty() { Obstacle::TooLarge } else { Obstacle::NotIncluded };
            let cut = Cut::best(sides(), &included, effort.cut).ok_or(failure)?;
            Ok(Construction { squares: cut.squares(), origin: cut.to_string() })
        }
        Method::Extend => {
            let extension = extend::extend(board, grid(), seed, work)?;
            let core = extension.core;
            let origin =
                format!("regular solution {core} with more squares round it, seed {seed}, work {work}");
            Ok(with_origin(extension.squares, origin))
        }
        Method::Planar => {
            let full = planar::full(sides()[0]).expect("the side has a full solution");
            Ok(Construction {
                squares: full.into_iter().map(Vec::from).collect(),
                origin: format!("closed form for {}", board.name()),
            })
        }
        Method::Product => best_product(sides(), seed, effort),
        Method::Corner => corner_cut(sides(), seed, effort),
        Method::Stack => {
            let squares = stack::heuristic(board, grid(), seed, work).ok_or(Obstacle::TooLarge)?;
            Ok(with_origin(squares, format!("layers stacked one by one, seed {seed}, work {work}")))
        }
        Method::Parity => Ok(parity::set(board.name(), included.first()).expect("the method applies")),
        Method::Greedy => {
            let squares =
                local_search::quick(board, include, seed, work, usize::MAX).ok_or(Obstacle::TooLarge)?;
            let with = if included.is_empty() {
                String::new()
            } else {
                format!(", with {} included", format_squares(&included))
            };
            Ok(with_origin(squares, format!("local search, seed {seed}, work {work}{with}")))
        }
    }
}

/// Returns the largest set that any method yields, or the first of these in the order of [`Method::ALL`].
///
/// # Errors
/// Returns the error of the last method if all methods fail.
pub fn best(
    board: &Board,
    include: &[Square],
    seed: u64,
    effort: Effort,
) -> Result<Certificate, ConstructionError> {
    best_of(&Method::ALL, board, include, seed, effort)
}

/// Returns the largest set that any of `methods` yields, or the first of these. Stops at a set of the size of
/// the trivial bound.
fn best_of(
    methods: &[Method],
    board: &Board,
    include: &[Square],
    seed: u64,
    effort: Effort,
) -> Result<Certificate, ConstructionError> {
    let size = |result: &Result<Certificate, _>| result.as_ref().map_or(0, Certificate::size);
    let (first, others) = methods.split_first().expect("a method at least");
    let mut best = construct(*first, board, include, seed, effort);
    for &method in others {
        if size(&best) as u64 == board.trivial_bound() {
            break;
        }
        let result = construct(method, board, include, seed, effort);
        if best.is_err() || size(&result) > size(&best) {
            best = result;
        }
    }
    best
}

/// Returns the first regular solution that contains the squares `included`.
fn regular_solution(sides: &[u32], included: &[Vec<u32>], effort: Effort) -> Result<Construction, Obstacle> {
    let mut solution = regular::first(sides[0], sides.len())?;
    if let Some(first) = included.first() {
        let through = |coefficients: &[u32], square: &[u32]| Linear::through(sides[0], coefficients, square);
        let contains = |linear: &Linear, square: &Vec<u32>| through(&linear.coefficients, square) == *linear;
        solution = regular::coefficients(sides[0], sides.len())
            .with_trial_limit(effort.cut)
            .map(|coefficients| through(&coefficients, first))
            .find(|linear| included.iter().all(|square| contains(linear, square)))
            .ok_or(Obstacle::NotIncluded)?;
    }
    Ok(Construction { squares: solution.squares(sides), origin: format!("regular solution {solution}") })
}

/// Returns the best of the linear constructions on the next larger cube, with a corner cut off.
fn corner_cut(sides: &[u32], seed: u64, effort: Effort) -> Result<Construction, Obstacle> {
    let larger = corner::larger(sides).ok_or(Obstacle::NoLarger)?;
    let whole = best_of(&corner::METHODS, &Board::new(&BoardName::queen(&larger)), &[], seed, effort)
        .map_err(|_| Obstacle::NoLarger)?;
    let corner::CornerCut { squares, corner } = corner::cut(&larger, &whole.squares);
    let corner = format_square(&corner);
    let origin = format!("{} ({}) without the layers at its corner {corner}", whole.board, whole.origin);
    Ok(Construction { squares, origin })
}

/// Maximum number of splits whose factors are also constructed by local search. If there are more splits,
/// those with the largest products of cuts are taken.
const MAX_SPLITS: usize = 16;

/// Returns the largest product over the ways to split the axes in two, or the first of these in the order of
/// [`product::splits`].
fn best_product(sides: &[u32], seed: u64, effort: Effort) -> Result<Construction, Obstacle> {
    // There are many factors, so each gets a smaller effort. Products of products would
    // take exponential time.
    let effort = Effort { cut: effort.cut / 8, greedy: effort.greedy / 8 };
    let mut splits = product::splits(sides);
    if splits.len() > MAX_SPLITS {
        let mut cuts = Factors::new(sides, &[Method::Planar, Method::Cut], seed, effort);
        splits.sort_by_cached_key(|split| Reverse(cuts.construct(split).map(|pair| product_size(&pair))));
        splits.truncate(MAX_SPLITS);
    }
    let mut factors = Factors::new(sides, &[Method::Planar, Method::Cut, Method::Greedy], seed, effort);
    let mut largest: Option<(Split, [Rc<Certificate>; 2])> = None;
    for split in splits {
        let largest_size = largest.as_ref().map(|(_, factors)| product_size(factors));
        if largest_size.is_none_or(|size| size < split.bound)
            && let Some(factors) = factors.construct(&split)
            && largest_size.is_none_or(|size| size < product_size(&factors))
        {
            largest = Some((split, factors));
        }
    }
    let (split, [a, b]) = largest.ok_or(Obstacle::TooLarge)?;
    let origin = format!("product of {} ({}){split} and {} ({})", a.board, a.origin, b.board, b.origin);
    Ok(Construction { squares: split.in_order(product::product(&a.squares, &b.squares)), origin })
}

/// Returns the size of the product of two sets.
fn product_size([a, b]: &[Rc<Certificate>; 2]) -> u64 {
    (a.size() * b.size()) as u64
}

/// The best results of some methods on subsets of the axes of a box.
struct Factors<'a> {
    sides: &'a [u32],
    methods: &'a [Method],
    seed: u64,
    effort: Effort,
    /// Results by the sides of the factor.
    cache: HashMap<Vec<u32>, Option<Rc<Certificate>>>,
}

impl<'a> Factors<'a> {
    fn new(sides: &'a [u32], methods: &'a [Method], seed: u64, effort: Effort) -> Self {
        Self { sides, methods, seed, effort, cache: HashMap::new() }
    }

    /// Constructs both factors; `None` if all methods fail on one of them.
    fn construct(&mut self, split: &Split) -> Option<[Rc<Certificate>; 2]> {
        Some([self.factor(&split.left)?, self.factor(&split.right)?])
    }

    fn factor(&mut self, axes: &[usize]) -> Option<Rc<Certificate>> {
        let sides: Vec<u32> = axes.iter().map(|&axis| self.sides[axis]).collect();
        if let Some(factor) = self.cache.get(&sides) {
            return factor.clone();
        }
        let board = Board::new(&BoardName::queen(&sides));
        let factor = best_of(self.methods, &board, &[], self.seed, self.effort).ok().map(Rc::new);
        self.cache.insert(sides, factor.clone());
        factor
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndqueens_notation::name::Piece;
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
    fn best_construction_reaches_known_values() {
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
    fn rejects_included_squares_that_attack_each_other() {
        for method in Method::ALL {
            let error = construct(method, &board("4^3"), &[0, 21], 1, EFFORT).expect_err("a diagonal");
            assert_eq!(error, ConstructionError::IncludeAttacks(vec![0, 0, 0], vec![1, 1, 1]));
        }
    }

    #[test]
    fn regular_solution_contains_given_squares() {
        let eleven = board("11^3");
        let include = [[0, 0, 4], [1, 0, 6], [0, 1, 9]].map(|s| eleven.square(&s).expect("on the board"));
        let certificate = construct(Method::Regular, &eleven, &include, 1, EFFORT).expect("one exists");
        assert_eq!(certificate.origin, "regular solution x3 = 2 x1 + 5 x2 + 4 mod 11");
    }

    #[test]
    fn products_split_the_axes_in_any_way() {
        for (name, size, origin) in [
            ("12x3x12", 12, ") along axis 2 and 12^2 (closed form for 12^2)"),
            ("7x1x7", 7, ") along axis 2 and 7^2 (closed form for 7^2)"),
            ("6^3", 6, "product of 6^1 (regular solution x1 = 0 mod 6) and 6^2 (closed form for 6^2)"),
        ] {
            let product = construct(Method::Product, &board(name), &[], 1, EFFORT).expect(name);
            assert_independent(&product.board, &product.squares);
            assert_eq!(product.size(), size, "{name}: {}", product.origin);
            assert!(product.origin.contains(origin), "{name}: {}", product.origin);
        }
    }

    #[test]
    fn method_names_parse_as_printed() {
        for method in Method::ALL {
            assert_eq!(method.to_string().parse(), Ok(method));
        }
        let error = "cube".parse::<Method>().expect_err("no such method");
        assert!(error.to_string().contains("regular, planar, cut"), "{error}");
    }

    proptest! {
        #[test]
        fn results_are_independent(
            sides in prop::collection::vec(1u32..=5, 1..=3), form in 0usize..5, at: u32, includes: bool,
        ) {
            use Piece::{Bishop, Queen, Rook};
            let forms = [(Queen, false), (Queen, true), (Rook, false), (Bishop, false), (Queen, false)];
            let (piece, torus) = forms[form];
            let sides = if torus || form == 4 { vec![sides[0]; sides.len()] } else { sides };
            let board = Board::new(&BoardName::grid(piece, torus, &sides));
            let include: Vec<Square> = includes.then(|| at % board.size() as u32).into_iter().collect();
            let results = Method::ALL.map(|method| construct(method, &board, &include, 1, EFFORT));
            prop_assert!(results.iter().any(Result::is_ok));
            for certificate in results.into_iter().flatten() {
                assert_independent(board.name(), &certificate.squares);
                prop_assert!(include.iter().all(|&s| certificate.squares.contains(&board.coordinates(s))));
            }
        }
    }
}
