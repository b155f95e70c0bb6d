//! Verified checker of `crates/crosscheck/rocq`. A theorem states that it accepts only valid proofs.

use std::collections::BTreeMap;
use std::io::{self, BufRead};
use std::{env, fmt, fs};

use ndqueens_crosscheck::proof::SolutionCount;
use ndqueens_notation::certificate::Problem;
use ndqueens_notation::name::{BoardName, Piece};
use ndqueens_system::file::{Temporary, digest, packed};
use ndqueens_system::stack;

use super::{Conclusion, Refusal, Statement, orbit_lp, tree};
use crate::external_checker::Checker;

/// Instructions for building the checker.
pub const INSTALL: &str = "scripts/setup --verified, and put target/verified on the path";

/// Limit on the stack of the checker, in bytes.
const STACK: u64 = 4 << 30;

/// Command of the checker for independent sets.
const CERTIFICATE: &str = "certificate";

/// Command of the checker for proof trees.
const PROOF: &str = "proof";

const VERIFIED: Checker = Checker { program: "ndqueens-verified", versions: "1.", install: INSTALL };

/// Returns `true` if the checker accepts files of this kind: proof trees of bounds or counts, orbit LPs and
/// independent sets, on plain boxes.
#[must_use]
pub fn reads(kind: &str, statement: &Statement) -> bool {
    Expectation::new(kind, statement).is_some()
}

/// Returns the SHA-256 digest of the installed checker if `scripts/setup --verified` built it, and `None` for
/// any other program. The script writes the digest into a file in the folder of the program.
#[must_use]
pub fn build() -> Option<String> {
    let folders = env::var_os("PATH")?;
    let program =
        env::split_paths(&folders).map(|folder| folder.join(VERIFIED.program)).find(|path| path.is_file())?;
    let recorded = fs::read_to_string(program.with_extension("sha256")).ok()?;
    let digest = digest::of(fs::read(program).ok()?);
    (recorded.trim_end() == digest).then_some(digest)
}

/// Acceptance of a file by the checker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Acceptance {
    /// Name and version of the checker.
    pub(super) version: String,
    /// SHA-256 digest of the program if `scripts/setup --verified` built it.
    digest: Option<String>,
}

impl Acceptance {
    /// Runs the checker on a text like [`confirm`].
    pub(super) fn request(
        text: &mut dyn BufRead,
        kind: &str,
        statement: &Statement,
        stop: &dyn Fn() -> bool,
    ) -> Result<Self, Refusal> {
        Ok(Self { version: confirm(text, kind, statement, stop)?, digest: build() })
    }

    /// Returns the SHA-256 digest of the program if `scripts/setup --verified` built it, or
    /// "an unknown build".
    pub(super) fn build(&self) -> String {
        self.digest.clone().unwrap_or_else(|| UNKNOWN_BUILD.to_owned())
    }
}

impl fmt::Display for Acceptance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&describe(&self.version, self.digest.as_deref()))
    }
}

/// Build of a verified checker that was not compiled by `scripts/setup --verified`.
const UNKNOWN_BUILD: &str = "an unknown build";

/// Describes the checker: `ndqueens-verified 1.6, which is proved correct (build with SHA-256 ...)`.
#[must_use]
pub fn describe(version: &str, build: Option<&str>) -> String {
    match build {
        Some(digest) => format!(
            "{version}, which is proved correct (built by scripts/setup --verified, SHA-256 {digest})"
        ),
        None => format!("{version}, an unknown build: scripts/setup --verified did not build this program"),
    }
}

/// Returns the name and version of the checker.
///
/// # Errors
/// Returns an error if the checker is not installed, or if another program has its name.
pub fn version(stop: &dyn Fn() -> bool) -> Result<String, Refusal> {
    Ok(VERIFIED.version(stop)?)
}

/// Runs the checker on a text, which may be packed, and compares its conclusion: the board, the number and
/// the bounds that the proof uses. Returns the name and version of the checker.
///
/// # Errors
/// Returns an error if the checker rejects the text, reaches another conclusion, does not accept such texts,
/// or cannot be run.
pub fn confirm(
    text: &mut dyn BufRead,
    kind: &str,
    statement: &Statement,
    stop: &dyn Fn() -> bool,
) -> Result<String, Refusal> {
    let expected = Expectation::new(kind, statement).ok_or_else(|| {
        Refusal::Unchecked(
            "the verified checker accepts only proof trees, orbit LPs and independent sets of plain boxes"
                .to_owned(),
        )
    })?;
    let version = version(stop)?;
    let copy = unpack(text).map_err(|fault| Refusal::Failed(fault.to_string()))?;
    let arguments = [expected.command.as_ref(), copy.path().as_os_str()];
    // The checker recurses over the lines of a file.
    stack::raise_limit(STACK);
    VERIFIED.verdict(&arguments, stop, |output| {
        expected.check_completion(output, &version)?;
        match expected.find_difference(output) {
            None => Ok(version.clone()),
            Some(difference) => {
                Err(Refusal::Wrong(format!("{}, {difference}", describe(&version, build().as_deref()))))
            }
        }
    })
}

/// Statement about a plain box that the checker should report.
struct Expectation<'a> {
    /// Command of the checker.
    command: &'static str,
    statement: &'a Statement,
    piece: Piece,
    sides: &'a [u32],
}

