//! Infrastructure that the workflows share: context, events, cancellation, errors, and checks of results.

pub mod certificate;
mod context;
mod error;
mod event;
pub mod exact_engine;
pub mod formulation;
mod interruptible;
pub mod own;
pub mod placement_check;
mod prior;
mod proof_draft;
pub mod start;
mod watch;

pub use context::RunContext;
pub use error::{
    CertificateFileError, ColourError, CountError, GoalError, RefusedError, SplitError, StartError,
    WorkflowError,
};
pub use event::{
    BoxProgress, BoxesProgress, ConstructionProgress, Event, PartsProgress, SearchProgress, TreeProgress,
    Watch,
};
pub use interruptible::Interruptible;
pub(crate) use prior::note_foundation;
pub use prior::{PriorResults, ResultArchive, lemmas_and_conditions};
pub(crate) use proof_draft::{ProofDraft, Sources};
pub(crate) use watch::{CHECKING, nodes, run_watched, run_watched_with};
