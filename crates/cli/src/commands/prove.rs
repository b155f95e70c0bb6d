//! `ndq prove`

use std::fmt::Write as _;
use std::path::Path;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::Args as Group;
use ndqueens_control::{Deadline, StopReason};
use ndqueens_exact::MOST_SQUARES;
use ndqueens_files as files;
use ndqueens_knowledge::ARCHIVE;
use ndqueens_knowledge::archive::Archive;
use ndqueens_knowledge::certificates::CertificateStore;
use ndqueens_knowledge::ledger::Ledger;
use ndqueens_lab::evidence::drat;
use ndqueens_lab::evidence::veripb::formula_of;
use ndqueens_lab::record::verdict::Verdict;
use ndqueens_lab::record::{self, Command, Provenance, Question, Record};
use ndqueens_lab::run::LabError;
use ndqueens_lab::workflow::prove::{self, Claimed, Exactly, Proof, ProofKind, Status};
use ndqueens_lab::workflow::{route, veripb};
use ndqueens_model::board::{Board, Grid};
use ndqueens_model::certificate::Certificate;
use ndqueens_model::facts::{boxes, known, ledger};
use ndqueens_model::formulation::FormulationError;
use ndqueens_model::name::BoardName;
use ndqueens_solver::backends::{Options, choice};
use serde::Serialize;

use super::Exit;
use crate::args::groups::{Engine, Keep, Solver};
use crate::args::values::{backend, board, queens};
use crate::output::{Output, counted};
use crate::progress::Display;

#[derive(Debug, Group)]
pub(crate) struct Args {
    /// The board, such as 6^3 or 4x5x6.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// The value claimed to be the maximum; whatever it is when absent.
    #[arg(long, value_name = "K", value_parser = queens)]
    pub(crate) k: Option<u64>,
    /// What proves the upper bound; highs when a recipe, a backend or another flag for it is given. Else the cheapest that
    /// closes the gap: a theorem, the orbit LP, the exact engine, and HiGHS for boards that are too large for the engine.
    #[arg(long, value_enum)]
    pub(crate) engine: Option<Engine>,
    /// Keep each box that is settled in this folder, made if need be; the same command goes on there after it was stopped.
    #[arg(long, value_name = "DIR")]
    pub(crate) work: Option<PathBuf>,
    /// Keep the proof in this file; ndq check reads it. The exact engine's is packed when the name ends in .gz; the name of
    /// a SAT solver's ends in .drat, and its formula goes beside it (.cnf).
    #[arg(long, value_name = "FILE")]
    pub(crate) proof: Option<PathBuf>,
    /// Write a proof for the checker VeriPB to this file, which ends in .pbp or .pbp.gz, and its formula beside it (.opb).
    #[arg(long, value_name = "FILE")]
    pub(crate) veripb: Option<PathBuf>,
    /// The recipe whose rows HiGHS takes: a name or the path of a TOML file [default: cube where it is valid, else base].
    #[arg(short, long, value_name = "RECIPE")]
    pub(crate) formulation: Option<String>,
    /// Accept only bounds verified by ndq's own checker (no floating-point solver results).
    #[arg(long)]
    pub(crate) certified: bool,
    /// With HiGHS, ask for exactly k + 1 queens (the main source's form) instead of at least k + 1.
    #[arg(long)]
    pub(crate) exactly: bool,
    /// With HiGHS, take published right sides as given instead of proving them first; the result is then conditional.
    #[arg(long)]
    pub(crate) assume_reported: bool,
    /// The certificate to begin with: cut, greedy, none (the best construction, or one that is kept here), or the path of a certificate file.
    #[arg(long, value_name = "FILE|cut|greedy|none", default_value = "none")]
    pub(crate) start: String,
    /// The solver: highs, microlp, cbc-lib (in builds with it); highs-cli, cbc, scip or gurobi as commands; or a command
    /// with {model} and {solution}, and perhaps {seconds}, {seed} and {threads}, such as
    /// "cbc {model} -solve -solution {solution}".
    #[arg(long, value_name = "NAME|COMMAND", value_parser = backend)]
    pub(crate) backend: Option<String>,
    #[command(flatten)]
    pub(crate) solver: Solver,
    #[command(flatten)]
    pub(crate) keep: Keep,
}

