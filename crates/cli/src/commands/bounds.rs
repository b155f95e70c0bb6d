//! `ndq bounds`

use std::ops::RangeInclusive;
use std::path::Path;

use anyhow::{Context as _, anyhow, bail};
use ndqueens_files as files;
use ndqueens_lab::archive::Archive;
use ndqueens_lab::bounds::{self, Bounds, Contradiction, Cube, Derivation, Extent, Side, Sources};
use ndqueens_lab::store::Store;
use ndqueens_model::known::{self, Known};
use serde::Serialize;

use super::Exit;
use crate::args::{self, Format};
use crate::output::{Output, log};

#[derive(Serialize)]
struct Why {
    board: String,
    lower: Derivation,
    upper: Derivation,
}

#[derive(Serialize)]
struct Contradicting {
    contradiction: bool,
    lower: Derivation,
    upper: Derivation,
}

pub(super) fn run(args: &args::Bounds, out: &mut Output) -> anyhow::Result<Exit> {
    let (dimensions, sides) = (args.d.clone(), args.n.clone());
    let values = args.values.as_deref().map(values).transpose()?.unwrap_or_default();
    let asked = args.why.into_iter().chain(values.iter().filter_map(|value| Cube::of(&value.board)));
    let extent = asked.fold(Extent { dimension: *dimensions.end(), side: *sides.end() }, Extent::with);
    args.output.as_deref().map_or(Ok(()), files::writable)?;
    let (certificates, refused) = Store::of(Archive::here()).read()?;
    for refused in refused {
        log(&format!("warning: {} is not used: {}", refused.path.display(), refused.why));
    }
    let reported = !(args.unpublished || args.certified);
    let sources = Sources { certificates, reported, checked_only: args.certified, values };
    let bounds = match Bounds::new(extent, &sources) {
        Ok(bounds) => bounds,
        Err(contradiction) => return contradicting(*contradiction, out),
    };
    if let Some(cube) = args.why {
        let [lower, upper] = [Side::Lower, Side::Upper].map(|side| bounds.why(cube, side));
        let text = format!("{lower}\n\n{upper}\n");
        out.result(&Why { board: cube.board().to_string(), lower, upper }, &text)?;
        return Ok(Exit::Yes);
    }
    let format = args.format.or(args.output.as_ref().map(|_| Format::Csv));
    let text = match format {
        None => bounds::text(&bounds, &dimensions, &sides),
        Some(Format::Csv) => bounds::data(&bounds, &dimensions, &sides).csv(),
        Some(Format::Markdown) => bounds::sheet(&bounds, &dimensions, &sides).markdown(),
        Some(Format::Latex) => bounds::sheet(&bounds, &dimensions, &sides).latex(),
    };
    if let Some(path) = &args.output {
        files::write(path, |file| file.write_all(text.as_bytes()))?;
    } else if out.json() {
        let data = bounds::data(&bounds, &dimensions, &sides);
        data.objects().try_for_each(|row| out.result(&row, ""))?;
    } else {
        out.result(&(), &text)?;
    }
    Ok(Exit::Yes)
}

/// Values in the form of `instances/known-values.csv`, of cubes.
fn values(path: &Path) -> anyhow::Result<Vec<Known>> {
    let place = || path.display().to_string();
    let values = known::read(&files::read(path)?).with_context(place)?;
    for value in &values {
        Cube::allowed(Cube::of(&value.board))
            .map_err(|fault| anyhow!("{}: {fault}", value.board))
            .with_context(place)?;
    }
    if values.is_empty() {
        bail!("{}: there are no values in it", place());
    }
    Ok(values)
}

fn contradicting(contradiction: Contradiction, out: &mut Output) -> anyhow::Result<Exit> {
    let Contradiction { lower, upper } = contradiction;
    log("error: a lower bound is above an upper bound, so one of the leaves below is wrong");
    let text = format!("{lower}\n\n{upper}\n");
    out.result(&Contradicting { contradiction: true, lower, upper }, &text)?;
    Ok(Exit::Failed)
}

/// A range such as `2..8`, both ends included, or a single number.
pub(crate) fn range<T>(text: &str, allowed: &RangeInclusive<T>) -> Result<RangeInclusive<T>, String>
where
    T: Copy + PartialOrd + std::fmt::Display + std::str::FromStr,
{
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let number = |text: &str| text.trim_start_matches('=').trim().parse::<T>().ok();
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last && allowed.contains(&first) && allowed.contains(&last) => {
            Ok(first..=last)
        }
        _ => Err(format!(
            "a number or a range such as {}..{} is needed, within {0} and {1}",
            allowed.start(),
            allowed.end()
        )),
    }
}
