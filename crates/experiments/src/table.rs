//! The tables of an experiment, in three layouts.

use std::path::{Path, PathBuf};

use ndqueens_files::{self as files, FileError};
use ndqueens_lab::record::{Answer, Question};
use ndqueens_model::certificate::Claim;
use ndqueens_report::sheet::{self, Data, Entry, Field, Line, Sheet, Unit};

use crate::definition::Clock;
use crate::evaluation::{Evaluation, Measure, Run, Summary};
use crate::judge;

/// What a table holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// A row for every run.
    Raw,
    /// A table for every way, a row for every board: mean, minimum and maximum of time, simplex iterations and nodes.
    Kunt,
    /// A table for every problem: all ways side by side, and summed up.
    Comparison,
}

impl Layout {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Raw, Self::Kunt, Self::Comparison];

    /// Its name, which is also that of its files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Kunt => "kunt",
            Self::Comparison => "comparison",
        }
    }

    /// The columns of its data.
    #[must_use]
    pub fn fields(self) -> Vec<Field> {
        match self {
            Self::Raw => RAW.iter().map(|(field, _)| *field).collect(),
            Self::Kunt => [&KUNT[..], &MEASURES].concat(),
            Self::Comparison => [&COMPARISON[..], &MEASURES, &GEOMETRIC].concat(),
        }
    }
}

/// The data of a table.
#[must_use]
pub fn data(evaluation: &Evaluation, layout: Layout) -> Data {
    let rows = match layout {
        Layout::Raw => {
            evaluation.runs.iter().map(|run| RAW.iter().map(|(_, tell)| tell(run)).collect()).collect()
        }
        Layout::Kunt => kunt_rows(evaluation),
        Layout::Comparison => comparison_rows(evaluation),
    };
    Data { fields: layout.fields(), rows }
}

/// The tables to be read; the raw rows have none.
#[must_use]
pub fn sheets(evaluation: &Evaluation, layout: Layout) -> Vec<Sheet> {
    match layout {
        Layout::Raw => Vec::new(),
        Layout::Kunt => (0..evaluation.configurations.len())
            .map(|configuration| kunt(evaluation, configuration))
            .collect(),
        Layout::Comparison => {
            let mut problems = evaluation.problems();
            if problems.is_empty() {
                // A sheet without rows says what is missing.
                problems.push(Claim::default());
            }
            problems.into_iter().map(|problem| comparison(evaluation, problem)).collect()
        }
    }
}

/// The form of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Data.
    Csv,
    /// To be read as it is, and in a README.
    Markdown,
    /// For a paper, with the package booktabs.
    Latex,
}

impl Format {
    /// What the names of its files end in.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Markdown => "md",
            Self::Latex => "tex",
        }
    }
}

/// A table as a text; `None` where the layout is not written in this form. Equal rows give equal bytes.
#[must_use]
pub fn text(evaluation: &Evaluation, layout: Layout, format: Format) -> Option<String> {
    if format == Format::Csv {
        return Some(data(evaluation, layout).csv());
    }
    let sheets = sheets(evaluation, layout);
    let written = sheets.iter().map(|sheet| match format {
        Format::Latex => sheet.latex(),
        _ => sheet.markdown(),
    });
    (layout != Layout::Raw).then(|| written.collect::<Vec<_>>().join("\n"))
}

/// What every column of the data tables means, as CSV.
#[must_use]
pub fn columns() -> String {
    let fields = Layout::ALL.map(|layout| (layout.name(), layout.fields()));
    sheet::dictionary(&fields.each_ref().map(|(name, fields)| (*name, fields.as_slice())))
}

