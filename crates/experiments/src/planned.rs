//! Planned runs, and their ids: digests of the data that defines a run.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Read as _;
use std::path::Path;
use std::sync::LazyLock;

use ndqueens_model::board::Board;
use ndqueens_model::formulation::{Formulation, builtin_names};
use ndqueens_model::variant::{Goal, full_size};
use ndqueens_notation::certificate::Problem;
use ndqueens_notation::counted::counted;
use ndqueens_solver::branch_and_bound::{Branching, ROOT_ROUNDS};
use ndqueens_system::file::{self, digest};
use ndqueens_workflow::record::{Engine, Question, SquareWeight, Start};
use ndqueens_workflow::run::formulation;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::variant::Asks;

/// Name of the exact engine among the backends.
pub(crate) const EXACT: &str = "exact";

/// Name of branch and bound on LP relaxations among the backends.
pub(crate) const LP: &str = "lp";

/// Name of the LP relaxation among the backends.
pub(crate) const RELAXATION: &str = "relaxation";

/// Serialises problems by name.
mod problem {
    use super::Problem;
    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serializer};

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
    pub(super) fn serialize<S: Serializer>(problem: &Problem, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(problem)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Problem, D::Error> {
        let name = String::deserialize(deserializer)?;
        let known = Problem::ALL.into_iter().find(|problem| problem.to_string() == name);
        known.ok_or_else(|| {
            let known = Problem::ALL.map(|problem| problem.to_string()).join(", ");
            D::Error::custom(format!("unknown problem \"{name}\"; expected one of {known}"))
        })
    }
}

/// A planned run.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Planned {
    /// Digest of the definition of the run, which includes its limits but not the version of the workbench:
    /// 16 hexadecimal digits.
    pub id: String,
    /// The variant, as named in the experiment file.
    pub variant: String,
    /// The problem, which defines the solutions.
    #[serde(with = "problem")]
    #[schemars(with = "String")]
    pub problem: Problem,
    /// The question that the run answers.
    pub question: Question,
    /// `true` if the LP relaxation is solved as well.
    pub root_bound: bool,
    /// Limit on the address space of the process, in MiB.
    pub memory_limit_mib: Option<u64>,
}

/// Shipped formulations by name.
static FORMULATIONS: LazyLock<HashMap<&str, Formulation>> = LazyLock::new(|| {
    builtin_names().into_iter().filter_map(|name| Some((name, Formulation::builtin(name).ok()?))).collect()
});

impl Planned {
    /// Returns what does the work: the backend's name, `exact`, `lp` or `relaxation`.
    #[must_use]
    pub fn backend(&self) -> &str {
        match &self.question.engine {
            Engine::Backend { backend, .. } => backend,
            Engine::BranchAndBound { .. } => LP,
            Engine::Relaxation { .. } => RELAXATION,
            Engine::Count(method) => method.name(),
            Engine::Exact | Engine::Sat | Engine::Route => EXACT,
        }
    }

