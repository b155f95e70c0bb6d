//! Finds places at which the check of a long tree can be split: at cases of its first case split, or at nodes
//! of its root, before which squares were removed with their images.
//!
//! A split point is a guess, from the lines alone, of the state of the check at that place. No theorem
//! depends on its being right: the piece after it counts only if the piece before it ends there in the same
//! state.

use std::collections::HashMap;
use std::sync::Arc;

use fixedbitset::FixedBitSet;
use ndqueens_crosscheck::proof::{OpenedTree, SplitPoint};

/// Minimum length of a piece, in bytes.
const SHORTEST: usize = 1 << 14;

/// Maximum number of images of squares that are computed.
const MOST_IMAGES: usize = 1 << 20;

/// First word of the line of an orbit.
const ORBIT: &[u8] = b"orbit ";

/// Returns split points, in order, for about `pieces` pieces of similar length.
pub(super) fn find(opened: &OpenedTree, pieces: usize, stop: &dyn Fn() -> bool) -> Vec<SplitPoint> {
    let (first_line, offset) = opened.first_node();
    let text = &opened.tree().text()[offset..];
    let length = (text.len() / pieces.max(1)).max(SHORTEST);
    let mut next = (first_line, offset);
    let lines = text.split_inclusive(|&byte| byte == b'\n').map(move |line| {
        let (number, offset) = next;
        next = (number + 1, offset + line.len());
        Line { number, offset, text: line }
    });
    let mut points = if text.starts_with(b"layers ") {
        at_cases(lines, length)
    } else {
        at_root(opened, lines.take_while(|_| !stop()), length)
    };
    // A last piece that is too short is joined to the one before.
    let end = offset + text.len();
    if points.last().is_some_and(|point| end - point.offset() < SHORTEST) {
        points.pop();
    }
    points
}

/// Line of a tree.
struct Line<'t> {
    /// Line number in the proof, counted from 1.
    number: u64,
    /// Offset in the text of the tree, in bytes.
    offset: usize,
    text: &'t [u8],
}

/// Returns points at the starts of cases, if each case starts with parts of regions.
fn at_cases<'t>(mut lines: impl Iterator<Item = Line<'t>>, length: usize) -> Vec<SplitPoint> {
    let Some(split) = lines.next() else { return Vec::new() };
    let cases = split.text.windows(3).filter(|sign| sign == b" / ").count();
    let mut begins = Vec::new();
    let mut is_part = false;
    for line in lines {
        let was_part = std::mem::replace(&mut is_part, line.text.starts_with(b"part "));
        if is_part && !was_part {
            begins.push((line.number, line.offset));
        }
    }
    if begins.len() != cases {
        return Vec::new();
    }
    let mut last = begins.first().map_or(0, |&(_, offset)| offset);
    let mut points = Vec::new();
    for (index, (line, offset)) in begins.into_iter().enumerate().skip(1) {
        if offset - last >= length {
            points.push(SplitPoint::at_case(line, offset, cases - index));
            last = offset;
        }
    }
    points
}

/// Returns points at nodes that appear to be at the root.
fn at_root<'t>(
    opened: &OpenedTree,
    mut lines: impl Iterator<Item = Line<'t>>,
    length: usize,
) -> Vec<SplitPoint> {
    let mut points = Vec::new();
    let mut symmetries = Symmetries { opened, images: HashMap::new() };
    let Some(first) = lines.next() else { return points };
    let Some((mut orbit, _)) = symmetries.orbit(first.text, None) else { return points };
    let mut last = first.offset;
    let mut free = FixedBitSet::with_capacity(opened.size());
    free.insert_range(..);
    for line in lines.filter(|line| line.text.starts_with(ORBIT)) {
        let Some((next, is_below)) = symmetries.orbit(line.text, Some(orbit[0])) else { return points };
        if is_below {
            continue;
        }
        orbit.iter().for_each(|&square| free.set(square, false));
        orbit = next;
        if line.offset - last >= length {
            points.push(SplitPoint::at_node(line.number, line.offset, free.clone()));
            last = line.offset;
        }
    }
    points
}

/// Cache of the symmetries that occurred so far.
struct Symmetries<'t> {
    opened: &'t OpenedTree,
    images: HashMap<String, Arc<[usize]>>,
}

impl Symmetries<'_> {
    /// Returns the square of an orbit line with its images, and `true` if all symmetries of the line fix the
    /// square of `queen`, as the symmetries below that queen do. Returns `None` if the line has another form,
    /// or if too many images were computed.
    fn orbit(&mut self, line: &[u8], queen: Option<usize>) -> Option<(Vec<usize>, bool)> {
        let mut words = str::from_utf8(line.strip_prefix(ORBIT)?).ok()?.trim_end().split(' ');
        let square = words.next().and_then(|word| self.opened.place(word.parse().ok()?))?;
        let (mut orbit, mut is_below) = (vec![square], true);
        for word in words {
            if !self.images.contains_key(word) {
                if (self.images.len() + 1) * self.opened.size() > MOST_IMAGES {
                    return None;
                }
                self.images.insert(word.to_owned(), self.opened.images(word)?);
            }
            let images = &self.images[word];
            orbit.push(images[square]);
            is_below &= queen.is_some_and(|queen| images[queen] == queen);
        }
        Some((orbit, is_below))
    }
}
