//! Bounds of the orbit LP pass the check and are correct, and the ledger rejects wrong files.

use std::ops::ControlFlow;
use std::path::Path;

use ndqueens_archive::ArchiveError;
use ndqueens_archive::archive::Archive;
use ndqueens_archive::files::ArchiveFiles;
use ndqueens_archive::ledger::{Additions, Ledger, RowStatus};
use ndqueens_crosscheck::boards::definition;
use ndqueens_crosscheck::graph::Graph;
use ndqueens_crosscheck::recursive;
use ndqueens_model::board::Board;
use ndqueens_model::facts::Side;
use ndqueens_model::facts::{ArchivedBounds, Bounds};
use ndqueens_model::formulation::Formulation;
use ndqueens_notation::certificate::Certificate;
use ndqueens_notation::name::{BoardName, Piece};
use ndqueens_solver::backends::Options;
use ndqueens_solver::orbit_lp::OrbitLpSettings;
use ndqueens_system::cancel::Deadline;
use ndqueens_system::note::Notes;
use ndqueens_workflow::lp::orbit_lp::{self, Certified};
use ndqueens_workflow::prove::{self, ExactRequest, ProofKind, ProofState, Status};
use ndqueens_workflow::prove::{engine_run, route};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

fn certified(board: &BoardName, formulation: &str, bounds: &Bounds) -> Option<Certified> {
    let formulation = Formulation::builtin(formulation).expect("shipped");
    let go_on = &mut |_: &_| ControlFlow::Continue(());
    let options = Options::default();
    let settings = OrbitLpSettings::new(&options);
    let prior = Archive::embedded().prior_results();
    match orbit_lp::bound(&Board::new(board), &formulation, bounds, &settings, &prior, go_on) {
        Ok(bound) => Some(bound.result().expect("not stopped")),
        Err(fault) => {
            assert!(fault.to_string().contains("cannot be used on"), "{board}: {fault}");
            None
        }
    }
}

#[test]
fn bounds_of_random_boxes_hold() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let mut checked = 0;
    for _ in 0..200 {
        let d = random.random_range(1..=4);
        let mut sides: Vec<u32> = (0..d).map(|_| random.random_range(1..=[9, 6, 4, 3][d - 1])).collect();
        sides.sort_unstable();
        let piece = Piece::ALL[random.random_range(0..3)];
        let name = BoardName::grid(piece, false, &sides);
        let graph = Graph::new(&*definition(&name)).expect("small");
        let most = recursive::independence_number(&graph, &|| false).expect("not stopped") as u64;
        for formulation in
            ["base", "cube", "all", "dilated", "cuboid", "strong", "strong-clique", "maximal-clique"]
        {
            let Some(certified) =
                certified(&name, formulation, &Bounds::with_archive(&ArchivedBounds::builtin()))
            else {
                assert_ne!(piece, Piece::Queen, "{formulation} is for queens");
                continue;
            };
            checked += 1;
            assert!(
                certified.proved.at_most() >= most,
                "{formulation} on {name}: {} and {most}",
                certified.proved.at_most()
            );
            assert_eq!(certified.conditions, []);
        }
    }
    assert!(checked > 500);
}

/// A ledger in a temporary folder, with helpers to add files to it.
struct Desk(tempfile::TempDir);

impl Desk {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn ledger(&self) -> Ledger {
        Ledger::of(&self.archive()).expect("readable")
    }

    fn archive(&self) -> ArchiveFiles {
        ArchiveFiles::at(self.0.path())
    }

    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> std::path::PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, text).expect("writable");
        path
    }

    fn add(&self, path: &Path, command: Option<&str>) -> Result<usize, ArchiveError> {
        let mut additions = Additions::to(&self.archive(), &Notes::default())?;
        let added = additions.add(path, command, false)?;
        additions.store()?;
        Ok(added.rows.len())
    }

    /// Writes the proof tree of a board to a file and returns its path.
    fn proved(&self, name: &str) -> std::path::PathBuf {
        let path = self.0.path().join(format!("{name}.gz"));
        let go_on = &mut |_: &_| ControlFlow::Continue(());
        let (board, options) = (Board::new(&board(name)), Options::default());
        engine_run::run(&board, &options, None, Some(&path), None, go_on).expect("a proof");
        path
    }

    /// Returns the rejected rows, each with its board and the reason.
    fn refused(&self) -> Vec<(String, String)> {
        let verified = self.ledger().check(u64::MAX);
        verified
            .into_iter()
            .filter_map(|one| match one.status {
                RowStatus::Refused(why) => Some((one.row.board.to_string(), why)),
                _ => None,
            })
            .collect()
    }

    fn change(&self, from: &str, to: &str) {
        let path = self.0.path().join("ledger.csv");
        let text = std::fs::read_to_string(&path).expect("there");
        assert!(text.contains(from), "{from} in {text}");
        std::fs::write(path, text.replace(from, to)).expect("writable");
    }
}

