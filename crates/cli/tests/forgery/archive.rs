//! Forgeries of the archive: rows of the ledger, archived files, stored certificates and values supplied by
//! the user.

use std::fs;

use super::{Forgery, all_refused, made};

/// Files by name of an archive with a bound, a certificate of the same value, and a proof tree with its
/// boxes.
struct Archive {
    files: Vec<(&'static str, Vec<u8>)>,
}

const TABLE: &str = "d/ledger.csv";

impl Archive {
    fn genuine() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        for arguments in [
            "prove 3^3 --proof 3.gz --engine exact",
            "lp certify 4^4 -f cube -o 4.bound",
            "find 4^4 -o 4.txt",
            "find 5^3 --method search --at-least 13 --rounds 100 -o 5.txt",
            "archive add 3.gz 4.bound 4.txt 5.txt --data d",
            "archive verify --data d",
        ] {
            made(folder.path(), arguments);
        }
        let names = [TABLE, "d/ledger/3^3.proof.gz", "d/ledger/4^4.bound", "d/ledger/4^4.txt", STORED];
        let file = |name| (name, fs::read(folder.path().join(name)).expect(name));
        Self { files: names.into_iter().map(file).collect() }
    }

    fn text(&self, name: &str) -> String {
        let (_, text) = self.files.iter().find(|(other, _)| *other == name).expect("a file of the archive");
        String::from_utf8(text.clone()).expect("a text")
    }

    /// Returns the files of the archive with the file `name` replaced, or without this file if `text` is
    /// `None`.
    fn with(&self, name: &'static str, text: Option<Vec<u8>>) -> Vec<(&'static str, Vec<u8>)> {
        let others = self.files.iter().filter(|(other, _)| *other != name).cloned();
        others.chain(text.map(|text| (name, text))).collect()
    }

    /// Returns a forgery for each edit of a file: old text, new text and expected error.
    fn edited(&self, name: &'static str, asks: &str, edits: &[(&str, &str, &str)]) -> Vec<Forgery> {
        let text = self.text(name);
        let edit = |&(old, new, says): &(&str, &str, &str)| {
            assert!(text.contains(old), "{old:?} is not in {text}");
            asked(self.with(name, Some(text.replacen(old, new, 1).into_bytes())), asks, says)
        };
        edits.iter().map(edit).collect()
    }
}

const STORED: &str = "d/certificates/5^3.txt";

