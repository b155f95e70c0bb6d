//! Forgeries of proofs in parts and of work folders.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::Path;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use ndqueens_workflow::split::Manifest;
use sha2::{Digest as _, Sha256};

use crate::{Forgery, all_refused, made};

/// Returns the files of a finished split.
fn files(folder: &Path) -> Vec<(&'static str, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_file() {
            let name = path.file_name().and_then(|name| name.to_str()).expect("text");
            // The name is leaked because it must be valid until the test ends.
            let name: &'static str = Box::leak(format!("d/{name}").into_boxed_str());
            files.push((name, fs::read(&path).expect("readable")));
        }
    }
    files.sort();
    files
}

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unpacked(bytes: &[u8]) -> String {
    let mut text = String::new();
    GzDecoder::new(bytes).read_to_string(&mut text).expect("packed");
    text
}

fn packed(text: &str) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(text.as_bytes()).expect("in memory");
    packer.finish().expect("in memory")
}

#[test]
fn parts_and_joins() {
    let folder = tempfile::tempdir().expect("a folder");
    made(folder.path(), "prove split 4^3 --at-least 8 --parts 4 -o d");
    made(folder.path(), "prove run d --all");
    made(folder.path(), "prove join d");
    let files = files(&folder.path().join("d"));
    let part = "d/part-0.proof.gz";
    let text = |name: &str| files.iter().find(|(file, _)| *file == name).expect(name).1.clone();
    let mut forgeries = Vec::new();
    let forged = |changes: &[(&'static str, Vec<u8>)], says: &str| {
        let mut files = files.clone();
        for (name, bytes) in changes {
            files.iter_mut().find(|(file, _)| file == name).expect(name).1.clone_from(bytes);
        }
        let arguments = ["prove", "join", "d"].map(str::to_owned).to_vec();
        Forgery { files, arguments, says: says.to_owned() }
    };
    // Manifests with a correct digest, and parts with this digest.
    let manifest = || -> Manifest { serde_json::from_slice(&text("d/split.json")).expect("a manifest") };
    let with = |mut manifest: Manifest| -> Vec<(&'static str, Vec<u8>)> {
        let old = manifest.digest.clone();
        manifest.digest = digest(&serde_json::to_vec(&manifest.definition).expect("plain data"));
        let parts = files.iter().filter(|(name, _)| name.starts_with("d/part-"));
        let renamed =
            parts.map(|(name, bytes)| (*name, sealed(&unsealed(bytes).replace(&old, &manifest.digest))));
        let mut changes: Vec<_> = renamed.collect();
        changes.push(("d/split.json", serde_json::to_vec(&manifest).expect("plain data")));
        changes
    };
    let mut fewer = manifest();
    fewer.definition.parts -= 1;
    fewer.weights.pop();
    let mut changes = with(fewer.clone());
    let last = format!("d/part-{}.proof.gz", fewer.definition.parts);
    changes.retain(|(name, _)| *name != last);
    let mut without = forged(&changes, "but its tree is cut into");
    without.files.retain(|(name, _)| *name != last);
    forgeries.push(without);
    let mut none = manifest();
    none.definition.parts = 0;
    none.weights.clear();
    forgeries.push(forged(&with(none), "part"));
    let mut more = manifest();
    more.definition.parts += 1;
    more.weights.push(0.0);
    forgeries.push(forged(&with(more), "missing"));
    let mut less = manifest();
    less.definition.at_least = 7;
    forgeries.push(forged(&with(less), ""));
    let mut other = manifest();
    other.definition.board = "3x4x4".parse().expect("a board");
    forgeries.push(forged(&with(other), ""));
    let manifest_text = String::from_utf8(text("d/split.json")).expect("text");
    for (old, new) in
        [("\"at_least\": 8", "\"at_least\": 7"), ("4^3", "3^3"), ("\"parts\": ", "\"parts\": 1")]
    {
        assert!(manifest_text.contains(old), "{manifest_text}");
        forgeries.push(forged(&[("d/split.json", manifest_text.replacen(old, new, 1).into())], "split.json"));
    }
    forgeries.push(forged(&[("d/split.json", b"{}".to_vec())], "not the manifest of a split"));
    forgeries.push(forged(&[("d/split.json", Vec::new())], "not the manifest of a split"));
    // Edited parts.
    let (raw, whole) = (unpacked(&text(part)), unsealed(&text(part)));
    let (head, rest) = whole.split_once('\n').expect("lines");
    let (cut_off, other) = ("its last line is not its digest", "do not match its digest");
    for (changed, says) in [
        (sealed(""), "is not a part of this split"),
        (packed(&format!("{head}\n")), cut_off),
        (packed(&whole), cut_off),
        (packed(&format!("{raw}{raw}")), other),
        (packed(&format!("{raw}\n")), other),
        (packed(&raw.replacen(rest, "x 0\n", 1)), other),
        (sealed(&format!("{head}\n")), ""),
        (sealed(&format!("{head}\nx 0\n")), ""),
        (sealed(&format!("{head}\n{rest}{rest}")), ""),
        (sealed(&whole.replacen("part 0 of", "part 1 of", 1)), "under a name that is not its own"),
        (sealed(&whole.replacen("ndqueens part", "ndqueens parts", 1)), "part-0"),
    ] {
        forgeries.push(forged(&[(part, changed)], says));
    }
    let bytes = text(part);
    forgeries.push(forged(&[(part, bytes[..bytes.len() - 3].to_vec())], "part-0"));
    forgeries.push(forged(&[(part, [&bytes[..], &bytes].concat())], "part-0"));
    forgeries.push(forged(&[("d/top.tree.gz", sealed("part 0\n"))], "is not the top of this split"));
    forgeries.push(forged(&[("d/top.tree.gz", packed("part 0\n"))], cut_off));
    forgeries.push(forged(&[("d/top.tree.gz", Vec::new())], cut_off));
    forgeries.push(forged(&[("d/boxes.proof.gz", packed(""))], cut_off));
    forgeries.push(forged(&[("d/boxes.proof.gz", sealed(""))], ""));
    all_refused("parts and joins", 20, &forgeries);
}

/// Returns a compressed text with its digest, which is the form of files in a folder of parts.
fn sealed(text: &str) -> Vec<u8> {
    packed(&format!("{text}sha256 {}\n", digest(text.as_bytes())))
}

fn unsealed(bytes: &[u8]) -> String {
    let text = unpacked(bytes);
    let (body, _) = text.trim_end().rsplit_once('\n').expect("lines");
    format!("{body}\n")
}

/// Checks that damaged trees of boxes in a work folder do not lead to a wrong answer.
#[test]
fn work_folders() {
    let folder = tempfile::tempdir().expect("a folder");
    made(folder.path(), "prove 4^3 --work d");
    let work = folder.path().join("d");
    let mut stack = vec![work.clone()];
    let mut names = Vec::new();
    while let Some(folder) = stack.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() { stack.push(path) } else { names.push(path) }
        }
    }
    for path in names {
        let bytes = fs::read(&path).expect("readable");
        for changed in [
            Vec::new(),
            packed("x 0\n"),
            sealed("x 0\n"),
            bytes[..bytes.len() / 2].to_vec(),
            [&bytes[..], &bytes].concat(),
        ] {
            fs::write(&path, changed).expect("writable");
            let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("ndq"));
            let output = command.current_dir(folder.path()).args(["prove", "4^3", "--work", "d"]).output();
            let output = output.expect("it runs");
            let said = String::from_utf8_lossy(&output.stdout);
            let right = output.status.success() && said.contains("alpha(4^3) = 7: proved");
            assert!(right || matches!(output.status.code(), Some(2 | 4)), "{}: {said}", path.display());
        }
        fs::write(&path, bytes).expect("writable");
    }
}
