//! Test that the rows of a program exclude all points that are not solutions of its problem.
//!
//! Valid rows may be too weak for this. It is sufficient that single rows exclude each violation: queens on
//! two squares that attack each other, or a square that is not dominated. Some families exclude them on every
//! board; the rows of others are examined.

use fixedbitset::FixedBitSet;
use ndqueens_notation::certificate::Problem;

use crate::board::{Board, Square};
use crate::family::{Family, Property};
use crate::ilp::{Comparison, Row};

/// Memory for the pairs of squares that are examined in one pass over the rows, in bits.
const MAX_BITS: usize = 1 << 29;

/// Returns the first violation that families and rows do not exclude, as the end of a sentence, or `None` if
/// they define the problem.
pub(crate) fn find_gap<R: Iterator<Item = Row>>(
    board: &Board,
    problem: Problem,
    families: &[&dyn Family],
    rows: impl Fn() -> R,
) -> Option<String> {
    let is_open = |property: &&Property| families.iter().all(|family| family.ensures() != Some(**property));
    Property::of(problem).iter().filter(is_open).find_map(|property| match property {
        Property::Independence => {
            let (a, b) = find_allowed_pair(board, &rows, MAX_BITS)?;
            let (a, b) = (board.label(a), board.label(b));
            Some(format!(
                "no row forbids both {a} and {b}, which attack each other; line, lmr, edge and maximal-clique rows \
                 forbid all such pairs"
            ))
        }
        Property::NoThreeInLine => {
            Some("no rows keep three squares off a straight line; collinear rows do so for all".to_owned())
        }
        Property::Domination => {
            let square = board.label(find_undominated_square(board, &rows)?);
            Some(format!(
                "no row demands {square} or something that attacks it; domination rows do so for every square"
            ))
        }
    })
}

/// Returns two squares that attack each other such that no row excludes queens on both of them.
///
/// `bits` is the memory for the pairs that are examined in one pass over the rows, in bits.
fn find_allowed_pair<R: Iterator<Item = Row>>(
    board: &Board,
    rows: impl Fn() -> R,
    bits: usize,
) -> Option<(Square, Square)> {
    let chunk_size = (bits / board.size().max(1)).max(1);
    let squares: Vec<Square> = board.squares().collect();
    squares.chunks(chunk_size).find_map(|chunk| {
        let first = chunk[0];
        let later_neighbours = |&square: &Square| {
            let mut set = FixedBitSet::with_capacity(board.size());
            set.extend(board.neighbours(square).into_iter().filter(|&t| t > square).map(|t| t as usize));
            set
        };
        let mut open: Vec<FixedBitSet> = chunk.iter().map(later_neighbours).collect();
        for row in rows() {
            for_each_side(&row, |weights, rhs| {
                // Right-hand side minus the sum of the negative weights, which the other terms may reach.
                let slack = rhs - weights.iter().map(|&(_, weight)| weight.min(0)).sum::<i64>();
                let heaviest = weights.iter().map(|&(_, weight)| weight).max().unwrap_or(0).max(0);
                if 2 * heaviest <= slack {
                    return;
                }
                for (k, &(a, weight)) in weights.iter().enumerate() {
                    let Some(set) = a.checked_sub(first).and_then(|place| open.get_mut(place as usize))
                    else {
                        continue;
                    };
                    for &(b, other) in &weights[k + 1..] {
                        if weight.max(0) + other.max(0) > slack {
                            set.remove(b as usize);
                        }
                    }
                }
            });
        }
        let found = chunk.iter().zip(&open).find_map(|(&a, set)| Some((a, set.ones().next()?)));
        found.map(|(a, b)| (a, b as Square))
    })
}

/// Returns a square that no row requires to be dominated.
fn find_undominated_square<R: Iterator<Item = Row>>(board: &Board, rows: impl Fn() -> R) -> Option<Square> {
    let mut open = FixedBitSet::with_capacity(board.size());
    open.insert_range(..);
    let mut near = vec![0; board.size()];
    for row in rows() {
        for_each_side(&row, |weights, rhs| {
            // The row as a lower bound: the sum of the negated weights is at least `-rhs`.
            let positive =
                || weights.iter().filter(|&&(_, weight)| weight < 0).map(|&(s, weight)| (s, -weight));
            let all: i64 = positive().map(|(_, weight)| weight).sum();
            if rhs >= 0 {
                return;
            }
            let mut touched = Vec::new();
            for (square, weight) in positive() {
                for dominated in board.neighbours(square).into_iter().chain([square]) {
                    near[dominated as usize] += weight;
                    touched.push(dominated as usize);
                }
            }
            for square in touched {
                if near[square] > 0 && all - near[square] < -rhs {
                    open.remove(square);
                }
                near[square] = 0;
            }
        });
    }
    open.ones().next().map(|square| square as Square)
}

