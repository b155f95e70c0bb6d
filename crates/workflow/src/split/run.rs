//! Running the parts of a split, on one machine or on several.

use std::io;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use crate::record::machine;
use ndqueens_exact::{Feasibility, Question, Settings, Split};
use ndqueens_notation::certificate::Certificate;
use ndqueens_solver::backends::Options;
use ndqueens_system::cancel::{Control, Deadline, StopReason};
use ndqueens_system::claim::Claims;
use ndqueens_system::file::{self, sealed};
use parking_lot::Mutex;
use rayon::prelude::*;

use super::folder::{Contents, Folder, Leaf};
use super::manifest::Definition;
use super::part::{CUT, Cut, PartName, TREE};
use crate::parts::account::{self, Accounts};
use crate::parts::{Forecast, MissingParts, Share, order};
use crate::run::exact_engine::settings;
use crate::run::{SplitError, Watch, WorkflowError};

/// Number of nodes above which a tree is restarted with a relaxation. It is lower than the default of the
/// engine, because for parts a proof of half the length is worth a search of twice the time.
const LARGE_TREE: u64 = 1 << 14;

/// Minimum number of pieces into which a large part is cut.
const PIECES: usize = 64;

/// Request to run parts of a split.
#[derive(Debug, Clone, Copy)]
pub struct Running {
    /// Number of the only part to run; if absent, all missing parts are run.
    pub only: Option<usize>,
    /// Share of the parts that is started first.
    pub share: Option<Share>,
    /// Number of threads.
    pub threads: usize,
    /// Deadline of the run.
    pub deadline: Deadline,
    /// True if a part is started only if it is predicted to end in time. A part that takes more than half of
    /// the time and is not finished at the end is cut again.
    pub fitting: bool,
    /// Number of nodes after which a part is cut again.
    pub most_nodes: Option<u64>,
}

impl Running {
    fn includes(&self, leaf: &Leaf) -> bool {
        self.only.is_none_or(|only| only == leaf.part.part())
    }
}

/// Result of a run of parts.
#[derive(Debug)]
pub struct Ran {
    /// Number of parts that this run finished.
    pub finished: usize,
    /// Total number of parts and pieces.
    pub parts: usize,
    /// Number of parts that are still missing.
    pub missing: usize,
    /// Number of missing parts that others have claimed.
    pub elsewhere: usize,
    /// Number of missing parts that are predicted not to end in time.
    pub too_long: usize,
    /// Number of parts that were cut again.
    pub cut_again: usize,
    /// Number of nodes of this run.
    pub nodes: u64,
    /// Placement that was found, checked.
    pub fits: Option<Certificate>,
    /// Reason why the run stopped early.
    pub stop: Option<StopReason>,
}

impl Ran {
    /// Adds the counts of a round. Returns `true` if another round may run more parts: pieces of parts that
    /// were cut again, or parts that other runners had claimed, because those runners may have died.
    fn add(&mut self, round: &Round) -> bool {
        let (finished, cut_again) = (round.finished.load(Relaxed), round.cut_again.load(Relaxed));
        (self.finished, self.cut_again) = (self.finished + finished, self.cut_again + cut_again);
        (self.elsewhere, self.too_long) = (round.elsewhere.load(Relaxed), round.too_long.load(Relaxed));
        self.stop = round.stop;
        cut_again > 0 || finished > 0 && self.elsewhere > 0
    }
}

/// State that the rounds of a run share.
struct Runner<'a> {
    folder: &'a Folder,
    running: &'a Running,
    split: Split<'a>,
    control: &'a Control,
    claims: Claims,
    accounts: Accounts,
    forecast: Forecast,
    /// Time from the start to the deadline.
    time: Duration,
}

