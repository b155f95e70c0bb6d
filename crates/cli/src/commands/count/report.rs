//! Formats the answer of a count as text.

use std::fmt::Write as _;

use ndqueens_notation::certificate::format_squares;
use ndqueens_notation::counted::counted;
use ndqueens_system::cancel::StopReason;
use serde_json::Value;

use super::answer::{LARGE_GROUP, MethodCount, Summary, ThresholdSummary, agree};
use crate::interrupt;
use crate::output::Answer;

/// Returns the reason why the reference algorithms stopped.
pub(super) fn reason() -> StopReason {
    if interrupt::is_requested() { StopReason::Interrupted } else { StopReason::TimeLimit }
}

/// Returns the answer of a count. The verdict has the numbers of a single method, or states that several
/// methods agree.
pub(super) fn text(summary: &Summary) -> anyhow::Result<Answer> {
    let mut details = format!("board                  {}\n", summary.board);
    let mut verdict = String::new();
    let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let several = summary.methods.len() > 1;
    for (place, answer) in summary.methods.iter().enumerate() {
        if place > 0 {
            details.push('\n');
        }
        if !answer.finished {
            details += "stopped before its end\n";
        }
        write!(
            details,
            "method                 {}\nseconds                {:.2}\n",
            answer.method, answer.seconds
        )?;
        if place == 0 {
            write_common(&mut details, summary, answer)?;
        }
        write_numbers(if several { &mut details } else { &mut verdict }, summary, answer, place == 0)?;
    }
    if several {
        let ended = summary.methods.iter().filter(|answer| answer.finished).count();
        let all = summary.methods.len();
        let agree = if agree(&summary.methods) { "agree" } else { "disagree" };
        verdict = match ended == all {
            true => format!("the {all} methods {agree}"),
            false => format!("{ended} of {all} methods came to their end; those {agree}"),
        };
        let first = |get: fn(&MethodCount) -> Option<&Value>| summary.methods.iter().find_map(get).map(plain);
        if let Some(number) = summary.methods.iter().find_map(|answer| answer.independence_number) {
            write!(verdict, ": independence number {number}")?;
            if let Some(solutions) = first(|answer| answer.solutions.as_ref()) {
                write!(verdict, ", maximum solutions {solutions}")?;
            }
            if let Some(orbits) = first(|answer| answer.solutions_up_to_symmetry.as_ref()) {
                write!(verdict, ", up to symmetry {orbits}")?;
            }
        }
    }
    if let [answer] = &summary.methods[..]
        && let Some(line) = conclusion(summary, answer)
    {
        writeln!(verdict, "{line}")?;
    }
    Ok(Answer { details, verdict })
}

/// Returns the numbers of a finished method in one line, such as `5^3: 1056 maximum solutions of size 13, 22
/// up to symmetry`.
fn conclusion(summary: &Summary, answer: &MethodCount) -> Option<String> {
    let size = summary.size.or(answer.independence_number);
    let solutions = plain(answer.solutions.as_ref().filter(|_| answer.finished)?);
    let maximum = if summary.size.is_none() { "maximum " } else { "" };
    let noun = if solutions == "1" { "solution" } else { "solutions" };
    let of_size = size.map_or_else(String::new, |size| format!(" of size {size}"));
    let orbits = answer.solutions_up_to_symmetry.as_ref();
    let orbits = orbits.map_or_else(String::new, |orbits| format!(", {} up to symmetry", plain(orbits)));
    Some(format!("{}: {solutions} {maximum}{noun}{of_size}{orbits}", summary.board))
}

/// Returns a number without the quotes that JSON has around large ones.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Writes the numbers of a method. If solutions up to symmetry are not counted, the reason is given instead.
fn write_numbers(
    text: &mut String,
    summary: &Summary,
    answer: &MethodCount,
    first: bool,
) -> std::fmt::Result {
    if let Some(number) = answer.independence_number {
        writeln!(text, "independence number    {number}")?;
    }
    let Some(solutions) = &answer.solutions else { return Ok(()) };
    let of = summary
        .size
        .map_or_else(|| "maximum solutions  ".to_owned(), |size| format!("solutions of {size:<6}"));
    let up_to_symmetry = answer.solutions_up_to_symmetry.as_ref().map_or_else(
        || format!("not counted: {}", summary.no_orbits.unwrap_or(LARGE_GROUP)),
        |orbits| match summary.group_order {
            Some(order) => format!("{} (group of order {order})", plain(orbits)),
            None => plain(orbits),
        },
    );
    write!(text, "{of}    {}\nup to symmetry         {up_to_symmetry}\n", plain(solutions))?;
    if first {
        for (size, orbits) in summary.stabilisers.iter().flatten().filter(|(size, _)| *size > 1) {
            writeln!(text, "  with {size} symmetries    {}", plain(orbits))?;
        }
    }
    Ok(())
}

/// Writes the facts beyond the numbers: proof, folder, squares without queens, completion threshold.
fn write_common(text: &mut String, summary: &Summary, answer: &MethodCount) -> std::fmt::Result {
    if let Some(proof) = &summary.proof {
        writeln!(text, "proof                  {}", proof.words())?;
    }
    if let Some(taken) = summary.taken_parts {
        writeln!(text, "taken from the folder  {}, not searched in this run", counted(taken as u64, "part"))?;
    }
    let any = answer.solutions.as_ref().is_some_and(|solutions| *solutions != 0);
    if let Some(forbidden) = summary.forbidden_squares.filter(|&forbidden| any && forbidden > 0) {
        writeln!(text, "squares in no solution {forbidden}")?;
    }
    if let Some(ThresholdSummary { value, at_least, witness }) = &summary.completion_threshold {
        let (at_least, why) = match (value, witness) {
            (None, _) => {
                (format!("{at_least} or more"), format!("stopped ({}) before more was known", reason()))
            }
            (_, None) => {
                (at_least.to_string(), "every non-attacking set lies in a maximum solution".to_owned())
            }
            (_, Some(set)) => {
                (at_least.to_string(), format!("no maximum solution contains {}", format_squares(set)))
            }
        };
        writeln!(text, "completion threshold   {at_least}; {why}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use num_bigint::BigUint;
    use serde_json::json;

    use super::super::answer::{FAST, number};
    use super::*;

    #[test]
    fn numbers_beyond_64_bits_are_told_exactly() {
        let large = BigUint::from(u64::MAX) * 48u32;
        assert_eq!(number(&BigUint::from(u64::MAX)), json!(u64::MAX));
        assert_eq!(number(&large), json!("885443715538058477520"));
        let answer =
            MethodCount { solutions: Some(number(&large)), ..MethodCount::unfinished(FAST, Instant::now()) };
        let summary = Summary {
            board: "8^2".to_owned(),
            size: Some(8),
            group_order: Some(8),
            methods: vec![answer],
            ..Summary::default()
        };
        assert!(text(&summary).expect("a text").verdict.contains(" 885443715538058477520\n"));
    }
}
