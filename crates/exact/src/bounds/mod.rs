//! Bounds of a board and of the boxes inside it, smallest box first.
//!
//! [`fill`] decides which boxes are bounded and with how many nodes, [`round`] starts each box as soon as the
//! boxes on which it depends are bounded, and [`gap`] makes the lower and the upper bound of one board meet.

pub(crate) mod fill;
pub(crate) mod gap;
pub(crate) mod round;
