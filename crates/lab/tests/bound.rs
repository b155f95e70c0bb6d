//! Bounds of the orbit LP pass the check and hold, and the ledger takes nothing that does not.

use std::ops::ControlFlow;
use std::path::Path;

use ndqueens_crosscheck::definition::definition;
use ndqueens_crosscheck::graph::Graph;
use ndqueens_crosscheck::recursive;
use ndqueens_lab::bound::{self, Certified};
use ndqueens_lab::exact;
use ndqueens_lab::ledger::{Ledger, LedgerError, Standing};
use ndqueens_model::board::Board;
use ndqueens_model::bound::Bounds;
use ndqueens_model::certificate::Certificate;
use ndqueens_model::name::{BoardName, Piece};
use ndqueens_model::recipe::Recipe;
use ndqueens_solver::backend::Options;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

fn certified(board: &BoardName, recipe: &str, bounds: &Bounds) -> Option<Certified> {
    let recipe = Recipe::shipped(recipe).expect("shipped");
    let go_on = &mut |_: &_| ControlFlow::Continue(());
    let made = bound::bound(&Board::new(board), &recipe, bounds, &Options::default(), go_on);
    match made {
        Ok(made) => Some(made.expect("not stopped")),
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
        for recipe in
            ["base", "cube", "all", "dilated", "cuboid", "strong", "strong-clique", "maximal-clique"]
        {
            let Some(certified) = certified(&name, recipe, &Bounds::with_ledger()) else {
                assert_ne!(piece, Piece::Queen, "{recipe} is for queens");
                continue;
            };
            checked += 1;
            assert!(
                certified.shown.at_most() >= most,
                "{recipe} on {name}: {} and {most}",
                certified.shown.at_most()
            );
            assert_eq!(certified.conditions().count(), 0);
        }
    }
    assert!(checked > 500);
}

/// A ledger in a folder, with what is needed to add to it.
struct Desk(tempfile::TempDir);

impl Desk {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn ledger(&self) -> Ledger {
        Ledger::read(&self.0.path().join("ledger.csv")).expect("readable")
    }

    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> std::path::PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, text).expect("writable");
        path
    }

    fn add(&self, path: &Path, command: Option<&str>) -> Result<usize, LedgerError> {
        let mut ledger = self.ledger();
        let added = ledger.add(path, command)?.len();
        ledger.write().expect("writable");
        Ok(added)
    }

    /// A file with the proof tree of a box.
    fn proved(&self, name: &str) -> std::path::PathBuf {
        let path = self.0.path().join(format!("{name}.gz"));
        let go_on = &mut |_: &_| ControlFlow::Continue(());
        let (board, options) = (Board::new(&board(name)), Options::default());
        exact::prove(&board, &options, None, Some(&path), None, go_on).expect("a proof");
        path
    }

    /// What is refused, by board.
    fn refused(&self) -> Vec<(String, String)> {
        let verified = self.ledger().verify();
        verified
            .into_iter()
            .filter_map(|one| match one.standing {
                Standing::Refused(why) => Some((one.row.board.to_string(), why)),
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

/// A bound of 6^3 that rests on those of boxes.
fn resting() -> Certified {
    let certified = certified(&board("6^3"), "cuboid", &Bounds::with_ledger()).expect("valid");
    assert!(!certified.shown.needs().is_empty(), "it should rest on something");
    certified
}

#[test]
fn a_bound_needs_what_it_rests_on_in_the_ledger() {
    let desk = Desk::new();
    let above = desk.file("above", &resting().text);
    assert!(matches!(desk.add(&above, None), Err(LedgerError::Unproved { .. })));
    desk.add(&desk.proved("4x5x6"), None).expect("it holds");
    assert!(matches!(desk.add(&above, None), Err(LedgerError::Unproved { .. })), "some boxes are missing");
    desk.add(&desk.proved("5x6x6"), None).expect("it holds");
    assert_eq!(desk.add(&above, None).expect("all boxes are there"), 1);
    assert_eq!(desk.refused(), Vec::new());
    let below = resting().shown.needs().iter().map(|(board, most)| (board.to_string(), *most)).next();
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
fn what_is_in_the_ledger_verifies_until_it_is_touched() {
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
    std::fs::remove_file(&kept).expect("there");
    assert!(desk.refused()[0].1.contains("no command makes it again"));
    std::fs::write(&kept, &text).expect("writable");

    desk.change("upper,16,", "upper,15,");
    assert!(desk.refused()[0].1.contains("shows 16, not 15"));
    desk.change("upper,15,", "upper,1,");
    assert!(desk.refused().iter().all(|(_, why)| why.contains("is above the upper bound")));
    desk.change("upper,1,", "upper,16,");
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
    let head = "board,side,value,kind,file,sha256,rests_on,command,commit";
    let row = |board: &str, value: u64, rests_on: &str| {
        format!("{board},upper,{value},orbit LP,{board}.bound,0,{rests_on},make it,c\n")
    };
    let verified = |rows: &[String]| {
        desk.file("ledger.csv", format!("{head}\n{}", rows.concat()));
        desk.refused()
    };
    let circle = verified(&[row("3^4", 6, "4^4<=16"), row("4^4", 16, "3^4<=6")]);
    assert_eq!(circle.len(), 2);
    assert!(circle.iter().all(|(_, why)| why.contains("rests on itself")), "{circle:?}");
    let open = verified(&[row("4^4", 16, "3^4<=6")]);
    assert!(open[0].1.contains("rests on alpha(3^4) <= 6, which the ledger does not prove"), "{open:?}");
    let weak = verified(&[row("4^4", 16, "3^4<=6"), row("3^4", 7, "")]);
    assert!(weak[0].1.contains("does not prove"), "{weak:?}");
    assert_eq!(verified(&[row("4^4", 16, "3^4<=6"), row("3^4", 6, "")]), Vec::new());
    // What is not here is said to be so.
    let there = desk.ledger().verify();
    assert!(there.iter().all(|one| one.standing == Standing::NotRechecked));
    assert!(there.iter().all(|one| one.foundation.iter().all(|file| file.contains("not re-checked here"))));
    desk.file("ledger.csv", format!("{head}\n{}{}", row("4^4", 16, ""), row("4x4x4x4", 15, "")));
    assert!(Ledger::read(&desk.0.path().join("ledger.csv")).is_err());
}

#[test]
fn a_proof_tree_fills_in_its_boxes() {
    let desk = Desk::new();
    let name = board("4^3");
    let path = desk.proved("4^3");
    assert!(desk.add(&path, None).expect("it holds") > 3);
    assert_eq!(desk.refused(), Vec::new());
    let verified = desk.ledger().verify();
    let whole = verified.iter().find(|one| one.row.board == name).expect("the board itself");
    assert_eq!(whole.row.value, 7);
    assert!(verified.iter().all(|one| one.standing == Standing::Checked));
    desk.change("4^3,upper,7,", "4^3,upper,6,");
    assert_eq!(desk.refused().len(), 1);
    desk.change("4^3,upper,6,", "4^3,upper,7,");
    let digest = &whole.row.sha256;
    let of_one = format!("4^3,upper,7,proof tree,4^3.proof.gz,{digest}");
    desk.change(&of_one, &of_one.replace(digest, "another"));
    assert!(desk.refused().iter().any(|(board, why)| board == "4^3" && why.contains("is another file")));
    assert_eq!(desk.refused().len(), 1);
}
