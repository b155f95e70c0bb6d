//! Columns of an experiment's tables: name, unit, meaning, and the function that computes the value of a row.

use ndqueens_notation::certificate::Problem;
use ndqueens_report::column::{Column, Unit};
use ndqueens_workflow::record::{Answer, Question};

use crate::evaluation::{Measure, Run, Summary};
use crate::trajectory;

/// Summary of the runs of a configuration on one or several boards.
#[derive(Debug, Clone)]
pub(crate) struct Aggregate {
    /// Name of the set of boards and seeds that is summarised.
    pub(crate) scope: &'static str,
    /// Number of boards in that set.
    pub(crate) boards: usize,
    /// Board, if the set has only one.
    pub(crate) board: Option<String>,
    /// Problem that the runs solve.
    pub(crate) problem: Problem,
    /// The configuration.
    pub(crate) configuration: String,
    /// Published maximum, or else the best solution in this folder.
    pub(crate) queens: Option<u64>,
    /// `true` if all runs were solved and no other configuration that solved all took less time.
    pub(crate) fastest: bool,
    /// Speed-up relative to the reference, and `true` if the real one may be larger.
    pub(crate) speedup: Option<(f64, bool)>,
    /// The runs.
    pub(crate) summary: Summary,
}

fn format_option<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

fn question(run: &Run) -> &Question {
    &run.row.planned.question
}

fn answer(run: &Run) -> &Answer {
    &run.row.answer
}