/// Writes all tables in all forms into a folder, which is made if need be. Returns their paths.
///
/// # Errors
/// When one cannot be written.
pub fn write(evaluation: &Evaluation, folder: &Path) -> Result<Vec<PathBuf>, FileError> {
    files::make_folder(folder)?;
    let mut texts = vec![("columns.csv".to_owned(), columns())];
    for layout in Layout::ALL {
        for format in [Format::Csv, Format::Markdown, Format::Latex] {
            if let Some(text) = text(evaluation, layout, format) {
                texts.push((format!("{}.{}", layout.name(), format.extension()), text));
            }
        }
    }
    let paths = texts.iter().map(|(name, text)| {
        let path = folder.join(name);
        files::write(&path, |out| out.write_all(text.as_bytes()))?;
        Ok(path)
    });
    paths.collect()
}

const fn field(name: &'static str, unit: Unit, meaning: &'static str) -> Field {
    Field { name, unit, meaning }
}

type Told = fn(&Run) -> String;

fn shown<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

fn asked(run: &Run) -> &Question {
    &run.row.planned.question
}

fn answer(run: &Run) -> &Answer {
    &run.row.answer
}

const RAW: [(Field, Told); 42] = [
    (field("id", Unit::Text, "digest of what defines the run"), |r| r.row.planned.id.clone()),
    (field("board", Unit::Text, "the board"), |r| asked(r).board.to_string()),
    (field("problem", Unit::Text, "what a solution is"), |r| r.row.planned.problem.to_string()),
    (field("way", Unit::Text, "formulation, variant, and what else is not the default"), |r| {
        r.row.planned.configuration()
    }),
    (field("formulation", Unit::Text, "the recipe of inequalities; none for the exact engine"), |r| {
        asked(r).formulation().to_owned()
    }),
    (field("variant", Unit::Text, "what is asked, in the words of the experiment file"), |r| {
        r.row.planned.variant.clone()
    }),
    (field("asked", Unit::Queens, "the number of queens that the question names"), |r| {
        shown(asked(r).asked())
    }),
    (field("start", Unit::Text, "the warm start"), |r| asked(r).start.to_string()),
    (field("backend", Unit::Text, "what solves it"), |r| r.row.planned.backend().to_owned()),
    (field("seed", Unit::Count, "the solver's random seed"), |r| r.seed().to_string()),
    (field("threads", Unit::Count, "the solver's threads"), |r| asked(r).threads.to_string()),
    (field("time_limit_seconds", Unit::Seconds, "wall-clock limit of the solve"), |r| {
        shown(asked(r).time_limit_seconds)
    }),
    (field("node_limit", Unit::Count, "limit of branch-and-bound nodes"), |r| shown(asked(r).node_limit)),
    (field("memory_limit_mib", Unit::Memory, "limit of the process's address space, in MiB"), |r| {
        shown(r.row.planned.memory_limit_mib)
    }),
    (field("presolve", Unit::Flag, "presolve, where it was not left to the solver"), |r| {
        shown(asked(r).presolve)
    }),
    (field("symmetry", Unit::Flag, "symmetry detection, where it was not left to the solver"), |r| {
        shown(asked(r).symmetry)
    }),
    (field("stop", Unit::Text, "why the run stopped"), |r| answer(r).stop.to_string()),
    (field("outcome", Unit::Text, "optimal, infeasible, feasible or unknown, as the solver says"), |r| {
        answer(r).outcome.to_string()
    }),
    (
        field(
            "verdict",
            Unit::Text,
            "what the answer is worth, beside the published values and all other runs",
        ),
        |r| r.verdict.to_string(),
    ),
    (
        field("solved", Unit::Flag, "whether the question is answered and nothing speaks against the answer"),
        |r| r.solved.to_string(),
    ),
    (field("incumbent", Unit::Queens, "queens of the best solution, checked independently"), |r| {
        shown(answer(r).incumbent)
    }),
    (field("dual_bound", Unit::Queens, "the dual bound as the solver states it, a float"), |r| {
        shown(answer(r).dual_bound)
    }),
    (
        field(
            "proved_bound",
            Unit::Queens,
            "the dual bound rounded to what it proves if the solver is right",
        ),
        |r| shown(answer(r).proved_bound),
    ),
    (
        field(
            "conditions",
            Unit::Text,
            "bounds that nothing in the run shows, archived or published, and that the answer rests on",
        ),
        |r| answer(r).conditions.join("; "),
    ),
    (
        field("root_lp_bound", Unit::Queens, "optimum of the LP relaxation, a float, where it was asked for"),
        |r| shown(answer(r).root_lp_bound),
    ),
    (field("nodes", Unit::Count, "branch-and-bound nodes"), |r| shown(answer(r).nodes)),
    (field("lp_iterations", Unit::Count, "simplex iterations"), |r| shown(answer(r).lp_iterations)),
    (field("wall_seconds", Unit::Seconds, "wall clock of the solve"), |r| answer(r).wall_seconds.to_string()),
    (field("cpu_seconds", Unit::Seconds, "processor time of the solve, model building included"), |r| {
        answer(r).cpu_seconds.to_string()
    }),
    (field("process_wall_seconds", Unit::Seconds, "wall clock of the process, as its parent saw it"), |r| {
        r.row.process.wall_seconds.to_string()
    }),
    (
        field(
            "process_cpu_seconds",
            Unit::Seconds,
            "processor time of the process, from the operating system",
        ),
        |r| r.row.process.cpu_seconds.to_string(),
    ),
    (field("peak_memory_bytes", Unit::Memory, "the most memory that the process held"), |r| {
        r.row.process.peak_memory_bytes.to_string()
    }),
    (field("model_rows", Unit::Count, "rows of the model"), |r| shown(answer(r).model_rows)),
    (field("model_columns", Unit::Count, "columns of the model"), |r| shown(answer(r).model_columns)),
    (field("model_nonzeros", Unit::Count, "nonzeros of the model"), |r| shown(answer(r).model_nonzeros)),
    (field("model_sha256", Unit::Text, "SHA-256 of the model's LP file"), |r| {
        shown(answer(r).model_sha256.as_deref())
    }),
    (field("certificate_sha256", Unit::Text, "SHA-256 of the certificate of the best solution"), |r| {
        shown(answer(r).certificate_sha256.as_deref())
    }),
    (field("failure", Unit::Text, "why there is no answer"), |r| shown(r.row.failure.as_deref())),
    (field("solver", Unit::Text, "name and version of the solver"), |r| shown(answer(r).solver.as_deref())),
    (field("host", Unit::Text, "the machine"), |r| r.row.provenance.host.clone()),
    (field("date", Unit::Text, "when the run ended, in UTC"), |r| r.row.provenance.date.clone()),
    (field("commit", Unit::Text, "commit of the workbench"), |r| r.row.provenance.commit.clone()),
];

