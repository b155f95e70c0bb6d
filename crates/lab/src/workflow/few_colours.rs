//! How many colours a board needs: the colouring with the fewest that is found, and why fewer will not do.

use std::time::{Duration, Instant};

use ndqueens_model::board::Board;
use ndqueens_model::facts::colourings;
use ndqueens_notation::certificate::Certificate;
use ndqueens_notation::certificate::colouring::{ClassKind, Colouring};
use ndqueens_notation::counted::counted;
use ndqueens_notation::name::{BoardName, Piece, reject_files};
use ndqueens_solver::backends::Options;
use ndqueens_solver::colouring::cover;
use ndqueens_solver::colouring::operator::Operator;
use ndqueens_solver::colouring::{chromatic, closed, search, superimposed};
use ndqueens_system::cancel::Deadline;
use schemars::JsonSchema;
use serde::Serialize;

use crate::run::{ColourError, Event, LabError, Watch};
use crate::workflow::colour;
use crate::workflow::colour::cover::{ColouringRequest, Covered};
use crate::workflow::colour::question::ColouringQuestion;
use crate::workflow::prove::{self, Exactly};

/// How a colouring is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// What suits the board.
    #[default]
    Auto,
    /// Closed forms, for n^2.
    Closed,
    /// The complete algorithm, for n^2.
    Cover,
    /// Random partial colourings, each extended exhaustively, for n^2.
    Draw,
    /// DSATUR branch and bound.
    Dsatur,
    /// First fit: the squares in their order, each in the first colour that is free.
    Greedy,
    /// Edge by edge: if both squares of an edge have the same colour, the second one receives the next colour.
    Edges,
}

impl Method {
    /// Returns `true` if the method colours any board, in any number of colours.
    fn is_for_any_board(self) -> bool {
        matches!(self, Self::Dsatur | Self::Greedy | Self::Edges)
    }
}

/// What is asked.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The board.
    pub board: &'a Board,
    /// Whether so many colours are enough; the fewest when absent.
    pub colours: Option<u64>,
    /// The symmetry that an n-colouring of n^2 must have. If absent, it may have any, and the search uses the one that suits
    /// the side; with [`Operator::None`] it may have any, and the search uses none.
    pub symmetry: Option<Operator>,
    /// How a colouring is found.
    pub method: Method,
    /// Whether the complete algorithm uses its clique filter.
    pub filter: bool,
    /// Threads that work at a time.
    pub threads: usize,
    /// What decides random choices.
    pub seed: u32,
    /// When it ends at the latest.
    pub deadline: Deadline,
}

/// What is known of the colours that a board needs.
#[derive(Debug, Default, JsonSchema, Serialize)]
pub struct Coloured {
    /// The board.
    pub board: String,
    /// How many colours were asked about.
    pub asked: Option<u64>,
    /// Whether they are enough, where that is known.
    pub enough: Option<bool>,
    /// What colouring there is not, where a symmetry or a method was asked for.
    pub absent: Option<String>,
    /// No fewer colours will do.
    pub lower: usize,
    /// Why no fewer colours will do.
    pub lower_because: String,
    /// The colours of the colouring.
    pub upper: Option<usize>,
    /// How it was made.
    pub origin: Option<String>,
    /// Its symmetry, where its classes are solutions of n queens.
    pub symmetry: Option<String>,
    /// The squares of each colour.
    pub classes: Option<Vec<Vec<Vec<u32>>>>,
    /// Whether there is a colouring, which was checked.
    pub checked: bool,
    /// Nodes of all searches.
    pub nodes: u64,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// Why it stopped before it was done.
    pub stop: Option<String>,
    /// The colouring, checked.
    #[serde(skip)]
    pub colouring: Option<Colouring>,
}

/// The side of a square board of queens.
#[must_use]
pub fn side(board: &BoardName) -> Option<usize> {
    match board {
        BoardName::Grid { piece: Piece::Queen, torus: false, sides }
            if sides.len() == 2 && sides[0] == sides[1] =>
        {
            Some(sides[0] as usize)
        }
        _ => None,
    }
}

