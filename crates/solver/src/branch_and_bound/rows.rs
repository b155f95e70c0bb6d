//! Rows of a formulation, each with its term of a line `sum`, which a checker accepts by definition.
//!
//! The terms are derived from the squares and their weights alone: a clique, a box, a box with a stride, the
//! weights of a volume or class inequality, or an odd cycle.

use std::collections::{BTreeMap, BTreeSet};

use ndqueens_model::board::{Board, Square};
use ndqueens_model::facts::volume::CLASS_FACETS;
use ndqueens_model::ilp::{self, Comparison, Program as _};
use ndqueens_model::model::Model;
use ndqueens_model::variant::{Goal, Variant};
use ndqueens_notation::name::Piece;

use super::problem::{Problem, ProofError};
use super::relaxation::Row;

/// Boxes with bounds, by sorted sides.
pub(super) type Boxes = BTreeMap<Vec<u32>, u64>;

/// Rows that a proof can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Provable {
    /// Cliques, as in VIPR files.
    Cliques,
    /// All rows of proof trees.
    All,
}

/// Rows of a program that a proof can hold.
pub(super) struct ProvableRows {
    pub(super) rows: Vec<Row>,
    /// Bounds of boxes on which the rows depend.
    pub(super) boxes: Boxes,
}

/// Returns the rows of the program and the bounds of the boxes that they need.
///
/// # Errors
/// Returns an error if the formulation does not suit the board, or a row is not `provable`.
pub(super) fn provable_rows(
    problem: &Problem<'_>,
    variant: Variant,
    provable: Provable,
) -> Result<ProvableRows, ProofError> {
    let Problem { board, formulation, bounds, memory } = *problem;
    let model = Model::new(board, formulation, variant, bounds, memory)?;
    let (mut rows, mut boxes) = (Vec::new(), Boxes::new());
    // The row with the number of queens is the target of the search.
    for mut row in model.rows().filter(|row| row.tag.family != "size") {
        if formulation.full && row.comparison == Comparison::Equal && row.rhs == 1 {
            // All lines of a full solution have a queen if there are enough queens.
            row.comparison = Comparison::AtMost;
        }
        let (formulation, family) = (formulation.name.clone(), row.tag.family);
        let refused = || match provable {
            Provable::All => ProofError::Row { formulation, family, board: board.name().to_string() },
            Provable::Cliques => ProofError::ViprRow { formulation, family },
        };
        let Some(Term { name, sides, row }) = term(board, row, provable) else { return Err(refused()) };
        if sides.is_some() && row.squares.len() == board.size() {
            // The bound of the board itself is to be proved.
            continue;
        }
        if let Some(mut sides) = sides {
            sides.sort_unstable();
            let bound = boxes.entry(sides).or_insert(u64::from(row.rhs));
            *bound = (*bound).min(u64::from(row.rhs));
        }
        rows.push(Row { term: name, ..row });
    }
    Ok(ProvableRows { rows, boxes })
}

/// Checks the rows of a formulation as [`prove`](super::prove) does before its search or, with `is_vipr`, as
/// [`prove_vipr`](super::prove_vipr) does.
///
/// # Errors
/// Returns an error if the formulation does not suit the board, or a proof cannot contain a row.
pub fn ensure_rows(
    problem: &Problem<'_>,
    target: u64,
    included: &[Square],
    is_vipr: bool,
) -> Result<(), ProofError> {
    problem.ensure_provable()?;
    let provable = if is_vipr { Provable::Cliques } else { Provable::All };
    provable_rows(problem, problem.variant(target, included), provable).map(|_| ())
}