/// Columns of the raw table, which has one row per run.
pub(crate) static RAW: &[Column<Run>] = &[
    Column::new("id", Unit::Text, "digest of what defines the run", |r| r.row.planned.id.clone()),
    Column::new("board", Unit::Text, "the board", |r| question(r).board.to_string()),
    Column::new("problem", Unit::Text, "what a solution is", |r| r.row.planned.problem.to_string()),
    Column::new("configuration", Unit::Text, "formulation, variant, and what else is not the default", |r| {
        r.row.planned.configuration()
    }),
    Column::new("formulation", Unit::Text, "the formulation; none for the exact engine", |r| {
        question(r).formulation().to_owned()
    }),
    Column::new("variant", Unit::Text, "what is asked, in the words of the experiment file", |r| {
        r.row.planned.variant.clone()
    }),
    Column::new("asked", Unit::Queens, "the number of queens that the question names", |r| {
        format_option(question(r).target())
    }),
    Column::new("start", Unit::Text, "the warm start", |r| question(r).start.to_string()),
    Column::new("backend", Unit::Text, "what solves it", |r| r.row.planned.backend().to_owned()),
    Column::new("seed", Unit::Count, "the solver's random seed", |r| r.seed().to_string()),
    Column::new("threads", Unit::Count, "the solver's threads", |r| question(r).threads.to_string()),
    Column::new("time_limit_seconds", Unit::Seconds, "wall-clock limit of the solve", |r| {
        format_option(question(r).time_limit_seconds)
    }),
    Column::new("node_limit", Unit::Count, "limit of branch-and-bound nodes", |r| {
        format_option(question(r).node_limit)
    }),
    Column::new("memory_limit_mib", Unit::Memory, "limit of the process's address space, in MiB", |r| {
        format_option(r.row.planned.memory_limit_mib)
    }),
    Column::new("presolve", Unit::Flag, "presolve, where it was not left to the solver", |r| {
        format_option(question(r).presolve)
    }),
    Column::new("symmetry", Unit::Flag, "symmetry detection, where it was not left to the solver", |r| {
        format_option(question(r).symmetry)
    }),
    Column::new("stop", Unit::Text, "why the run stopped", |r| answer(r).stop.to_string()),
    Column::new("outcome", Unit::Text, "optimal, infeasible, feasible or unknown, as the solver says", |r| {
        answer(r).outcome.to_string()
    }),
    Column::new(
        "verdict",
        Unit::Text,
        "what the answer is worth, compared with the published values and all other runs",
        |r| r.verdict.to_string(),
    ),
    Column::new(
        "solved",
        Unit::Flag,
        "whether the question is answered and nothing speaks against the answer",
        |r| r.solved.to_string(),
    ),
    Column::new("incumbent", Unit::Queens, "queens of the best solution, checked independently", |r| {
        format_option(answer(r).incumbent)
    }),
    Column::new("dual_bound", Unit::Queens, "the dual bound as the solver states it, a float", |r| {
        format_option(answer(r).dual_bound)
    }),
    Column::new(
        "proved_bound",
        Unit::Queens,
        "the dual bound rounded to what it proves if the solver is right",
        |r| format_option(answer(r).proved_bound),
    ),
    Column::new(
        "conditions",
        Unit::Count,
        "how many bounds the answer rests on that nothing in the run shows, archived or published; runs.jsonl lists them",
        |r| answer(r).conditions.len().to_string(),
    ),
    Column::new(
        "root_lp_bound",
        Unit::Queens,
        "optimum of the LP relaxation, a float, where it was asked for",
        |r| format_option(answer(r).root_lp_bound),
    ),
    Column::new("nodes", Unit::Count, "branch-and-bound nodes", |r| format_option(answer(r).nodes)),
    Column::new("solutions", Unit::Count, "maximum solutions, where they were counted", |r| {
        format_option(answer(r).solutions.as_deref())
    }),
    Column::new("up_to_symmetry", Unit::Count, "the same up to symmetry", |r| {
        format_option(answer(r).up_to_symmetry.as_deref())
    }),
    Column::new("lp_iterations", Unit::Count, "simplex iterations", |r| {
        format_option(answer(r).lp_iterations)
    }),
    Column::new("cuts", Unit::Count, "cliques that the engine lp has separated", |r| {
        format_option(answer(r).cuts)
    }),
    Column::new("wall_seconds", Unit::Seconds, "wall clock of the solve", |r| {
        answer(r).wall_seconds.to_string()
    }),
    Column::new(
        "seconds_to_best",
        Unit::Seconds,
        "when the solver had its best solution; the time of the run if it reported it only at its end",
        |r| format_option(trajectory::seconds_to_best(&r.row)),
    ),
    Column::new(
        "primal_dual_integral",
        Unit::Seconds,
        "integral over time of the gap between incumbent and bound, 1 if one is missing, for optima only",
        |r| format_option(trajectory::primal_dual_integral(&r.row)),
    ),
    Column::new("cpu_seconds", Unit::Seconds, "CPU time of the solve, model building included", |r| {
        answer(r).cpu_seconds.to_string()
    }),
    Column::new(
        "process_wall_seconds",
        Unit::Seconds,
        "wall clock of the process, as its parent saw it",
        |r| r.row.process.wall_seconds.to_string(),
    ),
    Column::new(
        "process_cpu_seconds",
        Unit::Seconds,
        "CPU time of the process, from the operating system",
        |r| r.row.process.cpu_seconds.to_string(),
    ),
    Column::new("peak_memory_bytes", Unit::Memory, "the most memory that the process held", |r| {
        r.row.process.peak_memory_bytes.to_string()
    }),
    Column::new("model_rows", Unit::Count, "rows of the model", |r| format_option(answer(r).model_rows)),
    Column::new("model_columns", Unit::Count, "columns of the model", |r| {
        format_option(answer(r).model_columns)
    }),
    Column::new("model_nonzeros", Unit::Count, "nonzeros of the model", |r| {
        format_option(answer(r).model_nonzeros)
    }),
    Column::new("model_sha256", Unit::Text, "SHA-256 of the model's LP file", |r| {
        format_option(answer(r).model_sha256.as_deref())
    }),
    Column::new("certificate_sha256", Unit::Text, "SHA-256 of the certificate of the best solution", |r| {
        format_option(answer(r).certificate_sha256.as_deref())
    }),
    Column::new("failure", Unit::Text, "why there is no answer", |r| format_option(r.row.failure.as_deref())),
    Column::new("solver", Unit::Text, "name and version of the solver", |r| {
        format_option(answer(r).solver.as_deref())
    }),
    Column::new("host", Unit::Text, "the machine", |r| r.row.provenance.host.clone()),
    Column::new("cpu", Unit::Text, "the model of its CPU, if the system reports it", |r| {
        format_option(r.row.provenance.cpu.as_deref())
    }),
    Column::new("job", Unit::Text, "the job of the scheduler, where there is one", |r| {
        format_option(r.row.provenance.job.as_deref())
    }),
    Column::new("date", Unit::Text, "when the run ended, in UTC", |r| r.row.provenance.date.clone()),
    Column::new("commit", Unit::Text, "commit of the workbench", |r| r.row.provenance.commit.clone()),
];

const WAY: Column<Aggregate> =
    Column::new("configuration", Unit::Text, "formulation, variant, and what else is not the default", |a| {
        a.configuration.clone()
    });
const PROBLEM: Column<Aggregate> =
    Column::new("problem", Unit::Text, "what a solution is", |a| a.problem.to_string());
const RUNS: Column<Aggregate> =
    Column::new("runs", Unit::Count, "runs that have ended", |a| a.summary.runs.to_string());
const SOLVED: Column<Aggregate> =
    Column::new("solved", Unit::Count, "those of them that solved their question", |a| {
        a.summary.solved.to_string()
    });
const FAILED: Column<Aggregate> = Column::new(
    "failed",
    Unit::Count,
    "those of them that gave no answer, because they were killed at a limit, or a wrong one",
    |a| a.summary.failed.to_string(),
);