/// The side of the board, when so many colours of n-colourings of n^2 are what is asked for.
///
/// # Errors
/// When other colours are.
pub fn ensure_as_many(what: &str, side: usize, colours: Option<u64>) -> Result<(), ColourError> {
    match colours.filter(|&colours| colours != side as u64) {
        Some(colours) => Err(ColourError::OtherColours { what: what.to_owned(), side, colours }),
        None => Ok(()),
    }
}

/// Refuses a symmetry that no colouring of the board can have.
///
/// # Errors
/// When the board is not a square, other colours are asked for, or the symmetry does not fit the side.
pub fn ensure_symmetry(asked: &Asked<'_>) -> Result<(), LabError> {
    let Some(operator) = asked.symmetry.filter(|&operator| operator != Operator::None) else { return Ok(()) };
    let side = side(asked.board.name()).ok_or(ColourError::NoSquare(operator))?;
    if asked.method.is_for_any_board() {
        return Err(ColourError::NoSymmetry.into());
    }
    ensure_as_many(&format!("the symmetry {operator}"), side, asked.colours)?;
    Ok(operator.ensure_possible(side)?)
}

/// Looks for a colouring with the colours that are asked for, or with fewest.
///
/// # Errors
/// When the board, the symmetry, the colours and the method do not go together, or a colouring does not pass the check.
pub fn colour(asked: &Asked<'_>, watch: &mut Watch<'_>) -> Result<Coloured, LabError> {
    let begin = Instant::now();
    ensure_symmetry(asked)?;
    let board = asked.board;
    let side = side(board.name());
    let mut found = Coloured::of(board, asked.colours, side);
    let colours = asked.colours.map(|k| k as usize);
    let planar = side.filter(|&side| colours.is_none_or(|k| k <= side) && !asked.method.is_for_any_board());
    if planar.is_none() && asked.method != Method::Auto && !asked.method.is_for_any_board() {
        return Err(ColourError::Method.into());
    }
    let mut colouring = None;
    if let Some(side) = planar.filter(|&side| colours.is_none_or(|k| k == side)) {
        colouring = by_solutions(asked, side, asked.symmetry, &mut found, watch)?;
    }
    let over = found.absent.is_some() || colours.is_some_and(|k| k < found.lower);
    let any = asked.symmetry.is_none_or(|operator| operator == Operator::None);
    if colouring.is_none() && !over && any {
        if found.stop.is_none() {
            colouring = of_any_board(asked, side, &mut found, watch)?;
        } else if let Some(cut) = side.and_then(|side| cut(side, found.lower)) {
            colouring = Some(colour::checked(cut)?);
        }
    }
    found.seconds = begin.elapsed().as_secs_f64();
    Ok(found.with(colouring))
}

/// The colouring of n^(d-1) by the layers of a checked solution of n^d, taken along an axis that is counted from 1.
///
/// # Errors
/// When the solution is not full, there is no such axis, or the layers are those of another board.
pub fn by_layers(
    board: &Board,
    colours: Option<u64>,
    full: &Certificate,
    sides: &[u32],
    axis: usize,
) -> Result<Coloured, LabError> {
    let begin = Instant::now();
    let n = sides[0] as usize;
    let is_cube = sides.len() >= 3 && sides.iter().all(|&side| side == sides[0]);
    if !is_cube || full.size() * n != n.pow(sides.len() as u32) {
        return Err(ColourError::NotFull { board: full.board.clone(), queens: full.size() }.into());
    }
    if axis > sides.len() {
        return Err(ColourError::NoAxis { board: full.board.clone(), axes: sides.len(), axis }.into());
    }
    let layer = BoardName::queen(&sides[1..]);
    if *board.name() != layer {
        let (of, asked) = (full.board.clone(), board.name().clone());
        return Err(ColourError::OtherBoard { of, layer, asked }.into());
    }
    let classes = superimposed::layers(sides[0], &full.squares, axis - 1);
    let origin = format!("layers of a full solution of {} ({}) along axis {axis}", full.board, full.origin);
    let colouring = colour::checked(Colouring::new(layer, ClassKind::FullSolutions, classes, origin))?;
    let found = Coloured { seconds: begin.elapsed().as_secs_f64(), ..Coloured::of(board, colours, Some(n)) };
    Ok(found.with(Some(colouring)))
}

