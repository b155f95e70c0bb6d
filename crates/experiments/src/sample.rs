//! Sample runs and rows for tests.

use std::path::Path;

use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_workflow::record::{Answer, Outcome, Provenance};

use crate::definition::{Definition, DefinitionError};
use crate::executor::Usage;
use crate::plan;
use crate::planned::Planned;
use crate::store::{Finished, LAYOUT};

/// Returns the plan of an experiment file, to which a title and a source are added.
pub(crate) fn plan(text: &str) -> Result<Vec<Planned>, DefinitionError> {
    let text = format!("title = \"t\"\nsource = \"s\"\n{text}");
    plan::plan(&Definition::parse(Path::new("e.toml"), text)?)
}

/// Returns a planned run on a board.
pub(crate) fn sample_run(board: &str, formulation: &str, variant: &str, seed: u32) -> Planned {
    let text = format!(
        "[[runs]]\nboards = [\"{board}\"]\nformulations = [\"{formulation}\"]\nvariants = [\"{variant}\"]\nseeds = [{seed}]\n\
         time_seconds = 60\n"
    );
    plan(&text).expect("a plan").remove(0)
}

/// Returns an answer without a solution.
pub(crate) fn answer(outcome: Outcome) -> Answer {
    Answer { outcome, wall_seconds: 1.0, cpu_seconds: 2.0, ..Answer::default() }
}

/// Returns an answer with these squares of a board as its solution. Their number is also its proved bound if
/// the outcome is optimal.
pub(crate) fn shows(outcome: Outcome, board: &str, problem: Problem, squares: &[&[u32]]) -> Answer {
    let mut answer = answer(outcome);
    let squares = squares.iter().map(|square| square.to_vec()).collect();
    let certificate = Certificate::independent(board.parse().expect("a board"), squares, "by hand");
    answer.note_certificate(&Certificate { problem, ..certificate });
    if outcome == Outcome::Optimal {
        answer.proved_bound = answer.incumbent;
    }
    answer
}

/// Returns the row of a run that ended with this answer.
pub(crate) fn row(planned: Planned, answer: Answer) -> Finished {
    Finished {
        layout: LAYOUT,
        planned,
        answer,
        process: Usage::default(),
        failure: None,
        trace: Vec::new(),
        provenance: Provenance::here(),
    }
}
