//! Parts that all pages share: style, scripts, data for scripts, and the typography of numbers and formulas.

use serde_json::Value;

/// Style sheet, with the colours of plots in the dark mode.
pub const STYLE: &str = concat!(include_str!("../assets/style.css"), include_str!("../assets/plot.css"));
/// Dark mode of plots, for plots in files of their own.
pub const PLOT_STYLE: &str = include_str!("../assets/plot.css");
/// Script that sorts and filters tables.
pub const TABLE: &str = include_str!("../assets/table.js");
/// Script that shows the values of charts.
pub const CHART: &str = include_str!("../assets/chart.js");
/// Script that lists the runs of an experiment.
pub const RUNS: &str = include_str!("../assets/runs.js");
/// Script that draws boards.
pub const BOARD: &str = include_str!("../assets/board.js");
/// Script that checks certificates.
pub const CHECK: &str = include_str!("../assets/check.js");
/// Script of the start page: the search for a board, and the bounds of the board under the pointer.
pub const START: &str = include_str!("../assets/start.js");

/// Error of rendering a page.
#[derive(Debug, thiserror::Error)]
#[error("the page cannot be made: {0}")]
pub struct PageError(#[from] askama::Error);

/// Returns data as the text of a script element; no character of the data can end the element.
#[must_use]
pub fn data(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

/// Returns a text as HTML.
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

/// Returns a number with commas between groups of three digits: `1,673,097`. A text that is not a whole
/// number is returned unchanged.
#[must_use]
pub fn group_digits(number: &str) -> String {
    if number.is_empty() || !number.bytes().all(|digit| digit.is_ascii_digit()) {
        return number.to_owned();
    }
    let mut text = String::with_capacity(number.len() + number.len() / 3);
    for (place, digit) in number.chars().enumerate() {
        if place > 0 && (number.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Relation signs, as HTML text contains them.
const RELATIONS: [&str; 11] = ["≤", "≥", "=", "≠", "≈", "<", ">", "&lt;", "&gt;", "&#60;", "&#62;"];

/// Elements whose text is copied as it is.
const VERBATIM: [&str; 5] = ["script", "style", "pre", "svg", "textarea"];

/// Word joiner: forbids a line break where a non-breaking space alone does not, such as after a bar.
const JOINER: char = '\u{2060}';

/// Returns HTML with non-breaking spaces around relation signs, so that no line breaks there.
#[must_use]
pub fn bind_relations(html: &str) -> String {
    let mut bound = String::with_capacity(html.len() + html.len() / 50);
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        bind_text(&rest[..start], &mut bound);
        let tag = &rest[start..];
        let name = tag[1..].split(|sign: char| !sign.is_ascii_alphanumeric()).next().unwrap_or_default();
        let end = match VERBATIM.contains(&name) {
            true => tag.find(&format!("</{name}>")),
            false => tag.find('>').map(|end| end + 1),
        };
        let end = end.unwrap_or(tag.len());
        bound.push_str(&tag[..end]);
        rest = &tag[end..];
    }
    bind_text(rest, &mut bound);
    bound
}

/// Adds a text to `bound`, with non-breaking spaces around relation signs.
fn bind_text(text: &str, bound: &mut String) {
    let blank = |sign: char| sign == ' ' || sign == '\n';
    let mut rest = text;
    while let Some(at) = rest.find(blank) {
        bound.push_str(&rest[..at]);
        let after = rest[at..].trim_start_matches(blank);
        let blanks = &rest[at..rest.len() - after.len()];
        let relation =
            |text: &str| RELATIONS.iter().find(|sign| text.starts_with(**sign)).map(|sign| sign.len());
        rest = after;
        let Some(mut length) = relation(after) else {
            bound.push_str(blanks);
            continue;
        };
        while let Some(more) = relation(&after[length..]) {
            length += more;
        }
        let behind = after[length..].trim_start_matches(blank);
        if !bound.ends_with(|sign: char| sign.is_alphanumeric() || sign == ')') {
            bound.push(JOINER);
        }
        bound.push('\u{a0}');
        bound.push_str(&after[..length]);
        if behind.len() < after.len() - length {
            bound.push('\u{a0}');
        }
        rest = behind;
    }
    bound.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_do_not_end_their_script() {
        let text = "</script><script>alert(1)</script><!--";
        let written = data(&Value::from(text));
        assert!(!written.contains('<'), "{written}");
        assert_eq!(serde_json::from_str::<String>(&written).expect("JSON"), text);
    }

    #[test]
    fn groups_digits_of_whole_numbers_only() {
        let pairs =
            [("7", "7"), ("999", "999"), ("1000", "1,000"), ("1673097", "1,673,097"), ("0.1234", "0.1234")];
        for (number, text) in pairs.into_iter().chain([("", ""), ("1e24", "1e24")]) {
            assert_eq!(group_digits(number), text);
        }
    }

    #[test]
    fn lines_do_not_break_at_relation_signs() {
        for (html, bound) in [
            ("for n = 5 and", "for n\u{a0}=\u{a0}5 and"),
            ("alpha(4^3) &lt;= 8", "alpha(4^3)\u{a0}&lt;=\u{a0}8"),
            ("<em>n</em>\n≥ <b>3</b>", "<em>n</em>\u{2060}\u{a0}≥\u{a0}<b>3</b>"),
            ("|Qmax(6,3)| = 21", "|Qmax(6,3)|\u{2060}\u{a0}=\u{a0}21"),
            ("<pre>a = b</pre> c = d", "<pre>a = b</pre> c\u{a0}=\u{a0}d"),
            ("<a title=\"x = y\">no sign</a>", "<a title=\"x = y\">no sign</a>"),
            ("<script>a = b < c</script>", "<script>a = b < c</script>"),
            ("--limit=5 a =", "--limit=5 a\u{a0}="),
        ] {
            assert_eq!(bind_relations(html), bound);
        }
    }
}
