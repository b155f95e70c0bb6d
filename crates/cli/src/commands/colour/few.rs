//! Finds one colouring, with a given number of colours or with as few as possible.

use std::fmt::Write as _;

use anyhow::Context as _;
use ndqueens_model::board::Board;
use ndqueens_notation::certificate::colouring::ClassKind;
use ndqueens_notation::counted::counted;
use ndqueens_report::diagram;
use ndqueens_report::figure::letter;
use ndqueens_system::file;
use ndqueens_workflow::colour::distant_colours::colour_at_distance;
use ndqueens_workflow::colour::few_colours::{self, ColourRequest, Coloured};

use super::args::Colours;
use crate::commands::{Exit, certificate};
use crate::output::{Answer, Output};
use crate::progress::Display;
use crate::schema::printed;

printed!(Coloured: "colour");

pub(super) fn run(
    args: &Colours,
    request: &ColourRequest<'_>,
    display: &mut Display,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let answer = match &args.layers {
        Some(path) => {
            let (sides, full) = certificate::of_a_box(path)?;
            few_colours::by_layers(request.board, request.colours, &full, &sides, args.axis.into())
                .with_context(|| path.display().to_string())?
        }
        None if args.distance > 2 => {
            colour_at_distance(request, args.distance, &mut |event| display.show(event))?
        }
        None => few_colours::colour(request, &mut |event| display.show(event))?,
    };
    let exit = match (args.colours, answer.enough) {
        _ if answer.absent.is_some() => Exit::No,
        (_, Some(true)) => Exit::Yes,
        (_, Some(false)) => Exit::No,
        (None, _) if answer.upper == Some(answer.lower) => Exit::Yes,
        _ => Exit::Stopped,
    };
    // A stopped search for the fewest colours stores its best colouring. A colouring that does not answer the
    // question is not stored.
    let kept = match (&args.output, &answer.colouring) {
        (Some(path), Some(colouring)) if args.colours.is_none() || exit == Exit::Yes => {
            file::write(path, |file| write!(file, "{colouring}"))
        }
        _ => Ok(()),
    };
    out.answer(&answer, &text(request.board, &answer, exit)?)?;
    Ok(kept.map(|()| exit)?)
}

fn text(board: &Board, answer: &Coloured, exit: Exit) -> anyhow::Result<Answer> {
    let name = board.name();
    let mut text = String::new();
    let mut details = String::new();
    let Coloured { lower, lower_because, asked, .. } = answer;
    let asked = asked.map(|k| counted(k, "colour"));
    match (&answer.absent, &asked, exit) {
        (Some(absent), ..) => writeln!(text, "{absent}")?,
        (None, Some(colours), Exit::No) => writeln!(text, "{name} has no colouring in {colours}")?,
        (None, Some(colours), Exit::Stopped) => {
            writeln!(text, "whether {colours} are enough for {name} was not decided")?;
        }
        _ => {}
    }
    // A colouring with more colours than requested is not an answer.
    let answers = asked.is_none() || exit == Exit::Yes;
    match &answer.colouring {
        Some(colouring) => {
            let colours = counted(colouring.colours() as u64, "colour");
            let means = match colouring.kind {
                ClassKind::AtDistance(distance) => {
                    format!("squares of one colour are at distance {distance} or more")
                }
                _ => "no two squares of one colour attack each other".to_owned(),
            };
            writeln!(text, "{name} in {colours}, checked: {means}")?;
            writeln!(details, "{}", colouring.origin)?;
        }
        None if asked.is_none() && answer.absent.is_none() => writeln!(text, "no colouring was found")?,
        None => {}
    }
    match answer.upper {
        _ if *lower <= 1 => {}
        Some(upper) if upper == *lower => writeln!(text, "fewer colours are not enough: {lower_because}")?,
        _ => writeln!(text, "at least {} are needed: {lower_because}", counted(*lower as u64, "colour"))?,
    }
    if let Some(symmetry) = &answer.symmetry {
        writeln!(details, "symmetry {symmetry}")?;
    }
    if let Some(colouring) = answer.colouring.as_ref().filter(|_| answers) {
        let class = |square| colouring.class_of(&board.coordinates(square)).and_then(letter).unwrap_or('?');
        let small = colouring.colours() <= 64 && board.size() <= 5000;
        let drawn = small.then(|| diagram::layers(board, 100, class)).flatten();
        details = format!("{}\n{details}", drawn.unwrap_or_default());
    }
    if let Some(stop) = &answer.stop {
        writeln!(details, "stopped ({stop})")?;
    }
    writeln!(details, "{}, {:.2} s", counted(answer.nodes, "node"), answer.seconds)?;
    Ok(Answer { details, verdict: text })
}
