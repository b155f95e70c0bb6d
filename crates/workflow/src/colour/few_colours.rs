//! Smallest number of colours of a board: the best colouring found, and the reason why fewer colours do not
//! suffice.

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

use crate::colour;
use crate::colour::cover::{ColouringRequest, Covered};
use crate::colour::question::ColouringQuestion;
use crate::prove::{self, Exactly};
use crate::run::{ColourError, Event, Watch, WorkflowError};

/// Method that searches for a colouring.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// Chosen to suit the board.
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
    /// Edge by edge: if both squares of an edge have the same colour, the second one receives the next
    /// colour.
    Edges,
}

impl Method {
    /// Returns `true` if the method colours any board, in any number of colours.
    fn is_for_any_board(self) -> bool {
        matches!(self, Self::Dsatur | Self::Greedy | Self::Edges)
    }
}

/// Question about the colours of a board.
#[derive(Debug, Clone, Copy)]
pub struct ColourRequest<'a> {
    /// Board to colour.
    pub board: &'a Board,
    /// Number of colours that is tested; if absent, the smallest number is searched for.
    pub colours: Option<u64>,
    /// Symmetry that an n-colouring of n^2 must have. If absent, any symmetry is allowed, and the search uses
    /// the one that suits the side; with [`Operator::None`] any is allowed, and the search uses none.
    pub symmetry: Option<Operator>,
    /// Method that searches for a colouring.
    pub method: Method,
    /// True if the complete algorithm uses its clique filter.
    pub filter: bool,
    /// Number of threads.
    pub threads: usize,
    /// Seed of random choices.
    pub seed: u32,
    /// Deadline of the whole search.
    pub deadline: Deadline,
}

/// Bounds on the number of colours that a board needs.
#[derive(Debug, Default, JsonSchema, Serialize)]
pub struct Coloured {
    /// The board.
    pub board: String,
    /// Number of colours in the question, if it names one.
    pub asked: Option<u64>,
    /// `true` if this number of colours suffices, `false` if it does not; null if that is not known.
    pub enough: Option<bool>,
    /// Description of the colourings that do not exist, if the question names a symmetry or a method.
    pub absent: Option<String>,
    /// Lower bound on the number of colours.
    pub lower: usize,
    /// Reason for the lower bound.
    pub lower_because: String,
    /// Number of colours of the colouring.
    pub upper: Option<usize>,
    /// Origin of the colouring.
    pub origin: Option<String>,
    /// Symmetry of the colouring, if its classes are solutions of n queens.
    pub symmetry: Option<String>,
    /// The squares of each colour.
    pub classes: Option<Vec<Vec<Vec<u32>>>>,
    /// `true` if there is a colouring, which was checked.
    pub checked: bool,
    /// Number of nodes of all searches.
    pub nodes: u64,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// Reason for which the search stopped early.
    pub stop: Option<String>,
    /// The colouring, checked.
    #[serde(skip)]
    pub colouring: Option<Colouring>,
}

/// Returns the side of a square board of queens, or `None` for other boards.
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

/// Checks that the number of colours equals the side, as n-colourings of n^2 require.
///
/// # Errors
/// Returns an error if another number of colours is requested.
pub fn ensure_as_many(what: &str, side: usize, colours: Option<u64>) -> Result<(), ColourError> {
    match colours.filter(|&colours| colours != side as u64) {
        Some(colours) => Err(ColourError::OtherColours { what: what.to_owned(), side, colours }),
        None => Ok(()),
    }
}

/// Rejects a symmetry that no colouring of the board can have.
///
/// # Errors
/// Returns an error if the board is not a square, the number of colours is not the side, or the symmetry does
/// not suit the side.
pub fn ensure_symmetry(request: &ColourRequest<'_>) -> Result<(), WorkflowError> {
    let Some(operator) = request.symmetry.filter(|&operator| operator != Operator::None) else {
        return Ok(());
    };
    let side = side(request.board.name()).ok_or(ColourError::NoSquare(operator))?;
    if request.method.is_for_any_board() {
        return Err(ColourError::NoSymmetry.into());
    }
    ensure_as_many(&format!("the symmetry {operator}"), side, request.colours)?;
    Ok(operator.ensure_possible(side)?)
}

