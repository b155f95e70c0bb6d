//! OPB format of pseudo-Boolean solvers and of the proof checker VeriPB: linear constraints over 0/1
//! variables, `x1` to `xN` in the order of the columns.
//!
//! Constraints have one line each, in the order of the rows, followed by those that fix columns. The format
//! has only `>=`, `=` and `min:`, so rows with `<=` and maximisations are negated. A row without columns has
//! the term `+0 x1`. The rows are generated twice, because the header contains the number of constraints.
//! VeriPB numbers constraints from 1 and counts an equation as two constraints, first its `>=` and then its
//! `<=`.
//!
//! # References
//! O. Roussel and V. Manquinho, *Input/Output Format and Solver Requirements for the Competitions of
//! Pseudo-Boolean Solvers*, 2012.

use std::io::{self, Write};

use super::contents::Contents;
use super::text::{NEGATED, comment, ensure_boolean, fixed_columns, head};
use crate::ilp::{Comparison, Program, Sense};

pub(super) fn write(program: &dyn Program, out: &mut dyn Write) -> io::Result<Contents> {
    ensure_boolean(program, "OPB")?;
    let columns = program.columns().len();
    let (rows, nonzeros) =
        program.rows().fold((0, 0), |(rows, all), row| (rows + 1, all + row.columns.len() as u64));
    let constraints = rows + fixed_columns(program).count() as u64;
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
        write_sum(terms.filter(|&(_, objective)| objective != 0), factor, out)?;
        writeln!(out, ";")?;
    }
    for row in program.rows() {
        let (factor, comparison) = match row.comparison {
            Comparison::AtMost => (-1, ">="),
            Comparison::AtLeast => (1, ">="),
            Comparison::Equal => (1, "="),
        };
        write_sum(row.terms(), factor, out)?;
        writeln!(out, "{comparison} {} ;", factor * i128::from(row.rhs))?;
    }
    for (number, is_one) in fixed_columns(program) {
        writeln!(out, "+1 x{number} = {} ;", u8::from(is_one))?;
    }
    Ok(Contents::Rows { rows, columns, nonzeros })
}

/// Writes terms, whose columns are counted from 0, each followed by a space.
fn write_sum(terms: impl Iterator<Item = (u32, i64)>, factor: i128, out: &mut dyn Write) -> io::Result<()> {
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
    use super::super::tests::{ExplicitProgram, column, points, random_boolean, row, write_to_string};
    use super::*;

    fn example(sense: Sense) -> ExplicitProgram {
        ExplicitProgram {
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
    fn writes_a_complete_maximisation() {
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
        assert_eq!(write_to_string(&example(Sense::Maximise), Format::Opb), expected);
    }

    #[test]
    fn minimisation_keeps_its_objective_and_feasibility_has_none() {
        let text = write_to_string(&example(Sense::Minimise), Format::Opb);
        assert!(text.contains("\nmin: +1 x1 -3 x2 ;\n") && !text.contains("negated"), "{text}");
        assert!(!write_to_string(&example(Sense::Feasibility), Format::Opb).contains("min:"));
    }

    /// Coefficients with variables, which are counted from 0.
    type Terms = Vec<(i64, usize)>;

    /// File parsed by the grammar of the competition.
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

        fn is_feasible(&self, point: &[i64]) -> bool {
            self.constraints.iter().all(|(sum, comparison, rhs)| match comparison.as_str() {
                ">=" => Self::value(sum, point) >= *rhs,
                "=" => Self::value(sum, point) == *rhs,
                other => panic!("{other}"),
            })
        }
    }

    #[test]
    fn files_are_equivalent_to_their_programs() {
        for seed in 0..500 {
            let mut program = random_boolean(seed);
            for (sense, factor) in
                [(Sense::Maximise, Some(-1)), (Sense::Minimise, Some(1)), (Sense::Feasibility, None)]
            {
                program.sense = sense;
                let text = write_to_string(&program, Format::Opb);
                let opb = Opb::parse(&text);
                assert_eq!(opb.variables, program.columns.len());
                assert_eq!(opb.objective.is_some(), factor.is_some());
                for point in points(program.columns.len()) {
                    assert_eq!(
                        opb.is_feasible(&point),
                        program.violation(&point).is_none(),
                        "{point:?} {text}"
                    );
                    if let (Some(objective), Some(factor)) = (&opb.objective, factor) {
                        assert_eq!(Opb::value(objective, &point), factor * program.value(&point), "{text}");
                    }
                }
            }
        }
    }
}
