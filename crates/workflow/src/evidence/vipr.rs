//! VIPR files, certificates of integer programming, checked by crosscheck.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::path::Path;

use ndqueens_crosscheck::vipr::{self, Theorem, ViprError};
use ndqueens_notation::certificate::Problem;
use ndqueens_notation::counted::counted;
use ndqueens_notation::name::BoardName;
use ndqueens_system::file::{self, packed};
use serde_json::Map;

use super::{
    CheckOptions, CheckedFile, Conclusion, Evidence, EvidenceError, Given, OptionsError, Refusal, Statement,
    asked_model, check_unpacked, tree,
};

const WITH_ARTICLE: &str = "a VIPR file";

/// First bytes of a file that is not compressed.
const HEADER: &[u8] = b"% ndqueens vipr";

/// Evidence in the form of VIPR files, compressed or not.
#[derive(Debug)]
pub(super) struct Vipr;

impl Evidence for Vipr {
    fn name(&self) -> &'static str {
        "VIPR file"
    }

    fn is_name(&self, name: &Path) -> bool {
        is_name(name)
    }

    fn begins(&self, first: &[u8]) -> bool {
        packed::beginning(first).starts_with(HEADER)
    }

    fn most_bytes(&self) -> u64 {
        tree::LONGEST
    }

    /// Checks the options. The answer of another program is recognised by the name of the file.
    fn check_options(&self, name: &Path, options: &CheckOptions<'_>) -> Result<(), OptionsError> {
        if !options.answer.is_given() || !is_name(name) {
            return options.refuse_squares(name);
        }
        if options.rewrites || options.answer.coloured {
            let (kind, options) = ("not a certificate", "-o and --coloured");
            return Err(OptionsError::Other { name: name.to_owned(), kind, options });
        }
        options.refuse_verified(name)
    }

    fn check(&self, given: Given<'_>) -> Result<CheckedFile, EvidenceError> {
        let options = given.options;
        if !options.answer.is_given() {
            let read_board = |name: &str| BoardName::parse_with(name, &file::open);
            return Ok(check(given, |text| vipr::check(text, &read_board, options.stop))?.into());
        }
        let (board, form) = asked_model::program_form(given.name, options)?;
        Ok(check(given, |text| vipr::check_answer(text, &board, form, options.stop))?.into())
    }
}

/// Returns `true` if the file name ends in `.vipr` or `.vipr.gz`.
#[must_use]
pub fn is_name(name: &Path) -> bool {
    packed::without_ending(name).extension() == Some(OsStr::new("vipr"))
}

/// Checks a file with `check`, and returns its statement. If the text is empty, the file of that name is read
/// instead.
fn check(
    given: Given<'_>,
    check: impl FnOnce(&mut dyn BufRead) -> Result<Theorem, ViprError>,
) -> Result<Statement, Refusal> {
    let Given { name, text, options } = given;
    let stop = options.stop;
    let is_empty =
        text.fill_buf().map_err(|fault| Refusal::from_read_error(&fault, WITH_ARTICLE))?.is_empty();
    let theorem = if is_empty && is_name(name) {
        let file = file::open_to_read(name)
            .map_err(|fault| Refusal::Unreadable(format!("it cannot be read: {fault}")))?;
        check_unpacked(&mut BufReader::new(file), stop, check)
    } else {
        check_unpacked(text, stop, check)
    };
    theorem.map(|theorem| statement(&theorem)).map_err(|fault| match &fault {
        ViprError::Unreadable(fault) => Refusal::from_read_error(fault, WITH_ARTICLE),
        fault => Refusal::new(fault, WITH_ARTICLE),
    })
}

/// Returns the statement of a theorem.
fn statement(theorem: &Theorem) -> Statement {
    let (board, derivations) = (theorem.board(), theorem.derivations());
    let (problem, included) = (theorem.problem(), theorem.included().len() as u64);
    let (proved, found) = match problem {
        Problem::IndependentSet | Problem::NoThreeInLine => (theorem.at_most(), theorem.at_least()),
        Problem::DominatingSet | Problem::IndependentDominatingSet => (theorem.at_least(), theorem.at_most()),
    };
    let value = proved.expect("a file shows a bound");
    let attained = found == proved;
    let is_plain = problem == Problem::IndependentSet && included == 0;
    let mut details = Map::from_iter([
        ("attained".to_owned(), attained.into()),
        ("derivations".to_owned(), derivations.into()),
    ]);
    if !is_plain {
        let side = if problem == Problem::IndependentSet { "at_most_with_included" } else { "at_least" };
        details.insert("problem".to_owned(), problem.to_string().into());
        details.insert("included".to_owned(), theorem.included().into());
        details.insert(side.to_owned(), value.into());
    }
    Statement {
        board: board.clone(),
        conclusion: match is_plain {
            true => Conclusion::AtMost {
                value,
                attained,
                bounds: BTreeMap::from([(board.without_unit_sides(), value)]),
            },
            false => Conclusion::Restricted { problem, included, value, attained },
        },
        needs: BTreeMap::new(),
        words: counted(derivations, "derived constraint"),
        details,
        checker: None,
    }
}
