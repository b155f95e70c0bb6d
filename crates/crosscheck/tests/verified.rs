//! Tests that the verified checker of `rocq/` and the checker of this crate accept the same proofs and bounds
//! and reject the same ones at the same line: test vectors, and thousands of mutated proofs and bounds.
//! `scripts/setup --verified` builds the program; `NDQ_MUTANTS` sets the number of mutants.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use ndqueens_crosscheck::bound::{self, BoundError};
use ndqueens_crosscheck::fault::FaultKind;
use ndqueens_crosscheck::proof::{ProofError, SolutionCount, check};
use ndqueens_crosscheck::verify::verify;
use ndqueens_notation::certificate::Certificate;
use ndqueens_notation::name::{BoardName, Piece};
use rand::rngs::ChaCha8Rng;
use rand::{Rng, RngExt as _, SeedableRng};

/// Verdict of a checker: the board, the result and the bounds on which it depends, or the line that is
/// rejected.
#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    Accepted(BoardName, Shown, BTreeMap<BoardName, u64>),
    Refused(u64, String),
}

/// Result of a file: a bound, or the number of sets of a size and whether larger sets are excluded.
#[derive(Debug, PartialEq, Eq)]
enum Shown {
    AtMost(u64),
    AtLeast(u64),
    Count { size: u64, sets: u64, no_more_fit: bool },
}

/// Returns the kind of a file in the words of the verified checker.
fn kind(text: &[u8]) -> &'static str {
    if text.starts_with(b"ndqueens bound") {
        "bound"
    } else if String::from_utf8_lossy(text).contains("ndqueens certificate") {
        "certificate"
    } else {
        "proof"
    }
}

fn verified_verdict(proof: &[u8]) -> Verdict {
    let mut checker = Command::new("ndqueens-verified")
        .arg(kind(proof))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("ndqueens-verified on the path");
    // Writing fails if the checker rejects the file early.
    let _ = checker.stdin.take().expect("a pipe").write_all(proof);
    let output = checker.wait_with_output().expect("its words");
    let said = String::from_utf8(output.stdout).expect("text");
    let words: Vec<&str> = said.split([' ', ':', ';', '\n']).filter(|word| !word.is_empty()).collect();
    let read = |number: &str| number.parse().expect("a number");
    let (shown, on) = match (output.status.code(), words.as_slice()) {
        (Some(0), ["accepted", "at", "most", bound, "on", on @ ..]) => (Shown::AtMost(read(bound)), on),
        (Some(0), ["accepted", "exactly", sets, "sets", "of", size, "on", on @ ..]) => {
            let no_more_fit = said.lines().next().is_some_and(|verdict| verdict.ends_with("; no more fit"));
            (Shown::Count { size: read(size), sets: read(sets), no_more_fit }, on)
        }
        (Some(0), ["accepted", "at", "least", size, "on", on @ ..]) => (Shown::AtLeast(read(size)), on),
        (Some(1), ["refused", "line", line, ..]) | (Some(3), ["not", "checked", "line", line, ..]) => {
            return Verdict::Refused(read(line), said.trim().to_owned());
        }
        _ => panic!("{said} {:?}", output.status),
    };
    let [piece, sides, ..] = on else { panic!("{said}") };
    let piece = Piece::ALL.into_iter().find(|one| one.word() == *piece).expect("a piece");
    let board = |sides: &str| {
        let sides: Vec<u32> = sides.split('x').map(|side| side.parse().expect("a side")).collect();
        BoardName::grid(piece, false, &sides)
    };
    let needs = said.lines().filter_map(|line| line.strip_prefix("needs ")?.split_once(' '));
    let needs = needs.map(|(sides, most)| (board(sides), read(most))).collect();
    Verdict::Accepted(board(sides), shown, needs)
}

fn crate_verdict(proof: &[u8]) -> Verdict {
    if kind(proof) == "certificate" {
        let certificate = str::from_utf8(proof).expect("UTF-8").parse::<Certificate>();
        // Faults come from the reader or from the verifier, so no line is compared.
        return match certificate.map_err(|fault| fault.to_string()).and_then(|certificate| {
            verify(&certificate).map(|_| certificate).map_err(|fault| fault.to_string())
        }) {
            Ok(certificate) => {
                let at_least = Shown::AtLeast(certificate.size() as u64);
                Verdict::Accepted(certificate.board, at_least, BTreeMap::new())
            }
            Err(fault) => Verdict::Refused(0, fault),
        };
    }
    if kind(proof) == "bound" {
        return match bound::check(proof) {
            Ok(shown) => {
                let at_most = Shown::AtMost(shown.at_most());
                Verdict::Accepted(shown.board().clone(), at_most, shown.needs().clone())
            }
            Err(BoundError::Line(fault)) => Verdict::Refused(fault.line, fault.text),
            Err(other) => Verdict::Refused(0, other.to_string()),
        };
    }
    match check(proof, &|name| name.parse()) {
        Ok(proved) => {
            let shown = match (proved.count(), proved.at_most()) {
                (Some(SolutionCount { size, sets, no_more_fit }), _) => {
                    Shown::Count { size, sets, no_more_fit }
                }
                (None, Some(most)) => Shown::AtMost(most),
                (None, None) => panic!("it shows nothing:\n{}", String::from_utf8_lossy(proof)),
            };
            Verdict::Accepted(proved.board().clone(), shown, BTreeMap::new())
        }
        Err(ProofError::Step(fault)) => Verdict::Refused(fault.line, fault.text),
        Err(other) => Verdict::Refused(0, other.to_string()),
    }
}

