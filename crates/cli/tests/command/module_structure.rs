//! Checks the rule of docs/architecture.md that neighbouring modules import each other in one direction.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Path of a module from the root of its crate.
type Module = Vec<String>;

fn crates() -> Vec<PathBuf> {
    let all = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).expect("a readable folder");
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let all = all.map(|entry| entry.expect("a readable entry").path()).chain([fuzz]);
    all.filter(|folder| folder.join("Cargo.toml").is_file()).collect()
}

/// Returns the Rust files in a folder, keyed by module.
fn modules(folder: &Path, place: &Module) -> BTreeMap<Module, PathBuf> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let here = || place.iter().cloned().chain([stem.clone()]).collect();
        let is_root = ["lib", "main", "mod"].contains(&&*stem);
        if path.is_dir() {
            found.extend(modules(&path, &here()));
        } else if path.extension().is_some_and(|extension| extension == "rs") && stem != "tests" {
            found.insert(if is_root { place.clone() } else { here() }, path);
        }
    }
    found
}

/// Returns a source file without its tests.
fn code(path: &Path) -> String {
    let source = fs::read_to_string(path).expect("a text");
    source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default().to_owned()
}

/// Splits a source into names, `::` and single characters, without comments.
fn tokens(source: &str) -> Vec<&str> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut tokens = Vec::new();
    for line in source.lines() {
        let mut rest = line.split("//").next().unwrap_or_default().trim_start();
        while let Some(first) = rest.chars().next() {
            let length = match first {
                _ if is_name(first) => rest.find(|c| !is_name(c)).unwrap_or(rest.len()),
                ':' if rest.starts_with("::") => 2,
                sign => sign.len_utf8(),
            };
            tokens.push(&rest[..length]);
            rest = rest[length..].trim_start();
        }
    }
    tokens
}

/// Adds the paths that begin at token `at`, including all paths of a group in braces. Returns
/// the index after them.
fn tree<'s>(tokens: &[&'s str], mut at: usize, begun: &[&'s str], paths: &mut Vec<Vec<&'s str>>) -> usize {
    let mut path = begun.to_vec();
    while let Some(&token) = tokens.get(at) {
        if token == "{" {
            at += 1;
            while tokens.get(at).is_some_and(|&token| token != "}") {
                at = tree(tokens, at, &path, paths);
            }
            return at + 1;
        }
        path.push(token);
        at += 1;
        if tokens.get(at) != Some(&"::") {
            break;
        }
        at += 1;
    }
    paths.push(path);
    at
}

fn paths(source: &str) -> Vec<Vec<&str>> {
    let tokens = tokens(source);
    let (mut paths, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        at = if tokens.get(at + 1) == Some(&"::") { tree(&tokens, at, &[], &mut paths) } else { at + 1 };
    }
    paths
}

/// Returns the module that a path refers to.
fn target(modules: &BTreeMap<Module, PathBuf>, from: &Module, path: &[&str]) -> Option<Module> {
    let supers = path.iter().take_while(|&&part| part == "super").count();
    let (base, rest) = match path {
        ["crate", rest @ ..] => (&[][..], rest),
        ["self", rest @ ..] => (&from[..], rest),
        ["super", ..] => (&from[..from.len().checked_sub(supers)?], &path[supers..]),
        [child, ..] => {
            let own = from.iter().map(String::as_str).chain([*child]).map(str::to_owned).collect();
            modules.contains_key::<Module>(&own).then_some((&from[..], path))?
        }
        [] => return None,
    };
    let mut there = base.to_vec();
    for part in rest {
        there.push((*part).to_owned());
        if !modules.contains_key(&there) {
            there.pop();
            break;
        }
    }
    Some(there)
}

/// Returns the modules that take part in an import cycle among neighbouring modules, each
/// with its submodules.
fn circles(modules: &BTreeMap<Module, PathBuf>) -> Vec<String> {
    let mut arrows: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
    for (from, path) in modules {
        let source = code(path);
        for to in paths(&source).iter().filter_map(|path| target(modules, from, path)) {
            let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
            // A submodule counts as the module next to its neighbours.
            if common < from.len().min(to.len()) {
                arrows.entry(from[..=common].to_vec()).or_default().insert(to[..=common].to_vec());
            }
        }
    }
    let leads_back = |start: &Module| {
        let (mut met, mut new) = (BTreeSet::new(), vec![start]);
        while let Some(to) = new.pop() {
            new.extend(arrows.get(to).into_iter().flatten().filter(|&next| met.insert(next)));
        }
        met.contains(start)
    };
    arrows.keys().filter(|module| leads_back(module)).map(|module| module.join("::")).collect()
}

#[test]
fn modules_beside_each_other_import_in_one_direction() {
    for folder in crates() {
        let modules = modules(&folder.join("src"), &Vec::new());
        assert!(!modules.is_empty(), "{}", folder.display());
        let circles = circles(&modules);
        assert!(circles.is_empty(), "{}: {circles:?}", folder.display());
    }
}

#[test]
fn circles_are_seen() {
    let desk = crate::harness::Desk::new();
    for (first, second, is_circle) in [
        ("use super::b::{X, Y};", "fn f() { crate::a::g() }", true),
        ("use crate::{b::X, z};", "use super::super::a::b::{c::D};", false),
        ("use super::b::X;", "use super::{z, a::{self, Y}};", true),
        ("use super::b::X;", "// super::a\nuse super::z;", false),
        ("use super::b::X;", "#[cfg(test)]\nmod tests { use super::super::a; }", false),
    ] {
        desk.write("lib.rs", "use a::X; use b::Y;");
        desk.write("a.rs", first);
        desk.write("b.rs", second);
        let found = circles(&modules(&desk.path(""), &Vec::new()));
        assert_eq!(found == ["a", "b"], is_circle, "{first} {second}: {found:?}");
    }
}
