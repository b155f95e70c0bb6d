//! Complete algorithm for colourings, in parts: in memory or in a folder.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use crate::record::machine;
use ndqueens_solver::colouring::cover::{Classes, Cover, SolutionCounts, Subproblem, Tally};
use ndqueens_solver::construct::local_search::SearchError;
use ndqueens_system::cancel::{Control, Deadline, StopReason};
use ndqueens_system::claim::Claims;
use ndqueens_system::note::Notes;
use parking_lot::Mutex;

use super::certify;
use super::folder::{ColouringFolder, DonePart, Journal, key, share};
use super::question::ColouringQuestion;
use crate::parts::account::{self, Accounts, Total};
use crate::parts::{Forecast, MissingParts, Share, order};
use crate::run::{Interruptible, SplitError, Watch, WorkflowError};

/// Request to the complete algorithm.
#[derive(Debug, Clone, Copy)]
pub struct ColouringRequest<'a> {
    /// Question for the algorithm.
    pub question: ColouringQuestion,
    /// True if one colouring is enough.
    pub first: bool,
    /// Number of threads.
    pub threads: usize,
    /// Deadline of the search.
    pub deadline: Deadline,
    /// Folder for finished parts.
    pub work: Option<&'a Path>,
    /// Destination of notes about damaged files in the folder.
    pub notes: &'a Notes,
}

/// Result of the complete algorithm.
#[derive(Debug)]
pub struct Covered {
    /// Numbers of solutions; those so far if the algorithm stopped before the last one.
    pub counts: SolutionCounts,
    /// Number of parts; `None` if the algorithm stopped before the last solution was listed.
    pub parts: Option<usize>,
    /// Number of finished parts.
    pub done: usize,
    /// Number of nodes of the finished parts; after a stop, of all parts that were started.
    pub nodes: u64,
    /// Colourings up to a permutation of the colours, in increasing order.
    pub found: Vec<Classes>,
    /// Reason why the algorithm stopped early.
    pub stop: Option<StopReason>,
}

/// Request to search parts of a folder.
#[derive(Debug, Clone, Copy)]
pub struct PartsRequest {
    /// Number of the only part to search; if absent, all missing parts are searched.
    pub only: Option<usize>,
    /// Share of the parts that is started first.
    pub share: Option<Share>,
    /// Number of threads.
    pub threads: usize,
    /// Deadline of the run.
    pub deadline: Deadline,
    /// True if a part is started only if it is predicted to end in time.
    pub fitting: bool,
    /// True if parts that other runners have claimed are searched as well.
    pub claimed: bool,
}

/// Result of a run of parts.
#[derive(Debug, Default)]
pub struct PartsRun {
    /// Number of parts that this run finished.
    pub finished: usize,
    /// Number of parts that are still missing.
    pub missing: usize,
    /// Number of missing parts that other runners have claimed.
    pub elsewhere: usize,
    /// Number of missing parts that are predicted not to end in time.
    pub too_long: usize,
    /// Number of nodes of this run.
    pub nodes: u64,
    /// Reason why the run stopped early.
    pub stop: Option<StopReason>,
}

