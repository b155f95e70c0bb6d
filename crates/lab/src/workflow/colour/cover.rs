//! The complete algorithm, in parts: in memory or in a folder.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use ndqueens_record::machine;
use ndqueens_solver::colouring::cover::{Classes, Cover, SolutionCounts, Subproblem, Tally};
use ndqueens_solver::construct::local_search::SearchError;
use ndqueens_system::cancel::{Control, Deadline, StopReason};
use ndqueens_system::claim::Claims;
use parking_lot::Mutex;

use super::certified;
use super::folder::{ColouringFolder, DonePart, Journal, key, share};
use super::question::ColouringQuestion;
use crate::parts::account::{self, Accounts, Total};
use crate::parts::{Forecast, Pump, Share, order};
use crate::run::{LabError, SplitError, Watch};

/// Request to the complete algorithm.
#[derive(Debug, Clone, Copy)]
pub struct ColouringRequest<'a> {
    /// The colourings that are searched for.
    pub question: ColouringQuestion,
    /// If `true`, one colouring is enough.
    pub first: bool,
    /// Threads that work at a time.
    pub threads: usize,
    /// When it ends at the latest.
    pub deadline: Deadline,
    /// The folder for what is done.
    pub work: Option<&'a Path>,
}

/// Result of the complete algorithm.
#[derive(Debug)]
pub struct Covered {
    /// The numbers of solutions; those so far if it stopped before the last one.
    pub counts: SolutionCounts,
    /// The number of parts; `None` if it stopped before the last solution was listed.
    pub parts: Option<usize>,
    /// The number of parts that are done.
    pub done: usize,
    /// Number of nodes of the parts that are done; after a stop, of all parts that were begun.
    pub nodes: u64,
    /// The colourings, up to colours, in increasing order.
    pub found: Vec<Classes>,
    /// Reason for a stop before the end.
    pub stop: Option<StopReason>,
}

/// Which parts of a folder are searched, and how.
#[derive(Debug, Clone, Copy)]
pub struct PartsRequest {
    /// The one part that is searched; all that are missing without one.
    pub only: Option<usize>,
    /// Which of them are begun first.
    pub share: Option<Share>,
    /// Threads that work at a time.
    pub threads: usize,
    /// When it ends at the latest.
    pub deadline: Deadline,
    /// If `true`, a part is started only if it is predicted to end in time.
    pub fitting: bool,
    /// If `true`, parts that other runners have claimed are searched as well.
    pub claimed: bool,
}

/// Result of a run of parts.
#[derive(Debug, Default)]
pub struct PartsRun {
    /// Parts that this run finished.
    pub finished: usize,
    /// Parts that are still missing.
    pub missing: usize,
    /// Missing parts that others have claimed.
    pub elsewhere: usize,
    /// Missing parts that would not end in time.
    pub too_long: usize,
    /// Nodes of this run.
    pub nodes: u64,
    /// Reason for a stop before the run was done.
    pub stop: Option<StopReason>,
}