#[derive(Serialize)]
struct Result {
    #[serde(flatten)]
    record: Record,
    /// What the archive and publications say, when this run has not settled the question.
    known: Option<Known>,
    veripb: Option<Written>,
}

/// What is known of a board besides what a run has settled.
#[derive(Serialize)]
struct Known {
    /// The bounds of the archive: certificates, checked now, and proofs, which are not.
    archived: Vec<String>,
    published: Option<String>,
}

impl Known {
    fn of(board: &BoardName) -> Self {
        let lower = CertificateStore::of(Archive::here()).best(board);
        let lower = lower.map(|held| format!("alpha({board}) >= {} (checked: certificate)", held.size()));
        let row = Ledger::of(Archive::here()).ok().and_then(|ledger| ledger.lower(board));
        let upper = ledger::upper(board).or_else(|| boxes::lookup(board)).map(ToString::to_string);
        let published = known::lookup(board).map(|known| format!("{} [{}]", range(known), known.source));
        Self { archived: lower.into_iter().chain(row).chain(upper).collect(), published }
    }
}

/// `13`, or `172 to 195`.
fn range(known: &known::Known) -> String {
    let known::Known { lower, upper, .. } = known;
    if lower == upper { lower.to_string() } else { format!("{lower} to {upper}") }
}

/// A proof for VeriPB.
#[derive(Serialize)]
struct Written {
    file: String,
    nodes: u64,
    bytes: u64,
}

pub(crate) fn run(args: &Args, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    make_ready(args)?;
    let begin = Instant::now();
    let (proof, record) = prove(args, display)?;
    if let (Status::Open, Some(folder)) = (proof.status, &args.work) {
        let folder = folder.display();
        display.say(&format!(
            "boxes that are settled were kept in {folder}; the same command goes on with them"
        ));
    }
    if let Some((path, why)) = args.proof.as_deref().zip(no_proof(args, &proof)) {
        display.say(&format!("{} is not written: {why}", path.display()));
    }
    let known = (proof.status == Status::Open).then(|| Known::of(&record.question.board));
    let mut text = text(&proof, &record, known.as_ref())?;
    let (mut exit, mut written) = (exit(&proof, args.k), None);
    // What was found is told even if it cannot be kept.
    let mut keep = || -> anyhow::Result<()> {
        if let Some(path) = &args.keep.output {
            files::write(path, |file| write!(file, "{}", proof.certificate))?;
        }
        if let Some(folder) = &args.keep.record {
            let path = record.store(folder)?;
            display.say(&format!("record: {}", path.display()));
        }
        let Some(path) = &args.veripb else { return Ok(()) };
        match for_veripb(&proof, path, begin, args.solver.time_limit, display)? {
            Ok(veripb::Size { nodes, bytes }) => {
                let file = path.display().to_string();
                writeln!(
                    text,
                    "proof for VeriPB: {nodes} nodes, {bytes} bytes; to check it: ndq check {file}"
                )?;
                written = Some(Written { file, nodes, bytes });
            }
            Err(why) => {
                writeln!(text, "no proof for VeriPB was written: {why}")?;
                exit = Exit::Stopped;
            }
        }
        Ok(())
    };
    let kept = keep();
    let exit = super::judged(&record, exit);
    out.result(&Result { record, known, veripb: written }, &text)?;
    kept.map(|()| exit)
}

/// Why there is no proof to be kept.
fn no_proof(args: &Args, proof: &Proof) -> Option<&'static str> {
    match proof.kind {
        ProofKind::Drat { .. } => None,
        _ if args.engine == Some(Engine::Sat) && proof.status == Status::Open => Some("the run was stopped"),
        _ if args.engine == Some(Engine::Sat) => Some("no SAT solver was needed, or the run was stopped"),
        _ if proof.status == Status::Open && proof.boxes.is_none() => Some(
            "the run was stopped; --work keeps what is settled, and --node-limit ends with a proof of the bound",
        ),
        _ => None,
    }
}

