//! Proving a maximum: a certificate of k queens, checked, and a proof that k + 1 do not fit.
//!
//! The right sides of rows that are only published are proved first, as lemmas, by the same workflow on smaller boards.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ndqueens_model::board::Board;
use ndqueens_model::certificate::{Certificate, Claim};
use ndqueens_model::facts::known;
use ndqueens_model::facts::{Bounds, Provenance, UpperBound, UpperBounds as _};
use ndqueens_model::formulation::Formulation;

use ndqueens_control::{Deadline, StopReason};
use ndqueens_exact::Maximum;
use ndqueens_exact::table::BoxTable;
use ndqueens_model::recipe::Recipe;
use ndqueens_model::variant::{Goal, Variant};
use ndqueens_solver::backends::{Backend, Options, Outcome};
use ndqueens_solver::construct::{self as construction, Effort};

use crate::evidence::orbit_lp::added_up;
use crate::evidence::partition::{self, Partitioned};
use crate::record::{Answer, verdict};
use crate::run::engine::FOUND_BY;
use crate::run::{Event, LabError, PriorResults, Watch, check, machine};
use crate::workflow::solve::{self, Problem};
use crate::workflow::{construct, exact};

/// What is to be proved.
#[derive(Debug)]
pub struct Claimed<'a> {
    /// The board.
    pub board: &'a Board,
    /// The recipe whose rows prove the upper bound.
    pub recipe: &'a Recipe,
    /// The number claimed to be the maximum; whatever the maximum is when absent.
    pub value: Option<u64>,
    /// A certificate to begin with; one is constructed when absent.
    pub certificate: Option<&'a Certificate>,
    /// What is known of the board already; its certificate is begun with when no other is given.
    pub known: Option<&'a Proof>,
    /// Whether to ask for exactly k + 1 queens, the main source's form, instead of at least k + 1.
    pub exactly: bool,
    /// Whether published right sides are taken as given, which makes the result conditional.
    pub assume_reported: bool,
    /// The backend's settings; the time limit is for everything together.
    pub options: Options,
    /// What a model may take, in bytes.
    pub memory: u64,
    /// What earlier runs proved and found.
    pub prior: PriorResults,
}

/// What proves an upper bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProofKind {
    /// A partition of the board into cliques, checked from the definition.
    Partition(Partitioned),
    /// A proof tree, checked in integers.
    Exact {
        /// Nodes of all its trees.
        nodes: u64,
        /// Boxes bounded on the way.
        boxes: u64,
    },
    /// A sum of inequalities, checked in exact fractions.
    OrbitLp {
        /// The recipe whose orbit LP it is.
        recipe: String,
        /// Inequalities, one of each orbit.
        rows: u64,
        /// What their right sides add up to.
        sum: String,
    },
    /// The exact engine found so before it was stopped; its proof was not checked.
    Stopped,
    /// A SAT solver's proof, verified by a checker of its own.
    Drat {
        /// Name and version of the solver.
        solver: String,
        /// Name and version of the checker.
        checker: String,
    },
    /// A solver said so, in floating point.
    SolverRun {
        /// Name and version of the solver.
        solver: String,
        /// The recipe.
        recipe: String,
    },
}

impl fmt::Display for ProofKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Partition(partitioned) => {
                write!(f, "partition of the board into {partitioned}, checked from the definition")
            }
            Self::Exact { nodes, boxes } => {
                let way = if *boxes > 1 { format!(" by way of {boxes} boxes") } else { String::new() };
                let plural = if *nodes == 1 { "" } else { "s" };
                write!(f, "exact proof of {nodes} node{plural}{way}, checked in integers")
            }
            Self::OrbitLp { recipe, rows, sum } => {
                let rows = added_up(*rows, sum);
                write!(f, "orbit LP of recipe {recipe}, {rows}, checked in fractions")
            }
            Self::Stopped => {
                write!(f, "{FOUND_BY}, stopped: boxes bounded so far and cuts, not checked")
            }
            Self::Drat { solver, checker } => write!(f, "DRAT proof by {solver}, checked by {checker}"),
            Self::SolverRun { solver, recipe } => {
                write!(f, "floating-point solve, not certified: {solver}, recipe {recipe}")
            }
        }
    }
}