const KUNT: [Field; 7] = [
    field("way", Unit::Text, "formulation, variant, and what else is not the default"),
    field("board", Unit::Text, "the board"),
    field("problem", Unit::Text, "what a solution is"),
    field(
        "queens",
        Unit::Queens,
        "the published maximum, or else the best solution of this folder: the largest, or the smallest where queens are minimised",
    ),
    field("runs", Unit::Count, "runs that have ended"),
    field("solved", Unit::Count, "those of them that solved their question"),
    field(
        "failed",
        Unit::Count,
        "those of them that gave no answer, be it that they were killed at a limit, or a wrong one",
    ),
];

const COMPARISON: [Field; 11] = [
    field(
        "scope",
        Unit::Text,
        "board: one board; all: the boards and seeds that every way of the problem was run with; solved by all: those of \
         them on whose boards every run was solved",
    ),
    field("board", Unit::Text, "the board, when the scope is one"),
    field("problem", Unit::Text, "what a solution is"),
    field("way", Unit::Text, "formulation, variant, and what else is not the default"),
    field("boards", Unit::Count, "boards in the scope"),
    field("runs", Unit::Count, "runs that have ended"),
    field("solved", Unit::Count, "those of them that solved their question"),
    field(
        "failed",
        Unit::Count,
        "those of them that gave no answer, be it that they were killed at a limit, or a wrong one",
    ),
    field(
        "fastest",
        Unit::Flag,
        "whether all runs were solved, and no other way that solved all has a smaller mean of seconds",
    ),
    field(
        "speedup",
        Unit::Ratio,
        "how many times as fast as the reference: ratio of the means on a board, of the shifted geometric means elsewhere; \
         empty when not all runs were solved",
    ),
    field(
        "speedup_at_least",
        Unit::Flag,
        "whether the reference did not solve all runs, so that the speed-up may be larger",
    ),
];