/// Refuses names for the files of VeriPB and of SAT solvers that are none, and two outputs in one file.
fn make_ready(args: &Args) -> anyhow::Result<()> {
    let (mut formula, mut clauses) = (None, None);
    if let (Some(Engine::Sat), Some(path)) = (args.engine, &args.proof) {
        clauses = drat::formula_of(path);
        let Some(clauses) = &clauses else {
            bail!("{}: the name of a SAT solver's proof ends in .drat", path.display());
        };
        files::writable(clauses)?;
    }
    if let Some(path) = &args.veripb {
        formula = formula_of(path);
        let Some(formula) = &formula else {
            bail!("{}: the name of a proof for VeriPB ends in .pbp or .pbp.gz", path.display());
        };
        files::writable(path)?;
        files::writable(formula)?;
    }
    let outputs = [&formula, &args.veripb, &clauses, &args.proof, &args.keep.output];
    for (flag, number) in [("--proof", 2), ("--proof", 3), ("-o", 4)] {
        if let Some(path) = outputs[number]
            && outputs[..number].contains(&outputs[number])
        {
            bail!("{flag} names the file {}, which another output is to be written to", path.display());
        }
    }
    Ok(())
}

/// Writes the proof for VeriPB, of a maximum that has been proved; or tells why not.
fn for_veripb(
    proof: &Proof,
    path: &Path,
    begin: Instant,
    time_limit: Option<Duration>,
    display: &mut Display,
) -> anyhow::Result<std::result::Result<veripb::Size, String>> {
    if proof.certificate.size() as u64 != proof.upper {
        return Ok(Err("the maximum is open".to_owned()));
    }
    let board = Board::new(&proof.certificate.board);
    let squares: Vec<_> =
        proof.certificate.squares.iter().filter_map(|square| board.square(square)).collect();
    let deadline = Deadline::since(begin, time_limit);
    let written =
        veripb::write(&board, &squares, proof.boxes.as_ref(), path, veripb::LONG, deadline, &mut |event| {
            display.show(event)
        })?;
    Ok(written.map_err(|stop| format!("stopped ({stop})")))
}

fn exit(proof: &Proof, claimed: Option<u64>) -> Exit {
    match proof.status {
        Status::Conditional if claimed.is_some_and(|k| proof.upper < k) => Exit::No,
        Status::Proved | Status::Solved | Status::Conditional => Exit::Yes,
        Status::Refuted => Exit::No,
        Status::Open => Exit::Stopped,
    }
}

/// Proves, and makes the record.
pub(super) fn prove(args: &Args, display: &mut Display) -> anyhow::Result<(Proof, Record)> {
    let board = Board::new(&args.board);
    let options = args.solver.options();
    let for_highs = args.formulation.is_some()
        || args.backend.is_some()
        || args.exactly
        || args.assume_reported
        || args.solver.presolve.is_some()
        || args.solver.symmetry.is_some();
    let engine = args.engine.unwrap_or(if for_highs { Engine::Highs } else { Engine::Exact });
    if args.certified && engine == Engine::Highs {
        bail!(
            "--certified lets nothing count that only a solver says, and so not --engine highs and the flags for it"
        );
    }
    super::make_ready(&args.keep)?;
    if let Some(path) = &args.proof {
        files::writable(path)?;
    }
    let recipe = match engine {
        Engine::Exact | Engine::Sat => None,
        Engine::Highs => Some(super::recipe(args.formulation.as_deref(), &board)?),
    };
    let formulation = recipe.as_ref().map_or("none", |recipe| &recipe.name);
    let mut question = Question::new(Command::Prove, board.name(), formulation, &options);
    question.claimed = args.k;
    question.start.clone_from(&args.start);
    question.assume_reported = args.assume_reported;
    question.engine = engine_name(engine);
    question.backend = match engine {
        Engine::Exact | Engine::Sat => "none".to_owned(),
        Engine::Highs => args.backend.clone().unwrap_or(question.backend),
    };
    let proof = match recipe {
        None if for_highs => {
            bail!(
                "--formulation, --backend, --exactly, --assume-reported, --presolve and --symmetry are for --engine highs"
            )
        }
        None if engine == Engine::Sat => by_sat(args, &board, &options, display)?,
        Some(_) if args.work.is_some() => bail!("--work is for --engine exact"),
        None if args.work.is_some() && board.grid().is_none_or(Grid::is_torus) => {
            bail!("--work keeps boxes, and {} has none; ndq split proves a bound in parts", board.name())
        }
        Some(_) if args.proof.is_some() => bail!("--proof is for --engine exact; HiGHS gives no proof"),
        None if by_search(args) => {
            let known = match super::start(&board, &args.start, &[], options.seed)? {
                Some(start) => Some(Proof::given(&board, &start)?),
                None => None,
            };
            let exactly = Exactly {
                options,
                work: args.work.as_deref(),
                keep: args.proof.as_deref(),
                certified: args.certified,
            };
            prove::prove_exactly(&board, args.k, known, &exactly, &mut |event| display.show(event))?
        }
        None => {
            let proof = cheapest(args, &board, &options, display)?;
            if !matches!(proof.kind, ProofKind::Exact { .. } | ProofKind::Stopped) {
                CHEAPEST.clone_into(&mut question.engine);
            }
            proof
        }
        Some(recipe) => {
            super::refuse_to_construct(&board)?;
            let certificate = super::start(&board, &args.start, &[], options.seed)?;
            let claimed = Claimed {
                board: &board,
                recipe: &recipe,
                value: args.k,
                certificate: certificate.as_ref(),
                known: None,
                exactly: args.exactly,
                assume_reported: args.assume_reported,
                options,
                memory: args.solver.memory(),
                prior: ARCHIVE,
            };
            let backend = choice::backend(&question.backend)?;
            prove::prove(&claimed, &*backend, &mut |event| display.show(event))?
        }
    };
    question.exactly = args.exactly.then_some(proof.certificate.size() as u64 + 1);
    let record = Record {
        layout: record::LAYOUT,
        question,
        answer: proof.answer.clone(),
        provenance: Provenance::here(),
    };
    Ok((proof, record))
}