/// Where the claim stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Lower and upper bound meet (at the value claimed, if one was), and both were checked.
    Proved,
    /// They meet, by an upper bound that a solver says in floating point.
    Solved,
    /// They meet, or the claim is refuted, if bounds hold that were not checked in this run.
    Conditional,
    /// The maximum is not the value claimed.
    Refuted,
    /// The run stopped before the question was settled.
    Open,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Proved => "proved",
            Self::Solved => "solved",
            Self::Conditional => "conditional",
            Self::Refuted => "refuted",
            Self::Open => "open",
        })
    }
}

/// What is known at the end.
#[derive(Debug)]
pub struct Proof {
    /// Where the claim stands.
    pub status: Status,
    /// The best certificate, checked.
    pub certificate: Certificate,
    /// The best upper bound.
    pub upper: u64,
    /// What proves the upper bound.
    pub kind: ProofKind,
    /// All boxes in the board, when the exact engine bounded them on the way.
    pub boxes: Option<BoxTable>,
    /// Bounds of smaller boards, proved before or on the way, that the upper bound rests on.
    pub lemmas: Vec<UpperBound>,
    /// Bounds that were not checked in this run and that the upper bound rests on.
    pub conditions: Vec<UpperBound>,
    /// Why the work stopped.
    pub stop: StopReason,
    /// The columns of the record.
    pub answer: Answer,
}

/// How the exact engine is to work.
#[derive(Debug, Clone, Default)]
pub struct Exactly<'a> {
    /// Threads, seed and limits; the limit on nodes is for each box.
    pub options: Options,
    /// A folder in which what is settled on the way is kept, so that a run that was stopped goes on there.
    pub work: Option<&'a Path>,
    /// The file in which the proof is kept.
    pub keep: Option<&'a Path>,
    /// Whether a bound that was not checked is left out.
    pub certified: bool,
}

/// Proves with the exact engine what the maximum is, or that it is the value claimed; with a limit on nodes, for each box, as
/// far as that goes. The proof is checked whether it is kept or not. What is `known` stays if the engine finds nothing better, and where
/// nothing is to be kept the engine ends as soon as as many queens are placed as the known bound allows.
///
/// # Errors
/// When the board is too large, the proof cannot be written, or placement or proof do not pass the check.
pub fn prove_exactly(
    board: &Board,
    value: Option<u64>,
    known: Option<Proof>,
    exactly: &Exactly<'_>,
    watch: &mut Watch<'_>,
) -> Result<Proof, LabError> {
    let (begin, cpu_before) = (Instant::now(), machine::cpu_time());
    let Exactly { options, work, keep, certified } = exactly;
    let target = known.as_ref().map(|known| known.upper).filter(|_| work.is_none() && keep.is_none());
    let nothing_known = known.is_none();
    let mut proof = known.map_or_else(|| Proof::open(board), Ok)?;
    let exact::Bounded { maximum, proved } = exact::prove(board, options, *work, *keep, target, watch)?;
    let Maximum { value: found, upper, placement, nodes, boxes, .. } = maximum;
    if found > proof.certificate.size() as u64 {
        proof.certificate = Certificate::independent(board.name().clone(), placement, FOUND_BY);
    }
    proof.answer.nodes = Some(nodes);
    match proved {
        Ok(proved) => {
            if upper <= proof.upper {
                let kind = ProofKind::Exact { nodes: proved.nodes(), boxes: proved.boxes() };
                proof.bound(upper, kind);
            }
            proof.boxes = Some(boxes);
            if (proof.certificate.size() as u64) < proof.upper {
                proof.stop = StopReason::NodeLimit;
            }
        }
        Err(_) if proof.certificate.size() as u64 >= proof.upper => {}
        Err(stop) => {
            proof.stop = stop;
            if nothing_known {
                let constructed = constructed(board, options.seed)?;
                if constructed.size() as u64 > found {
                    proof.certificate = constructed;
                }
            }
            if upper < proof.upper && !certified {
                proof.bound(upper, ProofKind::Stopped);
            }
        }
    }
    proof.judge(value);
    proof.answer.solver = Some(FOUND_BY.to_owned());
    proof.settle_answer(begin, cpu_before);
    Ok(proof)
}