fn board(name: &str) -> BoardName {
    name.parse().expect("a board")
}

/// Returns a bound of 6^3 that depends on bounds of boxes.
fn resting() -> Certified {
    let certified =
        certified(&board("6^3"), "cuboid", &Bounds::with_archive(&ArchivedBounds::builtin())).expect("valid");
    assert!(!certified.proved.needs().is_empty(), "it should rest on something");
    certified
}

#[test]
fn adding_a_bound_requires_the_bounds_it_uses() {
    let desk = Desk::new();
    let above = desk.file("above", &resting().text);
    assert!(matches!(desk.add(&above, None), Err(ArchiveError::Unproved { .. })));
    desk.add(&desk.proved("4x5x6"), None).expect("it holds");
    assert!(matches!(desk.add(&above, None), Err(ArchiveError::Unproved { .. })), "some boxes are missing");
    desk.add(&desk.proved("5x6x6"), None).expect("it holds");
    desk.add(&desk.proved("4x6x6"), None).expect("it holds");
    assert_eq!(desk.add(&above, None).expect("all boxes are there"), 1);
    assert_eq!(desk.refused(), Vec::new());
    // A rejected row proves nothing for rows that depend on it.
    let whole = desk.0.path().join("ledger.csv");
    let before = std::fs::read_to_string(&whole).expect("there");
    let (box_of, most) =
        resting().proved.needs().iter().map(|(board, most)| (board.clone(), *most)).next().expect("one");
    desk.change(&format!("{box_of},upper,{most},"), &format!("{box_of},upper,{},", most - 1));
    desk.change("6^3,upper,", "7^3,upper,");
    assert!(matches!(desk.add(&above, None), Err(ArchiveError::RejectedRow { .. })));
    std::fs::write(&whole, before).expect("writable");
    let below = resting().proved.needs().iter().map(|(board, most)| (board.to_string(), *most)).next();
    let (below, most) = below.expect("it rests on something");
    desk.change(&format!("{below},upper,{most},"), &format!("{below},upper,{},", most + 1));
    let refused = desk.refused();
    assert_eq!(refused.len(), 1, "{refused:?}");
    assert!(refused[0].0 == "6^3" && refused[0].1.contains("does not prove"), "{refused:?}");
    desk.change(&format!("{below},upper,{},", most + 1), &format!("{below},upper,{},", most - 1));
    let refused = desk.refused();
    assert_eq!(refused.len(), 2, "{refused:?}");
    assert!(refused.iter().any(|(board, why)| board == "6^3" && why.contains("it rests on")), "{refused:?}");
}

#[test]
fn verification_detects_edited_rows_and_files() {
    let desk = Desk::new();
    let made = certified(&board("4^4"), "cube", &Bounds::default()).expect("valid");
    let file = desk.file("bound", &made.text);
    assert_eq!(desk.add(&file, None).expect("it holds"), 1);
    assert_eq!(desk.add(&file, None).expect("it holds"), 0);
    let squares = vec![vec![0, 0, 0, 0], vec![1, 2, 0, 0]];
    let certificate = Certificate::independent(board("4^4"), squares, "a test");
    let certificate = desk.file("certificate", certificate.to_string());
    assert_eq!(desk.add(&certificate, None).expect("it holds"), 1);
    assert_eq!(desk.refused(), Vec::new());
    let kept = desk.0.path().join("ledger/4^4.bound");
    let text = std::fs::read_to_string(&kept).expect("kept");

    std::fs::write(&kept, text.replace("at most 16", "at most 15")).expect("writable");
    assert!(desk.refused()[0].1.contains("is another file"));
    std::fs::write(&kept, format!("{text}\n")).expect("writable");
    assert!(desk.refused()[0].1.contains("is another file: it has"));
    std::fs::remove_file(&kept).expect("there");
    assert!(desk.refused()[0].1.contains("is missing, and the ledger lists it as archived"));
    std::fs::write(&kept, &text).expect("writable");

    desk.change("upper,16,", "upper,15,");
    assert!(desk.refused()[0].1.contains("shows 16, not 15"));
    desk.change("upper,15,", "upper,1,");
    assert!(desk.refused().iter().all(|(_, why)| why.contains("shows 16, not 1")));
    desk.change("upper,1,", "upper,16,");
    // A lower bound that its file does not show does not invalidate a checked upper bound.
    desk.change("lower,2,", "lower,17,");
    let refused = desk.refused();
    assert!(refused.len() == 1 && refused[0].1.contains("shows 2, not 17"), "{refused:?}");
    desk.change("lower,17,", "lower,2,");
    desk.change("lower,2,certificate", "lower,2,orbit LP");
    assert!(desk.refused()[0].1.contains("shows no bound from this side"));
    desk.change("lower,2,orbit LP", "lower,2,certificate");
    desk.change("4^4.bound", "../4^4.bound");
    assert!(desk.refused()[0].1.contains("is not the name of a file"));
    desk.change("../4^4.bound", "4^4.bound");
    assert_eq!(desk.refused(), Vec::new());
}

