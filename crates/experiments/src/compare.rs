//! Compares two sets of runs pairwise and tests if the differences are significant.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ndqueens_notation::counted::counted;
use ndqueens_report::sheet::align_columns;
use schemars::JsonSchema;
use serde::Serialize;

use crate::evaluation::{Evaluation, Run, SHIFT_COUNT, SHIFT_SECONDS};
use crate::statistics::{holm, shifted_geometric_mean, signed_rank};

/// Quantity that is compared.
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// Seconds.
    Seconds,
    /// Branch-and-bound nodes, which do not depend on the load of the machine; those of different solvers are
    /// not compared.
    Nodes,
    /// Simplex iterations; those of different solvers are not compared.
    LpIterations,
}

impl Effort {
    fn of(self, run: &Run) -> Option<f64> {
        match self {
            Self::Seconds => Some(run.seconds),
            Self::Nodes => run.row.answer.nodes.map(|n| n as f64),
            Self::LpIterations => run.row.answer.lp_iterations.map(|n| n as f64),
        }
    }

    fn shift(self) -> f64 {
        if self == Self::Seconds { SHIFT_SECONDS } else { SHIFT_COUNT }
    }

    /// Returns the name shown to users.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Seconds => "seconds",
            Self::Nodes => "nodes",
            Self::LpIterations => "simplex iterations",
        }
    }
}

/// Significance level: a difference with a smaller p-value is called significant.
pub const LEVEL: f64 = 0.05;

/// Pairs of runs, each of the same question with the same seed.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Pairs {
    /// Name of the configuration, or `all`.
    pub name: String,
    /// Number of pairs.
    pub pairs: usize,
    /// Number of pairs in which both runs are solved.
    pub both_solved: usize,
    /// Number of pairs in which only the first run is solved.
    pub only_first: usize,
    /// Number of pairs in which only the second run is solved.
    pub only_second: usize,
    /// Number of pairs that the test leaves out: neither run is solved, one stopped before the other
    /// finished, a count is missing, or the counts are of different solvers.
    pub left_out: usize,
    /// `true` if the measure means the same in both runs of at least one pair, or if there are no pairs;
    /// nodes and iterations of different solvers are not comparable.
    pub comparable: bool,
    /// Shifted geometric mean over the first runs of the tested pairs.
    pub first: Option<f64>,
    /// `true` if the mean over the first runs is only a lower bound, because one of them is not solved.
    pub first_at_least: bool,
    /// Shifted geometric mean over the second runs of the tested pairs.
    pub second: Option<f64>,
    /// `true` if the mean over the second runs is only a lower bound, because one of them is not solved.
    pub second_at_least: bool,
    /// Number of tested pairs with a nonzero difference.
    #[serde(rename = "differing")]
    pub nonzero_differences: usize,
    /// `true` if the ranks of the test favour the second runs.
    pub second_takes_less: bool,
    /// Two-sided p-value of the signed-rank test on differences of logarithms; null if no pair is tested.
    pub p: Option<f64>,
    /// The p-value, adjusted for several tests.
    #[serde(rename = "p_raised")]
    pub p_adjusted: Option<f64>,
    /// `true` if `p` is exact.
    pub exact: bool,
}

impl Pairs {
    fn of(name: String, runs: &[(&Run, &Run)], effort: Effort) -> Self {
        let same =
            |(first, second): &&(&Run, &Run)| effort == Effort::Seconds || solver(first) == solver(second);
        let comparable = runs.is_empty() || runs.iter().any(|pair| same(&pair));
        let mut tested = Vec::new();
        let (mut first_at_least, mut second_at_least) = (false, false);
        for (first, second) in runs.iter().filter(same) {
            let (Some(a), Some(b)) = (effort.of(first), effort.of(second)) else { continue };
            let comparable = match (first.solved, second.solved) {
                (true, true) => true,
                // An unsolved run would take at least as much as it has taken so far.
                (true, false) => a <= b,
                (false, true) => b <= a,
                (false, false) => false,
            };
            if comparable {
                tested.push((a, b));
                first_at_least |= !first.solved;
                second_at_least |= !second.solved;
            }
        }
        let shift = effort.shift();
        let differences: Vec<f64> = tested.iter().map(|(a, b)| (a + shift).ln() - (b + shift).ln()).collect();
        let test = signed_rank(&differences);
        let geometric = |which: &dyn Fn(&(f64, f64)) -> f64| {
            shifted_geometric_mean(&tested.iter().map(which).collect::<Vec<_>>(), shift)
        };
        let p = Some(test.p).filter(|_| !tested.is_empty());
        let count = |solved: (bool, bool)| {
            runs.iter().filter(|(first, second)| (first.solved, second.solved) == solved).count()
        };
        Self {
            name,
            pairs: runs.len(),
            both_solved: count((true, true)),
            only_first: count((true, false)),
            only_second: count((false, true)),
            left_out: runs.len() - tested.len(),
            comparable,
            first: geometric(&|pair| pair.0),
            first_at_least,
            second: geometric(&|pair| pair.1),
            second_at_least,
            nonzero_differences: test.nonzero_differences,
            second_takes_less: test.positive
                > (test.nonzero_differences * (test.nonzero_differences + 1)) as f64 / 4.0,
            p,
            p_adjusted: p,
            exact: test.exact,
        }
    }