/// Proves with a SAT solver what the maximum is, or that it is the value claimed. It is asked even when a theorem gives the
/// bound. Its DRAT proof is checked by the program `rate`, and kept in `keep`, if that is given, beside its formula.
///
/// # Errors
/// When there is no checker, the board is too large, a file cannot be written, or a certificate, given or found, or the proof
/// does not pass the check.
#[cfg(feature = "sat")]
pub fn prove_by_sat(
    board: &Board,
    value: Option<u64>,
    certificate: Option<&Certificate>,
    options: &Options,
    keep: Option<&Path>,
    watch: &mut Watch<'_>,
) -> Result<Proof, LabError> {
    use super::sat;
    use crate::evidence::drat;

    let (begin, cpu_before) = (Instant::now(), machine::cpu_time());
    let deadline = Deadline::since(begin, options.time_limit);
    let (solver, checker) = (ndqueens_solver::backends::sat::solver(), drat::checker()?);
    let mut proof = Proof::begin(board, certificate, options.seed, watch)?;
    let mut conflicts = 0;
    loop {
        let found = proof.certificate.size() as u64;
        proof.judge(value);
        let settled = match proof.status {
            Status::Proved => matches!(proof.kind, ProofKind::Drat { .. }),
            Status::Refuted => true,
            Status::Open | Status::Solved | Status::Conditional => false,
        };
        if settled || proof.stop != StopReason::Finished {
            break;
        }
        let asked = next_asked(found, value);
        // Whether to go on is asked again as soon as the solver starts.
        let _ = watch(&Event::Stage(format!("{}: asking for {}", board.name(), board.pieces(asked))));
        let (answer, more) = sat::ask(board, asked, keep, options.seed, deadline, watch)?;
        conflicts += more;
        match answer {
            sat::SatAnswer::Fit(squares) => {
                proof.certificate = check::checked(board, &squares, Claim::IndependentSet, &[], &solver)?;
            }
            sat::SatAnswer::DoNotFit => {
                proof.upper = asked - 1;
                proof.kind = ProofKind::Drat { solver: solver.clone(), checker: checker.clone() };
            }
            sat::SatAnswer::Stopped(reason) => proof.stop = reason,
        }
    }
    proof.answer.nodes = Some(conflicts);
    proof.answer.solver = Some(solver);
    proof.settle_answer(begin, cpu_before);
    Ok(proof)
}

/// How many queens are asked for next: one more than were found, and a claim above that is first shown to be reached.
fn next_asked(found: u64, claimed: Option<u64>) -> u64 {
    claimed.map_or(found + 1, |k| if found < k { k } else { k + 1 })
}

/// The best construction, checked.
fn constructed(board: &Board, seed: u32) -> Result<Certificate, LabError> {
    let made = construction::best(board, &[], u64::from(seed), Effort::default())?;
    construct::checked(board, &made, &[])
}

/// Proves what the maximum is, or that it is the value claimed.
///
/// # Errors
/// When the recipe does not ask for a maximum, there is no such formulation, the backend fails, or a certificate, given or
/// found, does not pass the check.
pub fn prove(claimed: &Claimed<'_>, backend: &dyn Backend, watch: &mut Watch<'_>) -> Result<Proof, LabError> {
    if !claimed.recipe.maximises() {
        return Err(LabError::NotAMaximum { recipe: claimed.recipe.name.clone() });
    }
    let deadline = Deadline::after(claimed.options.time_limit);
    let mut bounds = if claimed.assume_reported { Bounds::with_reported() } else { Bounds::default() };
    let mut prover = Prover { claimed, backend, deadline, interrupted: false, watch };
    prover.prove(claimed.board, claimed.value, claimed.certificate, claimed.known, &mut bounds)
}

struct Prover<'a, 'w> {
    claimed: &'a Claimed<'a>,
    backend: &'a dyn Backend,
    deadline: Deadline,
    /// Whether the watcher has asked for a stop.
    interrupted: bool,
    watch: &'a mut Watch<'w>,
}