/// Checks that a formulation of dominating sets has no rows other than lines and the squares that attack
/// or occupy a square.
///
/// # Errors
/// Returns an error if it has others, does not suit the board, or the board is too large for the checker.
pub fn ensure_cover_rows(problem: &Problem<'_>, included: &[Square]) -> Result<(), ProofError> {
    let Problem { board, formulation, bounds, memory } = *problem;
    problem.ensure_small()?;
    let variant = Variant { include: included.to_vec(), ..Variant::of(Goal::Optimise) };
    let model = Model::new(board, formulation, variant, bounds, memory)?;
    for row in model.rows() {
        let is_sum = row.coefficients.as_ref().is_none_or(|all| all.iter().all(|&one| one == 1));
        let is_valid = match row.comparison {
            Comparison::AtMost => is_clique(board, &row.columns),
            Comparison::AtLeast => row.tag.family == "domination",
            Comparison::Equal => false,
        };
        if !is_sum || row.rhs != 1 || !is_valid {
            return Err(ProofError::CoverRow {
                formulation: formulation.name.clone(),
                family: row.tag.family,
            });
        }
    }
    Ok(())
}

/// Row with its term in a proof.
struct Term {
    /// Term of the row in a line `sum`, without its multiplier; `None` for a clique.
    name: Option<String>,
    /// Sides of the box whose bound is the right-hand side.
    sides: Option<Vec<u32>>,
    row: Row,
}

/// Returns the term of a row, or `None` if a proof cannot contain it.
fn term(board: &Board, row: ilp::Row, provable: Provable) -> Option<Term> {
    let rhs = u32::try_from(row.rhs).ok().filter(|&rhs| rhs > 0)?;
    let weights = match row.coefficients {
        None => None,
        Some(all) if all.iter().all(|&weight| weight == 1) => None,
        Some(all) => Some(
            all.iter()
                .map(|&weight| u32::try_from(weight).ok().filter(|&weight| weight > 0))
                .collect::<Option<Vec<_>>>()?,
        ),
    };
    if row.comparison != Comparison::AtMost {
        return None;
    }
    let row = Row { squares: row.columns, weights, rhs, term: None };
    let is_plain = row.weights.is_none();
    if is_plain && rhs == 1 && is_clique(board, &row.squares) {
        return Some(Term { name: None, sides: None, row });
    }
    if provable == Provable::Cliques {
        return None;
    }
    let lattice = board.plain_box().and_then(|_| Lattice::around(board, &row.squares));
    if let Some(lattice) = lattice {
        if is_plain && lattice.size() == row.squares.len() {
            let name = Some(lattice.name());
            return Some(Term { name, sides: Some(lattice.sides), row });
        }
        if let Some(name) = classes(board, &lattice, &row) {
            return Some(Term { name: Some(name), sides: None, row });
        }
    }
    let cycle = is_plain.then(|| cycle(board, &row.squares)).flatten()?;
    let name = (rhs as usize >= cycle.len() / 2).then(|| format!("cycle:{}", join(&cycle, ",")))?;
    Some(Term { name: Some(name), sides: None, row })
}

fn is_clique(board: &Board, squares: &[Square]) -> bool {
    let mut pairs = squares.iter().enumerate().flat_map(|(k, &a)| squares[..k].iter().map(move |&b| (a, b)));
    pairs.all(|(a, b)| board.attacks(a, b))
}

fn join<T: ToString>(numbers: &[T], between: &str) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(between)
}

/// Squares `corner + stride * offset` for the offsets of a box.
#[derive(Debug, PartialEq, Eq)]
struct Lattice {
    corner: Vec<u32>,
    sides: Vec<u32>,
    stride: u32,
}

impl Lattice {
    /// Returns the smallest lattice that contains the squares, if one stride suits all axes.
    fn around(board: &Board, squares: &[Square]) -> Option<Self> {
        let mut along: Vec<BTreeSet<u32>> = Vec::new();
        for &square in squares {
            let coordinates = board.coordinates(square);
            along.resize(coordinates.len(), BTreeSet::new());
            for (values, x) in along.iter_mut().zip(coordinates) {
                values.insert(x);
            }
        }
        let gaps = along.iter().flat_map(|values| values.iter().zip(values.iter().skip(1)));
        let mut gaps = gaps.map(|(x, next)| next - x);
        let stride = gaps.next().unwrap_or(1);
        let corner = along.iter().map(|values| values.first().copied()).collect::<Option<Vec<_>>>()?;
        let sides = along.iter().map(|values| values.len() as u32).collect();
        (gaps.all(|gap| gap == stride) && !corner.is_empty()).then_some(Self { corner, sides, stride })
    }

