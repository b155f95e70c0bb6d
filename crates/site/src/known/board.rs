//! The page of a board n^d.

use askama::Template;
use ndqueens_crosscheck::verify::verify;
use ndqueens_knowledge::best::best_placement;
use ndqueens_knowledge::bounds::{Cube, Derivation, Fact, Strength};
use ndqueens_knowledge::ledger::LedgerRow;
use ndqueens_knowledge::next::Open;
use ndqueens_model::board::Board;
use ndqueens_model::certificate::Certificate;
use ndqueens_model::facts::Side;
use ndqueens_model::facts::known::{self, Published};

use super::shell::Shell;
use super::viewer::Viewer;
use super::{Known, SiteError, measured};
use crate::page::{self, PageError};

/// The path of a board's page in the folder of the site.
pub(super) fn path(cube: Cube) -> String {
    format!("boards/d{}-n{}.html", cube.dimension, cube.side)
}

/// The cube that a text is about: `5^3`, or `|Qmax(9,4)| <= 396`.
pub(super) fn named(text: &str) -> Option<Cube> {
    if let Ok(cube) = text.parse() {
        return Some(cube);
    }
    let (side, dimension) = text.strip_prefix("|Qmax(")?.split_once(')')?.0.split_once(',')?;
    Some(Cube { dimension: dimension.parse().ok()?, side: side.parse().ok()? })
}

#[derive(Template)]
#[template(path = "board.html")]
struct Page<'p> {
    board: String,
    squares: u128,
    settled: bool,
    /// The bounds meet, on a value that is only published.
    reported: bool,
    lower: &'p Fact,
    upper: &'p Fact,
    published: Vec<&'static Published>,
    rows: Vec<&'p LedgerRow>,
    counted: Vec<(&'static str, String)>,
    next: Vec<String>,
    certificate: String,
    queens: usize,
    viewer: String,
    trees: [String; 2],
}

pub(super) fn page(known: &Known<'_>, cube: Cube) -> Result<String, SiteError> {
    let name = cube.board();
    let board = name.to_string();
    let [lower, upper] = [Side::Lower, Side::Upper].map(|side| known.bounds.of(cube, side));
    let meet = lower.value == upper.value;
    let reported = meet && lower.strength.max(upper.strength) == Strength::Reported;
    let settled = meet && !reported;
    let squares = cube.squares();
    let placement = placement(known, cube, lower.value)?;
    let density = measured::density(&board);
    let viewer = placement.as_ref().map(|certificate| Viewer::of(certificate).with_density(density).html());
    let open = Open { board: &name, typed: &board, squares, lower: lower.value, upper: upper.value };
    let next = match meet {
        true => Vec::new(),
        false => {
            let reduce = open.reduce(known.ledger, known.efforts, &|| None).ok();
            open.raise(known.efforts).into_iter().chain(reduce).map(|found| found.command).collect()
        }
    };
    let page = Page {
        squares,
        settled,
        reported,
        lower,
        upper,
        published: known::of_board(&name).collect(),
        rows: [Side::Lower, Side::Upper]
            .into_iter()
            .filter_map(|side| known.ledger.row(&name, side))
            .collect(),
        counted: measured::counted(&board),
        next,
        queens: placement.as_ref().map_or(0, Certificate::size),
        certificate: placement.map_or_else(String::new, |certificate| certificate.to_string()),
        viewer: viewer.transpose()?.unwrap_or_default(),
        trees: [Side::Lower, Side::Upper].map(|side| tree(&known.bounds.why(cube, side), known)),
        board,
    };
    let content = page.render().map_err(PageError::from)?;
    Ok(Shell { title: &page.board, root: "../", content: &content, boards: !page.viewer.is_empty() }
        .page()?)
}

/// A board with more squares has no placement on its page.
const MOST_SQUARES: u128 = 20_000;

/// Returns the largest placement that is stored or constructed, checked. Constructions take more effort if fewer than `wanted` queens
/// come out.
fn placement(known: &Known<'_>, cube: Cube, wanted: u128) -> Result<Option<Certificate>, SiteError> {
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
        _ => best_placement(&Board::new(&board), wanted),
    };
    let best = [made, stored].into_iter().flatten().max_by_key(Certificate::size);
    if let Some(certificate) = &best {
        verify(certificate).map_err(|fault| SiteError::Placement { board: board.to_string(), fault })?;
    }
    Ok(best)
}

/// A derivation as nested lists, each fact in full once.
fn tree(derivation: &Derivation, known: &Known<'_>) -> String {
    let mut shown = vec![false; derivation.steps.len()];
    let mut html = String::from("<ul class=\"tree\">");
    branch(derivation, 0, known, &mut shown, &mut html);
    html + "</ul>"
}

fn branch(derivation: &Derivation, at: usize, known: &Known<'_>, shown: &mut [bool], html: &mut String) {
    let step = &derivation.steps[at];
    let about = step.fact.strip_prefix("alpha(").and_then(|rest| rest.split_once(')'));
    let cube = about.and_then(|(name, _)| named(name)).filter(|&cube| known.contains(cube));
    let fact = page::escape(&step.fact);
    let fact = match cube {
        Some(cube) if at > 0 => format!("<a href=\"../{}\">{fact}</a>", path(cube)),
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
    fn boards_are_found_in_what_tables_say() {
        let cube = |dimension, side| Some(Cube { dimension, side });
        assert_eq!(named("5^3"), cube(3, 5));
        assert_eq!(named("|Qmax(9,4)| <= 396"), cube(4, 9));
        assert_eq!(["4x5", "|Qmax(<b>,4)|", ""].map(named), [None; 3]);
        assert_eq!(path(Cube { dimension: 3, side: 14 }), "boards/d3-n14.html");
    }
}