/// Searches for a colouring with the requested number of colours, or with fewest.
///
/// # Errors
/// Returns an error if board, symmetry, number of colours and method do not fit together, or if a colouring
/// does not pass the check.
pub fn colour(request: &ColourRequest<'_>, watch: &mut Watch<'_>) -> Result<Coloured, WorkflowError> {
    let begin = Instant::now();
    ensure_symmetry(request)?;
    let board = request.board;
    let side = side(board.name());
    let mut found = Coloured::of(board, request.colours, side);
    let colours = request.colours.map(|k| k as usize);
    let planar = side.filter(|&side| colours.is_none_or(|k| k <= side) && !request.method.is_for_any_board());
    if planar.is_none() && request.method != Method::Auto && !request.method.is_for_any_board() {
        return Err(ColourError::Method.into());
    }
    let mut colouring = None;
    if let Some(side) = planar.filter(|&side| colours.is_none_or(|k| k == side)) {
        colouring = by_solutions(request, side, request.symmetry, &mut found, watch)?;
    }
    let over = found.absent.is_some() || colours.is_some_and(|k| k < found.lower);
    let any = request.symmetry.is_none_or(|operator| operator == Operator::None);
    if colouring.is_none() && !over && any {
        if found.stop.is_none() {
            colouring = of_any_board(request, side, &mut found, watch)?;
        } else if let Some(cut) = side.and_then(|side| cut(side, found.lower)) {
            colouring = Some(colour::check(cut)?);
        }
    }
    found.seconds = begin.elapsed().as_secs_f64();
    Ok(found.with(colouring))
}

/// Returns the colouring of n^(d-1) by the layers of a checked solution of n^d along `axis`, counted from 1.
///
/// # Errors
/// Returns an error if the solution is not full, there is no such axis, or the layers belong to another
/// board.
pub fn by_layers(
    board: &Board,
    colours: Option<u64>,
    full: &Certificate,
    sides: &[u32],
    axis: usize,
) -> Result<Coloured, WorkflowError> {
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
    let colouring = colour::check(Colouring::new(layer, ClassKind::FullSolutions, classes, origin))?;
    let found = Coloured { seconds: begin.elapsed().as_secs_f64(), ..Coloured::of(board, colours, Some(n)) };
    Ok(found.with(Some(colouring)))
}

impl Coloured {
    /// Returns the state before the search: on n^2, a line needs n colours.
    fn of(board: &Board, asked: Option<u64>, side: Option<usize>) -> Self {
        let bounds = Self { board: board.name().to_string(), asked, ..Self::default() };
        match side {
            Some(side) => {
                let squares = if side == 1 { "square" } else { "squares" };
                Self { lower: side, lower_because: format!("a line has {side} {squares}"), ..bounds }
            }
            None => bounds,
        }
    }