    /// Returns the second mean as a multiple of the first one, or `None` if it is undefined.
    #[must_use]
    pub fn ratio(&self) -> Option<f64> {
        let (first, second) = self.first.zip(self.second)?;
        (first > 0.0).then_some(second / first)
    }

    /// Returns the conclusion from the test as a short phrase.
    #[must_use]
    pub fn words(&self) -> String {
        if self.pairs == 0 {
            return "nothing to compare".to_owned();
        }
        if !self.comparable {
            return "not comparable: another solver, which counts other things".to_owned();
        }
        if self.pairs == self.left_out {
            return "no pair can be compared: not solved, or not counted".to_owned();
        }
        if self.nonzero_differences == 0 {
            return "no difference at all".to_owned();
        }
        // With all signs equal, p is 2 / 2^pairs.
        let least = 2.0 * 0.5_f64.powi(i32::try_from(self.nonzero_differences).unwrap_or(i32::MAX));
        if least >= LEVEL {
            let pairs = self.nonzero_differences;
            return format!(
                "too few pairs: with {}, p is never below {least:.2}",
                counted(pairs, "differing pair")
            );
        }
        if self.p_adjusted.is_none_or(|p| p >= LEVEL) {
            return "not significant".to_owned();
        }
        let less = if self.second_takes_less { "B" } else { "A" };
        format!("significant: {less} takes less")
    }
}

/// Returns the backend, whose nodes and iterations are comparable across its versions.
fn solver(run: &Run) -> &str {
    run.row.planned.backend()
}

/// Comparison of pairs of runs, overall and for each configuration.
#[derive(Debug)]
pub struct Comparison {
    /// Name of the first set of runs.
    pub first: String,
    /// Name of the second set of runs.
    pub second: String,
    /// Quantity that is compared.
    pub effort: Effort,
    /// All pairs, then those of each configuration; or the pairs of each configuration with the reference.
    pub groups: Vec<Pairs>,
    /// Number of runs of either set without a counterpart.
    pub alone: usize,
    /// Other differences between the two sets: hosts, solvers, commits.
    pub remarks: Vec<String>,
}

/// Compares the runs of two folders that have the same question, configuration and seed.
#[must_use]
pub fn folders(a: &Evaluation, b: &Evaluation, names: (&str, &str), effort: Effort) -> Comparison {
    let by_key = |evaluation: &'_ Evaluation| -> BTreeMap<String, usize> {
        evaluation.runs.iter().enumerate().map(|(at, run)| (run.row.planned.key(), at)).collect()
    };
    let second = by_key(b);
    let pairs: Vec<(&Run, &Run)> =
        a.runs.iter().filter_map(|run| Some((run, &b.runs[*second.get(&run.row.planned.key())?]))).collect();
    let mut groups = vec![Pairs::of("all".to_owned(), &pairs, effort)];
    for (configuration, name) in a.configurations.iter().enumerate() {
        let of_configuration: Vec<_> =
            pairs.iter().copied().filter(|(run, _)| run.configuration == configuration).collect();
        if !of_configuration.is_empty() && a.configurations.len() > 1 {
            groups.push(Pairs::of(name.clone(), &of_configuration, effort));
        }
    }
    adjust(&mut groups[1..]);
    Comparison {
        first: names.0.to_owned(),
        second: names.1.to_owned(),
        effort,
        groups,
        alone: a.runs.len() + b.runs.len() - 2 * pairs.len(),
        remarks: remarks(a, b),
    }
}

/// Compares every configuration of a folder with the reference, on the same boards and seeds.
#[must_use]
pub fn configurations(evaluation: &Evaluation, effort: Effort) -> Comparison {
    let of = |configuration: usize| -> BTreeMap<(usize, u32), &Run> {
        let runs = evaluation.runs.iter().filter(|run| run.configuration == configuration);
        runs.map(|run| ((run.board, run.seed()), run)).collect()
    };
    let reference = of(evaluation.reference);
    let mut groups = Vec::new();
    for (configuration, name) in evaluation.configurations.iter().enumerate() {
        let is_other_kind =
            evaluation.is_relaxation(configuration) != evaluation.is_relaxation(evaluation.reference);
        if configuration != evaluation.reference && !is_other_kind {
            let runs = of(configuration);
            let pairs: Vec<_> =
                reference.iter().filter_map(|(pair, run)| Some((*run, *runs.get(pair)?))).collect();
            groups.push(Pairs::of(name.clone(), &pairs, effort));
        }
    }
    adjust(&mut groups);
    let first = evaluation.configurations.get(evaluation.reference).cloned().unwrap_or_default();
    let second = "each configuration".to_owned();
    Comparison { first, second, effort, groups, alone: 0, remarks: Vec::new() }
}

