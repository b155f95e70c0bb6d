//! Escapes text from files in error messages, so that control characters cannot affect the terminal.

/// Returns a text with its control characters escaped: a line feed becomes `\n`.
#[must_use]
pub fn escape(text: &str) -> String {
    let plain = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(plain).collect()
}

/// Returns a message of one line or more with the control characters of each line escaped.
#[must_use]
pub fn escape_lines(message: &str) -> String {
    message.split('\n').map(escape).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_control_characters_only() {
        assert_eq!(escape("6^3 \u{1b}[2J\r\n\u{85}é"), "6^3 \\u{1b}[2J\\r\\n\\u{85}é");
        assert_eq!(escape_lines("a\tb\n    c\0"), "a\\tb\n    c\\u{0}");
    }
}