impl Coloured {
    /// What is known before anything is looked for.
    fn of(board: &Board, asked: Option<u64>, side: Option<usize>) -> Self {
        let begun = Self { board: board.name().to_string(), asked, ..Self::default() };
        match side {
            Some(side) => {
                let squares = if side == 1 { "square" } else { "squares" };
                Self { lower: side, lower_because: format!("a line has {side} {squares}"), ..begun }
            }
            None => begun,
        }
    }

    /// With a checked colouring, if there is one, and what it says of the question.
    fn with(mut self, colouring: Option<Colouring>) -> Self {
        if let Some(colouring) = &colouring {
            self.upper = Some(colouring.colours());
            self.origin = Some(colouring.origin.clone());
            self.symmetry = colour::symmetry(colouring).map(|operator| operator.to_string());
            self.classes = Some(colouring.classes.clone());
            self.checked = true;
        }
        self.enough = self.asked.and_then(|k| match self.upper {
            Some(upper) if upper as u64 <= k => Some(true),
            _ if self.lower as u64 > k => Some(false),
            _ => None,
        });
        self.colouring = colouring;
        self
    }
}

/// The symmetry with which colourings are looked for when none is asked for.
fn suitable(side: usize) -> Operator {
    match side % 4 {
        0 => Operator::Hv,
        1 => Operator::R4,
        2 => Operator::H,
        _ => Operator::R2,
    }
}

/// An n-colouring of n^2.
fn by_solutions(
    asked: &Asked<'_>,
    side: usize,
    symmetry: Option<Operator>,
    found: &mut Coloured,
    watch: &mut Watch<'_>,
) -> Result<Option<Colouring>, LabError> {
    let method = asked.method;
    if side > LONGEST {
        return Err(ColourError::TooWide { most: LONGEST }.into());
    }
    if method == Method::Auto && symmetry == Some(Operator::None) {
        if side > cover::MAX_SIDE {
            return Err(ColourError::NotComplete { most: cover::MAX_SIDE }.into());
        }
        return by_cover(asked, side, Operator::None, found, watch);
    }
    if matches!(method, Method::Auto | Method::Closed) {
        match in_closed_form(side) {
            Some((classes, origin)) => {
                let has = symmetry_of_linear(side);
                match symmetry.filter(|&operator| !has.contains(operator)) {
                    None => {
                        let colouring = of_full_solutions(side, classes, &origin);
                        return Ok(Some(colour::checked(colouring)?));
                    }
                    Some(asked) if method == Method::Closed => {
                        return Err(ColourError::ClosedSymmetry { side, has, asked }.into());
                    }
                    Some(_) => {}
                }
            }
            None if method == Method::Closed => return Err(ColourError::NotClosed(side).into()),
            None => {}
        }
    }
    let complete = match symmetry {
        None => side < SHORTEST_DRAWN,
        Some(_) => side <= SHORTEST_DRAWN,
    };
    if method == Method::Cover || method == Method::Auto && complete {
        return by_cover(asked, side, symmetry.unwrap_or(Operator::None), found, watch);
    }
    let any = symmetry.is_none_or(|operator| operator == Operator::None);
    if let Some(factor) = factor(side).filter(|_| any) {
        return by_product(asked, side, factor, found, watch);
    }
    let operator = symmetry.unwrap_or_else(|| suitable(side));
    if operator == Operator::None {
        return Err(ColourError::DrawnWithoutSymmetry.into());
    }
    if !(SHORTEST_DRAWN..=search::MAX_SIDE).contains(&side) {
        let refused = ColourError::NotDrawn { least: SHORTEST_DRAWN };
        if method == Method::Draw || symmetry.is_some() {
            return Err(refused.into());
        }
        found.stop = Some(refused.to_string());
        return Ok(None);
    }
    let free = method == Method::Auto && symmetry.is_none();
    if free
        && side > LONGEST_QUICKLY_DRAWN
        && let Some(stored) = stored(side)?
    {
        return Ok(Some(stored));
    }
    stage(watch, format!("colourings of {side}^2 with the symmetry {operator} are drawn"));
    let seeded = (asked.threads, u64::from(asked.seed));
    let (drawn, nodes, stop) = colour::draw(side, operator, seeded, asked.deadline, watch)?;
    found.nodes += nodes;
    found.stop = stop.map(|stop| stop.to_string());
    let Some((classes, seed)) = drawn else {
        let stored = if free { stored(side)? } else { None };
        if stored.is_some() {
            found.stop = None;
        }
        return Ok(stored);
    };
    let origin = format!("classes drawn at random with symmetry {operator}, the last completed; seed {seed}");
    Ok(Some(colour::certified(&classes, &origin)?))
}

