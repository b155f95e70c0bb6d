//! Reads answers of other programs, solution files and colourings, for a model given by a file or by flags.

use anyhow::{Context as _, anyhow, bail};
use ndqueens_archive::archive;
use ndqueens_crosscheck::vipr::formula::ProgramForm;
use ndqueens_model::board::Board;
use ndqueens_model::colouring::ColouringProgram;
use ndqueens_model::facts::Bounds;
use ndqueens_model::format::{self, FileFormat, GraphFormat, Heading, Subject};
use ndqueens_model::ilp::Program;
use ndqueens_model::model::Model;
use ndqueens_model::variant::Goal;
use ndqueens_notation::certificate::colouring::{ClassKind, Colouring};
use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_notation::counted::counted;
use ndqueens_notation::name::BoardName;
use ndqueens_solver::backends::claim::SolverStatus;
use ndqueens_solver::backends::solution_file::{self, SolutionFile};
use ndqueens_system::file;
use ndqueens_workflow::evidence::vipr::SolverAnswer;
use ndqueens_workflow::run::formulation;

use super::args::Args;
use crate::args::groups::Asked;
use crate::memory;

/// The content of an answer.
pub(super) enum Answer {
    /// Squares, and the violation of the model, if there is one.
    Squares(Certificate, Option<String>),
    /// Classes of squares.
    Colouring(Colouring),
}

/// The model that an answer is for.
struct Source {
    board: BoardName,
    subject: Subject,
    /// Text and format of the file that the solver read.
    file: Option<(String, FileFormat)>,
}

/// Reads the answer of another program, if the flags name a model for it.
pub(super) fn read(text: &str, args: &Args) -> anyhow::Result<Option<Answer>> {
    let Some(source) = source(args)? else { return Ok(None) };
    let board = Board::new(&source.board);
    let answer = match &source.subject {
        Subject::Formulation { name, goal } => squares(text, name, *goal, &board, &source, args)?,
        Subject::Colouring { colours } => classes(text, *colours, &board, &source)?,
        Subject::Graph(GraphFormat::Col) => Answer::Colouring(colouring(text, &board)?),
        Subject::Graph(GraphFormat::Clq) => Answer::Squares(clique(text, &board)?, None),
    };
    Ok(Some(answer))
}

/// Returns the model that the flags describe, for a VIPR file about it.
pub(super) fn vipr(args: &Args) -> anyhow::Result<SolverAnswer> {
    let Some(Source { board, subject: Subject::Formulation { name, goal }, .. }) = source(args)? else {
        bail!("{}: a VIPR file is about a formulation on a board", args.file.display());
    };
    let problem = formulation::load(&name)?.problem;
    let limit = match (goal, problem) {
        (Goal::Optimise, _) => None,
        (Goal::AtLeast(limit), Problem::IndependentSet) => Some(limit),
        (Goal::AtMost(limit), Problem::DominatingSet | Problem::IndependentDominatingSet) => Some(limit),
        _ => bail!("{}: VIPR files are not checked for the goal \"{goal}\"", args.file.display()),
    };
    let asked = Asked { include: args.include.clone(), ..Asked::default() };
    let mut included = crate::commands::variant(&Board::new(&board), problem, &asked)?.include;
    included.sort_unstable();
    let included = included.into_iter().map(|square| square as usize).collect();
    let form = ProgramForm { problem, included, limit, ..ProgramForm::default() };
    Ok(SolverAnswer { board, form })
}

