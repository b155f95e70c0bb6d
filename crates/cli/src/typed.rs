//! Command lines to be shown to the user and pasted into a shell.

use std::borrow::Cow;
use std::fmt::{self, Display};

/// Command line with each argument quoted if a shell needs that.
#[derive(Debug, Clone)]
pub(crate) struct Typed(String);

impl Typed {
    /// Creates a command without its arguments, such as `ndq find`.
    pub(crate) fn new(command: &str) -> Self {
        Self(command.to_owned())
    }

    /// Creates a command from the path of a program, without its arguments.
    pub(crate) fn program(program: &str) -> Self {
        Self(quote(program).into_owned())
    }

    /// Adds an argument.
    pub(crate) fn word(&mut self, word: impl Display) -> &mut Self {
        self.0.push(' ');
        self.0 += &quote(&word.to_string());
        self
    }

    /// Adds an option and its value, such as `--seed 1`.
    pub(crate) fn option(&mut self, name: &str, value: impl Display) -> &mut Self {
        self.word(name).word(value)
    }

    /// Adds an option whose value may start with a hyphen, such as `--symmetry=-1,3,2`.
    pub(crate) fn equals_option(&mut self, name: &str, value: impl Display) -> &mut Self {
        self.word(format_args!("{name}={value}"))
    }
}

impl Display for Typed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Quotes an argument if a shell would not read it literally.
pub(crate) fn quote(word: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "+-./:@_%^=,".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return Cow::Borrowed(word);
    }
    Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_argument_is_quoted_as_a_whole_where_a_shell_needs_that() {
        let mut command = Typed::new("ndq find");
        command
            .word("6^3")
            .equals_option("--symmetry", "-1,2,3;2,1,3")
            .equals_option("--output", "my best 6^3.txt");
        let shown = "ndq find 6^3 '--symmetry=-1,2,3;2,1,3' '--output=my best 6^3.txt' --seed 1";
        assert_eq!(command.option("--seed", 1).to_string(), shown);
        assert_eq!(
            Typed::new("ndq").equals_option("--output", "4^3.txt").to_string(),
            "ndq --output=4^3.txt"
        );
    }

    #[test]
    fn a_shell_reads_the_arguments_that_were_given() {
        let words = [
            "6^3",
            "it's",
            "",
            "a b",
            "--symmetry=2,3,1",
            "$HOME",
            "*.txt",
            "~",
            "a\\b",
            "\"q\"",
            "-1;2",
            "\u{e9}\n",
        ];
        let mut command = Typed::new("ndq");
        for word in words {
            command.word(word);
        }
        let read = shlex::split(&command.to_string()).expect("as a shell reads it");
        assert_eq!(read, [&["ndq"], words.as_slice()].concat());
    }
}
