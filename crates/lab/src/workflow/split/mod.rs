//! A proof in parts: a folder that says how the tree of one question is cut, in which machines and days may fill in the
//! parts, and from which the proof is put together and checked.
//!
//! - `split.json`: the question, how its tree is cut, and a digest of both.
//! - `boxes.proof.gz`: bounds of the boxes inside, as a proof writes them.
//! - `top.tree.gz`: the tree above the parts, which are marked.
//! - `part-I.proof.gz`: the tree of a part, after a line that says of what it is a part.
//! - `part-I.txt`: queens that fit, a certificate, in place of the tree.
//! - `part-I.cut.gz`: the tree of a part above its pieces, if it proved heavy and was cut again; piece J of it is `part-I-J`.
//! - `claimed/`: which parts are run just now, and by whom.
//! - `accounts.jsonl`, `accounts-2.jsonl`, ...: what parts took, a file for each runner at a time.
//! - `boxes/`: the boxes settled so far, while the split is not finished; the manifest comes last.
//!
//! Packed files end with their digest; those that are damaged are made again. Each file is there in full or not at all. What
//! was being written when a process was killed has a name that begins with `.ndq-`, and counts for nothing. Nothing in the
//! folder is trusted: the proof is checked as a whole.

mod boxes;
mod folder;
mod manifest;
mod part;
mod run;
mod status;

use std::fs;
use std::io;
use std::path::Path;

use ndqueens_exact::box_table::BoxTable;
use ndqueens_exact::{Feasibility, Order, Question, Settings, Step};
use ndqueens_model::board::Board;
use ndqueens_notation::name::BoardName;
use ndqueens_record as record;
use ndqueens_solver::backends::Options;
use ndqueens_system::cancel::{Control, Deadline, StopReason};
use ndqueens_system::file::{self, FileError, digest, sealed};
use ndqueens_system::lock;

use self::boxes::{bound_boxes, remove_boxes};
pub use self::folder::{Folder, Joined};
use self::manifest::{BOX_CACHE, BOXES, TOP};
pub use self::manifest::{Definition, LAYOUT, Manifest};
pub use self::part::PartName;
pub use self::run::{Ran, Running};
pub use self::status::Status;
use crate::parts::SPLIT_MANIFEST;
use crate::run::check::{can_be_asked, ensure_size};
use crate::run::engine::{BoxesMonitor, WorkFolder, settings};
use crate::run::{LabError, SplitError, Watch, run_watched};

/// Nodes of the searches that find out which order of the squares gets on better.
const PROBE_NODES: u64 = 1 << 15;

/// How a question is cut up.
#[derive(Debug, Clone)]
pub struct Cutting {
    /// Whether so many queens fit.
    pub at_least: u64,
    /// The least number of parts, unless the tree has fewer.
    pub parts: usize,
    /// How the boxes inside are bounded: seed, threads, and limit on the nodes for each.
    pub options: Options,
}

/// Cuts the question whether so many queens fit on a board into parts. `Err` in the answer tells why it stopped; then, and
/// after it was killed, another one in the same folder goes on with the boxes that are settled.
///
/// # Errors
/// When no queens are asked for or more than there are squares, there is something else in the folder, it cannot be written to, or the board is too large.
pub fn split(
    name: &BoardName,
    cutting: &Cutting,
    folder: &Path,
    watch: &mut Watch<'_>,
) -> Result<Result<Folder, StopReason>, LabError> {
    let board = Board::new(&name.with_sorted_sides());
    ensure_size(&board)?;
    if !can_be_asked(cutting.at_least, &board) {
        return Err(SplitError::Queens { board: name.to_string(), squares: board.size() }.into());
    }
    file::make_folder(folder)?;
    let _alone = lock::exclusive_now(&folder.join(SPLIT_MANIFEST))?;
    let box_cache = make_folder(folder)?;
    let control = Control::new();
    let monitor = BoxesMonitor::new(&control);
    let settings = settings(&cutting.options, &control);
    let (cut, stopped) = run_watched(
        &control,
        Deadline::after(cutting.options.time_limit),
        watch,
        &|seconds| monitor.now(seconds),
        |_| -> io::Result<_> {
            let tell = &mut |step: Step<'_>| monitor.bounded(step);
            let Some(table) = bound_boxes(folder, &board, &box_cache, &settings, tell)? else {
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
    let Some((definition, weights, top)) = cut.map_err(LabError::engine)? else {
        return Ok(Err(stopped.unwrap_or(StopReason::Interrupted)));
    };
    let (digest, version) = (definition.digest(), env!("CARGO_PKG_VERSION").to_owned());
    let node_limit = cutting.options.node_limit;
    let manifest = Manifest { definition, digest, weights, node_limit, version };
    sealed::write(&folder.join(TOP), |out| out.write_all(&top))?;
    file::write(&folder.join(SPLIT_MANIFEST), |out| {
        serde_json::to_writer_pretty(&mut *out, &manifest)?;
        writeln!(out)
    })?;
    remove_boxes(folder);
    Ok(Ok(Folder { path: folder.to_owned(), manifest, board }))
}

/// Takes the folder of a split that is new or was not finished; where its boxes are kept.
fn make_folder(folder: &Path) -> Result<WorkFolder, LabError> {
    let refused = |cause| FileError::new("read", folder, cause);
    let mut others = false;
    for entry in fs::read_dir(folder).map_err(refused)? {
        let name = entry.map_err(refused)?.file_name();
        match name.to_str().unwrap_or_default() {
            SPLIT_MANIFEST => return Err(SplitError::Done(folder.to_owned()).into()),
            BOX_CACHE | BOXES | TOP => {}
            name => others |= !name.starts_with(file::TEMPORARY),
        }
    }
    if others {
        return Err(SplitError::NotEmpty(folder.to_owned()).into());
    }
    Ok(WorkFolder::of_boxes(&folder.join(BOX_CACHE))?)
}

/// The order that does more of its tree with the same nodes, or that finishes. `None` when stopped.
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

    /// The question whether so many queens fit on 4^3, in parts.
    fn folder(outer: &Path, at_least: u64) -> Folder {
        let (name, options) = ("4^3".parse().expect("a board"), Options::default());
        let cutting = Cutting { at_least, parts: 4, options };
        let made = split(&name, &cutting, &outer.join("split"), &mut |_| ControlFlow::Continue(()));
        made.expect("a folder").expect("not stopped")
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
        assert!(matches!(folder.join(None), Err(LabError::Split(SplitError::Missing { .. }))));
        assert_eq!(run(&folder, Some(1)).finished, 1);
        assert_eq!(missing(&folder).len(), parts - 1);
        let again = Folder::open(&outer.path().join("split")).expect("a split");
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
            let fault = Folder::open(path.parent().expect("a folder")).expect_err(words).to_string();
            assert!(fault.contains(words), "{fault}");
        }
    }
}
