//! Experiment files: TOML files that define runs.
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
//! Every `[[runs]]` block is a cross product; keys that it does not set are taken from `[defaults]`.
//! `[[exclude]]` removes the runs that match all of its keys; an exclusion with a value that matches no run
//! is an error.
//!
//! | key | meaning |
//! | --- | --- |
//! | `title`, `source` | title and source of the experiment, one line each |
//! | `tables` | settings of the evaluation: `reference`, the configuration to which speed-ups are relative, by default the first one of the plan; `time`, `wall` (the default) or `cpu` |
//! | `k` | table of boards and the number of queens to which `k+1` adds one, if it is not the published value |
//! | `boards` | board names |
//! | `formulations` | names, or paths of TOML files; `none` for the exact engine and for counts |
//! | `variants` | `maximise` (the default), `minimise`, `k+1` (is there a solution with exactly one queen more than known?), `at least k+1`, `exactly N`, `at least N`, `at most N`, `warm start`, `count` (the number of maximum solutions) |
//! | `backends` | as `ndq solve --backend` takes them, `exact` for the exact engine, `lp` for branch and bound with a checked proof, or `relaxation` for the LP relaxation alone; `highs` by default. For counts: `fast`, `bk`, `bk-degeneracy`, `recursive` or `max-clique`, which take `time_seconds` and `memory_mib`, and `fast` also `threads` |
//! | `seeds` | list of seeds, or their number: `10` means 0 to 9; `1` by default |
//! | `start` | start solution of a warm start: `cut`, `greedy`, or the path of a certificate relative to this file, in which `{board}` is replaced by the board's name |
//! | `threads` | threads of the solver, 1 by default |
//! | `time_seconds`, `nodes`, `memory_mib` | limits of a run: wall clock, branch-and-bound nodes, memory of its process |
//! | `presolve`, `symmetry` | `true` or `false`; left to the solver by default |
//! | `options` | options of HiGHS by their own names, such as `["mip_heuristic_effort=0.2"]` |
//! | `branching`, `cut_rounds` | for the backend `lp`: rule that selects the square to branch on, and rounds of clique separation at the root |
//! | `root_bound` | `true` to solve the LP relaxation as well in runs that optimise, with the first seed only |
//! | `separate` | for the backend `relaxation`: families whose violated inequalities are added, of `odd-cycle`, `clique` and `local` |
//! | `highs_root` | for the backend `relaxation`: `true` to compute the bound of HiGHS at the root node, after its own cuts |

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use ndqueens_notation::escape::escape;
use ndqueens_solver::branch_and_bound::Branching;
use ndqueens_system::file::{self, FileError};
use ndqueens_workflow::record::Separated;
use serde::Deserialize;
use toml::Spanned;

/// Parsed experiment file, with names not yet resolved.
#[derive(Debug)]
pub struct Definition {
    /// Path of the file.
    pub path: PathBuf,
    /// Text of the file.
    pub text: String,
    /// Parsed contents.
    pub contents: Contents,
}

/// The contents of an experiment file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contents {
    /// Title of the experiment.
    pub title: String,
    /// Source of the experiment.
    pub source: String,
    /// Numbers of queens to which `k+1` adds one, by board.
    #[serde(default)]
    pub k: BTreeMap<Spanned<String>, u64>,
    /// Values of the keys that the blocks do not set.
    #[serde(default)]
    pub defaults: Block,
    /// Blocks of runs.
    pub runs: Vec<Spanned<Block>>,
    /// Runs that are removed.
    #[serde(default)]
    pub exclude: Vec<Spanned<Exclusion>>,
    /// Settings of the evaluation.
    #[serde(default)]
    pub tables: Tables,
}

/// Settings of the evaluation.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tables {
    /// Configuration to which speed-ups are relative; the first one of the plan if absent.
    pub reference: Option<Spanned<String>>,
    /// Kind of time that is reported.
    #[serde(default)]
    pub time: Clock,
}

/// Kind of time of a run.
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Clock {
    /// Wall-clock time.
    #[default]
    Wall,
    /// CPU time of all threads.
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

/// Strings with their positions in the file.
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
    pub separate: Option<Spanned<Vec<Separated>>>,
    pub highs_root: Option<Spanned<bool>>,
}

/// Runs that are removed: those that match all lists that are present.
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

/// Error of an invalid experiment file.
#[derive(Debug, thiserror::Error)]
pub enum DefinitionError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The contents are invalid.
    #[error("{}, line {line}, column {column}: {fault}", path.display())]
    Malformed {
        /// Path of the file.
        path: PathBuf,
        /// Line, counted from 1.
        line: usize,
        /// Column, counted from 1.
        column: usize,
        /// Description of the fault and of what is allowed.
        fault: String,
    },
}

impl Block {
    /// Returns this block with missing keys filled in from `defaults`.
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
            separate: self.separate.or_else(|| defaults.separate.clone()),
            highs_root: self.highs_root.or_else(|| defaults.highs_root.clone()),
        }
    }
}

impl Definition {
    /// Reads an experiment file.
    ///
    /// # Errors
    /// Returns an error if it cannot be read, is not TOML, or a key is missing or unknown.
    pub fn read(path: &Path) -> Result<Self, DefinitionError> {
        Self::parse(path, file::read(path)?)
    }

    /// Parses the text of an experiment file; `path` is used in messages.
    ///
    /// # Errors
    /// Returns an error if it is not TOML, or a key is missing or unknown.
    pub fn parse(path: &Path, text: String) -> Result<Self, DefinitionError> {
        match toml::from_str(&text) {
            Ok(contents) => Ok(Self { path: path.to_owned(), text, contents }),
            Err(error) => {
                Err(malformed_at(path, &text, error.span().unwrap_or_default(), error.message().trim()))
            }
        }
    }

    /// Returns an error at a position in this file.
    #[must_use]
    pub fn fault(&self, span: Range<usize>, fault: impl AsRef<str>) -> DefinitionError {
        malformed_at(&self.path, &self.text, span, fault.as_ref())
    }

    /// Returns an error at the position of a value in this file.
    pub(crate) fn fault_of<T>(&self, value: &Spanned<T>, fault: impl AsRef<str>) -> DefinitionError {
        self.fault(value.span(), fault)
    }
}

fn malformed_at(path: &Path, text: &str, span: Range<usize>, fault: &str) -> DefinitionError {
    let before = &text[..span.start.min(text.len())];
    DefinitionError::Malformed {
        path: path.to_owned(),
        line: before.matches('\n').count() + 1,
        column: before.chars().rev().take_while(|&c| c != '\n').count() + 1,
        fault: escape(&fault.lines().collect::<Vec<_>>().join(" ")),
    }
}