    fn size(&self) -> usize {
        self.sides.iter().map(|&side| side as usize).product()
    }

    /// Returns the corner, the sides and the stride.
    fn place(&self) -> String {
        format!("{}:{}:{}", join(&self.corner, ","), join(&self.sides, "x"), self.stride)
    }

    /// Returns the term of the bound of its sides.
    fn name(&self) -> String {
        if self.stride != 1 {
            return format!("box:{}", self.place());
        }
        let range = |(from, side): (&u32, &u32)| format!("{from}-{}", from + side - 1);
        self.corner.iter().zip(&self.sides).map(range).collect::<Vec<_>>().join("x")
    }
}

/// Returns the term of a row that is a volume or class inequality on the lattice.
fn classes(board: &Board, lattice: &Lattice, row: &Row) -> Option<String> {
    let axes = lattice.sides.iter().filter(|&&side| side == 3).count();
    let is_queen = board.plain_box().is_some_and(|grid| grid.piece() == Piece::Queen);
    if !is_queen || axes < 2 || lattice.sides.iter().any(|&side| side != 1 && side != 3) {
        return None;
    }
    let class_of = |square: usize| {
        let coordinates = board.coordinates(square as Square);
        let along = coordinates.iter().zip(&lattice.corner).zip(&lattice.sides);
        along.filter(|&((x, from), &side)| side == 3 && x - from == lattice.stride).count()
    };
    // Each class has one weight, and either all of its squares or none occur; there are
    // `choose(axes, j) 2^(axes - j)` in class j.
    let (mut weights, mut sizes) = (vec![0; axes + 1], vec![0u64; axes + 1]);
    for (square, weight) in row.terms() {
        let class = class_of(square);
        if weights[class] != 0 && weights[class] != weight {
            return None;
        }
        weights[class] = weight;
        sizes[class] += 1;
    }
    let mut size = 1u64 << axes;
    for (class, &held) in sizes.iter().enumerate() {
        if held != 0 && held != size {
            return None;
        }
        size = size * (axes - class) as u64 / (2 * (class as u64 + 1));
    }
    let place = lattice.place();
    let volume = |least: usize| {
        let most = (1u32 << (axes - least)) - 1;
        let weight = |class: usize| match class.checked_sub(least) {
            _ if class == axes => most,
            None => 0,
            Some(exponent) => 1 << exponent,
        };
        row.rhs >= most && weights.iter().enumerate().all(|(class, &held)| held <= weight(class))
    };
    if let Some(least) = (1..axes).find(|&least| volume(least)) {
        return Some(format!("volume:{least}:{place}"));
    }
    let implies = |&&(facet, most): &&(&[u64], u64)| {
        facet.len() == weights.len()
            && u64::from(row.rhs) >= most
            && weights.iter().zip(facet).all(|(&held, &weight)| u64::from(held) <= weight)
    };
    CLASS_FACETS.iter().find(implies)?;
    Some(format!("class:{}:{}:{place}", row.rhs, join(&weights, ",")))
}

