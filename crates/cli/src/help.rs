//! Help: headings of the options of commands. The examples of a command are next to it, in a file `help.txt`
//! or in one with the command's name.

use clap::Command;

/// Heading of each option. A flag has the same meaning in all commands, and so one heading. An option with
/// its own heading, such as `--density` of `ndq draw`, keeps it.
const HEADINGS: [(&str, &str); 5] = [
    (
        "Question",
        "all assume_reported at_least at_most axis board boards by cells certified clearance cliques coloured colours \
         columns convention count d diagonal distance dots exactly family first formulation games generate hint hull include k \
         layers maximal n order package polynomial puzzle reference row rows rules second side size symbols symmetry threshold time unpublished values \
         weights why",
    ),
    (
        "Method",
        "allow_commands backend branching cut_above cut_rounds detect_symmetry engine equality from from_round method no_filter options ordering parts \
         presolve retry root root_bound samples seed separate solve start verified",
    ),
    (
        "Limits",
        "box_limit cases jobs local_squares node_limit nodes rounds share threads time_limit tries work_time",
    ),
    ("Picture", "attacked caption colouring coordinates highlight lp numbers show solid title width"),
    (
        "Output",
        "certificates clues command cuts density duals format large layout list log markdown model no_tables output proof \
         record schema solution solutions veripb work write",
    ),
];

/// Sets the heading of every option of a command and its subcommands.
pub(crate) fn with_headings(command: Command) -> Command {
    let headed_option = |option: clap::Arg| {
        let heading = HEADINGS.iter().find(|(_, options)| options.split(' ').any(|id| option.get_id() == id));
        match heading {
            Some(&(heading, _)) if !option.is_positional() && option.get_help_heading().is_none() => {
                option.help_heading(heading)
            }
            _ => option,
        }
    };
    command.mut_args(headed_option).mut_subcommands(with_headings)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use clap::{Command, Parser as _};

    use crate::args::groups::Limited as _;
    use crate::cli::{self, Cli};

    /// Collects a command and all its visible subcommands, each with the words that run it.
    fn all(command: &Command, begun: &str, found: &mut Vec<(String, Command)>) {
        let words = format!("{begun}{}", command.get_name());
        for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
            all(below, &format!("{words} "), found);
        }
        found.push((words, command.clone()));
    }

    fn commands() -> Vec<(String, Command)> {
        let mut found = Vec::new();
        all(&cli::command(), "", &mut found);
        assert!(found.len() > 40, "{}", found.len());
        found
    }

    /// Returns the commands in the examples of a help, one for each `ndq` in a line, without their
    /// explanations.
    fn examples(help: &str) -> Vec<Vec<String>> {
        let lines = help.lines().filter_map(|line| line.strip_prefix("  "));
        let typed = lines.filter(|line| line.starts_with("ndq ") || line.contains("| ndq "));
        let parts = typed.flat_map(|line| line.split("  ").next().unwrap_or(line).split([';', '|', '&']));
        let commands = parts.filter(|part| part.trim_start().starts_with("ndq "));
        commands.map(|part| shlex::split(part.split(" > ").next().unwrap_or(part)).expect(part)).collect()
    }

    #[test]
    fn every_option_stands_under_a_heading() {
        for (words, command) in commands() {
            for option in command.get_arguments().filter(|option| !option.is_positional()) {
                let is_its_own = ["help", "version"].contains(&option.get_id().as_str());
                assert!(is_its_own || option.get_help_heading().is_some(), "{words}: {option}");
            }
        }
    }

    #[test]
    fn commands_return_their_time_limits() {
        for (words, command) in commands() {
            let flags = command.get_arguments().filter_map(clap::Arg::get_long);
            for flag in flags.filter(|flag| ["time-limit", "for"].contains(flag)) {
                let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
                let runs = |example: &Vec<String>| {
                    format!("{} ", example.join(" ")).starts_with(&format!("{words} "))
                };
                let limit = [format!("--{flag}"), "7".to_owned()];
                let limits: Vec<Option<Duration>> = examples(&help)
                    .into_iter()
                    .filter(|example| {
                        runs(example)
                            && !example.iter().any(|word| ["--time-limit", "--for"].contains(&&**word))
                    })
                    .filter_map(|example| Cli::try_parse_from(example.iter().chain(&limit)).ok())
                    .map(|cli| cli.command.time_limit())
                    .collect();
                assert!(limits.contains(&Some(Duration::from_secs(7))), "{words} --{flag}: {limits:?}");
            }
        }
    }

    #[test]
    fn every_help_has_examples_that_can_be_typed() {
        for (words, command) in commands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let examples = examples(&help);
            let runs =
                |example: &Vec<String>| format!("{} ", example.join(" ")).starts_with(&format!("{words} "));
            assert!(examples.iter().any(runs), "{words}: {help}");
            for line in help.lines() {
                assert!(line.chars().count() <= 100, "{words}: {line}");
            }
            for example in examples {
                let read = cli::command().try_get_matches_from(&example);
                assert!(read.is_ok(), "{words}: {example:?}: {}", read.expect_err("a fault"));
            }
        }
    }
}