/// Visits all colourings, or looks for one, with the complete algorithm.
///
/// # Errors
/// When no colouring has the symmetry, the folder is for another question or cannot be written, or there are no threads.
///
/// # Panics
/// If the side is 0 or above [`MAX_SIDE`](ndqueens_solver::colouring::cover::MAX_SIDE).
pub fn cover(request: &ColouringRequest<'_>, watch: &mut Watch<'_>) -> Result<Covered, LabError> {
    let ColouringRequest { question, first, threads, deadline, work } = *request;
    question.operator.ensure_possible(question.side)?;
    if let Some(folder) = work {
        match ColouringFolder::open(folder) {
            Err(LabError::ColourParts(SplitError::None(_))) => {}
            found => found?.ensure_of(&question)?,
        }
    }
    let control = Control::new();
    let (list, stop) = question.list(&control, deadline, watch)?;
    let folder = work.map(|path| ColouringFolder::begin(path, &question, &list)).transpose()?.flatten();
    let counts = list.counts;
    let Some(cover) = list.cover else {
        let nodes = control.nodes();
        return Ok(Covered { counts, parts: None, done: 0, nodes, found: Vec::new(), stop });
    };
    let (there, stop) = match &folder {
        Some(folder) => {
            let running =
                PartsRequest { only: None, share: None, threads, deadline, fitting: false, claimed: false };
            let mut run = folder.search(&cover, &running, &control, watch)?;
            if run.stop.is_none() && run.missing > 0 {
                // The answer needs them all.
                let running = PartsRequest { claimed: true, ..running };
                run = folder.search(&cover, &running, &control, watch)?;
            }
            (folder.done()?, run.stop)
        }
        None => in_memory(&cover, first, threads, deadline, &control, watch)?,
    };
    let covered = joined(&cover, counts, &there)?;
    let is_over = there.len() == cover.parts().len() || first && !covered.found.is_empty();
    let stop = if is_over { None } else { stop.or(Some(StopReason::Interrupted)) };
    // A stopped search has nodes in parts that it did not finish.
    let nodes = if is_over { covered.nodes } else { covered.nodes.max(control.nodes()) };
    Ok(Covered { stop, nodes, ..covered })
}

/// Searches all parts, or until a colouring is found.
fn in_memory(
    cover: &Cover,
    first: bool,
    threads: usize,
    deadline: Deadline,
    control: &Control,
    watch: &mut Watch<'_>,
) -> Result<(BTreeMap<usize, DonePart>, Option<StopReason>), LabError> {
    let parts = cover.parts();
    let there = Mutex::new(BTreeMap::new());
    let todo: Vec<usize> = (0..parts.len()).collect();
    let pump = Pump {
        todo: &todo,
        parts: parts.len(),
        there: 0,
        begun: 0.0,
        completes: true,
        threads,
        deadline,
        control,
    };
    let (done, stop) = pump.run(watch, |part| {
        let (done, is_whole) = search(cover, &parts[part], part, first, control);
        if is_whole || first && !done.colourings.is_empty() {
            there.lock().insert(part, done);
        }
        Ok(is_whole)
    });
    done.map_err(SearchError::Threads)??;
    Ok((there.into_inner(), stop))
}

/// Searches a part; says whether it came to the end.
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

/// Adds up parts that are done; every colouring is checked.
fn joined(
    cover: &Cover,
    counts: SolutionCounts,
    there: &BTreeMap<usize, DonePart>,
) -> Result<Covered, LabError> {
    let nodes = there.values().map(|done| done.nodes).sum();
    let found: Vec<Classes> = there.values().flat_map(|done| done.colourings.iter().cloned()).collect();
    let found = cover.images(&found);
    for classes in &found {
        certified(classes, "")?;
    }
    Ok(Covered { counts, parts: Some(cover.parts().len()), done: there.len(), nodes, found, stop: None })
}

impl ColouringFolder {
    /// Makes a folder for the parts of a search. The answer is why it stopped if it did.
    ///
    /// # Errors
    /// When the folder is not empty or cannot be written, or no colouring has the symmetry.
    pub fn split(
        question: &ColouringQuestion,
        path: &Path,
        deadline: Deadline,
        watch: &mut Watch<'_>,
    ) -> Result<Result<Self, StopReason>, LabError> {
        let is_there = path.read_dir().is_ok_and(|mut entries| entries.next().is_some());
        if is_there {
            let fault = if Self::open(path).is_ok() { SplitError::Done } else { SplitError::NotEmpty };
            return Err(LabError::ColourParts(fault(path.to_owned())));
        }
        let (list, stop) = question.list(&Control::new(), deadline, watch)?;
        Ok(Self::begin(path, question, &list)?.ok_or(stop.unwrap_or(StopReason::Interrupted)))
    }

