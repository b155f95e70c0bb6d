//! Where a long tree may be cut, so that two threads check it: at a node of its root, before which only squares and their images were
//! taken away.
//!
//! A joint is a guess, from the lines alone, of what is free at a node further down. Nothing rests on its being right: what follows is checked
//! with the squares that it names, and counts only where the check of what comes before is at the same line with the same squares
//! free and no queen placed.

use std::collections::HashMap;

use fixedbitset::FixedBitSet;

use super::order::Squares;
use super::symmetry;
use crate::reader;

/// A node at the root of a tree.
pub(super) struct Joint {
    /// The first node of the tree, and this one.
    pub(super) root: Place,
    pub(super) place: Place,
    /// The squares that are free there.
    pub(super) free: FixedBitSet,
    /// The images of all squares under the symmetries that took squares away.
    pub(super) symmetries: HashMap<String, Vec<usize>>,
}

/// The line of a node, counted from 1, and where that begins in the text of the tree, in bytes.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) line: u64,
    pub(super) offset: usize,
}

/// Shorter trees, in bytes, are not worth a cut.
pub(super) const SHORT: usize = 1 << 15;

impl Joint {
    /// The node that looks as if it were at the root and lies next to the middle of a tree. So many lines stand before its text,
    /// and its first node is in that line. `None` where a joint would leave a thread little to do.
    pub(super) fn find(text: &[u8], (lines_before, first): (u64, u64), squares: &Squares) -> Option<Self> {
        let from_middle = |place: Place| place.offset.abs_diff(text.len() / 2);
        let mut symmetries = HashMap::new();
        let mut free = squares.all();
        let mut root = None;
        let mut best: Option<(Place, FixedBitSet)> = None;
        let mut orbit = Vec::<usize>::new();
        let mut end = Place { line: lines_before + 1, offset: 0 };
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            let place = end;
            end = Place { line: place.line + 1, offset: place.offset + line.len() };
            if best.as_ref().is_some_and(|(best, _)| from_middle(place) > from_middle(*best)) {
                break;
            }
            if place.line < first {
                continue;
            }
            let Some(node) = line.strip_prefix(b"orbit ") else {
                root?;
                continue;
            };
            let mut words = str::from_utf8(node).ok()?.trim_end().split(' ');
            let square = words.next().and_then(reader::number).and_then(|number| squares.place(number))?;
            let mut images = vec![square];
            // Below a queen its square stays where it is.
            let mut is_below = root.is_some();
            for word in words {
                if !symmetries.contains_key(word) {
                    symmetries.insert(word.to_owned(), symmetry::images(word, squares).ok()?);
                }
                let symmetry = &symmetries[word];
                images.push(symmetry[square]);
                is_below &= orbit.first().is_some_and(|&queen| symmetry[queen] == queen);
            }
            if is_below {
                continue;
            }
            orbit.into_iter().for_each(|square| free.set(square, false));
            orbit = images;
            if root.is_none() {
                root = Some(place);
            } else {
                best = Some((place, free.clone()));
            }
        }
        let (place, free) = best.filter(|(place, _)| from_middle(*place) <= text.len() / 4)?;
        Some(Self { root: root?, place, free, symmetries })
    }
}