    /// Returns the configuration as tables show it, such as `cube, k+1`: the formulation and the variant,
    /// followed by backend, start and settings that are not the default.
    #[must_use]
    pub fn configuration(&self) -> String {
        let mut parts = Vec::new();
        if let Engine::Backend { formulation, .. }
        | Engine::BranchAndBound { formulation, .. }
        | Engine::Relaxation { formulation, .. } = &self.question.engine
        {
            let formulation = Path::new(formulation);
            parts.push(
                formulation.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned()),
            );
        }
        match (Asks::of(&self.variant), &self.question.start) {
            (Some(Asks::Maximise | Asks::Minimise), _) => {}
            (Some(Asks::WarmStart), Start::Construction(method)) => {
                parts.push(format!("warm start {method}"));
            }
            _ => parts.push(self.variant.clone()),
        }
        if self.backend() != "highs" {
            parts.push(self.backend().to_owned());
        }
        if let Engine::BranchAndBound { branching, cut_rounds, .. } = &self.question.engine {
            if *branching != Branching::default() {
                parts.push(format!("branching {branching}"));
            }
            match *cut_rounds {
                0 => parts.push("no cuts".to_owned()),
                ROOT_ROUNDS => {}
                rounds => parts.push(format!("{rounds} cut rounds")),
            }
        }
        if let Some(families) = self.separated() {
            parts.push(format!("separate {families}"));
        }
        let Question { threads, presolve, symmetry, .. } = &self.question;
        if *threads != 1 {
            parts.push(counted(*threads, "thread"));
        }
        for (what, switch) in [("presolve", presolve), ("symmetry", symmetry)] {
            if let Some(on) = switch {
                parts.push(format!("{what} {}", if *on { "on" } else { "off" }));
            }
        }
        parts.extend(self.question.options.iter().map(ToString::to_string));
        parts.join(", ")
    }

    /// Returns `true` if the run solves an LP relaxation only.
    #[must_use]
    pub fn is_relaxation(&self) -> bool {
        matches!(self.question.engine, Engine::Relaxation { .. })
    }

    /// Returns the families whose violated inequalities are added to an LP relaxation, joined by `+`, if there
    /// are any.
    pub(crate) fn separated(&self) -> Option<String> {
        let Engine::Relaxation { separate, .. } = &self.question.engine else { return None };
        let families = separate.iter().map(ToString::to_string).collect::<Vec<_>>().join("+");
        (!families.is_empty()).then_some(families)
    }

    /// Returns the question and the settings without the limits. Two runs with the same key answer the same
    /// question in the same way.
    #[must_use]
    pub fn key(&self) -> String {
        let Question { board, seed, threads, presolve, symmetry, options, .. } = &self.question;
        let options: String = options.iter().map(|option| format!("|{option}")).collect();
        let (formulation, backend) = (self.question.formulation(), self.backend());
        let target = self.question.target();
        let tree = match &self.question.engine {
            Engine::BranchAndBound { branching, cut_rounds, .. } => format!("|{branching}|{cut_rounds}"),
            Engine::Relaxation { highs_root, .. } => {
                format!("|{}|{highs_root}", self.separated().unwrap_or_default())
            }
            Engine::Backend { .. } | Engine::Exact | Engine::Count(_) | Engine::Sat | Engine::Route => {
                String::new()
            }
        };
        format!(
            "{board}|{formulation}|{}|{target:?}|{backend}|{seed}|{threads}|{presolve:?}|{symmetry:?}{tree}{options}",
            self.variant
        )
    }

    /// Returns the number of queens that the question asks for, or `None` if it asks for the best number.
    #[must_use]
    pub fn target(&self) -> Option<u64> {
        // In rows of earlier versions, the formulation determines the number of queens of a full solution.
        let full = || {
            FORMULATIONS.get(self.question.formulation()).filter(|formulation| formulation.full)?;
            full_size(&Board::new(&self.question.board)).ok()
        };
        self.question.target().or_else(full)
    }

    /// Returns a contradiction within this run, if there is one, since the row may be wrong. Files that the
    /// run names are not read, because they may have changed since.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        let name = self.question.formulation();
        let formulation = FORMULATIONS.get(name);
        if formulation.is_some_and(|formulation| formulation.problem != self.problem) {
            return Some(format!("formulation {name} is not about {}s", self.problem));
        }
        if Asks::of(&self.variant).is_none_or(|asks| !asks.is_asked_by(&self.question, formulation)) {
            return Some(format!("its question is not that of the variant \"{}\"", self.variant));
        }
        let files = formulation::is_file(name) || self.question.start.file().is_some();
        (!files && self.id != self.identify())
            .then(|| format!("its id {} is not the digest of what it says was run", self.id))
    }

    /// Returns the digest of the data that defines the run. Only settings that are not the default enter it,
    /// so that new settings do not change old ids.
    pub(super) fn identify(&self) -> String {
        let Question { board, board_sha256, start, .. } = &self.question;
        let formulation = self.question.formulation();
        let mut text = format!("board {board}\nformulation {formulation}\nbackend {}\n", self.backend());
        let mut add = |key: &str, value: Option<String>| {
            if let Some(value) = value {
                writeln!(text, "{key} {value}").expect("a text grows");
            }
        };
        add("board digest", board_sha256.clone());
        add("formulation digest", formulation::is_file(formulation).then(|| contents(formulation)).flatten());
        for file in formulation::files(formulation) {
            add("inequalities digest", contents(&file));
        }
        let start_digest = start.file().and_then(contents);
        add("start", (!start.is_none()).then(|| start_digest.unwrap_or_else(|| start.to_string())));
        for SquareWeight { square, weight } in &self.question.weights {
            add("weight", Some(format!("{square:?} {weight}")));
        }
        match self.question.goal() {
            Goal::Optimise => {}
            Goal::AtLeast(k) => add("at least", Some(k.to_string())),
            Goal::AtMost(k) => add("at most", Some(k.to_string())),
            Goal::Exactly(k) => add("exactly", Some(k.to_string())),
        }
        add("seed", Some(self.question.seed.to_string()));
        add("threads", (self.question.threads != 1).then(|| self.question.threads.to_string()));
        add("seconds", self.question.time_limit_seconds.map(|s| s.to_string()));
        add("nodes", self.question.node_limit.map(|n| n.to_string()));
        add("presolve", self.question.presolve.map(|on| on.to_string()));
        add("symmetry", self.question.symmetry.map(|on| on.to_string()));
        for option in &self.question.options {
            add("option", Some(option.to_string()));
        }
        if let Engine::BranchAndBound { branching, cut_rounds, .. } = &self.question.engine {
            add("branching", (*branching != Branching::default()).then(|| branching.to_string()));
            add("cut rounds", (*cut_rounds != ROOT_ROUNDS).then(|| cut_rounds.to_string()));
        }
        add("separate", self.separated());
        if let Engine::Relaxation { highs_root, .. } = &self.question.engine {
            add("root of HiGHS", highs_root.then(String::new));
        }
        add("memory", self.memory_limit_mib.map(|mib| mib.to_string()));
        add("root bound", self.root_bound.then(String::new));
        digest::of(text)[..16].to_owned()
    }
}

