//! What is known of a board, on one screen.

use std::fmt::Write as _;

use ndqueens_knowledge::best::Best;
use ndqueens_model::board::Board;

use super::summary::{File, Info};
use super::symmetry::{drawn, write_symmetry};

pub(super) fn text(board: Option<&Board>, info: &Info, why: bool) -> anyhow::Result<String> {
    let mut text = String::new();
    let Info { lower, upper, .. } = info;
    writeln!(text, "board          {}", info.board)?;
    writeln!(text, "squares        {}", info.squares)?;
    if let Some(parts) = info.parts {
        writeln!(text, "parts          {parts}, which have no side in common")?;
    }
    if let Some(lines) = info.lines {
        writeln!(text, "lines          {lines} of two squares or more")?;
    }
    match (board, &info.symmetry) {
        (Some(board), Ok(symmetry)) => write_symmetry(&mut text, board, symmetry)?,
        (_, Err(why)) => writeln!(text, "symmetry group not computed: {why}")?,
        (None, Ok(_)) => {}
    }
    if let (Some(board), Some(bound)) = (board, info.trivial_bound) {
        writeln!(text, "trivial bound  {}", board.pieces(bound))?;
    }
    for (side, best) in [("lower", lower), ("upper", upper)] {
        writeln!(text, "{side} bound    {best}")?;
        if let Some(certified) = &best.certified {
            writeln!(text, "  certified    {certified}")?;
        }
    }
    let status = match upper.value - lower.value {
        0 if [lower, upper].iter().all(|best| best.is_checked()) => {
            format!("settled by the bounds above: {}", lower.value)
        }
        0 => format!("{}, if the bounds above hold", lower.value),
        gap => format!("open, gap {gap}"),
    };
    writeln!(text, "maximum        {status}")?;
    if let Some(published) = &info.published {
        writeln!(text, "published      {published} [{}]", published.source)?;
    }
    for (number, File { file, kind, command }) in info.files.iter().enumerate() {
        let head = if number == 0 { "archive" } else { "" };
        let by = if command.is_empty() { String::new() } else { format!(", by: {command}") };
        writeln!(text, "{head:13}  {file} ({kind}){by}")?;
    }
    for (number, command) in info.next.iter().enumerate() {
        let head = match (number, lower.value == upper.value) {
            (0, true) => "re-check",
            (0, false) => "to improve",
            _ => "",
        };
        writeln!(text, "{head:13}  {command}")?;
    }
    if why {
        for Best { derivation, .. } in [lower, upper] {
            writeln!(text, "\n{derivation}")?;
        }
        return Ok(text);
    }
    if let (Some(board), Ok(symmetry)) = (board, &info.symmetry) {
        text += &drawn(board, symmetry);
    }
    Ok(text)
}
