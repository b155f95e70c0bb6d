//! Tables of an experiment, in three layouts.

use std::path::{Path, PathBuf};

use ndqueens_notation::certificate::Problem;
use ndqueens_notation::counted::counted;
use ndqueens_report::column::{self, Column, Data, Field};
use ndqueens_report::sheet::{Entry, Line, Sheet, Style};
use ndqueens_system::file::{self, FileError};

use crate::columns::{Aggregate, COMPARISON, GEOMETRIC, KUNT, MEASURES, RAW};
use crate::definition::Clock;
use crate::evaluation::{Evaluation, Measure, Run, Summary};
use crate::{judge, relaxations};

/// Layout of a table.
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// A table for every configuration, a row for every board: mean, minimum, maximum of time, simplex
    /// iterations and nodes.
    Kunt,
    /// All configurations side by side, the fastest marked, with a summary.
    Comparison,
    /// A row for every run.
    Raw,
    /// LP bounds of relaxations, their gaps to the best known numbers of queens, and the share of the gap of
    /// base that they close.
    Relaxations,
}

impl Layout {
    /// All layouts.
    pub const ALL: [Self; 4] = [Self::Raw, Self::Kunt, Self::Comparison, Self::Relaxations];

    /// Returns the name of the layout, which is also the stem of its files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Kunt => "kunt",
            Self::Comparison => "comparison",
            Self::Relaxations => "relaxations",
        }
    }

    /// Returns the columns of its data.
    #[must_use]
    pub fn fields(self) -> Vec<Field> {
        match self {
            Self::Raw => RAW.iter().map(|column| column.field).collect(),
            Self::Relaxations => relaxations::COLUMNS.iter().map(|column| column.field).collect(),
            Self::Kunt | Self::Comparison => self.aggregates().iter().map(|column| column.field).collect(),
        }
    }

    /// Returns the columns of its data, if its rows are summaries of runs.
    fn aggregates(self) -> Vec<&'static Column<Aggregate>> {
        match self {
            Self::Raw | Self::Relaxations => Vec::new(),
            Self::Kunt => KUNT.iter().chain(&MEASURES).collect(),
            Self::Comparison => COMPARISON.iter().chain(&MEASURES).chain(&GEOMETRIC).collect(),
        }
    }
}

/// Returns the data of a table.
#[must_use]
pub fn data(evaluation: &Evaluation, layout: Layout) -> Data {
    match layout {
        Layout::Raw => Data::of(&RAW.iter().collect::<Vec<_>>(), &evaluation.runs),
        Layout::Kunt => Data::of(&layout.aggregates(), &of_every_way(evaluation)),
        Layout::Comparison => Data::of(&layout.aggregates(), &of_every_scope(evaluation)),
        Layout::Relaxations => {
            Data::of(&relaxations::COLUMNS.iter().collect::<Vec<_>>(), &relaxations::rows(evaluation))
        }
    }
}

/// Returns the tables formatted for reading; the raw layout has none.
#[must_use]
pub fn sheets(evaluation: &Evaluation, layout: Layout) -> Vec<Sheet> {
    match layout {
        Layout::Raw => Vec::new(),
        Layout::Kunt => (0..evaluation.configurations.len())
            .filter(|&configuration| !evaluation.is_relaxation(configuration))
            .map(|configuration| kunt(evaluation, configuration))
            .collect(),
        Layout::Relaxations => {
            let rows = relaxations::rows(evaluation);
            vec![relaxations::sheet(&rows, evaluation.title.clone(), &notes(evaluation))]
        }
        Layout::Comparison => {
            let mut problems = evaluation.problems();
            if problems.is_empty() {
                // A sheet without rows still has notes on the missing runs.
                problems.push(Problem::default());
            }
            problems.into_iter().map(|problem| comparison(evaluation, problem)).collect()
        }
    }
}

/// Format of a table.
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values with a header line.
    Csv,
    /// A Markdown table.
    Markdown,
    /// A LaTeX table, which needs the packages booktabs, adjustbox and longtable.
    Latex,
}

impl Format {
    /// Returns the extension of its files.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Markdown => "md",
            Self::Latex => "tex",
        }
    }
}