/// Enumerates all colourings, or searches for one, by the complete algorithm.
///
/// # Errors
/// Returns an error if no colouring has the symmetry, the folder holds another question or cannot be written,
/// or the threads cannot be started.
///
/// # Panics
/// Panics if the side is 0 or above [`MAX_SIDE`](ndqueens_solver::colouring::cover::MAX_SIDE).
pub fn cover(request: &ColouringRequest<'_>, watch: &mut Watch<'_>) -> Result<Covered, WorkflowError> {
    let ColouringRequest { question, first, threads, deadline, work, notes } = *request;
    question.operator.ensure_possible(question.side)?;
    if let Some(folder) = work {
        match ColouringFolder::open(folder, notes) {
            Err(WorkflowError::ColourParts(SplitError::None(_))) => {}
            found => found?.ensure_of(&question)?,
        }
    }
    let control = Control::new();
    let (list, stop) = question.list(&control, deadline, watch)?;
    let folder =
        work.map(|path| ColouringFolder::begin(path, &question, &list, notes)).transpose()?.flatten();
    let counts = list.counts;
    let Some(cover) = list.cover else {
        let nodes = control.nodes();
        return Ok(Covered { counts, parts: None, done: 0, nodes, found: Vec::new(), stop });
    };
    let (done_parts, stop) = match &folder {
        Some(folder) => {
            let running =
                PartsRequest { only: None, share: None, threads, deadline, fitting: false, claimed: false };
            let mut run = folder.search(&cover, &running, &control, watch)?;
            if run.stop.is_none() && run.missing > 0 {
                // The answer needs all parts.
                let running = PartsRequest { claimed: true, ..running };
                run = folder.search(&cover, &running, &control, watch)?;
            }
            (folder.read_done()?, run.stop)
        }
        None => in_memory(&cover, first, threads, deadline, &control, watch)?,
    };
    let covered = join_parts(&cover, counts, &done_parts)?;
    let is_over = done_parts.len() == cover.parts().len() || first && !covered.found.is_empty();
    let stop = if is_over { None } else { stop.or(Some(StopReason::Interrupted)) };
    // A stopped search also has nodes in parts that it did not finish.
    let nodes = if is_over { covered.nodes } else { covered.nodes.max(control.nodes()) };
    Ok(Covered { stop, nodes, ..covered })
}

/// Searches all parts, or until a colouring is found if `first` is `true`.
fn in_memory(
    cover: &Cover,
    first: bool,
    threads: usize,
    deadline: Deadline,
    control: &Control,
    watch: &mut Watch<'_>,
) -> Result<(BTreeMap<usize, DonePart>, Option<StopReason>), WorkflowError> {
    let parts = cover.parts();
    let done_parts = Mutex::new(BTreeMap::new());
    let in_order: Vec<usize> = (0..parts.len()).collect();
    let missing_parts = MissingParts {
        missing: &in_order,
        parts: parts.len(),
        finished_before: 0,
        share_before: 0.0,
        completes: true,
        threads,
        deadline,
        control,
    };
    let (done, stop) = missing_parts.run(watch, |part| {
        let (done, is_whole) = search(cover, &parts[part], part, first, control);
        if is_whole || first && !done.colourings.is_empty() {
            done_parts.lock().insert(part, done);
        }
        Ok(is_whole)
    });
    done.map_err(|fault| fault.into_workflow_error(|cause| SearchError::Threads(cause).into()))?;
    Ok((done_parts.into_inner(), stop))
}

/// Searches a part. Returns `true` as the second value if the search was complete.
fn search(
    cover: &Cover,
    part: &Subproblem,
    number: usize,
    first: bool,
    control: &Control,
) -> (DonePart, bool) {
    let mut colourings = Vec::new();
    let Tally { nodes, .. } = cover.search(part, control, &mut |classes| {
        colourings.push(classes);
        if first {
            control.stop();
        }
    });
    (DonePart { part: number, of: String::new(), nodes, colourings }, !control.is_stopped())
}

/// Joins finished parts, and checks every colouring.
fn join_parts(
    cover: &Cover,
    counts: SolutionCounts,
    done_parts: &BTreeMap<usize, DonePart>,
) -> Result<Covered, WorkflowError> {
    let nodes = done_parts.values().map(|done| done.nodes).sum();
    let found: Vec<Classes> = done_parts.values().flat_map(|done| done.colourings.iter().cloned()).collect();
    let found = cover.images(&found);
    for classes in &found {
        certify(classes, "")?;
    }
    Ok(Covered { counts, parts: Some(cover.parts().len()), done: done_parts.len(), nodes, found, stop: None })
}

