//! Checks colourings.

use anyhow::{Context as _, bail};
use ndqueens_crosscheck::colouring as crosscheck;
use ndqueens_notation::certificate::colouring::Colouring;
use ndqueens_notation::counted::counted;
use ndqueens_system::file;
use ndqueens_workflow::colour;
use schemars::JsonSchema;
use serde::Serialize;

use super::args::Args;
use crate::commands::Exit;
use crate::output::Output;
use crate::schema::printed;

#[derive(JsonSchema, Serialize)]
struct CheckedColouring {
    file: String,
    holds: bool,
    board: String,
    classes: String,
    colours: usize,
    symmetry: Option<String>,
    fault: Option<String>,
}

printed!(CheckedColouring: "check");

pub(super) fn check_colouring(args: &Args, text: &str, out: &mut Output) -> anyhow::Result<Exit> {
    let name = args.file.display();
    let colouring = Colouring::parse_with(text, &file::open).with_context(|| name.to_string())?;
    if let Some(board) = args.board.as_ref().filter(|&board| *board != colouring.board) {
        bail!("{name}: the colouring is for {}, but {board} was asked for", colouring.board);
    }
    check(args, &colouring, out)
}

/// Checks a colouring, and writes it in the native form to the output file, if there is one.
pub(super) fn check(args: &Args, colouring: &Colouring, out: &mut Output) -> anyhow::Result<Exit> {
    let name = args.file.display();
    let fault = crosscheck::verify(colouring).err().map(|fault| fault.to_string());
    let holds = fault.is_none();
    let symmetry =
        if holds { colour::symmetry(colouring).map(|symmetry| symmetry.to_string()) } else { None };
    let colours = counted(colouring.colours() as u64, "colour");
    let words = match (&fault, &symmetry) {
        (Some(fault), _) => format!("{name}: does not hold; {fault}"),
        (None, None) => format!(
            "{name}: holds; {} is coloured in {colours}, the classes are {}",
            colouring.board, colouring.kind
        ),
        (None, Some(symmetry)) => format!(
            "{name}: holds; {} is coloured in {colours}, the classes are {}; its symmetry is {symmetry}",
            colouring.board, colouring.kind
        ),
    };
    let checked = CheckedColouring {
        file: name.to_string(),
        holds,
        board: colouring.board.to_string(),
        classes: colouring.kind.to_string(),
        colours: colouring.colours(),
        symmetry,
        fault,
    };
    if holds && let Some(path) = &args.output {
        file::write(path, |file| write!(file, "{colouring}"))?;
    }
    out.result(&checked, &words)?;
    Ok(if holds { Exit::Yes } else { Exit::No })
}