impl Folder {
    /// Runs one part, or all missing parts that no other runner has claimed. The tree of each part is written
    /// to its file when it is finished. If all parts are run, damaged shared files are restored.
    ///
    /// # Errors
    /// Returns an error if the part does not exist, a part cannot be written, the folder contains foreign
    /// parts, or this version cuts the tree in another way.
    pub fn run(&self, running: &Running, watch: &mut Watch<'_>) -> Result<Ran, WorkflowError> {
        let Definition { parts, .. } = self.manifest().definition;
        if let Some(number) = running.only.filter(|&number| number >= parts) {
            return Err(SplitError::NoPart { number, parts }.into());
        }
        let (mut contents, leaves, mut missing) = self.find_missing(|leaf| running.includes(leaf))?;
        let mut ran = Ran {
            finished: 0,
            parts: leaves,
            missing: missing.len(),
            elsewhere: 0,
            too_long: 0,
            cut_again: 0,
            nodes: 0,
            fits: self.certificate()?,
            stop: None,
        };
        if ran.fits.is_none() && running.only.is_none() {
            ran.stop = self.restore(running.threads, running.deadline, watch)?;
        }
        if ran.fits.is_some() || ran.stop.is_some() || !missing.iter().any(|leaf| running.includes(leaf)) {
            return Ok(ran);
        }
        let control = Control::new();
        let claims = Claims::of(&self.path, machine::holder())?;
        let question = self.question();
        let split = self.cut(&question, &self.settings(running, &control))?;
        let runner = Runner {
            folder: self,
            running,
            accounts: Accounts::begin(&self.path, &claims, control.nodes())?,
            forecast: Forecast::of(&account::read(&self.path, &self.notes)?),
            split,
            control: &control,
            claims,
            time: running.deadline.left().unwrap_or(Duration::MAX),
        };
        let nodes_before = control.nodes();
        loop {
            let round = runner.round(&contents, ran.parts, &missing, watch)?;
            let has_more = ran.add(&round) && !control.is_stopped();
            let heavy = round.heavy.into_inner();
            ran.cut_again += self.cut_heavy(&question, running, &contents, &heavy)?;
            contents = self.contents()?;
            let leaves = self.leaves(&contents);
            ran.parts = leaves.len();
            missing = contents.missing(&leaves).cloned().collect();
            if !has_more {
                break;
            }
        }
        ran.missing = missing.len();
        ran.elsewhere = ran.elsewhere.min(ran.missing);
        ran.nodes = control.nodes() - nodes_before;
        // Several threads may have found placements; the folder determines which one is returned.
        ran.fits = self.certificate()?;
        ran.stop = ran.stop.filter(|_| ran.missing > 0);
        Ok(ran)
    }

    /// Splits parts that took too long again. Returns the number of those that were not split before.
    fn cut_heavy(
        &self,
        question: &Question<'_>,
        running: &Running,
        contents: &Contents,
        heavy: &[PartName],
    ) -> Result<usize, WorkflowError> {
        if heavy.is_empty() {
            return Ok(0);
        }
        // The control that stopped the search would stop the cut.
        let control = Control::new();
        let split = self.cut(question, &self.settings(running, &control))?;
        let mut cut_again = 0;
        for part in heavy {
            self.ensure_cut(&split, contents, part)?;
            cut_again += usize::from(self.cut_again(&split, part)?);
        }
        Ok(cut_again)
    }

    fn settings<'s>(&self, running: &Running, control: &'s Control) -> Settings<'s> {
        Settings {
            proofs: true,
            threads: running.threads,
            large_tree: LARGE_TREE,
            ..settings(&Options::default(), control)
        }
    }

    /// Returns the contents of the folder, the number of parts and pieces, and those that are missing. Files
    /// for which `is_requested` returns `true` are also checked for damage.
    pub(super) fn find_missing(
        &self,
        is_requested: impl Fn(&Leaf) -> bool + Sync,
    ) -> Result<(Contents, usize, Vec<Leaf>), WorkflowError> {
        let contents = self.contents()?;
        let leaves = self.leaves(&contents);
        let is_missing = |leaf: &Leaf| match contents.trees.get(&leaf.part) {
            None => Ok(true),
            Some(_) if !is_requested(leaf) => Ok(false),
            Some(path) => self.is_damaged(&leaf.part, path),
        };
        let missing = leaves.par_iter().filter_map(|leaf| match is_missing(leaf) {
            Ok(missing) => missing.then(|| Ok(leaf.clone())),
            Err(fault) => Some(Err(fault)),
        });
        let missing = missing.collect::<io::Result<_>>().map_err(WorkflowError::engine)?;
        Ok((contents, leaves.len(), missing))
    }

    /// Cuts the parts above a piece as they were cut before.
    fn ensure_cut(
        &self,
        split: &Split<'_>,
        contents: &Contents,
        part: &PartName,
    ) -> Result<(), WorkflowError> {
        for above in part.above() {
            let Some(cut) = contents.cuts.get(&above).filter(|_| !split.is_cut(above.numbers())) else {
                continue;
            };
            let again = split.recut(above.numbers(), cut.wanted).map_err(WorkflowError::engine)?;
            if again.is_some_and(|again| again != cut.recut) {
                let path = self.path.join(above.stem() + CUT);
                let fault =
                    "this version cuts that part in another way; delete the file, and its part is run again";
                return Err(SplitError::Wrong(vec![format!("{}: {fault}", path.display())]).into());
            }
        }
        Ok(())
    }

    /// Cuts a part again. Returns `false` if it cannot be cut.
    fn cut_again(&self, split: &Split<'_>, part: &PartName) -> Result<bool, WorkflowError> {
        let Some(recut) = split.recut(part.numbers(), PIECES).map_err(WorkflowError::engine)? else {
            return Ok(false);
        };
        let cut = Cut { wanted: PIECES, recut };
        cut.write(&self.path.join(part.stem() + CUT), &self.first_line(part, "cut"))?;
        Ok(true)
    }

    fn run_part(
        &self,
        split: &Split<'_>,
        part: &PartName,
        most_nodes: u64,
    ) -> Result<Feasibility, WorkflowError> {
        let mut answer = None;
        let written = sealed::write(&self.path.join(part.stem() + TREE), |out| {
            writeln!(out, "{}", self.first_line(part, "part"))?;
            let found = split.run(part.numbers(), most_nodes, out)?;
            let complete = matches!(found, Feasibility::Infeasible(_));
            answer = Some(found);
            if complete { Ok(()) } else { Err(io::Error::other("the part is not finished")) }
        });
        match (written, answer) {
            (Ok(()), Some(answer))
            | (Err(_), Some(answer @ (Feasibility::Feasible(_) | Feasibility::Stopped(_)))) => Ok(answer),
            (Err(fault), _) => Err(fault.into()),
            (Ok(()), None) => unreachable!("what is written has an answer"),
        }
    }
}