/// Returns a table as text, or `None` if the layout does not exist in this format. Equal rows give equal
/// bytes.
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

/// Returns the descriptions of the data tables.
#[must_use]
pub fn tables() -> [column::Table; 4] {
    let title = |layout| match layout {
        Layout::Raw => "Runs of an experiment",
        Layout::Kunt => "Each configuration on each board",
        Layout::Comparison => "Configurations side by side, on each board and over all",
        Layout::Relaxations => "LP bounds of relaxations on each board",
    };
    Layout::ALL.map(|layout| column::Table {
        name: layout.name(),
        title: title(layout),
        fields: layout.fields(),
    })
}

/// Returns the data dictionary as CSV: the meaning of every column of the data tables.
#[must_use]
pub fn columns() -> String {
    column::dictionary(&tables())
}

/// Writes all tables in all formats and the data dictionary into a folder, which is created if necessary.
/// Returns their paths.
///
/// # Errors
/// Returns an error if a file cannot be written.
pub fn write(evaluation: &Evaluation, folder: &Path) -> Result<Vec<PathBuf>, FileError> {
    file::make_folder(folder)?;
    let mut texts = vec![("columns.csv".to_owned(), columns())];
    let has_relaxations = evaluation.runs.iter().any(|run| run.row.planned.is_relaxation());
    for layout in Layout::ALL.into_iter().filter(|layout| has_relaxations || *layout != Layout::Relaxations) {
        for format in [Format::Csv, Format::Markdown, Format::Latex] {
            if let Some(text) = text(evaluation, layout, format) {
                texts.push((format!("{}.{}", layout.name(), format.extension()), text));
            }
        }
    }
    let paths = texts.iter().map(|(name, text)| {
        let path = folder.join(name);
        file::write_plain(&path, |out| out.write_all(text.as_bytes()))?;
        Ok(path)
    });
    paths.collect()
}

/// Set of boards and seeds on which the configurations of a problem are compared, with the summary of every
/// configuration that has runs there.
struct Scope {
    name: &'static str,
    problem: Problem,
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
        let problem = evaluation.boards[board].problem;
        let reference = evaluation.reference_of(problem);
        Self { name: "board", problem, board: Some(board), boards: 1, reference, configurations }
    }

    /// Returns the scope of all boards and seeds that the configurations of a problem share, or only of those
    /// on boards that all of them solved.
    fn of_problem(evaluation: &Evaluation, problem: Problem, solved: bool) -> Self {
        let common = evaluation.common(problem);
        let set = if solved { evaluation.solved_by_all(&common) } else { common };
        let configurations = (0..evaluation.configurations.len())
            .map(|configuration| Summary::of(&evaluation.among(configuration, &set)))
            .collect();
        let boards = set.iter().map(|(board, _)| board).collect::<std::collections::HashSet<_>>().len();
        let name = if solved { "solved by all" } else { "all" };
        let reference = evaluation.reference_of(problem);
        Self { name, problem, board: None, boards, reference, configurations }
    }

    fn seconds(&self, summary: &Summary) -> f64 {
        if self.board.is_some() { summary.seconds.mean } else { summary.seconds.geometric }
    }

    /// Returns the seconds of the fastest configuration that solved all runs.
    fn fastest(&self) -> Option<f64> {
        let all = self.configurations.iter().flatten().filter(|summary| summary.is_solved());
        all.map(|summary| self.seconds(summary)).min_by(f64::total_cmp)
    }

    fn is_fastest(&self, summary: &Summary) -> bool {
        summary.is_solved() && self.fastest().is_some_and(|fastest| self.seconds(summary) <= fastest)
    }

    /// Returns the speed-up of a configuration relative to the reference, and `true` if the real one may be
    /// larger. Returns `None` if not all of its runs were solved.
    fn speedup(&self, summary: &Summary) -> Option<(f64, bool)> {
        let reference = self.configurations[self.reference].as_ref().filter(|_| summary.is_solved())?;
        let (from, to) = (self.seconds(reference), self.seconds(summary));
        (to > 0.0).then(|| (from / to, !reference.is_solved()))
    }

    /// Returns the row of a configuration, if it has runs here.
    fn row(&self, evaluation: &Evaluation, configuration: usize) -> Option<Aggregate> {
        let summary = self.configurations[configuration]?;
        Some(Aggregate {
            scope: self.name,
            boards: self.boards,
            board: self.board.map(|board| evaluation.boards[board].board.clone()),
            problem: self.problem,
            configuration: evaluation.configurations[configuration].clone(),
            queens: self.board.and_then(|board| evaluation.queens(board)).map(|(queens, _)| queens),
            fastest: self.is_fastest(&summary),
            speedup: self.speedup(&summary),
            summary,
        })
    }
}

