//! Seeds, options and limits of a block of runs.

use std::time::Duration;

use ndqueens_solver::backends::Options;
use ndqueens_solver::backends::highs::{NativeOption, OptionError};
use toml::{Spanned, Value};

use crate::definition::{Block, Definition, DefinitionError};

/// Returns the seeds of a list, or the first seeds from 0 if the value is their number.
pub(super) fn seeds(definition: &Definition, value: &Spanned<Value>) -> Result<Vec<u32>, DefinitionError> {
    let fault = || {
        definition.fault_of(
            value,
            "seeds are how many, from 1 to 100000, or a list of numbers from 0 to 2147483647",
        )
    };
    let seed = |value: &Value| {
        let seed = value.as_integer().and_then(|n| u32::try_from(n).ok());
        seed.filter(|&n| n <= 2_147_483_647).ok_or_else(fault)
    };
    match value.get_ref() {
        Value::Integer(n @ 1..=100_000) => Ok((0..u32::try_from(*n).map_err(|_| fault())?).collect()),
        Value::Array(list) if !list.is_empty() => list.iter().map(seed).collect(),
        _ => Err(fault()),
    }
}

/// Maximum time limit of a run in seconds, about thirty years.
const MOST_SECONDS: f64 = 1e9;

/// Returns the options of a block without the seed, and checks its memory limit.
pub(super) fn options(definition: &Definition, block: &Block) -> Result<Options, DefinitionError> {
    let native = native_options(definition, block)?;
    let Block { threads, time_seconds, nodes, memory_mib, .. } = block;
    let ensure = |holds: bool, place, words: &str| match holds {
        true => Ok(()),
        false => Err(definition.fault(place, words)),
    };
    if let Some(threads) = threads {
        ensure((1..=1024).contains(threads.get_ref()), threads.span(), "threads are 1 to 1024")?;
    }
    if let Some(seconds) = time_seconds {
        let words = format!("a limit is a number of seconds from 0 to {MOST_SECONDS}");
        ensure((0.0..=MOST_SECONDS).contains(seconds.get_ref()), seconds.span(), &words)?;
    }
    if let Some(nodes) = nodes {
        let words = "a limit is at most 2147483647 nodes";
        ensure(*nodes.get_ref() <= 2_147_483_647, nodes.span(), words)?;
    }
    if let Some(mib) = memory_mib {
        let words = "a process needs at least 256 MiB of address space, and is given at most 1073741824";
        ensure((256..=1 << 30).contains(mib.get_ref()), mib.span(), words)?;
    }
    Ok(Options {
        threads: Some(threads.as_ref().map_or(1, |threads| *threads.get_ref())),
        time_limit: time_seconds.as_ref().map(|seconds| Duration::from_secs_f64(*seconds.get_ref())),
        node_limit: nodes.as_ref().map(|nodes| *nodes.get_ref()),
        presolve: block.presolve,
        symmetry: block.symmetry,
        native,
        ..Options::default()
    })
}

fn native_options(definition: &Definition, block: &Block) -> Result<Vec<NativeOption>, DefinitionError> {
    let texts = block.options.as_deref().unwrap_or_default();
    let parse = |text: &Spanned<String>| {
        let parsed = text.get_ref().parse();
        parsed.map_err(|error: OptionError| definition.fault_of(text, error.to_string()))
    };
    let options = texts.iter().map(parse).collect::<Result<Vec<_>, _>>()?;
    NativeOption::ensure_distinct(&options).map_err(|error| {
        let span = texts.last().map_or(0..0, Spanned::span);
        definition.fault(span, error.to_string())
    })?;
    Ok(options)
}