#[test]
fn circles_and_open_ends_are_refused() {
    let desk = Desk::new();
    let head = "board,side,value,kind,file,bytes,sha256,rests_on,command,commit";
    let digest = "0".repeat(64);
    let row = |board: &str, value: u64, rests_on: &str| {
        format!("{board},upper,{value},orbit LP,{board}.bound,20000000,{digest},{rests_on},make it,c\n")
    };
    let verified = |rows: &[String]| {
        desk.file("ledger.csv", format!("{head}\n{}", rows.concat()));
        desk.refused()
    };
    let circle = verified(&[row("3^4", 6, "4^4<=16"), row("4^4", 16, "3^4<=6")]);
    let whys: Vec<&str> = circle.iter().map(|(_, why)| why.as_str()).collect();
    assert_eq!(whys.len(), 2);
    assert!(whys[0].contains("rests on 4^4, which is no smaller board"), "{whys:?}");
    assert!(whys[1].contains("rests on 3^4, and there: it rests on 4^4"), "{whys:?}");
    let itself = verified(&[row("3^4", 6, "3^4<=6")]);
    assert!(itself[0].1.contains("no smaller board"), "{itself:?}");
    let open = verified(&[row("4^4", 16, "3^4<=6")]);
    assert!(open[0].1.contains("rests on alpha(3^4) <= 6, which the ledger does not prove"), "{open:?}");
    let weak = verified(&[row("4^4", 16, "3^4<=6"), row("3^4", 7, "")]);
    assert!(weak[0].1.contains("does not prove"), "{weak:?}");
    assert_eq!(verified(&[row("4^4", 16, "3^4<=6"), row("3^4", 6, "")]), Vec::new());
    let no_digest = row("4^4", 16, "").replace(&digest, "x");
    assert!(verified(&[no_digest])[0].1.contains("is no SHA-256 digest"));
    let no_command = row("4^4", 16, "").replace("make it", "");
    assert!(verified(&[no_command])[0].1.contains("no command reproduces it"));
    verified(&[row("4^4", 16, "3^4<=6"), row("3^4", 6, "")]);
    // Rows whose files are missing are reported as not checked.
    let ledger = desk.ledger();
    let there = ledger.check(u64::MAX);
    assert!(there.iter().all(|one| one.status == RowStatus::NotRechecked));
    let status = |side, value| {
        ledger.check_bound(&board("4^4"), side, value, Deadline::NEVER).map(|checked| checked.status)
    };
    assert_eq!(status(Side::Upper, 16), Some(RowStatus::NotRechecked));
    assert_eq!([status(Side::Upper, 15), status(Side::Lower, 0)], [None, None]);
    assert!(there.iter().all(|one| one.foundation.iter().all(|file| file.contains("not re-checked here"))));
    desk.file("ledger.csv", format!("{head}\n{}{}", row("4^4", 16, ""), row("4x4x4x4", 15, "")));
    assert!(Ledger::of(&desk.archive()).is_err());
}

#[test]
fn a_proof_tree_fills_in_its_boxes() {
    let desk = Desk::new();
    let name = board("4^3");
    let path = desk.proved("4^3");
    assert!(desk.add(&path, None).expect("it holds") > 3);
    assert_eq!(desk.refused(), Vec::new());
    let verified = desk.ledger().check(u64::MAX);
    let whole = verified.iter().find(|one| one.row.board == name).expect("the board itself");
    assert_eq!(whole.row.value, 7);
    assert!(verified.iter().all(|one| one.status == RowStatus::Checked));
    desk.change("4^3,upper,7,", "4^3,upper,6,");
    assert_eq!(desk.refused().len(), 1);
    desk.change("4^3,upper,6,", "4^3,upper,7,");
    let digest = &whole.row.sha256;
    let of_one = format!("4^3,upper,7,proof tree,4^3.proof.gz,{},{digest}", whole.row.bytes);
    desk.change(&of_one, &of_one.replace(digest, &"a".repeat(64)));
    assert!(desk.refused().iter().any(|(board, why)| board == "4^3" && why.contains("is another file")));
    assert_eq!(desk.refused().len(), 1);
}