impl ColouringFolder {
    /// Creates a folder for the parts of a search.
    ///
    /// # Errors
    /// Returns an error if the folder is not empty or cannot be written, or if no colouring has the symmetry.
    pub fn split(
        question: &ColouringQuestion,
        path: &Path,
        deadline: Deadline,
        notes: &Notes,
        watch: &mut Watch<'_>,
    ) -> Result<Interruptible<Self>, WorkflowError> {
        let is_filled = path.read_dir().is_ok_and(|mut entries| entries.next().is_some());
        if is_filled {
            let fault = if Self::open(path, notes).is_ok() { SplitError::Done } else { SplitError::NotEmpty };
            return Err(WorkflowError::ColourParts(fault(path.to_owned())));
        }
        let (list, stop) = question.list(&Control::new(), deadline, watch)?;
        Ok(Interruptible::new(Self::begin(path, question, &list, notes)?, stop))
    }

    /// Searches one part, or all missing parts that no other runner has claimed. Each part is stored when it
    /// is finished.
    ///
    /// # Errors
    /// Returns an error if the part does not exist, a part cannot be written, or the folder contains foreign
    /// parts.
    pub fn run(&self, running: &PartsRequest, watch: &mut Watch<'_>) -> Result<PartsRun, WorkflowError> {
        let parts = self.parts();
        if let Some(number) = running.only.filter(|&number| number >= parts) {
            return Err(WorkflowError::ColourParts(SplitError::NoPart { number, parts }));
        }
        let done_parts = self.read_done()?;
        let missing = self.missing(&done_parts).len();
        if missing == 0 || running.only.is_some_and(|part| done_parts.contains_key(&part)) {
            return Ok(PartsRun { missing, ..PartsRun::default() });
        }
        let control = Control::new();
        let (list, stop) = self.question().list(&control, running.deadline, watch)?;
        let Some(cover) = &list.cover else { return Ok(PartsRun { missing, stop, ..PartsRun::default() }) };
        self.ensure_like(&list)?;
        self.search(cover, running, &control, watch)
    }

    fn search(
        &self,
        cover: &Cover,
        running: &PartsRequest,
        control: &Control,
        watch: &mut Watch<'_>,
    ) -> Result<PartsRun, WorkflowError> {
        let claims = Claims::of(&self.path, machine::holder())?;
        let runner = ColouringRunner {
            folder: self,
            parts: &cover.parts(),
            cover,
            running,
            control,
            accounts: Accounts::begin(&self.path, &claims, control.nodes())?,
            claims,
            forecast: Forecast::of(&account::read(&self.path, &self.notes)?),
            journal: Mutex::new(self.journal()?),
        };
        let nodes = control.nodes();
        let mut run = PartsRun::default();
        loop {
            let round = runner.round(watch)?;
            let finished = round.finished.into_inner();
            run.finished += finished;
            (run.elsewhere, run.too_long) = (round.elsewhere.into_inner(), round.too_long.into_inner());
            run.stop = round.stop;
            // Parts that other runners had claimed may be free by now, because they may have ended.
            if finished == 0 || run.elsewhere == 0 || control.is_stopped() {
                break;
            }
        }
        run.missing = self.parts() - self.read_done()?.len();
        run.elsewhere = run.elsewhere.min(run.missing);
        run.nodes = control.nodes() - nodes;
        run.stop = run.stop.filter(|_| run.missing > 0);
        Ok(run)
    }

