//! Start page: the state of knowledge as a coloured table.

use std::ops::RangeInclusive;

use askama::Template;
use ndqueens_archive::bounds::{Cube, Fact, Strength};
use ndqueens_model::board::Board;
use ndqueens_model::facts::Side;
use ndqueens_report::figure::{Figure, Lettering, Show};

use super::shell::{Script, Shell};
use super::standing::{self, Standing};
use super::{Known, SiteError, board, board_path};
use crate::page::{PageError, group_digits};

#[derive(Template)]
#[template(path = "start.html")]
struct Start {
    boards: usize,
    settled: usize,
    reported: usize,
    open: usize,
    dimensions: RangeInclusive<usize>,
    sides: RangeInclusive<u32>,
    /// States and their numbers of boards.
    legend: Vec<(Standing, usize)>,
    /// Sides and the boards with them.
    rows: Vec<(u32, Vec<Entry>)>,
    /// Drawing of a placement, as SVG; may be empty.
    figure: String,
    figure_board: String,
    figure_path: String,
    figure_queens: usize,
}

/// Board in the table.
struct Entry {
    standing: Standing,
    class: String,
    path: String,
    /// Maximum, or range.
    text: String,
    letter: &'static str,
    /// Both bounds in words.
    words: String,
}

/// Board of the drawing.
const DRAWN: Cube = Cube { dimension: 3, side: 6 };

/// Width of the drawing, in pixels.
const DRAWN_WIDTH: u32 = 320;

/// Returns the start page.
///
/// # Errors
/// Returns an error if the placement of the drawing fails the check, or if the template fails.
pub(super) fn page(known: &Known<'_>) -> Result<String, SiteError> {
    let row = |side| {
        let cubes = known.dimensions.clone().map(|dimension| Cube { dimension, side });
        (side, cubes.map(|cube| entry(known, cube)).collect())
    };
    let rows: Vec<(u32, Vec<Entry>)> = known.sides.clone().map(row).collect();
    let count = |is_counted: &dyn Fn(Standing) -> bool| {
        rows.iter().flat_map(|(_, entries)| entries).filter(|entry| is_counted(entry.standing)).count()
    };
    let number = |standing| count(&|other| other == standing);
    let placement = match known.contains(DRAWN) {
        true => board::placement(known, DRAWN, known.bounds.of(DRAWN, Side::Lower).value)?,
        false => None,
    };
    let figure = placement.as_ref().and_then(|certificate| {
        let board = Board::new(&certificate.board);
        let squares = certificate.squares.iter().filter_map(|square| board.square(square)).collect();
        let lettering = Lettering { width: Some(DRAWN_WIDTH), ..Lettering::default() };
        Figure::new(&board, Show::Placement { squares, attacked: false }).with(lettering).solid().ok()
    });
    let start = Start {
        boards: count(&|_| true),
        settled: count(&Standing::is_settled),
        reported: number(Standing::Reported),
        open: number(Standing::Open),
        dimensions: known.dimensions.clone(),
        sides: known.sides.clone(),
        legend: Standing::ALL
            .map(|standing| (standing, number(standing)))
            .into_iter()
            .filter(|(_, count)| *count > 0)
            .collect(),
        figure: figure.unwrap_or_default(),
        figure_board: DRAWN.board().to_string(),
        figure_path: board_path(DRAWN),
        figure_queens: placement.map_or(0, |certificate| certificate.size()),
        rows,
    };
    let content = start.render().map_err(PageError::from)?;
    let shell = Shell {
        title: "Queens on n^d: what is known",
        path: "index.html",
        content: &content,
        aside: "",
        script: Script::Start,
    };
    Ok(shell.page()?)
}

/// Returns the table's entry of a board: `21`, or `172–195*`.
fn entry(known: &Known<'_>, cube: Cube) -> Entry {
    let [lower, upper] = [Side::Lower, Side::Upper].map(|side| known.bounds.of(cube, side));
    let standing = Standing::new(lower, upper);
    let value = |fact: &Fact| group_digits(&fact.value.to_string());
    let mark = |fact: &Fact| match fact.strength {
        Strength::Theorem | Strength::Checked => "",
        Strength::Archived => "+",
        Strength::Reported => "*",
    };
    let (class, text, gap) = if standing == Standing::Open {
        let shade = standing::shade(lower.value, upper.value);
        let text = format!("{}{}–{}{}", value(lower), mark(lower), value(upper), mark(upper));
        let gap = format!("; gap {}\u{a0}%", standing::percent(lower.value, upper.value));
        (format!("open{shade}"), text, gap)
    } else {
        (standing.class().to_owned(), value(lower), String::new())
    };
    let words = format!(
        "{}: at least {} queens ({}), at most {} ({}){gap}",
        cube.board(),
        value(lower),
        lower.strength,
        value(upper),
        upper.strength
    );
    Entry { standing, class, path: board_path(cube), text, letter: standing.letter(), words }
}