/// Rows that depend on other rows are visited once each.
#[test]
fn visits_each_dependent_row_once() {
    let desk = Desk::new();
    let digest = "0".repeat(64);
    let rows = (2..=90u32).map(|n| {
        let below: Vec<String> = (2..n).map(|m| format!("{m}^3<={}", m * m)).collect();
        format!(
            "{n}^3,upper,{},orbit LP,{n}^3.bound,20000000,{digest},{},make it,c\n",
            n * n,
            below.join(";")
        )
    });
    let head = "board,side,value,kind,file,bytes,sha256,rests_on,command,commit";
    desk.file("ledger.csv", format!("{head}\n{}", rows.collect::<String>()));
    let verified = desk.ledger().check(u64::MAX);
    assert_eq!(verified.len(), 89);
    assert!(verified.iter().all(|one| one.status == RowStatus::NotRechecked));
}

#[test]
fn rejects_a_wrong_file_size_in_any_row() {
    let desk = Desk::new();
    desk.add(&desk.proved("3^3"), None).expect("it holds");
    let text = std::fs::read_to_string(desk.0.path().join("ledger.csv")).expect("there");
    let last = text.lines().last().expect("a row");
    let bytes = last.split(',').nth(5).expect("a size");
    desk.change(last, &last.replace(&format!(",{bytes},"), ",7,"));
    let refused = desk.refused();
    assert_eq!(refused.len(), 1, "{refused:?}");
    assert!(refused[0].1.contains("bytes, not 7"), "{refused:?}");
}

#[test]
fn a_ledger_that_is_not_there_holds_nothing() {
    assert_eq!(Desk::new().ledger().rows().count(), 0);
    assert!(ArchiveFiles::embedded().path("ledger.csv").is_err(), "the embedded one cannot be changed");
}

#[test]
fn rejects_boards_that_are_not_in_reduced_form() {
    let desk = Desk::new();
    let made = certified(&board("3x4x4"), "cube", &Bounds::default()).expect("valid");
    desk.add(&desk.file("bound", &made.text), None).expect("it holds");
    for other in ["4x3x4", "1x3x4x4"] {
        desk.change("3x4x4,upper", &format!("{other},upper"));
        let refused = desk.refused();
        assert_eq!(refused.len(), 1);
        assert!(refused[0].1.contains("the board must be written as 3x4x4"), "{refused:?}");
        desk.change(&format!("{other},upper"), "3x4x4,upper");
    }
}

#[test]
fn does_not_add_missing_files_or_file_boards() {
    let desk = Desk::new();
    for (path, says) in [("none", "cannot read"), ("-", "cannot read"), (".", "it is not a plain file")] {
        let fault = desk.add(&desk.0.path().join(path), None).expect_err(path);
        assert!(matches!(fault, ArchiveError::File(_)) && fault.to_string().contains(says), "{fault}");
    }
    let drawing = desk.file("heart.txt", "ndqueens board 1\n##\n#.\n");
    let name = format!("file:{}", drawing.display());
    let name = BoardName::parse_with(&name, &ndqueens_system::file::open).expect("a board");
    let certificate = desk.file("c", Certificate::independent(name, vec![vec![0, 0]], "a test").to_string());
    assert!(matches!(desk.add(&certificate, None), Err(ArchiveError::FileBoard { .. })));
    assert_eq!(desk.ledger().rows().count(), 0);
}

/// Returns a bound with an additional empty clique row, which changes only its digest.
fn remade(text: &[u8]) -> Vec<u8> {
    let text = String::from_utf8(text.to_vec()).expect("UTF-8");
    text.replacen("\nat most", "\nclique 0 \nat most", 1).replace("clique 0 \n", "clique 0\n").into_bytes()
}