impl Prover<'_, '_> {
    fn prove(
        &mut self,
        board: &Board,
        value: Option<u64>,
        certificate: Option<&Certificate>,
        known: Option<&Proof>,
        bounds: &mut Bounds,
    ) -> Result<Proof, LabError> {
        let cpu_before = machine::cpu_time();
        let recipe = self.claimed.recipe;
        let certificate = certificate.or(known.map(|known| &known.certificate));
        let mut proof = Proof::begin(board, certificate, self.claimed.options.seed, self.watch)?;
        if let Some(known) = known.filter(|known| known.upper <= proof.upper) {
            proof.bound(known.upper, known.kind.clone());
            proof.lemmas.clone_from(&known.lemmas);
        }
        loop {
            let found = proof.certificate.size() as u64;
            proof.judge(value);
            if proof.status != Status::Open || proof.stop != StopReason::Finished {
                break;
            }
            let asked = next_asked(found, value);
            if proof.answer.solver.is_none() && !self.claimed.assume_reported {
                self.lemmas(board, bounds)?;
            }
            if let Some(reason) = self.stop() {
                proof.stop = reason;
                proof.answer.stop = reason.to_string();
                continue;
            }
            let goal = if self.claimed.exactly { Goal::Exactly(asked) } else { Goal::AtLeast(asked) };
            self.stage(format!("{}: asking for {}", board.name(), board.pieces(asked)));
            let problem = Problem {
                board,
                recipe,
                variant: Variant::of(goal),
                start: None,
                options: self.options(),
                memory: self.claimed.memory,
                prior: self.claimed.prior,
            };
            let solved = solve::solve(&problem, bounds, self.backend, self.watch)?;
            let answer = std::mem::take(&mut proof.answer);
            proof.answer = Answer {
                nodes: sum(answer.nodes, solved.answer.nodes),
                lp_iterations: sum(answer.lp_iterations, solved.answer.lp_iterations),
                wall_seconds: answer.wall_seconds + solved.answer.wall_seconds,
                ..solved.answer
            };
            proof.stop = solved.run.stop;
            if let Some(certificate) = solved.certificate {
                self.stage(format!(
                    "{}: {} found and checked",
                    board.name(),
                    board.pieces(certificate.size() as u64)
                ));
                proof.certificate = certificate;
            } else if solved.run.outcome == Outcome::Infeasible {
                let solver = solved.run.solver;
                proof.bound(asked - 1, ProofKind::SolverRun { solver, recipe: recipe.name.clone() });
                proof.lemmas = solved.lemmas.iter().map(|bound| (**bound).clone()).collect();
                proof.conditions = solved.conditions.iter().map(|bound| (**bound).clone()).collect();
            }
        }
        proof.fill_answer(cpu_before);
        Ok(proof)
    }

    /// Proves the bounds that the recipe's rows would take from tables, smallest board first, and adds them to `bounds`. A lemma that is not settled in time is left out, and its rows with it.
    fn lemmas(&mut self, board: &Board, bounds: &mut Bounds) -> Result<(), LabError> {
        let published = Bounds::with_reported();
        let wanted = Formulation::new(
            board,
            self.claimed.recipe,
            Variant::of(Goal::Optimise),
            &published,
            self.claimed.memory,
        )?;
        let theorem = |bound: &&Arc<UpperBound>| matches!(bound.provenance, Provenance::Theorem(_));
        let mut wanted: Vec<_> = wanted.bounds().iter().filter(|bound| !theorem(bound)).cloned().collect();
        wanted.sort_by_key(|bound| Board::new(&bound.board).size());
        for lemma in wanted {
            if self.stop().is_some() {
                break;
            }
            let known = bounds.upper(&lemma.board);
            if known.is_some_and(|bound| {
                matches!(bound.provenance, Provenance::Proved(_) | Provenance::Solved(_))
            }) {
                continue;
            }
            self.stage(format!("lemma: {}", lemma.board));
            let proof = self.prove(&Board::new(&lemma.board), None, None, None, bounds)?;
            let provenance = match proof.status {
                Status::Proved => Some(Provenance::Proved(proof.kind.to_string())),
                Status::Solved => Some(Provenance::Solved(proof.kind.to_string())),
                Status::Conditional | Status::Refuted | Status::Open => None,
            };
            if let Some(provenance) = provenance {
                bounds.add(UpperBound { board: lemma.board.clone(), value: proof.upper, provenance });
            }
        }
        Ok(())
    }

    fn options(&self) -> Options {
        Options { time_limit: self.deadline.left(), ..self.claimed.options.clone() }
    }

    fn stage(&mut self, words: String) {
        self.interrupted |= (self.watch)(&Event::Stage(words)).is_break();
    }