/// An n-colouring of n^2 that comes with the program, checked.
fn stored(side: usize) -> Result<Option<Colouring>, LabError> {
    let board = BoardName::queen(&[side as u32, side as u32]);
    let Some(text) = colourings::lookup(&board) else { return Ok(None) };
    let mut colouring =
        Colouring::parse_with(text, &reject_files).expect("a shipped colouring is well formed");
    colouring.origin = format!("stored with the program: {}", colouring.origin);
    colour::checked(colouring).map(Some)
}

/// An n-colouring of n^2 by the complete algorithm, or that there is none.
fn by_cover(
    asked: &Asked<'_>,
    side: usize,
    operator: Operator,
    found: &mut Coloured,
    watch: &mut Watch<'_>,
) -> Result<Option<Colouring>, LabError> {
    if side > cover::MAX_SIDE {
        return Err(ColourError::TooLong.into());
    }
    let Asked { filter, threads, deadline, .. } = *asked;
    let question = ColouringQuestion { side, operator, filter };
    let request = ColouringRequest { question, first: true, threads, deadline, work: None };
    let Covered { nodes, found: colourings, stop, .. } = colour::cover::cover(&request, watch)?;
    found.nodes += nodes;
    found.stop = stop.map(|stop| stop.to_string());
    if let Some(classes) = colourings.first() {
        let origin = format!("complete algorithm, symmetry {operator}");
        return Ok(Some(colour::certified(classes, &origin)?));
    }
    if stop.is_none() && operator == Operator::None {
        found.lower = side + 1;
        found.lower_because = format!(
            "the complete algorithm found no partition into {} of {}, in a search of {}",
            counted(side, "solution"),
            counted(side, "queen"),
            counted(nodes, "node")
        );
    } else if stop.is_none() {
        found.absent = Some(format!(
            "no {side}-colouring of {side}^2 has the symmetry {operator}: the complete algorithm visited all, {}",
            counted(nodes, "node")
        ));
    }
    Ok(None)
}

/// The product of a smaller n-colouring and the closed form of a factor.
fn by_product(
    asked: &Asked<'_>,
    side: usize,
    factor: usize,
    found: &mut Coloured,
    watch: &mut Watch<'_>,
) -> Result<Option<Colouring>, LabError> {
    let rest = side / factor;
    stage(watch, format!("{side} = {rest} * {factor}, and {factor} is prime to 6"));
    // A draw without a time limit may not end, and a larger side has a colouring at once.
    let endless = asked.method == Method::Auto && asked.deadline.left().is_none();
    if endless && !is_quickly_coloured(rest) && self::factor(rest).is_none() {
        found.stop = Some(ColourError::LongFactor { side, rest }.to_string());
        return Ok(None);
    }
    let Some(inner) = by_solutions(asked, rest, asked.symmetry, found, watch)? else { return Ok(None) };
    Ok(Some(colour::checked(times_linear(&inner, factor, side)?)?))
}

/// Returns a factor s of a side that is prime to 6 and leaves a side of at least 12: one with which the rest is coloured within
/// seconds, if there is any.
fn factor(side: usize) -> Option<usize> {
    let is_factor =
        |s: &usize| side.is_multiple_of(*s) && closed::is_prime_to_6(*s) && side / s >= SHORTEST_DRAWN;
    let factors = || (5..side).filter(is_factor);
    factors().find(|s| is_quickly_coloured(side / s)).or_else(|| factors().next())
}

/// Returns `true` if an n-colouring of n^2 is drawn within seconds, or stored.
fn is_quickly_coloured(side: usize) -> bool {
    (SHORTEST_DRAWN..=LONGEST_QUICKLY_DRAWN).contains(&side)
        || colourings::lookup(&BoardName::queen(&[side as u32; 2])).is_some()
}