    /// Searches one part, or all that are missing and that no other runner has claimed; each is stored when it is finished.
    ///
    /// # Errors
    /// When there is no such part, a part cannot be written, or parts that are there do not belong here.
    pub fn run(&self, running: &PartsRequest, watch: &mut Watch<'_>) -> Result<PartsRun, LabError> {
        let parts = self.parts();
        if let Some(number) = running.only.filter(|&number| number >= parts) {
            return Err(LabError::ColourParts(SplitError::NoPart { number, parts }));
        }
        let there = self.done()?;
        let missing = self.missing(&there).len();
        if missing == 0 || running.only.is_some_and(|part| there.contains_key(&part)) {
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
    ) -> Result<PartsRun, LabError> {
        let claims = Claims::of(&self.path, machine::holder())?;
        let runner = ColouringRunner {
            folder: self,
            parts: &cover.parts(),
            cover,
            running,
            control,
            accounts: Accounts::begin(&self.path, &claims, control.nodes())?,
            claims,
            forecast: Forecast::of(&account::read(&self.path)?),
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
        run.missing = self.parts() - self.done()?.len();
        run.elsewhere = run.elsewhere.min(run.missing);
        run.nodes = control.nodes() - nodes;
        run.stop = run.stop.filter(|_| run.missing > 0);
        Ok(run)
    }

    /// Adds up the parts. The solutions are listed again, and every colouring is checked: that it holds, has the symmetry and
    /// belongs to its part. The numbers of nodes, and that a part has no other colourings, rest on its search.
    ///
    /// # Errors
    /// When parts are missing or do not belong here.
    pub fn join(&self, deadline: Deadline, watch: &mut Watch<'_>) -> Result<(Covered, Total), LabError> {
        let there = self.done()?;
        self.ensure_complete(&there)?;
        let (list, stop) = self.question().list(&Control::new(), deadline, watch)?;
        let total = account::total(&account::read(&self.path)?);
        let Some(cover) = &list.cover else {
            let (counts, done) = (list.counts, there.len());
            return Ok((Covered { counts, parts: None, done, nodes: 0, found: Vec::new(), stop }, total));
        };
        self.ensure_like(&list)?;
        let parts = cover.parts();
        for (&part, done) in &there {
            self.ensure_belong(done, |classes| cover.belongs(&parts[part], classes))?;
        }
        Ok((joined(cover, list.counts, &there)?, total))
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
    /// Searches those of the missing parts that are asked for and free.
    fn round(&self, watch: &mut Watch<'_>) -> Result<ColouringRound, LabError> {
        let PartsRequest { only, share: own, threads, deadline, .. } = *self.running;
        let there = self.folder.done()?;
        let missing = self.folder.missing(&there);
        let weights: Vec<f64> = missing.iter().map(|&part| self.parts[part].share).collect();
        let in_order = order(&weights, own).into_iter().map(|k| missing[k]);
        let todo: Vec<usize> = in_order.filter(|&part| only.is_none_or(|only| only == part)).collect();
        let mut round = ColouringRound::default();
        let pump = Pump {
            todo: &todo,
            parts: self.parts.len(),
            there: there.len(),
            begun: share(self.parts, &there),
            completes: only.is_none(),
            threads,
            deadline,
            control: self.control,
        };
        let (done, stop) = pump.run(watch, |part| self.attempt(part, &round));
        done.map_err(SearchError::Threads)??;
        round.stop = stop;
        Ok(round)
    }

    /// Searches a part if it will end in time and no one else does. Says whether it was finished here.
    fn attempt(&self, part: usize, round: &ColouringRound) -> Result<bool, LabError> {
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
        // Another run on this folder may have finished it.
        if self.folder.done()?.contains_key(&part) {
            return Ok(false);
        }
        let begun = Instant::now();
        let (done, is_whole) = search(self.cover, &self.parts[part], part, false, self.control);
        let took = begun.elapsed();
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
