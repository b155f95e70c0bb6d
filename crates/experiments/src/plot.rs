//! Plots of an experiment.
//!
//! # References
//! Elizabeth D. Dolan and Jorge J. Moré, *Benchmarking optimization software with performance profiles*,
//! Mathematical Programming 91 (2002).

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use ndqueens_notation::name::BoardName;
use ndqueens_report::plane::Point;
use ndqueens_report::svg::Format;
use ndqueens_report::svg::axis::Axis;
use ndqueens_report::svg::chart::{Chart, Curve, Panel};
use ndqueens_system::file;
use ndqueens_workflow::record::Engine;

use crate::error::ExperimentError;
use crate::evaluation::{Evaluation, Place, Run, Summary};
use crate::judge;

/// Minimum time drawn, in seconds; shorter times are drawn as this.
const SHORTEST: f64 = 0.001;

/// Minimum time in ratios of times, in seconds; shorter times count as this.
const LEAST: f64 = 0.01;

/// Maximum number of boards with a panel of bounds; those that took longest are chosen.
const MOST_BOUNDS: usize = 2;

/// Draws the charts that have data, each with the stem of its file name.
#[must_use]
pub fn charts(evaluation: &Evaluation) -> Vec<(&'static str, Chart)> {
    let charts = [
        ("profile", profile(evaluation, Measure::Seconds)),
        ("nodes", profile(evaluation, Measure::Nodes)),
        ("time", time(evaluation)),
        ("bounds", bounds(evaluation)),
    ];
    charts.into_iter().filter_map(|(name, chart)| Some((name, chart?))).collect()
}

/// Writes all charts in a format into a folder, which is created if necessary. Returns their paths.
///
/// # Errors
/// Returns an error if a chart cannot be written.
pub fn write(
    evaluation: &Evaluation,
    folder: &Path,
    format: Format,
) -> Result<Vec<PathBuf>, ExperimentError> {
    file::make_folder(folder)?;
    let paths = charts(evaluation).into_iter().map(|(name, chart)| {
        let path = folder.join(format!("{name}.{}", format.ending()));
        let bytes = format.encode(&chart.svg())?;
        file::write_plain(&path, |out| out.write_all(&bytes))?;
        Ok(path)
    });
    paths.collect()
}

/// A configuration is far ahead if the ratios of all other configurations to it are at least this.
const FAR_AHEAD: f64 = 4.0;

/// Quantity that a performance profile compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Measure {
    Seconds,
    /// Nodes of the trees of `--engine lp`, which do not depend on the machine. Nodes of other engines are
    /// not comparable.
    Nodes,
}

impl Measure {
    /// Returns the value of a run; `None` if it cannot be compared.
    fn of(self, run: &Run) -> Option<f64> {
        match (self, &run.row.planned.question.engine) {
            (Self::Seconds, _) => Some(run.seconds.max(LEAST)),
            (Self::Nodes, Engine::BranchAndBound { .. }) => run.row.answer.nodes.map(|nodes| nodes as f64),
            (Self::Nodes, _) => None,
        }
    }
}