/// Whether something is asked for that only the search of the exact engine gives.
fn by_search(args: &Args) -> bool {
    args.engine.is_some()
        || args.work.is_some()
        || args.proof.is_some()
        || args.veripb.is_some()
        || args.solver.node_limit.is_some()
}

/// Goes from one means to the next until lower and upper bound meet: theorem, orbit LP, exact engine, and HiGHS for boards that
/// the engine does not take. The best bound that was checked goes along.
fn cheapest(args: &Args, board: &Board, options: &Options, display: &mut Display) -> anyhow::Result<Proof> {
    let begin = Instant::now();
    let start = super::start(board, &args.start, &[], options.seed)?;
    let watch = &mut |event: &_| display.show(event);
    let known = route::cheapest(board, args.k, start.as_ref(), options, ARCHIVE, watch)?;
    let too_large = board.size() > MOST_SQUARES;
    if known.status != Status::Open || known.stop != StopReason::Finished || too_large && args.certified {
        return Ok(known);
    }
    let left = options.time_limit.map(|limit| limit.saturating_sub(begin.elapsed()));
    let options = Options { time_limit: left, ..options.clone() };
    if !too_large {
        let exactly = Exactly { options, certified: args.certified, ..Exactly::default() };
        return Ok(prove::prove_exactly(board, args.k, Some(known), &exactly, watch)?);
    }
    let recipe = super::recipe(None, board)?;
    let claimed = Claimed {
        board,
        recipe: &recipe,
        value: args.k,
        certificate: None,
        known: Some(&known),
        exactly: false,
        assume_reported: false,
        options,
        memory: args.solver.memory(),
        prior: ARCHIVE,
    };
    match prove::prove(&claimed, &*choice::backend(HIGHS)?, watch) {
        Err(LabError::Formulation(fault @ FormulationError::TooLarge { .. })) => {
            display.say(&format!("HiGHS is not asked: {fault}"));
            Ok(known)
        }
        proof => Ok(proof?),
    }
}

const HIGHS: &str = "highs";

/// The engine of a record whose proof needed none.
pub(super) const CHEAPEST: &str = "cheapest";

/// Proves with a SAT solver.
#[cfg(feature = "sat")]
fn by_sat(args: &Args, board: &Board, options: &Options, display: &mut Display) -> anyhow::Result<Proof> {
    if args.work.is_some() {
        bail!("--work is for --engine exact");
    }
    if options.node_limit.is_some() || args.solver.threads != 1 {
        bail!("--node-limit and --threads mean nothing to the SAT solver");
    }
    super::refuse_to_construct(board)?;
    let start = super::start(board, &args.start, &[], options.seed)?;
    let watch = &mut |event: &_| display.show(event);
    Ok(prove::prove_by_sat(board, args.k, start.as_ref(), options, args.proof.as_deref(), watch)?)
}

