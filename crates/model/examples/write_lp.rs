//! Writes the integer program of 3 x 3 x 3 with lines and cubes as an LP file.

use std::error::Error;
use std::io::{self, Write as _};

use ndqueens_model::board::Board;
use ndqueens_model::facts::Theorems;
use ndqueens_model::format::Format;
use ndqueens_model::formulation::Formulation;
use ndqueens_model::model::Model;
use ndqueens_model::variant::{Goal, Variant};

fn main() -> Result<(), Box<dyn Error>> {
    let board = Board::new(&"3^3".parse()?);
    let formulation = Formulation::builtin("cube")?;
    // Right-hand sides come from theorems only, and the columns may use 1 GiB.
    let model = Model::for_writing(&board, &formulation, Variant::of(Goal::Optimise), &Theorems, 1 << 30)?;
    let mut out = io::stdout();
    let contents = Format::Lp.write(&model, &mut out)?;
    writeln!(out, "\\ {contents}")?;
    Ok(())
}