impl<'a> Expectation<'a> {
    /// Returns the expectation for a file of this kind, or `None` if the checker does not accept it.
    fn new(kind: &str, statement: &'a Statement) -> Option<Self> {
        let BoardName::Grid { piece, torus: false, sides } = &statement.board else { return None };
        let command = match (&statement.conclusion, kind) {
            (Conclusion::Fit(certificate), _) if certificate.problem == Problem::IndependentSet => {
                CERTIFICATE
            }
            (Conclusion::AtMost { .. } | Conclusion::Count { .. }, tree::NAME) => PROOF,
            (Conclusion::AtMost { .. }, orbit_lp::NAME) => "bound",
            _ => return None,
        };
        Some(Self { command, statement, piece: *piece, sides })
    }

    /// Checks that the output of the checker is a verdict.
    ///
    /// # Errors
    /// Returns an error if the checker did not check the file, or does not accept its form.
    fn check_completion(&self, output: &str, version: &str) -> Result<(), Refusal> {
        let verdict = output.lines().next().unwrap_or_default();
        let limit = verdict.strip_prefix("not checked: ");
        // An error, such as a stack that is too small, is not a verdict.
        if let Some(limit) = limit.or_else(|| verdict.strip_prefix("error: ")) {
            return Err(Refusal::Limit(format!("{version} did not check the file: {limit}")));
        }
        let is_form = verdict.starts_with("refused: ") && verdict.contains("not the line of a certificate");
        if self.command == CERTIFICATE && is_form {
            return Err(Refusal::Unreadable(format!(
                "{version} does not accept the form of the file: {verdict}; ndq check -o writes an accepted form"
            )));
        }
        Ok(())
    }

    /// Returns a difference between the output of the checker and the statement, if there is one. The program
    /// is the subject of the sentence.
    fn find_difference(&self, output: &str) -> Option<String> {
        let Statement { conclusion, needs, .. } = self.statement;
        let (verdict, expected) = (output.lines().next().unwrap_or_default(), self.verdict());
        if verdict.split(';').next() != Some(&expected) {
            return Some(format!("reports \"{verdict}\", not \"{expected}\""));
        }
        if let Conclusion::Count { count: SolutionCount { size, no_more_fit, .. }, .. } = conclusion
            && verdict.ends_with("; no more fit") != *no_more_fit
        {
            let reports = if *no_more_fit { "does not report" } else { "reports" };
            return Some(format!("{reports} that no more than {size} fit"));
        }
        if self.read_bounds(output, "needs ") != *needs {
            return Some(format!("uses other bounds than {}", format_bounds(needs)));
        }
        // An orbit LP proves no bound other than that of its verdict.
        if let (Conclusion::AtMost { bounds, .. } | Conclusion::Count { bounds, .. }, PROOF) =
            (conclusion, self.command)
        {
            let reported = self.read_bounds(output, "box ");
            let mut bounds = bounds.iter();
            let (board, most) =
                bounds.find(|&(board, most)| reported.get(board).is_none_or(|value| value > most))?;
            return Some(format!("does not report that at most {most} fit on {board}"));
        }
        None
    }

    /// Returns the first line of the output of a checker that accepts the file.
    fn verdict(&self) -> String {
        let shows = match &self.statement.conclusion {
            Conclusion::Fit(certificate) => format!("at least {}", certificate.size()),
            Conclusion::AtMost { value, .. } | Conclusion::Restricted { value, .. } => {
                format!("at most {value}")
            }
            Conclusion::Count { count: SolutionCount { size, sets, .. }, .. } => {
                format!("exactly {sets} sets of {size}")
            }
        };
        let sides: Vec<String> = self.sides.iter().map(ToString::to_string).collect();
        format!("accepted: {shows} on {}:{}", self.piece.word(), sides.join("x"))
    }

    /// Returns the bounds in those lines below the verdict that begin with `word`.
    fn read_bounds(&self, output: &str, word: &str) -> BTreeMap<BoardName, u64> {
        output.lines().skip(1).filter_map(|line| bound(line, word, self.piece)).collect()
    }
}

/// Formats bounds: `none`, or `alpha(3^4) <= 6 and alpha(3^5) <= 11`.
fn format_bounds(bounds: &BTreeMap<BoardName, u64>) -> String {
    let words: Vec<String> = bounds.iter().map(|(board, most)| format!("alpha({board}) <= {most}")).collect();
    if words.is_empty() { "none".to_owned() } else { words.join(" and ") }
}

/// Parses the bound in a line such as `box 3x4x4 6`.
fn bound(line: &str, word: &str, piece: Piece) -> Option<(BoardName, u64)> {
    let (sides, most) = line.strip_prefix(word)?.split_once(' ')?;
    let sides: Option<Vec<u32>> = sides.split('x').map(|side| side.parse().ok()).collect();
    Some((BoardName::grid(piece, false, &sides?).without_unit_sides(), most.parse().ok()?))
}

/// Writes an unpacked copy of a text for the checker.
fn unpack(text: impl BufRead) -> io::Result<Temporary> {
    let mut text = packed::read(text)?;
    let copy = Temporary::create()?;
    io::copy(&mut text, &mut copy.file())?;
    Ok(copy)
}