/// Returns `true` if this crate does not check a file because it is beyond a limit of its format.
fn reaches_limit(file: &[u8]) -> bool {
    match kind(file) {
        "bound" => bound::check(file).is_err_and(|fault| fault.kind() == FaultKind::Limit),
        "proof" => check(file, &|name| name.parse()).is_err_and(|fault| fault.kind() == FaultKind::Limit),
        _ => false,
    }
}

/// Returns `true` if only this crate supports the file: its board is not a plain box, or it has bytes that
/// are not ASCII.
fn is_unsupported(proof: &[u8]) -> bool {
    let board = proof.split(|&byte| byte == b'\n').nth(1).unwrap_or_default();
    let name = str::from_utf8(board).ok().and_then(|line| line.strip_prefix("board "));
    let parsed = name.and_then(|name| name.parse::<BoardName>().ok());
    !matches!(parsed, None | Some(BoardName::Grid { torus: false, .. })) || !proof.is_ascii()
}

fn assert_agreement(proof: &[u8], what: &str) {
    let (ours, theirs) = (crate_verdict(proof), verified_verdict(proof));
    let same = match (&ours, &theirs) {
        (Verdict::Refused(ours, _), Verdict::Refused(theirs, _)) => {
            // Faults of certificates, and of boards that are too large, have no line.
            ours == theirs || *ours == 0 || is_unsupported(proof)
        }
        (Verdict::Accepted(..), Verdict::Refused(..)) => is_unsupported(proof),
        (ours, theirs) => ours == theirs,
    };
    assert!(same, "{what}: {ours:?}, but {theirs:?}:\n{}", String::from_utf8_lossy(proof));
}

fn vectors() -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors");
    let files = ["accepted", "refused"].into_iter().flat_map(|verdict| {
        let entries = fs::read_dir(folder.join(verdict)).expect("a folder");
        entries.map(|entry| entry.expect("an entry").path())
    });
    let mut files: Vec<PathBuf> = files.collect();
    files.sort();
    files.into_iter().map(|path| (path.clone(), fs::read(path).expect("a vector"))).collect()
}

/// Changes a byte, a number, a word or a line.
fn mutate(proof: &[u8], random: &mut impl Rng) -> Vec<u8> {
    let mut bytes = proof.to_vec();
    let place = random.random_range(0..bytes.len());
    match random.random_range(0..6) {
        0 => bytes[place] = *b"0123456789 -,/*x\nabAB+.".get(random.random_range(0..23)).expect("one of 23"),
        1 => drop(bytes.remove(place)),
        2 => bytes.insert(place, bytes[random.random_range(0..bytes.len())]),
        3 => {
            // Change a digit by one.
            let digits: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at].is_ascii_digit()).collect();
            let at = digits[random.random_range(0..digits.len())];
            bytes[at] = b'0' + (bytes[at] - b'0' + if random.random() { 1 } else { 9 }) % 10;
        }
        4 => {
            // Exchange two lines, or repeat one.
            let mut lines: Vec<&[u8]> = proof.split_inclusive(|&byte| byte == b'\n').collect();
            let (i, j) = (random.random_range(0..lines.len()), random.random_range(0..lines.len()));
            if random.random() {
                lines.swap(i, j);
            } else {
                lines.insert(i, lines[j]);
            }
            bytes = lines.concat();
        }
        _ => {
            // Replace a word by another.
            let text = String::from_utf8_lossy(proof).into_owned();
            let mut words: Vec<&str> = text.split_inclusive([' ', '\n']).collect();
            let (i, j) = (random.random_range(0..words.len()), random.random_range(0..words.len()));
            words[i] = words[j];
            bytes = words.concat().into_bytes();
        }
    }
    bytes
}

#[test]
#[ignore = "needs ndqueens-verified, which scripts/setup --verified builds"]
fn verified_checker_agrees_on_vectors() {
    let mut beyond = 0;
    for (path, proof) in vectors() {
        assert_agreement(&proof, &path.display().to_string());
        beyond += u64::from(is_unsupported(&proof));
        if let Verdict::Refused(_, words) = verified_verdict(&proof)
            && !is_unsupported(&proof)
        {
            assert_eq!(
                words.starts_with("not checked"),
                reaches_limit(&proof),
                "{}: {words}",
                path.display()
            );
        }
    }
    assert!(beyond < 20, "{beyond} vectors are of boards that it does not know");
}

fn mutants() -> u64 {
    env::var("NDQ_MUTANTS").map_or(2000, |number| number.parse().expect("NDQ_MUTANTS is a number"))
}

