//! Fuzz targets: functions that give a text to a parser and check properties of the result.
//!
//! A target returns `true` if the parser accepted the text, and panics if a property does not hold. The
//! programs in `fuzz_targets/` run one target each under cargo-fuzz; the example `fuzz` runs all of them with
//! a stable toolchain. Both mutate the texts of [`Target::seeds`] with [`mutation::mutated`].
//!
//! | target | properties |
//! | --- | --- |
//! | `name` | a name is printed and read back; on small boards, model and crosscheck have the same squares and attacks |
//! | `graph` | the same for drawings and graphs; a graph that is written as DIMACS is read back |
//! | `certificate`, `colouring`, `solutions` | a file is printed and read back; an accepted one is true on small boards |
//! | `squares` | squares that are written in a convention are read back |
//! | `proof` | accepted bounds and counts are true on small boards; the check of trees apart gives the same result |
//! | `bound`, `vipr` | accepted bounds are true on small boards |
//! | `opb`, `cnf` | an accepted formula is that of its board |
//! | `heading` | columns are read in an order that is a permutation |
//! | `formulation` | rows hold for all independent sets of small boards |
//! | `ledger` | rows of CSV files are written and read back |
//! | `sudoku` | a puzzle is printed and read back; solutions contain the clues |
//! | `solution-file` | a solution has a value for each column |
//! | `experiment`, `cliquer` | no panic |
//!
//! In all targets, an error is a sentence without control characters.

#![forbid(unsafe_code)]

pub mod corpus;
pub mod mutation;
mod sentence;
pub mod targets;
mod truth;

/// A parser with properties of its results.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Name of the target.
    pub name: &'static str,
    /// Returns the texts that are mutated.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Checks a text, and returns `true` if the parser accepted it.
    pub check: fn(&[u8]) -> bool,
}

impl Target {
    /// Returns the target with a name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        targets::ALL.iter().find(|target| target.name == name)
    }
}

/// Defines the entry points of libFuzzer for a function of [`targets`].
#[cfg(feature = "libfuzzer")]
#[macro_export]
macro_rules! run_with_libfuzzer {
    ($target:ident) => {
        libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
            // libFuzzer's own edits insert pieces of comparisons that the parser made.
            if seed % 2 == 0 {
                return libfuzzer_sys::fuzzer_mutate(data, size, max_size);
            }
            $crate::mutation::mutate_in_place(data, size, max_size, seed)
        });

        libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
            $crate::targets::$target(bytes);
        });
    };
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn each_target_accepts_a_seed() {
        for target in targets::ALL {
            let accepted = (target.seeds)().iter().filter(|seed| (target.check)(seed)).count();
            assert!(accepted > 0, "{}", target.name);
        }
    }

    #[test]
    fn each_target_has_a_program() {
        let manifest = fs::read_to_string(corpus::root().join("fuzz/Cargo.toml")).expect("a manifest");
        let mut named: Vec<String> = Vec::new();
        for program in manifest.split("[[bin]]").skip(1) {
            let value = |key: &str| {
                let line = program.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = \""));
                line.expect(key).trim_end_matches('"').to_owned()
            };
            let (name, path) = (value("name"), value("path"));
            let text = fs::read_to_string(corpus::root().join("fuzz").join(&path)).expect("a program");
            assert!(text.contains(&format!("run_with_libfuzzer!({})", name.replace('-', "_"))), "{path}");
            if Target::named(&name).is_none() {
                assert!(program.contains("\"highs\"") && cfg!(not(feature = "highs")), "{name}");
            }
            named.push(name);
        }
        for target in targets::ALL {
            assert!(named.iter().any(|name| name == target.name), "{}", target.name);
        }
        let programs = fs::read_dir(corpus::root().join("fuzz/fuzz_targets")).expect("a folder").count();
        assert_eq!(programs, named.len());
    }
}
