//! What all pages share: style, scripts, and data for scripts.

use serde_json::Value;

/// The style sheet.
pub const STYLE: &str = include_str!("../assets/style.css");
/// Tables that are sorted and filtered.
pub const TABLE: &str = include_str!("../assets/table.js");
/// Charts that tell their values where the pointer is.
pub const CHART: &str = include_str!("../assets/chart.js");
/// The runs of an experiment.
pub const RUNS: &str = include_str!("../assets/runs.js");
/// Boards that are turned, stepped through and coloured.
pub const BOARD: &str = include_str!("../assets/board.js");
/// The checker in a page.
pub const CHECK: &str = include_str!("../assets/check.js");

/// Why a page cannot be made.
#[derive(Debug, thiserror::Error)]
#[error("the page cannot be made: {0}")]
pub struct PageError(#[from] askama::Error);

/// Data as the text of a script element, which ends at no sign of the data.
#[must_use]
pub fn data(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

/// A text as HTML.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            _ => html.push(sign),
        }
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_do_not_end_the_script_that_they_stand_in() {
        let text = "</script><script>alert(1)</script><!--";
        let written = data(&Value::from(text));
        assert!(!written.contains('<'), "{written}");
        assert_eq!(serde_json::from_str::<String>(&written).expect("JSON"), text);
    }
}
