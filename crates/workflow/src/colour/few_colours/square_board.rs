//! Colourings of n^2 in n colours, whose classes are solutions of n queens, and those that are cut out of
//! them.

use ndqueens_model::facts::colourings;
use ndqueens_notation::certificate::colouring::{ClassKind, Colouring};
use ndqueens_notation::counted::counted;
use ndqueens_notation::name::{BoardName, reject_files};
use ndqueens_solver::colouring::operator::Operator;
use ndqueens_solver::colouring::{closed, cover, search};
use ndqueens_system::note::Notes;

use super::{ColourRequest, Coloured, ColouringMethod, report_stage};
use crate::colour;
use crate::colour::cover::{ColouringRequest, Covered};
use crate::colour::question::ColouringQuestion;
use crate::run::{ColourError, Watch, WorkflowError};

/// Longest side for which colourings by closed forms, products and cuts are computed; the check of one takes
/// seconds.
pub const LONGEST: usize = 2000;

/// Shortest side whose colourings are drawn at random; for shorter sides the complete algorithm is quick.
const SHORTEST_DRAWN: usize = 12;

/// Longest side whose colourings are drawn within seconds; for longer sides a stored colouring is preferred.
const LONGEST_QUICKLY_DRAWN: usize = 16;

/// Searches for an n-colouring of n^2.
pub(super) fn find_n_colouring(
    request: &ColourRequest<'_>,
    side: usize,
    found: &mut Coloured,
    watch: &mut Watch<'_>,
) -> Result<Option<Colouring>, WorkflowError> {
    let ColourRequest { method, symmetry, .. } = *request;
    if side > LONGEST {
        return Err(ColourError::TooWide { most: LONGEST }.into());
    }
    if method == ColouringMethod::Auto && symmetry == Some(Operator::None) {
        if side > cover::MAX_SIDE {
            return Err(ColourError::NotComplete { most: cover::MAX_SIDE }.into());
        }
        return by_cover(request, side, Operator::None, found, watch);
    }
    if matches!(method, ColouringMethod::Auto | ColouringMethod::Closed)
        && let Some(colouring) = in_closed_form(request, side)?
    {
        return Ok(Some(colouring));
    }
    let is_short = match symmetry {
        None => side < SHORTEST_DRAWN,
        Some(_) => side <= SHORTEST_DRAWN,
    };
    if method == ColouringMethod::Cover || method == ColouringMethod::Auto && is_short {
        return by_cover(request, side, symmetry.unwrap_or(Operator::None), found, watch);
    }
    let any = symmetry.is_none_or(|operator| operator == Operator::None);
    match factor(side).filter(|_| any) {
        Some(factor) => by_product(request, side, factor, found, watch),
        None => by_draws(request, side, found, watch),
    }
}

/// Returns the closed form of a side, if there is one with the requested symmetry.
///
/// # Errors
/// Returns an error if no closed form applies and the request is for closed forms.
fn in_closed_form(request: &ColourRequest<'_>, side: usize) -> Result<Option<Colouring>, WorkflowError> {
    let is_required = request.method == ColouringMethod::Closed;
    let Some(linear) = linear(side) else {
        return if is_required { Err(ColourError::NotClosed(side).into()) } else { Ok(None) };
    };
    let has = symmetry_of_linear(side);
    match request.symmetry.filter(|&operator| !has.contains(operator)) {
        None => colour::check(linear).map(Some),
        Some(asked) if is_required => Err(ColourError::ClosedSymmetry { side, has, asked }.into()),
        Some(_) => Ok(None),
    }
}

