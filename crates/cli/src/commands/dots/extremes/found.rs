//! Report on an extreme total score.

use std::fmt::Write as _;
use std::path::Path;

use crate::schema::printed;
use ndqueens_cliquer::board::Board;
use ndqueens_cliquer::extremes::{Extreme, ExtremeKind};
use ndqueens_notation::counted::counted;
use schemars::JsonSchema;
use serde::Serialize;

#[derive(JsonSchema, Serialize)]
pub(super) struct Found {
    pub(super) file: String,
    pub(super) side: String,
    /// Checked total score of the best game found.
    pub(super) total: Option<u32>,
    /// Bound on all totals.
    pub(super) bound: i64,
    pub(super) is_extreme: bool,
    pub(super) shown_by: String,
    pub(super) game: Option<Vec<String>>,
    pub(super) triangulations: Option<usize>,
    pub(super) nodes: Option<u64>,
    pub(super) seconds: f64,
    pub(super) stop: String,
    /// Moves of the game, starting with the given ones.
    #[serde(skip)]
    pub(super) moves: Option<Vec<usize>>,
}

printed!(Found: "dots extremes");

impl Found {
    /// Creates the report of an extreme, or of a search that found none. The fields on how it was found are
    /// left empty.
    pub(super) fn of(
        file: &Path,
        board: &Board,
        side: ExtremeKind,
        drawn: &[usize],
        extreme: Option<&Extreme>,
    ) -> Self {
        let names = |extreme: &Extreme| extreme.segments.iter().map(|&s| board.name(s)).collect();
        Self {
            file: file.display().to_string(),
            side: side.to_string(),
            total: extreme.map(|extreme| extreme.total),
            bound: extreme.map_or_else(|| side.bound(board), |extreme| extreme.bound),
            is_extreme: extreme.is_some_and(Extreme::is_extreme),
            shown_by: String::new(),
            game: extreme.map(names),
            triangulations: None,
            nodes: None,
            seconds: 0.0,
            stop: String::new(),
            moves: extreme.map(|extreme| extreme.moves(drawn)),
        }
    }

    pub(super) fn text(&self) -> Result<String, std::fmt::Error> {
        let Found { file, side, total, bound, shown_by, stop, seconds, .. } = self;
        let mut text = match total {
            Some(total) if self.is_extreme => {
                format!("{file}: the {side} total score is {total} [{shown_by}]\n")
            }
            total => {
                let total =
                    total.map_or_else(|| "none was found".to_owned(), |total| format!("{total} was found"));
                format!(
                    "{file}: stopped ({stop}) before the {side} total score was known; {total}, bound {bound}\n"
                )
            }
        };
        if let Some(names) = &self.game {
            writeln!(text, "  game    {}", names.join(" "))?;
        }
        let nodes = self.nodes.map(|nodes| format!("{}, ", counted(nodes, "node")));
        let visits = self.triangulations.map(|count| format!("{}, ", counted(count, "triangulation")));
        writeln!(text, "  effort  {}{seconds:.2} s", nodes.or(visits).unwrap_or_default())?;
        Ok(text)
    }
}
