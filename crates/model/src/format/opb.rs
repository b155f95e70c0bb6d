//! The OPB format of pseudo-Boolean solvers and of the proof checker VeriPB: linear constraints over variables that are
//! 0 or 1, `x1` to `xN` in the order of the columns.
//!
//! A row is one line, and constraints stand in the order of the rows; after them come the columns held at a value. The
//! format knows `>=` and `=` only, so a row with `<=` is negated, and only `min:`, so a maximisation is negated
//! too. A row without columns has the term `+0 x1`. The header needs the number of constraints: the rows are made twice.
//! VeriPB numbers constraints from 1 and counts an equation as two, first its `>=` and then its `<=`.
//!
//! # References
//! O. Roussel and V. Manquinho, *Input/Output Format and Solver Requirements for the Competitions of Pseudo-Boolean
//! Solvers*, 2012.

use std::io::{self, Write};

use super::contents::Contents;
use super::text::{NEGATED, comment, fixed, head, refuse_unless_boolean};
use crate::ilp::{Comparison, Program, Sense};

pub(super) fn write(program: &dyn Program, out: &mut dyn Write) -> io::Result<Contents> {
    refuse_unless_boolean(program, "OPB")?;
    let columns = program.columns().len();
    let (rows, nonzeros) =
        program.rows().fold((0, 0), |(rows, all), row| (rows + 1, all + row.columns.len() as u64));
    let constraints = rows + fixed(program).count() as u64;
    writeln!(out, "* #variable= {columns} #constraint= {constraints}")?;
    head(program, "*", out)?;
    if program.sense() == Sense::Maximise {
        comment(NEGATED, "*", out)?;
    }
    for (number, column) in (1..).zip(program.columns()) {
        writeln!(out, "* x{number} {}", column.name)?;
    }

    let factor = match program.sense() {
        Sense::Maximise => -1,
        Sense::Minimise => 1,
        Sense::Feasibility => 0,
    };
    if factor != 0 {
        write!(out, "min: ")?;
        let terms = (0..).zip(program.columns()).map(|(number, column)| (number, column.objective));
        sum(terms.filter(|&(_, objective)| objective != 0), factor, out)?;
        writeln!(out, ";")?;
    }
    for row in program.rows() {
        let (factor, comparison) = match row.comparison {
            Comparison::AtMost => (-1, ">="),
            Comparison::AtLeast => (1, ">="),
            Comparison::Equal => (1, "="),
        };
        sum(row.terms(), factor, out)?;
        writeln!(out, "{comparison} {} ;", factor * i128::from(row.rhs))?;
    }
    for (number, one) in fixed(program) {
        writeln!(out, "+1 x{number} = {} ;", u8::from(one))?;
    }
    Ok(Contents::Rows { rows, columns, nonzeros })
}