const MEASURES: [Field; 9] = [
    field(
        "seconds_mean",
        Unit::Seconds,
        "arithmetic mean; runs that were not solved count what they had taken, and failed ones that or their time limit, if that is longer, so it is at least this when solved < runs",
    ),
    field("seconds_min", Unit::Seconds, "minimum; of runs that were not solved, what they had taken"),
    field("seconds_max", Unit::Seconds, "maximum"),
    field(
        "lp_iterations_mean",
        Unit::Count,
        "arithmetic mean of simplex iterations; at least this when solved < runs",
    ),
    field("lp_iterations_min", Unit::Count, "minimum"),
    field("lp_iterations_max", Unit::Count, "maximum"),
    field(
        "nodes_mean",
        Unit::Count,
        "arithmetic mean of branch-and-bound nodes; at least this when solved < runs",
    ),
    field("nodes_min", Unit::Count, "minimum"),
    field("nodes_max", Unit::Count, "maximum"),
];

const GEOMETRIC: [Field; 3] = [
    field("seconds_geometric", Unit::Seconds, "geometric mean of seconds + 1, less 1"),
    field("lp_iterations_geometric", Unit::Count, "geometric mean of simplex iterations + 100, less 100"),
    field("nodes_geometric", Unit::Count, "geometric mean of nodes + 100, less 100"),
];

/// The entries of [`MEASURES`].
fn measures(summary: &Summary) -> Vec<String> {
    let Summary { seconds, lp_iterations, nodes, .. } = summary;
    let mut entries = [seconds.mean, seconds.least, seconds.most].map(|value| format!("{value:.6}")).to_vec();
    for measure in [lp_iterations, nodes] {
        entries.extend(match measure {
            Some(Measure { mean, least, most, .. }) => {
                [format!("{mean:.3}"), least.to_string(), most.to_string()]
            }
            None => [const { String::new() }; 3],
        });
    }
    entries
}

/// The entries of [`GEOMETRIC`].
fn geometric(summary: &Summary) -> Vec<String> {
    let count = |measure: Option<Measure>| shown(measure.map(|measure| format!("{:.3}", measure.geometric)));
    let seconds = format!("{:.6}", summary.seconds.geometric);
    vec![seconds, count(summary.lp_iterations), count(summary.nodes)]
}

fn kunt_rows(evaluation: &Evaluation) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for (configuration, name) in evaluation.configurations.iter().enumerate() {
        for (board, place) in evaluation.boards.iter().enumerate() {
            let Some(summary) = Summary::of(&evaluation.cell(configuration, board)) else { continue };
            let queens = shown(evaluation.queens(board).map(|(queens, _)| queens));
            let mut row = vec![name.clone(), place.board.clone(), place.problem.to_string(), queens];
            row.extend([summary.runs, summary.solved, summary.failed].map(|n| n.to_string()));
            row.extend(measures(&summary));
            rows.push(row);
        }
    }
    rows
}

/// What the ways of a problem are compared on: the summary of every way, where it has one.
struct Scope {
    name: &'static str,
    board: Option<usize>,
    boards: usize,
    reference: usize,
    configurations: Vec<Option<Summary>>,
}

impl Scope {
    fn board(evaluation: &Evaluation, board: usize) -> Self {
        let configurations = (0..evaluation.configurations.len())
            .map(|configuration| Summary::of(&evaluation.cell(configuration, board)))
            .collect();
        let reference = evaluation.reference_of(evaluation.boards[board].problem);
        Self { name: "board", board: Some(board), boards: 1, reference, configurations }
    }

