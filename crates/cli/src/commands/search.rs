//! `ndq search`

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args as Group;
use ndqueens_control::{Deadline, StopReason};
use ndqueens_files as files;
use ndqueens_lab::record::Start;
use ndqueens_lab::run::LabError;
use ndqueens_lab::workflow::search::{self, Best, Improvement, SearchRequest};
use ndqueens_model::board::Board;
use ndqueens_model::certificate::Problem;
use ndqueens_model::facts::known::{self, Known};
use ndqueens_model::name::BoardName;
use ndqueens_solver::construct::local_search::Subgroup;
use serde::Serialize;

use super::Exit;
use super::certificate::drawn;
use crate::args::groups::{Seed, Threads};
use crate::args::typed::Typed;
use crate::args::values::{board, queens, seconds};
use crate::output::{Output, log};
use crate::progress::Display;

const EXAMPLES: &str = "\
GROUP:
  auto            no symmetry in half of the rounds, any one in the others
  none            no symmetry
  central         all axes reflected
  -1,3,2          the first axis reflected, the other two exchanged; several such symmetries, parted by semicolons,
                  generate a group

Try:  ndq search 14^3 --seconds 60 -o best.txt
      ndq search 14^3 --seconds 600 --from-round 5000 -o best.txt     the next rounds of the same search
      ndq search 14^3 --seconds 600 --start best.txt -o best.txt      half of the rounds change what was found";

#[derive(Debug, Group)]
#[command(allow_negative_numbers = true, after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The board, such as 6^3 or 4x5x6.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// How long to search [default: 10, or no limit with --rounds].
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) seconds: Option<Duration>,
    /// How many rounds to make; a round is one walk, and the same in every search with this seed, start and symmetry.
    #[arg(long, value_name = "N")]
    pub(crate) rounds: Option<u64>,
    /// Stop when so many queens are found; the exit code is 3 when they are not.
    #[arg(long, value_name = "K", value_parser = queens)]
    pub(crate) at_least: Option<u64>,
    /// Which symmetry the solution is to have.
    #[arg(long, value_name = "GROUP", default_value = "auto", allow_hyphen_values = true)]
    pub(crate) symmetry: String,
    /// Queens that must be part of the solution: a certificate file.
    #[arg(long, value_name = "FILE")]
    pub(crate) include: Option<PathBuf>,
    /// A solution to go on from: cut, greedy, none, or the path of a certificate file.
    #[arg(long, value_name = "FILE|cut|greedy|none", default_value = "none")]
    pub(crate) start: Start,
    /// The number of the first round, to go on after a search that was stopped.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..1 << 63))]
    pub(crate) from_round: u64,
    #[command(flatten)]
    pub(crate) threads: Threads,
    #[command(flatten)]
    pub(crate) seed: Seed,
    /// Keep the best certificate in this file, from the first one on; one that is there has to be beaten.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

impl Args {
    /// How long the search may take.
    pub(crate) fn limit(&self) -> Option<Duration> {
        self.seconds.or_else(|| self.rounds.is_none().then_some(Duration::from_secs(10)))
    }
}

#[derive(Serialize)]
struct Searched {
    board: String,
    queens: usize,
    trivial_bound: u64,
    /// The published bounds, if there are any.
    known_lower: Option<u64>,
    known_upper: Option<u64>,
    origin: String,
    squares: Vec<Vec<u32>>,
    checked: bool,
    improvements: Vec<Improvement>,
    next_round: u64,
    moves: u64,
    seconds: f64,
    stop: Option<String>,
}