/// Draws performance profiles, one for every problem. A point (t, s) of a configuration means that it solved
/// the fraction s of the boards and seeds with at most t times the least time or number of nodes. If one
/// configuration is far ahead of all others, these get a profile of their own as well, because their ratios
/// to the leader show little about how they compare with each other.
fn profile(evaluation: &Evaluation, measure: Measure) -> Option<Chart> {
    let (mut panels, mut runs) = (Vec::new(), Vec::new());
    for problem in evaluation.problems() {
        let mut pairs: Vec<_> = evaluation.common(problem).into_iter().collect();
        pairs.sort_unstable();
        let values = |configuration: usize| -> Vec<Option<f64>> {
            // Keep the first of several runs with the same board and seed.
            let runs = evaluation.runs.iter().rev().filter(|run| run.configuration == configuration);
            let runs: HashMap<_, _> = runs.map(|run| ((run.board, run.seed()), run)).collect();
            let of =
                |pair: &(usize, u32)| runs.get(pair).filter(|run| run.solved).and_then(|run| measure.of(run));
            pairs.iter().map(of).collect()
        };
        let mut configurations: Vec<(usize, Vec<Option<f64>>)> = evaluation
            .configurations_of(problem)
            .into_iter()
            .map(|configuration| (configuration, values(configuration)))
            .filter(|(_, values)| measure == Measure::Seconds || values.iter().any(Option::is_some))
            .collect();
        if measure == Measure::Nodes && configurations.len() < 2 {
            continue;
        }
        let about = if evaluation.problems().len() > 1 { format!("{problem}s") } else { String::new() };
        let mut without = Vec::new();
        let drawn = panels.len();
        while let Some(ratios) = Ratios::of(&configurations) {
            let words = [about.clone(), without.join(" and ")];
            let words: Vec<String> = words.into_iter().filter(|words| !words.is_empty()).collect();
            let title = words.join(", ");
            panels.push(ratios.panel(title, &configurations));
            let Some(leader) = ratios.leader().filter(|_| configurations.len() > 2) else { break };
            let (configuration, _) = configurations.remove(leader);
            let first = if without.is_empty() { "without " } else { "" };
            without.push(format!("{first}{}", evaluation.configurations[configuration]));
        }
        if panels.len() > drawn {
            runs.push(pairs.len().to_string());
        }
    }
    let plural = if runs.last().is_some_and(|count| count == "1") { "" } else { "s" };
    let what =
        format!("{} run{plural} of each configuration on the same boards and seeds", runs.join(" and "));
    (!panels.is_empty()).then(|| match measure {
        Measure::Seconds => {
            let note = format!("{what}; times below {LEAST} s count as {LEAST} s.");
            chart(evaluation, "performance profile", &note, panels)
        }
        Measure::Nodes => {
            let note = format!("Nodes of checked trees, which do not depend on the machine; {what}.");
            Chart { note, ..chart(evaluation, "performance profile by nodes", "", panels) }
        }
    })
}

/// Times or nodes of configurations as multiples of the least one.
struct Ratios {
    /// Ascending ratios of every configuration on the instances that it solved.
    configurations: Vec<Vec<f64>>,
    /// Number of instances that some configuration solved.
    solvable: usize,
}

impl Ratios {
    /// Computes the ratios of configurations from the value of each on every instance, `None` where it did
    /// not solve the instance. Returns `None` if no instance was solved.
    fn of(configurations: &[(usize, Vec<Option<f64>>)]) -> Option<Self> {
        let pairs = configurations.first().map_or(0, |(_, seconds)| seconds.len());
        let best =
            |at: usize| configurations.iter().filter_map(|(_, seconds)| seconds[at]).min_by(f64::total_cmp);
        let best: Vec<Option<f64>> = (0..pairs).map(best).collect();
        let ratios = configurations.iter().map(|(_, seconds)| {
            let ratios = seconds.iter().zip(&best).filter_map(|(own, best)| Some((*own)? / (*best)?));
            let mut ratios: Vec<f64> = ratios.collect();
            ratios.sort_by(f64::total_cmp);
            ratios
        });
        let solvable = best.iter().flatten().count();
        (solvable > 0).then(|| Self { configurations: ratios.collect(), solvable })
    }

    /// Returns the index of the configuration that is far ahead of all others, if there is one.
    fn leader(&self) -> Option<usize> {
        let leads = |ratios: &Vec<f64>| ratios.first().is_some_and(|least| *least < FAR_AHEAD);
        let mut near = (0..self.configurations.len()).filter(|&at| leads(&self.configurations[at]));
        near.next().filter(|_| near.next().is_none())
    }

    fn panel(&self, title: String, configurations: &[(usize, Vec<Option<f64>>)]) -> Panel {
        let x = Axis::logarithmic(
            "performance ratio τ",
            self.configurations.iter().flatten().copied().chain([1.0, 2.0]),
        );
        let share = |count: usize| count as f64 / self.solvable as f64;
        let curves = self.configurations.iter().zip(configurations).map(|(ratios, (style, _))| {
            let start = ratios.iter().take_while(|ratio| **ratio <= 1.0).count();
            let mut line = vec![[0.0, share(start)]];
            for (count, ratio) in ratios.iter().enumerate().skip(start) {
                line.extend([[ratio.log10(), share(count)], [ratio.log10(), share(count + 1)]]);
            }
            line.push([x.range.1, share(ratios.len())]);
            // About eight markers, at the upper ends of steps.
            let every = (line.len() / 16).max(1) * 2;
            let marks = line.iter().step_by(every).map(|&at| (at, true)).collect();
            Curve { style: *style, line, marks, bars: Vec::new() }
        });
        let curves = curves.collect();
        Panel { title, curves, x, y: Axis::shares("fraction of instances solved") }
    }
}