    /// Every way on all boards and seeds that it shares with the others, or on those that were solved by all.
    fn shared(evaluation: &Evaluation, problem: Claim, solved: bool) -> Self {
        let common = evaluation.common(problem);
        let set = if solved { evaluation.solved_by_all(&common) } else { common };
        let configurations = (0..evaluation.configurations.len())
            .map(|configuration| Summary::of(&evaluation.among(configuration, &set)))
            .collect();
        let boards = set.iter().map(|(board, _)| board).collect::<std::collections::HashSet<_>>().len();
        let name = if solved { "solved by all" } else { "all" };
        Self { name, board: None, boards, reference: evaluation.reference_of(problem), configurations }
    }

    fn seconds(&self, summary: &Summary) -> f64 {
        if self.board.is_some() { summary.seconds.mean } else { summary.seconds.geometric }
    }

    /// The seconds of the fastest way that solved all runs.
    fn fastest(&self) -> Option<f64> {
        let all = self.configurations.iter().flatten().filter(|summary| summary.all_solved());
        all.map(|summary| self.seconds(summary)).min_by(f64::total_cmp)
    }

    fn is_fastest(&self, summary: &Summary) -> bool {
        summary.all_solved() && self.fastest().is_some_and(|fastest| self.seconds(summary) <= fastest)
    }

    /// The speed-up of a way against the reference, and whether it may be larger.
    fn speedup(&self, summary: &Summary) -> Option<(f64, bool)> {
        let reference = self.configurations[self.reference].as_ref().filter(|_| summary.all_solved())?;
        let (from, to) = (self.seconds(reference), self.seconds(summary));
        (to > 0.0).then(|| (from / to, !reference.all_solved()))
    }
}

/// The scopes of a problem.
fn scopes(evaluation: &Evaluation, problem: Claim) -> Vec<Scope> {
    let boards = evaluation.boards_of(problem).into_iter().map(|board| Scope::board(evaluation, board));
    boards.chain([false, true].map(|solved| Scope::shared(evaluation, problem, solved))).collect()
}

fn comparison_rows(evaluation: &Evaluation) -> Vec<Vec<String>> {
    let problems = evaluation.problems().into_iter();
    let scopes = problems
        .flat_map(|problem| scopes(evaluation, problem).into_iter().map(move |scope| (problem, scope)));
    let mut rows = Vec::new();
    for (problem, scope) in scopes {
        let board = shown(scope.board.map(|board| &evaluation.boards[board].board));
        for (configuration, summary) in evaluation.configurations.iter().zip(&scope.configurations) {
            let Some(summary) = summary else { continue };
            let speedup = scope.speedup(summary);
            let mut row =
                vec![scope.name.to_owned(), board.clone(), problem.to_string(), configuration.clone()];
            row.extend([scope.boards, summary.runs, summary.solved, summary.failed].map(|n| n.to_string()));
            row.push(scope.is_fastest(summary).to_string());
            row.push(shown(speedup.map(|(speedup, _)| format!("{speedup:.4}"))));
            row.push(shown(speedup.map(|(_, at_least)| at_least)));
            row.extend(measures(summary));
            row.extend(geometric(summary));
            rows.push(row);
        }
    }
    rows
}

/// Where every way takes less than so many seconds, none is marked as the fastest.
const MARKED_FROM: f64 = 0.1;

const NOTHING: &str = "–";

/// A number, marked when it is that of runs which were not all solved.
fn at_least(solved: bool, value: f64, decimals: usize) -> String {
    let sign = if solved { "" } else { "> " };
    format!("{sign}{value:.decimals$}")
}

