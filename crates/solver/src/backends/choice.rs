//! Backends by name.

use crate::backends::Backend;
use crate::backends::command::{BadTemplate, Command};
use crate::backends::good_lp::GoodLp;
use crate::backends::highs::Highs;
use ndqueens_notation::similar::did_you_mean;

/// The text does not name a backend.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnknownBackend {
    /// There is no such name.
    #[error(
        "unknown backend \"{input}\"; expected one of {}, or a command such as \"cbc {{model}} -solve -solution {{solution}}\"{}",
        names().join(", "),
        did_you_mean(input, names())
    )]
    Name {
        /// The text as given.
        input: String,
    },
    /// It is known, but not linked in.
    #[error(
        "CBC is not linked into this build, but into one with --features cbc; the backend cbc runs the command"
    )]
    NoCbc,
    /// It is a command that cannot be.
    #[error(transparent)]
    Template(#[from] BadTemplate),
}

/// The names of all backends, those that are not part of this build included.
#[must_use]
pub fn names() -> Vec<&'static str> {
    ["highs", "microlp", "cbc-lib"].into_iter().chain(Command::names()).collect()
}

/// Whether a text is the template of a command, not the name of a backend.
#[must_use]
pub fn is_command(input: &str) -> bool {
    input.contains(['{', ' '])
}

/// The backend of a name; a text with a placeholder is the template of a command.
///
/// # Errors
/// When there is none.
pub fn backend(input: &str) -> Result<Box<dyn Backend>, UnknownBackend> {
    match input {
        "highs" => Ok(Box::new(Highs)),
        "microlp" => Ok(Box::new(GoodLp::Microlp)),
        #[cfg(feature = "cbc")]
        "cbc-lib" => Ok(Box::new(GoodLp::Cbc)),
        #[cfg(not(feature = "cbc"))]
        "cbc-lib" => Err(UnknownBackend::NoCbc),
        template if is_command(template) => Ok(Box::new(Command::template(template)?)),
        name => match Command::known(name) {
            Some(command) => Ok(Box::new(command)),
            None => Err(UnknownBackend::Name { input: input.to_owned() }),
        },
    }
}