/// Returns the model that the flags describe.
fn source(args: &Args) -> anyhow::Result<Option<Source>> {
    let given_goal = match (args.at_least, args.at_most, args.exactly) {
        (Some(k), ..) => Some(Goal::AtLeast(k)),
        (_, Some(k), _) => Some(Goal::AtMost(k)),
        (.., Some(k)) => Some(Goal::Exactly(k)),
        (None, None, None) => None,
    };
    let Some(path) = &args.model else {
        return Ok(match (&args.formulation, &args.board) {
            (Some(name), Some(board)) => {
                let (name, goal) = (name.clone(), given_goal.unwrap_or(Goal::Optimise));
                Some(Source {
                    board: board.clone(),
                    subject: Subject::Formulation { name, goal },
                    file: None,
                })
            }
            (None, Some(board)) if args.coloured => {
                Some(Source { board: board.clone(), subject: Subject::Graph(GraphFormat::Col), file: None })
            }
            _ => None,
        });
    };
    let shown = path.display();
    let format = FileFormat::of_path(path)?;
    let text = file::read(path)?;
    let heading = format::heading(&text, format);
    let board = match (&args.board, &heading) {
        (Some(board), Some(Heading { board: own, .. })) if board.to_string() != *own => {
            bail!("{shown}: the file is about the board {own}, but {board} was asked for")
        }
        (Some(board), _) => board.clone(),
        (None, Some(Heading { board, .. })) => {
            BoardName::parse_with(board, &file::open).with_context(|| shown.to_string())?
        }
        (None, None) => bail!(
            "{shown}: its first comments do not name board and formulation, as ndq model writes them; name them with --board and -f"
        ),
    };
    let subject = match (&args.formulation, heading.map(|heading| heading.subject)) {
        (Some(name), Some(Subject::Formulation { goal, .. })) => {
            Subject::Formulation { name: name.clone(), goal: given_goal.unwrap_or(goal) }
        }
        (Some(name), None) => {
            Subject::Formulation { name: name.clone(), goal: given_goal.unwrap_or(Goal::Optimise) }
        }
        (Some(_), Some(_)) => bail!("{shown}: the file holds no formulation: leave -f away"),
        (None, Some(Subject::Formulation { name, goal })) => {
            if given_goal.is_some_and(|given| given != goal) {
                bail!(
                    "{shown}: the goal of the file is \"{goal}\", and another number of queens was asked for"
                );
            }
            Subject::Formulation { name, goal }
        }
        (None, Some(subject)) => subject,
        (None, None) if args.coloured => Subject::Graph(GraphFormat::Col),
        (None, None) => bail!("{shown}: its first comments name no formulation; name it with -f"),
    };
    Ok(Some(Source { board, subject, file: Some((text, format)) }))
}

/// Reads a solution file of a program.
fn solution(
    text: &str,
    program: &dyn Program,
    source: &Source,
    model: &str,
) -> anyhow::Result<(SolutionFile, Vec<i64>)> {
    let order = match &source.file {
        Some((written, FileFormat::Program(format))) => {
            let names: Vec<&str> = program.columns().iter().map(|column| column.name.as_str()).collect();
            Some(
                format::column_order(written, *format, &names)
                    .map_err(|fault| anyhow!("{model}: {fault}"))?,
            )
        }
        _ => None,
    };
    let file = solution_file::read_ordered(text, program, order.as_deref())?;
    let reports = match file.status {
        SolverStatus::Infeasible => ": infeasibility is a claim of the solver, not a proof",
        SolverStatus::Unbounded => ": it reports \"unbounded\"",
        SolverStatus::Optimal | SolverStatus::Stopped(_) => "",
    };
    let Some(point) = file.point.clone() else {
        bail!("the file of {} holds no solution{reports}", file.solver)
    };
    if !file.named
        && order.is_none()
        && file.solver == "GLPK"
        && let Some(violation) = program.violation(&point)
    {
        bail!(
            "cannot be read as a solution of this model: it has numbers in place of names, and in the order of the columns {violation}; \
             name the file that GLPK read with --model, or write names with glpsol -o"
        );
    }
    Ok((file, point))
}

