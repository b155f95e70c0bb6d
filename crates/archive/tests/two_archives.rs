//! Two archives in one process answer from their own files.

use std::fs;
use std::thread;

use ndqueens_archive::archive::Archive;
use ndqueens_archive::best::{self, Trust};
use ndqueens_archive::bounds::Cube;
use ndqueens_archive::files::ArchiveFiles;
use ndqueens_model::facts::{Provenance, UpperBound};
use ndqueens_notation::name::BoardName;
use ndqueens_system::cancel::Deadline;

/// Returns the best upper bound of 5^3.
fn upper(archive: &Archive) -> u128 {
    let cube = Cube { dimension: 3, side: 5 };
    let [_, upper] =
        best::of_cube(archive, cube, Trust::Archived, &[], Deadline::NEVER).expect("no contradiction");
    upper.value
}

#[test]
fn archives_answer_from_their_own_files() {
    let (nothing, without_files) =
        (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let table = ArchiveFiles::embedded().read("ledger.csv").expect("readable").expect("a table");
    fs::write(without_files.path().join("ledger.csv"), table).expect("written");
    let open = |folder: &tempfile::TempDir| Archive::open(folder.path(), false).expect("an archive");
    let (embedded, empty, damaged) = (Archive::embedded(), open(&nothing), open(&without_files));
    let board: BoardName = "5^3".parse().expect("a board");
    let bound: UpperBound = embedded.bounds().ledger.upper(&board).expect("a bound").clone();
    let check = || {
        assert_eq!(upper(&embedded), 13);
        assert!(upper(&empty) > 13 && upper(&damaged) > 13);
        let recheck = |archive: &Archive| archive.recheck(&bound, Deadline::NEVER).provenance;
        assert!(matches!(recheck(&embedded), Provenance::Proved(_)));
        assert!(matches!(recheck(&empty), Provenance::Archived(_)));
        assert!(matches!(recheck(&damaged), Provenance::Rejected(why) if why.contains("is missing")));
        let placements = |archive: &Archive| archive.prior_results().placements(&board).len();
        assert!(placements(&embedded) > 0);
        assert_eq!([placements(&empty), placements(&damaged)], [0, 0]);
    };
    check();
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(check);
        }
    });
}
