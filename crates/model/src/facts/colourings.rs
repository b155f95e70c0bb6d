//! Shipped colourings, as the text of their files. This module does not check them.

use ndqueens_notation::name::BoardName;

/// Names of boards, and the files of their colourings.
const STORED: [(&str, &str); 14] = [
    ("12^2", include_str!("../../data/colourings/12^2.txt")),
    ("14^2", include_str!("../../data/colourings/14^2.txt")),
    ("15^2", include_str!("../../data/colourings/15^2.txt")),
    ("16^2", include_str!("../../data/colourings/16^2.txt")),
    ("18^2", include_str!("../../data/colourings/18^2.txt")),
    ("20^2", include_str!("../../data/colourings/20^2.txt")),
    ("21^2", include_str!("../../data/colourings/21^2.txt")),
    ("22^2", include_str!("../../data/colourings/22^2.txt")),
    ("24^2", include_str!("../../data/colourings/24^2.txt")),
    ("26^2", include_str!("../../data/colourings/26^2.txt")),
    ("28^2", include_str!("../../data/colourings/28^2.txt")),
    ("32^2", include_str!("../../data/colourings/32^2.txt")),
    ("36^2", include_str!("../../data/colourings/36^2.txt")),
    ("40^2", include_str!("../../data/colourings/40^2.txt")),
];

/// Returns the text of the file with a colouring of a board, or `None` if no colouring is shipped.
#[must_use]
pub fn lookup(board: &BoardName) -> Option<&'static str> {
    let board = board.to_string();
    STORED.iter().find(|(name, _)| *name == board).map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use ndqueens_notation::certificate::colouring::Colouring;
    use ndqueens_notation::name::reject_files;

    #[test]
    fn every_colouring_file_is_stored_under_its_board() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/colourings");
        assert_eq!(fs::read_dir(folder).expect("a folder").count(), STORED.len());
        for (name, text) in STORED {
            assert_eq!(Colouring::parse_with(text, &reject_files).expect(name).board.to_string(), name);
        }
    }
}
