//! Colouring boards: the solver's algorithms with progress, limits and checkpoints; every colouring is checked.
//!
//! A folder for the complete algorithm holds `question.txt`, what was asked, and `done.jsonl`, a line for every part of the
//! tree that has been searched: its number, its nodes and its colourings, with a digest. A line that is not what was written
//! counts for nothing, and its part is searched again. Several processes may work on one folder.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ndqueens_control::{Control, Deadline, StopReason, with_threads};
use ndqueens_crosscheck::colouring::verify;
use ndqueens_files::journal::{self, Line};
use ndqueens_files::{self as files, FileError, note};
use ndqueens_model::board::Board;
use ndqueens_model::certificate::colouring::{ClassKind, Colouring};
use ndqueens_model::name::BoardName;
use ndqueens_solver::colouring::chromatic::{self, Chromatic};
use ndqueens_solver::colouring::cover::{Classes, Cover, Tally};
use ndqueens_solver::colouring::operator::Operator;
use ndqueens_solver::colouring::{self, search, symmetry};
use ndqueens_solver::construct::local_search::SearchError;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::parts::{COLOURINGS, Pump, begin};
use crate::run::{LabError, Watch, nodes, run_watched};

/// What the complete algorithm is asked.
#[derive(Debug, Clone, Copy)]
pub struct ColouringRequest<'a> {
    /// The side of the board, at most [`colouring::cover::LONGEST`].
    pub side: usize,
    /// The symmetry that the colourings are to have.
    pub operator: Operator,
    /// Whether the clique filter is used.
    pub filter: bool,
    /// Whether one colouring is enough.
    pub first: bool,
    /// Threads that work at a time.
    pub threads: usize,
    /// When it ends at the latest.
    pub deadline: Deadline,
    /// The folder for what is done.
    pub work: Option<&'a Path>,
}

/// What the complete algorithm found.
#[derive(Debug)]
pub struct Covered {
    /// What is searched; `None` when it stopped before that was listed.
    pub listed: Option<Listed>,
    /// Nodes and colourings of those that are done.
    pub tally: Tally,
    /// The colourings, up to colours, in increasing order.
    pub found: Vec<Classes>,
    /// Why it stopped, if it did before the end.
    pub stop: Option<StopReason>,
}

/// What the complete algorithm searches.
#[derive(Debug, Clone, Copy)]
pub struct Listed {
    /// Solutions of n queens; with the filter, those that meet both main diagonals.
    pub solutions: u64,
    /// Orbits of solutions that can be classes together.
    pub candidates: usize,
    /// Parts of the tree.
    pub parts: usize,
}

/// A part that is done.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Done {
    part: usize,
    nodes: u64,
    colourings: Vec<Classes>,
}