fn squares(
    text: &str,
    name: &str,
    goal: Goal,
    board: &Board,
    source: &Source,
    args: &Args,
) -> anyhow::Result<Answer> {
    let formulation = formulation::load(name)?;
    let mut asked = Asked { include: args.include.clone(), ..Asked::default() };
    match goal {
        Goal::Optimise => {}
        Goal::AtLeast(k) => asked.at_least = Some(k),
        Goal::AtMost(k) => asked.at_most = Some(k),
        Goal::Exactly(k) => asked.exactly = Some(k),
    }
    let variant = crate::commands::variant(board, formulation.problem, &asked)?;
    let bounds = Bounds::with_publications(archive::bounds());
    let model = Model::new(board, &formulation, variant, &bounds, memory::for_models(None))?;
    let model_name = args.model.as_ref().map_or_else(String::new, |path| path.display().to_string());
    let (file, point) = solution(text, &model, source, &model_name)?;
    let squares = model.squares(&point).into_iter().map(|square| board.coordinates(square)).collect();
    let origin = format!("solution file of {}, formulation {}", file.solver, formulation.name);
    let certificate = Certificate {
        problem: formulation.problem,
        ..Certificate::independent(board.name().clone(), squares, origin)
    };
    Ok(Answer::Squares(certificate, model.violation(&point)))
}

/// Reads the answer to a colouring program with a given number of colours.
fn classes(text: &str, colours: u64, board: &Board, source: &Source) -> anyhow::Result<Answer> {
    let colours = usize::try_from(colours)?;
    crate::commands::refuse_if_too_large(
        board,
        "its program",
        (board.size() as u64).saturating_mul(colours as u64 * 100),
    )?;
    let program = ColouringProgram::new(board, colours);
    let (file, point) = solution(text, &program, source, "the model")?;
    let mut classes: Vec<Vec<Vec<u32>>> = vec![Vec::new(); colours];
    for (square, values) in board.squares().zip(point.chunks(colours.max(1))) {
        let own: Vec<usize> = (0..values.len()).filter(|&colour| values[colour] == 1).collect();
        let [colour] = own[..] else {
            bail!(
                "it is not a colouring: the square {} has {}",
                board.label(square),
                counted(own.len(), "colour")
            );
        };
        classes[colour].push(board.coordinates(square));
    }
    classes.retain(|class| !class.is_empty());
    let origin = format!("solution file of {}, {}", file.solver, counted(colours, "colour"));
    Ok(Answer::Colouring(Colouring::new(board.name().clone(), ClassKind::IndependentSets, classes, origin)))
}

