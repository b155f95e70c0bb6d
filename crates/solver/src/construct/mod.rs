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

/// Why a construction yields nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConstructionError {
    /// Two of the squares that must be contained attack each other.
    #[error("the squares {} and {} that are to be included attack each other", format_square(.0), format_square(.1))]
    IncludeAttacks(Vec<u32>, Vec<u32>),
    /// The method makes nothing of what is asked.
    #[error("{obstacle}; {}", applies::advice(instead))]
    DoesNotApply {
        /// Why.
        obstacle: Obstacle,
        /// The methods that do.
        instead: Vec<Method>,
    },
    /// The classes of a colouring cannot be stacked.
    #[error("no order of the classes makes a full solution")]
    NoOrder,
}

/// What came of one method.
#[derive(Debug, Clone)]
pub struct Attempt {
    /// The method.
    pub method: Method,
    /// The certificate, or why there is none.
    pub result: Result<Certificate, ConstructionError>,
}

/// Refuses a board that is too large for the constructions. They keep 10 bytes for every residue modulo a number that is
/// about the longest side, and a queen's coordinates, two or three times. `memory` is what there is, in bytes.
///
/// # Errors
/// When they would take more.
pub fn ensure_constructible(board: &Board, memory: u64) -> Result<(), TooMuchMemory> {
    let longest = board.grid().and_then(|grid| grid.sides().iter().max()).map_or(0, |&side| u64::from(side));
    ensure_memory(board, "the constructions", longest * 10 + board.trivial_bound() * 200, memory)
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
    let refused = |obstacle| ConstructionError::DoesNotApply {
        obstacle,
        instead: applies::instead(method, board, !include.is_empty(), effort),
    };
    let (squares, origin) = method
        .obstacle(board, effort)
        .map_or_else(|| made(method, board, include, seed, effort), Err)
        .map_err(refused)?;
    let certificate = Certificate::independent(board.name().clone(), squares, origin);
    let included = include.iter().all(|&s| certificate.squares.binary_search(&board.coordinates(s)).is_ok());
    if included { Ok(certificate) } else { Err(refused(Obstacle::NotIncluded)) }
}

/// Squares, and how to make them again.
type Made = (Vec<Vec<u32>>, String);

