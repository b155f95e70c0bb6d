//! What is told of a count, as text.

use std::fmt::Write as _;

use ndqueens_control::StopReason;
use ndqueens_model::certificate::tuples;
use serde_json::Value;

use super::answer::{LARGE_GROUP, Summary, ThresholdSummary};
use crate::interrupt;
use crate::output::counted;

/// Why the reference algorithms stop.
pub(super) fn reason() -> StopReason {
    if interrupt::asked() { StopReason::Interrupted } else { StopReason::TimeLimit }
}

pub(super) fn text(told: &Summary) -> anyhow::Result<String> {
    let mut text = format!("board                  {}\n", told.board);
    let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    for (place, answer) in told.methods.iter().enumerate() {
        if place > 0 {
            text.push('\n');
        }
        if !answer.finished {
            text += "stopped before its end\n";
        }
        if let Some(number) = answer.independence_number {
            writeln!(text, "independence number    {number}")?;
        }
        if let Some(solutions) = &answer.solutions {
            let of = told
                .size
                .map_or_else(|| "maximum solutions  ".to_owned(), |size| format!("solutions of {size:<6}"));
            let up_to_symmetry = answer.solutions_up_to_symmetry.as_ref().map_or_else(
                || format!("not counted: {}", told.no_orbits.unwrap_or(LARGE_GROUP)),
                |orbits| match told.group_order {
                    Some(order) => format!("{} (group of order {order})", plain(orbits)),
                    None => plain(orbits),
                },
            );
            write!(text, "{of}    {}\nup to symmetry         {up_to_symmetry}\n", plain(solutions))?;
        }
        if place == 0 {
            for (size, orbits) in told.stabilisers.iter().flatten().filter(|(size, _)| *size > 1) {
                writeln!(text, "  with {size} symmetries    {}", plain(orbits))?;
            }
            let any = answer.solutions.as_ref().is_some_and(|solutions| *solutions != 0);
            if let Some(forbidden) = told.forbidden_squares.filter(|&forbidden| any && forbidden > 0) {
                writeln!(text, "squares in no solution {forbidden}")?;
            }
            if let Some(ThresholdSummary { value, at_least, witness }) = &told.completion_threshold {
                let (at_least, why) = match (value, witness) {
                    (None, _) => (
                        format!("{at_least} or more"),
                        format!("stopped ({}) before more was known", reason()),
                    ),
                    (_, None) => (
                        at_least.to_string(),
                        "every non-attacking set lies in a maximum solution".to_owned(),
                    ),
                    (_, Some(set)) => {
                        (at_least.to_string(), format!("no maximum solution contains {}", tuples(set)))
                    }
                };
                writeln!(text, "completion threshold   {at_least}; {why}")?;
            }
        }
        if let Some(proof) = told.proof.as_ref().filter(|_| place == 0) {
            writeln!(text, "proof                  {}", proof.words())?;
        }
        if let Some(taken) = told.taken_parts.filter(|_| place == 0) {
            writeln!(
                text,
                "taken from the folder  {}, not searched in this run",
                counted(taken as u64, "part")
            )?;
        }
        write!(
            text,
            "method                 {}\nseconds                {:.2}\n",
            answer.method, answer.seconds
        )?;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use num_bigint::BigUint;
    use serde_json::json;

    use super::super::answer::{FAST, MethodCount, number};
    use super::*;

    #[test]
    fn numbers_beyond_64_bits_are_told_exactly() {
        let large = BigUint::from(u64::MAX) * 48u32;
        assert_eq!(number(&BigUint::from(u64::MAX)), json!(u64::MAX));
        assert_eq!(number(&large), json!("885443715538058477520"));
        let answer =
            MethodCount { solutions: Some(number(&large)), ..MethodCount::unfinished(FAST, Instant::now()) };
        let told = Summary {
            board: "8^2".to_owned(),
            size: Some(8),
            no_orbits: None,
            group_order: Some(8),
            stabilisers: None,
            forbidden_squares: None,
            completion_threshold: None,
            taken_parts: None,
            proof: None,
            methods: vec![answer],
        };
        assert!(text(&told).expect("a text").contains(" 885443715538058477520\n"));
    }
}
