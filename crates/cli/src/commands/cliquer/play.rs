//! `ndq cliquer play`

use std::fmt::Write as _;
use std::io::{self, BufRead as _, IsTerminal as _, Write as _};

use anyhow::{Context as _, bail};
use ndqueens_cliquer::player::{Choice, Program};
use ndqueens_cliquer::rules::{Game, Player};
use ndqueens_cliquer::sketch::sketch;
use ndqueens_cliquer::text;
use ndqueens_files as files;
use serde::Serialize;

use super::super::Exit;
use super::args::{CliquerPlay, Side};
use super::{Made, made, standing};
use crate::output::{Output, log};

const HELP: &str = "\
A-B, ab   join two dots
board     draw the board
moves     list the moves that are allowed, with what they score
hint      what the program would play
undo      take back your last move, and the program's answer
resign    give the game up
quit      leave; with -o, the game is kept and may go on later
help      this list";

/// What a human typed.
enum Typed {
    Segment(usize),
    Undo,
    Resign,
    Quit,
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum End {
    Over,
    Resigned,
    Left,
}

#[derive(Serialize)]
struct Played {
    end: End,
    winner: Option<Player>,
    scores: [u32; 2],
    moves: Vec<Made>,
}

pub(super) fn run(args: &CliquerPlay, out: &mut Output) -> anyhow::Result<Exit> {
    let (board, moves) = super::read(&args.file)?;
    args.output.as_deref().map_or(Ok(()), files::writable)?;
    let mut game = super::game(&board, &moves)?;
    let mut desk = Desk {
        sides: [args.first, args.second],
        program: Program::new(args.nodes, args.seed),
        line: 0,
        asks: io::stdin().is_terminal(),
        out,
    };
    let end = desk.play(&mut game)?;
    let [first, second] = game.scores();
    let winner = match end {
        End::Left => None,
        End::Resigned => Some(game.player().other()),
        End::Over if first == second => None,
        End::Over => Some(if first > second { Player::First } else { Player::Second }),
    };
    let words = match end {
        End::Over => standing(&game),
        End::Resigned => {
            format!("the {} resigns, the {} wins; {}", game.player(), game.player().other(), standing(&game))
        }
        End::Left => format!("the game is not over; {}", standing(&game)),
    };
    let mut words =
        if end == End::Over && desk.shows() { format!("{}\n{words}\n", sketch(&game)) } else { words };
    if let Some(path) = &args.output {
        let remark = standing(&game);
        let text = text::write(&board, &game.segments(), &[remark]);
        files::write(path, |out| out.write_all(text.as_bytes()))?;
        write!(words, "\n{}: the board and {} moves", path.display(), game.moves().len())?;
    }
    out.result(&Played { end, winner, scores: game.scores(), moves: made(&game) }, &words)?;
    Ok(if end == End::Left { Exit::Stopped } else { Exit::Yes })
}

/// Where a game is played.
struct Desk<'a> {
    sides: [Side; 2],
    program: Program,
    /// Lines of the input so far.
    line: usize,
    /// Whether there is somebody to be asked again.
    asks: bool,
    out: &'a mut Output,
}

