//! Output files of `ndq prove`.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::bail;
use ndqueens_archive::beside::Beside;
use ndqueens_model::board::Board;
use ndqueens_system::cancel::Deadline;
use ndqueens_system::file;
use ndqueens_workflow::external_checker::drat;
use ndqueens_workflow::external_checker::veripb::formula_of;
use ndqueens_workflow::prove::veripb;
use ndqueens_workflow::prove::{ProofKind, ProofState, Status, vipr};
use ndqueens_workflow::record::{self as record, Record};
use ndqueens_workflow::run::Interruptible;
use schemars::JsonSchema;
use serde::Serialize;

use super::args::Maximum;
use crate::args::groups::Engine;
use crate::progress::Display;
use crate::schema::printed;

#[derive(JsonSchema, Serialize)]
pub(super) struct ProveResult {
    #[serde(flatten)]
    pub(super) record: Record,
    /// Bounds of the archive and of publications, if this run has not settled the question.
    pub(super) known: Option<Beside>,
    pub(super) veripb: Option<Written>,
}

printed!(ProveResult: "prove");

/// A proof for VeriPB.
#[derive(JsonSchema, Serialize)]
pub(super) struct Written {
    pub(super) file: String,
    pub(super) nodes: u64,
    pub(super) bytes: u64,
}

/// Checks the names of the output files. Returns an error if a name has the wrong ending, if its file cannot
/// be written, or if two outputs have the same name.
pub(super) fn make_ready(args: &Maximum) -> anyhow::Result<()> {
    let (mut formula, mut clauses) = (None, None);
    if let (Some(Engine::Sat), Some(path)) = (args.engine, &args.proof) {
        clauses = drat::formula_of(path);
        let Some(clauses) = &clauses else {
            bail!("{}: the name of a SAT solver's proof ends in .drat or .drat.gz", path.display());
        };
        file::writable(clauses)?;
    }
    if let (None | Some(Engine::Exact), Some(path)) = (args.engine, &args.proof)
        && drat::formula_of(path).is_some()
    {
        bail!("{}: a name that ends in .drat or .drat.gz is for --engine sat", path.display());
    }
    let is_for_tree = match args.engine {
        Some(engine) => engine == Engine::Lp,
        None => {
            args.formulation.is_some()
                || args.include.is_some()
                || args.branching.is_some()
                || args.cut_rounds.is_some()
        }
    };
    if let Some(path) = &args.proof
        && !is_for_tree
        && vipr::is_name(path)
    {
        bail!("{}: a name that ends in .vipr or .vipr.gz is for --engine lp", path.display());
    }
    if let Some(path) = &args.veripb {
        formula = formula_of(path);
        let Some(formula) = &formula else {
            bail!("{}: the name of a proof for VeriPB ends in .pbp or .pbp.gz", path.display());
        };
        file::writable(path)?;
        file::writable(formula)?;
    }
    let outputs = [&args.work, &formula, &args.veripb, &clauses, &args.proof, &args.outputs.output];
    for (flag, number) in [("--veripb", 2), ("--proof", 3), ("--proof", 4), ("-o", 5)] {
        if let Some(path) = outputs[number]
            && outputs[..number].contains(&outputs[number])
        {
            bail!("{flag} names the file {}, which another output is to be written to", path.display());
        }
    }
    if let Some(path) = &args.proof
        && args.engine != Some(Engine::Sat)
        && is_name_of_other_file(path)
    {
        bail!(
            "{}: the name of a proof ends in .proof or .proof.gz, and that of a VIPR file in .vipr or .vipr.gz",
            path.display()
        );
    }
    Ok(())
}

/// Returns `true` if a name has the ending of another kind of file.
fn is_name_of_other_file(path: &Path) -> bool {
    const ENDINGS: [&str; 14] = [
        ".cnf",
        ".col",
        ".csv",
        ".drat",
        ".gz.drat",
        ".gz.proof",
        ".gz.vipr",
        ".json",
        ".lp",
        ".mps",
        ".opb",
        ".pbp",
        ".toml",
        ".txt",
    ];
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// Returns the reason why no proof can be written, or `None` if one can be written.
pub(super) fn no_proof(args: &Maximum, record: &Record, proof: &ProofState) -> Option<&'static str> {
    match proof.kind {
        ProofKind::Drat { .. } => None,
        _ if args.engine == Some(Engine::Sat) && proof.status == Status::Open => Some("the run was stopped"),
        _ if args.engine == Some(Engine::Sat) => Some("no SAT solver was needed, or the run was stopped"),
        _ if matches!(record.question.engine, record::Engine::BranchAndBound { .. })
            && proof.status == Status::Open =>
        {
            Some("the run was stopped")
        }
        _ if matches!(record.question.engine, record::Engine::BranchAndBound { .. })
            && !matches!(proof.kind, ProofKind::BranchAndBound { .. }) =>
        {
            Some("the answer needs no tree")
        }
        _ if proof.status == Status::Open && proof.boxes.is_none() => Some(
            "the run was stopped; --work saves what is settled, and --node-limit ends with a proof of the bound",
        ),
        _ => None,
    }
}

/// Proof for VeriPB that was requested.
pub(super) enum VeriPbProof {
    Written(veripb::Size),
    /// Reason why it was not written.
    Omitted(String),
}

/// Writes the proof of a proved maximum for VeriPB.
pub(super) fn for_veripb(
    proof: &ProofState,
    path: &Path,
    begin: Instant,
    time_limit: Option<Duration>,
    display: &mut Display,
) -> anyhow::Result<VeriPbProof> {
    if proof.certificate.size() as u64 != proof.upper {
        return Ok(VeriPbProof::Omitted("the maximum is open".to_owned()));
    }
    let board = Board::new(&proof.certificate.board);
    let squares: Vec<_> =
        proof.certificate.squares.iter().filter_map(|square| board.square(square)).collect();
    let deadline = Deadline::since(begin, time_limit);
    let written =
        veripb::write(&board, &squares, proof.boxes.as_ref(), path, veripb::LONG, deadline, &mut |event| {
            display.show(event)
        })?;
    Ok(match written {
        Interruptible::Finished(size) => VeriPbProof::Written(size),
        Interruptible::Stopped(stop) => VeriPbProof::Omitted(format!("stopped ({stop})")),
    })
}
