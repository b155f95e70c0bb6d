//! Formats the known facts on a board to fit on one screen.

use std::fmt::Write as _;

use ndqueens_archive::best::Best;
use ndqueens_model::board::Board;

use super::cells::write_cell_graph;
use super::graph::write_graph;
use super::summary::{File, Info};
use super::symmetry::{draw_orbits, write_symmetry};

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
    if let Some(board) = board {
        write_graph(&mut text, board, &info.graph)?;
    }
    if let Some(graph) = &info.cell_graph {
        write_cell_graph(&mut text, graph)?;
    }
    if let (Some(board), Some(bound)) = (board, info.trivial_bound) {
        writeln!(text, "trivial bound  {}", board.format_pieces(bound))?;
    }
    if let (Some(board), Ok(symmetry), false) = (board, &info.symmetry, why) {
        text += &draw_orbits(board, symmetry);
    }
    if let Some(published) = &info.published {
        writeln!(text, "published      {published} [{}]", published.source)?;
    }
    if let Some(optimal) = &info.optimal {
        writeln!(text, "optimal        {optimal}")?;
    }
    if let Some(solutions) = &info.solutions {
        writeln!(text, "solutions      {solutions}")?;
    }
    for printed in &info.printed {
        writeln!(text, "printed        {printed}")?;
    }
    if let Some(solutions) = &info.full_solutions {
        writeln!(text, "full solutions {solutions}")?;
    }
    for (number, File { file, kind, command }) in info.files.iter().enumerate() {
        let head = if number == 0 { "archive" } else { "" };
        let by = if command.is_empty() { String::new() } else { format!(", by: {command}") };
        writeln!(text, "{head:13}  {file} ({kind}){by}")?;
    }
    write_commands(&mut text, info)?;
    if why {
        for Best { derivation, .. } in [lower, upper] {
            writeln!(text, "\n{derivation}")?;
        }
        text.push('\n');
    }
    write_verdict(&mut text, info)?;
    Ok(text)
}

/// Writes the commands that improve the bounds or check them again.
fn write_commands(text: &mut String, info: &Info) -> std::fmt::Result {
    let is_closed = info.lower.value == info.upper.value;
    let settled = is_closed && info.obstacle.is_none() && info.next_effort.is_empty();
    for (number, command) in info.next.iter().enumerate() {
        let head = match (number, settled) {
            (0, true) => "re-check",
            (0, false) => "to improve",
            _ => "",
        };
        let effort = info.next_effort.get(number).map_or_else(String::new, |effort| format!("  ({effort})"));
        writeln!(text, "{head:13}  {command}{effort}")?;
    }
    if let Some(obstacle) = &info.obstacle {
        writeln!(text, "to reduce      {obstacle}")?;
    }
    Ok(())
}

/// Writes the bounds and the maximum, which come last.
fn write_verdict(text: &mut String, Info { lower, upper, .. }: &Info) -> anyhow::Result<()> {
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
    Ok(())
}
