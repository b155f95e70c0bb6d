//! Output of `ndq face`.

use ndqueens_model::board::{Board, Square};
use ndqueens_model::ilp::Comparison;
use ndqueens_notation::counted::counted;
use ndqueens_polytope::face::{Face, Verdict};
use ndqueens_polytope::halfspace::Halfspace;
use ndqueens_report::sheet::align_columns;
use ndqueens_system::cancel::Deadline;
use schemars::JsonSchema;
use serde::Serialize;

use super::input::{Polytope, RowOrbit};
use super::kept::Kept;
use crate::commands::Exit;
use crate::output::{Answer, Output};
use crate::schema::printed;

/// Inequality of one orbit, and its face.
pub(super) struct Examined {
    name: String,
    pub(super) halfspace: Halfspace,
    comparison: Comparison,
    rows: usize,
    images: usize,
    pub(super) face: Face,
}

impl Examined {
    pub(super) fn new(orbit: RowOrbit, face: Face) -> Self {
        let RowOrbit { name, halfspace, comparison, rows, images } = orbit;
        Self { name, halfspace, comparison, rows, images, face }
    }
}

/// Face of an inequality.
#[derive(JsonSchema, Serialize)]
struct FaceOfRow {
    board: String,
    /// Name of the first inequality of the orbit.
    name: String,
    inequality: String,
    /// Number of squares with a coefficient other than 0.
    squares: usize,
    rhs: i64,
    /// Number of the given inequalities that are in the orbit.
    rows: usize,
    /// Number of images under the symmetries of the board.
    images: usize,
    /// `facet`, `not a facet`, `whole polytope`, `invalid`, or `open` if the search was stopped.
    verdict: &'static str,
    /// Dimension of the face, -1 if it is empty; a lower bound if the verdict is `open`; null if the
    /// inequality is invalid.
    dimension: Option<i64>,
    /// Dimension of the polytope.
    of: i64,
    /// Reason why the inequality defines no facet.
    reason: Option<String>,
    /// Solution that violates the inequality.
    violated_by: Option<Vec<Vec<u32>>>,
}

printed!(FaceOfRow: "face");

/// Results of the examination.
pub(super) struct Report {
    head: String,
    dimension: i64,
    /// Number of orbits of inequalities, examined or not.
    orbits: usize,
    pub(super) examined: Vec<Examined>,
    pub(super) kept: Vec<Kept>,
}

impl Report {
    pub(super) fn new(board: &Board, polytope: &Polytope, orbits: usize) -> Self {
        let (head, dimension) = (polytope.describe(board), polytope.dimension(board));
        Self { head, dimension, orbits, examined: Vec::new(), kept: Vec::new() }
    }

    /// Returns the exit code: no if an inequality is invalid, stopped if something was not examined.
    pub(super) fn exit(&self) -> Exit {
        let verdicts = || self.examined.iter().map(|examined| &examined.face.verdict);
        let is_invalid = |verdict: &Verdict| matches!(verdict, Verdict::Invalid(_));
        let is_open = |verdict: &Verdict| matches!(verdict, Verdict::AtLeast(_));
        if verdicts().any(is_invalid) || self.kept.iter().any(|kept| !kept.complete) {
            Exit::No
        } else if verdicts().any(is_open) || self.examined.len() < self.orbits {
            Exit::Stopped
        } else {
            Exit::Yes
        }
    }

    /// Prints an object for each inequality, or a table.
    pub(super) fn print(&self, board: &Board, deadline: Deadline, out: &mut Output) -> anyhow::Result<()> {
        if out.json() {
            self.kept.iter().try_for_each(|kept| out.result(kept, ""))?;
            self.examined.iter().try_for_each(|examined| out.result(&self.object(board, examined), ""))?;
            return Ok(());
        }
        let mut details = format!("{}\n", self.head);
        if !self.examined.is_empty() {
            let heads = ["inequality", "squares", "rhs", "rows", "images", "dimension", "verdict"];
            let mut table = vec![heads.map(str::to_owned).to_vec()];
            table.extend(self.examined.iter().map(|examined| self.line(board, examined)));
            details += &align_columns(table, &[0, 6]);
        }
        for Kept { family, kept, sets, complete, .. } in &self.kept {
            let all = if *complete { "every set has" } else { "not every set has" };
            details += &format!("{family}: {kept} of {sets} sets satisfy it; {all} an image that does\n");
        }
        out.answer(&(), &Answer { details, verdict: self.verdict(deadline) })?;
        Ok(())
    }