/// Reads a colouring in a format of other programs: `s col K` and `l VERTEX COLOUR` as in DIMACS, a line
/// `VERTEX COLOUR` for each vertex, counted from 0 or from 1, or one colour per line in the order of the
/// squares.
fn colouring(text: &str, board: &Board) -> anyhow::Result<Colouring> {
    let size = board.size();
    let mut stated = None;
    // Vertex, colour and line.
    let mut entries: Vec<(Option<u64>, i64, usize)> = Vec::new();
    let mut style: Option<&str> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let integer = |word: &str| {
            word.parse::<i64>().map_err(|_| anyhow!("line {number}: \"{word}\" is not a whole number"))
        };
        let vertex = |word: &str| {
            word.parse::<u64>().map_err(|_| anyhow!("line {number}: \"{word}\" is not a vertex"))
        };
        let (kind, entry) = match words[..] {
            [] | ["c", ..] => continue,
            ["s", "col", colours] if stated.is_none() => {
                stated = Some((integer(colours)?, number));
                continue;
            }
            ["s", ..] => bail!("line {number}: one line \"s col COLOURS\" is allowed"),
            ["l", name, colour] => {
                ("lines \"l VERTEX COLOUR\"", (Some(vertex(name)?), integer(colour)?, number))
            }
            [name, colour] => ("lines \"VERTEX COLOUR\"", (Some(vertex(name)?), integer(colour)?, number)),
            [colour] => ("a colour a line", (None, integer(colour)?, number)),
            _ => bail!("line {number}: a colour, a vertex and a colour, or \"l\" with both are needed"),
        };
        if *style.get_or_insert(kind) != kind {
            bail!(
                "line {number}: the lines before are {}, and this one is another",
                style.unwrap_or_default()
            );
        }
        entries.push(entry);
    }
    if entries.len() != size {
        let line = entries.last().map_or(1, |(.., line)| *line);
        bail!(
            "line {line}: {} {} coloured, but {} has {}",
            counted(entries.len(), "vertex"),
            if entries.len() == 1 { "is" } else { "are" },
            board.name(),
            board.format_squares(size as u64)
        );
    }
    let zero = entries.iter().any(|(vertex, ..)| *vertex == Some(0));
    let base = u64::from(!zero || style.is_some_and(|style| style.starts_with("lines \"l")));
    let mut colours: Vec<Option<i64>> = vec![None; size];
    for (position, &(vertex, colour, line)) in entries.iter().enumerate() {
        let square = match vertex {
            None => Some(position),
            Some(vertex) => vertex.checked_sub(base).and_then(|vertex| usize::try_from(vertex).ok()),
        };
        let Some(place) = square.and_then(|square| colours.get_mut(square)) else {
            bail!(
                "line {line}: there is no vertex {}: the vertices are {base} to {}",
                vertex.unwrap_or_default(),
                size as u64 + base - 1
            );
        };
        if place.replace(colour).is_some() {
            bail!("line {line}: the vertex {} has two colours", vertex.unwrap_or_default());
        }
    }
    let mut classes = std::collections::BTreeMap::<i64, Vec<Vec<u32>>>::new();
    for (square, colour) in board.squares().zip(colours.into_iter().flatten()) {
        classes.entry(colour).or_default().push(board.coordinates(square));
    }
    if let Some((stated, line)) = stated
        && i64::try_from(classes.len()).ok() != Some(stated)
    {
        bail!("line {line}: the number of colours is given as {stated}, but the file uses {}", classes.len());
    }
    let classes = classes.into_values().collect();
    Ok(Colouring::new(
        board.name().clone(),
        ClassKind::IndependentSets,
        classes,
        "colouring of another program",
    ))
}

/// Reads a clique of the complement in a format of other programs: numbers of vertices, counted from 1, in
/// `v` lines or alone.
fn clique(text: &str, board: &Board) -> anyhow::Result<Certificate> {
    let size = board.size() as u64;
    let (mut stated, mut squares) = (None, Vec::new());
    for (number, line) in (1..).zip(text.lines()) {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [] | ["c", ..] => continue,
            ["s", "clq" | "clique" | "mis" | "is", count] if stated.is_none() => {
                let count: usize = count
                    .parse()
                    .map_err(|_| anyhow!("line {number}: \"{count}\" is not a number of vertices"))?;
                stated = Some((count, number));
                continue;
            }
            ["s", ..] => bail!("line {number}: one line \"s clq VERTICES\" is allowed"),
            ["v", ..] => {
                words.remove(0);
            }
            _ => {}
        }
        for word in words {
            let vertex = word.parse::<u64>().ok().filter(|vertex| (1..=size).contains(vertex));
            let vertex = vertex.ok_or_else(|| {
                anyhow!("line {number}: \"{word}\" is not a vertex: the vertices are 1 to {size}")
            })?;
            let square = board.coordinates(u32::try_from(vertex - 1)?);
            if squares.contains(&square) {
                bail!("line {number}: the vertex {vertex} is listed twice");
            }
            squares.push(square);
        }
    }
    if let Some((stated, line)) = stated
        && stated != squares.len()
    {
        bail!(
            "line {line}: the number of vertices is given as {stated}, but the file lists {}",
            squares.len()
        );
    }
    Ok(Certificate::independent(board.name().clone(), squares, "clique of another program"))
}