/// Visits all colourings, or looks for one, with the complete algorithm.
///
/// # Errors
/// When no colouring has the symmetry, the folder is for another question or cannot be written, or there are no threads.
///
/// # Panics
/// If the side is 0 or above [`colouring::cover::LONGEST`].
pub fn cover(request: &ColouringRequest<'_>, watch: &mut Watch<'_>) -> Result<Covered, LabError> {
    request.operator.fits(request.side)?;
    let journal = request.work.map(|folder| Journal::open(folder, request)).transpose()?;
    let control = Control::new();
    let (mut before, journal) = match journal {
        Some((done, journal)) => (done, Some(Mutex::new(journal))),
        None => (BTreeMap::new(), None),
    };
    // Where there are few solutions the branches of the root are small enough.
    let depth = if request.side <= 13 || request.operator != Operator::None { 1 } else { 2 };
    let (cut, stop) =
        run_watched(&control, request.deadline, watch, &|seconds| nodes(&control, seconds), |_| {
            let cover = Cover::new(request.side, request.operator, request.filter, &control)?;
            Ok::<_, LabError>(cover.and_then(|cover| Some((cover.parts(depth, &control)?, cover))))
        });
    let Some(((parts, above, found), cover)) = cut? else {
        return Ok(Covered { listed: None, tally: Tally::default(), found: Vec::new(), stop });
    };
    before.retain(|&part, _| part < parts.len());
    let share = before.keys().map(|&part| parts[part].share).sum::<f64>();
    let missing: Vec<usize> = (0..parts.len()).filter(|number| !before.contains_key(number)).collect();
    let there = Mutex::new(before);
    let enough = |found: usize| request.first && found > 0;
    let begun = enough(found.len());
    let pump = Pump {
        todo: if begun { &[] } else { &missing },
        parts: parts.len(),
        there: parts.len() - missing.len(),
        begun: share,
        completes: true,
        threads: request.threads,
        deadline: request.deadline,
        control: &control,
    };
    let (done, stop) = pump.run(watch, |number| {
        let mut colourings = Vec::new();
        let tally = cover.search(&parts[number], &control, &mut |classes| {
            colourings.push(classes);
            if request.first {
                control.stop();
            }
        });
        if control.is_stopped() && !enough(colourings.len()) {
            return Ok(false);
        }
        let done = Done { part: number, nodes: tally.nodes, colourings };
        if let Some(journal) = journal.as_ref().filter(|_| !control.is_stopped()) {
            journal.lock().unwrap_or_else(PoisonError::into_inner).write(&done)?;
        }
        there.lock().unwrap_or_else(PoisonError::into_inner).insert(number, done);
        Ok(true)
    });
    done.map_err(SearchError::Threads)??;
    let there = there.into_inner().unwrap_or_else(PoisonError::into_inner);
    let (mut tally, mut found, all) = (above, found, there.len() == parts.len());
    for done in there.into_values() {
        tally += Tally { nodes: done.nodes, colourings: done.colourings.len() as u64 };
        found.extend(done.colourings);
    }
    found.sort_unstable();
    for classes in &found {
        certified(classes, "")?;
    }
    let stop = if all || enough(found.len()) { None } else { stop.or(Some(StopReason::Interrupted)) };
    Ok(Covered {
        listed: Some(Listed {
            solutions: cover.solutions(),
            candidates: cover.candidates(),
            parts: parts.len(),
        }),
        tally,
        found,
        stop,
    })
}

/// How the question of a folder ends.
const FILTER: &str = " the clique filter";

/// The file of the parts that are done.
struct Journal {
    file: File,
    path: PathBuf,
}

impl Journal {
    /// Opens a folder: what is done there, and where more can be noted.
    fn open(
        folder: &Path,
        request: &ColouringRequest<'_>,
    ) -> Result<(BTreeMap<usize, Done>, Self), LabError> {
        let ColouringRequest { side, operator, filter, .. } = request;
        let filter = if *filter { "with" } else { "without" };
        let asked = format!("{side}-colourings of {side}^2, symmetry {operator}, {filter}{FILTER}");
        if let Some(found) = begin(folder, COLOURINGS, &format!("{asked}\n"))? {
            let found = found.trim().to_owned();
            if !found.ends_with(FILTER) || found.len() > 2 * asked.len() {
                let words = "it is damaged; remove the folder, and its work is done again";
                let cause = io::Error::new(io::ErrorKind::InvalidData, words);
                return Err(FileError::new("read", &folder.join(COLOURINGS), cause).into());
            }
            return Err(LabError::OtherWork { folder: folder.to_owned(), found, asked });
        }
        let path = folder.join("done.jsonl");
        let opened = || -> io::Result<(File, Vec<u8>)> {
            let mut file = files::open_to_append(&path)?;
            let mut text = Vec::new();
            file.read_to_end(&mut text)?;
            Ok((file, text))
        };
        let (file, text) = opened().map_err(|cause| FileError::new("write", &path, cause))?;
        let done = read_done(&path, &text[..journal::whole_lines(&text)]);
        Ok((done, Self { file, path }))
    }

    fn write(&mut self, done: &Done) -> Result<(), FileError> {
        let mut write = || -> io::Result<()> {
            let line = journal::line(done)?;
            // On a file system without locks one process at a time works on the folder.
            let locked = self.file.lock().is_ok();
            let written = journal::append(&mut self.file, &line);
            if locked {
                self.file.unlock()?;
            }
            written
        };
        write().map_err(|cause| FileError::new("write", &self.path, cause))
    }
}

