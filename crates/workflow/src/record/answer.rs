//! The answer of a run.

use std::io::{self, BufWriter, Write};

use ndqueens_model::format::Format;
use ndqueens_model::ilp::Program;
use ndqueens_notation::certificate::Certificate;
use ndqueens_solver::backends::{self, Run};
use ndqueens_system::cancel::Deadline;
use ndqueens_system::file::digest::{self, Digester};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Outcome, Stop, Verdict};

/// Answer of a run.
#[derive(Debug, Clone, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Name and version of the solver; absent if none was needed.
    pub solver: Option<String>,
    /// Reason for which the run stopped.
    pub stop: Stop,
    /// Outcome of the run.
    pub outcome: Outcome,
    /// Number of queens of the best checked solution.
    pub incumbent: Option<i64>,
    /// Weight of this solution, if squares have weights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<i64>,
    /// Dual bound reported by the solver (float).
    pub dual_bound: Option<f64>,
    /// Bound on the number of queens, or on the weight if squares have weights, rounded to an integer: checked
    /// in runs of `ndq prove`, reported by a floating-point solver in runs of `ndq solve`. The field `proof`
    /// states which.
    pub proved_bound: Option<i64>,
    /// Kind of proof of the bound.
    pub proof: Option<String>,
    /// Bounds of smaller boards and inequalities of the formulation's file that the bound rests on and that
    /// were proved in this run.
    #[serde(default)]
    pub lemmas: Vec<String>,
    /// Archived or published bounds and inequalities of the formulation's file that the bound rests on and
    /// that were not proved in this run.
    pub conditions: Vec<String>,
    /// Optimum of the LP relaxation (float).
    pub root_lp_bound: Option<f64>,
    /// Bound of HiGHS at the root node of the integer program, after its own cuts (float).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub highs_root_bound: Option<f64>,
    /// Number of branch-and-bound nodes.
    pub nodes: Option<u64>,
    /// Number of simplex iterations.
    pub lp_iterations: Option<u64>,
    /// Number of cliques that branch and bound on LP relaxations separated, or of inequalities that were added
    /// to a relaxation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cuts: Option<u64>,
    /// Number of maximum solutions, in decimal digits, if they were counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solutions: Option<String>,
    /// Number of maximum solutions up to symmetry, in decimal digits, if they were counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub up_to_symmetry: Option<String>,
    /// Wall-clock seconds of the solve.
    pub wall_seconds: f64,
    /// CPU seconds of the solve, model building included.
    pub cpu_seconds: f64,
    /// Peak memory of the process, in bytes.
    pub peak_memory_bytes: Option<u64>,
    /// Number of rows of the model.
    pub model_rows: Option<u64>,
    /// Number of columns of the model.
    pub model_columns: Option<u64>,
    /// Number of nonzeros of the model.
    pub model_nonzeros: Option<u64>,
    /// SHA-256 of the model's LP file.
    pub model_sha256: Option<String>,
    /// Text of the certificate, which was checked.
    pub certificate: Option<String>,
    /// SHA-256 of the text of the certificate.
    pub certificate_sha256: Option<String>,
    /// Verdict on the answer.
    pub verdict: Option<Verdict>,
}

/// A digest that rejects further bytes once the deadline is over.
struct Timed {
    digest: Digester,
    deadline: Deadline,
}

impl Write for Timed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.deadline.is_over() {
            true => Err(io::ErrorKind::TimedOut.into()),
            false => self.digest.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Answer {
    /// Copies the results of a solver run.
    pub fn note_run(&mut self, run: &Run) {
        self.solver = Some(run.solver.clone());
        self.stop = run.stop.into();
        self.dual_bound = run.dual_bound.filter(|bound| bound.is_finite());
        self.nodes = run.nodes;
        self.lp_iterations = run.lp_iterations;
        self.wall_seconds += run.seconds;
        (self.outcome, self.proved_bound) = match &run.outcome {
            backends::Outcome::Optimal { value, .. } => (Outcome::Optimal, Some(*value)),
            backends::Outcome::Infeasible => (Outcome::Infeasible, None),
            backends::Outcome::Feasible { bound, .. } => (Outcome::Feasible, *bound),
            backends::Outcome::Unknown { bound } => (Outcome::Unknown, *bound),
        };
    }

    /// Records the size of a model and, if there is time, the digest of its LP file.
    pub fn note_model(&mut self, program: &dyn Program, deadline: Deadline) {
        let (rows, nonzeros) =
            program.rows().fold((0, 0), |(rows, all), row| (rows + 1, all + row.columns.len() as u64));
        self.model_rows = Some(rows);
        self.model_columns = Some(program.columns().len() as u64);
        self.model_nonzeros = Some(nonzeros);
        let mut out = BufWriter::with_capacity(1 << 16, Timed { digest: Digester::default(), deadline });
        let written = Format::Lp.write(program, &mut out);
        self.model_sha256 =
            written.and(out.into_inner().map_err(Into::into)).ok().map(|out| out.digest.finish());
    }

    /// Records a checked certificate.
    pub fn note_certificate(&mut self, certificate: &Certificate) {
        let text = certificate.to_string();
        self.incumbent = i64::try_from(certificate.size()).ok();
        self.certificate_sha256 = Some(digest::of(&text));
        self.certificate = Some(text);
    }
}
