//! The commands that may improve the bounds of a board, with the estimated effort of each.

use ndqueens_exact::MOST_SQUARES;
use ndqueens_model::facts::Side;
use ndqueens_model::facts::ledger::MAX_BYTES;
use ndqueens_model::orbit::BoxOrbits;
use ndqueens_notation::counted::counted;
use ndqueens_notation::name::{BoardName, MAX_SQUARES, Piece};
use ndqueens_solver::construct::local_search::MAX_AXES;
use ndqueens_solver::orbit_lp::MAX_COLUMNS;

use crate::effort::{Clock, Effort};
use crate::ledger::{Ledger, LedgerRow};

/// The largest board that is searched, in squares.
const MOST_SEARCHED: u128 = 100_000_000;

/// The largest board whose bound may be lowered by cases, in squares.
const MOST_BY_CASES: u128 = 25_000;

/// Size of a search tree up to which a proof by the exact engine is suggested, in nodes.
const MOST_NODES: f64 = 1e10;

/// Estimated sizes of search trees, by `ndq prove estimate` (see `docs/exact-measurements.md`): board, number
/// of queens to refute, nodes.
const ESTIMATES: [(&str, u128, f64); 4] =
    [("7^4", 146, 4e18), ("8^4", 242, 4e15), ("5^5", 96, 5e23), ("14^3", 173, 1e24)];

/// A command that may improve a bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// The command.
    pub command: String,
    /// Its estimated effort, or what earlier attempts took.
    pub effort: String,
}

/// Reason why no command is suggested for an upper bound.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Obstacle {
    /// The bounds meet, but one of them is only published.
    #[error("the bounds meet, on a published value")]
    BoundsMeet,
    /// No method is known to lower the bound; a reason for each method.
    #[error("nothing known here lowers it: {}", .0.join(", and "))]
    NoMethod(Vec<String>),
}

/// Prospect of lowering an upper bound by an orbit LP.
enum OrbitLp {
    /// The command that may lower it.
    Suggested(Suggestion),
    /// No command lowers it, for this reason.
    Hopeless(String),
    /// The orbit LP does not apply to the board.
    NotApplicable,
}

/// A board whose bounds do not meet.
#[derive(Debug, Clone, Copy)]
pub struct Open<'a> {
    /// The board.
    pub board: &'a BoardName,
    /// The board's name as a shell reads it.
    pub typed: &'a str,
    /// Number of squares.
    pub squares: u128,
    /// The best lower bound, in pieces.
    pub lower: u128,
    /// The best upper bound, in pieces.
    pub upper: u128,
}

/// The estimated size of a search tree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TreeSize {
    /// Number of nodes.
    pub nodes: f64,
    /// Seconds on one thread; `None` if unknown.
    pub seconds: Option<f64>,
}