impl Desk<'_> {
    /// Whether a human looks on.
    fn shows(&self) -> bool {
        !self.out.json() && self.sides.contains(&Side::Human)
    }

    fn side(&self, game: &Game<'_>) -> Side {
        self.sides[game.moves().len() % 2]
    }

    fn play(&mut self, game: &mut Game<'_>) -> anyhow::Result<End> {
        let mut drawn = None;
        while !game.is_over() {
            let segment = match self.side(game) {
                Side::Program => {
                    let Some(choice) = self.program.choose(game) else { break };
                    choice.segment
                }
                Side::Human => {
                    if self.shows() && drawn != Some(game.moves().len()) {
                        self.tell(&format!("\n{}\n{}\n", sketch(game), standing(game)))?;
                    }
                    match self.ask(game)? {
                        Typed::Segment(segment) => segment,
                        Typed::Resign => return Ok(End::Resigned),
                        Typed::Quit => return Ok(End::Left),
                        Typed::Undo => {
                            self.undo(game)?;
                            drawn = None;
                            continue;
                        }
                    }
                }
            };
            drawn = None;
            if let Err(fault) = game.play(segment) {
                // There is somebody to be asked again, or else this would have been refused.
                self.refuse(&fault)?;
                drawn = Some(game.moves().len());
                continue;
            }
            self.report(game)?;
        }
        Ok(End::Over)
    }

    /// Tells of the last move.
    fn report(&mut self, game: &Game<'_>) -> anyhow::Result<()> {
        if let Some(last) = made(game).pop() {
            let points = crate::output::counted(u64::from(last.points), "point");
            let [first, second] = game.scores();
            let words = format!(
                "{:3}. {}: {}, {points}; {first} to {second}",
                last.number, last.player, last.segment
            );
            self.out.result(&last, &words)?;
        }
        Ok(())
    }

    /// Takes back the moves since the human's last turn began.
    fn undo(&mut self, game: &mut Game<'_>) -> anyhow::Result<()> {
        let mover = game.player();
        let back = if self.sides == [Side::Human; 2] { 1 } else { 2 };
        if game.moves().len() < back {
            return self.refuse(&"there is no move of yours to take back");
        }
        for _ in 0..back {
            if let Some(taken) = game.undo() {
                self.tell(&format!("taken back: {}\n", game.board().name(taken.segment)))?;
            }
        }
        debug_assert!(back == 1 || game.player() == mover, "it is the same player's turn");
        Ok(())
    }

    /// Reads what the player to move does; what only asks for something is answered here.
    fn ask(&mut self, game: &Game<'_>) -> anyhow::Result<Typed> {
        loop {
            if self.asks {
                self.tell(&format!("{}, your move (help tells more): ", game.player()))?;
            }
            let mut typed = String::new();
            if io::stdin().lock().read_line(&mut typed).context("cannot read standard input")? == 0 {
                return Ok(Typed::Quit);
            }
            self.line += 1;
            let typed = typed.split('#').next().unwrap_or_default().trim();
            match typed.to_lowercase().as_str() {
                "" => {}
                "help" | "?" => self.tell(&format!("{HELP}\n"))?,
                "board" => self.tell(&format!("{}\n{}\n", sketch(game), standing(game)))?,
                "moves" => self.tell(&moves(game))?,
                "hint" => {
                    let hint = self.program.clone().choose(game);
                    self.tell(&hint.map_or_else(String::new, |choice| hinted(game, choice)))?;
                }
                "undo" => return Ok(Typed::Undo),
                "resign" => return Ok(Typed::Resign),
                "quit" | "exit" => return Ok(Typed::Quit),
                _ => match game.board().named(typed).map_err(anyhow::Error::from).and_then(|segment| {
                    game.may(segment)?;
                    Ok(segment)
                }) {
                    Ok(segment) => return Ok(Typed::Segment(segment)),
                    Err(fault) => self.refuse(&fault)?,
                },
            }
        }
    }

    /// Says what is wrong with what was typed; that ends the command when nobody is there to type something else.
    fn refuse(&self, fault: &dyn std::fmt::Display) -> anyhow::Result<()> {
        if self.asks {
            log(&fault.to_string());
            return Ok(());
        }
        bail!("line {} of the input: {fault}", self.line)
    }

    /// Prints to standard output, or, where that holds JSON, to standard error.
    fn tell(&self, words: &str) -> anyhow::Result<()> {
        let printed = if self.out.json() {
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

fn moves(game: &Game<'_>) -> String {
    let mut legal: Vec<(u32, String)> =
        game.legal().into_iter().map(|segment| (game.points(segment), game.board().name(segment))).collect();
    legal.sort_by_key(|(points, _)| std::cmp::Reverse(*points));
    let mut text = String::new();
    for group in legal.chunk_by(|(a, _), (b, _)| a == b) {
        let names: Vec<&str> = group.iter().map(|(_, name)| name.as_str()).collect();
        let _ = writeln!(text, "{:2} points: {}", group[0].0, names.join(" "));
    }
    text
}

fn hinted(game: &Game<'_>, choice: Choice) -> String {
    let name = game.board().name(choice.segment);
    match choice.value {
        Some(value) => {
            let rest = match value {
                0 => "then you and your opponent make as many points from here on".to_owned(),
                1.. => format!("then you make {value} points more from here on than your opponent"),
                _ => format!("then your opponent makes {} points more from here on than you", -value),
            };
            format!("{name}: {rest}, when both play best\n")
        }
        None => format!("{name}, by looking two moves ahead\n"),
    }
}