/// Writes terms, columns counted from 0, each with a space after it.
fn sum(terms: impl Iterator<Item = (u32, i64)>, factor: i128, out: &mut dyn Write) -> io::Result<()> {
    let mut terms = terms.peekable();
    if terms.peek().is_none() {
        write!(out, "+0 x1 ")?;
    }
    for (column, coefficient) in terms {
        write!(out, "{:+} x{} ", factor * i128::from(coefficient), column + 1)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::Format;
    use super::super::tests::{Handmade, column, points, random_boolean, row, written};
    use super::*;

    fn example(sense: Sense) -> Handmade {
        Handmade {
            sense,
            columns: vec![column("x_0", 1, 0, 1), column("x_1", -3, 1, 1), column("x_2", 0, 0, 0)],
            rows: vec![
                row(0, &[(0, 1), (2, 1)], Comparison::AtMost, 1),
                row(1, &[(0, 2), (1, -1)], Comparison::AtLeast, -1),
                row(2, &[(1, 1)], Comparison::Equal, 1),
                row(3, &[], Comparison::AtMost, 3),
            ],
            conditions: Vec::new(),
            remarks: vec!["a remark".to_owned()],
        }
    }

    #[test]
    fn a_maximisation_is_written_whole() {
        let expected = "\
* #variable= 3 #constraint= 6
* handmade
* a remark
* minimise the negated objective: the maximum is minus the minimum of this file
* x1 x_0
* x2 x_1
* x3 x_2
min: -1 x1 +3 x2 ;
-1 x1 -1 x3 >= -1 ;
+2 x1 -1 x2 >= -1 ;
+1 x2 = 1 ;
+0 x1 >= -3 ;
+1 x2 = 1 ;
+1 x3 = 0 ;
";
        assert_eq!(written(&example(Sense::Maximise), Format::Opb), expected);
    }

    #[test]
    fn a_minimisation_keeps_its_objective_and_feasibility_has_none() {
        let text = written(&example(Sense::Minimise), Format::Opb);
        assert!(text.contains("\nmin: +1 x1 -3 x2 ;\n") && !text.contains("negated"), "{text}");
        assert!(!written(&example(Sense::Feasibility), Format::Opb).contains("min:"));
    }

    /// Coefficients and variables, counted from 0.
    type Terms = Vec<(i64, usize)>;

    /// A file read back by the grammar of the competition alone.
    #[derive(Debug)]
    struct Opb {
        variables: usize,
        objective: Option<Terms>,
        constraints: Vec<(Terms, String, i64)>,
    }

    impl Opb {
        fn parse(text: &str) -> Self {
            let number = |word: &str| word.parse::<i64>().expect("a number");
            let sum = |words: &[&str]| -> Terms {
                let term = |pair: &[&str]| {
                    let variable = pair[1].strip_prefix('x').expect("a variable");
                    (number(pair[0]), variable.parse::<usize>().expect("a number") - 1)
                };
                words.chunks(2).map(term).collect()
            };
            let first = text.lines().next().expect("a header");
            let header: Vec<&str> = first.split_whitespace().collect();
            assert_eq!([header[0], header[1], header[3]], ["*", "#variable=", "#constraint="]);
            let mut opb =
                Self { variables: number(header[2]) as usize, objective: None, constraints: vec![] };
            for line in text.lines().filter(|line| !line.starts_with('*')) {
                let words: Vec<&str> = line.strip_suffix(" ;").expect("an end").split_whitespace().collect();
                match words.as_slice() {
                    ["min:", terms @ ..] => opb.objective = Some(sum(terms)),
                    [terms @ .., comparison, rhs] => {
                        opb.constraints.push((sum(terms), (*comparison).to_owned(), number(rhs)));
                    }
                    _ => panic!("{line}"),
                }
            }
            assert_eq!(opb.constraints.len() as i64, number(header[4]));
            opb
        }

        fn value(sum: &[(i64, usize)], point: &[i64]) -> i64 {
            sum.iter().map(|&(coefficient, variable)| coefficient * point[variable]).sum()
        }

        fn feasible(&self, point: &[i64]) -> bool {
            self.constraints.iter().all(|(sum, comparison, rhs)| match comparison.as_str() {
                ">=" => Self::value(sum, point) >= *rhs,
                "=" => Self::value(sum, point) == *rhs,
                other => panic!("{other}"),
            })
        }
    }

    #[test]
    fn files_mean_what_the_programmes_mean() {
        for seed in 0..500 {
            let mut program = random_boolean(seed);
            for (sense, factor) in
                [(Sense::Maximise, Some(-1)), (Sense::Minimise, Some(1)), (Sense::Feasibility, None)]
            {
                program.sense = sense;
                let text = written(&program, Format::Opb);
                let opb = Opb::parse(&text);
                assert_eq!(opb.variables, program.columns.len());
                assert_eq!(opb.objective.is_some(), factor.is_some());
                for point in points(program.columns.len()) {
                    assert_eq!(opb.feasible(&point), program.violation(&point).is_none(), "{point:?} {text}");
                    if let (Some(objective), Some(factor)) = (&opb.objective, factor) {
                        assert_eq!(Opb::value(objective, &point), factor * program.value(&point), "{text}");
                    }
                }
            }
        }
    }
}
