//! Maxima, and decisions whether k queens fit, by branch and bound on the LP relaxations of a formulation.

use std::path::Path;

use crate::record::{Answer, Outcome, Verdict, machine};
use ndqueens_crosscheck::proof::ProofResult;
use ndqueens_crosscheck::vipr::Theorem;
use ndqueens_exact::WorkStore;
use ndqueens_model::board::{Board, Square};
use ndqueens_model::facts::Bounds;
use ndqueens_model::formulation::Formulation;
use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_notation::name::BoardName;
use ndqueens_solver::backends::Options;
use ndqueens_solver::backends::highs::Highs;
use ndqueens_solver::branch_and_bound::{
    self as tree, Branching, End, Monitor, Search, Settings, Statistics, Symmetry, TemporaryStore,
};
use ndqueens_system::cancel::{Control, Deadline, StopReason};
use ndqueens_system::file::digest;

use super::kind::ProofKind;
use super::proof_state::{ProofState, StartTimes, Status, next_target};
use super::vipr;
use crate::parallel_check::CheckedAhead;
use crate::parts;
use crate::run::exact_engine::WorkFolder;
use crate::run::{
    CHECKING, Event, GoalError, PriorResults, ProofDraft, TreeProgress, Watch, WorkflowError, nodes,
    placement_check, run_watched,
};

/// Name of the engine in messages and certificates.
pub(crate) const NAME: &str = concat!("branch and bound ", env!("CARGO_PKG_VERSION"));

/// Request for a branch-and-bound tree.
#[derive(Debug, Clone, Copy)]
pub struct TreeRequest<'a> {
    /// Board to search.
    pub board: &'a Board,
    /// Formulation whose LP relaxations bound the nodes.
    pub formulation: &'a Formulation,
    /// Rule for the choice of the square to branch on.
    pub branching: Branching,
    /// Rounds of separation of cliques at the root; 0 for no separation.
    pub cut_rounds: u32,
    /// Seed, symmetry and limits.
    pub options: &'a Options,
    /// Memory limit of a model, in bytes.
    pub memory: u64,
    /// File for the proof.
    pub keep: Option<&'a Path>,
    /// Folder for the parts of the trees.
    pub work: Option<&'a Path>,
    /// Results of earlier runs.
    pub prior: &'a PriorResults,
}

/// Counts of all trees of a run.
#[derive(Debug, Default)]
pub(super) struct Effort {
    pub(super) nodes: u64,
    pub(super) lp_iterations: u64,
    cuts: u64,
    pub(super) root_bound: Option<f64>,
}

/// Answer of a tree.
enum Reply {
    /// A placement was found, and the search ended there.
    Fit(Vec<Square>),
    /// A proof that the queens do not fit was checked.
    DoNotFit,
    /// Stopped for this reason; the second field is the bound at the root, if its proof was checked.
    Stopped(StopReason, Option<u64>),
}

/// Proves by branch and bound the maximum, or that the maximum is the claimed value. The proof is checked,
/// and written to a file if one is given. The tree is built even if a theorem gives the bound.
///
/// # Errors
/// Returns an error if the formulation does not suit the board or the proof format, HiGHS fails, the proof
/// cannot be written, or a given or computed certificate or the proof does not pass the check.
pub fn prove_by_tree(
    request: &TreeRequest<'_>,
    value: Option<u64>,
    certificate: Option<&Certificate>,
    watch: &mut Watch<'_>,
) -> Result<ProofState, WorkflowError> {
    let start = StartTimes::now();
    let TreeRequest { board, formulation, options, .. } = *request;
    request.refuse_other_problems()?;
    request.ensure_rows(&[], 1)?;
    let deadline = Deadline::since(start.wall, options.time_limit);
    let archived = request.prior.placements(board.name()).into_iter().max_by_key(Certificate::size);
    let mut proof =
        ProofState::begin(board, certificate.or(archived.as_ref()), options.seed, deadline, watch)?;
    let mut effort = Effort::default();
    loop {
        let found = proof.certificate.size() as u64;
        proof.judge(value);
        let settled = match proof.status {
            Status::Proved => matches!(proof.kind, ProofKind::BranchAndBound { .. }),
            Status::Refuted => true,
            Status::Open | Status::Solved | Status::Conditional => false,
        };
        if settled || proof.stop != StopReason::Finished {
            break;
        }
        let target = next_target(found, value);
        match request.decide(&[], target, found, &mut effort, deadline, watch)? {
            Reply::Fit(squares) => {
                proof.certificate =
                    placement_check::certify(board, &squares, Problem::IndependentSet, &[], NAME)?;
            }
            Reply::DoNotFit => {
                let formulation = formulation.name.clone();
                proof.bound(target - 1, ProofKind::BranchAndBound { formulation, nodes: effort.nodes });
            }
            Reply::Stopped(reason, at_most) => {
                proof.stop = reason;
                if let Some(at_most) = at_most.filter(|&at_most| at_most < proof.upper) {
                    let formulation = formulation.name.clone();
                    proof.bound(at_most, ProofKind::BranchAndBound { formulation, nodes: 1 });
                }
            }
        }
    }
    effort.note(&mut proof.answer);
    proof.settle_answer(&start);
    Ok(proof)
}