/// Says how to get a SAT solver.
#[cfg(not(feature = "sat"))]
fn by_sat(_: &Args, _: &Board, _: &Options, _: &mut Display) -> anyhow::Result<Proof> {
    bail!("this build has no SAT solver; cargo build --release -p ndqueens --features sat makes one with it")
}

fn engine_name(engine: Engine) -> String {
    match engine {
        Engine::Exact => "exact".to_owned(),
        Engine::Highs => "highs".to_owned(),
        Engine::Sat => "sat".to_owned(),
    }
}

fn text(proof: &Proof, record: &Record, known: Option<&Known>) -> anyhow::Result<String> {
    let mut text = String::new();
    let words = Board::new(&record.question.board);
    let (board, lower, upper) = (words.name(), proof.certificate.size() as u64, proof.upper);
    let float = matches!(proof.kind, ProofKind::SolverRun { .. });
    match (proof.status, record.question.claimed) {
        (Status::Proved, _) => writeln!(text, "alpha({board}) = {lower}: proved")?,
        (Status::Solved, _) => {
            writeln!(text, "alpha({board}) = {lower}: solved in floating point, not certified")?;
        }
        (Status::Conditional, Some(k)) if upper < k => {
            writeln!(text, "alpha({board}) = {k}: refuted conditionally; at most {}", words.fitting(upper))?;
        }
        (Status::Conditional, _) => writeln!(text, "alpha({board}) = {lower}: holds conditionally")?,
        (Status::Refuted, Some(k)) if lower > k => {
            writeln!(text, "alpha({board}) = {k}: refuted; {}", words.fitting(lower))?;
        }
        (Status::Refuted, claimed) => {
            let k = claimed.unwrap_or_default();
            let how = if float { "refuted in floating point, not certified" } else { "refuted" };
            writeln!(text, "alpha({board}) = {k}: {how}; at most {}", words.fitting(upper))?;
        }
        (Status::Open, _) => {
            let why = match proof.stop {
                StopReason::Finished => "the board is too large for every engine that is left".to_owned(),
                stop => format!("stopped ({stop})"),
            };
            writeln!(text, "alpha({board}): not settled in this run, {why}; {lower} <= alpha <= {upper}")?;
        }
    }
    writeln!(
        text,
        "  lower bound  {lower}: a certificate, checked from the definition; {}",
        proof.certificate.origin
    )?;
    writeln!(text, "  upper bound  {upper}: {}", proof.kind)?;
    for lemma in &proof.lemmas {
        writeln!(text, "  lemma        {lemma}")?;
    }
    for condition in &proof.conditions {
        writeln!(text, "  holds if     {condition}")?;
    }
    if let Some(Known { archived, published }) = known {
        for bound in archived {
            writeln!(text, "  archive      {bound}")?;
        }
        if let Some(published) = published {
            writeln!(text, "  published    {published}")?;
        }
    }
    write_rest(&mut text, record)?;
    Ok(text)
}

/// Effort and the drawn certificate: what `solve` and `prove` end with.
pub(super) fn write_rest(text: &mut String, record: &Record) -> anyhow::Result<()> {
    let answer = &record.answer;
    let mut effort = Vec::new();
    effort.extend(answer.root_lp_bound.map(|bound| format!("root LP bound {bound:.4}")));
    effort.extend(answer.nodes.map(|nodes| counted(nodes, "node")));
    effort.extend(answer.lp_iterations.map(|iterations| counted(iterations, "LP iteration")));
    effort.push(format!("{:.2} s", answer.wall_seconds));
    effort.extend(answer.peak_memory_bytes.map(|bytes| format!("{} MiB", bytes >> 20)));
    effort.extend(answer.verdict.map(|verdict| match verdict {
        Verdict::SolvedNotVerified => "nothing published to compare with".to_owned(),
        Verdict::Ok => match known::lookup(&record.question.board) {
            Some(published) => format!("consistent with the published {}", range(published)),
            None => "nothing contradicts it".to_owned(),
        },
        Verdict::Better => "better than what is published".to_owned(),
        verdict => format!("verdict {verdict}"),
    }));
    writeln!(text, "{}", effort.join(", "))?;
    if let Some(certificate) = &answer.certificate {
        let certificate = Certificate::read(certificate, &record.question.board.opener())?;
        write!(text, "\n{}", super::certificate::drawn(&Board::new(&certificate.board), &certificate))?;
    }
    Ok(())
}
