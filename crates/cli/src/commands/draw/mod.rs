//! The command `ndq draw`.

mod shown;

use std::path::PathBuf;

use anyhow::bail;
use ndqueens_archive::archive::Archive;
use ndqueens_model::board::Board;
use ndqueens_notation::name::{BoardName, Piece};
use ndqueens_report::figure::{Figure, Lettering, Show};
use ndqueens_report::svg::Format;
use ndqueens_system::cancel::Deadline;
use ndqueens_system::file;
use schemars::JsonSchema;
use serde::Serialize;

use self::shown::{classes, density, lp_optimum, read_placement};
use super::Exit;
use crate::args::groups::{FileForm, Limit};
use crate::args::values::{board, whole};
use crate::output::{Output, log};
use crate::progress::Display;
use crate::schema::printed;

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("help.txt"))]
pub(crate) struct Args {
    /// The board.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// The squares to show, checked before they are drawn; pieces that attack each other are marked.
    #[arg(long, value_name = "FILE")]
    pub(crate) show: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) form: FileForm,
    /// Mark attacked squares; on a Sudoku, write the numbers that remain.
    #[arg(long, requires = "show", conflicts_with_all = ["density", "colouring", "row"])]
    pub(crate) attacked: bool,
    /// The density, the frequency with which each square is occupied: a file of ndq count --density, or
    /// limit, the limit of large n^2.
    #[arg(long, value_name = "FILE", conflicts_with = "show", help_heading = "Picture")]
    pub(crate) density: Option<PathBuf>,
    /// Write numbers of solutions into the squares of a density, instead of percentages.
    #[arg(long, requires = "density", conflicts_with_all = ["show", "colouring", "row"])]
    pub(crate) numbers: bool,
    /// The colours of the squares: a file of ndq colour, checked before it is drawn.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["show", "density"])]
    pub(crate) colouring: Option<PathBuf>,
    /// A constraint: this row of a formulation on the board, named as ndq model names it, such as cube_17.
    #[arg(long, value_name = "ROW", conflicts_with_all = ["show", "density", "colouring"], help_heading = "Picture")]
    pub(crate) row: Option<String>,
    /// The optimum of an LP relaxation, a shade for each square: the formulation, by its name or the path of
    /// a TOML file, or a CSV file of ndq lp relax --solution.
    #[arg(long, value_name = "FORMULATION|FILE", conflicts_with_all = ["show", "density", "colouring", "row", "solid"])]
    pub(crate) lp: Option<String>,
    /// The formulation of that row: a name or the path of a TOML file [default: cube where it is
    /// valid, else base].
    #[arg(short, long, value_name = "FORMULATION", requires = "row", conflicts_with_all = ["show", "density", "colouring"])]
    pub(crate) formulation: Option<String>,
    /// The colours to highlight, separated by commas.
    #[arg(long, value_name = "COLOURS", requires = "colouring", conflicts_with_all = ["show", "density", "row"], value_delimiter = ',', value_parser = whole::<usize>(1..=u64::from(u32::MAX)))]
    pub(crate) highlight: Vec<usize>,
    /// Draw a box with three axes as a solid: a floor for each layer, a ball for each piece, and a block for
    /// each square of a row.
    #[arg(long, requires = "output", conflicts_with_all = ["density", "coordinates"])]
    pub(crate) solid: bool,
    /// A line below the picture.
    #[arg(long, value_name = "TEXT")]
    pub(crate) caption: Option<String>,
    /// Write the coordinates into each square.
    #[arg(long, requires = "output")]
    pub(crate) coordinates: bool,
    /// The width of the picture in pixels; a PNG has twice as many points [default: 40 a
    /// square, 1600 at most].
    #[arg(long, value_name = "PIXELS", requires = "output", value_parser = whole::<u32>(10..=20_000))]
    pub(crate) width: Option<u32>,
    #[command(flatten)]
    pub(crate) limit: Limit,
    /// The picture, its name ending in .svg, .png, .pdf or .tex (TikZ); without it, text is printed.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(JsonSchema, Serialize)]
struct Drawn {
    board: String,
    /// Occupied squares; absent if no placement is shown.
    squares: Option<Vec<Vec<u32>>>,
    /// `true` if the placement is what its file claims; absent if no placement is shown.
    holds: Option<bool>,
    /// First fault of a placement that does not hold.
    fault: Option<String>,
    /// File of the picture; absent if it is printed.
    file: Option<String>,
    /// Picture as text; absent if it is in a file.
    text: Option<String>,
}