/// Returns the product of an n-colouring of n^2 and the linear one of a factor.
fn times_linear(inner: &Colouring, factor: usize, side: usize) -> Result<Colouring, ColourError> {
    let classes = closed::product_squares(&inner.classes, factor).ok_or(ColourError::NotClosed(factor))?;
    let origin = format!("product of {} ({}) and the linear {factor}-colouring", inner.board, inner.origin);
    Ok(of_full_solutions(side, classes, &origin))
}

fn of_full_solutions(side: usize, classes: Squares, origin: &str) -> Colouring {
    let board = BoardName::queen(&[side as u32; 2]);
    Colouring::new(board, ClassKind::FullSolutions, classes, origin)
}

fn in_closed_form(side: usize) -> Option<(Squares, String)> {
    let linear = closed::linear_squares(side)?;
    Some((linear, format!("closed form: column + 2 row mod {side}")))
}

/// Returns the symmetry of the closed form: quarter turns take the slope 2 to -1/2, which is 2 mod n if and only if n divides 5.
/// Reflections take it to -2, and 4 is prime to n.
fn symmetry_of_linear(side: usize) -> Operator {
    match side {
        1 => Operator::Hv,
        5 => Operator::R4,
        _ => Operator::R2,
    }
}

/// A colouring of any board in fewest colours.
fn of_any_board(
    asked: &Asked<'_>,
    side: Option<usize>,
    found: &mut Coloured,
    watch: &mut Watch<'_>,
) -> Result<Option<Colouring>, LabError> {
    let board = asked.board;
    let colours = asked.colours.map(|k| k as usize);
    let cut = side.filter(|_| asked.method == Method::Auto).and_then(|side| cut(side, found.lower));
    if let Some(cut) = cut.filter(|cut| cut.colours() <= colours.unwrap_or(found.lower)) {
        return Ok(Some(colour::checked(cut)?));
    }
    if board.size() > chromatic::MAX_SQUARES {
        return Err(ColourError::TooLarge(board.name().clone()).into());
    }
    if asked.method == Method::Greedy {
        return by_first_fit(board);
    }
    if asked.method == Method::Edges {
        let origin =
            "edge by edge: if both squares have the same colour, the second one receives the next colour";
        return of_squares(board, &chromatic::by_edges(board), origin).map(Some);
    }
    let by_size = by_size(board, found, asked.deadline, watch)?;
    if colours.is_some_and(|k| k < found.lower) {
        return Ok(None);
    }
    let enough = found.lower.max(colours.unwrap_or(0));
    stage(watch, "squares are coloured by tabu search and DSATUR branch and bound".to_owned());
    let (fewest, stop) = colour::fewest(board, enough, colours, asked.deadline, watch);
    found.nodes += fewest.nodes;
    found.stop = stop.map(|stop| stop.to_string());
    let clique = fewest.clique.len();
    if fewest.lower > found.lower || by_size && clique == found.lower {
        found.lower = fewest.lower;
        found.lower_because = if fewest.lower > clique {
            format!(
                "DSATUR branch and bound visited all colourings in fewer, {}",
                counted(fewest.nodes, "node")
            )
        } else {
            let squares: Vec<String> = fewest.clique.iter().map(|&square| board.label(square)).collect();
            format!("{} attack each other pairwise", squares.join(" "))
        };
    }
    of_squares(board, &fewest.colours, "tabu search and DSATUR").map(Some)
}

/// Returns the colouring by first fit.
fn by_first_fit(board: &Board) -> Result<Option<Colouring>, LabError> {
    let origin = "first fit: the squares in their order, each in the first colour that is free";
    of_squares(board, &chromatic::first_fit(board), origin).map(Some)
}

/// Returns a colouring, checked, by the colour of each square.
fn of_squares(board: &Board, colours: &[usize], origin: &str) -> Result<Colouring, LabError> {
    let mut classes = vec![Vec::new(); colours.iter().max().map_or(0, |most| most + 1)];
    board.squares().for_each(|square| classes[colours[square as usize]].push(board.coordinates(square)));
    colour::checked(Colouring::new(board.name().clone(), ClassKind::IndependentSets, classes, origin))
}