/// Returns the squares in the order of a cycle of odd length, if they form one and each attacks
/// exactly two others.
fn cycle(board: &Board, squares: &[Square]) -> Option<Vec<Square>> {
    let neighbours = |square: Square| {
        let mut near = squares.iter().copied().filter(|&other| board.attacks(square, other));
        let pair = (near.next()?, near.next()?);
        near.next().is_none().then_some(pair)
    };
    let first = *squares.first()?;
    let mut cycle = vec![first];
    let mut next = neighbours(first)?.0;
    while next != first {
        let before = *cycle.last()?;
        cycle.push(next);
        let (one, other) = neighbours(next)?;
        next = if one == before { other } else { one };
    }
    (cycle.len() == squares.len() && cycle.len() % 2 == 1).then_some(cycle)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(name: &str) -> Board {
        Board::new(&name.parse().expect("a board"))
    }

    /// Returns the name of the term of a row; the inner value is `None` for a clique.
    fn term_name(board: &Board, terms: &[(&[u32], i64)], rhs: i64) -> Option<Option<String>> {
        let mut terms: Vec<(Square, i64)> = terms
            .iter()
            .map(|(coordinates, weight)| (board.square(coordinates).expect("a square"), *weight))
            .collect();
        terms.sort_unstable();
        let (columns, coefficients) = terms.into_iter().unzip();
        let tag = ilp::Tag { family: "test", number: 0 };
        let row =
            ilp::Row { tag, columns, coefficients: Some(coefficients), comparison: Comparison::AtMost, rhs };
        term(board, row, Provable::All).map(|term| term.name)
    }

    #[test]
    fn names_rows_by_their_squares() {
        let plain =
            |squares: &[&'static [u32]]| squares.iter().map(|&square| (square, 1)).collect::<Vec<_>>();
        let square = board("5^2");
        assert_eq!(term_name(&square, &plain(&[&[0, 0], &[0, 3], &[3, 0]]), 1), Some(None));
        assert_eq!(
            term_name(&square, &plain(&[&[1, 0], &[1, 1], &[1, 2], &[2, 0], &[2, 1], &[2, 2]]), 2),
            Some(Some("1-2x0-2".to_owned()))
        );
        assert_eq!(
            term_name(&square, &plain(&[&[0, 1], &[0, 3], &[2, 1], &[2, 3], &[4, 1], &[4, 3]]), 2),
            Some(Some("box:0,1:3x2:2".to_owned()))
        );
        // Two strides.
        assert_eq!(
            term_name(&square, &plain(&[&[0, 0], &[0, 1], &[2, 0], &[2, 1], &[4, 0], &[4, 1]]), 2),
            None
        );
        // A cycle of five, in its order, and one whose right-hand side is too small.
        let cube = board("3^3");
        let cycle = plain(&[&[0, 1, 1], &[0, 2, 0], &[2, 0, 2], &[2, 1, 2], &[1, 2, 2]]);
        assert_eq!(term_name(&cube, &cycle, 2), Some(Some("cycle:4,6,20,23,17".to_owned())));
        assert_eq!(term_name(&cube, &cycle, 1), None);
        assert_eq!(term_name(&board("rook:3^3"), &cycle, 2), None);
    }

    #[test]
    fn names_rows_by_their_classes() {
        let cube = board("7^3");
        let classes = |weights: [i64; 4], corner: u32, stride: u32| {
            let mut terms: Vec<(Vec<u32>, i64)> = Vec::new();
            for number in 0..27u32 {
                let offsets = [number / 9, number / 3 % 3, number % 3];
                let class = offsets.iter().filter(|&&offset| offset == 1).count();
                if weights[class] > 0 {
                    let square = offsets.iter().map(|offset| corner + stride * offset).collect();
                    terms.push((square, weights[class]));
                }
            }
            terms
        };
        let name = |terms: &[(Vec<u32>, i64)], rhs: i64| {
            let terms: Vec<(&[u32], i64)> =
                terms.iter().map(|(square, weight)| (square.as_slice(), *weight)).collect();
            term_name(&cube, &terms, rhs)
        };
        let volume = classes([0, 1, 2, 3], 1, 2);
        assert_eq!(name(&volume, 3), Some(Some("volume:1:1,1,1:3x3x3:2".to_owned())));
        assert_eq!(name(&volume, 2), None);
        assert_eq!(name(&volume[1..], 3), None);
        assert_eq!(name(&classes([0, 1, 2, 4], 0, 3), 4), None);
        assert_eq!(name(&classes([1, 0, 0, 2], 0, 3), 2), None);
    }
}