fn chart(evaluation: &Evaluation, kind: &str, note: &str, panels: Vec<Panel>) -> Chart {
    Chart {
        title: format!("{}: {kind}", evaluation.title),
        legend: evaluation.configurations.clone(),
        note: format!("Times are {}; {note}", evaluation.clock),
        panels,
    }
}

/// Returns the family of a board and its side, such as `n^3` and 5, or `None` if the board is in no family of
/// boards that differ only in their side.
fn kind(board: &BoardName) -> Option<(String, u32)> {
    match board {
        BoardName::Grid { sides, .. } if sides.len() > 1 && sides.iter().all(|side| *side == sides[0]) => {
            let name = board.to_string();
            let digits = sides[0].to_string();
            let (before, after) = name.rsplit_once(&format!("{digits}^"))?;
            Some((format!("{before}n^{after}"), sides[0]))
        }
        BoardName::Hex(side) => Some(("hex:n".to_owned(), *side)),
        BoardName::Three(side) => Some(("three:n".to_owned(), *side)),
        _ => None,
    }
}

/// Draws mean, minimum and maximum seconds of every configuration: against the side for boards of one family,
/// and by name for the others.
fn time(evaluation: &Evaluation) -> Option<Chart> {
    let mut groups: Vec<(String, Vec<(usize, String)>)> = Vec::new();
    let several = evaluation.problems().len() > 1;
    for (board, place) in evaluation.boards.iter().enumerate() {
        let run = evaluation.on(board).next();
        let kind = run.and_then(|run| kind(&run.row.planned.question.board));
        let (mut group, label) = kind.map_or_else(
            || ("other boards".to_owned(), place.board.clone()),
            |(kind, side)| (kind, side.to_string()),
        );
        if several {
            group = format!("{group}, {}s", place.problem);
        }
        match groups.iter_mut().find(|(name, _)| *name == group) {
            Some((_, boards)) => boards.push((board, label)),
            None => groups.push((group, vec![(board, label)])),
        }
    }
    for (_, boards) in &mut groups {
        boards.sort_by_key(|(_, label)| label.parse::<u64>().ok());
    }
    let panels: Vec<_> =
        groups.into_iter().map(|(group, boards)| time_panel(evaluation, group, &boards)).collect();
    let note =
        "markers: mean over seeds; error bars: min to max; hollow: lower bound (some runs hit the limit).";
    (!panels.is_empty()).then(|| chart(evaluation, "time", note, panels))
}

fn time_panel(evaluation: &Evaluation, group: String, boards: &[(usize, String)]) -> Panel {
    let configurations = evaluation.configurations.len();
    let (mut curves, mut all) = (Vec::new(), Vec::new());
    for style in (0..configurations).filter(|&style| !evaluation.is_relaxation(style)) {
        let mut curve = Curve { style, ..Curve::default() };
        // Shift the configurations sideways so that their error bars do not hide each other.
        let aside = (style as f64 - (configurations - 1) as f64 / 2.0) * (0.6 / configurations as f64);
        for (place, (board, _)) in boards.iter().enumerate() {
            let Some(summary) = Summary::of(&evaluation.cell(style, *board)) else { continue };
            let [mean, least, most] = [summary.seconds.mean, summary.seconds.least, summary.seconds.most]
                .map(|seconds| seconds.max(SHORTEST));
            all.extend([least, most]);
            let x = place as f64 + aside;
            curve.line.push([x, mean.log10()]);
            curve.marks.push(([x, mean.log10()], summary.is_solved()));
            curve.bars.push((x, least.log10(), most.log10()));
        }
        curves.push(curve);
    }
    let label = if group.contains("n^") { "n" } else { "board" };
    let x = Axis::names(label, boards.iter().map(|(_, label)| label.clone()));
    let y = Axis::logarithmic("seconds", all.into_iter());
    Panel { title: group, x, y, curves }
}