/// Columns that identify a row of the tables per configuration, which follow the layout of the source.
pub(crate) static KUNT: [Column<Aggregate>; 7] = [
    WAY,
    Column::new("board", Unit::Text, "the board", |a| format_option(a.board.as_ref())),
    PROBLEM,
    Column::new(
        "queens",
        Unit::Queens,
        "the published maximum, or else the best solution of this folder: the largest, or the smallest where queens are minimised",
        |a| format_option(a.queens),
    ),
    RUNS,
    SOLVED,
    FAILED,
];

/// Columns that identify a row of the table that compares all configurations.
pub(crate) static COMPARISON: [Column<Aggregate>; 11] = [
    Column::new(
        "scope",
        Unit::Text,
        "board: one board; all: the boards and seeds that every configuration of the problem was run with; solved by all: those of \
         them on whose boards every run was solved",
        |a| a.scope.to_owned(),
    ),
    Column::new("board", Unit::Text, "the board, when the scope is one", |a| format_option(a.board.as_ref())),
    PROBLEM,
    WAY,
    Column::new("boards", Unit::Count, "boards in the scope", |a| a.boards.to_string()),
    RUNS,
    SOLVED,
    FAILED,
    Column::new(
        "fastest",
        Unit::Flag,
        "whether all runs were solved, and no other configuration that solved all has a smaller mean of seconds",
        |a| a.fastest.to_string(),
    ),
    Column::new(
        "speedup",
        Unit::Ratio,
        "how many times as fast as the reference: ratio of the means on a board, of the shifted geometric means elsewhere; \
         empty when not all runs were solved",
        |a| format_option(a.speedup.map(|(speedup, _)| format!("{speedup:.4}"))),
    ),
    Column::new(
        "speedup_at_least",
        Unit::Flag,
        "whether the reference did not solve all runs, so that the speed-up may be larger",
        |a| format_option(a.speedup.map(|(_, at_least)| at_least)),
    ),
];

/// Columns for time, simplex iterations and nodes.
pub(crate) static MEASURES: [Column<Aggregate>; 9] = [
    Column::new(
        "seconds_mean",
        Unit::Seconds,
        "arithmetic mean; an unsolved run counts with the time that it took, a failed one with that or its time limit, whichever is longer; a lower bound if solved < runs",
        |a| format!("{:.6}", a.summary.seconds.mean),
    ),
    Column::new(
        "seconds_min",
        Unit::Seconds,
        "minimum; unsolved runs count with the time that they took",
        |a| format!("{:.6}", a.summary.seconds.least),
    ),
    Column::new("seconds_max", Unit::Seconds, "maximum", |a| format!("{:.6}", a.summary.seconds.most)),
    Column::new(
        "lp_iterations_mean",
        Unit::Count,
        "arithmetic mean of simplex iterations; at least this when solved < runs",
        |a| thousandths(a.summary.lp_iterations, |measure| measure.mean),
    ),
    Column::new("lp_iterations_min", Unit::Count, "minimum", |a| {
        format_option(a.summary.lp_iterations.map(|measure| measure.least))
    }),
    Column::new("lp_iterations_max", Unit::Count, "maximum", |a| {
        format_option(a.summary.lp_iterations.map(|measure| measure.most))
    }),
    Column::new(
        "nodes_mean",
        Unit::Count,
        "arithmetic mean of branch-and-bound nodes; at least this when solved < runs",
        |a| thousandths(a.summary.nodes, |measure| measure.mean),
    ),
    Column::new("nodes_min", Unit::Count, "minimum", |a| {
        format_option(a.summary.nodes.map(|measure| measure.least))
    }),
    Column::new("nodes_max", Unit::Count, "maximum", |a| {
        format_option(a.summary.nodes.map(|measure| measure.most))
    }),
];

/// Columns with shifted geometric means of the same quantities.
pub(crate) static GEOMETRIC: [Column<Aggregate>; 3] = [
    Column::new("seconds_geometric", Unit::Seconds, "geometric mean of seconds + 1, less 1", |a| {
        format!("{:.6}", a.summary.seconds.geometric)
    }),
    Column::new(
        "lp_iterations_geometric",
        Unit::Count,
        "geometric mean of simplex iterations + 100, less 100",
        |a| thousandths(a.summary.lp_iterations, |measure| measure.geometric),
    ),
    Column::new("nodes_geometric", Unit::Count, "geometric mean of nodes + 100, less 100", |a| {
        thousandths(a.summary.nodes, |measure| measure.geometric)
    }),
];

fn thousandths(measure: Option<Measure>, of: fn(Measure) -> f64) -> String {
    format_option(measure.map(|measure| format!("{:.3}", of(measure))))
}
