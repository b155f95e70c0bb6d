//! Runs of an experiment as data of a page, column by column; a value that many runs share is written once.

use std::collections::HashMap;

use ndqueens_experiments::evaluation::{Evaluation, Run};
use ndqueens_experiments::table::{self, Layout};
use ndqueens_report::column::Data;
use serde_json::{Map, Value, json};

use crate::table::Head;

/// Limits on the data of a page.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Largest number of runs.
    runs: usize,
    /// Largest number of points of all traces, without the last point of each.
    points: usize,
}

impl Limits {
    /// Limits of all pages.
    pub(super) const PAGE: Self = Self { runs: 20_000, points: 60_000 };
}

/// Runs of a page.
pub(super) struct Runs<'e> {
    evaluation: &'e Evaluation,
    /// Places of the page's runs among all runs.
    places: Vec<usize>,
    limits: Limits,
}

impl<'e> Runs<'e> {
    /// Selects all runs in the order of the plan; if there are too many, failed runs are preferred.
    pub(super) fn of(evaluation: &'e Evaluation, limits: Limits) -> Self {
        let mut places: Vec<usize> = (0..evaluation.runs.len()).collect();
        if places.len() > limits.runs {
            places.sort_by_key(|&place| !evaluation.runs[place].has_failed());
            places.truncate(limits.runs);
            places.sort_unstable();
        }
        Self { evaluation, places, limits }
    }

    /// Returns the number of runs.
    pub(super) fn count(&self) -> usize {
        self.places.len()
    }

    /// Returns the columns of the raw rows, and the traces.
    pub(super) fn data(&self) -> Value {
        let data = table::data(self.evaluation, Layout::Raw);
        let Data { fields, mut rows } = data;
        let rows: Vec<Vec<String>> =
            self.places.iter().map(|&place| std::mem::take(&mut rows[place])).collect();
        let data = Data { fields, rows };
        let objects: Vec<Value> = data.objects().collect();
        let columns = data.fields.iter().map(|field| {
            let values = objects.iter().map(|object| object[field.name].clone()).collect();
            let Head { unit, .. } = Head::from(field);
            let mut column = pack(values);
            column.extend([
                ("name".to_owned(), field.name.into()),
                ("unit".to_owned(), unit.into()),
                ("meaning".to_owned(), field.meaning.into()),
            ]);
            Value::Object(column)
        });
        json!({"columns": columns.collect::<Vec<_>>(), "traces": self.traces()})
    }

    /// Returns the trace of every run: seconds, incumbent and dual bound of each point at which one of the
    /// bounds has changed.
    fn traces(&self) -> Vec<Value> {
        let runs: Vec<&Run> = self.places.iter().map(|&place| &self.evaluation.runs[place]).collect();
        let traces: Vec<Vec<[Value; 3]>> = runs.iter().map(|run| changes(run)).collect();
        let points: usize = traces.iter().map(Vec::len).sum();
        let every = points.div_ceil(self.limits.points).max(1);
        let thinned = traces.into_iter().map(|trace| {
            let last = trace.len().saturating_sub(1);
            let points =
                trace.into_iter().enumerate().filter(|(place, _)| place % every == 0 || *place == last);
            points.flat_map(|(_, point)| point).collect::<Value>()
        });
        thinned.collect()
    }
}

/// Returns the points at which the incumbent or the dual bound of a run changed.
fn changes(run: &Run) -> Vec<[Value; 3]> {
    let mut points: Vec<[Value; 3]> = Vec::new();
    let answer = &run.row.answer;
    let last = (answer.wall_seconds, answer.incumbent, answer.dual_bound);
    let trace = run.row.trace.iter().map(|point| (point.seconds, point.incumbent, point.dual_bound));
    let trace: Vec<_> = trace.chain([last]).collect();
    for (place, (seconds, incumbent, bound)) in trace.iter().enumerate() {
        let rounded = bound.map(|bound| (bound * 1e4).round() / 1e4);
        let point = [json!((seconds * 1e3).round() / 1e3), json!(incumbent), json!(rounded)];
        let changed = points.last().is_none_or(|before| before[1..] != point[1..]);
        if changed || place + 1 == trace.len() {
            points.push(point);
        }
    }
    points
}

/// Returns all values, or the distinct values with the place of each.
fn pack(values: Vec<Value>) -> Map<String, Value> {
    let mut different = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    let at: Vec<usize> = values
        .iter()
        .map(|value| {
            *places.entry(value.to_string()).or_insert_with(|| {
                different.push(value.clone());
                different.len() - 1
            })
        })
        .collect();
    let pairs = match different.len() {
        0 | 1 => vec![("of", Value::Array(different))],
        many if 2 * many <= values.len() => vec![("of", Value::Array(different)), ("at", json!(at))],
        _ => vec![("all", Value::Array(values))],
    };
    pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use ndqueens_system::note::Notes;

    #[test]
    fn a_page_of_too_many_runs_has_some_of_them_and_fewer_points() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../results/2026-11-21-small-boards/6-3");
        let evaluation = Evaluation::read(Path::new(folder), None, &Notes::default()).expect("an experiment");
        let page = |limits| {
            let runs = Runs::of(&evaluation, limits);
            let traces = runs.traces();
            let points = traces.iter().map(|trace| trace.as_array().map_or(0, Vec::len) / 3).sum::<usize>();
            assert_eq!(runs.count(), traces.len());
            (traces.len(), points)
        };
        let (runs, points) = page(Limits::PAGE);
        assert_eq!(runs, evaluation.runs.len());
        assert!(points > 3 * runs, "{points}");
        assert_eq!(page(Limits { runs: 3, ..Limits::PAGE }).0, 3);
        let (all, thinned) = page(Limits { points: points / 3, ..Limits::PAGE });
        assert_eq!(all, runs);
        assert!(thinned <= points / 3 + 2 * runs && thinned < points, "{thinned} of {points}");
    }

    #[test]
    fn a_value_that_many_runs_share_stands_there_once() {
        let packed = |values: Value| Value::Object(super::pack(values.as_array().expect("a list").clone()));
        assert_eq!(packed(json!(["a", "a", "a"])), json!({"of": ["a"]}));
        assert_eq!(packed(json!([1, null, 1, null])), json!({"of": [1, null], "at": [0, 1, 0, 1]}));
        assert_eq!(packed(json!([1, 2, 3])), json!({"all": [1, 2, 3]}));
        assert_eq!(packed(json!([])), json!({"of": []}));
    }
}