/// Decides by branch and bound whether `target` queens fit if the squares of `include` are among them. A
/// proof that they do not fit is checked; with included squares it is a VIPR file.
///
/// # Errors
/// Returns the errors of [`prove_by_tree`].
pub fn decide_by_tree(
    request: &TreeRequest<'_>,
    include: &[Square],
    target: u64,
    watch: &mut Watch<'_>,
) -> Result<Answer, WorkflowError> {
    let start = StartTimes::now();
    let TreeRequest { board, formulation, options, .. } = *request;
    let deadline = Deadline::since(start.wall, options.time_limit);
    let (mut effort, mut answer) = (Effort::default(), Answer::default());
    answer.stop = StopReason::Finished.into();
    match request.decide(include, target, 0, &mut effort, deadline, watch)? {
        Reply::Fit(squares) => {
            // Every subset of an independent set is one, too.
            let others = squares.into_iter().filter(|square| !include.contains(square));
            let most = usize::try_from(target).unwrap_or(usize::MAX).max(include.len());
            let squares: Vec<Square> = include.iter().copied().chain(others).take(most).collect();
            let certificate =
                placement_check::certify(board, &squares, Problem::IndependentSet, include, NAME)?;
            answer.note_certificate(&certificate);
            answer.outcome = Outcome::Feasible;
        }
        Reply::DoNotFit => {
            answer.outcome = Outcome::Infeasible;
            answer.proved_bound = i64::try_from(target - 1).ok();
            let formulation = formulation.name.clone();
            answer.proof = Some(ProofKind::BranchAndBound { formulation, nodes: effort.nodes }.to_string());
        }
        Reply::Stopped(reason, at_most) => {
            answer.outcome = Outcome::Unknown;
            answer.proved_bound = at_most.and_then(|at_most| i64::try_from(at_most).ok());
            answer.stop = reason.into();
        }
    }
    effort.note(&mut answer);
    answer.verdict = Some(Verdict::Ok);
    answer.wall_seconds = start.wall.elapsed().as_secs_f64();
    answer.cpu_seconds = (machine::cpu_time() - start.cpu).as_secs_f64();
    answer.peak_memory_bytes = machine::peak_memory();
    Ok(answer)
}

impl Effort {
    /// Adds the counts of a tree.
    pub(super) fn add(&mut self, statistics: &Statistics) {
        self.nodes += statistics.nodes;
        self.lp_iterations += statistics.lp_iterations;
        self.cuts += statistics.cuts;
        self.root_bound = self.root_bound.or(statistics.root_bound);
    }

    /// Returns the state of the current tree, with the counts of those before it.
    pub(super) fn progress(&self, monitor: &Monitor, incumbent: u64, seconds: f64) -> Event {
        let done = monitor.control.done();
        Event::Tree(TreeProgress {
            incumbent,
            bound: monitor.bound(),
            nodes: self.nodes + monitor.control.nodes(),
            open: monitor.open(),
            lp_iterations: self.lp_iterations + monitor.lp_iterations(),
            done,
            left: (done > 0.0).then(|| (1.0 - done) / done * seconds),
            seconds,
        })
    }