/// Returns the scopes of a problem.
fn scopes(evaluation: &Evaluation, problem: Problem) -> Vec<Scope> {
    let boards = evaluation.boards_of(problem).into_iter().map(|board| Scope::board(evaluation, board));
    boards.chain([false, true].map(|solved| Scope::of_problem(evaluation, problem, solved))).collect()
}

/// Returns a row for every configuration and board.
fn of_every_way(evaluation: &Evaluation) -> Vec<Aggregate> {
    let boards = 0..evaluation.boards.len();
    let scopes: Vec<Scope> = boards.map(|board| Scope::board(evaluation, board)).collect();
    let configurations = (0..evaluation.configurations.len()).filter(|&c| !evaluation.is_relaxation(c));
    configurations
        .flat_map(|configuration| scopes.iter().filter_map(move |scope| scope.row(evaluation, configuration)))
        .collect()
}

/// Returns a row for every scope of every problem and every configuration.
fn of_every_scope(evaluation: &Evaluation) -> Vec<Aggregate> {
    let scopes = evaluation.problems().into_iter().flat_map(|problem| scopes(evaluation, problem));
    scopes
        .flat_map(|scope| {
            let configurations =
                (0..evaluation.configurations.len()).filter(|&c| !evaluation.is_relaxation(c));
            configurations
                .filter_map(|configuration| scope.row(evaluation, configuration))
                .collect::<Vec<_>>()
        })
        .collect()
}

/// Minimum seconds of the slowest configuration for the fastest one to be marked.
const MARKED_FROM: f64 = 0.1;

const NOTHING: &str = "–";

/// Formats a number, preceded by `> ` if not all of its runs were solved.
fn at_least(solved: bool, value: f64, decimals: usize) -> String {
    let sign = if solved { "" } else { "> " };
    format!("{sign}{value:.decimals$}")
}