/// Asserts that both checkers agree on `mutants` texts with one or two changes, some of which are accepted.
fn assert_agreement_on_mutants(plain: &[(String, Vec<u8>)], mutants: u64) {
    let mut random = ChaCha8Rng::seed_from_u64(mutants);
    let mut accepted = 0;
    for number in 0..mutants {
        let (name, text) = &plain[random.random_range(0..plain.len())];
        let mut mutant = mutate(text, &mut random);
        if random.random() {
            mutant = mutate(&mutant, &mut random);
        }
        assert_agreement(&mutant, &format!("mutant {number} of {name}"));
        accepted += u64::from(matches!(crate_verdict(&mutant), Verdict::Accepted(..)));
    }
    // Few accepted mutants would mean that the changes are too coarse.
    assert!(accepted > mutants / 100, "{accepted} of {mutants} mutants are accepted");
}

#[test]
#[ignore = "needs ndqueens-verified, which scripts/setup --verified builds"]
fn verified_checker_agrees_on_mutants() {
    let plain = |(path, proof): &(PathBuf, Vec<u8>)| {
        path.components().any(|part| part.as_os_str() == "accepted")
            && kind(proof) == "proof"
            && !is_unsupported(proof)
    };
    let plain = vectors().into_iter().filter(plain);
    let plain: Vec<_> = plain.map(|(path, proof)| (path.display().to_string(), proof)).collect();
    assert_agreement_on_mutants(&plain, mutants());
}

/// Bounds of boxes, cubes, rooks and bishops that depend on other bounds and use every kind of line.
const BOUNDS: [&str; 9] = [
    "ndqueens bound 1\nboard 3^2\nclique 2 0,0 0,1 0,2\nclique 1/2 1,0 1,1 1,2\nclique 1/2 0,1 1,1 2,1\nat most 3\nend\n",
    "ndqueens bound 1\nboard 4^3\nneeds 2x4x4 4\nbox 2 4 0,0,0 2x4x4 1\nat most 8\nend\n",
    "ndqueens bound 1\nboard 4^3\nneeds 4x2x4 3\nbox 2 3 0,0,0 4x2x4 1\nat most 6\nend\n",
    "ndqueens bound 1\nboard 4^4\nneeds 3^4 6\nneeds 2^3 1\nbox 16 6 0,0,0,0 3x3x3x3 1\nat most 96\nend\n",
    "ndqueens bound 1\nboard 5x5\nneeds 3^2 2\nbox 1 2 0,0 3x3 2\nbox 1 2 1,1 3x3 1\nbox 4 2 0,0 3x3 1\nat most 12\nend\n",
    "ndqueens bound 1\nboard 2x3\nclique 1 0,0 0,1 1,0 1,1\nclique 1 0,2 1,2\nat most 2\nend\n",
    "ndqueens bound 1\nboard rook:2x3x3\nneeds rook:3x3 2\nbox 2 2 0,0,0 1x3x3 1\nclique 1/7 1,1,0 1,1,1 1,1,2\nat most 4\nend\n",
    "ndqueens bound 1\nboard bishop:4x4\nclique 4 0,0 1,1 2,2 3,3\nclique 4 0,1 1,2 2,3\nbox 2 2 0,2 1x2 1\nat most 12\nend\n",
    "ndqueens bound 1\nboard 1x2x4\nneeds 1x1 0\nclique 2 0,0,0 0,0,1 0,1,0 0,1,1\nbox 0 0 0,0,0 1x1x1 5\nclique 0\nat most 2\nend\n",
];

#[test]
#[ignore = "needs ndqueens-verified, which scripts/setup --verified builds"]
fn verified_checker_agrees_on_bounds() {
    let mut texts = BOUNDS.map(|text| ("a bound".to_owned(), text.as_bytes().to_vec())).to_vec();
    // About half of the texts have cases, because these have the most rules.
    texts.extend(vec![("cases".to_owned(), include_bytes!("data/cases.bound").to_vec()); 12]);
    for name in ["board", "cycle", "rooks", "split", "all-kinds"] {
        let path = format!("{}/tests/vectors/accepted/weighted-{name}.bound", env!("CARGO_MANIFEST_DIR"));
        texts.extend(vec![(name.to_owned(), fs::read(path).expect("a vector")); 2]);
    }
    // A bound of 5^5 whose cases split.
    texts.push(("split cases".to_owned(), include_bytes!("data/split-cases.bound").to_vec()));
    // Archived bounds with cliques, boxes and a needed bound; that of 9^4 also has a case, classes and volumes.
    for name in ["3^6", "9^4"] {
        let path = format!("{}/../../results/archive/ledger/{name}.bound", env!("CARGO_MANIFEST_DIR"));
        texts.push((name.to_owned(), fs::read(path).expect("a file of the archive")));
    }
    for (name, text) in &texts {
        assert_agreement(text, name);
        assert!(
            matches!(verified_verdict(text), Verdict::Accepted(..)),
            "{}: {:?}",
            String::from_utf8_lossy(text),
            verified_verdict(text)
        );
    }
    assert_agreement_on_mutants(&texts, mutants());
}