/// What a method yields where nothing stands against it beforehand.
fn made(
    method: Method,
    board: &Board,
    include: &[Square],
    seed: u64,
    effort: Effort,
) -> Result<Made, Obstacle> {
    let must: Vec<Vec<u32>> = include.iter().map(|&s| board.coordinates(s)).collect();
    let sides = || board.grid().expect("the method is for boxes").sides();
    let coordinates = |squares: Vec<Square>| squares.into_iter().map(|s| board.coordinates(s)).collect();
    Ok(match method {
        Method::Regular => regular_solution(sides(), &must, effort)?,
        Method::Cut => {
            let none = if must.is_empty() { Obstacle::TooLarge } else { Obstacle::NotIncluded };
            let cut = Cut::best(sides(), &must, effort.cut).ok_or(none)?;
            (cut.squares(), cut.to_string())
        }
        Method::Extend => {
            let found = extend::extend(board, (sides()[0], sides().len()), seed, effort.greedy)?;
            let origin = format!(
                "regular solution {} with more squares round it, seed {seed}, work {}",
                found.core, effort.greedy
            );
            (coordinates(found.squares), origin)
        }
        Method::Planar => {
            let full = planar::full(sides()[0]).expect("the side has a full solution");
            (full.into_iter().map(Vec::from).collect(), format!("closed form for {}", board.name()))
        }
        Method::Product => best_product(sides(), seed, effort)?,
        Method::Corner => corner_cut(sides(), seed, effort)?,
        Method::Stack => {
            let grid = board.grid().expect("the method is for boxes");
            let found = stack::heuristic(board, grid, seed, effort.greedy).ok_or(Obstacle::TooLarge)?;
            (coordinates(found), format!("layers stacked one by one, seed {seed}, work {}", effort.greedy))
        }
        Method::Parity => parity::set(board.name(), must.first()).expect("the method applies"),
        Method::Greedy => {
            let found = local_search::quick(board, include, seed, effort.greedy, usize::MAX)
                .ok_or(Obstacle::TooLarge)?;
            let included = if must.is_empty() {
                String::new()
            } else {
                format!(", with {} included", format_squares(&must))
            };
            (coordinates(found), format!("local search, seed {seed}, work {}{included}", effort.greedy))
        }
    })
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

fn regular_solution(sides: &[u32], must: &[Vec<u32>], effort: Effort) -> Result<Made, Obstacle> {
    let mut solution = regular::first(sides[0], sides.len())?;
    if let Some(square) = must.first() {
        let through = |coefficients: &[u32], square: &[u32]| Linear::through(sides[0], coefficients, square);
        solution = regular::coefficients(sides[0], sides.len())
            .limited(effort.cut)
            .map(|a| through(&a, square))
            .find(|found| must.iter().all(|s| through(&found.coefficients, s) == *found))
            .ok_or(Obstacle::NotIncluded)?;
    }
    Ok((solution.squares(sides), format!("regular solution {solution}")))
}

/// The best of the linear constructions on the next larger cube, a corner cut off.
fn corner_cut(sides: &[u32], seed: u64, effort: Effort) -> Result<Made, Obstacle> {
    let larger = corner::larger(sides).ok_or(Obstacle::NoLarger)?;
    let whole = best_of(&corner::FROM, &Board::new(&BoardName::queen(&larger)), &[], seed, effort)
        .map_err(|_| Obstacle::NoLarger)?;
    let (squares, corner) = corner::cut(&larger, &whole.squares);
    let corner = format_square(&corner);
    let origin = format!("{} ({}) without the layers at its corner {corner}", whole.board, whole.origin);
    Ok((squares, origin))
}

/// The ways to part the axes whose factors are searched as well; of more, those with the largest linear products.
const MOST_SPLITS: usize = 16;

/// The largest product over the ways to part the axes in two; of equals the first in the order of [`product::splits`].
fn best_product(sides: &[u32], seed: u64, effort: Effort) -> Result<Made, Obstacle> {
    // There are many factors; a smaller effort for each keeps the whole within bounds. Products of products
    // would take exponential time.
    let effort = Effort { cut: effort.cut / 8, greedy: effort.greedy / 8 };
    let mut splits = product::splits(sides);
    if splits.len() > MOST_SPLITS {
        let mut linear = Factors::new(sides, &[Method::Planar, Method::Cut], seed, effort);
        splits.sort_by_cached_key(|split| Reverse(linear.of(split).map(|factors| size(&factors))));
        splits.truncate(MOST_SPLITS);
    }
    let mut factors = Factors::new(sides, &[Method::Planar, Method::Cut, Method::Greedy], seed, effort);
    let mut largest: Option<(Split, [Rc<Certificate>; 2])> = None;
    for split in splits {
        let most = largest.as_ref().map(|(_, factors)| size(factors));
        if most.is_none_or(|most| most < split.bound)
            && let Some(factors) = factors.of(&split)
            && most.is_none_or(|most| most < size(&factors))
        {
            largest = Some((split, factors));
        }
    }
    let (split, [a, b]) = largest.ok_or(Obstacle::TooLarge)?;
    let origin = format!("product of {} ({}){split} and {} ({})", a.board, a.origin, b.board, b.origin);
    Ok((split.in_order(product::product(&a.squares, &b.squares)), origin))
}

/// The size of a product.
fn size([a, b]: &[Rc<Certificate>; 2]) -> u64 {
    (a.size() * b.size()) as u64
}

/// The best that some methods make on parts of the axes of a box.
struct Factors<'a> {
    sides: &'a [u32],
    methods: &'a [Method],
    seed: u64,
    effort: Effort,
    made: HashMap<Vec<u32>, Option<Rc<Certificate>>>,
}

impl<'a> Factors<'a> {
    fn new(sides: &'a [u32], methods: &'a [Method], seed: u64, effort: Effort) -> Self {
        Self { sides, methods, seed, effort, made: HashMap::new() }
    }

    /// Both factors, if there are any.
    fn of(&mut self, split: &Split) -> Option<[Rc<Certificate>; 2]> {
        Some([self.on(&split.left)?, self.on(&split.right)?])
    }

    fn on(&mut self, axes: &[usize]) -> Option<Rc<Certificate>> {
        let sides: Vec<u32> = axes.iter().map(|&axis| self.sides[axis]).collect();
        if let Some(made) = self.made.get(&sides) {
            return made.clone();
        }
        let board = Board::new(&BoardName::queen(&sides));
        let made = best_of(self.methods, &board, &[], self.seed, self.effort).ok().map(Rc::new);
        self.made.insert(sides, made.clone());
        made
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
        for method in Method::ALL {
            let error = construct(method, &board("4^3"), &[0, 21], 1, EFFORT).expect_err("a diagonal");
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
    fn a_product_takes_any_part_of_the_axes() {
        for (name, size, origin) in [
            ("12x3x12", 12, ") along axis 2 and 12^2 (closed form for 12^2)"),
            ("7x1x7", 7, ") along axis 2 and 7^2 (closed form for 7^2)"),
            ("6^3", 6, "product of 6^1 (regular solution x1 = 0 mod 6) and 6^2 (closed form for 6^2)"),
        ] {
            let made = construct(Method::Product, &board(name), &[], 1, EFFORT).expect(name);
            assert_independent(&made.board, &made.squares);
            assert_eq!(made.size(), size, "{name}: {}", made.origin);
            assert!(made.origin.contains(origin), "{name}: {}", made.origin);
        }
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
            let made = Method::ALL.map(|method| construct(method, &board, &include, 1, EFFORT));
            prop_assert!(made.iter().any(Result::is_ok));
            for certificate in made.into_iter().flatten() {
                assert_independent(board.name(), &certificate.squares);
                prop_assert!(include.iter().all(|&s| certificate.squares.contains(&board.coordinates(s))));
            }
        }
    }
}