impl Open<'_> {
    /// Returns the command that may find a larger placement, if the board is not too large.
    #[must_use]
    pub fn raise(&self, efforts: &[Effort]) -> Option<Suggestion> {
        let Self { board, typed, squares, lower, .. } = *self;
        let attempt = efforts.iter().find(|effort| effort.side == Side::Lower && effort.board == *board);
        let effort = match attempt {
            Some(Effort { minutes, clock, .. }) => {
                let of = match clock {
                    Clock::Cpu => "of CPU",
                    Clock::Wall => "of wall clock",
                };
                format!("{minutes} min {of} found no more than {lower}")
            }
            None => "runs until it succeeds or is stopped".to_owned(),
        };
        let is_searched_by_faces = matches!(board, BoardName::Grid { piece: Piece::Queen, torus: false, sides }
            if sides.len() <= MAX_AXES && sides.iter().all(|&side| side <= 3));
        let method = if is_searched_by_faces { "faces" } else { "search" };
        let command = format!("ndq find {typed} --method {method} --at-least {}", lower + 1);
        (squares <= MOST_SEARCHED).then_some(Suggestion { command, effort })
    }

    /// Returns the command that may lower the upper bound. `estimate` returns the size of the exact engine's
    /// search tree.
    ///
    /// # Errors
    /// Returns an error with the reasons if no command is known to lower it.
    pub fn reduce(
        &self,
        ledger: &Ledger,
        efforts: &[Effort],
        estimate: &dyn Fn() -> Option<TreeSize>,
    ) -> Result<Suggestion, Obstacle> {
        let Self { typed, squares, .. } = *self;
        // An archived bound that equals the lower bound but was not checked.
        let closes = |row: &&LedgerRow| u128::from(row.value) == self.lower && self.lower < self.upper;
        if let Some(row) = ledger.row(self.board, Side::Upper).filter(closes) {
            let proof = format!("the archived proof of at most {}", row.value);
            return Ok(match row.bytes > MAX_BYTES {
                true => Suggestion { command: row.command.clone(), effort: format!("creates {proof} again") },
                false => {
                    Suggestion { command: "ndq archive verify".to_owned(), effort: format!("checks {proof}") }
                }
            });
        }
        let mut reasons = Vec::new();
        if squares > MOST_SQUARES as u128 {
            reasons.push(format!("the exact engine takes {MOST_SQUARES} squares at most"));
        } else {
            match self.stored_estimate().or_else(estimate) {
                Some(size) if size.nodes <= MOST_NODES => {
                    let command = format!("ndq prove {typed} --work w");
                    return Ok(Suggestion { command, effort: size.to_string() });
                }
                Some(size) => reasons.push(format!("exact search takes {size}")),
                None => reasons.push("exact search is out of reach".to_owned()),
            }
        }
        match self.suggest_orbit_lp(ledger, efforts) {
            OrbitLp::Suggested(suggestion) => return Ok(suggestion),
            OrbitLp::Hopeless(reason) => reasons.push(reason),
            OrbitLp::NotApplicable => {}
        }
        Err(Obstacle::NoMethod(reasons))
    }

    fn stored_estimate(&self) -> Option<TreeSize> {
        let name = self.board.to_string();
        let stored = ESTIMATES.iter().find(|(board, queens, _)| *board == name && *queens == self.lower + 1);
        stored.map(|&(_, _, nodes)| TreeSize { nodes, seconds: None })
    }

    /// Returns the command of an orbit LP that may lower the bound, or the reason why no command is known.
    fn suggest_orbit_lp(&self, ledger: &Ledger, efforts: &[Effort]) -> OrbitLp {
        let Self { board, typed, squares, upper, .. } = *self;
        let BoardName::Grid { piece: Piece::Queen, torus: false, sides } = board else {
            return OrbitLp::NotApplicable;
        };
        if squares > u128::from(MAX_SQUARES) {
            return OrbitLp::Hopeless(format!("the orbit LP takes {MAX_SQUARES} squares at most"));
        }
        let columns = BoxOrbits::of_sides(sides.clone()).number();
        if columns > u128::from(MAX_COLUMNS) {
            return OrbitLp::Hopeless(format!("the orbit LP takes {MAX_COLUMNS} orbits of squares at most"));
        }
        // Weights of 1/side on all squares satisfy the rows of lines, and those of cubes with their centres
        // if these have at most `side` squares.
        let longest = sides.iter().copied().max().unwrap_or(1);
        if sides.len() < 4 || u64::from(longest) > 1 << sides.len() {
            return OrbitLp::Hopeless("the orbit LP gives the number of parallel lines".to_owned());
        }
        if longest <= 3 {
            return OrbitLp::Hopeless("the orbit LP of cubes gives more than the volume bound".to_owned());
        }
        let row = ledger.row(board, Side::Upper).filter(|row| row.kind.to_string() == "orbit LP");
        let Some(row) = row else {
            let effort = match columns {
                0..=500 => "seconds",
                501..=1000 => "a minute",
                _ => "minutes to hours",
            };
            let command = format!("ndq lp certify {typed} -f cube");
            return OrbitLp::Suggested(Suggestion {
                command,
                effort: format!("{effort}, an LP of {}", counted(columns, "column")),
            });
        };
        let was_tried = efforts.iter().any(|effort| effort.side == Side::Upper && effort.board == *board);
        let is_local = row.command.contains("--separate");
        if was_tried
            || is_local
            || row.command.contains("--cases")
            || squares > MOST_BY_CASES
            || u128::from(row.value) > upper
        {
            let with = match (is_local, squares > MOST_BY_CASES) {
                (true, _) => ", also with local cuts",
                (false, true) => "",
                (false, false) => ", also with cases",
            };
            return OrbitLp::Hopeless(format!("the orbit LP gives {}{with}", row.value));
        }
        let command = format!("ndq lp certify {typed} -f strong-clique-faces --separate local,clique");
        OrbitLp::Suggested(Suggestion { command, effort: "minutes to hours".to_owned() })
    }
}