    /// Why to stop, if that is to be.
    fn stop(&self) -> Option<StopReason> {
        self.interrupted.then_some(StopReason::Interrupted).or(self.deadline.reason())
    }
}

impl Proof {
    /// The certificate to begin with, and the upper bound that a partition gives.
    fn begin(
        board: &Board,
        certificate: Option<&Certificate>,
        seed: u32,
        watch: &mut Watch<'_>,
    ) -> Result<Self, LabError> {
        let mut proof = Self::open(board)?;
        proof.certificate = match certificate {
            Some(certificate) => {
                check::given(board, Claim::IndependentSet, certificate)?;
                certificate.clone()
            }
            None => constructed(board, seed)?,
        };
        let (name, size) = (board.name(), proof.certificate.size() as u64);
        // Whether to go on is asked again as soon as a solver starts.
        let _ = watch(&Event::Stage(format!(
            "{name}: {}, checked; {}",
            board.pieces(size),
            proof.certificate.origin
        )));
        Ok(proof)
    }

    /// A placement that is given, and the upper bound that a partition gives.
    ///
    /// # Errors
    /// When the placement does not pass the check.
    pub fn given(board: &Board, certificate: &Certificate) -> Result<Self, LabError> {
        check::given(board, Claim::IndependentSet, certificate)?;
        Ok(Self { certificate: certificate.clone(), ..Self::open(board)? })
    }

    /// Nothing but the upper bound that a partition gives.
    ///
    /// # Errors
    /// When the partition does not pass the check.
    pub(crate) fn open(board: &Board) -> Result<Self, LabError> {
        let partitioned = partition::best(board)?;
        Ok(Self {
            status: Status::Open,
            certificate: Certificate::independent(board.name().clone(), Vec::new(), "no queen at all"),
            upper: partitioned.sets,
            kind: ProofKind::Partition(partitioned),
            boxes: None,
            lemmas: Vec::new(),
            conditions: Vec::new(),
            stop: StopReason::Finished,
            answer: Answer { stop: StopReason::Finished.to_string(), ..Answer::default() },
        })
    }

    /// Takes an upper bound in, in place of the one before and what that rested on.
    pub(crate) fn bound(&mut self, upper: u64, kind: ProofKind) {
        (self.upper, self.kind) = (upper, kind);
        self.lemmas.clear();
        self.conditions.clear();
    }

    /// Says where a claim of this value, or of any, stands.
    pub(crate) fn judge(&mut self, value: Option<u64>) {
        let found = self.certificate.size() as u64;
        let beyond = value.is_some_and(|k| self.upper < k);
        self.status = match value {
            Some(k) if found > k => Status::Refuted,
            _ if self.kind == ProofKind::Stopped || found != self.upper && !beyond => Status::Open,
            _ if !self.conditions.is_empty() => Status::Conditional,
            _ if beyond => Status::Refuted,
            _ if matches!(self.kind, ProofKind::SolverRun { .. }) => Status::Solved,
            _ => Status::Proved,
        };
    }

    /// Fills in the answer at the end of work that began then.
    pub(crate) fn settle_answer(&mut self, begin: Instant, cpu_before: Duration) {
        let (lower, board) = (self.certificate.size() as u64, &self.certificate.board);
        self.answer.verdict = Some(verdict::on_bounds(lower, self.upper, known::lookup(board)));
        self.answer.stop = self.stop.to_string();
        self.answer.wall_seconds = begin.elapsed().as_secs_f64();
        self.fill_answer(cpu_before);
    }

    fn fill_answer(&mut self, cpu_before: Duration) {
        let answer = &mut self.answer;
        answer.outcome = self.status.to_string();
        answer.proved_bound = i64::try_from(self.upper).ok();
        answer.proof = Some(self.kind.to_string());
        answer.lemmas = self.lemmas.iter().map(ToString::to_string).collect();
        answer.conditions = self.conditions.iter().map(ToString::to_string).collect();
        answer.cpu_seconds = (machine::cpu_time() - cpu_before).as_secs_f64();
        answer.peak_memory_bytes = machine::peak_memory();
        answer.note_certificate(&self.certificate);
    }
}

fn sum(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    a.map_or(b, |a| b.map(|b| a + b))
}
