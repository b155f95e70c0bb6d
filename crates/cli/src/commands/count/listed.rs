//! Output of a count beyond the numbers: solutions, densities and the completion threshold.

use std::path::Path;

use anyhow::bail;
use ndqueens_crosscheck::stop::Stop;
use ndqueens_model::board::Board;
use ndqueens_notation::certificate::solutions::ListKind;
use ndqueens_report::density;
use ndqueens_system::file::{self, FileError};
use ndqueens_workflow::count::{self, Counted, Threshold};
use num_bigint::BigUint;

use super::answer::{LARGE_GROUP, Summary, ThresholdSummary, number};
use super::args::{Args, List};

/// Maximum number of orbits of solutions that are kept in memory.
pub(super) const KEEP: usize = 4_000_000;

/// Adds the details of the exact engine's result to `summary`, and writes the requested files.
pub(super) fn describe(
    args: &Args,
    board: &Board,
    counted: &Counted,
    summary: &mut Summary,
    over: Stop<'_>,
) -> anyhow::Result<()> {
    let stabilisers = counted.stabilisers();
    summary.stabilisers =
        stabilisers.map(|sizes| sizes.iter().map(|(size, orbits)| (*size, number(orbits))).collect());
    let density = counted.density(board);
    summary.forbidden_squares = Some(density.iter().filter(|&on| *on == BigUint::ZERO).count());
    let kept = args.density.as_ref().map_or(Ok(()), |path| write_density(path, board, counted, &density));
    if counted.tally.more && (args.solutions.is_some() || args.threshold) {
        bail!("there are more than {KEEP} solutions up to symmetry, too many to be listed");
    }
    if let Some(path) = &args.solutions {
        let listed = match args.list {
            List::UpToSymmetry if counted.order.is_none() => {
                bail!(
                    "{}: {}, so solutions up to symmetry are not defined; --list all lists every solution",
                    board.name(),
                    summary.no_orbits.unwrap_or(LARGE_GROUP)
                )
            }
            List::UpToSymmetry => ListKind::UpToSymmetry,
            List::All => ListKind::All,
        };
        let solutions = count::solutions(board, counted, listed)?;
        file::write(path, |out| solutions.write(out))?;
    }
    if args.threshold {
        let Threshold { at_least, finished, witness } = count::threshold(board, counted, over)?;
        let value = finished.then_some(at_least);
        summary.completion_threshold = Some(ThresholdSummary { value, at_least, witness });
    }
    Ok(kept?)
}

fn write_density(
    path: &Path,
    board: &Board,
    counted: &Counted,
    density: &[BigUint],
) -> Result<(), FileError> {
    let all = counted.solutions();
    let shares = density.iter().map(|on| if all == BigUint::ZERO { 0.0 } else { ratio(on, &all) });
    file::write(path, |out| density::write(board, density.iter().zip(shares), out))
}

/// Returns a quotient to about 15 digits.
fn ratio(part: &BigUint, whole: &BigUint) -> f64 {
    let scaled: BigUint = part * 1_000_000_000_000_000u64 / whole;
    u64::try_from(scaled).map_or(f64::NAN, |scaled| scaled as f64 / 1e15)
}
