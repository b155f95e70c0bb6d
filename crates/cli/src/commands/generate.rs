//! `ndq completions` and `ndq man`

use std::path::PathBuf;

use clap::Args as Group;
use clap_complete::Shell;
use ndqueens_files as files;
use serde::Serialize;

use super::Exit;
use crate::cli;
use crate::output::Output;

#[derive(Debug, Group)]
#[command(after_help = "Try:  ndq completions bash > ~/.local/share/bash-completion/completions/ndq")]
pub(crate) struct Completions {
    /// The shell.
    pub(crate) shell: Shell,
}

#[derive(Debug, Group)]
#[command(after_help = "Try:  ndq man ~/.local/share/man/man1    then: man ndq-prove")]
pub(crate) struct Man {
    /// The folder for the pages, created if needed: ndq.1, ndq-prove.1 and so on.
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
}

#[derive(Serialize)]
struct Script {
    shell: String,
    script: String,
}

#[derive(Serialize)]
struct Pages {
    folder: String,
    pages: usize,
}

pub(crate) fn completions(args: &Completions, out: &mut Output) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut cli::command(), "ndq", &mut script);
    let script = Script { shell: args.shell.to_string(), script: String::from_utf8(script)? };
    out.result(&script, &script.script)?;
    Ok(Exit::Yes)
}

pub(crate) fn man(args: &Man, out: &mut Output) -> anyhow::Result<Exit> {
    files::make_folder(&args.folder)?;
    let mut command = cli::command();
    command.build();
    let pages = write(&command, args)?;
    let pages = Pages { folder: args.folder.display().to_string(), pages };
    out.result(&pages, &format!("{} manual pages in {}", pages.pages, pages.folder))?;
    Ok(Exit::Yes)
}

/// Writes the pages of a command and of all below it, and counts them.
fn write(command: &clap::Command, args: &Man) -> anyhow::Result<usize> {
    let page = clap_mangen::Man::new(command.clone());
    files::write(&args.folder.join(page.get_filename()), |out| page.render(out))?;
    let below = command.get_subcommands().filter(|below| !below.is_hide_set() && below.get_name() != "help");
    below.map(|below| write(below, args)).try_fold(1, |pages, more| Ok(pages + more?))
}
