//! Damages files of every kind and passes them to every command that reads them.

use std::path::{Path, PathBuf};

use rand::RngExt as _;

use crate::bench::Bench;
use crate::kills::EXPERIMENT;

/// Commands that write the files.
const MAKE: [&str; 12] = [
    "prove 5^3 --proof p.proof -o best.txt --record r",
    "prove 4^3 --proof p.gz --work w",
    "lp certify 5^3 -o b.bound",
    "count 6^2 --solutions list.txt",
    "colour 5^2 -o colours.txt",
    "table boxes 3^3 -o t.csv",
    "prove split 5^3 --at-least 14 --parts 5 -o d",
    "prove run d --all",
    "lab run e.toml -o lab",
    "count three:10 --exactly 14 --work k",
    "colour 7^2 --count --work c",
    "model 3^3 -o m.lp",
];

/// Files and the commands that read them, with `F` for the file name. The maximum is 13 queens on 5^3 and 4
/// queens on 3^3.
const READ: [(&str, &[&str]); 18] = [
    (
        "best.txt",
        &[
            "check F",
            "find 5^3 --method search --rounds 1 --start F",
            "solve 5^3 --time-limit 1 --start F",
            "draw 5^3 -o x.svg --show F",
        ],
    ),
    ("p.proof", &["check F"]),
    ("p.gz", &["check F"]),
    ("b.bound", &["check F"]),
    ("list.txt", &["check F", "draw 6^2 --show F -o x.svg"]),
    ("colours.txt", &["check F", "draw 5^2 --colouring F -o x.svg"]),
    ("t.csv", &["table boxes 2^3 -o F"]),
    ("d/split.json", &["prove run d --all", "prove join d"]),
    ("d/part-0.proof.gz", &["prove run d --all", "prove join d"]),
    ("d/top.tree.gz", &["prove join d"]),
    ("d/boxes.proof.gz", &["prove join d"]),
    ("w/queen-3x4x4.box.gz", &["prove 4^3 --work w"]),
    ("lab/plan.csv", &["lab table lab", "lab compare lab lab"]),
    ("lab/runs.jsonl", &["lab table lab", "lab run e.toml -o lab", "lab plot lab"]),
    ("e.toml", &["lab plan F"]),
    ("k/count-*", &["--json count three:10 --exactly 14 --work k"]),
    ("c/done.jsonl", &["--json colour 7^2 --count --work c"]),
    ("graph.col", &["info file:F", "prove file:F", "count file:F"]),
];

/// Folder with valid files of every kind.
pub(crate) struct Corpus(tempfile::TempDir);

impl Corpus {
    pub(crate) fn new(bench: &mut Bench) -> Self {
        bench.write("e.toml", EXPERIMENT);
        bench.write("graph.col", "c a path\np edge 5 4\ne 1 2\ne 2 3\ne 3 4\ne 4 5\n");
        for line in MAKE {
            bench.answers(line, 0, "");
        }
        let folder = tempfile::tempdir().expect("a folder");
        copy(&bench.path(""), folder.path());
        Self(folder)
    }

    /// Copies the files, and the folder of the file that a pattern matches.
    fn lay_out(&self, bench: &Bench, pattern: &str) {
        for entry in std::fs::read_dir(self.0.path()).expect("readable").flatten() {
            let (from, to) = (entry.path(), bench.path("").join(entry.file_name()));
            if from.is_file() {
                std::fs::copy(from, to).expect("writable");
            } else if pattern.split('/').next() == entry.file_name().to_str() {
                std::fs::create_dir_all(&to).expect("writable");
                copy(&from, &to);
            }
        }
    }
}

fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).expect("readable").flatten() {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            std::fs::create_dir_all(&to).expect("writable");
            copy(&from, &to);
        } else {
            std::fs::copy(&from, &to).expect("writable");
        }
    }
}

/// Returns a text with one to three random changes.
fn damaged(bench: &mut Bench, text: &[u8]) -> Vec<u8> {
    let random = &mut bench.random;
    let mut text = text.to_vec();
    for _ in 0..random.random_range(1..4) {
        let length = text.len();
        let place = random.random_range(0..=length);
        let end = (place + random.random_range(0..64)).min(length);
        match random.random_range(0..8) {
            0 if length > 0 => text[place.min(length - 1)] ^= 1 << random.random_range(0..8),
            1 => text.truncate(place),
            2 => drop(text.drain(place..end)),
            3 => drop(text.splice(end..end, text[place..end].to_vec()).collect::<Vec<_>>()),
            4 => drop(text.splice(place..place, *b"18446744073709551616").collect::<Vec<_>>()),
            5 => drop(text.splice(place..place, *b"-1").collect::<Vec<_>>()),
            6 => drop(text.splice(place..end, [0, 0xff, b'\n']).collect::<Vec<_>>()),
            // Replace a digit.
            _ => {
                if let Some(digit) = text[place..].iter_mut().find(|byte| byte.is_ascii_digit()) {
                    *digit = b'0' + random.random_range(0..10);
                }
            }
        }
    }
    text
}

/// Returns the name and the path of the file that a pattern matches.
fn named(bench: &Bench, pattern: &str) -> (String, PathBuf) {
    let name = match pattern.split_once('*') {
        None => pattern.to_owned(),
        Some((start, _)) => {
            let (folder, start) = start.split_once('/').expect("a folder");
            let names = bench.names(folder);
            let found = names.into_iter().filter(|name| name.starts_with(start)).min().expect(pattern);
            format!("{folder}/{found}")
        }
    };
    let path = bench.path(&name);
    (name, path)
}

pub(crate) fn attack(bench: &mut Bench, corpus: &Corpus) {
    for _ in 0..8 {
        let (pattern, readers) = bench.one(&READ);
        bench.empty();
        corpus.lay_out(bench, pattern);
        let (name, path) = named(bench, pattern);
        let right = std::fs::read(&path).expect("there");
        let wrong = damaged(bench, &right);
        let line = bench.one(readers).replace('F', &name);
        std::fs::write(&path, &wrong).expect("writable");
        bench.counts.damaged += 1;
        let ended = bench.run(&line);
        let lied = match (ended.code, &*line) {
            (0, line) if line.contains("--work k") => !ended.out.contains("[[1,71204],[2,155]]"),
            (0, line) if line.contains("--work c") => !ended.out.contains("\"colourings\":4,"),
            (0, line) if line.contains("--work w") => !ended.out.contains("alpha(4^3) = 7: proved"),
            (0, "prove join d") => !ended.out.contains("at most 13 queens fit on 5^3"),
            (0, line) if line.starts_with("check") => {
                // The damaged file may contain the name of another board, for which the bound is correct.
                let bound = ended.out.split("at most ").nth(1).filter(|_| ended.out.contains(" on 5^3"));
                let bound = bound.and_then(|rest| rest.split(' ').next()?.parse::<f64>().ok());
                bound.is_some_and(|bound| bound < 13.0)
            }
            _ => false,
        };
        if lied {
            let kept = tempfile::NamedTempFile::new().and_then(|file| file.keep().map_err(Into::into));
            let kept = kept.map(|(_, path)| path).unwrap_or_default();
            let _ = std::fs::write(&kept, &wrong);
            bench.fail(&format!("ndq {line} believes {}:\n{}{}", kept.display(), ended.out, ended.said));
        }
    }
}
