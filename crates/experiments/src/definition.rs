//! Experiment files: what is run, as data.
//!
//! ```toml
//! title = "Base and cube, maximised"
//! source = "an example"
//!
//! [defaults]
//! seeds = 10
//! time_seconds = 600
//!
//! [[runs]]
//! boards = ["4^3", "5^3"]
//! formulations = ["base", "cube"]
//! variants = ["maximise", "k+1"]
//!
//! [[exclude]]
//! boards = ["5^3"]
//! variants = ["k+1"]
//!
//! [tables]
//! reference = "base"
//! ```
//!
//! Every `[[runs]]` is a cross product; what it does not say, `[defaults]` says. `[[exclude]]` takes out the runs that match all
//! that it names; what it names and no run has is refused.
//!
//! | key | is |
//! | --- | --- |
//! | `title`, `source` | what it is and where it comes from, a line each |
//! | `tables` | how they are evaluated: `reference`, the configuration that speed-ups are against, the first one of the plan when absent; `time`, `wall` (the default) or `cpu` |
//! | `k` | a table: board and the number of queens that `k+1` adds one to, where it is not the published value |
//! | `boards` | board names |
//! | `formulations` | names, or paths of TOML files; `none` for the exact engine |
//! | `variants` | `maximise` (the default), `minimise`, `k+1` (is there a solution with exactly one queen more than known?), `at least k+1`, `exactly N`, `at least N`, `warm start`, `count` (the number of maximum solutions) |
//! | `backends` | as `ndq solve --backend` takes them, `exact` for the exact engine, or `lp` for branch and bound with a checked proof; `highs` when absent. For counts: `fast`, `bk`, `bk-degeneracy`, `recursive` or `max-clique`, which take `time_seconds` and `memory_mib`, and `fast` also `threads` |
//! | `seeds` | a list, or how many: `10` is 0 to 9; `1` when absent |
//! | `start` | what a warm start begins with: `cut`, `greedy`, or the path of a certificate beside this file, in which `{board}` stands for the board's name |
//! | `threads` | threads of the solver, 1 when absent |
//! | `time_seconds`, `nodes`, `memory_mib` | limits of a run: wall clock, branch-and-bound nodes, memory of its process |
//! | `presolve`, `symmetry` | switched on or off, when not left to the solver |
//! | `options` | options of HiGHS by their own names, such as `["mip_heuristic_effort=0.2"]` |
//! | `branching`, `cut_rounds` | for the backend `lp`: rule for the square to branch on, and rounds of separation of cliques at the root |
//! | `root_bound` | whether a run that optimises solves the LP relaxation as well, with the first seed only |

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use ndqueens_notation::escape::escape;
use ndqueens_solver::branch_and_bound::Branching;
use ndqueens_system::file::{self, FileError};
use serde::Deserialize;
use toml::Spanned;

/// An experiment file, read but not yet resolved.
#[derive(Debug)]
pub struct Definition {
    /// The file.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// What it says.
    pub contents: Contents,
}

/// The contents of an experiment file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contents {
    /// What it is.
    pub title: String,
    /// Where it comes from.
    pub source: String,
    /// Numbers of queens that `k+1` adds one to.
    #[serde(default)]
    pub k: BTreeMap<Spanned<String>, u64>,
    /// What the blocks do not say.
    #[serde(default)]
    pub defaults: Block,
    /// The runs.
    pub runs: Vec<Spanned<Block>>,
    /// Runs that are left out.
    #[serde(default)]
    pub exclude: Vec<Spanned<Exclusion>>,
    /// How they are evaluated.
    #[serde(default)]
    pub tables: Tables,
}

/// How runs are evaluated.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tables {
    /// The configuration that speed-ups are against; the first one of the plan when absent.
    pub reference: Option<Spanned<String>>,
    /// Which seconds are shown.
    #[serde(default)]
    pub time: Clock,
}

/// Which seconds of a run are meant.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Clock {
    /// Wall clock.
    #[default]
    Wall,
    /// CPU time, user and system, of all threads.
    Cpu,
}

impl std::fmt::Display for Clock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Wall => "wall clock",
            Self::Cpu => "CPU time",
        })
    }
}

/// Texts, each with its place in the file.
pub type Texts = Vec<Spanned<String>>;

