//! Proof in parts. A folder describes how the search tree of a question is cut. The parts may be run on
//! several machines and over several sessions. The proof is joined from them and checked.
//!
//! - `split.json`: the question, how its tree is cut, and a digest of both.
//! - `boxes.proof.gz`: bounds of the boxes inside, in the format of proofs.
//! - `top.tree.gz`: the tree above the parts, with a mark for each part.
//! - `part-I.proof.gz`: the tree of a part, after a line that identifies the part.
//! - `part-I.txt`: a placement found by a part, as a certificate, instead of the tree.
//! - `part-I.cut.gz`: the tree of a part above its pieces, if the part was large and was cut again; its piece
//!   J is `part-I-J`.
//! - `claimed/`: the parts that are being run, and by which runner.
//! - `accounts.jsonl`, `accounts-2.jsonl`, ...: resources that parts took; each runner writes its own file.
//! - `boxes/`: the boxes settled so far, until the split is finished; the manifest is written last.
//!
//! Packed files end with their digest; damaged ones are computed again. Each file is either complete or
//! absent. A file that was being written when a process was killed has a name that begins with `.ndq-`, and
//! is ignored. Nothing in the folder is trusted: the proof is checked as a whole.

mod boxes;
mod folder;
mod manifest;
mod part;
mod run;
mod status;

use std::fs;
use std::io;
use std::path::Path;

use crate::record;
use ndqueens_exact::box_table::BoxTable;
use ndqueens_exact::{Feasibility, Order, Question, Settings, Step};
use ndqueens_model::board::Board;
use ndqueens_notation::name::BoardName;
use ndqueens_solver::backends::Options;
use ndqueens_system::cancel::{Control, Deadline};
use ndqueens_system::file::{self, FileError, digest, sealed};
use ndqueens_system::lock;
use ndqueens_system::note::Notes;

use self::boxes::{bound_boxes, remove_boxes};
pub use self::folder::{Folder, Joined};
use self::manifest::{BOX_CACHE, BOXES, TOP};
pub use self::manifest::{Definition, LAYOUT, Manifest};
pub use self::part::PartName;
pub use self::run::{Ran, Running};
pub use self::status::Status;
use crate::parts::SPLIT_MANIFEST;
use crate::run::exact_engine::{BoxesMonitor, WorkFolder, settings};
use crate::run::placement_check::{ensure_size, is_valid_target};
use crate::run::{Interruptible, SplitError, Watch, WorkflowError, run_watched};

/// Node limit of the searches that compare the orders of the squares.
const PROBE_NODES: u64 = 1 << 15;

/// Request to cut a question into parts.
#[derive(Debug, Clone)]
pub struct Cutting {
    /// Number of queens, `k`; the question is whether `k` queens fit.
    pub at_least: u64,
    /// Minimum number of parts, unless the tree has fewer.
    pub parts: usize,
    /// Seed, threads and node limit for the bounds of the boxes inside.
    pub options: Options,
}

