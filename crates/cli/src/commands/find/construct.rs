//! Finds large sets by constructions.

use std::path::PathBuf;

use anyhow::Context as _;
use ndqueens_model::board::Board;
use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_report::sheet::align_columns;
use ndqueens_solver::construct::{Attempt, ConstructionError, Effort, Method};
use ndqueens_system::file;
use ndqueens_workflow::find::construct::{self, ConstructionRequest, Tried};
use schemars::JsonSchema;
use serde::Serialize;

use super::args::Args;
use super::from;
use crate::commands::certificate::draw_text;
use crate::commands::{self, Exit};
use crate::output::{Answer, Output};
use crate::progress::Display;
use crate::schema::printed;

#[derive(JsonSchema, Serialize)]
struct Constructed {
    board: String,
    attempts: Vec<Line>,
    /// `true` if the command was stopped before all methods were done.
    stopped: bool,
    best: Option<usize>,
    origin: Option<String>,
    squares: Option<Vec<Vec<u32>>>,
    checked: bool,
}

printed!(Constructed: "find");

/// Result of one method.
#[derive(JsonSchema, Serialize)]
struct Line {
    method: String,
    queens: Option<usize>,
    says: String,
}

impl Line {
    fn of(Attempt { method, result }: &Attempt) -> Self {
        let (queens, says) = match result {
            Ok(made) => (Some(made.size()), made.origin.clone()),
            // Drop the advice on other methods, since they have their own lines.
            Err(ConstructionError::DoesNotApply { obstacle, .. }) => (None, obstacle.to_string()),
            Err(error) => (None, error.to_string()),
        };
        Self { method: method.to_string(), queens, says }
    }
}

/// Constructs a large set by every construction, or by the given one.
pub(super) fn run(
    args: &Args,
    asked: Option<Method>,
    display: &mut Display,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let board = Board::new(&args.board);
    commands::refuse_to_construct(&board)?;
    let include =
        commands::read_included(&board, args.include.as_deref(), args.form, Problem::IndependentSet)?;
    let methods = asked.map_or_else(|| Method::ALL.to_vec(), |method| vec![method]);
    let Tried { attempts, best, unchecked } = match asked {
        Some(method) if !args.from.is_empty() => construct_from(method, &board, &args.from)?,
        _ => {
            let request = ConstructionRequest {
                board: args.board.clone(),
                methods: methods.clone(),
                include,
                seed: u64::from(args.seed.seed),
                effort: Effort::default(),
            };
            construct::construct(&request, &mut |event| display.show(event))?
        }
    };
    if asked.is_some()
        && args.from.is_empty()
        && let [Attempt { method, result: Err(error) }] = &attempts[..]
    {
        return Err(error.clone()).with_context(|| format!("{method} on {}", board.name()));
    }
    let stopped = attempts.len() < methods.len();
    let lines = list_attempts(&methods, &attempts, unchecked);
    let text = write_answer(&board, &lines, best.as_ref(), stopped);
    // Report the set even if it cannot be written to a file.
    let kept = match (&args.output, &best) {
        (Some(path), Some(best)) => file::write(path, |file| write!(file, "{best}")),
        _ => Ok(()),
    };
    let constructed = Constructed {
        board: board.name().to_string(),
        attempts: lines,
        stopped,
        best: best.as_ref().map(Certificate::size),
        origin: best.as_ref().map(|best| best.origin.clone()),
        checked: best.is_some(),
        squares: best.map(|best| best.squares),
    };
    out.answer(&constructed, &text)?;
    kept?;
    Ok(match constructed.best {
        _ if stopped => Exit::Stopped,
        Some(_) => Exit::Yes,
        None => Exit::No,
    })
}

/// Writes the results of all methods as a table, with the best set below it.
fn write_answer(board: &Board, lines: &[Line], best: Option<&Certificate>, stopped: bool) -> Answer {
    let table = lines.iter().map(|Line { method, queens, says }| {
        vec![method.clone(), queens.map_or_else(|| "-".to_owned(), |n| n.to_string()), says.clone()]
    });
    let mut details = align_columns(table, &[0, 2]) + "\n\n";
    let verdict = match best {
        Some(best) => {
            let pieces = board.format_pieces(best.size() as u64);
            details += &draw_text(board, best);
            format!("{pieces} on {}, checked: no two attack each other", board.name())
        }
        None if stopped => format!("stopped before anything was made and checked on {}", board.name()),
        None => format!("nothing was made on {}", board.name()),
    };
    Answer { details, verdict }
}

/// Returns the results of all methods, including those that were not tried because of a stop; `unchecked` is
/// the size of a set that was made and not checked.
fn list_attempts(methods: &[Method], attempts: &[Attempt], unchecked: Option<usize>) -> Vec<Line> {
    let mut lines: Vec<Line> = attempts.iter().map(Line::of).collect();
    for (place, method) in methods.iter().skip(attempts.len()).enumerate() {
        let says = match (place, unchecked) {
            (0, Some(queens)) => format!("stopped before its {queens} were checked"),
            (0, None) => "stopped before it was done".to_owned(),
            _ => "not tried: stopped".to_owned(),
        };
        lines.push(Line { method: method.to_string(), queens: None, says });
    }
    lines
}

/// Constructs a set from the given ones, and checks it.
fn construct_from(method: Method, board: &Board, files: &[PathBuf]) -> anyhow::Result<Tried> {
    let attempt = from::construct(method, board, files)?;
    let made = attempt.result.as_ref().ok();
    let best = made.map(|made| construct::certify(board, made, &[])).transpose()?;
    Ok(Tried { best, attempts: vec![attempt], unchecked: None })
}