/// No colour has more squares than the largest independent set: whether that says more than was known. The exact engine bounds
/// it, with a checked proof, as far as some nodes for each box go.
fn by_size(
    board: &Board,
    found: &mut Coloured,
    deadline: Deadline,
    watch: &mut Watch<'_>,
) -> Result<bool, LabError> {
    if board.size() > MOST_FOR_SIZES {
        return Ok(false);
    }
    let patience = deadline.within(PATIENCE);
    let options =
        Options { node_limit: Some(NODES_FOR_SIZES), time_limit: Some(patience), ..Options::default() };
    let exactly = Exactly { options, certified: true, ..Exactly::default() };
    let proof = prove::prove_exactly(board, None, None, &exactly, watch)?;
    let (size, most) = (board.size(), proof.upper as usize);
    let enough = size.div_ceil(most);
    if enough <= found.lower {
        return Ok(false);
    }
    found.lower = enough;
    found.lower_because = format!(
        "no colour has more than {most} of the {} ({})",
        board.format_squares(size as u64),
        proof.kind
    );
    Ok(true)
}

/// The squares of each class, as coordinates.
type Squares = Vec<Vec<Vec<u32>>>;

/// Longest side whose colourings by closed forms, products and cuts are made; the check of one takes seconds.
pub const LONGEST: usize = 2000;

/// The shortest side whose colourings are drawn at random: for the others the complete algorithm is quick.
const SHORTEST_DRAWN: usize = 12;

/// The longest side whose colourings are drawn within seconds: for longer ones a stored colouring comes first.
const LONGEST_QUICKLY_DRAWN: usize = 16;

/// The largest board whose largest independent set is bounded, and what that may take.
const MOST_FOR_SIZES: usize = 400;
const NODES_FOR_SIZES: u64 = 200_000;
const PATIENCE: Duration = Duration::from_secs(10);

/// Says what begins.
fn stage(watch: &mut Watch<'_>, words: String) {
    // Whether to go on is asked again before long.
    let _ = watch(&Event::Stage(words));
}

/// A colouring of n^2 in few colours, but no fewer than said, cut out of that of a larger side, which has a closed form or is stored.
fn cut(side: usize, colours: usize) -> Option<Colouring> {
    if side > LONGEST {
        return None;
    }
    let larger = |side: usize| match in_closed_form(side) {
        Some(linear) => Some(linear),
        None => stored(side)
            .ok()
            .flatten()
            .or_else(|| {
                let factor = factor(side)?;
                times_linear(&stored(side / factor).ok().flatten()?, factor, side).ok()
            })
            .map(|colouring| (colouring.classes, colouring.origin)),
    };
    // Of six sides in a row two are prime to 6.
    let (classes, origin) = (colours.max(side + 1)..=LONGEST + 6).find_map(larger)?;
    let whole = classes.len();
    let inside = |class: Vec<Vec<u32>>| -> Vec<Vec<u32>> {
        class.into_iter().filter(|square| square.iter().all(|&x| (x as usize) < side)).collect()
    };
    let classes = classes.into_iter().map(inside).collect();
    let board = BoardName::queen(&[side as u32, side as u32]);
    Some(Colouring::new(
        board,
        ClassKind::IndependentSets,
        classes,
        format!("cut out of {whole}^2, {origin}"),
    ))
}

#[cfg(test)]
mod tests {
    use ndqueens_solver::colouring::columns;
    use ndqueens_solver::colouring::symmetry::symmetry;

    use super::*;

    #[test]
    fn linear_colourings_have_the_stated_symmetry() {
        for side in (1..120).filter(|&side| closed::is_prime_to_6(side)) {
            let classes = columns(&closed::linear_squares(side).expect("prime to 6"));
            assert_eq!(symmetry(&classes), symmetry_of_linear(side), "{side}");
        }
    }

    #[test]
    fn factors_leave_sides_that_are_coloured_quickly() {
        for (side, expected) in [(60, Some(5)), (170, Some(5)), (300, Some(25)), (340, Some(17)), (68, None)]
        {
            assert_eq!(factor(side), expected, "{side}");
        }
    }
}
