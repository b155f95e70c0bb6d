//! What shows that a bound holds: files of several kinds, each detected and checked in a file of its own.

mod certificate;
mod checker;
pub mod drat;
pub mod orbit_lp;
pub mod partition;
pub mod tree;
pub mod veripb;

use std::fmt;
use std::io::BufRead;
use std::path::Path;

use ndqueens_crosscheck::bound;
use ndqueens_crosscheck::proof::Proved;
use ndqueens_files as files;
use ndqueens_model::certificate::Certificate;
use ndqueens_model::name::BoardName;

/// A kind of file that shows a bound.
pub trait Evidence: fmt::Debug + Sync {
    /// Whether the name of a file says that it is of this kind.
    fn is_name(&self, _name: &Path) -> bool {
        false
    }

    /// Whether a text is of this kind, by its first bytes, 16 or more if it has as many.
    fn begins(&self, _first: &[u8]) -> bool {
        false
    }

    /// How many bytes are read of one that comes through a pipe: there is no end to what a pipe may give.
    fn most_bytes(&self) -> u64 {
        files::LARGEST
    }

    /// Checks a file.
    ///
    /// # Errors
    /// When it does not hold, or that cannot be found out.
    fn check(&self, given: Given<'_>) -> Result<Shown, Refusal>;
}

/// The kinds that names or first bytes tell, in the order in which a file is asked which it is.
const KINDS: [&dyn Evidence; 4] = [&veripb::VeriPb, &drat::Drat, &tree::Tree, &orbit_lp::OrbitLp];

/// Certificates, which are what is none of the other kinds.
pub const CERTIFICATE: &dyn Evidence = &certificate::OfSquares;

/// The kind of file that has such a name.
#[must_use]
pub fn named(name: &Path) -> Option<&'static dyn Evidence> {
    KINDS.into_iter().find(|kind| kind.is_name(name))
}

/// The kind of file that begins with these bytes, 16 or more if it has as many.
#[must_use]
pub fn beginning(first: &[u8]) -> Option<&'static dyn Evidence> {
    KINDS.into_iter().find(|kind| kind.begins(first))
}

/// How many bytes are read of a pipe that begins with these, 16 or more.
#[must_use]
pub fn most_bytes(first: &[u8]) -> u64 {
    beginning(first).unwrap_or(CERTIFICATE).most_bytes()
}

/// What is checked.
#[allow(missing_debug_implementations, reason = "a reader and a function have nothing to show")]
pub struct Given<'a> {
    /// Its name, beside which outside checkers find its formula.
    pub name: &'a Path,
    /// Its text, from the first byte. What goes by the name is opened there.
    pub text: &'a mut dyn BufRead,
    /// The board that it must be about, when the file itself need not tell.
    pub board: Option<&'a BoardName>,
    /// Asked now and then whether an outside checker is to stop.
    pub stop: &'a dyn Fn() -> bool,
}

/// What a file shows, checked.
#[derive(Debug)]
pub enum Shown {
    /// So many queens fit.
    Certificate(Certificate),
    /// No more fit, nor in the boxes inside.
    Tree(Proved),
    /// No more fit, by a sum of valid inequalities.
    OrbitLp(bound::Shown),
    /// No more fit, as rate says.
    Drat(drat::Accepted),
    /// No more fit, as VeriPB says.
    VeriPb(veripb::Accepted),
}

impl Shown {
    /// The board that it is about.
    #[must_use]
    pub fn board(&self) -> &BoardName {
        match self {
            Self::Certificate(certificate) => &certificate.board,
            Self::Tree(proved) => proved.board(),
            Self::OrbitLp(shown) => shown.board(),
            Self::Drat(accepted) => &accepted.board,
            Self::VeriPb(accepted) => &accepted.board,
        }
    }

    /// No more queens than this fit; `None` for what shows that some do.
    #[must_use]
    pub fn at_most(&self) -> Option<u64> {
        match self {
            Self::Certificate(_) => None,
            Self::Tree(proved) => Some(proved.at_most()),
            Self::OrbitLp(shown) => Some(shown.at_most()),
            Self::Drat(accepted) => Some(accepted.at_most),
            Self::VeriPb(accepted) => Some(accepted.at_most),
        }
    }
}

/// Why a file shows nothing.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// It does not hold.
    #[error("{0}")]
    Wrong(String),
    /// It cannot be checked as it was given.
    #[error("{0}")]
    Unchecked(String),
    /// The system failed, or this program.
    #[error("{0}")]
    Failed(String),
    /// The check was stopped.
    #[error("{0}")]
    Stopped(String),
}