/// The parts in whole lines. A part that comes twice, as two processes may write it, must be the same.
fn read_done(path: &Path, text: &[u8]) -> BTreeMap<usize, Done> {
    let mut done: BTreeMap<usize, Done> = BTreeMap::new();
    let (mut refused, mut unlike) = (Vec::new(), BTreeSet::new());
    for (number, line) in text.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let part = match Line::of(line) {
            Line::Whole(object) => serde_json::from_str::<Done>(&object).ok(),
            Line::Unsealed(_) | Line::Damaged => None,
        };
        let Some(part) = part else {
            refused.push((number + 1).to_string());
            continue;
        };
        match done.entry(part.part) {
            Entry::Vacant(entry) => drop(entry.insert(part)),
            Entry::Occupied(entry) if *entry.get() != part => drop(unlike.insert(part.part)),
            Entry::Occupied(_) => {}
        }
    }
    let path = path.display();
    if !refused.is_empty() {
        note::report(&format!(
            "{path}: changed in line {}; the parts of changed lines are searched again",
            refused.join(", ")
        ));
    }
    for part in unlike {
        note::report(&format!(
            "{path}: part {part} comes twice and not with the same colourings; it is searched again"
        ));
        done.remove(&part);
    }
    done
}

/// The colouring and the draw that led to it, the draws that were made, and why they ended without one.
pub type Drawn = (Option<(Classes, u64)>, u64, Option<StopReason>);

/// Looks for a colouring with a symmetry by random beginnings, a seed for each thread. The seed that found it is given back.
///
/// # Errors
/// When no colouring has the symmetry, or there are no threads.
///
/// # Panics
/// If the side is 0 or above what is [`search::longest`], or the operator is none.
pub fn draw(request: &ColouringRequest<'_>, seed: u64, watch: &mut Watch<'_>) -> Result<Drawn, LabError> {
    let ColouringRequest { side, operator, threads, .. } = *request;
    operator.fits(side)?;
    let control = Control::new();
    let (found, stop) =
        run_watched(&control, request.deadline, watch, &|seconds| nodes(&control, seconds), |_| {
            with_threads(threads, || {
                (0..threads as u64).into_par_iter().find_map_any(|thread| {
                    let seed = (seed + thread) % (1 << 32);
                    let found = search::search(side, operator, seed, &control).ok().flatten()?;
                    control.stop();
                    Some((found, seed))
                })
            })
        });
    let found = found.map_err(SearchError::Threads)?;
    let stop = if found.is_some() { None } else { stop };
    Ok((found, control.nodes(), stop))
}

/// Colours a board with fewest colours; it is over with `target` too, and no colouring in more than `most` is looked for. Why
/// it stopped before its end is told.
#[must_use]
pub fn fewest(
    board: &Board,
    target: usize,
    most: Option<usize>,
    deadline: Deadline,
    watch: &mut Watch<'_>,
) -> (Chromatic, Option<StopReason>) {
    let control = Control::new();
    run_watched(&control, deadline, watch, &|seconds| nodes(&control, seconds), |_| {
        chromatic::chromatic(board, target, most, &control)
    })
}

/// An n-colouring of n^2 as a checked file.
///
/// # Errors
/// When it does not pass the check.
pub fn certified(classes: &Classes, origin: &str) -> Result<Colouring, LabError> {
    let side = classes.len() as u32;
    let board = BoardName::queen(&[side, side]);
    checked(Colouring::new(board, ClassKind::FullSolutions, colouring::squares(classes), origin))
}

/// A colouring that has passed the check.
///
/// # Errors
/// When it does not.
pub fn checked(colouring: Colouring) -> Result<Colouring, LabError> {
    verify(&colouring).map_err(LabError::RefusedColouring)?;
    Ok(colouring)
}

/// The symmetry of a colouring that holds, if it is one of n^2 by full solutions.
#[must_use]
pub fn symmetry(colouring: &Colouring) -> Option<Operator> {
    classes(colouring).map(|classes| symmetry::symmetry(&classes))
}

/// The classes of a colouring that holds, if it is one of n^2 by full solutions.
#[must_use]
pub fn classes(colouring: &Colouring) -> Option<Classes> {
    let two = colouring.classes.iter().flatten().all(|square| square.len() == 2);
    if colouring.kind != ClassKind::FullSolutions || !two || colouring.colours() > usize::from(u8::MAX) {
        return None;
    }
    // The squares of a class are sorted, one in each row.
    let class = |class: &Vec<Vec<u32>>| {
        let mut class = class.clone();
        class.sort_unstable();
        class.iter().map(|square| square[1] as u8).collect()
    };
    let mut classes: Classes = colouring.classes.iter().map(class).collect();
    classes.sort_unstable();
    Some(classes)
}