printed!(Drawn: "draw");

const WIDTH: usize = 100;

pub(crate) fn run(
    args: &Args,
    archive: &Archive,
    display: &mut Display,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let output =
        args.output.as_deref().map(|path| Format::of(path).map(|format| (path, format))).transpose()?;
    if let Some((path, _)) = &output {
        file::writable(path)?;
    }
    args.form.refuse_without(args.show.is_some(), "--show")?;
    let board = Board::new(&args.board);
    super::refuse_if_too_large(&board, "a picture", board.size() as u64 * BYTES_PER_SQUARE)?;
    let Picture { show, fault } = picture(args, archive, &board, display)?;
    let squares = match &show {
        Show::Placement { squares, .. } if args.show.is_some() => {
            Some(squares.iter().map(|&square| board.coordinates(square)).collect())
        }
        _ => None,
    };
    let lettering = Lettering {
        caption: args.caption.clone(),
        coordinates: args.coordinates,
        numbers: args.numbers,
        width: args.width,
    };
    let mut figure = Figure::new(&board, show).with(lettering);
    if fault.is_some() {
        figure = figure.with_clashes();
    }
    let holds = args.show.as_ref().map(|_| fault.is_none());
    let note = fault.as_ref().zip(args.show.as_ref()).map(|(fault, path)| {
        format!(
            "{}: the placement does not hold: {fault}; it is drawn with the attacks marked",
            path.display()
        )
    });
    let mut drawn = Drawn { board: board.name().to_string(), squares, holds, fault, file: None, text: None };
    let message = if let Some((path, format)) = output {
        let bytes = figure.encode(format, args.solid)?;
        file::write(path, |file| file.write_all(&bytes))?;
        drawn.file = Some(path.display().to_string());
        path.display().to_string()
    } else {
        let heading = heading(&board, drawn.squares.as_ref().map(Vec::len));
        drawn.text.insert(heading + &figure.text(WIDTH)?).clone()
    };
    out.result(&drawn, &message)?;
    note.iter().for_each(|note| log(note));
    Ok(Exit::Yes)
}

/// Picture of a board, with the first fault of its placement.
struct Picture {
    show: Show,
    fault: Option<String>,
}

/// Returns the picture that the flags ask for.
fn picture(args: &Args, archive: &Archive, board: &Board, display: &mut Display) -> anyhow::Result<Picture> {
    if let Some(path) = &args.show {
        let (squares, fault) = read_placement(board, path, args.form)?;
        return Ok(Picture { show: Show::Placement { squares, attacked: args.attacked }, fault });
    }
    let show = if let Some(path) = &args.density {
        let density = density(board, path)?;
        if args.numbers && !density.is_counted() {
            bail!("--numbers: {} has shares of the solutions and no numbers", path.display());
        }
        Show::Density(density)
    } else if let Some(path) = &args.colouring {
        let (classes, number) = classes(board, path)?;
        if let Some(class) = args.highlight.iter().find(|&&class| class > number) {
            bail!("--highlight {class}: {} has the colours 1 to {number}", path.display());
        }
        let highlighted = args.highlight.iter().map(|class| class - 1).collect();
        Show::Classes { classes, highlighted }
    } else if let Some(lp) = &args.lp {
        let deadline = Deadline::after(args.limit.time_limit);
        Show::Density(lp_optimum(board, lp, archive, deadline, display)?)
    } else if let Some(row) = &args.row {
        super::model_row::to_draw(archive, board, args.formulation.as_deref(), row)?
    } else {
        Show::Placement { squares: Vec::new(), attacked: false }
    };
    Ok(Picture { show, fault: None })
}

/// Returns a line that names the board of a placement, or an empty text for queens on a plain box, which is
/// the reader's default assumption.
fn heading(board: &Board, pieces: Option<usize>) -> String {
    match (board.name(), pieces) {
        (BoardName::Grid { piece, torus, .. }, Some(pieces)) if *piece != Piece::Queen || *torus => {
            format!("{} on {}\n\n", board.format_pieces(pieces as u64), board.name())
        }
        _ => String::new(),
    }
}

/// Memory per drawn square in bytes, for its position and its outline.
const BYTES_PER_SQUARE: u64 = 200;
