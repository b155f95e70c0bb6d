//! The command `ndq dots play`.

mod turn;

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;

use clap::ValueEnum;
use ndqueens_cliquer::player::ComputerPlayer;
use ndqueens_cliquer::rules::{Game, Move, Player, Winner};
use ndqueens_cliquer::scoring::Scoring;
use ndqueens_cliquer::sketch::sketch;
use ndqueens_cliquer::text;
use ndqueens_notation::counted::counted;
use ndqueens_system::file;
use schemars::JsonSchema;
use serde::Serialize;

use self::turn::{Input, Turn};
use super::board_file;
use super::standing::{Made, list_moves, standing};
use crate::args::values::whole;
use crate::commands::Exit;
use crate::output::Output;
use crate::schema::printed;

#[derive(Debug, clap::Args)]
#[command(allow_negative_numbers = true, after_help = include_str!("../play.txt"))]
pub(crate) struct Args {
    /// The file of a board; the game resumes after the moves in it.
    pub(crate) file: PathBuf,
    /// Rules instead of those of the file, such as 2=1,3=3,4=5,again=3: the points of cliques of 2, 3 and 4
    /// dots, and the fewest dots of a clique that gives another move.
    #[arg(long, value_name = "RULES")]
    pub(crate) rules: Option<Scoring>,
    /// The player who moves first.
    #[arg(long, value_enum, default_value_t = PlayedBy::Human)]
    pub(crate) first: PlayedBy,
    /// The player who moves second.
    #[arg(long, value_enum, default_value_t = PlayedBy::Program)]
    pub(crate) second: PlayedBy,
    /// The number of positions that the program may visit for a move; if this is not enough for the exact
    /// value, it looks two moves ahead.
    #[arg(long, value_name = "N", default_value_t = 300_000, value_parser = whole::<u64>(0..=u64::MAX))]
    pub(crate) nodes: u64,
    /// Seed for the choice among moves that are equally good to the program.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u64>(0..=u64::MAX))]
    pub(crate) seed: u64,
    /// Write the board with the moves to this file when the game ends or is left.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlayedBy {
    /// Moves come from standard input.
    Human,
    /// The program chooses.
    Program,
}

/// Way in which a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "lowercase")]
enum End {
    Over,
    Resigned,
    Left,
}

#[derive(JsonSchema, Serialize)]
struct Played {
    end: End,
    winner: Option<Player>,
    scores: [u32; 2],
    moves: Vec<Made>,
}

printed!(Played: "dots play");

pub(super) fn run(args: &Args, out: &mut Output) -> anyhow::Result<Exit> {
    let (board, moves) = board_file::read_with(&args.file, args.rules)?;
    args.output.as_deref().map_or(Ok(()), file::writable)?;
    let mut game = board_file::game(&board, &moves)?;
    let mut table = Table {
        sides: [args.first, args.second],
        program: ComputerPlayer::new(args.nodes, args.seed),
        input: Input::new(io::stdin().is_terminal(), out.json()),
        out,
    };
    let end = table.play(&mut game)?;
    let winner = match end {
        End::Left => None,
        End::Resigned => Some(game.player().other()),
        End::Over => Winner::from_margin(game.margin()).player(),
    };
    let mut words = match end {
        End::Over if table.shows() => format!("{}\n{}\n", sketch(&game), standing(&game)),
        End::Over => standing(&game),
        End::Resigned => {
            format!("the {} resigns, the {} wins; {}", game.player(), game.player().other(), standing(&game))
        }
        End::Left => format!("the game is not over; {}", standing(&game)),
    };
    if let Some(path) = &args.output {
        let text = text::write(&board, &game.segments(), &[standing(&game)]);
        file::write(path, |out| out.write_all(text.as_bytes()))?;
        write!(words, "\n{}: the board and {}", path.display(), counted(game.moves().len(), "move"))?;
    }
    out.result(&Played { end, winner, scores: game.scores(), moves: list_moves(&game) }, &words)?;
    Ok(if end == End::Left { Exit::Stopped } else { Exit::Yes })
}

/// Players, input and output of a game.
struct Table<'a> {
    sides: [PlayedBy; 2],
    program: ComputerPlayer,
    input: Input,
    out: &'a mut Output,
}

impl Table<'_> {
    /// Returns `true` if a human plays and standard output is text.
    fn shows(&self) -> bool {
        !self.out.json() && self.sides.contains(&PlayedBy::Human)
    }

    fn side(&self, game: &Game<'_>) -> PlayedBy {
        self.sides[usize::from(game.player() == Player::Second)]
    }

    fn play(&mut self, game: &mut Game<'_>) -> anyhow::Result<End> {
        let mut drawn = None;
        while !game.is_over() {
            let segment = match self.side(game) {
                PlayedBy::Program => {
                    let Some(choice) = self.program.choose(game) else { break };
                    choice.segment
                }
                PlayedBy::Human => {
                    if self.shows() && drawn != Some(game.moves().len()) {
                        self.input.print(&format!("\n{}\n{}\n", sketch(game), standing(game)))?;
                    }
                    match self.input.read_turn(game, &self.program)? {
                        Turn::Segment(segment) => segment,
                        Turn::Resign => return Ok(End::Resigned),
                        Turn::Quit => return Ok(End::Left),
                        Turn::Undo => {
                            self.undo(game)?;
                            drawn = None;
                            continue;
                        }
                    }
                }
            };
            drawn = None;
            if let Err(fault) = game.play(segment) {
                // An interactive player is asked again; otherwise the error ends the command.
                self.input.refuse(&fault)?;
                drawn = Some(game.moves().len());
                continue;
            }
            self.report(game)?;
        }
        Ok(End::Over)
    }

    /// Reports the last move.
    fn report(&mut self, game: &Game<'_>) -> anyhow::Result<()> {
        if let Some(last) = list_moves(game).pop() {
            let points = counted(u64::from(last.points), "point");
            let [first, second] = game.scores();
            let Made { number, player, segment, .. } = &last;
            self.out
                .result(&last, &format!("{number:3}. {player}: {segment}, {points}; {first} to {second}"))?;
        }
        Ok(())
    }

    /// Undoes the moves since the human's last turn started.
    fn undo(&mut self, game: &mut Game<'_>) -> anyhow::Result<()> {
        let is_human =
            |made: &Move| self.sides[usize::from(made.player == Player::Second)] == PlayedBy::Human;
        let Some(first) = game.moves().iter().rposition(is_human) else {
            return self.input.refuse(&"there is no move of yours to take back");
        };
        let back = game.moves().len() - first;
        for _ in 0..back {
            if let Some(taken) = game.undo() {
                self.input.print(&format!("taken back: {}\n", game.board().name(taken.segment)))?;
            }
        }
        Ok(())
    }
}