fn asked(files: Vec<(&'static str, Vec<u8>)>, asks: &str, says: &str) -> Forgery {
    Forgery { files, arguments: asks.split(' ').map(str::to_owned).collect(), says: says.to_owned() }
}

#[test]
fn rows_of_the_ledger() {
    let archive = Archive::genuine();
    let digest = {
        let text = archive.text(TABLE);
        let row = text.lines().find(|row| row.starts_with("4^4,upper")).expect("a row");
        row.split(',').nth(6).expect("a digest").to_owned()
    };
    let shouted = digest.to_uppercase();
    let short = &digest[1..];
    let zeros = "0".repeat(64);
    let mut forgeries = archive.edited(
        TABLE,
        "archive verify --data d",
        &[
            ("4^4,upper,16", "4^4,upper,15", "shows 16, not 15"),
            ("4^4,upper,16", "4^4,upper,0", "shows 16, not 0"),
            ("4^4,lower,16", "4^4,lower,17", "shows 16, not 17"),
            ("3^3,upper,4", "3^3,upper,3", "shows 4, not 3"),
            ("2x3x3,upper,3", "2x3x3,upper,2", "shows 3, not 2"),
            ("4^4,upper,16", "5^4,upper,16", "is about another board"),
            ("3^3,upper,4", "3^4,upper,4", "is about another board"),
            ("4^4,lower,16", "5^4,lower,16", "is about another board"),
            ("4^4,upper,16", "torus:4^4,upper,16", "is about another board"),
            ("4^4,upper,16", "rook:4^4,upper,16", "is about another board"),
            ("4^4,upper,16", "1x4x4x4x4,upper,16", "the board must be written as 4^4"),
            ("2x3x3,upper,3", "3x2x3,upper,3", "the board must be written as 2x3x3"),
            ("4^4,upper,16", "4^4,upper,-16", "ledger.csv"),
            ("4^4,upper,16", "4^4,upper,18446744073709551616", "ledger.csv"),
            ("4^4,upper,16", "4^4,upper,", "ledger.csv"),
            ("4^4,upper", "4^4,above", "ledger.csv"),
            ("4^4,upper", "4^0,upper", "ledger.csv"),
            ("4^4,upper", "nonsense,upper", "ledger.csv"),
            ("4^4,upper", "4^4,lower", "ledger.csv"),
            ("4^4,lower,16,certificate", "4^4,lower,16,orbit LP", "shows no bound from this side"),
            ("4^4,upper,16,orbit LP", "4^4,upper,16,certificate", "shows no bound from this side"),
            ("4^4,upper,16,orbit LP", "4^4,upper,16,proof tree", "is an orbit LP, not a proof tree"),
            ("4^4,upper,16,orbit LP", "4^4,upper,16,theorem", "ledger.csv"),
            ("orbit LP,4^4.bound", "orbit LP,../4^4.bound", "is not the name of a file"),
            ("orbit LP,4^4.bound", "orbit LP,/dev/zero", "is not the name of a file"),
            ("orbit LP,4^4.bound", "orbit LP,", "is not the name of a file"),
            ("orbit LP,4^4.bound", "orbit LP,..", "is not the name of a file"),
            ("orbit LP,4^4.bound", "orbit LP,4^4.txt", "is another file"),
            ("orbit LP,4^4.bound", "orbit LP,5^4.bound", "is missing, and the ledger lists it as archived"),
            (&digest, &zeros, "is another file"),
            (&digest, &shouted, "is no SHA-256 digest"),
            (&digest, short, "is no SHA-256 digest"),
            (&format!("{digest},"), &format!("{digest},3^4<=6"), "rests on"),
            (&format!("{digest},"), &format!("{digest},4^4<=16"), "not on"),
            (&format!("{digest},"), &format!("{digest},3^4"), "should be a bound such as"),
            (&format!("{digest},"), &format!("{digest},3^4<=-6"), "should be a bound such as"),
            ("board,side,value", "board,value,side", "ledger.csv"),
            ("board,side,value", "board,side", "ledger.csv"),
            ("verified\n", "verified,trusted\n", "ledger.csv"),
            (&archive.text(TABLE), "", "it is empty: its columns have no names"),
            (
                &archive.text(TABLE),
                "board,side,value,kind,file,bytes,sha256,rests_on,command,commit,verified\n",
                "no bound",
            ),
        ],
    );
    let row = |board: &str, value: u64, bytes: u64, rests_on: &str, command: &str| {
        format!("{board},upper,{value},orbit LP,{board}.bound,{bytes},{zeros},{rests_on},{command},c,\n")
    };
    for (row, says) in [
        (row("5^5", 32, 20_000_000, "", ""), "no command reproduces it"),
        (row("5^5", 32, 16_000_000, "", "make it"), "is missing, and the ledger lists it as archived"),
        (row("5^5", 32, 20_000_000, "5^5<=32", "make it"), "which is no smaller board"),
        (row("5^5", 32, 20_000_000, "6^5<=40", "make it"), "which is no smaller board"),
        (row("5^5", 32, 20_000_000, "3^4<=1", "make it"), "which the ledger does not prove"),
        (row("5^5", 32, 20_000_000, "4^4<=15", "make it"), "which the ledger does not prove"),
        (row("4^4", 15, 20_000_000, "", "make it"), "ledger.csv"),
    ] {
        let text = archive.text(TABLE) + &row;
        forgeries.push(asked(archive.with(TABLE, Some(text.into_bytes())), "archive verify --data d", says));
    }
    all_refused("rows of the ledger", 45, &forgeries);
}

#[test]
fn files_beside_the_ledger() {
    let archive = Archive::genuine();
    let verify = "archive verify --data d";
    let mut forgeries = archive.edited(
        "d/ledger/4^4.bound",
        verify,
        &[
            ("at most 16", "at most 15", "is another file"),
            ("at most 16", "at most 16\nat most 15", "is another file"),
            ("end\n", "end\n\n", "is another file: it has"),
            ("board 4^4", "board 4^5", "is another file"),
            ("\n", "\r\n", "is another file"),
        ],
    );
    forgeries.extend(archive.edited(
        "d/ledger/4^4.txt",
        verify,
        &[("size: 16", "size: 17", "is another file"), ("1 1 1 3", "1 1 1 2", "is another file")],
    ));
    for name in ["d/ledger/3^3.proof.gz", "d/ledger/4^4.bound", "d/ledger/4^4.txt"] {
        forgeries.push(asked(
            archive.with(name, None),
            verify,
            "is missing, and the ledger lists it as archived",
        ));
        forgeries.push(asked(archive.with(name, Some(Vec::new())), verify, "is another file"));
        let (_, whole) = archive.files.iter().find(|(other, _)| *other == name).expect("there");
        for at in [0, 9, whole.len() / 2, whole.len() - 5, whole.len() - 1] {
            let mut flipped = whole.clone();
            flipped[at] ^= 1;
            forgeries.push(asked(archive.with(name, Some(flipped)), verify, "is another file"));
            forgeries.push(asked(archive.with(name, Some(whole[..at].to_vec())), verify, "is another file"));
        }
    }
    all_refused("files beside the ledger", 40, &forgeries);
}

#[test]
fn what_is_added_to_the_archive() {
    let archive = Archive::genuine();
    let bound = archive.text("d/ledger/4^4.bound");
    let certificate = archive.text(STORED);
    let mut forgeries = Vec::new();
    for (old, new, says) in [
        ("at most 16", "at most 15", "add up to"),
        ("board 4^4", "board 5^4", "less than once"),
        ("end\n", "", "too early"),
        ("ndqueens bound 1", "ndqueens bound 5", "must begin with"),
        ("ndqueens bound 1", "ndqueens bound 4", "a case is not bounded"),
        ("ndqueens bound 1", "ndqueens bound 3", "a case is not bounded"),
        ("ndqueens bound 1", "ndqueens bound 2", "a case is not bounded"),
    ] {
        assert!(bound.contains(old), "{old}");
        let edited = bound.replacen(old, new, 1);
        forgeries.push(asked(vec![("x", edited.into_bytes())], "archive add x --data d", says));
    }
    let first =
        certificate.lines().find(|line| line.starts_with(|c: char| c.is_ascii_digit())).expect("a square");
    for (old, new, says) in [
        ("size: 13", "size: 14", "14"),
        ("size: 13", "size: 12", "12"),
        (first, &format!("{first}\n{first}"), ""),
        (first, "5 0 0", ""),
        ("board: 5^3", "board: 4^3", ""),
        ("board: 5^3", "board: rook:5^2", ""),
        ("problem: independent set", "problem: dominating set", ""),
        ("ndqueens certificate 1", "ndqueens certificate 2", ""),
    ] {
        assert!(certificate.contains(old), "{old}");
        let edited = certificate.replacen(old, new, 1);
        forgeries.push(asked(vec![("x", edited.clone().into_bytes())], "archive add x --data d", says));
        let files = archive.with(STORED, Some(edited.into_bytes()));
        forgeries.push(asked(files, "archive verify --data d", "5^3.txt"));
    }
    forgeries.push(asked(vec![("x", certificate.into_bytes())], "archive add x", "--data names a folder"));
    all_refused("what is added to the archive", 20, &forgeries);
}

#[test]
fn values_that_a_user_brings() {
    let head = "board,side,value,status,source,place,identifier\n";
    let forgeries: Vec<Forgery> = [
        ("4^4,upper,many,theorem,nobody,,\n", "v.csv"),
        ("4^4,upper,-1,theorem,nobody,,\n", "v.csv"),
        ("4^4,upper,16,proved,nobody,,\n", "v.csv"),
        ("4^4,both,16,theorem,nobody,,\n", "v.csv"),
        ("4^4,upper,16\n", "v.csv"),
        ("4^4,upper,16,theorem,nobody,,,more\n", "v.csv"),
        ("4x5,upper,4,theorem,nobody,,\n", "bounds are for queens on n^d"),
        ("rook:4^4,upper,4,theorem,nobody,,\n", "bounds are for queens on n^d"),
        ("", "there are no values in it"),
    ]
    .into_iter()
    .map(|(rows, says)| {
        asked(vec![("v.csv", format!("{head}{rows}").into_bytes())], "table bounds --values v.csv", says)
    })
    .collect();
    all_refused("values", 9, &forgeries);
    // A value that the user declares a theorem counts as reported: it may give a bound, but no maximum
    // without a mark.
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("v.csv"), format!("{head}8^4,upper,241,theorem,me,,\n")).expect("writable");
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("ndq"));
    let output = command
        .current_dir(folder.path())
        .args("table bounds --d 4 --n 8 --values v.csv".split(' '))
        .output();
    let text = String::from_utf8(output.expect("it runs").stdout).expect("UTF-8");
    assert!(text.contains("=241*") && !text.contains("=241 "), "{text}");
}