/// Draws incumbent and dual bound of every configuration over time, on the boards that took longest, with the
/// smallest seed.
fn bounds(evaluation: &Evaluation) -> Option<Chart> {
    let several = evaluation.problems().len() > 1;
    let optimises = |run: &&Run| {
        let planned = &run.row.planned;
        planned.question.target().is_none() && !planned.is_relaxation() && !run.row.trace.is_empty()
    };
    let mut boards: Vec<(usize, f64)> = (0..evaluation.boards.len())
        .filter_map(|board| {
            let runs: Vec<&Run> = evaluation.on(board).filter(optimises).collect();
            Some((board, Summary::of(&runs)?.seconds.mean))
        })
        .collect();
    boards.sort_by(|a, b| b.1.total_cmp(&a.1));
    boards.truncate(MOST_BOUNDS);
    boards.sort_unstable_by_key(|(board, _)| *board);
    let panels: Vec<_> = boards
        .into_iter()
        .map(|(board, _)| {
            let seed = evaluation.on(board).map(Run::seed).min();
            let here = |run: &&Run| Some(run.seed()) == seed;
            let runs: Vec<&Run> = evaluation.on(board).filter(here).filter(optimises).collect();
            let Place { board, problem } = &evaluation.boards[board];
            let problem = if several { format!(", {problem}s") } else { String::new() };
            bounds_panel(format!("{board}{problem}, seed {}", seed.unwrap_or(0)), &runs)
        })
        .collect();
    let all = evaluation.boards.iter();
    let (up, down): (Vec<_>, Vec<_>) = all.partition(|place| judge::maximises(place.problem));
    let note = match (up.is_empty(), down.is_empty()) {
        (_, true) => "Wall clock of the solver. Downwards: dual bounds. Upwards: queens found.",
        (true, _) => "Wall clock of the solver. Upwards: dual bounds. Downwards: queens found.",
        _ => "Wall clock of the solver. Dual bounds and queens found come towards each other.",
    };
    (!panels.is_empty())
        .then(|| Chart { note: note.to_owned(), ..chart(evaluation, "bounds over time", "", panels) })
}

fn bounds_panel(title: String, runs: &[&Run]) -> Panel {
    let (mut curves, mut seconds, mut queens) = (Vec::new(), Vec::new(), Vec::new());
    for run in runs {
        let answer = &run.row.answer;
        let last = (answer.wall_seconds, answer.incumbent.map(|n| n as f64), answer.dual_bound);
        let points = run
            .row
            .trace
            .iter()
            .map(|point| (point.seconds, point.incumbent.map(|n| n as f64), point.dual_bound));
        let points: Vec<_> =
            points.chain([last]).map(|(at, found, bound)| (at.max(LEAST), found, bound)).collect();
        seconds.extend(points.iter().map(|point| point.0));
        let found = points.iter().filter_map(|(at, found, _)| Some((*at, (*found)?))).collect::<Vec<_>>();
        let bound = points.iter().filter_map(|(at, _, bound)| Some((*at, (*bound)?))).collect();
        for values in [found, bound] {
            queens.extend(values.iter().map(|value| value.1));
            curves.push(steps(run.configuration, &values));
        }
    }
    let x = Axis::logarithmic("seconds", seconds.into_iter());
    let y = Axis::whole("queens", queens.into_iter());
    Panel { title, x, y, curves }
}

/// Returns a step curve through values over seconds, with markers at both ends.
fn steps(style: usize, values: &[(f64, f64)]) -> Curve {
    let mut line: Vec<Point> = Vec::new();
    for &(at, value) in values {
        let x = at.log10();
        if let Some(&[_, before]) = line.last() {
            line.push([x, before]);
        }
        line.push([x, value]);
    }
    let ends = [line.first(), line.last()];
    let marks = ends.into_iter().flatten().map(|&at| (at, true)).collect();
    Curve { style, line, marks, bars: Vec::new() }
}
