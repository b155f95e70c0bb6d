//! Boards with a script that turns, steps and checks; and the page that checks certificates.

use askama::Template;
use ndqueens_model::board::Board;
use ndqueens_notation::certificate::Certificate;
use ndqueens_notation::certificate::colouring::Colouring;
use ndqueens_notation::name::BoardName;
use ndqueens_report::figure::{Figure, Show};
use serde_json::{Value, json};

use super::SiteError;
use super::shell::{Script, Shell};
use crate::page::{self, PageError};

/// Board of a page, with a placement or a colouring.
#[derive(Template)]
#[template(path = "viewer.html")]
pub(super) struct Viewer {
    /// Drawing for readers without script; empty if the board is too large.
    svg: String,
    data: Value,
}

/// Largest board with a drawing, in squares; the script draws larger boards.
const MOST_DRAWN: usize = 1000;

impl Viewer {
    /// Creates a view of a placement, which must have been checked.
    pub(super) fn of(certificate: &Certificate) -> Self {
        let board = Board::new(&certificate.board);
        let squares = certificate.squares.iter().filter_map(|square| board.square(square)).collect();
        let svg = drawing(&board, Show::Placement { squares, attacked: false });
        let data = json!({
            "board": certificate.board.to_string(),
            "sides": sides(&certificate.board),
            "queens": certificate.squares,
            "certificate": certificate.to_string(),
        });
        Self { svg, data }
    }

    /// Creates a view of a colouring, which must have been checked.
    pub(super) fn of_colouring(colouring: &Colouring) -> Self {
        let name = &colouring.board;
        Self {
            svg: String::new(),
            data: json!({"board": name.to_string(), "sides": sides(name), "queens": [], "classes": colouring.classes}),
        }
    }

    /// Returns the view with the share of the solutions that occupy each square, in the order of the squares.
    pub(super) fn with_density(mut self, density: Option<Vec<f64>>) -> Self {
        self.data["density"] = density.into();
        self
    }

    pub(super) fn html(&self) -> Result<String, PageError> {
        Ok(self.render()?)
    }

    fn json(&self) -> String {
        page::data(&self.data)
    }
}

fn sides(board: &BoardName) -> Option<&[u32]> {
    match board {
        BoardName::Grid { sides, .. } => Some(sides),
        _ => None,
    }
}

fn drawing(board: &Board, show: Show) -> String {
    let small = board.size() <= MOST_DRAWN;
    small.then(|| Figure::new(board, show).svg().ok()).flatten().unwrap_or_default()
}

#[derive(Template)]
#[template(path = "check.html")]
struct Check;

pub(super) fn check() -> Result<String, SiteError> {
    let content = Check.render().map_err(PageError::from)?;
    let shell = Shell {
        title: "Check a certificate",
        path: "check.html",
        content: &content,
        aside: "",
        script: Script::Boards,
    };
    Ok(shell.page()?)
}