/// A cross product of runs with its limits and options.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the table above says what they are")]
pub struct Block {
    pub boards: Option<Texts>,
    pub formulations: Option<Texts>,
    pub variants: Option<Texts>,
    pub backends: Option<Texts>,
    pub seeds: Option<Spanned<toml::Value>>,
    pub start: Option<Spanned<String>>,
    pub threads: Option<Spanned<u32>>,
    pub time_seconds: Option<Spanned<f64>>,
    pub nodes: Option<Spanned<u64>>,
    pub memory_mib: Option<Spanned<u64>>,
    pub presolve: Option<bool>,
    pub symmetry: Option<bool>,
    pub options: Option<Texts>,
    pub branching: Option<Spanned<Branching>>,
    pub cut_rounds: Option<Spanned<u32>>,
    pub root_bound: Option<bool>,
}

/// Runs that are left out: those that match all lists which are there.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the table above says what they are")]
pub struct Exclusion {
    pub boards: Option<Texts>,
    pub formulations: Option<Texts>,
    pub variants: Option<Texts>,
    pub backends: Option<Texts>,
    pub seeds: Option<Spanned<toml::Value>>,
}

/// Why a file is not an experiment.
#[derive(Debug, thiserror::Error)]
pub enum DefinitionError {
    /// It cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// Something in it is wrong.
    #[error("{}, line {line}, column {column}: {fault}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Line, counted from 1.
        line: usize,
        /// Column, counted from 1.
        column: usize,
        /// What is wrong there and what is allowed.
        fault: String,
    },
}

impl Block {
    /// This block, completed by defaults.
    #[must_use]
    pub fn or(self, defaults: &Self) -> Self {
        let texts = |own: Option<Texts>, other: &Option<Texts>| own.or_else(|| other.clone());
        Self {
            boards: texts(self.boards, &defaults.boards),
            formulations: texts(self.formulations, &defaults.formulations),
            variants: texts(self.variants, &defaults.variants),
            backends: texts(self.backends, &defaults.backends),
            seeds: self.seeds.or_else(|| defaults.seeds.clone()),
            start: self.start.or_else(|| defaults.start.clone()),
            threads: self.threads.or_else(|| defaults.threads.clone()),
            time_seconds: self.time_seconds.or_else(|| defaults.time_seconds.clone()),
            nodes: self.nodes.or_else(|| defaults.nodes.clone()),
            memory_mib: self.memory_mib.or_else(|| defaults.memory_mib.clone()),
            presolve: self.presolve.or(defaults.presolve),
            symmetry: self.symmetry.or(defaults.symmetry),
            options: texts(self.options, &defaults.options),
            branching: self.branching.clone().or_else(|| defaults.branching.clone()),
            cut_rounds: self.cut_rounds.clone().or_else(|| defaults.cut_rounds.clone()),
            root_bound: self.root_bound.or(defaults.root_bound),
        }
    }
}

impl Definition {
    /// Reads an experiment file.
    ///
    /// # Errors
    /// When it cannot be read, is not TOML, or a key is missing or unknown.
    pub fn read(path: &Path) -> Result<Self, DefinitionError> {
        Self::parse(path, file::read(path)?)
    }

    /// Reads the text of an experiment file.
    ///
    /// # Errors
    /// When it is not TOML, or a key is missing or unknown.
    pub fn parse(path: &Path, text: String) -> Result<Self, DefinitionError> {
        match toml::from_str(&text) {
            Ok(contents) => Ok(Self { path: path.to_owned(), text, contents }),
            Err(error) => {
                Err(malformed(path, &text, error.span().unwrap_or_default(), error.message().trim()))
            }
        }
    }

    /// An error at a place in this file.
    #[must_use]
    pub fn fault(&self, span: Range<usize>, fault: impl AsRef<str>) -> DefinitionError {
        malformed(&self.path, &self.text, span, fault.as_ref())
    }
}

fn malformed(path: &Path, text: &str, span: Range<usize>, fault: &str) -> DefinitionError {
    let before = &text[..span.start.min(text.len())];
    DefinitionError::Malformed {
        path: path.to_owned(),
        line: before.matches('\n').count() + 1,
        column: before.chars().rev().take_while(|&c| c != '\n').count() + 1,
        fault: escape(&fault.lines().collect::<Vec<_>>().join(" ")),
    }
}
