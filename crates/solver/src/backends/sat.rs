//! SAT solver CaDiCaL, in builds with the feature `sat`. It reads a formula from a file and writes a
//! proof to another one.
//!
//! # References
//! A. Biere, T. Faller, K. Fazekas, M. Fleury, N. Froleyks, F. Pollitt, *CaDiCaL 2.0*, CAV 2024.

use std::io;
use std::path::Path;
use std::sync::Arc;

use cadical_sys::{CaDiCal, Learner, Status, Terminator};

use ndqueens_system::cancel::Control;

/// Answer of the solver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Satisfiability {
    /// Solution: the value of each variable.
    Satisfiable(Vec<bool>),
    /// Proof that there is no solution, in the proof file.
    Unsatisfiable,
    /// Stop by the control.
    Stopped,
}

/// Returns name and version of the solver.
#[must_use]
pub fn solver() -> String {
    format!("CaDiCaL {}", CaDiCal::version())
}

/// Solves the formula in a DIMACS file, and writes a proof in binary DRAT to a file, which is replaced. The
/// control counts conflicts as nodes.
///
/// # Errors
/// Returns an error if the formula cannot be read or the proof file cannot be created. If writing fails
/// later, as on a full disk, the proof is truncated, which its checker detects.
pub fn solve(formula: &Path, proof: &Path, seed: u32, control: &Arc<Control>) -> io::Result<Satisfiability> {
    let name = |path: &Path| {
        let error = || io::Error::new(io::ErrorKind::InvalidInput, "a path for CaDiCaL must be UTF-8");
        path.to_str().map(str::to_owned).ok_or_else(error)
    };
    let mut solver = CaDiCal::new();
    solver.set("seed", i32::try_from(seed).unwrap_or(i32::MAX));
    if !solver.trace_proof2(&name(proof)?) {
        return Err(io::Error::other("CaDiCaL cannot write its proof"));
    }
    let (mut variables, strict) = (0, 2);
    solver.read_dimacs2(&name(formula)?, &mut variables, strict).map_err(io::Error::other)?;
    solver.connect_terminator(ControlCallbacks(Arc::clone(control)));
    solver.connect_learner(ControlCallbacks(Arc::clone(control)));
    let status = solver.solve();
    solver.close_proof_trace(false);
    Ok(match status {
        Status::SATISFIABLE => {
            Satisfiability::Satisfiable((1..=variables).map(|variable| solver.val(variable) > 0).collect())
        }
        Status::UNSATISFIABLE => Satisfiability::Unsatisfiable,
        Status::UNKNOWN => Satisfiability::Stopped,
    })
}

/// Callbacks that stop the solver and count its conflicts.
struct ControlCallbacks(Arc<Control>);

impl Terminator for ControlCallbacks {
    fn terminated(&mut self) -> bool {
        self.0.is_stopped()
    }
}

impl Learner for ControlCallbacks {
    fn learning(&mut self, _size: i32) -> bool {
        self.0.count(1, 0.0);
        false
    }

    fn learn(&mut self, _literal: i32) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solve_text(formula: &str, control: Control) -> io::Result<(Satisfiability, Vec<u8>)> {
        let folder = tempfile::tempdir()?;
        let [cnf, drat] = ["a.cnf", "a.drat"].map(|name| folder.path().join(name));
        std::fs::write(&cnf, formula)?;
        let answer = solve(&cnf, &drat, 0, &Arc::new(control))?;
        Ok((answer, std::fs::read(&drat)?))
    }

    #[test]
    fn decides_formulas() {
        let (answer, _) = solve_text("p cnf 3 3\n1 2 0\n-1 2 0\n-3 0\n", Control::new()).expect("solved");
        assert!(
            matches!(answer, Satisfiability::Satisfiable(values) if values.len() == 3 && values[1] && !values[2])
        );
        let (answer, proof) =
            solve_text("p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n", Control::new()).expect("solved");
        assert_eq!(answer, Satisfiability::Unsatisfiable);
        assert!(proof.ends_with(b"a\0"), "the empty clause: {proof:?}");
        assert!(solver().starts_with("CaDiCaL 3."), "{}", solver());
    }

    #[test]
    fn rejects_an_invalid_formula() {
        assert!(solve_text("p cnf 1 2\n1 0\n", Control::new()).is_err());
        assert!(solve(Path::new("none.cnf"), Path::new("none/none.drat"), 0, &Arc::default()).is_err());
    }

    #[test]
    fn gives_no_answer_if_stopped() {
        // Nine pigeons in eight holes.
        let hole = |pigeon: i32, hole: i32| 8 * pigeon + hole + 1;
        let mut clauses: Vec<Vec<i32>> = (0..9).map(|p| (0..8).map(|h| hole(p, h)).collect()).collect();
        for h in 0..8 {
            clauses.extend((0..9).flat_map(|p| (0..p).map(move |q| vec![-hole(p, h), -hole(q, h)])));
        }
        let lines = clauses
            .iter()
            .map(|clause| clause.iter().map(|literal| format!("{literal} ")).collect::<String>() + "0\n");
        let text = format!("p cnf 72 {}\n{}", clauses.len(), lines.collect::<String>());
        let control = Control::new();
        control.stop();
        assert_eq!(solve_text(&text, control).expect("no fault").0, Satisfiability::Stopped);
    }
}