/// Writes the size, e.g. `about 4e15 nodes`, and the time if it is known.
impl std::fmt::Display for TreeSize {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { nodes, seconds } = *self;
        match nodes.round() {
            nodes if nodes < 1e6 => write!(f, "about {}", counted(nodes.max(1.0), "node"))?,
            nodes => write!(f, "about {nodes:.0e} nodes")?,
        }
        match seconds {
            None => Ok(()),
            Some(s) if s < 1.0 => f.write_str(", less than a second"),
            Some(s) if s < 100.0 => write!(f, ", {s:.0} s on one thread"),
            Some(s) if s < 6000.0 => write!(f, ", {:.0} min on one thread", s / 60.0),
            Some(s) if s < 100.0 * 3600.0 => write!(f, ", {:.0} h on one thread", s / 3600.0),
            Some(s) => write!(f, ", {:.0} days on one thread", s / 86400.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::effort;
    use crate::files::ArchiveFiles;

    fn suggest(board: &str, lower: u128, upper: u128, estimate: Option<f64>) -> Result<Suggestion, Obstacle> {
        let name: BoardName = board.parse().expect("a board");
        let squares = ndqueens_model::board::Board::new(&name).size() as u128;
        let archive = ArchiveFiles::embedded();
        let (ledger, efforts) =
            (Ledger::of(&archive).expect("a ledger"), effort::of(&archive).expect("a table"));
        let open = Open { board: &name, typed: board, squares, lower, upper };
        open.reduce(&ledger, &efforts, &|| estimate.map(|nodes| TreeSize { nodes, seconds: None }))
    }

    #[test]
    fn hopeless_commands_are_not_suggested() {
        for (board, lower, upper, reason) in [
            (
                "8^4",
                241,
                245,
                "exact search takes about 4e15 nodes, and the orbit LP gives 245, also with cases",
            ),
            ("18^3", 307, 324, "the orbit LP gives the number of parallel lines"),
            ("18^4", 5526, 5832, "the orbit LP gives the number of parallel lines"),
            ("14^3", 172, 193, "exact search takes about 1e24 nodes"),
            ("9^4", 386, 394, "the orbit LP gives 394, also with cases"),
            ("7^5", 467, 534, "the orbit LP gives 534, also with local cuts"),
            ("torus:20^3", 300, 360, "the exact engine takes 4096 squares at most"),
        ] {
            let obstacle = suggest(board, lower, upper, None).expect_err(board).to_string();
            assert!(
                obstacle.starts_with("nothing known here lowers it") && obstacle.contains(reason),
                "{board}: {obstacle}"
            );
        }
    }

    #[test]
    fn commands_come_with_their_effort() {
        let prove = suggest("hex:12", 22, 23, Some(2.5e6)).expect("a command");
        assert_eq!(
            (prove.command.as_str(), prove.effort.as_str()),
            ("ndq prove hex:12 --work w", "about 2e6 nodes")
        );
        let certify = suggest("10x10x10x10x10x12", 1, 18750, None).expect("a command");
        assert_eq!(certify.command, "ndq lp certify 10x10x10x10x10x12 -f cube");
        assert_eq!(certify.effort, "a minute, an LP of 756 columns");
        let local = suggest("11^4", 865, 873, None).expect("a command");
        assert!(local.command.ends_with("-f strong-clique-faces --separate local,clique"), "{local:?}");
        assert!(suggest("hex:30", 50, 59, Some(1e20)).is_err());
    }
}
