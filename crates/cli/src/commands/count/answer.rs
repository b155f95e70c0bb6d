//! Answers of the counting methods, and their comparison.

use std::path::Path;
use std::time::Instant;

use ndqueens_crosscheck::proof::ProofResult;
use ndqueens_notation::counted::counted;
use ndqueens_workflow::count::Counted;
use ndqueens_workflow::evidence::tree;
use num_bigint::BigUint;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::commands::Exit;
use crate::output::log;
use crate::schema::printed;

pub(super) const FAST: &str = "exact engine: every solution met up to symmetry, shares added up exactly";
pub(super) const BRON_KERBOSCH: &str = "Bron-Kerbosch with pivot, every maximum solution visited";
pub(super) const BRON_KERBOSCH_DEGENERACY: &str =
    "Bron-Kerbosch with pivot after a degeneracy ordering, every maximum solution visited";
pub(super) const MAXIMUM_CLIQUE: &str =
    "branch and bound with a colouring bound, the maximum alone, its solution checked";
/// Reason why solutions up to symmetry are not counted.
pub(super) const UNKNOWN_GROUP: &str =
    "the symmetry group is not known, as of graphs and of drawings in seven dimensions or more";
pub(super) const LARGE_GROUP: &str = "the symmetry group is too large to be listed";
pub(super) const RECURSION: &str = "plain recursion, every independent set built, none counted";

/// Result of one method.
#[derive(Debug, Clone, Default, JsonSchema, Serialize, PartialEq)]
pub(super) struct MethodCount {
    pub(super) method: &'static str,
    /// The independence number; null if the size of the solutions was given.
    pub(super) independence_number: Option<u64>,
    /// Number of solutions, as a string if it exceeds 64 bits; null for plain recursion, which does not
    /// count.
    pub(super) solutions: Option<Value>,
    pub(super) solutions_up_to_symmetry: Option<Value>,
    /// `true` if the method finished.
    pub(super) finished: bool,
    pub(super) seconds: f64,
}

#[derive(Default, JsonSchema, Serialize)]
pub(super) struct Summary {
    pub(super) board: String,
    pub(super) size: Option<u64>,
    /// Reason for which solutions up to symmetry are not counted.
    pub(super) no_orbits: Option<&'static str>,
    /// Order of the symmetry group; null if it is not known.
    pub(super) group_order: Option<u128>,
    /// Orders of stabilisers in the symmetry group, each with the number of solutions up to symmetry that
    /// have a stabiliser of this order.
    pub(super) stabilisers: Option<Vec<(u64, Value)>>,
    /// Squares that no solution occupies.
    pub(super) forbidden_squares: Option<usize>,
    pub(super) completion_threshold: Option<ThresholdSummary>,
    /// Number of parts that were read from the folder and not searched in this run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) taken_parts: Option<usize>,
    /// The requested proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) proof: Option<ProofSummary>,
    pub(super) methods: Vec<MethodCount>,
}

printed!(Summary: "count");

/// A proof that lists all solutions and shows that there are no others, checked by crosscheck.
#[derive(JsonSchema, Serialize)]
pub(super) struct ProofSummary {
    status: Status,
    /// The kind of proof.
    kind: &'static str,
    file: String,
    /// Number of nodes of all its trees.
    nodes: u64,
    /// Number of bounds of boxes that it proves on the way.
    boxes: u64,
    /// `true` if the proof also shows that no more queens fit.
    maximum: bool,
}

impl ProofSummary {
    pub(super) fn new(file: &Path, proved: &ProofResult) -> Self {
        let (nodes, boxes) = (proved.nodes(), proved.boxes());
        let maximum = proved.count().is_some_and(|count| count.no_more_fit);
        let file = file.display().to_string();
        Self { status: Status::Proved, kind: tree::NAME, file, nodes, boxes, maximum }
    }

    pub(super) fn words(&self) -> String {
        let Self { kind, file, nodes, .. } = self;
        format!("proved: these and no others; {kind} of {}, {file}, checked", counted(*nodes, "node"))
    }
}

/// Status of a count that has a proof.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "lowercase")]
enum Status {
    Proved,
}

#[derive(JsonSchema, Serialize)]
pub(super) struct ThresholdSummary {
    /// The threshold; null if the search for it was stopped.
    pub(super) value: Option<usize>,
    /// Lower bound on the threshold: every non-attacking set of this many queens is part of a maximum
    /// solution.
    pub(super) at_least: usize,
    /// A smallest non-attacking set that no maximum solution contains; null if every one is part of a maximum
    /// solution, or if the search was stopped.
    pub(super) witness: Option<Vec<Vec<u32>>>,
}

impl MethodCount {
    pub(super) fn unfinished(method: &'static str, begin: Instant) -> Self {
        Self { method, seconds: begin.elapsed().as_secs_f64(), ..Self::default() }
    }
}

pub(super) fn fast_answer(counted: &Counted, seconds: f64) -> MethodCount {
    MethodCount {
        method: FAST,
        independence_number: counted.maximum.then_some(counted.size),
        solutions: Some(number(&counted.solutions())),
        solutions_up_to_symmetry: counted.up_to_symmetry().as_ref().map(number),
        finished: true,
        seconds,
    }
}

/// Converts a number to JSON; numbers beyond 64 bits become strings, because most JSON readers would round
/// them.
pub(super) fn number(number: &BigUint) -> Value {
    u64::try_from(number).map_or_else(|_| json!(number.to_string()), |number| json!(number))
}

/// Returns `true` if no two methods report different numbers.
pub(super) fn agree(methods: &[MethodCount]) -> bool {
    let agree = |get: &dyn Fn(&MethodCount) -> Option<Value>| {
        let mut known = methods.iter().filter_map(get);
        known.next().is_none_or(|first| known.all(|other| other == first))
    };
    agree(&|answer| answer.independence_number.map(|number| json!(number)))
        && agree(&|answer| answer.solutions.clone())
        && agree(&|answer| answer.solutions_up_to_symmetry.clone())
}

/// Returns the exit code of a count. Methods that disagree are an error of the program.
pub(super) fn verdict(summary: &Summary) -> Exit {
    let methods = &summary.methods;
    if !agree(methods) {
        log("error: the methods disagree; one of them is wrong");
        return Exit::Failed;
    }
    let finished = methods.iter().all(|answer| answer.finished)
        && summary.completion_threshold.as_ref().is_none_or(|threshold| threshold.value.is_some());
    if finished { Exit::Yes } else { Exit::Stopped }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_that_disagree_are_a_failure() {
        let summary = |methods| Summary { board: "4^2".to_owned(), methods, ..Summary::default() };
        let answer = |number: Option<u64>, solutions: Option<u64>| MethodCount {
            independence_number: number,
            solutions: solutions.map(|solutions| json!(solutions)),
            finished: number.is_some(),
            ..MethodCount::unfinished(RECURSION, Instant::now())
        };
        for (second, exit) in [
            ((Some(4), Some(16)), Exit::Yes),
            ((Some(4), None), Exit::Yes),
            ((Some(5), None), Exit::Failed),
            ((Some(4), Some(17)), Exit::Failed),
            ((None, None), Exit::Stopped),
        ] {
            let methods = vec![answer(Some(4), Some(16)), answer(second.0, second.1)];
            assert_eq!(verdict(&summary(methods)), exit);
        }
    }
}
