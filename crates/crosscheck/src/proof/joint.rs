//! Where a long tree may be cut, so that two threads check it: at a case of its first case split, or at a node of its root, before which
//! only squares and their images were taken away.
//!
//! A joint is a guess, from the lines alone, of what holds further down: which case begins in a line, or what is free at a node. Nothing rests on
//! its being right. What follows is checked with what it says, and counts only where the check of what comes before is at the same
//! line with the same case to come, or with the same squares free and no queen placed.

use std::collections::HashMap;
use std::sync::Arc;

use fixedbitset::FixedBitSet;

use super::order::Squares;
use super::symmetry;
use crate::reader;

/// A place in a tree where its check may begin.
pub(super) struct Joint {
    /// Where the first line after the slabs begins in the text of the tree, in bytes.
    pub(super) root: usize,
    pub(super) place: Place,
    pub(super) begins: Begins,
}

/// What begins at a joint.
pub(super) enum Begins {
    /// A case of the first case split; so many are to come, this one included.
    Case(usize),
    /// A node of the root, where these squares are free.
    Node(FixedBitSet),
}

/// A line, counted from 1, and where it begins in the text of the tree, in bytes.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) line: u64,
    pub(super) offset: usize,
}

/// Shorter trees, in bytes, are not worth a cut.
pub(super) const SHORT: usize = 1 << 15;

/// As many images of squares are looked at to find a joint.
const MOST_IMAGES: usize = 1 << 20;

impl Joint {
    /// The joint next to the middle of what is left of a tree, as far as that can be seen. So many lines stand before its text, and its first line
    /// after the slabs is this one. `None` where a joint would leave a thread little to do, is not wanted any more, or takes long to find.
    pub(super) fn find(
        text: &[u8],
        left: usize,
        (lines_before, first): (u64, u64),
        squares: &Squares,
        go_on: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let places = text.split_inclusive(|&byte| byte == b'\n').scan(
            Place { line: lines_before + 1, offset: 0 },
            |next, line| {
                let place = *next;
                *next = Place { line: place.line + 1, offset: place.offset + line.len() };
                Some((place, line))
            },
        );
        let mut lines = places.skip_while(|(place, _)| place.line < first);
        let (Place { offset: root, .. }, line) = lines.next()?;
        let middle = text.len() - left / 2;
        let (place, begins) = if line.starts_with(b"layers ") {
            let (place, to_come) = case(line, lines, middle)?;
            (place, Begins::Case(to_come))
        } else {
            node(line, lines.take_while(|_| go_on()), middle, squares)?
        };
        (place.offset.abs_diff(middle) <= left / 4).then_some(Self { root, place, begins })
    }
}

/// The case that begins next to the middle, where each begins with parts of regions.
fn case<'t>(
    split: &[u8],
    lines: impl Iterator<Item = (Place, &'t [u8])>,
    middle: usize,
) -> Option<(Place, usize)> {
    let cases = split.windows(3).filter(|sign| sign == b" / ").count();
    let mut begins = Vec::new();
    let mut is_part = false;
    for (place, line) in lines {
        let was_part = std::mem::replace(&mut is_part, line.starts_with(b"part "));
        if is_part && !was_part {
            begins.push(place);
        }
    }
    if begins.len() != cases {
        return None;
    }
    let number = (0..cases).min_by_key(|&number| begins[number].offset.abs_diff(middle))?;
    Some((begins[number], cases - number))
}

/// The node that looks as if it were at the root and lies next to the middle, with what is free there.
fn node<'t>(
    first: &'t [u8],
    lines: impl Iterator<Item = (Place, &'t [u8])>,
    middle: usize,
    squares: &Squares,
) -> Option<(Place, Begins)> {
    let mut symmetries = HashMap::new();
    let (mut orbit, _) = orbit(first, None, squares, &mut symmetries)?;
    let mut free = squares.all();
    let mut best: Option<(Place, FixedBitSet)> = None;
    for (place, line) in lines.filter(|(_, line)| line.starts_with(ORBIT)) {
        let (next, is_below) = self::orbit(line, Some(orbit[0]), squares, &mut symmetries)?;
        if is_below {
            continue;
        }
        orbit.iter().for_each(|&square| free.set(square, false));
        orbit = next;
        let is_nearer =
            |(best, _): &(Place, FixedBitSet)| best.offset.abs_diff(middle) < place.offset.abs_diff(middle);
        if best.as_ref().is_some_and(is_nearer) {
            break;
        }
        best = Some((place, free.clone()));
    }
    let (place, free) = best?;
    Some((place, Begins::Node(free)))
}

const ORBIT: &[u8] = b"orbit ";

/// The square of a line of an orbit and its images, and whether all their symmetries keep the square of the queen, as those below it do.
fn orbit(
    line: &[u8],
    queen: Option<usize>,
    squares: &Squares,
    symmetries: &mut HashMap<String, Arc<[usize]>>,
) -> Option<(Vec<usize>, bool)> {
    let mut words = str::from_utf8(line.strip_prefix(ORBIT)?).ok()?.trim_end().split(' ');
    let square = words.next().and_then(reader::number).and_then(|number| squares.place(number))?;
    let (mut orbit, mut is_below) = (vec![square], true);
    for word in words {
        if !symmetries.contains_key(word) {
            if (symmetries.len() + 1) * squares.len() > MOST_IMAGES {
                return None;
            }
            symmetries.insert(word.to_owned(), symmetry::images(word, squares).ok()?);
        }
        let symmetry = &symmetries[word];
        orbit.push(symmetry[square]);
        is_below &= queen.is_some_and(|queen| symmetry[queen] == queen);
    }
    Some((orbit, is_below))
}