/// Cuts the question of whether `at_least` queens fit on a board into parts. After a stop, or if the process
/// was killed, another call with the same folder reuses the settled boxes.
///
/// # Errors
/// Returns an error if `at_least` is 0 or more than the number of squares, the folder holds something else or
/// cannot be written to, or the board is too large.
pub fn split(
    name: &BoardName,
    cutting: &Cutting,
    folder: &Path,
    watch: &mut Watch<'_>,
) -> Result<Interruptible<Folder>, WorkflowError> {
    let board = Board::new(&name.with_sorted_sides());
    ensure_size(&board)?;
    if !is_valid_target(cutting.at_least, &board) {
        return Err(SplitError::Queens { board: name.to_string(), squares: board.size() }.into());
    }
    file::make_folder(folder)?;
    let _alone = lock::exclusive_now(&folder.join(SPLIT_MANIFEST), &cutting.options.notes)?;
    let box_cache = make_folder(folder, &cutting.options.notes)?;
    let control = Control::new();
    let monitor = BoxesMonitor::new(&control);
    let settings = settings(&cutting.options, &control);
    let (cut, stopped) = run_watched(
        &control,
        Deadline::after(cutting.options.time_limit),
        watch,
        &|seconds| monitor.now(seconds),
        |_| -> io::Result<_> {
            let report = &mut |step: Step<'_>| monitor.record(step);
            let Some(table) = bound_boxes(folder, &board, &box_cache, &settings, report)? else {
                return Ok(None);
            };
            let Some(order) = better_order(&board, cutting.at_least, &table, &settings)? else {
                return Ok(None);
            };
            let question = Question::new(&board, cutting.at_least, order, &table, &settings);
            let Some(split) = question.split(&settings, cutting.parts)? else { return Ok(None) };
            let definition = Definition {
                layout: LAYOUT,
                board: name.clone(),
                board_sha256: record::board_digest(name),
                at_least: cutting.at_least,
                order,
                parts_wanted: cutting.parts,
                depth: split.depth,
                parts: split.weights.len(),
                slabs: question.slabs,
                boxes: question.boxes,
                top_sha256: digest::of(&split.top),
            };
            Ok(Some((definition, split.weights, split.top)))
        },
    );
    let Some((definition, weights, top)) = cut.map_err(WorkflowError::engine)? else {
        return Ok(Interruptible::new(None, stopped));
    };
    let (digest, version) = (definition.digest(), env!("CARGO_PKG_VERSION").to_owned());
    let node_limit = cutting.options.node_limit;
    let manifest = Manifest { definition, digest, weights, node_limit, version };
    write_split(folder, &manifest, &top)?;
    let notes = cutting.options.notes.clone();
    Ok(Interruptible::Finished(Folder { path: folder.to_owned(), manifest, board, notes }))
}

/// Writes the tree above the parts and the manifest, and removes the cache of boxes.
fn write_split(folder: &Path, manifest: &Manifest, top: &[u8]) -> Result<(), FileError> {
    sealed::write(&folder.join(TOP), |out| out.write_all(top))?;
    file::write(&folder.join(SPLIT_MANIFEST), |out| {
        serde_json::to_writer_pretty(&mut *out, manifest)?;
        writeln!(out)
    })?;
    remove_boxes(folder);
    Ok(())
}

/// Prepares the folder of a split that is new or unfinished, and returns the cache of its boxes.
fn make_folder(folder: &Path, notes: &Notes) -> Result<WorkFolder, WorkflowError> {
    let refused = |cause| FileError::new("read", folder, cause);
    let mut has_others = false;
    for entry in fs::read_dir(folder).map_err(refused)? {
        let name = entry.map_err(refused)?.file_name();
        match name.to_str().unwrap_or_default() {
            SPLIT_MANIFEST => return Err(SplitError::Done(folder.to_owned()).into()),
            BOX_CACHE | BOXES | TOP => {}
            name => has_others |= !name.starts_with(file::TEMPORARY),
        }
    }
    if has_others {
        return Err(SplitError::NotEmpty(folder.to_owned()).into());
    }
    Ok(WorkFolder::of_boxes(&folder.join(BOX_CACHE), notes)?)
}

