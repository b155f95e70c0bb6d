//! Combinations of a block of runs.

use std::ops::Range;

use ndqueens_notation::name::{BoardName, reject_files};
use toml::Spanned;

use crate::definition::Block;

/// One combination of the lists of a block, with the positions of its parts in the file.
pub(super) struct Combination<'a> {
    pub(super) block: &'a Block,
    /// Position of the block.
    pub(super) place: &'a Range<usize>,
    pub(super) board: &'a Spanned<BoardName>,
    pub(super) formulation: &'a Spanned<String>,
    pub(super) variant: &'a Spanned<String>,
    pub(super) backend: &'a Spanned<String>,
}

impl Combination<'_> {
    /// Returns the position for errors of the variant. If the file has no variants, a mismatch with the
    /// default is reported at the formulation.
    pub(super) fn variant_place(&self) -> Range<usize> {
        if self.block.variants.is_some() { self.variant.span() } else { self.formulation.span() }
    }
}

/// Returns `true` if a text in a file of experiments is a name of the board with this canonical name.
pub(super) fn is_name_of(text: &str, canonical: &str) -> bool {
    text == canonical
        || BoardName::parse_user_input(text, &reject_files).is_ok_and(|named| named.to_string() == canonical)
}