    /// Joins the parts. Lists the solutions again, and checks that every colouring is valid, has the symmetry
    /// and belongs to its part. The numbers of nodes, and the claim that a part has no other colourings, rest
    /// on its search.
    ///
    /// # Errors
    /// Returns an error if parts are missing or do not belong to the folder.
    pub fn join(&self, deadline: Deadline, watch: &mut Watch<'_>) -> Result<(Covered, Total), WorkflowError> {
        let done_parts = self.read_done()?;
        self.ensure_complete(&done_parts)?;
        let (list, stop) = self.question().list(&Control::new(), deadline, watch)?;
        let total = account::total(&account::read(&self.path, &self.notes)?);
        let Some(cover) = &list.cover else {
            let (counts, done) = (list.counts, done_parts.len());
            return Ok((Covered { counts, parts: None, done, nodes: 0, found: Vec::new(), stop }, total));
        };
        self.ensure_like(&list)?;
        let parts = cover.parts();
        for (&part, done) in &done_parts {
            self.ensure_belong(done, |classes| cover.belongs(&parts[part], classes))?;
        }
        Ok((join_parts(cover, list.counts, &done_parts)?, total))
    }
}

/// State that the rounds of a run share.
struct ColouringRunner<'a> {
    folder: &'a ColouringFolder,
    cover: &'a Cover,
    parts: &'a [Subproblem],
    running: &'a PartsRequest,
    control: &'a Control,
    claims: Claims,
    accounts: Accounts,
    forecast: Forecast,
    journal: Mutex<Journal>,
}

/// Counts of the parts of one round.
#[derive(Debug, Default)]
struct ColouringRound {
    finished: AtomicUsize,
    elsewhere: AtomicUsize,
    too_long: AtomicUsize,
    stop: Option<StopReason>,
}

impl ColouringRunner<'_> {
    /// Searches the requested missing parts that are not claimed.
    fn round(&self, watch: &mut Watch<'_>) -> Result<ColouringRound, WorkflowError> {
        let PartsRequest { only, share: own, threads, deadline, .. } = *self.running;
        let done_parts = self.folder.read_done()?;
        let missing = self.folder.missing(&done_parts);
        let weights: Vec<f64> = missing.iter().map(|&part| self.parts[part].share).collect();
        let ordered = order(&weights, own).into_iter().map(|k| missing[k]);
        let in_order: Vec<usize> = ordered.filter(|&part| only.is_none_or(|only| only == part)).collect();
        let mut round = ColouringRound::default();
        let missing_parts = MissingParts {
            missing: &in_order,
            parts: self.parts.len(),
            finished_before: done_parts.len(),
            share_before: share(self.parts, &done_parts),
            completes: only.is_none(),
            threads,
            deadline,
            control: self.control,
        };
        let (done, stop) = missing_parts.run(watch, |part| self.attempt(part, &round));
        done.map_err(|fault| fault.into_workflow_error(|cause| SearchError::Threads(cause).into()))?;
        round.stop = stop;
        Ok(round)
    }

    /// Searches a part if it is predicted to end in time and not claimed by another runner. Returns `true` if
    /// it was finished here.
    fn attempt(&self, part: usize, round: &ColouringRound) -> Result<bool, WorkflowError> {
        let PartsRequest { deadline, fitting, claimed, .. } = *self.running;
        let weight = self.parts[part].share;
        let would_fit = |time: Duration| !fitting || self.forecast.fits(weight, time);
        if !deadline.left().is_none_or(would_fit) {
            round.too_long.fetch_add(1, Relaxed);
            return Ok(false);
        }
        let claim = self.claims.claim(&key(part))?;
        if claim.is_none() && !claimed {
            round.elsewhere.fetch_add(1, Relaxed);
            return Ok(false);
        }
        // Another run on this folder may have finished the part.
        if self.folder.read_done()?.contains_key(&part) {
            return Ok(false);
        }
        let begin = Instant::now();
        let (done, is_whole) = search(self.cover, &self.parts[part], part, false, self.control);
        let took = begin.elapsed();
        if is_whole {
            let done = DonePart { of: self.folder.digest().to_owned(), ..done };
            self.journal.lock().write(&done)?;
            self.forecast.add(weight, took.as_secs_f64());
            round.finished.fetch_add(1, Relaxed);
        }
        self.accounts.add(&part.to_string(), weight, is_whole, took, self.control.nodes())?;
        Ok(is_whole)
    }
}
