//! Error messages with advice: the libraries describe an error, and this module adds the command or flag that
//! helps.

use std::error::Error;
use std::path::Path;

use crate::output::{log, shorten};
use ndqueens_archive::ArchiveError;
use ndqueens_experiments::ExperimentError;
use ndqueens_model::format::NoQuestion;
use ndqueens_solver::orbit_lp::OrbitLpError;
use ndqueens_system::file::FileError;
use ndqueens_workflow::evidence::{EvidenceError, Refusal};
use ndqueens_workflow::run::{CountError, SplitError, StartError, WorkflowError};

/// Prints an error with its causes on one line, and returns the printed text. The middle of a very long text
/// is left out.
pub(crate) fn report(error: &anyhow::Error) -> String {
    let shown = shorten(format_error(error));
    log(&format!("error: {shown}"));
    shown
}

/// Returns the messages of an error and its causes on one line, the first one that has [`advice`] with it.
fn format_error(error: &anyhow::Error) -> String {
    let mut is_advised = false;
    let message = |cause: &(dyn Error + 'static)| {
        let advised = if is_advised { None } else { advice(cause) };
        is_advised |= advised.is_some();
        advised.unwrap_or_else(|| cause.to_string())
    };
    error.chain().map(message).collect::<Vec<_>>().join(": ")
}

/// Returns the message of an error with advice, or `None` if there is no advice.
fn advice(error: &(dyn Error + 'static)) -> Option<String> {
    let with = |advice: &str| Some(format!("{error}; {advice}"));
    let run = |folder: &Path, does: &str| with(&format!("ndq prove run {} --all {does}", folder.display()));
    let colour =
        |folder: &Path, does: &str| with(&format!("ndq colour run {} --all {does}", folder.display()));
    match error.downcast_ref() {
        Some(ExperimentError::NoPlan(_)) => return with("ndq lab run makes one"),
        Some(ExperimentError::ChangedPlan { .. }) => {
            return with("the same ndq lab run writes both again, and does not repeat finished runs");
        }
        _ => {}
    }
    match error.downcast_ref() {
        Some(ArchiveError::TooLarge(_)) => return with("--command states it"),
        Some(ArchiveError::Embedded) => {
            return with("--data names a folder that can, such as results/archive in a clone");
        }
        _ => {}
    }
    if let Some(EvidenceError::Refusal(Refusal::NoBoard(_))) = error.downcast_ref() {
        return with("name it with --board");
    }
    if error.downcast_ref().is_some_and(asks_nothing) {
        return Some(format!("{error}: give --at-least, --at-most or --exactly"));
    }
    match error.downcast_ref::<WorkflowError>()? {
        WorkflowError::TooLarge { .. } => {
            with("ndq find and ndq lp certify bound the maximum of larger boards")
        }
        WorkflowError::OrbitLp(OrbitLpError::Family { .. }) => with("-f base takes every box"),
        WorkflowError::NoSat => with("cargo build --release -p ndqueens --features sat makes one with it"),
        WorkflowError::Start(StartError::NotConstructed { method, board, fault }) => {
            Some(format!("--start {method} on {board}: {fault}"))
        }
        WorkflowError::Start(StartError::Missing(start)) => Some(format!(
            "--start \"{start}\": neither cut, greedy or none, nor an existing certificate file"
        )),
        WorkflowError::Split(SplitError::Done(folder)) => run(folder, "resumes it"),
        WorkflowError::Split(SplitError::None(_)) => with("ndq prove split makes one"),
        WorkflowError::Split(SplitError::Damaged { folder, .. }) => run(folder, "makes it again"),
        WorkflowError::Split(SplitError::Missing { folder, .. }) => run(folder, "runs them"),
        WorkflowError::ColourParts(SplitError::Done(folder)) => colour(folder, "resumes it"),
        WorkflowError::ColourParts(SplitError::None(_)) => with("ndq colour split makes one"),
        WorkflowError::ColourParts(SplitError::Missing { folder, .. }) => colour(folder, "runs them"),
        WorkflowError::Count(CountError::TooManyToProve { .. }) => with("the count needs no --proof"),
        WorkflowError::Count(CountError::NoneKept { folder }) => Some(format!(
            "the parts in {} hold no solutions, because the count was started without --solutions and --threshold; choose another \
             folder, or omit these options",
            folder.display()
        )),
        _ => None,
    }
}

/// Returns `true` if a file could not be written because the model has no objective and no limit.
fn asks_nothing(fault: &FileError) -> bool {
    fault.cause.get_ref().is_some_and(|cause| cause.is::<NoQuestion>())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use anyhow::Context as _;
    use ndqueens_model::family::ValidityError;
    use ndqueens_model::model::ModelError;

    use super::*;

    #[test]
    fn messages_have_context_and_advice() {
        let error =
            Err::<(), _>(WorkflowError::Split(SplitError::None(PathBuf::from("w")))).context("part 3");
        assert_eq!(
            format_error(&error.expect_err("an error")),
            "part 3: w: there is no split in this folder, or only an unfinished one; ndq prove split makes one"
        );
        let error = anyhow::Error::from(WorkflowError::from(StartError::Missing("x".to_owned())));
        assert!(format_error(&error).starts_with("--start \"x\": neither"));
        assert_eq!(format_error(&anyhow::anyhow!("a").context("b")), "b: a");
    }

    #[test]
    fn states_each_cause_once() {
        let model = ModelError::Invalid {
            family: "equality",
            formulation: "full".to_owned(),
            board: "2x3".to_owned(),
            reason: ValidityError::Torus,
        };
        let message = model.to_string();
        assert!(message.ends_with(&ValidityError::Torus.to_string()), "{message}");
        let error = anyhow::Error::from(WorkflowError::from(model));
        assert_eq!(error.chain().count(), 1);
        assert_eq!(format_error(&error), message);
        assert_eq!(format_error(&error.context("run 3")), format!("run 3: {message}"));
    }
}
