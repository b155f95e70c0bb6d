//! Contents of a drawn board: squares, densities and colourings in files, checked before they are drawn.

use std::path::Path;

use anyhow::{Context as _, bail};
use ndqueens_archive::archive::Archive;
use ndqueens_archive::bounds::Cube;
use ndqueens_archive::queens_constant::{Enclosure, enclose};
use ndqueens_crosscheck::verify::{Fault, verify_on};
use ndqueens_model::board::{Board, Square};
use ndqueens_model::facts::Bounds;
use ndqueens_report::density::Density;
use ndqueens_report::figure::MOST_SQUARES;
use ndqueens_solver::backends::Options;
use ndqueens_system::cancel::Deadline;
use ndqueens_system::file;
use ndqueens_workflow::run::formulation;

use crate::args::groups::FileForm;
use crate::commands::lp::optimum::read_point;
use crate::commands::lp::relaxed::{LpOptimum, LpSettings, relax};
use crate::progress::Display;

/// Returns the squares in a file, and the fault if some of them attack each other although they should not.
pub(super) fn read_placement(
    board: &Board,
    path: &Path,
    form: FileForm,
) -> anyhow::Result<(Vec<Square>, Option<String>)> {
    let certificate = crate::commands::certificate::read_as(path, form.convention, Some(board.name()))?;
    let fault = match verify_on(board.name(), certificate.problem, &certificate) {
        Ok(_) => None,
        Err(fault @ Fault::Attack { .. }) => Some(fault.to_string()),
        Err(fault) => Err(fault).with_context(|| format!("{} does not hold", path.display()))?,
    };
    let square = |coordinates: &Vec<u32>| board.square(coordinates);
    let squares = certificate.squares.iter().map(square).collect::<Option<_>>();
    Ok((squares.with_context(|| path.display().to_string())?, fault))
}

/// Returns the density in a file, or the limit density on n^2.
pub(super) fn density(board: &Board, path: &Path) -> anyhow::Result<Density> {
    if path != Path::new(LIMIT) {
        let text = file::read(path)?;
        return Density::read(board, text.as_bytes()).with_context(|| path.display().to_string());
    }
    let square = Cube::of(board.name()).filter(|cube| cube.dimension == 2);
    let side = square.filter(|_| board.size() <= MOST_SQUARES).map(|cube| cube.side as usize);
    let limit = side.and_then(|side| enclose(side, &|| false));
    let Some(Enclosure { cells, density, .. }) = limit else {
        let most = MOST_SQUARES.isqrt();
        bail!("--density limit is for queens on n^2, n up to {most}, not for {}", board.name());
    };
    // In the enclosure each row has mean 1, but the fractions of one queen in each row have mean 1/n.
    Ok(Density::of(density.into_iter().map(|share| share / cells as f64).collect()))
}

/// Returns the optimum of the LP relaxation of a formulation, or the one in a file of `ndq lp relax`.
pub(super) fn lp_optimum(
    board: &Board,
    lp: &str,
    archive: &Archive,
    deadline: Deadline,
    display: &mut Display,
) -> anyhow::Result<Density> {
    let path = Path::new(lp);
    if path.extension().is_some_and(|extension| extension == "csv") {
        return Ok(Density::of_lp(read_point(path, board)?, format!("LP in {lp}")));
    }
    let formulation = formulation::load_for(lp, board, deadline, &mut |event| display.show(event))?;
    let settings = LpSettings {
        archive,
        bounds: &Bounds::with_publications(archive.bounds()),
        separate: &[],
        local_squares: 0,
        weights: None,
        options: &Options::default(),
        deadline,
    };
    let LpOptimum { relaxed, solved } = relax(board, &formulation, &settings, display)?;
    if let Some(reason) = relaxed.refused {
        bail!("{reason}");
    }
    let point = solved.map(|solved| solved.relaxation.point).filter(|point| !point.is_empty());
    let point = point.with_context(|| match relaxed.lp_feasible {
        Some(_) => format!("the LP relaxation of {lp} on {} has no point", board.name()),
        None => format!("the LP relaxation of {lp} on {} was not solved ({})", board.name(), relaxed.stop),
    })?;
    Ok(Density::of_lp(
        point.into_iter().map(|value| value.clamp(0.0, 1.0)).collect(),
        format!("LP relaxation of {lp}"),
    ))
}

/// Name of the limit density in place of a file.
const LIMIT: &str = "limit";

/// Returns the number of the class of each square, and the number of classes, of a valid colouring in a file.
pub(super) fn classes(board: &Board, path: &Path) -> anyhow::Result<(Vec<usize>, usize)> {
    let colouring = crate::commands::certificate::colouring(path)?;
    if colouring.board != *board.name() {
        bail!("{}: it is a colouring of {}, not of {}", path.display(), colouring.board, board.name());
    }
    let mut class = vec![0; board.size()];
    for (number, members) in colouring.classes.iter().enumerate() {
        let squares = members.iter().filter_map(|coordinates| board.square(coordinates));
        squares.for_each(|square| class[square as usize] = number);
    }
    Ok((class, colouring.classes.len()))
}