/// Returns the notes common to all tables: clock, seeds, solvers, missing runs.
fn notes(evaluation: &Evaluation) -> String {
    let mut solvers: Vec<&str> =
        evaluation.runs.iter().filter_map(|run| run.row.answer.solver.as_deref()).collect();
    solvers.sort_unstable();
    solvers.dedup();
    let clock = match evaluation.clock {
        Clock::Wall => "wall clock",
        Clock::Cpu => "CPU time",
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
        notes.push_str(" > means at least: unsolved runs count with what they took.");
    }
    if evaluation.runs.iter().any(|run| !run.row.answer.conditions.is_empty()) {
        notes.push_str(
            " Some answers hold if archived or published bounds do; runs.jsonl names them as conditions.",
        );
    }
    let failed = evaluation.runs.iter().filter(|run| run.has_failed()).count();
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

/// Returns the number of seeds per configuration and board, as a range if it varies.
fn seeds(evaluation: &Evaluation) -> String {
    let numbers = evaluation.seeds();
    let (least, most) =
        (numbers.iter().min().copied().unwrap_or(0), numbers.iter().max().copied().unwrap_or(0));
    if least == most { counted(most, "seed") } else { format!("{least} to {most} seeds") }
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
        let all = summary.is_solved();
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
    Sheet { title, notes: notes(evaluation), labels: 3, words: &[], heads, rows }
}

fn comparison(evaluation: &Evaluation, problem: Problem) -> Sheet {
    let configurations = evaluation.configurations_of(problem);
    let head = |name: &str| (String::new(), name.to_owned());
    let mut heads = vec![head("board"), head("queens")];
    heads.extend(configurations.iter().map(|&configuration| head(&evaluation.configurations[configuration])));
    let title = evaluation.title_for(problem);
    let mut rows = Vec::new();
    if configurations.is_empty() {
        return Sheet { title, notes: notes(evaluation), labels: 2, words: &[], heads, rows };
    }
    rows.extend(
        evaluation.boards_of(problem).into_iter().map(|board| board_line(evaluation, &configurations, board)),
    );
    rows.push(Line::Rule);
    rows.extend(summary_lines(evaluation, &configurations, problem));
    let notes = format!(
        "Mean seconds of each configuration. {} Bold: the fastest, where some configuration takes {MARKED_FROM} s or more. Geometric means are shifted \
         by 1 s, over the boards and seeds that every configuration was run with. Speed-up against {}.",
        notes(evaluation),
        evaluation.configurations[evaluation.reference_of(problem)]
    );
    Sheet { title, notes, labels: 2, words: &[], heads, rows }
}

/// Returns the mean seconds of each configuration on a board.
fn board_line(evaluation: &Evaluation, configurations: &[usize], board: usize) -> Line {
    let scope = Scope::board(evaluation, board);
    let marked = scope.configurations.iter().flatten().any(|summary| scope.seconds(summary) >= MARKED_FROM);
    let printed = |seconds: f64| format!("{seconds:.2}");
    let fastest = scope.fastest().filter(|_| marked).map(printed);
    let mut entries = vec![evaluation.boards[board].board.clone().into(), queens(evaluation, board)];
    entries.extend(configurations.iter().map(|&configuration| match &scope.configurations[configuration] {
        None => NOTHING.to_owned().into(),
        Some(summary) => {
            let (is_solved, seconds) = (summary.is_solved(), scope.seconds(summary));
            let is_fastest = is_solved && fastest == Some(printed(seconds));
            let style = if is_fastest { Style::Bold } else { Style::Plain };
            Entry { text: at_least(is_solved, seconds, 2), style }
        }
    }));
    Line::Entries(entries)
}

/// Returns the lines with means, speed-ups and numbers of runs over all boards.
fn summary_lines(evaluation: &Evaluation, configurations: &[usize], problem: Problem) -> Vec<Line> {
    let all = Scope::of_problem(evaluation, problem, false);
    let solved = Scope::of_problem(evaluation, problem, true);
    let sum = |what: &str, over: &str, of: &dyn Fn(usize) -> Option<String>| {
        let entry = |&configuration| of(configuration).unwrap_or_else(|| NOTHING.to_owned()).into();
        let entries = configurations.iter().map(entry).collect();
        Line::Sum { what: what.to_owned(), over: over.to_owned(), entries }
    };
    let mean = |scope: &Scope, configuration: usize| {
        let summary = scope.configurations[configuration].as_ref()?;
        Some(at_least(summary.is_solved(), scope.seconds(summary), 2))
    };
    let number = |configuration: usize, is_counted: &dyn Fn(&&Run) -> bool| {
        let runs = evaluation.runs.iter().filter(|run| run.configuration == configuration);
        runs.filter(|run| evaluation.boards[run.board].problem == problem).filter(is_counted).count()
    };
    let on_solved = format!("{} solved by all", counted(solved.boards, "board"));
    let mut lines = vec![
        sum("geometric mean", &counted(all.boards, "board"), &|configuration| mean(&all, configuration)),
        sum("geometric mean", &on_solved, &|configuration| mean(&solved, configuration)),
        sum("speed-up", &on_solved, &|configuration| {
            let (speedup, _) = solved.speedup(solved.configurations[configuration].as_ref()?)?;
            Some(format!("{speedup:.2}"))
        }),
        sum("runs solved", "", &|configuration| {
            let solved = number(configuration, &|run| run.solved);
            Some(format!("{solved} of {}", number(configuration, &|_| true)))
        }),
    ];
    let failed = |configuration| number(configuration, &|run| run.has_failed());
    if configurations.iter().any(|&configuration| failed(configuration) > 0) {
        lines.push(sum("runs failed", "", &|configuration| Some(failed(configuration).to_string())));
    }
    lines
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use ndqueens_notation::certificate::Problem;
    use ndqueens_workflow::record::Outcome;

    use super::*;
    use crate::definition::Tables;
    use crate::sample::{row, sample_run, shows};
    use crate::store::{Finished, Found};

    /// Board without published values.
    const BOARD: &str = "2x3x4";
    const FOUR: &[&[u32]] = &[&[0, 0, 0], &[0, 2, 1], &[1, 0, 2], &[1, 2, 3]];

    fn sample_row(formulation: &str, seed: u32, outcome: Outcome, seconds: f64) -> Finished {
        let mut answer = shows(outcome, BOARD, Problem::IndependentSet, FOUR);
        answer.wall_seconds = seconds;
        row(sample_run(BOARD, formulation, "maximise", seed), answer)
    }

    /// Evaluation in which `base` solves both seeds in 1 s and 3 s, and `cube` only the first one, in 1 s.
    fn evaluation() -> Evaluation {
        let rows = vec![
            sample_row("base", 0, Outcome::Optimal, 1.0),
            sample_row("base", 1, Outcome::Optimal, 3.0),
            sample_row("cube", 0, Outcome::Optimal, 1.0),
            sample_row("cube", 1, Outcome::Feasible, 5.0),
        ];
        let found =
            Found { title: "t".to_owned(), tables: Tables::default(), rows, missing: 0, others: Vec::new() };
        Evaluation::of(found, None)
    }

    /// Returns the values of a layout's rows in some columns.
    fn entries(layout: Layout, columns: &[&str]) -> Vec<String> {
        let data = data(&evaluation(), layout);
        let place = |name: &&str| data.fields.iter().position(|field| field.name == *name).expect("a column");
        let places: Vec<usize> = columns.iter().map(place).collect();
        let row = |row: &Vec<String>| places.iter().map(|&at| row[at].as_str()).collect::<Vec<_>>().join(" ");
        data.rows.iter().map(row).collect()
    }

    #[test]
    fn every_column_has_a_name_of_its_own_and_is_explained() {
        let dictionary = columns();
        for layout in Layout::ALL {
            let fields = layout.fields();
            let names: HashSet<&str> = fields.iter().map(|field| field.name).collect();
            assert_eq!(names.len(), fields.len(), "{layout:?}");
            for field in fields {
                assert!(!field.meaning.is_empty(), "{field:?}");
                let line = format!("\n{},{},", layout.name(), field.name);
                assert_eq!(dictionary.matches(&line).count(), 1, "{line}");
            }
        }
    }

    #[test]
    fn rows_say_what_was_run_and_what_it_took() {
        let raw = entries(Layout::Raw, &["board", "configuration", "seed", "solved", "wall_seconds"]);
        assert_eq!(raw[0], "2x3x4 base 0 true 1");
        assert_eq!(raw[3], "2x3x4 cube 1 false 5");
        let kunt = entries(
            Layout::Kunt,
            &["configuration", "queens", "runs", "solved", "seconds_mean", "nodes_mean"],
        );
        assert_eq!(kunt, ["base 4 2 2 2.000000 ", "cube 4 2 1 3.000000 "]);
    }

    #[test]
    fn ways_are_compared_on_each_board_on_all_and_on_what_all_solved() {
        let columns =
            ["scope", "configuration", "boards", "solved", "fastest", "speedup", "seconds_geometric"];
        let expected = [
            "board base 1 2 true 1.0000 1.828427",
            "board cube 1 1 false  2.464102",
            "all base 1 2 true 1.0000 1.828427",
            "all cube 1 1 false  2.464102",
        ];
        assert_eq!(entries(Layout::Comparison, &columns), expected);
    }

    #[test]
    fn what_was_not_solved_is_printed_as_at_least() {
        let text = text(&evaluation(), Layout::Comparison, Format::Markdown).expect("a sheet");
        assert!(text.contains("| 2x3x4 | 4 | **2.00** | > 3.00 |\n"), "{text}");
        assert!(text.contains("| speed-up, 0 boards solved by all |  | – | – |\n"), "{text}");
        assert!(text.contains("| runs solved |  | 2 of 2 | 1 of 2 |\n"), "{text}");
    }
}
