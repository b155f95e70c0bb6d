//! Derivations: a fact with its premises, recursively down to leaves.

use std::collections::HashMap;
use std::fmt::{self, Write as _};

use ndqueens_model::facts::Side;
use schemars::JsonSchema;
use serde::Serialize;

use super::facts::{Bounds, Fact, FactId, Strength};

/// Derivation of a fact: the fact itself, followed by those it rests on, each after the facts that use it.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub struct Derivation {
    /// Steps; each refers to its premises by their indices in this list.
    pub steps: Vec<Step>,
}

/// A fact of a derivation.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub struct Step {
    /// The fact, such as `alpha(4^3) <= 8`.
    pub fact: String,
    /// Side of the bound.
    pub side: Side,
    /// The bound, in queens.
    pub value: u128,
    /// Strength of the facts that it rests on.
    #[serde(rename = "status")]
    pub strength: Strength,
    /// Origin of a leaf, or rule of another step.
    pub reason: String,
    /// Indices of the premises; empty for a leaf.
    pub premises: Vec<usize>,
}

impl Bounds {
    pub(super) fn derivation_of(&self, id: FactId) -> Derivation {
        let mut indices = HashMap::from([(id, 0)]);
        let mut ids = vec![id];
        let mut next = 0;
        let mut steps = Vec::new();
        while next < ids.len() {
            let fact: &Fact = &self.facts[ids[next]];
            let premises = fact.premises.iter().map(|&premise| {
                *indices.entry(premise).or_insert_with(|| {
                    ids.push(premise);
                    ids.len() - 1
                })
            });
            steps.push(Step {
                premises: premises.collect(),
                fact: fact.to_string(),
                side: fact.side,
                value: fact.value,
                strength: fact.strength,
                reason: fact.reason.clone(),
            });
            next += 1;
        }
        Derivation { steps }
    }
}

/// Writes the derivation as a tree. A fact that appears again is written without its premises.
impl fmt::Display for Derivation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut is_written = vec![false; self.steps.len()];
        let mut text = String::new();
        self.write_tree(&mut text, 0, "", "", &mut is_written)?;
        f.write_str(text.trim_end())
    }
}

impl Derivation {
    fn write_tree(
        &self,
        out: &mut String,
        at: usize,
        before: &str,
        below: &str,
        is_written: &mut [bool],
    ) -> fmt::Result {
        let Step { fact, strength, reason, premises, .. } = &self.steps[at];
        write!(out, "{before}{fact}  [{strength}] {reason}")?;
        if std::mem::replace(&mut is_written[at], true) && !premises.is_empty() {
            return writeln!(out, ", as above");
        }
        out.push('\n');
        for (i, &premise) in premises.iter().enumerate() {
            let (branch, stem) =
                if i + 1 == premises.len() { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            self.write_tree(
                out,
                premise,
                &format!("{below}{branch}"),
                &format!("{below}{stem}"),
                is_written,
            )?;
        }
        Ok(())
    }
}