fn adjust(groups: &mut [Pairs]) {
    // Holm's method counts only the groups that are tested.
    let raised = holm(&groups.iter().filter_map(|pairs| pairs.p).collect::<Vec<_>>());
    let tested = groups.iter_mut().filter(|pairs| pairs.p.is_some());
    for (pairs, p) in tested.zip(raised) {
        pairs.p_adjusted = Some(p);
    }
}

fn remarks(a: &Evaluation, b: &Evaluation) -> Vec<String> {
    type Fact = fn(&Run) -> Option<&str>;
    let facts: [(&str, Fact); 3] = [
        ("hosts", |run| Some(&run.row.provenance.host)),
        ("solvers", |run| run.row.answer.solver.as_deref()),
        ("commits", |run| Some(&run.row.provenance.commit)),
    ];
    let mut remarks = Vec::new();
    for (what, fact) in facts {
        let all = |evaluation: &Evaluation| {
            let values: std::collections::BTreeSet<_> =
                evaluation.runs.iter().filter_map(|run| fact(run).map(str::to_owned)).collect();
            values.into_iter().collect::<Vec<_>>().join(", ")
        };
        let (first, second) = (all(a), all(b));
        if first != second {
            remarks.push(format!("the {what} differ: {first}; {second}"));
        }
    }
    remarks
}

impl Pairs {
    /// Returns the row of the table of a comparison.
    fn cells(&self) -> Vec<String> {
        let number = |sign: &str, value: Option<f64>| {
            value.map_or_else(|| "-".to_owned(), |value| format!("{sign}{value:.2}"))
        };
        let at_least = |unsolved: bool| if unsolved { "> " } else { "" };
        let ratio = match (self.first_at_least, self.second_at_least) {
            (false, at_least_second) => number(at_least(at_least_second), self.ratio()),
            (true, false) => number("< ", self.ratio()),
            (true, true) => number("", None),
        };
        let p = match self.p_adjusted {
            None => "-".to_owned(),
            Some(p) if p < 0.0001 => "<0.0001".to_owned(),
            Some(p) if self.exact => format!("{p:.4}"),
            Some(p) => format!("~{p:.4}"),
        };
        let counts = [self.pairs, self.both_solved, self.only_first, self.only_second, self.left_out];
        let mut row = vec![self.name.clone()];
        row.extend(counts.map(|n| n.to_string()));
        row.push(number(at_least(self.first_at_least), self.first));
        row.push(number(at_least(self.second_at_least), self.second));
        row.extend([ratio, p, self.words()]);
        row
    }
}

impl Comparison {
    /// Returns the comparison as text: a table followed by notes.
    #[must_use]
    pub fn text(&self, clock: impl std::fmt::Display) -> String {
        let Self { first, second, effort, groups, alone, remarks } = self;
        if groups.is_empty() {
            return "there is nothing to compare: no two configurations have runs\n".to_owned();
        }
        let mut out = String::new();
        let mut line = |text: String| writeln!(out, "{text}").expect("a text grows");
        let what = match effort {
            Effort::Seconds => format!("seconds of {clock}"),
            _ => effort.name().to_owned(),
        };
        line(format!("A = {first}, B = {second}: {what}"));
        line(format!(
            "Wilcoxon signed-rank test, two-sided, of the differences of log({} + {}); p of several configurations raised by Holm's method",
            effort.name(),
            effort.shift()
        ));
        let heads = ["", "pairs", "solved by both", "only A", "only B", "left out", "A", "B", "B/A", "p", ""];
        let mut rows = vec![heads.map(str::to_owned).to_vec()];
        rows.extend(groups.iter().map(Pairs::cells));
        out += &align_columns(rows, &[0, heads.len() - 1]);
        let mut line = |text: String| writeln!(out, "{text}").expect("a text grows");
        line("A and B are shifted geometric means over the pairs that are tested.".to_owned());
        if groups.iter().any(|pairs| pairs.first_at_least || pairs.second_at_least) {
            line("> means at least, < at most: unsolved runs count with what they took.".to_owned());
        }
        if *effort == Effort::Seconds {
            line("The test knows of chance, not of what else the machine was doing meanwhile; counts do not suffer from that.".to_owned());
        }
        if groups.iter().any(|pairs| !pairs.comparable) {
            line(format!(
                "The {} of different solvers are not the same thing and are not compared; --by seconds compares them.",
                effort.name()
            ));
        }
        if *alone > 0 {
            line(format!("{} without a counterpart.", counted(*alone, "run")));
        }
        for remark in remarks {
            line(format!("Note: {remark}."));
        }
        out
    }
}