/// Returns the order of squares whose search progresses further with the same number of nodes, or finishes.
/// Returns `None` if stopped.
fn better_order(
    board: &Board,
    at_least: u64,
    table: &BoxTable,
    settings: &Settings<'_>,
) -> io::Result<Option<Order>> {
    let mut best = (Order::Lexicographic, f64::NEG_INFINITY);
    for order in Order::ALL {
        let question = Question::new(board, at_least, order, table, settings);
        let done = match question.answer(settings, PROBE_NODES)?.0 {
            Feasibility::Stopped(_) if settings.control.is_stopped() => return Ok(None),
            Feasibility::Stopped(done) => done,
            Feasibility::Infeasible(_) | Feasibility::Feasible(_) => f64::INFINITY,
        };
        if done > best.1 {
            best = (order, done);
        }
    }
    Ok(Some(best.0))
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;

    /// Creates a split of the question of whether `at_least` queens fit on 4^3.
    fn folder(outer: &Path, at_least: u64) -> Folder {
        let (name, options) = ("4^3".parse().expect("a board"), Options::default());
        let cutting = Cutting { at_least, parts: 4, options };
        let made = split(&name, &cutting, &outer.join("split"), &mut |_| ControlFlow::Continue(()));
        made.expect("a folder").result().expect("not stopped")
    }

    const ALL: Running = Running {
        only: None,
        share: None,
        threads: 2,
        deadline: Deadline::NEVER,
        fitting: false,
        most_nodes: None,
    };

    fn run(folder: &Folder, only: Option<usize>) -> Ran {
        folder.run(&Running { only, ..ALL }, &mut |_| ControlFlow::Continue(())).expect("parts")
    }

    fn missing(folder: &Folder) -> Vec<usize> {
        folder.status().expect("readable").numbers
    }

    #[test]
    fn parts_are_missing_until_they_are_run_and_then_make_the_proof() {
        let outer = tempfile::tempdir().expect("a folder");
        let folder = folder(outer.path(), 8);
        let parts = folder.manifest().definition.parts;
        assert!(parts >= 4);
        assert_eq!(missing(&folder), (0..parts).collect::<Vec<_>>());
        assert!(matches!(folder.join(None), Err(WorkflowError::Split(SplitError::Missing { .. }))));
        assert_eq!(run(&folder, Some(1)).finished, 1);
        assert_eq!(missing(&folder).len(), parts - 1);
        let again = Folder::open(&outer.path().join("split"), &Notes::default()).expect("a split");
        assert_eq!((run(&again, None).finished, missing(&again).len()), (parts - 1, 0));
        let Ok(Joined::DoNotFit(proved)) = again.join(None) else { panic!("8 queens do not fit") };
        assert_eq!((proved.board().to_string(), proved.at_most()), ("4^3".to_owned(), Some(7)));
    }

    #[test]
    fn sound_files_of_another_split_are_refused_before_a_part_is_run() {
        let outer = tempfile::tempdir().expect("a folder");
        let folder = folder(outer.path(), 8);
        for (name, text) in [(BOXES, "box 2x2x9 4 search\nend\n"), (BOXES, ""), (TOP, "part 0\n")] {
            let path = folder.path.join(name);
            let right = fs::read(&path).expect("there");
            sealed::write(&path, |out| out.write_all(text.as_bytes())).expect("written");
            let words = format!("{name} is of another split");
            let run = folder.run(&ALL, &mut |_| ControlFlow::Continue(()));
            for fault in [folder.status().expect_err(name), run.expect_err(name)] {
                assert!(fault.to_string().contains(&words), "{fault}");
            }
            fs::write(&path, right).expect("written");
        }
        assert!(run(&folder, None).missing == 0);
    }

    #[test]
    fn queens_that_fit_end_the_search() {
        let outer = tempfile::tempdir().expect("a folder");
        let folder = folder(outer.path(), 7);
        let found = run(&folder, None).fits.expect("7 queens fit");
        assert_eq!(found.size(), 7);
        assert!(matches!(folder.join(None), Ok(Joined::Fit(certificate)) if certificate == found));
    }

    #[test]
    fn status_and_join_agree_once_queens_fit() {
        let outer = tempfile::tempdir().expect("a folder");
        let folder = folder(outer.path(), 7);
        run(&folder, None).fits.expect("7 queens fit");
        sealed::write(&folder.path.join(BOXES), |out| out.write_all(b"box 2x2x9 4 search\nend\n"))
            .expect("written");
        fs::write(folder.path.join("part-99.proof.gz"), "of nothing").expect("written");
        assert!(matches!(folder.join(None), Ok(Joined::Fit(_))));
        assert!(folder.status().is_ok());
    }

    #[test]
    fn a_manifest_that_was_changed_is_refused() {
        let outer = tempfile::tempdir().expect("a folder");
        let path = folder(outer.path(), 8).path.join(SPLIT_MANIFEST);
        let right = file::read(&path).expect("there");
        for (old, new, words) in [
            ("\"at_least\": 8", "\"at_least\": 7", "its digest is another one"),
            ("\"layout\": 4", "\"layout\": 3", "its layout is 3"),
            ("{", "", "not the manifest of a split"),
        ] {
            let changed = right.replacen(old, new, 1);
            assert_ne!(changed, right);
            file::write(&path, |out| out.write_all(changed.as_bytes())).expect("written");
            let fault = Folder::open(path.parent().expect("a folder"), &Notes::default())
                .expect_err(words)
                .to_string();
            assert!(fault.contains(words), "{fault}");
        }
    }
}
