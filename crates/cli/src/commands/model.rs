//! The command `ndq model`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::bail;
use ndqueens_archive::archive::Archive;
use ndqueens_model::board::{Board, Extent};
use ndqueens_model::facts::Bounds;
use ndqueens_model::format::{Contents, FileFormat, Format, GraphFormat};
use ndqueens_model::model::Model;
use ndqueens_notation::counted::counted;
use ndqueens_notation::name::BoardName;
use ndqueens_system::file;
use ndqueens_workflow::run::lemmas_and_conditions;
use schemars::JsonSchema;
use serde::Serialize;

use super::Exit;
use crate::args::groups::{Asked, Limit};
use crate::args::values::board;
use crate::memory;
use crate::output::Output;
use crate::schema::printed;

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("model.txt"))]
pub(crate) struct Args {
    /// The board, such as 6^3 or 4x5x6.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// The formulation: a name or the path of a TOML file [default: cube where it is valid, else base].
    #[arg(short, long, value_name = "FORMULATION")]
    pub(crate) formulation: Option<String>,
    #[command(flatten)]
    pub(crate) asked: Asked,
    #[command(flatten)]
    pub(crate) limit: Limit,
    /// Print this row of the program instead of writing a file: what it states, why it is valid, and a
    /// picture; named as in files, such as cube_17.
    #[arg(long, value_name = "ROW", conflicts_with_all = ["output", "large"])]
    pub(crate) row: Option<String>,
    /// The file to write; its extension determines the format.
    #[arg(short, long, value_name = "FILE", required_unless_present = "row")]
    pub(crate) output: Option<PathBuf>,
    /// Write the file even when it is longer than 4 GiB.
    #[arg(long)]
    pub(crate) large: bool,
}

#[derive(JsonSchema, Serialize)]
struct Written {
    board: String,
    formulation: Option<String>,
    file: String,
    #[serde(flatten)]
    contents: Contents,
    conditions: Vec<String>,
}

printed!(Written: "model");

pub(crate) fn run(args: &Args, archive: &Archive, out: &mut Output) -> anyhow::Result<Exit> {
    args.asked.form.refuse_without(args.asked.include.is_some(), "--include")?;
    refuse_row_conflicts(args)?;
    let board = Board::new(&args.board);
    let Some(output) = args.output.as_deref() else {
        let row = args.row.as_deref().unwrap_or_default();
        return with_model(&board, archive, args, |model| {
            super::model_row::print(model, row, out)?;
            Ok(Exit::Yes)
        });
    };
    match FileFormat::of_path(output)? {
        FileFormat::Program(format) => with_model(&board, archive, args, |model| {
            write_program(format, model, archive, output, args, out)
        }),
        FileFormat::Graph(format) => write_graph(format, &board, output, args, out),
    }
}

/// Returns an error if a row is to be printed and a flag is given that changes other parts of the program.
/// The goal is a separate row, `size_0`, and included queens are bounds of columns.
fn refuse_row_conflicts(args: &Args) -> anyhow::Result<()> {
    let Some(row) = &args.row else { return Ok(()) };
    let Asked { at_least, at_most, exactly, include, .. } = &args.asked;
    let is_size = row.starts_with("size_");
    let flags = [
        ("--at-least", at_least.is_some() && !is_size),
        ("--at-most", at_most.is_some() && !is_size),
        ("--exactly", exactly.is_some() && !is_size),
        ("--include", include.is_some()),
        ("--time-limit", args.limit.time_limit.is_some()),
    ];
    match flags.iter().find(|(_, given)| *given) {
        Some((flag, _)) => bail!("the row {row} is the same with {flag}; {flag} goes with -o"),
        None => Ok(()),
    }
}

/// Calls `act` on the requested model.
fn with_model(
    board: &Board,
    archive: &Archive,
    args: &Args,
    act: impl FnOnce(&Model<'_>) -> anyhow::Result<Exit>,
) -> anyhow::Result<Exit> {
    let formulation = super::proved_formulation(args.formulation.as_deref(), board)?;
    let bounds = Bounds::with_publications(archive.bounds());
    let variant = super::variant(board, formulation.problem, &args.asked)?;
    act(&Model::for_writing(board, &formulation, variant, &bounds, memory::for_models(None))?)
}

fn write_program(
    format: Format,
    model: &Model<'_>,
    archive: &Archive,
    output: &Path,
    args: &Args,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let (board, formulation) = (model.board(), model.formulation());
    let Extent { rows, nonzeros } = model.extent();
    refuse_if_too_long(
        args,
        output,
        &format!("{} with {}", counted(rows, "row"), counted(nonzeros, "nonzero")),
        nonzeros * 8 + rows * 8,
    )?;
    let contents = file::write(output, |file| format.write(model, file))?;
    let written = Written {
        board: board.name().to_string(),
        formulation: Some(formulation.name.clone()),
        file: output.display().to_string(),
        contents,
        conditions: conditions(model, archive),
    };
    let mut text =
        format!("{}: {contents} of formulation {} on {}\n", written.file, formulation.name, written.board);
    for condition in &written.conditions {
        writeln!(text, "holds if {condition}")?;
    }
    out.result(&written, &text)?;
    Ok(Exit::Yes)
}

fn write_graph(
    format: GraphFormat,
    board: &Board,
    output: &Path,
    args: &Args,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    if args.formulation.is_some() || args.asked != Asked::default() {
        bail!(
            "{} is to hold the graph of the board: a formulation, a number of queens, --include, --as and --rows do not apply to it",
            output.display()
        );
    }
    super::refuse_if_too_large(board, "its graph", board.size() as u64 * 8)?;
    let squares = board.size() as u128;
    let edges = match format {
        GraphFormat::Clq => squares * squares.saturating_sub(1) / 2,
        // Estimated from the degree of the first square.
        GraphFormat::Col => squares * board.degree(0) as u128 / 2,
    };
    refuse_if_too_long(args, output, &format!("about {}", counted(edges, "edge")), edges * 10)?;
    let contents = file::write(output, |file| format.write(board, file))?;
    let written = Written {
        board: board.name().to_string(),
        formulation: None,
        file: output.display().to_string(),
        contents,
        conditions: Vec::new(),
    };
    let graph = match format {
        GraphFormat::Clq => "the complement of the graph",
        GraphFormat::Col => "the graph",
    };
    out.result(&written, &format!("{}: {contents} of {graph} of {}", written.file, written.board))?;
    Ok(Exit::Yes)
}

/// Size in bytes above which a file is written only with `--large`.
const LONG: u128 = 4 << 30;

/// Returns an error if a very long file would be written without `--large`.
fn refuse_if_too_long(args: &Args, output: &Path, what: &str, bytes: u128) -> anyhow::Result<()> {
    if args.large || bytes <= LONG {
        return Ok(());
    }
    bail!(
        "{} would hold {what}, about {} GiB; --large writes it all the same",
        output.display(),
        bytes.div_ceil(1 << 30)
    );
}

/// Returns the bounds on which the rows of a model rest and that were not checked in this run.
pub(super) fn conditions(model: &Model<'_>, archive: &Archive) -> Vec<String> {
    let (_, conditions) = lemmas_and_conditions(model.bounds(), &archive.prior_results());
    let own = model.formulation().own.lemmas_and_conditions(model.board()).conditions;
    conditions.iter().map(|bound| bound.to_string()).chain(own).collect()
}