/// Counts of the parts of one round.
#[derive(Debug, Default)]
struct Round {
    finished: AtomicUsize,
    elsewhere: AtomicUsize,
    too_long: AtomicUsize,
    cut_again: AtomicUsize,
    /// Parts that took more than half of the time.
    heavy: Mutex<Vec<PartName>>,
    stop: Option<StopReason>,
}

impl Runner<'_> {
    /// Runs the requested missing parts that are not claimed.
    fn round(
        &self,
        contents: &Contents,
        parts: usize,
        missing: &[Leaf],
        watch: &mut Watch<'_>,
    ) -> Result<Round, WorkflowError> {
        let Running { only, share, threads, deadline, .. } = *self.running;
        let weights: Vec<f64> = missing.iter().map(|leaf| leaf.weight).collect();
        let is_requested = |&k: &usize| self.running.includes(&missing[k]);
        let in_order: Vec<usize> = order(&weights, share).into_iter().filter(is_requested).collect();
        let mut round = Round::default();
        let missing_parts = MissingParts {
            missing: &in_order,
            parts,
            finished_before: parts - missing.len(),
            share_before: 1.0 - weights.iter().sum::<f64>(),
            completes: only.is_none(),
            threads,
            deadline,
            control: self.control,
        };
        let (done, stop) = missing_parts.run(watch, |k| self.attempt(contents, &missing[k], &round));
        done.map_err(|fault| fault.into_workflow_error(WorkflowError::engine))?;
        round.stop = stop;
        Ok(round)
    }

    /// Runs a part if it is predicted to end in time and not claimed by another runner. Returns `true` if it
    /// was finished here.
    fn attempt(&self, contents: &Contents, leaf: &Leaf, round: &Round) -> Result<bool, WorkflowError> {
        let (folder, Leaf { part, weight }) = (self.folder, leaf);
        let Running { deadline, fitting, most_nodes, .. } = *self.running;
        let would_fit = |time: Duration| !fitting || self.forecast.fits(*weight, time);
        // A part that would not end within the whole time is cut again.
        if would_fit(self.time) && !deadline.left().is_none_or(would_fit) {
            round.too_long.fetch_add(1, Relaxed);
            return Ok(false);
        }
        let Some(_claim) = self.claims.claim(&part.stem())? else {
            round.elsewhere.fetch_add(1, Relaxed);
            return Ok(false);
        };
        // Another run on this folder may have finished the part, or cut it again.
        let path = folder.path.join(part.stem() + TREE);
        if path.exists() && !folder.is_damaged(part, &path).map_err(WorkflowError::engine)? {
            return Ok(false);
        }
        let cut = || Cut::read(&folder.path.join(part.stem() + CUT), &folder.first_line(part, "cut"));
        if !contents.cuts.contains_key(part) && cut().is_ok() {
            round.cut_again.fetch_add(1, Relaxed);
            return Ok(false);
        }
        folder.ensure_cut(&self.split, contents, part)?;
        if !would_fit(self.time) && folder.cut_again(&self.split, part)? {
            round.cut_again.fetch_add(1, Relaxed);
            return Ok(false);
        }
        let begin = Instant::now();
        let answer = folder.run_part(&self.split, part, most_nodes.unwrap_or(u64::MAX))?;
        let (took, finished) = (begin.elapsed(), matches!(answer, Feasibility::Infeasible(_)));
        self.accounts.add(&part.to_string(), *weight, finished, took, self.control.nodes())?;
        match answer {
            Feasibility::Infeasible(_) => {
                self.forecast.add(*weight, took.as_secs_f64());
                round.finished.fetch_add(1, Relaxed);
            }
            Feasibility::Feasible(squares) => {
                let certificate = folder.certify(&squares)?;
                let path = folder.path.join(part.stem() + ".txt");
                file::write(&path, |out| write!(out, "{certificate}"))?;
                self.control.stop();
            }
            Feasibility::Stopped(done) => {
                self.control.uncount_progress(done);
                if !self.control.is_stopped() {
                    let cut = folder.cut_again(&self.split, part)?;
                    round.cut_again.fetch_add(usize::from(cut), Relaxed);
                } else if fitting && took > self.time / 2 {
                    round.heavy.lock().push(part.clone());
                }
            }
        }
        Ok(finished)
    }
}