/// What holds for all tables: clock, seeds, solvers, what is missing.
fn notes(evaluation: &Evaluation) -> String {
    let mut solvers: Vec<&str> =
        evaluation.runs.iter().filter_map(|run| run.row.answer.solver.as_deref()).collect();
    solvers.sort_unstable();
    solvers.dedup();
    let clock = match evaluation.clock {
        Clock::Wall => "wall clock",
        Clock::Cpu => "processor time",
    };
    let mut notes = format!("Times are {clock}, {}", seeds(evaluation));
    if evaluation.runs.is_empty() {
        "No run has ended".clone_into(&mut notes);
    }
    if !solvers.is_empty() {
        notes.push_str(&format!("; {}", solvers.join(", ")));
    }
    notes.push('.');
    if evaluation.runs.iter().any(|run| !run.solved) {
        notes.push_str(" > means at least: runs that were not solved count what they had taken.");
    }
    if evaluation.runs.iter().any(|run| !run.row.answer.conditions.is_empty()) {
        notes.push_str(
            " Some answers hold if archived or published bounds do; the raw rows name them as conditions.",
        );
    }
    let failed = evaluation.runs.iter().filter(|run| run.failed()).count();
    if failed > 0 {
        notes.push_str(&format!(" Runs without an answer, or with a wrong one: {failed}."));
    }
    let wrong = evaluation.in_contradiction();
    if wrong > 0 {
        notes.push_str(&format!(" CONTRADICTION: {wrong} of the answers cannot be right."));
    }
    if evaluation.missing > 0 {
        notes.push_str(&format!(" Not complete; runs that are missing: {}.", evaluation.missing));
    }
    notes
}

/// How many seeds the ways were run with on a board: all the same, or from the fewest to the most.
fn seeds(evaluation: &Evaluation) -> String {
    let numbers = evaluation.seeds();
    let (least, most) =
        (numbers.iter().min().copied().unwrap_or(0), numbers.iter().max().copied().unwrap_or(0));
    let plural = if most == 1 { "" } else { "s" };
    if least == most { format!("{most} seed{plural}") } else { format!("{least} to {most} seeds") }
}

fn boards(count: usize) -> String {
    format!("{count} board{}", if count == 1 { "" } else { "s" })
}

fn queens(evaluation: &Evaluation, board: usize) -> Entry {
    match evaluation.queens(board) {
        Some((queens, true)) if judge::maximises(evaluation.boards[board].problem) => format!("≥ {queens}"),
        Some((queens, true)) => format!("≤ {queens}"),
        Some((queens, false)) => queens.to_string(),
        None => NOTHING.to_owned(),
    }
    .into()
}

fn kunt(evaluation: &Evaluation, configuration: usize) -> Sheet {
    let head = |group: &str, name: &str| (group.to_owned(), name.to_owned());
    let mut heads = vec![head("", "board"), head("", "queens"), head("", "solved")];
    for group in ["time (s)", "LP iterations", "nodes"] {
        heads.extend(["mean", "min", "max"].map(|name| head(group, name)));
    }
    let mut rows = Vec::new();
    for board in 0..evaluation.boards.len() {
        let Some(summary) = Summary::of(&evaluation.cell(configuration, board)) else { continue };
        let Summary { runs, solved, seconds, .. } = &summary;
        let mut entries: Vec<Entry> = vec![
            evaluation.boards[board].board.clone().into(),
            queens(evaluation, board),
            format!("{solved} of {runs}").into(),
        ];
        let all = summary.all_solved();
        let mut push = |measure: Option<&Measure>, decimals: usize| {
            entries.extend(match measure {
                Some(measure) => {
                    let whole = if decimals == 2 { 2 } else { 0 };
                    [
                        at_least(all, measure.mean, decimals).into(),
                        at_least(measure.least_solved, measure.least, whole).into(),
                        at_least(all, measure.most, whole).into(),
                    ]
                }
                None => std::array::from_fn(|_| NOTHING.to_owned().into()),
            });
        };
        push(Some(seconds), 2);
        push(summary.lp_iterations.as_ref(), 1);
        push(summary.nodes.as_ref(), 1);
        rows.push(Line::Entries(entries));
    }
    let title = format!("{}: {}", evaluation.title, evaluation.configurations[configuration]);
    Sheet { title, notes: notes(evaluation), labels: 3, heads, rows }
}

