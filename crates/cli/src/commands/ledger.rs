//! `ndq ledger`

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ndqueens_lab::ledger::{Ledger, LedgerError, Row, Side, Standing, Verified};
use ndqueens_model::name::BoardName;

use super::Exit;
use crate::args;
use crate::output::{Output, counted, log};

pub(super) fn run(args: &args::Ledger, out: &mut Output) -> anyhow::Result<Exit> {
    match args {
        args::Ledger::Add(add) => self::add(add, out),
        args::Ledger::Verify(ledger) => verify(ledger, out),
        args::Ledger::List(ledger) => list(ledger, out),
    }
}

fn add(args: &args::LedgerAdd, out: &mut Output) -> anyhow::Result<Exit> {
    let mut ledger = Ledger::read_or_begin(&args.ledger.ledger)?;
    let mut changed = false;
    let mut exit = Exit::Yes;
    for path in &args.files {
        let rows = match ledger.add(path, args.command.as_deref()) {
            Err(
                fault @ (LedgerError::Fault { .. }
                | LedgerError::Unproved { .. }
                | LedgerError::Refused { .. }),
            ) => {
                log(&format!("error: {fault}"));
                exit = Exit::No;
                continue;
            }
            rows => rows?,
        };
        if !rows.is_empty() {
            ledger.write()?;
            changed = true;
        }
        let path = path.display();
        if out.json() {
            rows.iter().try_for_each(|row| out.result(row, ""))?;
        } else if rows.is_empty() {
            out.result(&(), &format!("{path}: holds, and says nothing better than what the ledger has"))?;
        } else {
            let rows: Vec<String> = rows.iter().map(|row| format!("{path}: {}", bound(row))).collect();
            out.result(&(), &rows.join("\n"))?;
        }
    }
    if changed {
        log(&format!(
            "note: ndq bound --ledger {} reads the new rows now; every other command reads results/ledger.csv as it was when \
             ndq was built",
            args.ledger.ledger.display()
        ));
    }
    Ok(exit)
}

/// `alpha(6^4) <= 80`
fn bound(row: &Row) -> String {
    let relation = match row.side {
        Side::Lower => ">=",
        Side::Upper => "<=",
    };
    format!("alpha({}) {relation} {}, {}", row.board, row.value, row.kind)
}

fn list(args: &args::LedgerFile, out: &mut Output) -> anyhow::Result<Exit> {
    let ledger = Ledger::read(&args.ledger)?;
    if out.json() {
        ledger.rows().try_for_each(|row| out.result(row, ""))?;
        return Ok(Exit::Yes);
    }
    let mut text = String::new();
    for row in ledger.rows() {
        writeln!(text, "{} ({})", bound(row), row.file)?;
    }
    if !text.is_empty() {
        out.result(&(), &text)?;
    }
    Ok(Exit::Yes)
}

fn verify(args: &args::LedgerVerify, out: &mut Output) -> anyhow::Result<Exit> {
    let verified = Ledger::read(&args.ledger.ledger)?.verify();
    let refused: Vec<(&Row, &String)> = verified
        .iter()
        .filter_map(|one| match &one.standing {
            Standing::Refused(why) => Some((&one.row, why)),
            Standing::Checked | Standing::RestsOnNotRechecked | Standing::NotRechecked => None,
        })
        .collect();
    if out.json() {
        verified.iter().try_for_each(|one| out.result(one, ""))?;
    } else {
        let text = text(&verified)?;
        if !text.is_empty() {
            out.result(&(), &text)?;
        }
    }
    for (row, why) in &refused {
        log(&format!("error: {}: refused: {why}", bound(row)));
    }
    let count = |standing: &Standing| verified.iter().filter(|one| one.standing == *standing).count();
    let (away, above) = (count(&Standing::NotRechecked), count(&Standing::RestsOnNotRechecked));
    log(&format!(
        "{}: {} checked here, {above} checked and resting on what is not here, {away} not re-checked here, {} refused",
        counted(verified.len() as u64, "bound"),
        count(&Standing::Checked),
        refused.len()
    ));
    let enough = refused.is_empty() && !(args.certified && away + above > 0);
    Ok(if enough { Exit::Yes } else { Exit::No })
}

/// A line for each board, and what its bounds finally rest on.
fn text(verified: &[Verified]) -> Result<String, std::fmt::Error> {
    let mut boards: BTreeMap<&BoardName, [Option<&Verified>; 2]> = BTreeMap::new();
    for one in verified.iter().filter(|one| !matches!(one.standing, Standing::Refused(_))) {
        boards.entry(&one.row.board).or_default()[usize::from(one.row.side == Side::Upper)] = Some(one);
    }
    let mut text = String::new();
    for (board, [lower, upper]) in boards {
        let value = |one: &Option<&Verified>| one.map(|one| one.row.value);
        let says = match (value(&lower), value(&upper)) {
            (Some(lower), Some(upper)) if lower == upper => format!("alpha({board}) = {lower}"),
            (Some(lower), Some(upper)) => format!("{lower} <= alpha({board}) <= {upper}"),
            (Some(lower), None) => format!("alpha({board}) >= {lower}"),
            (None, upper) => format!("alpha({board}) <= {}", upper.unwrap_or_default()),
        };
        let rests_on: Vec<&str> = [lower, upper]
            .into_iter()
            .flatten()
            .flat_map(|one| one.foundation.iter().map(String::as_str))
            .collect();
        writeln!(text, "{says:32}  rests on {}", rests_on.join(", "))?;
    }
    Ok(text)
}