    /// Returns the last line of the output.
    fn verdict(&self, deadline: Deadline) -> String {
        let number = |test: fn(&Verdict) -> bool| {
            self.examined
                .iter()
                .filter(|examined| test(&examined.face.verdict))
                .map(|e| e.rows)
                .sum::<usize>()
        };
        let facets = number(|verdict| *verdict == Verdict::Facet);
        let rows = number(|_| true);
        let invalid = number(|verdict| matches!(verdict, Verdict::Invalid(_)));
        let define = if facets == 1 || rows == 1 { "defines a facet" } else { "define facets" };
        let is_stopped = self.examined.len() < self.orbits;
        let examined = if is_stopped { "examined " } else { "" };
        let rows = counted(rows as u64, "inequality").replacen(' ', &format!(" {examined}"), 1);
        let mut parts = vec![format!("{facets} of {rows} {define}")];
        if invalid > 0 {
            parts.push(format!("{invalid} invalid"));
        }
        let open = number(|verdict| matches!(verdict, Verdict::AtLeast(_)));
        if open > 0 {
            parts.push(format!("{open} open"));
        }
        if is_stopped {
            let reason = if deadline.is_over() { "time limit" } else { "interrupted" };
            let left = self.orbits - self.examined.len();
            parts.push(format!("stopped ({reason}) with {} to examine", counted(left as u64, "orbit")));
        }
        parts.join("; ")
    }

    /// Returns the line of an inequality in the table.
    fn line(&self, board: &Board, examined: &Examined) -> Vec<String> {
        let Examined { name, halfspace, comparison, rows, images, face } = examined;
        let dimension = match &face.verdict {
            Verdict::Invalid(_) => "-".to_owned(),
            Verdict::AtLeast(_) => format!(">= {}", face.dimension),
            _ => face.dimension.to_string(),
        };
        let verdict = match &face.verdict {
            Verdict::Facet => "facet".to_owned(),
            Verdict::Whole => "whole polytope".to_owned(),
            Verdict::NotFacet(reason) => {
                format!("not a facet: {}", reason.format(board, halfspace, *comparison))
            }
            Verdict::Invalid(set) => format!("invalid: violated by {}", format_set(board, set)),
            Verdict::AtLeast(cause) => format!("open: {cause}"),
        };
        let (squares, rhs) = (halfspace.support().len().to_string(), self.rhs(examined).to_string());
        vec![name.clone(), squares, rhs, rows.to_string(), images.to_string(), dimension, verdict]
    }

    /// Returns the right-hand side as given.
    fn rhs(&self, examined: &Examined) -> i64 {
        let rhs = examined.halfspace.rhs;
        if examined.comparison == Comparison::AtLeast { -rhs } else { rhs }
    }

    /// Returns the object of an inequality.
    fn object(&self, board: &Board, examined: &Examined) -> FaceOfRow {
        let Examined { name, halfspace, comparison, rows, images, face } = examined;
        let (mut reason, mut violated_by) = (None, None);
        let verdict = match &face.verdict {
            Verdict::Facet => "facet",
            Verdict::Whole => "whole polytope",
            Verdict::NotFacet(why) => {
                reason = Some(why.format(board, halfspace, *comparison));
                "not a facet"
            }
            Verdict::Invalid(set) => {
                violated_by = Some(set.iter().map(|&square| board.coordinates(square)).collect());
                "invalid"
            }
            Verdict::AtLeast(cause) => {
                reason = Some(cause.to_string());
                "open"
            }
        };
        FaceOfRow {
            board: board.name().to_string(),
            name: name.clone(),
            inequality: halfspace.format_as(board, *comparison),
            squares: halfspace.support().len(),
            rhs: self.rhs(examined),
            rows: *rows,
            images: *images,
            verdict,
            dimension: violated_by.is_none().then_some(face.dimension),
            of: self.dimension,
            reason,
            violated_by,
        }
    }
}

/// Formats a set of squares.
fn format_set(board: &Board, set: &[Square]) -> String {
    if set.is_empty() {
        return "the empty set".to_owned();
    }
    set.iter().map(|&square| board.label(square)).collect::<Vec<_>>().join(" ")
}
