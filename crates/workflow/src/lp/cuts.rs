//! Formulations with separated inequalities as inequalities of their own.

use std::collections::BTreeMap;

use ndqueens_model::board::{Board, Square, closure};
use ndqueens_model::formulation::Formulation;
use ndqueens_model::own::{MAX_NUMBER, MAX_SQUARES, OwnInequality, Pattern, Support, Term};

/// Valid inequality with its images under the symmetries of a board: the sum of the weights of the squares with
/// queens is at most the right-hand side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrbitCut {
    /// Name of the family.
    pub family: &'static str,
    /// Squares with their weights, which are not 0.
    pub terms: Vec<(Square, i64)>,
    /// Largest sum that is allowed.
    pub rhs: i64,
    /// Number of images, including itself; `None` if one image stands for all, as in an orbit LP.
    pub images: Option<usize>,
}

/// Returns a formulation with inequalities in addition, on this board. A pattern of the size of the board states
/// all images of an inequality at once. If these are not the images under exchanges and reflections of axes, as on
/// a torus, or if they are too many for a pattern, the images are listed. An inequality of which one image stands
/// for all is then listed alone. Inequalities with numbers beyond the limit of files are left out.
///
/// The inequalities are not marked as proved; those of a formulation that is read are decided again.
#[must_use]
pub fn with_cuts(formulation: &Formulation, board: &Board, cuts: &[OrbitCut]) -> Formulation {
    let mut with_cuts = formulation.clone();
    with_cuts.title = format!("{}; with cuts on {}", formulation.title, board.name());
    with_cuts.source = format!("formulation {}, and separation by ndq", formulation.name);
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    for cut in cuts {
        let number = numbers.entry(cut.family).or_default();
        *number += 1;
        let is_small = |value: i64| (-MAX_NUMBER..=MAX_NUMBER).contains(&value);
        if !is_small(cut.rhs) || !cut.terms.iter().all(|&(_, weight)| is_small(weight)) {
            continue;
        }
        let name = format!("{} {number}", cut.family);
        for support in supports(board, cut) {
            with_cuts.own.push(OwnInequality::at_most(name.clone(), support, cut.rhs));
        }
    }
    with_cuts
}

/// Returns the supports that state an inequality with its images.
fn supports(board: &Board, cut: &OrbitCut) -> Vec<Support> {
    let terms = |image: &[(Square, i64)]| -> Vec<Term> {
        let term = |&(square, coefficient)| Term { square: board.coordinates(square), coefficient };
        let mut terms: Vec<Term> = image.iter().map(term).collect();
        terms.sort_unstable();
        terms
    };
    if let Some(grid) = board.plain_box().filter(|_| board.size() <= MAX_SQUARES) {
        let pattern = Pattern::of_board(grid.sides().to_vec(), terms(&cut.terms));
        let number = pattern.placements(grid).ok().map(|placements| placements.len());
        if number.is_some_and(|number| cut.images.is_none_or(|images| images == number)) {
            return vec![Support::Pattern(pattern)];
        }
    }
    let Some(most) = cut.images else { return vec![Support::Squares(terms(&cut.terms))] };
    let generators = board.generators();
    let mut images = closure(cut.terms.clone(), &generators, most, |image, generator| {
        let mut image: Vec<(Square, i64)> =
            image.iter().map(|&(square, weight)| (generator(square), weight)).collect();
        image.sort_unstable();
        image
    });
    images.truncate(most);
    images.iter().map(|image| Support::Squares(terms(image))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(board: &Board, squares: &[&[u32]], images: Option<usize>) -> OrbitCut {
        let term = |square: &&[u32]| (board.square(square).expect("on the board"), 1);
        OrbitCut { family: "clique", terms: squares.iter().map(term).collect(), rhs: 1, images }
    }

    /// Returns the rows of the inequalities on a board, as sorted squares.
    fn rows(formulation: &Formulation, board: &Board) -> Vec<Vec<Square>> {
        let again = Formulation::parse("again", &formulation.to_toml()).expect("written");
        let own = again.families().filter(|family| family.name() == "own");
        let bounds = ndqueens_model::facts::Theorems;
        let rows =
            own.flat_map(|family| family.rows(board, &bounds).map(|row| row.squares).collect::<Vec<_>>());
        let mut rows: Vec<Vec<Square>> = rows.collect();
        rows.sort_unstable();
        rows
    }

    #[test]
    fn images_are_those_of_the_board() {
        let base = Formulation::builtin("base").expect("shipped");
        for (name, squares, images) in [
            ("4x5", vec![[0, 0], [0, 1], [1, 1]], 4),
            ("4^2", vec![[0, 0], [0, 1], [1, 1]], 8),
            ("rook:3^2", vec![[0, 0], [0, 1]], 8),
            ("torus:5^2", vec![[0, 0], [1, 1]], 50),
        ] {
            let board = Board::new(&name.parse().expect("a board"));
            let squares: Vec<&[u32]> = squares.iter().map(|square| square.as_slice()).collect();
            let cut = cut(&board, &squares, Some(images));
            let mut expected = closure(cut.terms.clone(), &board.generators(), 1000, |terms, generator| {
                let mut image: Vec<(Square, i64)> =
                    terms.iter().map(|&(square, weight)| (generator(square), weight)).collect();
                image.sort_unstable();
                image
            });
            expected.sort_unstable();
            assert_eq!(expected.len(), images, "{name}");
            let expected: Vec<Vec<Square>> =
                expected.into_iter().map(|terms| terms.into_iter().map(|term| term.0).collect()).collect();
            assert_eq!(rows(&with_cuts(&base, &board, &[cut]), &board), expected, "{name}");
        }
    }

    #[test]
    fn large_numbers_are_left_out() {
        let board = Board::new(&"3^2".parse().expect("a board"));
        let mut large = cut(&board, &[&[0, 0], &[0, 1]], None);
        large.rhs = MAX_NUMBER + 1;
        let base = Formulation::builtin("base").expect("shipped");
        assert!(with_cuts(&base, &board, &[large]).own.is_empty());
    }
}
