//! Compares proofs in parts of random boards with enumeration, and checks the joined proofs.

use std::io::Read as _;
use std::ops::ControlFlow;

use ndqueens_crosscheck::{count, verify};
use ndqueens_exact::Slab;
use ndqueens_notation::certificate::Problem;
use ndqueens_notation::name::{BoardName, Piece};
use ndqueens_solver::backends::Options;
use ndqueens_system::cancel::Deadline;
use ndqueens_system::file::sealed;
use ndqueens_system::note::Notes;
use ndqueens_workflow::run::{RefusedError, WorkflowError};
use ndqueens_workflow::split::{self, Cutting, Folder, Joined, Manifest, Running};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

#[test]
fn parts_on_random_boards_come_to_the_answer() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let mut watch = |_: &_| ControlFlow::Continue(());
    let (mut boards, mut parts_run) = (0, 0);
    while boards < 40 {
        let torus = random.random_bool(0.1);
        let (dimension, side) = (random.random_range(2..=4), random.random_range(2..=4));
        let sides: Vec<u32> =
            (0..dimension).map(|_| if torus { side } else { random.random_range(2..=6) }).collect();
        if sides.iter().product::<u32>() > 100 {
            continue;
        }
        boards += 1;
        let name = BoardName::grid(
            if random.random_bool(0.7) { Piece::Queen } else { Piece::Bishop },
            torus,
            &sides,
        );
        let most = count::count(&name, &|| false).expect("a small board").independence_number as u64;
        for at_least in [most, most + 1] {
            let folder = tempfile::tempdir().expect("a folder");
            let parts = [1, 2, 4][random.random_range(0..3)];
            let cutting = Cutting { at_least, parts, options: Options::default() };
            let cut = split::split(&name, &cutting, folder.path(), &mut watch).expect("a small board");
            assert_eq!(cut.result().expect("not stopped").manifest().definition.at_least, at_least);
            let folder = Folder::open(folder.path(), &Notes::default()).expect("just made");
            if let Some(&last) = folder.status().expect("no parts yet").numbers.last() {
                parts_run += folder
                    .run(&Running { only: Some(last), threads: 1, ..RUNNING }, &mut watch)
                    .expect("a part")
                    .finished;
            }
            let ran = folder.run(&RUNNING, &mut watch).expect("parts");
            parts_run += ran.finished;
            match folder.join(None).expect("all parts") {
                Joined::DoNotFit(proved) => {
                    assert_eq!((proved.board(), proved.at_most()), (&name, Some(most)));
                    assert_eq!(at_least, most + 1, "{name}");
                }
                Joined::Fit(certificate) => {
                    assert_eq!(at_least, most, "{name}");
                    let verified = verify::verify_on(&name, Problem::IndependentSet, &certificate);
                    assert_eq!(verified.expect("holds").size() as u64, most);
                }
            }
        }
    }
    assert!(parts_run > 10, "{parts_run} parts");
}

/// Settings that split parts again after 20 nodes.
const RUNNING: Running = Running {
    only: None,
    share: None,
    threads: 2,
    deadline: Deadline::NEVER,
    fitting: false,
    most_nodes: Some(20),
};

/// Parts prune incorrectly if the demand of a slab is too large by one queen. The digest of the manifest is
/// correct here.
#[test]
fn excessive_slab_demands_prove_no_false_theorem() {
    let mut watch = |_: &_| ControlFlow::Continue(());
    let name: BoardName = "5^3".parse().expect("a board");
    let mut refused = 0;
    for at_least in [13, 14] {
        let cutting = Cutting { at_least, parts: 1, options: Options::default() };
        let cut = |folder: &std::path::Path, watch: &mut dyn FnMut(&_) -> ControlFlow<()>| {
            split::split(&name, &cutting, folder, watch)
                .expect("a small board")
                .result()
                .expect("not stopped")
        };
        let whole = tempfile::tempdir().expect("a folder");
        let slabs = cut(whole.path(), &mut watch).manifest().definition.slabs.len();
        for slab in 0..slabs {
            let folder = tempfile::tempdir().expect("a folder");
            cut(folder.path(), &mut watch);
            let path = folder.path().join("split.json");
            let text = std::fs::read_to_string(&path).expect("written");
            let mut manifest: Manifest = serde_json::from_str(&text).expect("a manifest");
            manifest.definition.slabs[slab].demand += 1;
            // The tree above the parts contains the demands, too.
            let top = folder.path().join("top.tree.gz");
            let mut text = String::new();
            sealed::open(&top).expect("written").read_to_string(&mut text).expect("sealed");
            let Slab { axis, from, width, demand } = manifest.definition.slabs[slab];
            let line = |demand| format!("slab {} {from}-{} {demand}\n", axis + 1, from + width - 1);
            assert!(text.contains(&line(demand - 1)), "{text}");
            let text = text.replacen(&line(demand - 1), &line(demand), 1);
            sealed::write(&top, |out| out.write_all(text.as_bytes())).expect("written");
            manifest.definition.top_sha256 = ndqueens_system::file::digest::of(text);
            let definition = serde_json::to_vec(&manifest.definition).expect("plain data");
            manifest.digest = ndqueens_system::file::digest::of(definition);
            std::fs::write(&path, serde_json::to_string(&manifest).expect("plain data")).expect("written");
            let folder = Folder::open(folder.path(), &Notes::default()).expect("the digest is right");
            let joined = match folder.run(&Running { threads: 1, most_nodes: None, ..RUNNING }, &mut watch) {
                Ok(_) => folder.join(None),
                Err(fault) => Err(fault),
            };
            match joined {
                Ok(Joined::DoNotFit(proved)) => assert_eq!((at_least, proved.at_most()), (14, Some(13))),
                Ok(Joined::Fit(_)) => assert_eq!(at_least, 13),
                Err(WorkflowError::Refused(RefusedError::File { .. } | RefusedError::Proof { .. })) => {
                    refused += 1;
                }
                Err(WorkflowError::Split(fault)) => {
                    assert!(fault.to_string().contains("cut this tree"), "{fault}");
                }
                Err(fault) => panic!("{fault}"),
            }
        }
    }
    assert!(refused > 3, "{refused} proofs were refused");
}
