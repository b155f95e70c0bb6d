//! The table of conventions. A new convention needs a variant of [`Convention`], an entry here, a parser and
//! a writer.

use super::convention::Convention;
use super::signature::{ParseFn, WriteFn};
use super::{de_groot, flat, heights, native, picture, tuples};

/// An entry of the table of conventions.
pub(super) struct ConventionEntry {
    /// Convention that the entry describes.
    convention: Convention,
    /// Name of the convention on the command line.
    name: &'static str,
    /// Description of a square in the convention, in one line.
    description: &'static str,
    /// Number from which the convention counts, 0 or 1.
    pub(super) base: u64,
    /// Parser of the convention; conventions that differ only in the base share one.
    pub(super) parse: ParseFn,
    /// Writer of the convention.
    pub(super) write: WriteFn,
}

/// All conventions, in the order of the variants of [`Convention`].
static CONVENTIONS: [ConventionEntry; 9] = [
    ConventionEntry {
        convention: Convention::Native,
        name: "native",
        description: "a line of a certificate, or a letter in a drawing of the board",
        base: 0,
        parse: native::parse,
        write: native::write,
    },
    ConventionEntry {
        convention: Convention::Tuples0,
        name: "tuples",
        description: "its coordinates, counted from 0",
        base: 0,
        parse: tuples::parse,
        write: tuples::write,
    },
    ConventionEntry {
        convention: Convention::Tuples1,
        name: "tuples1",
        description: "its coordinates, counted from 1",
        base: 1,
        parse: tuples::parse,
        write: tuples::write,
    },
    ConventionEntry {
        convention: Convention::Flat0,
        name: "flat",
        description: "its number in lexicographic order, counted from 0",
        base: 0,
        parse: flat::parse,
        write: flat::write,
    },
    ConventionEntry {
        convention: Convention::Flat1,
        name: "flat1",
        description: "its number in lexicographic order, counted from 1",
        base: 1,
        parse: flat::parse,
        write: flat::write,
    },
    ConventionEntry {
        convention: Convention::DeGroot,
        name: "degroot",
        description: "de Groot's number of it, counted from 1, on hex:n and three:n",
        base: 1,
        parse: de_groot::parse,
        write: de_groot::write,
    },
    ConventionEntry {
        convention: Convention::Heights0,
        name: "heights",
        description: "its last coordinate, counted from 0, in the cell that the others give",
        base: 0,
        parse: heights::parse,
        write: heights::write,
    },
    ConventionEntry {
        convention: Convention::Heights1,
        name: "heights1",
        description: "its last coordinate, counted from 1, in the cell that the others give",
        base: 1,
        parse: heights::parse,
        write: heights::write,
    },
    ConventionEntry {
        convention: Convention::Picture,
        name: "picture",
        description: "a sign in a drawing of the board",
        base: 0,
        parse: picture::parse,
        write: picture::write,
    },
];

// `Convention::entry` indexes the table by the variant.
const _: () = {
    let mut at = 0;
    while at < CONVENTIONS.len() {
        assert!(CONVENTIONS[at].convention as usize == at, "the table has the order of the variants");
        at += 1;
    }
};

impl Convention {
    /// All conventions, in the order of the table.
    pub const ALL: [Self; CONVENTIONS.len()] = {
        let mut all = [Self::Native; CONVENTIONS.len()];
        let mut at = 0;
        while at < all.len() {
            all[at] = CONVENTIONS[at].convention;
            at += 1;
        }
        all
    };

    /// Returns the entry of the convention in the table.
    pub(super) fn entry(self) -> &'static ConventionEntry {
        &CONVENTIONS[self as usize]
    }

    /// Returns the name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// Returns a description of a square in the convention, in one line.
    ///
    /// # Examples
    /// ```
    /// use ndqueens_model::import::Convention;
    ///
    /// assert_eq!(Convention::Flat1.description(), "its number in lexicographic order, counted from 1");
    /// ```
    #[must_use]
    pub fn description(self) -> &'static str {
        self.entry().description
    }

    /// Returns `true` for the convention that ndq writes itself.
    #[must_use]
    pub fn is_native(self) -> bool {
        self == Self::Native
    }

    /// Returns the number from which the convention counts, 0 or 1.
    #[must_use]
    pub fn base(self) -> u64 {
        self.entry().base
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_and_descriptions_are_distinct() {
        let names: HashSet<&str> = Convention::ALL.map(Convention::name).into();
        let descriptions: HashSet<&str> = Convention::ALL.map(Convention::description).into();
        assert_eq!((names.len(), descriptions.len()), (CONVENTIONS.len(), CONVENTIONS.len()));
    }
}
