//! Position of a box on the board.

use ndqueens_notation::counted::counted;

use super::words::{parse_coordinates, parse_number, parse_numbers};
use crate::fault::Reason;

/// Maximum number of squares of a box.
const MAX_SQUARES: u64 = 1 << 27;

/// Position of a box on the board.
pub(crate) struct Place {
    corner: Vec<u32>,
    pub(crate) extents: Vec<u32>,
    stride: u32,
}

impl Place {
    /// Reads the position of a box on the board with the sides `board`: its corner, its sides and its stride.
    pub(crate) fn parse(board: &[u32], [corner, sides, stride]: [&str; 3]) -> Result<Self, Reason> {
        for (text, between) in [(corner, ','), (sides, 'x')] {
            if text.split(between).count() != board.len() {
                let found = counted(text.split(between).count(), "number");
                let fault = format!(
                    "this has {found}, one for each axis, and the board has {}",
                    counted(board.len(), "axis")
                );
                return Err(Reason::from(fault).at(text));
            }
        }
        let at_corner = corner;
        let at_stride = stride;
        let stride = parse_number(stride)?;
        let corner = parse_coordinates(corner)?;
        let extents: Vec<u32> = parse_numbers(sides, 'x')?;
        if stride == 0 {
            return Err(Reason::from("the stride of a box must be positive").at(at_stride));
        }
        if extents.contains(&0) {
            return Err(Reason::from("the sides of a box must be positive").at(sides));
        }
        let inside = |((&a, &side), &n): ((&u32, &u32), &u32)| {
            u64::from(side - 1)
                .checked_mul(stride)
                .and_then(|span| span.checked_add(a.into()))
                .is_some_and(|end| end < u64::from(n))
        };
        if !corner.iter().zip(&extents).zip(board).all(inside) {
            return Err(Reason::from("the box does not lie on the board").at(at_corner));
        }
        // A side of 1 takes no step along its axis, so its stride may be arbitrarily long. All other strides
        // are shorter than the board.
        let stride = u32::try_from(stride).unwrap_or(u32::MAX);
        Ok(Self { corner, extents, stride })
    }

    /// Checks that the box does not have too many squares.
    pub(super) fn check_size(&self) -> Result<(), Reason> {
        let size = self.extents.iter().try_fold(1u64, |size, &side| size.checked_mul(side.into()));
        if size.is_none_or(|size| size > MAX_SQUARES) {
            return Err(Reason::limit(format!("the box has more than {MAX_SQUARES} squares")));
        }
        Ok(())
    }

    /// Calls `visit` with the offset and the coordinates of each square in lexicographic order, until it
    /// returns `false`. Returns `true` if all squares were visited.
    pub(crate) fn visit_squares(&self, visit: &mut dyn FnMut(&[u32], &[u32]) -> bool) -> bool {
        let mut offset = vec![0; self.extents.len()];
        let mut square = self.corner.clone();
        loop {
            if !visit(&offset, &square) {
                return false;
            }
            let Some(axis) = (0..offset.len()).rfind(|&axis| offset[axis] + 1 < self.extents[axis]) else {
                return true;
            };
            offset[axis] += 1;
            square[axis] += self.stride;
            offset[axis + 1..].fill(0);
            square[axis + 1..].copy_from_slice(&self.corner[axis + 1..]);
        }
    }
}
