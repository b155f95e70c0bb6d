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

const VERIFIED: Checker = Checker { program: "ndqueens-verified", versions: "1.", install: INSTALL };

/// Returns `true` if the checker accepts files of this kind: proof trees of bounds or counts, orbit LPs and
/// independent sets, on plain boxes.
#[must_use]
pub fn reads(kind: &str, board: &BoardName, conclusion: &Conclusion) -> bool {
    matches!(board, BoardName::Grid { torus: false, .. })
        && match conclusion {
            Conclusion::Fit(certificate) => certificate.problem == Problem::IndependentSet,
            Conclusion::AtMost { .. } => command(kind).is_some(),
            Conclusion::Restricted { .. } => false,
            Conclusion::Count { .. } => command(kind) == Some("proof"),
        }
}

/// Returns the command of the checker for an upper bound or a count of this kind.
fn command(kind: &str) -> Option<&'static str> {
    match kind {
        tree::NAME => Some("proof"),
        orbit_lp::NAME => Some("bound"),
        _ => None,
    }
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
        let Statement { board, conclusion, needs, .. } = statement;
        let version = confirm(text, kind, board, conclusion, needs, stop)?;
        Ok(Self { version, digest: build() })
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
    board: &BoardName,
    conclusion: &Conclusion,
    needs: &BTreeMap<BoardName, u64>,
    stop: &dyn Fn() -> bool,
) -> Result<String, Refusal> {
    let BoardName::Grid { piece, sides, .. } = board else { return Err(unsupported()) };
    if !reads(kind, board, conclusion) {
        return Err(unsupported());
    }
    let version = version(stop)?;
    let what = match conclusion {
        Conclusion::Fit(_) => "certificate",
        Conclusion::AtMost { .. } | Conclusion::Count { .. } => command(kind).expect("a kind that is read"),
        Conclusion::Restricted { .. } => return Err(unsupported()),
    };
    let shows = match conclusion {
        Conclusion::Fit(certificate) => format!("at least {}", certificate.size()),
        Conclusion::AtMost { value, .. } | Conclusion::Restricted { value, .. } => format!("at most {value}"),
        Conclusion::Count { count: SolutionCount { size, sets, .. }, .. } => {
            format!("exactly {sets} sets of {size}")
        }
    };
    let sides: Vec<String> = sides.iter().map(ToString::to_string).collect();
    let expected = format!("accepted: {shows} on {}:{}", piece.word(), sides.join("x"));
    let copy = unpack(text).map_err(|fault| Refusal::Failed(fault.to_string()))?;
    let arguments = [what.as_ref(), copy.path().as_os_str()];
    // The checker recurses over the lines of a file.
    stack::raise_limit(STACK);
    VERIFIED.verdict(&arguments, stop, |said| {
        let mut lines = said.lines();
        let verdict = lines.next().unwrap_or_default();
        let refused =
            |fault: String| Err(Refusal::Wrong(format!("{}, {fault}", describe(&version, build().as_deref()))));
        let limit = verdict.strip_prefix("not checked: ");
        // An error, such as a stack that is too small, is not a verdict.
        if let Some(limit) = limit.or_else(|| verdict.strip_prefix("error: ")) {
            return Err(Refusal::Limit(format!("{version} did not check the file: {limit}")));
        }
        if what == "certificate" && verdict.starts_with("refused: ") && verdict.contains("not the line of a certificate") {
            return Err(Refusal::Unreadable(format!(
                "{version} does not accept the form of the file: {verdict}; ndq check -o writes an accepted form"
            )));
        }
        if verdict.split(';').next() != Some(&expected) {
            return refused(format!("reports \"{verdict}\", not \"{expected}\""));
        }
        if let Conclusion::Count { count: SolutionCount { size, no_more_fit, .. }, .. } = conclusion
            && verdict.ends_with("; no more fit") != *no_more_fit
        {
            let reports = if *no_more_fit { "does not report" } else { "reports" };
            return refused(format!("{reports} that no more than {size} fit"));
        }
        let bounds_of = |word: &str| -> BTreeMap<BoardName, u64> {
            lines.clone().filter_map(|line| bound(line, word, *piece)).collect()
        };
        if bounds_of("needs ") != *needs {
            return refused(format!("uses other bounds than {}", format_bounds(needs)));
        }
        // An orbit LP proves no bound other than that of its verdict.
        if let (Conclusion::AtMost { bounds, .. } | Conclusion::Count { bounds, .. }, "proof") =
            (conclusion, what)
        {
            let reported = bounds_of("box ");
            if let Some((board, most)) = bounds
                .iter()
                .find(|(board, most)| reported.get(*board) > Some(most) || !reported.contains_key(*board))
            {
                return refused(format!("does not report that at most {most} fit on {board}"));
            }
        }
        Ok(version.clone())
    })
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

fn unsupported() -> Refusal {
    Refusal::Unchecked(
        "the verified checker accepts only proof trees, orbit LPs and independent sets of plain boxes"
            .to_owned(),
    )
}
