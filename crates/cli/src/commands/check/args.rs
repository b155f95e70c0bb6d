//! Command-line arguments of `ndq check`.

use std::path::PathBuf;

use anyhow::bail;
use clap::ArgGroup;
use ndqueens_model::variant::Goal;
use ndqueens_notation::name::BoardName;
use ndqueens_workflow::evidence::AnswerOptions;

use crate::args::groups::Limit;
use crate::args::values::{board, queens};

#[derive(Debug, clap::Args)]
#[command(
    after_help = include_str!("help.txt"),
    allow_negative_numbers = true,
    group(ArgGroup::new("answered").args(["model", "formulation"]).multiple(true))
)]
pub(crate) struct Args {
    /// The files to check: certificates, drawings, lists of solutions written by ndq count --solutions,
    /// proofs written by ndq prove --proof, VIPR files (.vipr), or proofs for VeriPB (.pbp, the formula next
    /// to it), which the program veripb checks. The exit code is the worst: 4, 2, 1, 3, 0.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Notation of the squares: native (a certificate, or a drawing with letters for pieces), tuples,
    /// tuples1, flat, flat1, degroot (on hex:n and three:n), heights, heights1 (1: counted from 1) or
    /// picture.
    #[arg(long = "as", value_name = "CONVENTION", default_value = "native")]
    pub(crate) convention: String,
    /// The board that the file must be for; needed for all conventions but native and picture.
    #[arg(long, value_parser = board)]
    pub(crate) board: Option<BoardName>,
    /// The file is the answer of another solver to the model in this file, which ndq model or ndq
    /// colour --write wrote, or a modelling layer from it: a solution file, the output of a SAT or
    /// pseudo-Boolean solver, a VIPR file, a colouring or a clique. The first comments of the model name
    /// board and question.
    #[arg(long, value_name = "FILE", conflicts_with = "convention", help_heading = "Question")]
    pub(crate) model: Option<PathBuf>,
    /// The file is a colouring of another program: "l VERTEX COLOUR" or "VERTEX COLOUR" lines,
    /// or a colour a line.
    #[arg(long, requires = "board", conflicts_with_all = ["convention", "formulation"])]
    pub(crate) coloured: bool,
    /// The file is a solution file of HiGHS, CBC, SCIP, Gurobi, CPLEX, GLPK or MIPLIB, or the output of a SAT
    /// or pseudo-Boolean solver, for the program of this formulation on the board.
    #[arg(short, long, value_name = "FORMULATION", conflicts_with = "convention")]
    pub(crate) formulation: Option<String>,
    /// The integer program requires at least K queens.
    #[arg(long, value_name = "K", value_parser = queens, requires = "answered", conflicts_with_all = ["at_most", "exactly"])]
    pub(crate) at_least: Option<u64>,
    /// The integer program requires a dominating set of at most K queens.
    #[arg(long, value_name = "K", value_parser = queens, requires = "answered", conflicts_with = "exactly")]
    pub(crate) at_most: Option<u64>,
    /// The solution must contain the queens in this certificate file.
    #[arg(long, value_name = "FILE", requires = "answered")]
    pub(crate) include: Option<PathBuf>,
    /// The integer program requires exactly K queens.
    #[arg(long, value_name = "K", value_parser = queens, requires = "answered")]
    pub(crate) exactly: Option<u64>,
    /// Check each file with the verified checker too, which scripts/setup --verified builds: it is proved
    /// correct, and reads proofs of ndq prove --proof, bounds of ndq lp certify -o and independent sets, on
    /// plain boxes.
    #[arg(long)]
    pub(crate) verified: bool,
    #[command(flatten)]
    pub(crate) limit: Limit,
    /// Write the certificate to this file, in the native form.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

impl Args {
    /// Returns an error if a formulation is given without its board.
    pub(super) fn refuse_incomplete(&self) -> anyhow::Result<()> {
        if self.formulation.is_some() && self.board.is_none() && self.model.is_none() {
            bail!("-f needs --board, the board of the model, or --model, the file that the solver read");
        }
        Ok(())
    }

    /// Returns the question that the files answer, if another program wrote them.
    pub(super) fn answer_options(&self) -> AnswerOptions<'_> {
        let goal = match (self.at_least, self.at_most, self.exactly) {
            (Some(k), ..) => Some(Goal::AtLeast(k)),
            (_, Some(k), _) => Some(Goal::AtMost(k)),
            (.., Some(k)) => Some(Goal::Exactly(k)),
            (None, None, None) => None,
        };
        AnswerOptions {
            model: self.model.as_deref(),
            formulation: self.formulation.as_deref(),
            coloured: self.coloured,
            goal,
            include: self.include.as_deref(),
        }
    }
}
