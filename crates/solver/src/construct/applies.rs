//! Which methods apply to a board, and why the others do not.

use ndqueens_model::board::{Board, Grid};
use ndqueens_notation::name::{BoardName, Piece};

use super::linear::regular;
use super::method::{Effort, Method};
use super::obstacle::{Obstacle, listed};
use super::{corner, cut, extend, local_search, parity, planar};

impl Method {
    /// What stands against the method on a board, as far as this can be told before it is tried.
    #[must_use]
    pub fn obstacle(self, board: &Board, effort: Effort) -> Option<Obstacle> {
        self.applies(board, effort).err()
    }

    fn applies(self, board: &Board, effort: Effort) -> Result<(), Obstacle> {
        let sides = |torus| {
            let grid = board.grid().filter(|grid| grid.piece() == Piece::Queen && grid.is_torus() == torus);
            grid.map(Grid::sides)
        };
        let equal = |sides: &&[u32]| sides.iter().all(|n| *n == sides[0]);
        let cube = || sides(false).filter(equal);
        let plain = || sides(false);
        let axes = || plain().filter(|sides| sides.len() > 1);
        let unless_large = |fits: bool| if fits { Ok(()) } else { Err(Obstacle::TooLarge) };
        match self {
            Self::Regular => {
                let sides = cube().or_else(|| sides(true).filter(equal));
                let sides = sides.ok_or(Obstacle::For("queens on n^d and torus:n^d"))?;
                Ok(regular::exists(sides[0], sides.len())?)
            }
            Self::Planar => {
                let full = cube().filter(|sides| sides.len() == 2 && planar::exists(sides[0]));
                full.map(|_| ()).ok_or(Obstacle::For("queens on n^2, n = 1 or at least 4"))
            }
            Self::Cut => {
                let sides = plain().ok_or(Obstacle::For("queens on plain boxes"))?;
                unless_large(cut::fits(sides, effort.cut))
            }
            Self::Extend => {
                let sides = cube().ok_or(Obstacle::For("queens on n^d"))?;
                extend::core_side(sides[0], sides.len())?;
                unless_large(local_search::fits(board, 1))
            }
            Self::Product => {
                axes().map(|_| ()).ok_or(Obstacle::For("queens on plain boxes of two axes or more"))
            }
            Self::Corner => {
                let sides = cube().ok_or(Obstacle::For("queens on n^d"))?;
                let larger = corner::larger(sides).ok_or(Obstacle::NoLarger)?;
                let larger = Board::new(&BoardName::queen(&larger));
                let made = corner::FROM.iter().any(|method| method.applies(&larger, effort).is_ok());
                made.then_some(()).ok_or(Obstacle::NoLarger)
            }
            Self::Stack => {
                axes().ok_or(Obstacle::For("queens on plain boxes of two axes or more"))?;
                unless_large(local_search::fits(board, 1))
            }
            Self::Parity => {
                let applies = parity::applies(board.name());
                let boards = "kings and knights on plain boxes and on tori of even side";
                applies.then_some(()).ok_or(Obstacle::For(boards))
            }
            Self::Greedy => unless_large(local_search::fits(board, 1)),
        }
    }
}

/// The methods that make what the given one does not. Of those only greedy is sure to contain squares to be included.
pub(super) fn instead(method: Method, board: &Board, include: bool, effort: Effort) -> Vec<Method> {
    let candidates: &[Method] = if include { &[Method::Greedy] } else { &Method::ALL };
    let applies = |other: &&Method| **other != method && other.obstacle(board, effort).is_none();
    candidates.iter().filter(applies).copied().collect()
}

/// The methods that apply, in words.
pub(super) fn advice(methods: &[Method]) -> String {
    match methods {
        [] => "no other construction applies".to_owned(),
        [one] => format!("{one} applies"),
        many => format!("{} apply", listed(many)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::construct;
    use super::*;

    /// What is said of a method that does not apply.
    fn message_of(method: Method, board: &str) -> String {
        let board = Board::new(&board.parse().expect("a board name"));
        construct(method, &board, &[], 0, Effort { cut: 100_000, greedy: 10_000 })
            .expect_err("it does not apply")
            .to_string()
    }

    #[test]
    fn a_method_that_does_not_apply_says_why_and_what_does() {
        for (method, board, why, instead) in [
            (
                Method::Regular,
                "torus:4^3",
                "no regular solution has side 4 in dimension 3",
                "11; greedy applies",
            ),
            (
                Method::Regular,
                "6^3",
                "next side that has one is 11",
                "; cut, product, corner, stack and greedy apply",
            ),
            (Method::Cut, "torus:4^3", "for queens on plain boxes", "; greedy applies"),
            (Method::Extend, "8^3", "in dimension 3 is 11", "; cut, product, corner, stack and greedy apply"),
            (Method::Planar, "2^2", "n = 1 or at least 4", "; cut, product, corner, stack and greedy apply"),
            (
                Method::Corner,
                "2^20",
                "the board is too large",
                "regular, planar, cut and extend make on the next larger",
            ),
            (Method::Corner, "2^20", "they make nothing there", "; product applies"),
            (Method::Cut, "2^20", "the board is too large", "; product applies"),
            (Method::Greedy, "2^20", "the board is too large", "; product applies"),
            (Method::Stack, "rook:4^3", "for queens on plain boxes", "; greedy applies"),
        ] {
            let said = message_of(method, board);
            assert!(said.contains(why) && said.contains(instead), "{method} on {board}: {said}");
            assert!(!said.contains("included"), "{method} on {board}: {said}");
        }
    }

    #[test]
    fn only_greedy_is_advised_for_squares_to_be_included() {
        let board = Board::new(&"8^2".parse().expect("a board name"));
        let effort = Effort { cut: 100_000, greedy: 10_000 };
        let corner = board.square(&[0, 0]).expect("a corner");
        let said = construct(Method::Planar, &board, &[corner], 0, effort).expect_err("it misses the corner");
        assert!(said.to_string().ends_with("contains the squares to be included; greedy applies"), "{said}");
    }
}
