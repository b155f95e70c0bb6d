//! Page of a board n^d.

use askama::Template;
use ndqueens_archive::best::best_placement;
use ndqueens_archive::bounds::{Bounds, Cube, Derivation, Fact};
use ndqueens_archive::ledger::LedgerRow;
use ndqueens_archive::next::Open;
use ndqueens_crosscheck::verify::verify;
use ndqueens_model::board::Board;
use ndqueens_model::facts::Side;
use ndqueens_model::facts::known::{self, Published};
use ndqueens_notation::certificate::Certificate;

use super::shell::{Script, Shell};
use super::standing::{self, Standing};
use super::viewer::Viewer;
use super::{Known, SiteError, board_path, measured};
use crate::page::{self, PageError, group_digits};

#[derive(Template)]
#[template(path = "board.html")]
struct Page<'p> {
    board: String,
    squares: String,
    /// Largest board with a placement on its page, in squares.
    limit: String,
    /// The board is too large for a placement.
    is_large: bool,
    standing: Standing,
    lower: &'p Fact,
    upper: &'p Fact,
    /// Values of both bounds.
    values: [String; 2],
    /// Upper less lower bound.
    gap: String,
    /// Bounds without published values, from below and from above.
    proved: [String; 2],
    /// Gap in percent of the upper bound.
    percent: String,
    /// Neighbouring boards: the words of the link, and the board.
    neighbours: Vec<(&'static str, Cube)>,
    published: Vec<&'static Published>,
    rows: Vec<&'p LedgerRow>,
    counted: Vec<(&'static str, String)>,
    next: Vec<String>,
    certificate: String,
    queens: usize,
    viewer: String,
    /// Derivations: title, and the tree as HTML.
    trees: Vec<(String, String)>,
}

/// Returns the page of a board.
///
/// # Errors
/// Returns an error if a placement fails the check, or if the template fails.
pub(super) fn page(known: &Known<'_>, cube: Cube) -> Result<String, SiteError> {
    let number = |value: u128| group_digits(&value.to_string());
    let name = cube.board();
    let board = name.to_string();
    let [lower, upper] = [Side::Lower, Side::Upper].map(|side| known.bounds.of(cube, side));
    let squares = cube.squares();
    let placement = placement(known, cube, lower.value)?;
    let density = measured::density(&board);
    let viewer = placement.as_ref().map(|certificate| Viewer::of(certificate).with_density(density).html());
    let open = Open { board: &name, typed: &board, squares, lower: lower.value, upper: upper.value };
    let next = match lower.value == upper.value {
        true => Vec::new(),
        false => {
            let reduce = open.reduce(known.ledger, known.efforts, &|| None).ok();
            open.raise(known.efforts).into_iter().chain(reduce).map(|found| found.command).collect()
        }
    };
    let standing = Standing::new(lower, upper);
    let page = Page {
        squares: number(squares),
        limit: number(MOST_SQUARES),
        is_large: squares > MOST_SQUARES,
        standing,
        values: [lower, upper].map(|bound| number(bound.value)),
        gap: number(upper.value - lower.value),
        lower,
        upper,
        proved: [Side::Lower, Side::Upper].map(|side| number(known.unpublished.of(cube, side).value)),
        percent: standing::percent(lower.value, upper.value),
        neighbours: neighbours(known, cube),
        published: known::of_board(&name).collect(),
        rows: [Side::Lower, Side::Upper]
            .into_iter()
            .filter_map(|side| known.ledger.row(&name, side))
            .collect(),
        counted: measured::counts_of(&board),
        next,
        queens: placement.as_ref().map_or(0, Certificate::size),
        certificate: placement.map_or_else(String::new, |certificate| certificate.to_string()),
        viewer: viewer.transpose()?.unwrap_or_default(),
        trees: trees(known, cube, standing),
        board,
    };
    let content = page.render().map_err(PageError::from)?;
    let script = if page.viewer.is_empty() { Script::Tables } else { Script::Boards };
    let shell = Shell { title: &page.board, path: &board_path(cube), content: &content, aside: "", script };
    Ok(shell.page()?)
}

/// Returns the derivations of both bounds, and of those without published values if these differ.
fn trees(known: &Known<'_>, cube: Cube, standing: Standing) -> Vec<(String, String)> {
    let sides = [(Side::Lower, "At least"), (Side::Upper, "At most")];
    let derive = |bounds: &Bounds, side, words: &str, rest: &str| {
        let number = group_digits(&bounds.of(cube, side).value.to_string());
        (format!("{words} {number}{rest}"), tree(&bounds.derivation(cube, side), known))
    };
    let mut trees = Vec::from(sides.map(|(side, words)| derive(known.bounds, side, words, "")));
    if standing == Standing::Reported {
        let differs = |side| known.unpublished.of(cube, side).value != known.bounds.of(cube, side).value;
        let others = sides.into_iter().filter(|(side, _)| differs(*side));
        trees.extend(
            others.map(|(side, words)| derive(known.unpublished, side, words, ", without published values")),
        );
    }
    trees
}

/// Returns the boards of the site whose side or dimension differs by one.
fn neighbours(known: &Known<'_>, cube: Cube) -> Vec<(&'static str, Cube)> {
    let Cube { dimension, side } = cube;
    let all = [
        ("smaller side", Cube { side: side.saturating_sub(1), ..cube }),
        ("larger side", Cube { side: side + 1, ..cube }),
        ("lower dimension", Cube { dimension: dimension.saturating_sub(1), ..cube }),
        ("higher dimension", Cube { dimension: dimension + 1, ..cube }),
    ];
    all.into_iter().filter(|&(_, neighbour)| known.contains(neighbour)).collect()
}

/// Returns the relation sign of a bound from a side.
fn sign(side: Side) -> char {
    if side == Side::Lower { '≥' } else { '≤' }
}

/// Returns the address of a publication's identifier; empty if it has none.
fn address(identifier: &str) -> String {
    match identifier.split_once(':') {
        Some(("doi", name)) => format!("https://doi.org/{name}"),
        Some(("oeis", name)) => format!("https://oeis.org/{name}"),
        Some(("https", _)) => identifier.to_owned(),
        _ => String::new(),
    }
}

/// Largest board with a placement on its page, in squares.
const MOST_SQUARES: u128 = 20_000;

/// Returns the largest placement that is stored or constructed, checked. Constructions take more effort if
/// fewer than `wanted` queens come out.
///
/// # Errors
/// Returns an error if the placement fails the check.
pub(super) fn placement(
    known: &Known<'_>,
    cube: Cube,
    wanted: u128,
) -> Result<Option<Certificate>, SiteError> {
    let board = cube.board();
    if cube.squares() > MOST_SQUARES {
        return Ok(None);
    }
    let stored = known.certificates.iter().map(|(_, certificate)| certificate);
    let stored =
        stored.filter(|certificate| certificate.board == board).max_by_key(|held| held.size()).cloned();
    let is_enough = |stored: &Certificate| stored.size() as u128 >= wanted;
    let made = match &stored {
        Some(stored) if is_enough(stored) => None,
        _ => best_placement(&Board::new(&board), wanted, known.notes),
    };
    let best = [made, stored].into_iter().flatten().max_by_key(Certificate::size);
    if let Some(certificate) = &best {
        verify(certificate).map_err(|fault| SiteError::Placement { board: board.to_string(), fault })?;
    }
    Ok(best)
}

/// Returns a derivation as nested lists, each fact in full once.
fn tree(derivation: &Derivation, known: &Known<'_>) -> String {
    let mut shown = vec![false; derivation.steps.len()];
    let mut html = String::from("<ul class=\"tree\">");
    branch(derivation, 0, known, &mut shown, &mut html);
    html + "</ul>"
}

/// Adds a step of a derivation and the steps that it rests on to `html`.
fn branch(derivation: &Derivation, at: usize, known: &Known<'_>, shown: &mut [bool], html: &mut String) {
    let step = &derivation.steps[at];
    let about = step.fact.strip_prefix("alpha(").and_then(|rest| rest.split_once(')'));
    let cube: Option<Cube> = about.and_then(|(name, _)| name.parse().ok());
    let cube = cube.filter(|&cube| known.contains(cube));
    let fact = about.map_or_else(
        || page::escape(&step.fact),
        |(name, _)| {
            let value = group_digits(&step.value.to_string());
            format!("alpha({}) {} {value}", page::escape(name), sign(step.side))
        },
    );
    let fact = match cube {
        Some(cube) if at > 0 => format!("<a href=\"../{}\">{fact}</a>", board_path(cube)),
        _ => fact,
    };
    let (strength, reason) = (step.strength, page::escape(&step.reason));
    let words = format!("{fact} <span class=\"status {strength}\">{strength}</span> {reason}");
    let first = !std::mem::replace(&mut shown[at], true);
    if step.premises.is_empty() {
        html.push_str(&format!("<li>{words}</li>"));
    } else if first {
        html.push_str(&format!("<li><details open><summary>{words}</summary><ul>"));
        for &premise in &step.premises {
            branch(derivation, premise, known, shown, html);
        }
        html.push_str("</ul></details></li>");
    } else {
        html.push_str(&format!("<li>{words}, as above</li>"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_have_addresses() {
        let pairs = [("doi:10.1/x", "https://doi.org/10.1/x"), ("oeis:A068940", "https://oeis.org/A068940")];
        for (identifier, found) in pairs.into_iter().chain([("", ""), ("javascript:x", "")]) {
            assert_eq!(address(identifier), found);
        }
    }
}