    /// Adds a checked colouring, if there is one, and the answer that follows from the bounds.
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

/// Returns the symmetry that the search uses if none is requested.
fn suitable(side: usize) -> Operator {
    match side % 4 {
        0 => Operator::Hv,
        1 => Operator::R4,
        2 => Operator::H,
        _ => Operator::R2,
    }
}

/// Searches for an n-colouring of n^2.
fn by_solutions(
    request: &ColourRequest<'_>,
    side: usize,
    symmetry: Option<Operator>,
    found: &mut Coloured,
    watch: &mut Watch<'_>,
) -> Result<Option<Colouring>, WorkflowError> {
    let method = request.method;
    if side > LONGEST {
        return Err(ColourError::TooWide { most: LONGEST }.into());
    }
    if method == Method::Auto && symmetry == Some(Operator::None) {
        if side > cover::MAX_SIDE {
            return Err(ColourError::NotComplete { most: cover::MAX_SIDE }.into());
        }
        return by_cover(request, side, Operator::None, found, watch);
    }
    if matches!(method, Method::Auto | Method::Closed) {
        match in_closed_form(side) {
            Some((classes, origin)) => {
                let has = symmetry_of_linear(side);
                match symmetry.filter(|&operator| !has.contains(operator)) {
                    None => {
                        let colouring = of_full_solutions(side, classes, &origin);
                        return Ok(Some(colour::check(colouring)?));
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
        return by_cover(request, side, symmetry.unwrap_or(Operator::None), found, watch);
    }
    let any = symmetry.is_none_or(|operator| operator == Operator::None);
    if let Some(factor) = factor(side).filter(|_| any) {
        return by_product(request, side, factor, found, watch);
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
        && let Some(stored) = load_shipped(side)?
    {
        return Ok(Some(stored));
    }
    stage(watch, format!("colourings of {side}^2 with the symmetry {operator} are drawn"));
    let seed = u64::from(request.seed);
    let (drawn, nodes, stop) = colour::draw(side, operator, request.threads, seed, request.deadline, watch)?;
    found.nodes += nodes;
    found.stop = stop.map(|stop| stop.to_string());
    let Some((classes, seed)) = drawn else {
        let stored = if free { load_shipped(side)? } else { None };
        if stored.is_some() {
            found.stop = None;
        }
        return Ok(stored);
    };
    let origin = format!("classes drawn at random with symmetry {operator}, the last completed; seed {seed}");
    Ok(Some(colour::certify(&classes, &origin)?))
}

/// Returns the n-colouring of n^2 that is shipped with the program, if any, after checking it.
fn load_shipped(side: usize) -> Result<Option<Colouring>, WorkflowError> {
    let board = BoardName::queen(&[side as u32, side as u32]);
    let Some(text) = colourings::lookup(&board) else { return Ok(None) };
    let mut colouring =
        Colouring::parse_with(text, &reject_files).expect("a shipped colouring is well formed");
    colouring.origin = format!("stored with the program: {}", colouring.origin);
    colour::check(colouring).map(Some)
}

/// Searches for an n-colouring of n^2 by the complete algorithm. If no such colouring exists, adds that
/// result to `found`.
fn by_cover(
    request: &ColourRequest<'_>,
    side: usize,
    operator: Operator,
    found: &mut Coloured,
    watch: &mut Watch<'_>,
) -> Result<Option<Colouring>, WorkflowError> {
    if side > cover::MAX_SIDE {
        return Err(ColourError::TooLong.into());
    }
    let ColourRequest { filter, threads, deadline, .. } = *request;
    let question = ColouringQuestion { side, operator, filter };
    let request = ColouringRequest { question, first: true, threads, deadline, work: None };
    let Covered { nodes, found: colourings, stop, .. } = colour::cover::cover(&request, watch)?;
    found.nodes += nodes;
    found.stop = stop.map(|stop| stop.to_string());
    if let Some(classes) = colourings.first() {
        let origin = format!("complete algorithm, symmetry {operator}");
        return Ok(Some(colour::certify(classes, &origin)?));
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

/// Returns the product of a smaller n-colouring and the closed form of a factor.
fn by_product(
    request: &ColourRequest<'_>,
    side: usize,
    factor: usize,
    found: &mut Coloured,
    watch: &mut Watch<'_>,
) -> Result<Option<Colouring>, WorkflowError> {
    let rest = side / factor;
    stage(watch, format!("{side} = {rest} * {factor}, and {factor} is prime to 6"));
    // Without a time limit, random draws may never end. The fallback, a colouring cut out of one of a larger
    // side, takes little time.
    let endless = request.method == Method::Auto && request.deadline.left().is_none();
    if endless && !is_quickly_coloured(rest) && self::factor(rest).is_none() {
        found.stop = Some(ColourError::LongFactor { side, rest }.to_string());
        return Ok(None);
    }
    let Some(inner) = by_solutions(request, rest, request.symmetry, found, watch)? else { return Ok(None) };
    Ok(Some(colour::check(times_linear(&inner, factor, side)?)?))
}

/// Returns a factor s of a side that is prime to 6 and for which side / s is at least 12. Prefers a factor
/// for which side / s is coloured within seconds.
fn factor(side: usize) -> Option<usize> {
    let is_factor =
        |s: &usize| side.is_multiple_of(*s) && closed::is_prime_to_6(*s) && side / s >= SHORTEST_DRAWN;
    let factors = || (5..side).filter(is_factor);
    factors().find(|s| is_quickly_coloured(side / s)).or_else(|| factors().next())
}

/// Returns `true` if an n-colouring of n^2 is drawn within seconds, or is stored.
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

/// Returns the symmetry of the closed form. Quarter turns take the slope 2 to -1/2, which is 2 mod n if and
/// only if n divides 5. Reflections take it to -2, which differs from 2 mod n because 4 is prime to n.
fn symmetry_of_linear(side: usize) -> Operator {
    match side {
        1 => Operator::Hv,
        5 => Operator::R4,
        _ => Operator::R2,
    }
}

/// Returns a colouring of any board in the requested number of colours or in fewest.
fn of_any_board(
    request: &ColourRequest<'_>,
    side: Option<usize>,
    found: &mut Coloured,
    watch: &mut Watch<'_>,
) -> Result<Option<Colouring>, WorkflowError> {
    let board = request.board;
    let colours = request.colours.map(|k| k as usize);
    let cut = side.filter(|_| request.method == Method::Auto).and_then(|side| cut(side, found.lower));
    if let Some(cut) = cut.filter(|cut| cut.colours() <= colours.unwrap_or(found.lower)) {
        return Ok(Some(colour::check(cut)?));
    }
    if board.size() > chromatic::MAX_SQUARES {
        return Err(ColourError::TooLarge(board.name().clone()).into());
    }
    if request.method == Method::Greedy {
        return by_first_fit(board);
    }
    if request.method == Method::Edges {
        let origin =
            "edge by edge: if both squares have the same colour, the second one receives the next colour";
        return of_squares(board, &chromatic::by_edges(board), origin).map(Some);
    }
    let by_size = by_size(board, found, request.deadline, watch)?;
    if colours.is_some_and(|k| k < found.lower) {
        return Ok(None);
    }
    let enough = found.lower.max(colours.unwrap_or(0));
    stage(watch, "squares are coloured by tabu search and DSATUR branch and bound".to_owned());
    let (fewest, stop) = colour::fewest(board, enough, colours, request.deadline, watch);
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

/// Colours the board by first fit.
fn by_first_fit(board: &Board) -> Result<Option<Colouring>, WorkflowError> {
    let origin = "first fit: the squares in their order, each in the first colour that is free";
    of_squares(board, &chromatic::first_fit(board), origin).map(Some)
}

/// Builds and checks a colouring, given the colour of each square.
fn of_squares(board: &Board, colours: &[usize], origin: &str) -> Result<Colouring, WorkflowError> {
    let mut classes = vec![Vec::new(); colours.iter().max().map_or(0, |most| most + 1)];
    board.squares().for_each(|square| classes[colours[square as usize]].push(board.coordinates(square)));
    colour::check(Colouring::new(board.name().clone(), ClassKind::IndependentSets, classes, origin))
}

/// Bounds the number of colours from below by the independence number, because no colour has more squares.
/// The exact engine bounds this number, within a node limit for each box, by a checked proof. Returns `true`
/// if the bound improved.
fn by_size(
    board: &Board,
    found: &mut Coloured,
    deadline: Deadline,
    watch: &mut Watch<'_>,
) -> Result<bool, WorkflowError> {
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

/// Squares of each class, as coordinates.
type Squares = Vec<Vec<Vec<u32>>>;

/// Longest side for which colourings by closed forms, products and cuts are computed; the check of one takes
/// seconds.
pub const LONGEST: usize = 2000;

/// Shortest side whose colourings are drawn at random; for shorter sides the complete algorithm is quick.
const SHORTEST_DRAWN: usize = 12;

/// Longest side whose colourings are drawn within seconds; for longer sides a stored colouring is preferred.
const LONGEST_QUICKLY_DRAWN: usize = 16;

/// Largest board whose independence number is bounded, in squares, followed by the node limit of each box and
/// the time limit.
const MOST_FOR_SIZES: usize = 400;
const NODES_FOR_SIZES: u64 = 200_000;
const PATIENCE: Duration = Duration::from_secs(10);

/// Reports the start of a stage.
fn stage(watch: &mut Watch<'_>, words: String) {
    // The answer of the watcher is ignored here, because it is called again before long.
    let _ = watch(&Event::Stage(words));
}

/// Cuts a colouring of n^2 in few colours, but at least `colours`, out of one of a larger side that has a
/// closed form or is stored.
fn cut(side: usize, colours: usize) -> Option<Colouring> {
    if side > LONGEST {
        return None;
    }
    let larger = |side: usize| match in_closed_form(side) {
        Some(linear) => Some(linear),
        None => load_shipped(side)
            .ok()
            .flatten()
            .or_else(|| {
                let factor = factor(side)?;
                times_linear(&load_shipped(side / factor).ok().flatten()?, factor, side).ok()
            })
            .map(|colouring| (colouring.classes, colouring.origin)),
    };
    // Two of six consecutive sides are prime to 6.
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