/// Returns the digest of a file's contents, or `None` if it cannot be read.
fn contents(path: &str) -> Option<String> {
    let mut contents = Vec::new();
    let read = file::open_plain(Path::new(path)).and_then(|mut file| file.read_to_end(&mut contents));
    read.ok().map(|_| digest::of(contents))
}

/// Returns the plan as a CSV table. Its last column, `options`, has the options of HiGHS separated by
/// semicolons; a plan without options does not have that column.
#[must_use]
pub fn csv(plan: &[Planned]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let head = [
        "id",
        "board",
        "formulation",
        "variant",
        "asked",
        "backend",
        "seed",
        "threads",
        "start",
        "time_limit_seconds",
        "node_limit",
        "memory_limit_mib",
    ];
    let has_options = plan.iter().any(|run| !run.question.options.is_empty());
    let last = has_options.then_some("options");
    writer.write_record(head.into_iter().chain(last)).expect("memory takes everything");
    for run in plan {
        let Question { board, seed, threads, start, .. } = &run.question;
        let number = |number: Option<u64>| number.map_or_else(String::new, |number| number.to_string());
        let row = [
            run.id.clone(),
            board.to_string(),
            run.question.formulation().to_owned(),
            run.variant.clone(),
            number(run.question.target()),
            run.backend().to_owned(),
            seed.to_string(),
            threads.to_string(),
            start.to_string(),
            run.question.time_limit_seconds.map_or_else(String::new, |seconds| seconds.to_string()),
            number(run.question.node_limit),
            number(run.memory_limit_mib),
        ];
        let options = run.question.options.iter().map(ToString::to_string).collect::<Vec<_>>().join(";");
        writer
            .write_record(row.into_iter().chain(has_options.then_some(options)))
            .expect("memory takes everything");
    }
    String::from_utf8(writer.into_inner().expect("flushed")).expect("UTF-8 in, UTF-8 out")
}
