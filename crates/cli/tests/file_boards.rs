//! Boards from files, through the binary.

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;

fn ndq(folder: &Path, arguments: &str) -> Assert {
    let mut command = Command::cargo_bin("ndq").expect("the binary");
    command.current_dir(folder).args(arguments.split_whitespace()).assert()
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../instances/boards")
}

fn write(folder: &Path, file: &str, text: impl AsRef<[u8]>) {
    std::fs::write(folder.join(file), text).expect("a folder to write to");
}

#[test]
fn boards_are_shown_and_drawn() {
    ndq(&examples(), "info file:heart.txt")
        .success()
        .stdout(contains("squares        12").and(contains("\na b   b a\nc d e d c\n  f g f\n")));
    ndq(&examples(), "info file:punctured-cube.txt").success().stdout(
        contains("squares        26")
            .and(contains("a b a      b c b      a b a\nb c b      c   c      b c b\n")),
    );
    ndq(&examples(), "info file:petersen.col").success().stdout(
        contains("lines          15 of two squares").and(contains("attacks        3 other vertices")),
    );
}

#[test]
fn values_found_in_every_way_agree() {
    for (file, queens, pieces, solutions) in [
        ("heart.txt", 3, "queens", 6),
        ("heart-blocked.txt", 3, "queens", 10),
        ("punctured-cube.txt", 4, "queens", 16),
        ("petersen.col", 4, "vertices", 5),
        ("c5.txt", 2, "vertices", 5),
    ] {
        ndq(&examples(), &format!("solve file:{file} -f base"))
            .success()
            .stdout(contains(format!("{queens} {pieces} on file:{file}: optimal")));
        ndq(&examples(), &format!("prove file:{file} -f base"))
            .success()
            .stdout(contains(format!("alpha(file:{file}) = {queens}: ")));
        ndq(&examples(), &format!("count file:{file}"))
            .success()
            .stdout(contains(format!("number    {queens}\nmaximum solutions      {solutions}\n")));
    }
    ndq(&examples(), "find file:petersen.col")
        .success()
        .stdout(contains("4 vertices on file:petersen.col, checked"));
    ndq(&examples(), "count file:c5.txt")
        .success()
        .stdout(contains("not counted: the symmetry group is not known"));
}

#[test]
fn families_of_boxes_are_refused_with_their_reason() {
    ndq(&examples(), "solve file:punctured-cube.txt -f cube")
        .code(2)
        .stderr(contains("boxes and tori of queens, rooks and bishops"));
}

#[test]
fn a_certificate_is_checked_until_its_board_file_changes() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    write(folder, "path.txt", "0 1\n1 2\n");
    ndq(folder, "solve file:path.txt -f base -o best.txt").success();
    ndq(folder, "check best.txt")
        .success()
        .stdout(contains("2 vertices of file:path.txt are an independent set"));
    ndq(folder, "check best.txt --board file:./path.txt").success();
    ndq(folder, "solve file:path.txt -f base --start best.txt").success();
    write(folder, "wrong.txt", "0 1");
    ndq(folder, "check wrong.txt --as flat --board file:path.txt")
        .code(1)
        .stdout(contains("attack each other"));
    write(folder, "path.txt", "0 1\n1 2\n2 3\n");
    ndq(folder, "check best.txt").code(2).stderr(contains("line 3, column 9").and(contains("has changed")));
    std::fs::remove_file(folder.join("path.txt")).expect("it was there");
    ndq(folder, "check best.txt").code(2).stderr(contains("cannot read the board file path.txt"));
}

#[test]
fn a_record_runs_again_until_its_board_file_changes() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    write(folder, "path.txt", "0 1\n1 2\n");
    let mut records = Vec::new();
    for verb in ["solve", "prove"] {
        let into = folder.join(verb);
        ndq(folder, &format!("{verb} file:./path.txt -f base --record {verb}")).success();
        let record =
            std::fs::read_dir(into).expect("a folder").next().expect("a record").expect("readable").path();
        ndq(folder, &format!("rerun {}", record.display())).success().stdout(contains("the same answer"));
        records.push(record);
    }
    write(folder, "path.txt", "0 1\n1 2\n2 3\n");
    for record in records {
        ndq(folder, &format!("rerun {}", record.display()))
            .code(2)
            .stderr(contains("has changed since the run"));
    }
}

#[test]
fn graphs_that_were_written_are_boards() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    ndq(folder, "model 5^2 -o queens.col").success();
    ndq(folder, "count file:queens.col")
        .success()
        .stdout(contains("number    5\nmaximum solutions      10\n"));
}

#[test]
fn a_drawing_that_falls_into_parts_is_a_board_and_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    write(folder, "apart.txt", "ndqueens board 1\n##..#\n##.#.\n");
    ndq(folder, "info file:apart.txt").success().stdout(contains("parts          3, which have no side"));
    ndq(folder, "count file:apart.txt --method all").success();
    write(folder, "whole.txt", "ndqueens board 1\n##..\n.###\n");
    ndq(folder, "info file:whole.txt").success().stdout(contains("parts").not());
    ndq(folder, "info 3^2").success().stdout(contains("parts").not());
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_board() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "mark.txt", "\u{feff}ndqueens board 1\n##\n");
    ndq(folder.path(), "solve file:mark.txt").success().stdout(contains("1 queen on file:mark.txt"));
}

#[test]
fn what_is_no_board_is_refused_with_its_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    std::fs::create_dir(folder.join("boards")).expect("a folder to write to");
    write(folder, "ragged.txt", "ndqueens board 1\n###\n##\n");
    write(folder, "sign.txt", "ndqueens board 1\n##x\n");
    write(folder, "empty.txt", "");
    write(folder, "void.txt", "ndqueens board 1\n...\n");
    write(folder, "loop.txt", "0 1\n2 2\n");
    write(folder, "weight.col", "p edge 3 1\nn 3 2\ne 1 2\n");
    write(folder, "latin1.txt", b"ndqueens board 1\nnote: \xe9\n##\n");
    write(folder, "later.txt", "ndqueens board 2\n##\n");
    for (file, words) in [
        ("ragged.txt", "ragged.txt, line 3, column 3: the row has 2 characters; 3 expected"),
        ("sign.txt", "sign.txt, line 2, column 3: a row consists of # (a square) and . (a hole)"),
        ("empty.txt", "empty.txt, line 1, column 1: the file holds no board"),
        ("void.txt", "void.txt, line 2, column 1: the board has no squares"),
        ("loop.txt", "loop.txt, line 2, column 1: an edge joins two different vertices"),
        ("weight.col", "weight.col, line 2, column 5: vertex 3 has the weight 2"),
        ("latin1.txt", "cannot read the board file latin1.txt: "),
        ("later.txt", "later.txt, line 1, column 1: version \"2\" of board files is unknown; this reads"),
        ("missing.txt", "cannot read the board file missing.txt: "),
        ("boards", "cannot read the board file boards: "),
    ] {
        for command in ["info", "count", "solve"] {
            ndq(folder, &format!("{command} file:{file}")).code(2).stderr(contains(words));
        }
    }
    ndq(folder, "info file:").code(2).stderr(contains("a path is not empty"));
    ndq(folder, "info rook:file:ragged.txt").code(2).stderr(contains("\"file:\" must begin the name"));
}