    pub(super) fn note(&self, answer: &mut Answer) {
        answer.nodes = Some(self.nodes);
        answer.lp_iterations = Some(self.lp_iterations);
        answer.cuts = Some(self.cuts);
        answer.root_lp_bound = self.root_bound;
        answer.solver = Some(format!("{NAME}, LPs by HiGHS {}", Highs::version()));
    }
}

impl TreeRequest<'_> {
    /// Rejects a formulation that does not ask for a maximum.
    pub(crate) fn refuse_other_problems(&self) -> Result<(), WorkflowError> {
        match self.formulation.maximises() {
            true => Ok(()),
            false => Err(GoalError::NotAMaximum { formulation: self.formulation.name.clone() }.into()),
        }
    }

    /// Rejects a formulation with rows that the proof format cannot express, before the search starts.
    fn ensure_rows(&self, include: &[Square], target: u64) -> Result<(), WorkflowError> {
        let Self { board, formulation, .. } = *self;
        let bounds = Bounds::with_publications(self.prior.bounds());
        let problem = tree::Problem { board, formulation, bounds: &bounds, memory: self.memory };
        let is_vipr = self.is_vipr(include);
        Ok(tree::ensure_rows(&problem, target, include, is_vipr)?)
    }

    /// Builds a tree that decides whether `target` queens fit.
    fn decide(
        &self,
        include: &[Square],
        target: u64,
        incumbent: u64,
        effort: &mut Effort,
        deadline: Deadline,
        watch: &mut Watch<'_>,
    ) -> Result<Reply, WorkflowError> {
        let Self { board, formulation, options, .. } = *self;
        // The search reports again, and then the answer of the watcher counts.
        let _ = watch(&Event::Stage(format!("{}: asking for {}", board.name(), board.format_pieces(target))));
        let bounds = Bounds::with_publications(self.prior.bounds());
        let problem = tree::Problem { board, formulation, bounds: &bounds, memory: self.memory };
        let draft = ProofDraft::new(self.keep)?;
        let folder = self.work.map(|folder| self.work_folder(folder)).transpose()?;
        let temporary = TemporaryStore::default();
        let store = folder.as_ref().map_or(&temporary as &dyn WorkStore, |folder| folder);
        let is_vipr = self.is_vipr(include);
        let monitor = Monitor::default();
        let settings = Settings {
            branching: self.branching,
            symmetry: if options.symmetry == Some(false) { Symmetry::Nowhere } else { Symmetry::EveryNode },
            root_rounds: self.cut_rounds,
            seed: options.seed,
            node_limit: options.node_limit.unwrap_or(u64::MAX).saturating_sub(effort.nodes),
            threads: options.threads.unwrap_or(1) as usize,
            included: include,
            ..Settings::new(&monitor)
        };
        let progress = |seconds: f64| effort.progress(&monitor, incumbent, seconds);
        let (searched, stopped) = run_watched(&monitor.control, deadline, watch, &progress, |_| {
            draft.write(|out, _| {
                Ok(match is_vipr {
                    true => vipr::prove_independent_set(&problem, target, &settings, out),
                    false => tree::prove(&problem, target, &settings, store, out),
                })
            })
        });
        let Search { end, statistics, root } = searched.map_err(WorkflowError::engine)??;
        effort.add(&statistics);
        match end {
            End::Found(squares) => Ok(Reply::Fit(squares)),
            End::Stopped(reason) => {
                let reason = stopped.unwrap_or(reason);
                let Some(root) = root.filter(|_| !is_vipr) else { return Ok(Reply::Stopped(reason, None)) };
                let checked = watch_check(deadline, watch, |control| {
                    let shows = |proved: &ProofResult| proved.at_most() == Some(root.at_most);
                    let nothing = CheckedAhead::default();
                    Ok(draft.check(board.name(), &shows, &nothing, 1, control)?.is_some())
                });
                Ok(Reply::Stopped(reason, checked?.0.then_some(root.at_most)))
            }
            End::Refuted => {
                let _ = watch(&Event::Stage(leaves(board, &statistics)));
                self.finish_refutation(draft, include, target, deadline, watch)
            }
        }
    }

    /// Checks the proof that `target` queens do not fit, and gives its file the name.
    fn finish_refutation(
        &self,
        draft: ProofDraft,
        include: &[Square],
        target: u64,
        deadline: Deadline,
        watch: &mut Watch<'_>,
    ) -> Result<Reply, WorkflowError> {
        let board = self.board;
        let included: Vec<_> = include.iter().map(|&square| board.coordinates(square)).collect();
        let shows = |theorem: &Theorem| {
            theorem.problem() == Problem::IndependentSet
                && theorem.included() == included
                && theorem.at_most() == Some(target - 1)
        };
        let (is_checked, stopped) = watch_check(deadline, watch, |control| match self.is_vipr(include) {
            true => draft.finish_vipr(board.name(), &shows, control),
            false => Ok(draft.finish(board.name(), target - 1, control)?.is_some()),
        })?;
        Ok(match is_checked {
            true => Reply::DoNotFit,
            false => Reply::Stopped(stopped.unwrap_or(StopReason::Interrupted), None),
        })
    }

    /// Returns `true` if the proof is a VIPR file. Proof trees do not express included squares.
    fn is_vipr(&self, include: &[Square]) -> bool {
        !include.is_empty() || self.keep.is_some_and(vipr::is_name)
    }

    /// Creates the folder for parts of trees, or opens it if it holds parts of the same trees.
    fn work_folder(&self, folder: &Path) -> Result<WorkFolder, WorkflowError> {
        let Self { board, formulation, branching, cut_rounds, options, .. } = self;
        let symmetry = if options.symmetry == Some(false) { "without" } else { "with" };
        let board_file = match board.name() {
            BoardName::File(file) => format!(" ({:.12})", file.digest()),
            _ => String::new(),
        };
        let question = format!(
            "trees of {}{board_file}, formulation {} ({:.12}), branching {branching}, {cut_rounds} rounds of cuts, {symmetry} symmetry, seed {}, HiGHS {}",
            board.name(),
            formulation.name,
            digest::of(format!("{formulation:?}")),
            options.seed,
            Highs::version(),
        );
        match parts::begin(folder, parts::TREE_MANIFEST, &question, &options.notes)? {
            None => Ok(WorkFolder::of_parts(folder, &options.notes)?),
            Some(found) => {
                Err(WorkflowError::OtherWork { folder: folder.to_owned(), found, asked: question })
            }
        }
    }
}

