//! Construction of large independent sets.

use ndqueens_crosscheck::verify::verify;
use ndqueens_solver::construct::{
    ConstructionError, Effort, Method, construct as made, ensure_constructible,
};
use ndqueens_system::cancel::Control;
use ndqueens_system::memory;
use pyo3::prelude::*;

use crate::attended::{Attendant, deadline};
use crate::board::Board;
use crate::certificate::{Parts, parts};
use crate::fault::{Failure, input};

/// Name of a method, and its certificate or the reason why it has none.
type Attempt = (String, Option<Parts>, Option<String>);

/// Constructs and verifies a set by the given method, or by each method if none is given. Omits methods that
/// have not started when the time limit is reached.
#[pyfunction]
pub(crate) fn construct(
    py: Python<'_>,
    board: &Board,
    method: Option<&str>,
    seed: u64,
    include: Vec<Vec<i64>>,
    time_limit: Option<f64>,
) -> PyResult<Vec<Attempt>> {
    let methods = match method {
        Some(name) => vec![name.parse::<Method>().map_err(input)?],
        None => Method::ALL.to_vec(),
    };
    ensure_constructible(&board.0, memory::for_models()).map_err(input)?;
    let include = board.squares_at(&include)?;
    let (control, board) = (Control::new(), &board.0);
    let waiting = Attendant { py, control: &control, deadline: deadline(time_limit)?, progress: None };
    let attempt = |method: Method| match made(method, board, &include, seed, Effort::default()) {
        Ok(certificate) => {
            let refused = |fault| Failure::new_err(format!("the set of {method} was refused: {fault}"));
            verify(&certificate).map_err(refused)?;
            Ok((method.to_string(), Some(parts(certificate)), None))
        }
        // The error would name a method to use instead, which is among the other attempts.
        Err(ConstructionError::DoesNotApply { obstacle, .. }) if methods.len() > 1 => {
            Ok((method.to_string(), None, Some(obstacle.to_string())))
        }
        Err(error) if methods.len() > 1 => Ok((method.to_string(), None, Some(error.to_string()))),
        Err(error) => Err(input(format!("{method} on {}: {error}", board.name()))),
    };
    let work =
        || methods.iter().take_while(|_| !control.is_stopped()).map(|&method| attempt(method)).collect();
    Ok(waiting.attend(&String::new, work)?.0)
}