/// Searches for an n-colouring of n^2 by random draws, or takes the stored one if that is quicker.
fn by_draws(
    request: &ColourRequest<'_>,
    side: usize,
    found: &mut Coloured,
    watch: &mut Watch<'_>,
) -> Result<Option<Colouring>, WorkflowError> {
    let ColourRequest { method, symmetry, threads, deadline, .. } = *request;
    let operator = symmetry.unwrap_or_else(|| suitable_symmetry(side));
    if operator == Operator::None {
        return Err(ColourError::DrawnWithoutSymmetry.into());
    }
    if !(SHORTEST_DRAWN..=search::MAX_SIDE).contains(&side) {
        let refused = ColourError::NotDrawn { least: SHORTEST_DRAWN };
        if method == ColouringMethod::Draw || symmetry.is_some() {
            return Err(refused.into());
        }
        found.stop = Some(refused.to_string());
        return Ok(None);
    }
    let may_be_stored = method == ColouringMethod::Auto && symmetry.is_none();
    if may_be_stored
        && side > LONGEST_QUICKLY_DRAWN
        && let Some(stored) = load_shipped(side)?
    {
        return Ok(Some(stored));
    }
    report_stage(watch, format!("colourings of {side}^2 with the symmetry {operator} are drawn"));
    let seed = u64::from(request.seed);
    let (drawn, nodes, stop) = colour::draw(side, operator, threads, seed, deadline, watch)?;
    found.nodes += nodes;
    found.stop = stop.map(|stop| stop.to_string());
    if let Some((classes, seed)) = drawn {
        let origin =
            format!("classes drawn at random with symmetry {operator}, the last completed; seed {seed}");
        return colour::certify(&classes, &origin).map(Some);
    }
    let stored = if may_be_stored { load_shipped(side)? } else { None };
    if stored.is_some() {
        found.stop = None;
    }
    Ok(stored)
}

/// Returns the symmetry that the search uses if none is requested.
fn suitable_symmetry(side: usize) -> Operator {
    match side % 4 {
        0 => Operator::Hv,
        1 => Operator::R4,
        2 => Operator::H,
        _ => Operator::R2,
    }
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
    let notes = &Notes::default();
    let request = ColouringRequest { question, first: true, threads, deadline, work: None, notes };
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
    report_stage(watch, format!("{side} = {rest} * {factor}, and {factor} is prime to 6"));
    // Without a time limit, random draws may never end. The fallback, a colouring cut out of one of a larger
    // side, takes little time.
    let endless = request.method == ColouringMethod::Auto && request.deadline.left().is_none();
    if endless && !is_quickly_coloured(rest) && self::factor(rest).is_none() {
        found.stop = Some(ColourError::LongFactor { side, rest }.to_string());
        return Ok(None);
    }
    let Some(inner) = find_n_colouring(request, rest, found, watch)? else { return Ok(None) };
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
    Ok(Colouring::new(BoardName::queen(&[side as u32; 2]), ClassKind::FullSolutions, classes, origin))
}

/// Returns the closed form of a side, if it has one.
fn linear(side: usize) -> Option<Colouring> {
    let classes = closed::linear_squares(side)?;
    let origin = format!("closed form: column + 2 row mod {side}");
    Some(Colouring::new(BoardName::queen(&[side as u32; 2]), ClassKind::FullSolutions, classes, origin))
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

/// Cuts a colouring of n^2 in few colours, but at least `colours`, out of one of a larger side that has a
/// closed form or is stored.
pub(super) fn cut(side: usize, colours: usize) -> Option<Colouring> {
    if side > LONGEST {
        return None;
    }
    let stored = |side| load_shipped(side).ok().flatten();
    let product = |side: usize| {
        let factor = factor(side)?;
        times_linear(&stored(side / factor)?, factor, side).ok()
    };
    let larger = |side| linear(side).or_else(|| stored(side)).or_else(|| product(side));
    // Two of six consecutive sides are prime to 6.
    let larger = (colours.max(side + 1)..=LONGEST + 6).find_map(larger)?;
    let origin = format!("cut out of {}^2, {}", larger.colours(), larger.origin);
    let inside = |class: Vec<Vec<u32>>| -> Vec<Vec<u32>> {
        class.into_iter().filter(|square| square.iter().all(|&x| (x as usize) < side)).collect()
    };
    let classes = larger.classes.into_iter().map(inside).collect();
    Some(Colouring::new(BoardName::queen(&[side as u32; 2]), ClassKind::IndependentSets, classes, origin))
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