/// Checks a proof. Returns `false` and the reason if the check was stopped.
pub(super) fn watch_check(
    deadline: Deadline,
    watch: &mut Watch<'_>,
    check: impl FnOnce(&Control) -> Result<bool, WorkflowError> + Send,
) -> Result<(bool, Option<StopReason>), WorkflowError> {
    let control = Control::default();
    let deadline = deadline.later(CHECKING);
    let progress = |seconds: f64| nodes(&control, seconds);
    let (checked, stopped) = run_watched(&control, deadline, watch, &progress, |_| check(&control));
    Ok((checked.map_err(|fault| fault.found_by(NAME))?, stopped))
}

/// Describes how the leaves of a tree were proved.
fn leaves(board: &Board, statistics: &Statistics) -> String {
    let &Statistics { nodes, leaves, leaves_by_basis, unproved_leaves, .. } = statistics;
    let number = |count: u64, noun: &str, plural: &str| match count {
        1 => format!("1 {noun}"),
        _ => format!("{count} {plural}"),
    };
    format!(
        "{}: {}; multipliers of {}: {} by rounding, {leaves_by_basis} by the exact solution of a basis; {} branched for want of multipliers",
        board.name(),
        number(nodes, "node", "nodes"),
        number(leaves, "leaf", "leaves"),
        leaves - leaves_by_basis,
        number(unproved_leaves, "node", "nodes"),
    )
}
