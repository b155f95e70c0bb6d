//! Backends by name.

use crate::backends::Backend;
use crate::backends::command::{CommandSolver, TemplateError};
use crate::backends::good_lp::GoodLp;
use crate::backends::highs::Highs;
use ndqueens_notation::similar::did_you_mean;

/// Text that does not name a backend.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnknownBackend {
    /// Unknown name.
    #[error(
        "unknown backend \"{input}\"; expected one of {}, or a command such as \"cbc {{model}} -solve -solution {{solution}}\"{}",
        names().join(", "),
        did_you_mean(input, names())
    )]
    Name {
        /// Text as given.
        input: String,
    },
    /// Linked CBC in a build without it.
    #[error(
        "CBC is not linked into this build, but into one with --features cbc; the backend cbc runs the command"
    )]
    NoCbc,
    /// Invalid template of a command.
    #[error(transparent)]
    Template(#[from] TemplateError),
}

/// Returns the names of all backends, including those that are not part of this build.
#[must_use]
pub fn names() -> Vec<&'static str> {
    ["highs", "microlp", "cbc-lib"].into_iter().chain(CommandSolver::builtin_names()).collect()
}

/// Returns `true` if a text is the template of a command rather than the name of a backend.
#[must_use]
pub fn is_command(input: &str) -> bool {
    input.contains(['{', ' '])
}

/// Creates the backend of a name, or of the template of a command.
///
/// # Errors
/// Returns an error if the name is unknown, the backend is not part of this build, or the
/// template is invalid.
pub fn backend(input: &str) -> Result<Box<dyn Backend>, UnknownBackend> {
    match input {
        "highs" => Ok(Box::new(Highs)),
        "microlp" => Ok(Box::new(GoodLp::Microlp)),
        #[cfg(feature = "cbc")]
        "cbc-lib" => Ok(Box::new(GoodLp::Cbc)),
        #[cfg(not(feature = "cbc"))]
        "cbc-lib" => Err(UnknownBackend::NoCbc),
        template if is_command(template) => Ok(Box::new(CommandSolver::from_template(template)?)),
        name => match CommandSolver::builtin(name) {
            Some(command) => Ok(Box::new(command)),
            None => Err(UnknownBackend::Name { input: input.to_owned() }),
        },
    }
}
