//! The command `ndq colour --polynomial`.

use std::time::Instant;

use ndqueens_model::board::Board;
use ndqueens_notation::counted::counted;
use ndqueens_system::cancel::{Deadline, StopReason};
use ndqueens_workflow::colour::polynomial::polynomial;
use schemars::JsonSchema;
use serde::Serialize;

use super::args::Colours;
use crate::commands::Exit;
use crate::output::{Answer, Output};
use crate::progress::Display;
use crate::schema::printed;

/// The number of colourings of a board.
#[derive(JsonSchema, Serialize)]
struct Polynomial {
    board: String,
    /// The polynomial in k; null if it was not computed.
    polynomial: Option<String>,
    /// The coefficients, that of the power 0 first; as text, since they may exceed 64 bits.
    coefficients: Vec<String>,
    /// The number of colours of --colours.
    colours: Option<u64>,
    /// The number of colourings in these colours, as text.
    value: Option<String>,
    seconds: f64,
    stop: Option<String>,
}

printed!(Polynomial: "colour");

pub(super) fn run(
    args: &Colours,
    board: &Board,
    display: &mut Display,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let begin = Instant::now();
    let deadline = Deadline::after(args.limit.time_limit);
    let given = vec![None; board.size()];
    let (found, stop) = polynomial(board, &given, deadline, &mut |event| display.show(event));
    let name = board.name();
    let mut answer = Polynomial {
        board: name.to_string(),
        polynomial: found.as_ref().ok().map(ToString::to_string),
        coefficients: Vec::new(),
        colours: args.colours,
        value: None,
        seconds: begin.elapsed().as_secs_f64(),
        stop: None,
    };
    let details = format!("{:.2} s\n", answer.seconds);
    let (verdict, exit) = match &found {
        Ok(found) => {
            answer.coefficients = found.coefficients().iter().map(ToString::to_string).collect();
            let mut verdict = format!("P(k) = {found}\n");
            if let Some(colours) = args.colours {
                let value = found.value(colours).to_string();
                verdict += &format!("{name} has {value} colourings in {}\n", counted(colours, "colour"));
                answer.value = Some(value);
            }
            (verdict, Exit::Yes)
        }
        Err(fault) => {
            let why = stop.map_or_else(|| fault.to_string(), |stop: StopReason| stop.to_string());
            let verdict = format!("the polynomial of {name} was not computed: {why}\n");
            answer.stop = Some(why);
            (verdict, Exit::Stopped)
        }
    };
    out.answer(&answer, &Answer { details, verdict })?;
    Ok(exit)
}