/// Calls `side` for one or two rows of the form `sum of weights <= rhs` that are equivalent to a row.
fn for_each_side(row: &Row, mut side: impl FnMut(&[(Square, i64)], i64)) {
    let weights: Vec<(Square, i64)> = row.terms().collect();
    if row.comparison != Comparison::AtLeast {
        side(&weights, row.rhs);
    }
    if row.comparison != Comparison::AtMost {
        let negated: Vec<(Square, i64)> = weights.iter().map(|&(square, weight)| (square, -weight)).collect();
        side(&negated, -row.rhs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::{ArchivedBounds, Bounds, Theorems};
    use crate::formulation::Formulation;
    use crate::ilp::{Program as _, Tag};
    use crate::model::{Model, ModelError};
    use crate::variant::{Goal, Variant};

    fn formulation(problem: Problem, families: &str) -> Formulation {
        let text = format!("title = \"\"\nsource = \"\"\nproblem = \"{problem}\"\nfamilies = [{families}]\n");
        Formulation::parse("test", &text).expect("a formulation")
    }

    /// All feasible points of accepted formulations are solutions.
    #[test]
    fn accepted_formulations_admit_only_solutions() {
        let bounds = Bounds::with_publications(&ArchivedBounds::builtin());
        let (mut accepted, mut rejected) = (0, 0);
        for name in ["2^3", "3^2", "3x2", "rook:3^2", "bishop:3x2", "torus:3^2", "rook:2^3", "4^1", "1^2"] {
            let board = Board::new(&name.parse().expect("a board name"));
            for (problem, families) in [
                (Problem::IndependentSet, "\"edge\""),
                (Problem::IndependentSet, "\"cube\""),
                (Problem::IndependentSet, "\"star\""),
                (Problem::IndependentSet, "\"subsolution\", \"layer\""),
                (Problem::IndependentSet, "\"odd-cycle\""),
                (Problem::IndependentSet, "\"equality\""),
                (Problem::IndependentSet, "\"symmetry\", \"lex\""),
                (Problem::DominatingSet, "\"domination\""),
                (Problem::DominatingSet, "\"symmetry\""),
                (Problem::IndependentDominatingSet, "\"domination\""),
                (Problem::IndependentDominatingSet, "\"line\""),
                (Problem::IndependentDominatingSet, "\"cube\", \"domination\""),
                (Problem::IndependentDominatingSet, "\"line\", \"equality\""),
            ] {
                let formulation = formulation(problem, families);
                let full = Variant::of(Goal::Exactly(board.trivial_bound()));
                for variant in [Variant::of(Goal::Optimise), full] {
                    let made = Model::new(&board, &formulation, variant, &bounds, 1 << 30);
                    let model = match made {
                        Ok(model) => model,
                        Err(ModelError::Undefined { .. }) => {
                            rejected += 1;
                            continue;
                        }
                        Err(ModelError::Invalid { .. }) => continue,
                        Err(other) => panic!("{name} {families}: {other}"),
                    };
                    accepted += 1;
                    for set in 0..1u32 << board.size() {
                        let on = |s: &Square| set >> s & 1 == 1;
                        let point: Vec<i64> = board.squares().map(|s| i64::from(on(&s))).collect();
                        if model.violation(&point).is_some() {
                            continue;
                        }
                        let free = |s: Square| !board.neighbours(s).iter().any(on);
                        let independent = board.squares().all(|s| !on(&s) || free(s));
                        let dominating = board.squares().all(|s| on(&s) || !free(s));
                        let solves = match problem {
                            Problem::IndependentSet => independent,
                            Problem::DominatingSet => dominating,
                            Problem::IndependentDominatingSet => independent && dominating,
                            Problem::NoThreeInLine => unreachable!("not among the cases"),
                        };
                        assert!(solves, "{name} {problem} {families} {point:?}");
                    }
                }
            }
        }
        assert!(accepted > 60 && rejected > 60, "{accepted} accepted, {rejected} rejected");
    }

    #[test]
    fn accepts_formulations_whose_rows_suffice() {
        for (board, problem, families, goal, is_defined) in [
            ("2^3", Problem::IndependentSet, "\"cube\"", Goal::Optimise, true),
            ("3^3", Problem::IndependentSet, "\"cube\"", Goal::Optimise, false),
            ("rook:4^3", Problem::IndependentSet, "\"equality\"", Goal::Exactly(16), true),
            ("4^2", Problem::IndependentSet, "\"equality\"", Goal::Exactly(4), false),
            ("4^2", Problem::IndependentSet, "\"odd-cycle\"", Goal::Exactly(1), true),
            ("4^2", Problem::IndependentSet, "\"odd-cycle\"", Goal::Optimise, false),
            ("4^2", Problem::DominatingSet, "\"lex\"", Goal::Optimise, false),
            ("rook:3^2", Problem::IndependentDominatingSet, "\"equality\"", Goal::Exactly(3), true),
        ] {
            let board = Board::new(&board.parse().expect("a board name"));
            let formulation = formulation(problem, families);
            let made = Model::new(&board, &formulation, Variant::of(goal), &Theorems, 1 << 30);
            match made {
                Ok(_) => assert!(is_defined, "{} {families}", board.name()),
                Err(ModelError::Undefined { .. }) => assert!(!is_defined, "{} {families}", board.name()),
                Err(error) => panic!("{error}"),
            }
            let relaxation = Model::relaxation(&board, &formulation, Variant::of(goal), &Theorems, 1 << 30);
            assert!(relaxation.is_ok());
        }
    }

    #[test]
    fn examines_squares_in_chunks_of_any_size() {
        let board = Board::new(&"4^2".parse().expect("a board name"));
        let base = formulation(Problem::IndependentSet, "\"edge\"");
        let model =
            Model::new(&board, &base, Variant::of(Goal::Optimise), &Theorems, 1 << 30).expect("valid");
        let missing = |left_out: u64, bits: usize| {
            find_allowed_pair(&board, || model.rows().filter(|row| row.tag.number != left_out), bits)
        };
        for bits in [1, 16, 50, 1 << 20] {
            assert_eq!(missing(u64::MAX, bits), None);
            for row in model.rows() {
                let [a, b] = row.columns[..] else { panic!("an edge has two ends") };
                assert_eq!(missing(row.tag.number, bits), Some((a, b)));
            }
        }
    }

    #[test]
    fn examines_rows_with_weights_of_both_signs() {
        let board = Board::new(&"3^1".parse().expect("a board name"));
        let row = |coefficients: &[i64], comparison, rhs| Row {
            tag: Tag { family: "test", number: 0 },
            columns: vec![0, 1, 2],
            coefficients: Some(coefficients.to_vec()),
            comparison,
            rhs,
        };
        let allowed = |row: Row| find_allowed_pair(&board, || std::iter::once(row.clone()), MAX_BITS);
        assert_eq!(allowed(row(&[2, 2, 2], Comparison::AtMost, 3)), None);
        assert_eq!(allowed(row(&[2, 2, 1], Comparison::AtMost, 3)), Some((0, 2)));
        assert_eq!(allowed(row(&[2, 2, -1], Comparison::AtMost, 2)), Some((0, 2)));
        assert_eq!(allowed(row(&[2, 2, -2], Comparison::AtMost, 2)), Some((0, 1)));
        assert_eq!(allowed(row(&[-1, -1, -1], Comparison::AtLeast, -1)), None);
        assert_eq!(allowed(row(&[1, 1, 1], Comparison::Equal, 1)), None);
        assert_eq!(allowed(row(&[1, 1, 1], Comparison::AtLeast, 1)), Some((0, 1)));
        let undominated = |row: Row| find_undominated_square(&board, || std::iter::once(row.clone()));
        assert_eq!(undominated(row(&[1, 1, 1], Comparison::AtLeast, 1)), None);
        assert_eq!(undominated(row(&[1, -1, 1], Comparison::Equal, 1)), None);
        assert_eq!(undominated(row(&[1, 1, 1], Comparison::AtLeast, 0)), Some(0));
        assert_eq!(undominated(row(&[1, 1, 1], Comparison::AtMost, 1)), Some(0));
    }
}