fn comparison(evaluation: &Evaluation, problem: Claim) -> Sheet {
    let configurations = evaluation.configurations_of(problem);
    let head = |name: &str| (String::new(), name.to_owned());
    let mut heads = vec![head("board"), head("queens")];
    heads.extend(configurations.iter().map(|&configuration| head(&evaluation.configurations[configuration])));
    let title = evaluation.titled(problem);
    let mut rows = Vec::new();
    if configurations.is_empty() {
        return Sheet { title, notes: notes(evaluation), labels: 2, heads, rows };
    }
    for board in evaluation.boards_of(problem) {
        let scope = Scope::board(evaluation, board);
        let marked =
            scope.configurations.iter().flatten().any(|summary| scope.seconds(summary) >= MARKED_FROM);
        let printed = |seconds: f64| format!("{seconds:.2}");
        let fastest = scope.fastest().filter(|_| marked).map(printed);
        let mut entries = vec![evaluation.boards[board].board.clone().into(), queens(evaluation, board)];
        entries.extend(configurations.iter().map(|&configuration| {
            match &scope.configurations[configuration] {
                None => NOTHING.to_owned().into(),
                Some(summary) => Entry {
                    text: at_least(summary.all_solved(), scope.seconds(summary), 2),
                    bold: summary.all_solved() && fastest == Some(printed(scope.seconds(summary))),
                },
            }
        }));
        rows.push(Line::Entries(entries));
    }
    rows.push(Line::Rule);
    let all = Scope::shared(evaluation, problem, false);
    let solved = Scope::shared(evaluation, problem, true);
    let sum = |what: &str, over: &str, of: &dyn Fn(usize) -> Option<String>| {
        let entries = configurations
            .iter()
            .map(|&configuration| of(configuration).unwrap_or_else(|| NOTHING.to_owned()).into());
        Line::Sum { what: what.to_owned(), over: over.to_owned(), entries: entries.collect() }
    };
    let on_solved = format!("{} solved by all", boards(solved.boards));
    for (scope, over) in [(&all, &boards(all.boards)), (&solved, &on_solved)] {
        rows.push(sum("geometric mean", over, &|configuration| {
            scope.configurations[configuration]
                .as_ref()
                .map(|summary| at_least(summary.all_solved(), scope.seconds(summary), 2))
        }));
    }
    rows.push(sum("speed-up", &on_solved, &|configuration| {
        let (speedup, _) = solved.speedup(solved.configurations[configuration].as_ref()?)?;
        Some(format!("{speedup:.2}"))
    }));
    let of_configuration = |configuration: usize, count: &dyn Fn(&&Run) -> bool| {
        let runs = evaluation.runs.iter().filter(|run| run.configuration == configuration);
        runs.filter(|run| evaluation.boards[run.board].problem == problem).filter(count).count()
    };
    rows.push(sum("runs solved", "", &|configuration| {
        Some(format!(
            "{} of {}",
            of_configuration(configuration, &|run| run.solved),
            of_configuration(configuration, &|_| true)
        ))
    }));
    if configurations.iter().any(|&configuration| of_configuration(configuration, &|run| run.failed()) > 0) {
        rows.push(sum("runs failed", "", &|configuration| {
            Some(of_configuration(configuration, &|run| run.failed()).to_string())
        }));
    }
    let notes = format!(
        "Mean seconds of each way. {} Bold: the fastest, where some way takes {MARKED_FROM} s or more. Geometric means are shifted \
         by 1 s, over the boards and seeds that every way was run with. Speed-up against {}.",
        notes(evaluation),
        evaluation.configurations[evaluation.reference_of(problem)]
    );
    Sheet { title, notes, labels: 2, heads, rows }
}
