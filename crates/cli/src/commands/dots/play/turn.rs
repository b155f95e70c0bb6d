//! Reads the turns of a human player.

use std::fmt::Write as _;
use std::io::{self, BufRead as _, Write as _};

use anyhow::{Context as _, bail};
use ndqueens_cliquer::player::{Choice, ComputerPlayer};
use ndqueens_cliquer::rules::Game;
use ndqueens_cliquer::sketch::sketch;
use ndqueens_notation::counted::counted;

use crate::commands::dots::standing::standing;
use crate::output::log;

const HELP: &str = "\
A-B, ab   join two dots
board     draw the board
moves     list the moves that are allowed, with what they score
hint      what the program would play
undo      take back your last move, and the program's answer
resign    give the game up
quit      leave; with -o, the game is kept and may go on later
help      this list";

/// Action of a human player on their turn.
pub(super) enum Turn {
    Segment(usize),
    Undo,
    Resign,
    Quit,
}

/// Standard input with one turn per line.
pub(super) struct Input {
    /// Number of lines read so far.
    line: usize,
    /// `true` if a player is asked again after a mistake.
    asks: bool,
    /// `true` if standard output holds only JSON.
    json: bool,
}

impl Input {
    pub(super) fn new(asks: bool, json: bool) -> Self {
        Self { line: 0, asks, json }
    }

    /// Reads the action of the player to move. Commands that only request information are answered here.
    pub(super) fn read_turn(&mut self, game: &Game<'_>, program: &ComputerPlayer) -> anyhow::Result<Turn> {
        loop {
            if self.asks {
                self.print(&format!("{}, your move (type help for the commands): ", game.player()))?;
            }
            let mut typed = String::new();
            if io::stdin().lock().read_line(&mut typed).context("cannot read standard input")? == 0 {
                return Ok(Turn::Quit);
            }
            self.line += 1;
            let typed = typed.split('#').next().unwrap_or_default().trim();
            match typed.to_lowercase().as_str() {
                "" => {}
                "help" | "?" => self.print(&format!("{HELP}\n"))?,
                "board" => self.print(&format!("{}\n{}\n", sketch(game), standing(game)))?,
                "moves" => self.print(&moves(game))?,
                "hint" => {
                    let hint = program.hint(game);
                    self.print(&hint.map_or_else(String::new, |choice| format_hint(game, choice)))?;
                }
                "undo" => return Ok(Turn::Undo),
                "resign" => return Ok(Turn::Resign),
                "quit" | "exit" => return Ok(Turn::Quit),
                _ => match segment(game, typed) {
                    Ok(segment) => return Ok(Turn::Segment(segment)),
                    Err(fault) => self.refuse(&fault)?,
                },
            }
        }
    }

    /// Reports a mistake in the input. Returns it as an error if the input is not interactive.
    pub(super) fn refuse(&self, fault: &dyn std::fmt::Display) -> anyhow::Result<()> {
        if self.asks {
            log(&fault.to_string());
            return Ok(());
        }
        bail!("line {} of the input: {fault}", self.line)
    }

    /// Prints to standard output, or to standard error if standard output holds JSON.
    pub(super) fn print(&self, words: &str) -> anyhow::Result<()> {
        let printed = if self.json {
            write!(io::stderr().lock(), "{words}")
        } else {
            let mut out = io::stdout().lock();
            write!(out, "{words}").and_then(|()| out.flush())
        };
        match printed {
            Err(fault) if fault.kind() != io::ErrorKind::BrokenPipe => Err(fault.into()),
            _ => Ok(()),
        }
    }
}

/// Parses a segment and checks that it may be drawn.
fn segment(game: &Game<'_>, typed: &str) -> anyhow::Result<usize> {
    let segment = game.board().parse_segment(typed)?;
    game.check_move(segment)?;
    Ok(segment)
}

fn moves(game: &Game<'_>) -> String {
    let mut text = String::new();
    for (points, segments) in game.legal_by_points() {
        let names: Vec<String> = segments.iter().map(|&segment| game.board().name(segment)).collect();
        let _ = writeln!(text, "{:>9}: {}", counted(points, "point"), names.join(" "));
    }
    text
}

fn format_hint(game: &Game<'_>, choice: Choice) -> String {
    let name = game.board().name(choice.segment);
    match choice.value {
        Some(value) => {
            let rest = match value {
                0 => "then you and your opponent make as many points from here on".to_owned(),
                1.. => {
                    format!("then you make {} more from here on than your opponent", counted(value, "point"))
                }
                _ => format!(
                    "then your opponent makes {} more from here on than you",
                    counted(-value, "point")
                ),
            };
            format!("{name}: {rest}, when both play best\n")
        }
        None => format!("{name}, by looking two moves ahead\n"),
    }
}
