//! Site of all known results: bounds, their derivations, placements, counts, colourings and the book, as
//! pages.

mod board;
mod book;
mod index;
mod listed;
mod measured;
mod shell;
mod standing;
mod viewer;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use ndqueens_archive::bounds::{Bounds, Cube};
use ndqueens_archive::certificates::Stored;
use ndqueens_archive::effort::Effort;
use ndqueens_archive::ledger::Ledger;
use ndqueens_crosscheck::verify::Fault;
use ndqueens_notation::certificate::CertificateError;
use ndqueens_notation::certificate::colouring::Colouring;
use ndqueens_system::note::Notes;

use crate::page::{self, PageError};

/// Content of the site.
#[derive(Debug)]
pub struct Known<'k> {
    /// Bounds from all sources.
    pub bounds: &'k Bounds,
    /// Bounds without published values.
    pub unpublished: &'k Bounds,
    /// Certificates of the archive, verified.
    pub certificates: &'k [Stored],
    /// Ledger of the archive.
    pub ledger: &'k Ledger,
    /// Destination of notes about constructions that fail their check.
    pub notes: &'k Notes,
    /// Attempts to improve open bounds.
    pub efforts: &'k [Effort],
    /// Dimensions of the site's boards.
    pub dimensions: RangeInclusive<usize>,
    /// Sides of the site's boards.
    pub sides: RangeInclusive<u32>,
}

/// Error of building the site.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// A page cannot be rendered.
    #[error(transparent)]
    Page(#[from] PageError),
    /// A stored colouring cannot be read.
    #[error(transparent)]
    Colouring(#[from] CertificateError),
    /// A placement fails the check.
    #[error("a placement on {board} is not shown because it fails the check: {fault}")]
    Placement {
        /// Board.
        board: String,
        /// Fault that the check found.
        fault: Fault,
    },
    /// A stored colouring fails the check.
    #[error("the colouring of {board} is not shown because it fails the check: {fault}")]
    Refused {
        /// Board.
        board: String,
        /// Fault that the check found.
        fault: String,
    },
}

/// Files of the site, by their paths in its folder.
pub type Files = BTreeMap<String, Vec<u8>>;

/// Checker, compiled by `scripts/wasm`.
const CHECKER: &[u8] = include_bytes!("../../assets/crosscheck.wasm");

/// Returns all files of the site. Equal content gives equal bytes.
///
/// # Errors
/// Returns an error if a placement or a colouring fails the check, or if a page cannot be rendered.
pub fn files(known: &Known<'_>) -> Result<Files, SiteError> {
    let mut files = Files::new();
    let mut add = |path: String, text: String| files.insert(path, text.into_bytes());
    add("index.html".to_owned(), index::page(known)?);
    add("open.html".to_owned(), listed::open(known)?);
    add("new.html".to_owned(), listed::new(known)?);
    add("counts.html".to_owned(), measured::counts(known)?);
    add("colourings.html".to_owned(), measured::colourings(known)?);
    add("check.html".to_owned(), viewer::check()?);
    for cube in known.cubes() {
        add(board_path(cube), board::page(known, cube)?);
    }
    for (path, text) in book::pages()? {
        add(path, text);
    }
    let checker = format!("\"use strict\";\nconst NDQ_CHECKER = \"{}\";\n", BASE64_STANDARD.encode(CHECKER));
    add("crosscheck.js".to_owned(), checker);
    for (name, text) in [
        ("style.css", page::STYLE),
        ("table.js", page::TABLE),
        ("check.js", page::CHECK),
        ("board.js", page::BOARD),
        ("start.js", page::START),
    ] {
        add(name.to_owned(), text.to_owned());
    }
    files.extend(book::drawings());
    Ok(files)
}

/// Returns the path of a board's page in the folder of the site.
fn board_path(cube: Cube) -> String {
    format!("boards/d{}-n{}.html", cube.dimension, cube.side)
}

impl Known<'_> {
    /// Returns the boards of the site.
    fn cubes(&self) -> impl Iterator<Item = Cube> {
        let sides = self.sides.clone();
        let of = move |dimension| sides.clone().map(move |side| Cube { dimension, side });
        self.dimensions.clone().flat_map(of)
    }

    /// Returns `true` if the site has a page of the board.
    fn contains(&self, cube: Cube) -> bool {
        self.dimensions.contains(&cube.dimension) && self.sides.contains(&cube.side)
    }
}

/// Reads and checks a stored colouring.
///
/// # Errors
/// Returns an error if the colouring is unreadable or fails the check.
fn read_colouring(text: &str) -> Result<Colouring, SiteError> {
    let colouring = Colouring::parse_with(text, &ndqueens_notation::name::reject_files)?;
    ndqueens_crosscheck::colouring::verify(&colouring).map_err(|fault| SiteError::Refused {
        board: colouring.board.to_string(),
        fault: fault.to_string(),
    })?;
    Ok(colouring)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use ndqueens_system::file::digest;

    use super::*;

    fn sources(path: &Path, found: &mut Vec<PathBuf>) {
        if path.is_dir() {
            let entries = fs::read_dir(path).expect("a folder");
            entries.for_each(|entry| sources(&entry.expect("an entry").path(), found));
        } else {
            found.push(path.to_owned());
        }
    }

    #[test]
    fn pages_have_the_names_of_their_boards() {
        assert_eq!(board_path(Cube { dimension: 3, side: 14 }), "boards/d3-n14.html");
    }

    #[test]
    fn checker_was_compiled_from_its_sources() {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut paths = Vec::new();
        for part in ["browser/src", "crosscheck/src/boards", "crosscheck/src/verify.rs", "notation/src"] {
            sources(&crates.join(part), &mut paths);
        }
        paths.sort_by_key(|path| path.display().to_string());
        let text: Vec<u8> = paths.iter().flat_map(|path| fs::read(path).expect("a source")).collect();
        let recorded = include_str!("../../assets/crosscheck.txt");
        for line in [format!("wasm {}", digest::of(CHECKER)), format!("sources {}", digest::of(text))] {
            assert!(recorded.contains(&line), "scripts/wasm compiles it again: {line} is not in {recorded}");
        }
    }
}
