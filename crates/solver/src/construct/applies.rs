//! Applicability of the methods to a board.

use ndqueens_model::board::{Board, Grid};
use ndqueens_notation::name::{BoardName, Piece};

use super::linear::regular;
use super::method::{Effort, Method};
use super::obstacle::{Obstacle, format_methods};
use super::{corner, cut, extend, local_search, parity, planar};

impl Method {
    /// Returns the reason why the method is not applicable to a board, as far as it can be detected
    /// without running it.
    #[must_use]
    pub fn obstacle(self, board: &Board, effort: Effort) -> Option<Obstacle> {
        self.check_applicable(board, effort).err()
    }

    fn check_applicable(self, board: &Board, effort: Effort) -> Result<(), Obstacle> {
        let queen_sides = |is_torus| {
            let grid =
                board.grid().filter(|grid| grid.piece() == Piece::Queen && grid.is_torus() == is_torus);
            grid.map(Grid::sides)
        };
        let is_cube = |sides: &&[u32]| sides.iter().all(|n| *n == sides[0]);
        let plain = || queen_sides(false);
        let cube = || plain().filter(is_cube);
        let several_axes = || plain().filter(|sides| sides.len() > 1);
        let ensure_fits = |fits: bool| if fits { Ok(()) } else { Err(Obstacle::TooLarge) };
        match self {
            Self::Regular => {
                let sides = cube().or_else(|| queen_sides(true).filter(is_cube));
                let sides = sides.ok_or(Obstacle::For("queens on n^d and torus:n^d"))?;
                Ok(regular::ensure_exists(sides[0], sides.len())?)
            }
            Self::Planar => {
                let full = cube().filter(|sides| sides.len() == 2 && planar::exists(sides[0]));
                full.map(|_| ()).ok_or(Obstacle::For("queens on n^2, n = 1 or at least 4"))
            }
            Self::Cut => {
                let sides = plain().ok_or(Obstacle::For("queens on plain boxes"))?;
                ensure_fits(cut::fits(sides, effort.cut))
            }
            Self::Extend => {
                let sides = cube().ok_or(Obstacle::For("queens on n^d"))?;
                extend::core_side(sides[0], sides.len())?;
                ensure_fits(local_search::fits(board, 1))
            }
            Self::Product => {
                several_axes().map(|_| ()).ok_or(Obstacle::For("queens on plain boxes of two axes or more"))
            }
            Self::Corner => {
                let sides = cube().ok_or(Obstacle::For("queens on n^d"))?;
                let larger = corner::larger(sides).ok_or(Obstacle::NoLarger)?;
                let larger = Board::new(&BoardName::queen(&larger));
                let any_applies =
                    corner::METHODS.iter().any(|method| method.check_applicable(&larger, effort).is_ok());
                any_applies.then_some(()).ok_or(Obstacle::NoLarger)
            }
            Self::Stack => {
                several_axes().ok_or(Obstacle::For("queens on plain boxes of two axes or more"))?;
                ensure_fits(local_search::fits(board, 1))
            }
            Self::Parity => {
                let applies = parity::applies(board.name());
                let boards = "kings and knights on plain boxes and on tori of even side";
                applies.then_some(()).ok_or(Obstacle::For(boards))
            }
            Self::Greedy => ensure_fits(local_search::fits(board, 1)),
        }
    }
}

/// Returns the other methods that apply to a board. If squares are to be `included`, this is at most greedy,
/// because only greedy is certain to contain them.
pub(super) fn instead(method: Method, board: &Board, included: bool, effort: Effort) -> Vec<Method> {
    let candidates: &[Method] = if included { &[Method::Greedy] } else { &Method::ALL };
    let applies = |other: &&Method| **other != method && other.obstacle(board, effort).is_none();
    candidates.iter().filter(applies).copied().collect()
}

/// Returns a clause that names the methods that apply.
pub(super) fn advice(methods: &[Method]) -> String {
    match methods {
        [] => "no other construction applies".to_owned(),
        [one] => format!("{one} applies"),
        several => format!("{} apply", format_methods(several)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::construct;
    use super::*;

    /// Returns the message of the error of a method that does not apply.
    fn message_of(method: Method, board: &str) -> String {
        let board = Board::new(&board.parse().expect("a board name"));
        construct(method, &board, &[], 0, Effort { cut: 100_000, greedy: 10_000 })
            .expect_err("it does not apply")
            .to_string()
    }

    #[test]
    fn errors_name_the_obstacle_and_applicable_methods() {
        for (method, board, obstacle, instead) in [
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
            let message = message_of(method, board);
            assert!(
                message.contains(obstacle) && message.contains(instead),
                "{method} on {board}: {message}"
            );
            assert!(!message.contains("included"), "{method} on {board}: {message}");
        }
    }

    #[test]
    fn suggests_only_greedy_for_included_squares() {
        let board = Board::new(&"8^2".parse().expect("a board name"));
        let effort = Effort { cut: 100_000, greedy: 10_000 };
        let corner = board.square(&[0, 0]).expect("a corner");
        let error =
            construct(Method::Planar, &board, &[corner], 0, effort).expect_err("it misses the corner");
        assert!(
            error.to_string().ends_with("contains the squares to be included; greedy applies"),
            "{error}"
        );
    }
}
