//! Files of formulations with separated inequalities.

use std::path::{Path, PathBuf};

use anyhow::bail;
use ndqueens_model::board::{Board, Square};
use ndqueens_model::formulation::Formulation;
use ndqueens_model::orbit::{OrbitRow, Shape};
use ndqueens_notation::counted::counted;
use ndqueens_system::file::Draft;
use ndqueens_workflow::lp::cuts::{OrbitCut, with_cuts};
use ndqueens_workflow::lp::relaxation::AddedCut;
use ndqueens_workflow::record::Separated;
use ndqueens_workflow::run::formulation::is_file;
use schemars::JsonSchema;
use serde::Serialize;

/// File of `--cuts` that is to be written.
pub(super) struct CutsFile {
    draft: Draft,
    path: PathBuf,
}

impl CutsFile {
    /// Checks that the file can be written and creates its draft.
    ///
    /// # Errors
    /// Returns an error if the name does not end in .toml, a file of this name exists, or it cannot be created.
    pub(super) fn new(path: &Path) -> anyhow::Result<Self> {
        if !path.to_str().is_some_and(is_file) {
            bail!("--cuts {}: the name of the file must end in .toml, as -f expects it", path.display());
        }
        if path.symlink_metadata().is_ok() {
            bail!("--cuts {}: the file exists; --cuts writes a new file", path.display());
        }
        Ok(Self { draft: Draft::new(Some(path))?, path: path.to_owned() })
    }

    /// Writes a formulation with cuts on a board. Returns a line about it.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub(super) fn write(
        self,
        formulation: &Formulation,
        board: &Board,
        cuts: &[OrbitCut],
    ) -> anyhow::Result<String> {
        let Self { draft, path } = self;
        let text = with_cuts(formulation, board, cuts).to_toml();
        draft.write(|out| out.write_all(text.as_bytes()))?;
        draft.persist()?;
        let families = formulation.families().filter(|family| family.name() != "own").count();
        Ok(format!(
            "{}: formulation with {} and {}",
            path.display(),
            counted(families, "family"),
            counted(formulation.own.list().len() + cuts.len(), "inequality")
        ))
    }
}

/// Number of cuts of a family that bind at the last optimum, up to symmetry.
#[derive(Clone, JsonSchema, Serialize)]
pub(in crate::commands) struct KeptCuts {
    /// Family, as in `--separate`.
    family: &'static str,
    /// Number of cuts, of which those that are images of each other count once.
    cuts: usize,
}

impl KeptCuts {
    /// Returns the number of cuts of each family that has any.
    pub(super) fn count(cuts: &[OrbitCut]) -> Vec<Self> {
        let mut kept: Vec<Self> = Vec::new();
        for cut in cuts {
            match kept.iter_mut().find(|kept| kept.family == cut.family) {
                Some(kept) => kept.cuts += 1,
                None => kept.push(Self { family: cut.family, cuts: 1 }),
            }
        }
        kept
    }

    /// Formats the numbers as in `2 clique, 3 local`, or `none`.
    pub(super) fn format(kept: &[Self]) -> String {
        match kept {
            [] => "none".to_owned(),
            kept => {
                let format = |kept: &Self| format!("{} {}", kept.cuts, kept.family);
                kept.iter().map(format).collect::<Vec<_>>().join(", ")
            }
        }
    }
}

/// Returns the cuts that bind.
pub(super) fn binding(cuts: &[AddedCut]) -> Vec<OrbitCut> {
    let cut = |cut: &AddedCut| OrbitCut {
        family: cut.family.name(),
        terms: cut.terms.clone(),
        rhs: cut.rhs,
        images: Some(cut.images),
    };
    cuts.iter().filter(|cut| cut.binds).map(cut).collect()
}

/// Returns the cuts of rows of an orbit LP: cliques and local cuts.
pub(super) fn of_orbit_rows(board: &Board, rows: &[OrbitRow]) -> Vec<OrbitCut> {
    let term = |(place, weight): (Vec<u32>, u64)| -> (Square, i64) {
        (board.square(&place).expect("a row has squares of the board"), weight as i64)
    };
    let cut = |row: &OrbitRow| {
        let is_local = matches!(row.shape, Shape::Weighted(_));
        let family = if is_local { Separated::Local } else { Separated::Clique };
        let terms = row.shape.terms().into_iter().map(term).collect();
        OrbitCut { family: family.name(), terms, rhs: row.rhs as i64, images: None }
    };
    rows.iter().map(cut).collect()
}
