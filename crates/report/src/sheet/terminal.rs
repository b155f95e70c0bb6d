//! Tables in the terminal.

use comfy_table::{CellAlignment, Table, presets};

/// Rows in columns as wide as their widest entries, two spaces apart; the columns that are named have their entries to the left,
/// the others to the right. Every line ends.
#[must_use]
pub fn aligned(rows: impl IntoIterator<Item = Vec<String>>, left: &[usize]) -> String {
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
    table.trim_fmt() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_entry() {
        let rows = [["way", "s", ""], ["a", "10.5", "≥ 3"], ["cube", "–", ""]];
        let text = aligned(rows.map(|row| row.map(str::to_owned).to_vec()), &[0, 2]);
        assert_eq!(text, "way      s\na     10.5  ≥ 3\ncube     –\n");
    }
}