#[test]
fn new_files_replace_damaged_or_missing_ones() {
    let desk = Desk::new();
    let made = certified(&board("4^4"), "cube", &Bounds::default()).expect("valid");
    let (old, new) = (desk.file("old", &made.text), desk.file("new", remade(&made.text)));
    assert_eq!(desk.add(&old, None).expect("it holds"), 1);
    assert_eq!(desk.add(&new, None).expect("it holds"), 0, "the old one is there");
    let kept = desk.0.path().join("ledger/4^4.bound");
    std::fs::write(&kept, "another").expect("writable");
    assert_eq!(desk.refused().len(), 1);
    assert_eq!(desk.add(&new, None).expect("it holds"), 1);
    assert_eq!(std::fs::read(&kept).expect("kept"), remade(&made.text));
    std::fs::remove_file(&kept).expect("there");
    assert_eq!(desk.add(&old, None).expect("it holds"), 1);
    assert_eq!(desk.refused(), Vec::new());
}

#[test]
fn rows_refer_to_files_that_show_them() {
    let desk = Desk::new();
    let files = |desk: &Desk| {
        let row = |row: &ndqueens_archive::ledger::LedgerRow| (row.file.clone(), row.sha256.clone());
        desk.ledger().rows().map(row).collect::<std::collections::BTreeSet<_>>()
    };
    // A better tree takes over all rows of the previous file, including rows that it does not improve.
    let options = Options { node_limit: Some(0), ..Options::default() };
    let path = desk.0.path().join("weak.gz");
    let go_on = &mut |_: &_| ControlFlow::Continue(());
    engine_run::run(&Board::new(&board("7^3")), &options, None, Some(&path), None, go_on).expect("a proof");
    let few = desk.add(&path, None).expect("it holds");
    assert_eq!(files(&desk).len(), 1);
    let better = desk.add(&desk.proved("7^3"), None).expect("it holds");
    assert!(better > 0 && few > 0, "{few} and {better}");
    assert_eq!(files(&desk).len(), 1);
    assert_eq!(desk.refused(), Vec::new());
    // A file that lacks a row of the file of the same name gets another name.
    let ledger = desk.0.path().join("ledger.csv");
    let text = std::fs::read_to_string(&ledger).expect("there");
    let head = text.lines().next().expect("a head");
    let row = format!("5^3,upper,13,proof tree,3x3x4.proof.gz,20000000,{},,make it,c,", "0".repeat(64));
    std::fs::write(&ledger, format!("{head}\n{row}\n")).expect("writable");
    desk.add(&desk.proved("3x3x4"), None).expect("it holds");
    assert_eq!(desk.refused(), Vec::new());
    let names: Vec<String> = files(&desk).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["3x3x4-2.proof.gz", "3x3x4.proof.gz"]);
    // A better bound replaces the previous bound.
    std::fs::write(&ledger, format!("{head}\n")).expect("writable");
    let bound = certified(&board("4^4"), "base", &Bounds::default()).expect("valid");
    desk.add(&desk.file("bound", &bound.text), None).expect("it holds");
    let bound = certified(&board("4^4"), "cube", &Bounds::default()).expect("valid");
    desk.add(&desk.file("bound", &bound.text), None).expect("it holds");
    assert_eq!((files(&desk).len(), desk.refused()), (1, Vec::new()));
}

#[test]
fn the_best_checked_bound_goes_along() {
    let board = Board::new(&board("5^4"));
    let options = Options::default();
    let go_on = &mut |_: &_| ControlFlow::Continue(());
    let prior = Archive::embedded().prior_results();
    let known = || {
        route::quick_bounds(&board, None, None, &options, &prior, &mut |_| ControlFlow::Continue(()))
            .expect("bounds")
    };
    let ProofState { upper, kind, .. } = known();
    // With a node limit of 0, or if stopped at once, the engine finds no better bound.
    let none = Options { node_limit: Some(0), ..Options::default() };
    let request = ExactRequest { options: none, certified: true, ..ExactRequest::default() };
    let idle = prove::prove_exactly(&board, None, Some(known()), &request, go_on).expect("a proof");
    assert_eq!((idle.upper, &idle.kind, idle.status), (upper, &kind, Status::Open));
    for certified in [true, false] {
        let request = ExactRequest { options: options.clone(), certified, ..ExactRequest::default() };
        let stop = &mut |_: &_| ControlFlow::Break(());
        let stopped = prove::prove_exactly(&board, None, Some(known()), &request, stop).expect("stopped");
        assert_eq!((stopped.upper, &stopped.kind, stopped.status), (upper, &kind, Status::Open));
        let alone = prove::prove_exactly(&board, None, None, &request, stop).expect("stopped");
        assert!(!certified || alone.kind != ProofKind::Stopped);
    }
}
