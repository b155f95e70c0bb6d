//! A command as it is typed in a shell, to be shown.

use std::borrow::Cow;
use std::fmt::{self, Display};

/// A command line, each argument quoted where a shell needs that.
pub(crate) struct Typed(String);

impl Typed {
    /// A command without its arguments, such as `ndq search`.
    pub(crate) fn new(command: &str) -> Self {
        Self(command.to_owned())
    }

    /// Adds an argument.
    pub(crate) fn word(&mut self, word: impl Display) -> &mut Self {
        self.0.push(' ');
        self.0 += &quoted(&word.to_string());
        self
    }

    /// Adds an option, such as `--seed 1`.
    pub(crate) fn option(&mut self, name: &str, value: impl Display) -> &mut Self {
        self.word(name).word(value)
    }

    /// Adds an option whose value may begin with a hyphen, such as `--symmetry=-1,3,2`.
    pub(crate) fn joined(&mut self, name: &str, value: impl Display) -> &mut Self {
        self.word(format_args!("{name}={value}"))
    }
}

impl Display for Typed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One argument in a pair of quotes, unless it means the same without. A `^` as in board names needs none, and neither does a
/// `=` after the name of an option.
fn quoted(word: &str) -> Cow<'_, str> {
    let plain = word.replace(['^', '='], "");
    match shlex::try_quote(word) {
        Ok(quoted) if shlex::try_quote(&plain).is_ok_and(|same| same != plain) => quoted,
        // No argument of a command holds a byte 0.
        _ => Cow::Borrowed(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_argument_is_quoted_as_a_whole_where_a_shell_needs_that() {
        let mut command = Typed::new("ndq search");
        command.word("6^3").joined("--symmetry", "-1,2,3;2,1,3").joined("--output", "my best 6^3.txt");
        let shown = "ndq search 6^3 '--symmetry=-1,2,3;2,1,3' '--output=my best 6^3.txt' --seed 1";
        assert_eq!(command.option("--seed", 1).to_string(), shown);
        assert_eq!(Typed::new("ndq").joined("--output", "4^3.txt").to_string(), "ndq --output=4^3.txt");
        assert_eq!(Typed::new("ndq").word("it's").word("4^3.txt").to_string(), "ndq \"it's\" 4^3.txt");
        assert_eq!(Typed::new("ndq").word("^").to_string(), "ndq '^'");
    }
}
