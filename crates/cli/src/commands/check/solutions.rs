//! Checks lists of solutions.

use anyhow::{anyhow, bail};
use ndqueens_crosscheck::solutions::{ListFault, verify_list};
use ndqueens_notation::certificate::CertificateError;
use ndqueens_notation::certificate::solutions::{Heading, ListKind, Solutions};
use ndqueens_notation::counted::counted;
use ndqueens_system::file;
use schemars::JsonSchema;
use serde::Serialize;

use super::args::Args;
use crate::commands::Exit;
use crate::output::Output;
use crate::schema::printed;

#[derive(JsonSchema, Serialize)]
struct CheckedList {
    file: String,
    board: String,
    size: usize,
    list: String,
    solutions: usize,
    /// Number of solutions in the orbits of those listed, if one of each orbit is listed.
    in_orbits: Option<u64>,
    /// `true` if every image of a listed solution under the board's symmetry is listed too, for a list of all
    /// solutions; null if that was not checked.
    closed: Option<bool>,
    holds: bool,
    fault: Option<String>,
}

printed!(CheckedList: "check");

pub(super) fn check_list(args: &Args, text: &str, out: &mut Output) -> anyhow::Result<Exit> {
    let name = args.file.display();
    let list = Solutions::parse_with(text, &file::open).map_err(
        |CertificateError { line, column, fault, .. }| {
            anyhow!("{name}, line {line}, column {column}: {fault}")
        },
    )?;
    let Heading { board, size, listed, solutions, .. } = &list.heading;
    if let Some(asked) = args.board.as_ref().filter(|asked| *asked != board) {
        bail!("{name}: the list is for the board {board}, but {asked} was asked for");
    }
    let result = verify_list(&list);
    let text = match &result {
        Ok(verified) => {
            let of = verified.in_orbits.map_or_else(String::new, |all| {
                format!(", one of each orbit, {} in all", counted(all, "solution"))
            });
            let images = match (listed, verified.closed) {
                (ListKind::UpToSymmetry, _) => "",
                (ListKind::All | ListKind::Maximal, true) => {
                    ", with all their images under the board's symmetry"
                }
                (ListKind::All | ListKind::Maximal, false) => {
                    "; whether their images under the board's symmetry are listed is not checked"
                }
            };
            let (noun, or_more) = match listed {
                ListKind::Maximal => ("maximal set", " or more"),
                ListKind::All | ListKind::UpToSymmetry => ("solution", ""),
            };
            let solutions = counted(*solutions as u64, noun);
            format!(
                "{name}: holds; {solutions} of size {size}{or_more} on {board}{of}{images}; that none is missing is not checked"
            )
        }
        Err(fault @ ListFault::NoGroup) => format!("{name}: not settled; {fault}"),
        Err(fault) => format!("{name}: does not hold; {fault}"),
    };
    let checked = CheckedList {
        file: name.to_string(),
        board: board.to_string(),
        size: *size,
        list: listed.to_string(),
        solutions: *solutions,
        in_orbits: result.as_ref().ok().and_then(|verified| verified.in_orbits),
        closed: match &result {
            Ok(verified) => verified.closed.then_some(true),
            Err(ListFault::Missing { .. }) => Some(false),
            Err(_) => None,
        },
        holds: result.is_ok(),
        fault: result.as_ref().err().map(ToString::to_string),
    };
    out.result(&checked, &text)?;
    Ok(match result {
        Ok(_) => Exit::Yes,
        Err(ListFault::NoGroup) => Exit::Stopped,
        Err(_) => Exit::No,
    })
}
