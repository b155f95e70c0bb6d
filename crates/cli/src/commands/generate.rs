//! The commands `ndq completions` and `ndq man`.

use std::path::{Path, PathBuf};

use clap_complete::Shell;
use ndqueens_system::file;
use schemars::JsonSchema;
use serde::Serialize;

use super::Exit;
use super::table::columns::tables;
use crate::output::Output;
use crate::progress::GLOBAL;
use crate::schema::{printed, schema};

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("completions.txt"))]
pub(crate) struct Completions {
    /// The shell.
    pub(crate) shell: Shell,
}

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("man.txt"))]
pub(crate) struct Man {
    /// The folder for the pages, created if needed: ndq.1, ndq-prove.1 and so on.
    #[arg(value_name = "DIR", required_unless_present_any = ["markdown", "schema"])]
    pub(crate) folder: Option<PathBuf>,
    /// Print all pages as one page in Markdown instead.
    #[arg(long, conflicts_with = "folder")]
    pub(crate) markdown: bool,
    /// Print the JSON Schema of the output with --json instead, with a definition for each command.
    #[arg(long, conflicts_with_all = ["folder", "markdown"])]
    pub(crate) schema: bool,
}

#[derive(JsonSchema, Serialize)]
struct Script {
    shell: String,
    script: String,
}

printed!(Script: "completions");

#[derive(JsonSchema, Serialize)]
struct Page {
    markdown: String,
}

printed!(Page: "man");

#[derive(JsonSchema, Serialize)]
struct Pages {
    folder: String,
    pages: usize,
}

printed!(Pages: "man");

/// Prints the completion script for a shell. `command` is the whole command line.
pub(crate) fn completions(
    args: &Completions,
    mut command: clap::Command,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "ndq", &mut script);
    let script = Script { shell: args.shell.to_string(), script: String::from_utf8(script)? };
    out.result(&script, &script.script)?;
    Ok(Exit::Yes)
}

/// Writes the manual pages of `command` and all its subcommands into a folder, or prints its help as one
/// Markdown page, or the JSON schema.
pub(crate) fn man(args: &Man, command: clap::Command, out: &mut Output) -> anyhow::Result<Exit> {
    if args.schema {
        let schema = schema(&tables());
        out.result(&schema, &serde_json::to_string_pretty(&schema)?)?;
        return Ok(Exit::Yes);
    }
    let mut command = command.term_width(WIDTH);
    command.build();
    let Some(folder) = &args.folder else {
        let mut page =
            Page { markdown: "# Command reference\n\nWhat `--help` prints, for each command.\n".to_owned() };
        describe(&mut command, &mut page.markdown);
        out.result(&page, &page.markdown)?;
        return Ok(Exit::Yes);
    };
    file::make_folder(folder)?;
    let pages = write(&command, folder)?;
    let pages = Pages { folder: folder.display().to_string(), pages };
    out.result(&pages, &format!("{} manual pages in {}", pages.pages, pages.folder))?;
    Ok(Exit::Yes)
}

/// Writes the manual pages of a command and all its subcommands. Returns their number.
fn write(command: &clap::Command, folder: &Path) -> anyhow::Result<usize> {
    let page = clap_mangen::Man::new(command.clone());
    file::write(&folder.join(page.get_filename()), |out| page.render(out))?;
    let below = command.get_subcommands().filter(|below| !below.is_hide_set() && below.get_name() != "help");
    below.map(|below| write(below, folder)).try_fold(1, |pages, more| Ok(pages + more?))
}

/// Width of the reference in columns.
const WIDTH: usize = 100;

/// Appends the help of a command and all its subcommands to a page.
fn describe(command: &mut clap::Command, page: &mut String) {
    let help = command.render_long_help().to_string();
    let name = command.get_bin_name().unwrap_or("ndq").to_owned();
    let (mut lines, mut is_global) = (String::new(), false);
    for line in help.lines().map(str::trim_end) {
        // Global options are listed once, under ndq itself.
        is_global =
            line.strip_suffix(':') == Some(GLOBAL) || is_global && (line.is_empty() || line.starts_with(' '));
        if !is_global || name == "ndq" {
            lines += line;
            lines.push('\n');
        }
    }
    *page += &format!("\n## {name}\n\n```text\n{}\n```\n", lines.trim_end());
    let below =
        command.get_subcommands_mut().filter(|below| !below.is_hide_set() && below.get_name() != "help");
    below.for_each(|below| describe(below, page));
}