pub(crate) fn run(args: &Args, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    let board = Board::new(&args.board);
    super::refuse_to_construct(&board)?;
    let include = super::included(&board, args.include.as_deref(), Problem::IndependentSet)?;
    let start = super::start(&board, &args.start, &include, args.seed.seed, display)?;
    let symmetry = match args.symmetry.as_str() {
        "auto" => None,
        text => Some(Subgroup::parse(text, &board).with_context(|| format!("--symmetry {text}"))?),
    };
    args.output.as_deref().map_or(Ok(()), files::replaceable)?;
    let request = SearchRequest {
        board: &board,
        include: &include,
        start: start.as_ref(),
        symmetry: symmetry.as_ref(),
        seed: args.seed.seed,
        from_round: args.from_round,
        rounds: args.rounds.unwrap_or(u64::MAX),
        target: args.at_least.unwrap_or(u64::MAX).min(board.trivial_bound()),
        threads: args.threads.threads as usize,
        deadline: Deadline::after(args.limit()),
        keep: args.output.as_deref(),
    };
    let best = search::search(&request, &mut |event| display.show(event)).map_err(|fault| match fault {
        LabError::Given(_) => anyhow::Error::new(fault).context(format!("--start {}", args.start)),
        fault => fault.into(),
    })?;
    let queens = best.certificate.size();
    let published = known::lookup(board.name());
    if let Some(known) = published.filter(|known| known.upper < queens as u64) {
        log(&format!(
            "error: {queens} queens, checked, contradict a published bound: at most {} on {} [{}]",
            known.upper, known.board, known.source
        ));
        return Ok(Exit::Failed);
    }
    let text = text(args, &board, &best, published)?;
    let few = args.at_least.is_some_and(|wanted| (queens as u64) < wanted);
    let exit = if few || best.stop == Some(StopReason::Interrupted) { Exit::Stopped } else { Exit::Yes };
    let Best { certificate, improvements, next_round, moves, seconds, stop } = best;
    let searched = Searched {
        board: board.name().to_string(),
        queens,
        trivial_bound: board.trivial_bound(),
        known_lower: published.map(|known| known.lower),
        known_upper: published.map(|known| known.upper),
        origin: certificate.origin,
        squares: certificate.squares,
        checked: true,
        improvements,
        next_round,
        moves,
        seconds,
        stop: stop.map(|stop| stop.to_string()),
    };
    out.result(&searched, &text)?;
    Ok(exit)
}

fn text(args: &Args, board: &Board, best: &Best, published: Option<&Known>) -> anyhow::Result<String> {
    let Best { certificate, moves, seconds, next_round, .. } = best;
    let queens = certificate.size() as u64;
    let (pieces, origin) = (board.pieces(queens), &certificate.origin);
    let mut text = format!("{pieces} on {}, checked: no two attack each other\n{origin}\n", board.name());
    writeln!(text, "{moves} moves in {seconds:.1} s ({:.0}/s)", *moves as f64 / seconds.max(0.001))?;
    if let Some(Known { lower, upper, source, .. }) = published {
        let better = if queens > *lower { ": this is better" } else { "" };
        writeln!(text, "published: at least {lower}, at most {upper} [{source}]{better}")?;
    }
    text += &drawn(board, certificate);
    if queens < board.trivial_bound() {
        writeln!(text, "to go on: {}", continued(args, *next_round))?;
    }
    Ok(text)
}

/// The command that makes the rounds after those that were made, as one search would have.
fn continued(args: &Args, next_round: u64) -> Typed {
    let path = |path: &PathBuf| path.display().to_string();
    let unless = |value: String, default: &str| (value != default).then_some(value);
    let mut command = Typed::new("ndq search");
    command.word(&args.board);
    for (name, value) in [
        ("--seconds", args.seconds.map(|seconds| seconds.as_secs_f64().to_string())),
        ("--at-least", args.at_least.map(|queens| queens.to_string())),
        ("--symmetry", unless(args.symmetry.clone(), "auto")),
        ("--include", args.include.as_ref().map(path)),
        ("--start", unless(args.start.to_string(), "none")),
        ("--threads", unless(args.threads.threads.to_string(), "1")),
        ("--seed", Some(args.seed.seed.to_string())),
        ("--from-round", Some(next_round.to_string())),
        ("--output", args.output.as_ref().map(path)),
    ] {
        if let Some(value) = value {
            command.joined(name, value);
        }
    }
    command
}
