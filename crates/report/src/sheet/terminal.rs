//! Tables as text for a terminal.

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table, presets};

/// Returns rows in columns as wide as their widest entries, two spaces apart. The entries of the columns in
/// `left` are aligned to the left, the others to the right. Every line ends with a line feed.
#[must_use]
pub fn align_columns(rows: impl IntoIterator<Item = Vec<String>>, left: &[usize]) -> String {
    table(rows, left).trim_fmt() + "\n"
}

/// Returns the same table in lines of at most `width` characters, if possible. Entries of the columns in
/// `left`, except the first, are folded.
pub(super) fn fold_columns(
    rows: impl IntoIterator<Item = Vec<String>>,
    left: &[usize],
    width: u16,
) -> String {
    let mut table = table(rows, left);
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    for (number, column) in table.column_iter_mut().enumerate() {
        if number == 0 || !left.contains(&number) {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    table.trim_fmt() + "\n"
}

fn table(rows: impl IntoIterator<Item = Vec<String>>, left: &[usize]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).add_rows(rows);
    for (number, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        column.set_cell_alignment(if left.contains(&number) {
            CellAlignment::Left
        } else {
            CellAlignment::Right
        });
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_entry() {
        let rows = [["way", "s", ""], ["a", "10.5", "≥ 3"], ["cube", "–", ""]];
        let text = align_columns(rows.map(|row| row.map(str::to_owned).to_vec()), &[0, 2]);
        assert_eq!(text, "way      s\na     10.5  ≥ 3\ncube     –\n");
    }

    #[test]
    fn words_are_folded_and_numbers_are_not() {
        let rows = [["board", "queens", "reason"], ["12^3", "133", "a proof tree of many nodes"]];
        let text = fold_columns(rows.map(|row| row.map(str::to_owned).to_vec()), &[0, 2], 30);
        assert_eq!(
            text,
            "board  queens  reason\n12^3      133  a proof tree\n               of many nodes\n"
        );
    }
}
