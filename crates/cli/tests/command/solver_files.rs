//! Solution files and answers of other solvers.

use std::fmt::Write as _;
use std::fs;

use assert_cmd::assert::OutputAssertExt as _;
use ndqueens_model::board::Board;
use ndqueens_model::facts::Theorems;
use ndqueens_model::formulation::Formulation;
use ndqueens_model::ilp::Program as _;
use ndqueens_model::model::Model;
use ndqueens_model::variant::{Goal, Variant};
use ndqueens_solver::backends::solution_file;
use predicates::prelude::*;
use predicates::str::contains;

use crate::harness::{Desk, case};

/// Runs `ndq solve` with a backend that writes `file` as its solution and prints `log`.
fn solve(desk: &Desk, question: &str, file: &str, log: &str) -> assert_cmd::assert::Assert {
    desk.write("answer", file);
    desk.write("log", log);
    desk.write("solver", "cat log\ncp answer \"$2\"\n");
    let mut command = desk.command();
    command.arg("solve").args(question.split(' ')).args(["--backend", "sh solver {model} {solution}"]);
    command.assert()
}

/// Returns four queens on 3^3 as a solution file of HiGHS 1.16 with the given numbers.
fn highs(numbers: &str) -> String {
    format!(
        "Model status\nOptimal\n\n# Primal solution values\nFeasible\nObjective 4\n{numbers}# Columns -4 sparse\n\
         x_0_1_2 1 5\nx_1_0_0 1 9\nx_2_0_2 1 20\nx_2_2_1 1 25\n\n# Dual solution values\nNone\n"
    )
}

#[test]
fn an_open_gap_is_no_optimum() {
    let desk = Desk::new();
    let file = fs::read_to_string(case("R06-highs-1.16-gap.sol")).expect("a case");
    let script = format!("sh {} {{model}} {{solution}}", case("R06-solver.sh").display());
    let outcome = desk.command().args(["solve", "11^2", "-f", "domination", "--backend", &script]).assert();
    outcome.code(3).stdout(contains("6 queens dominate 11^2: feasible, bound 4"));
    solve(&desk, "11^2 -f domination", &file, "")
        .code(3)
        .stdout(contains("6 queens dominate 11^2: feasible, bound 4").and(contains("optimal").not()));
    for (numbers, log, code, words) in [
        ("Objective_bound 4\nMIP_rel_gap 0\n", "", 0, "optimal"),
        ("Objective_bound 4.9\nMIP_rel_gap 0.225\n", "", 0, "optimal"),
        ("Objective_bound 5\nMIP_rel_gap 0.25\n", "", 3, "feasible, bound 5"),
        ("Objective_bound 9.5\nMIP_rel_gap 1.375\n", "", 3, "feasible, bound 9"),
        ("Objective_bound inf\nMIP_rel_gap inf\n", "", 3, "feasible, no bound stated"),
        ("MIP_rel_gap 0.5\n", "", 3, "feasible, no bound stated"),
        ("", "", 0, "optimal"),
        (
            "",
            "  Primal bound      4\n  Dual bound        6\n  Gap               50%\n",
            3,
            "feasible, bound 6",
        ),
        ("", "  Primal bound      4\n  Dual bound        4\n  Gap               0%\n", 0, "optimal"),
        ("", "Best objective 4.0e+00, best bound 7.0e+00, gap 75.0%\n", 3, "feasible, bound 7"),
    ] {
        solve(&desk, "3^3 -f base", &highs(numbers), log)
            .code(code)
            .stdout(contains(format!("4 queens on 3^3: {words}")));
    }
    solve(&desk, "3^3 -f base", &highs("Objective_bound 3\nMIP_rel_gap 0.25\n"), "")
        .code(4)
        .stderr(contains("its dual bound 3 excludes a solution of value 4"));
    solve(&desk, "3^3 -f base", &highs("Objective_bound x\n"), "").code(4).stderr(contains("line 7"));
    solve(&desk, "3^3 -f base", &highs("Objective_bond 4\n"), "").code(4).stderr(contains("line 7"));
}

#[test]
fn the_sparse_file_of_highs_is_read() {
    let desk = Desk::new();
    let file = case("R05-highs-1.16-sparse.sol").display().to_string();
    desk.ndq(&format!("check {file} --board 3^2 -f domination")).code(1);
    desk.write("one.sol", fs::read_to_string(&file).expect("a case"));
    desk.ndq("check one.sol --board 1^2 -f base").success().stdout(contains("holds; 1 square of 1^2"));
}

#[test]
fn answers_of_sat_solvers_are_read() {
    let desk = Desk::new();
    desk.ndq("model 3^2 -f base --at-least 2 -o m.cnf").success();
    let sat = case("R07-sat.out").display().to_string();
    let holds = "holds; 2 squares of 3^2";
    desk.ndq(&format!("check {sat} --model m.cnf -o c.txt")).success().stdout(contains(holds));
    desk.ndq("check c.txt").success();
    desk.ndq(&format!("check {sat} --board 3^2 -f base --at-least 2")).success().stdout(contains(holds));
    for (text, words) in [
        ("s SATISFIABLE\nv 1 -2 -3\nv -4 -5 6 -7 -8 -9 0\n", holds),
        ("c solver\ns SATISFIABLE\nv 1 -2 -3 -4 -5 6 -7 -8 -9 10 0\n", holds),
        ("SAT\n1 -2 -3 -4 -5 6 -7 -8 -9 0\n", holds),
    ] {
        desk.write("a.out", text);
        desk.ndq("check a.out --model m.cnf").success().stdout(contains(words));
    }
    for (text, line, words) in [
        ("s SATISFIABLE\nv 1 -2 -3 -4 -5 6 -7 -8 0\n", 2, "variable 9 first"),
        ("s SATISFIABLE\nv 1 -2 -3 -4 -5 6 -7 -8 -9\n", 2, "do not end with 0"),
        ("s SATISFIABLE\nv 1 -2 -3 -4 -5 6 -7 -8 -9 0 1\n", 2, "follows the 0"),
        ("s SATISFIABLE\nv 1 1 -2 -3 -4 -5 6 -7 -8 -9 0\n", 2, "variable 1 has two values"),
        ("s SATISFIABLE\nv 1 -1 -2 -3 -4 -5 6 -7 -8 -9 0\n", 2, "variable 1 has two values"),
        ("s SATISFIABLE\nv 1 -2 -3 -4 -5 6 -7 -8 -9 9999 0\n", 2, "there is no variable 9999"),
        ("s SATISFIABLE\nv 1 -2 -3 -4 -5 6 -7 -8 -9.5 0\n", 2, "\"-9.5\" is not a literal"),
        ("s SATISFIABLE\n", 1, "the file breaks off here"),
        ("s UNSATISFIABLE\nv 1 0\n", 2, "values follow the status"),
        ("s SATISFIABLE\ns SATISFIABLE\nv 1 0\n", 2, "a second status"),
        ("s PERHAPS\nv 1 0\n", 1, "not a status"),
        ("s SATISFIABLE\nw 1 0\n", 2, "is needed"),
    ] {
        desk.write("a.out", text);
        let outcome = desk.ndq("check a.out --model m.cnf").code(2).stdout("");
        outcome.stderr(
            contains(words).and(contains(format!("line {line}")).or(contains("not a solution file"))),
        );
    }
    desk.write("a.out", "s UNSATISFIABLE\n");
    desk.ndq("check a.out --model m.cnf").code(2).stderr(contains("a claim of the solver, not a proof"));
    desk.write("a.out", "s SATISFIABLE\nv 1 2 -3 -4 -5 -6 -7 -8 -9 0\n");
    desk.ndq("check a.out --model m.cnf").code(1).stdout(contains("does not hold"));
}

#[test]
fn answers_of_pseudo_boolean_solvers_are_read() {
    let desk = Desk::new();
    desk.ndq("model 3^2 -f base -o m.opb").success();
    let pb = case("R07-pb.out").display().to_string();
    let holds = "holds; 2 squares of 3^2";
    desk.ndq(&format!("check {pb} --model m.opb")).success().stdout(contains(holds));
    desk.ndq(&format!("check {pb} --board 3^2 -f base")).success().stdout(contains(holds));
    // SCIP and CBC read the OPB file and use its variable names.
    for text in [
        "solution status: optimal solution found\nobjective value: -2\nx1 1 \t(obj:-1)\nx6 1 \t(obj:-1)\n",
        "Optimal - objective value -2.00000000\n 0 x1 1 -1\n 5 x6 1 -1\n",
        "s SATISFIABLE\no -1\no -2\nv x1 ~x2 ~x3 ~x4 ~x5\nv x6 -x7 -x8 -x9\n",
    ] {
        desk.write("a.out", text);
        desk.ndq("check a.out --model m.opb").success().stdout(contains(holds));
    }
    for (text, words) in [
        ("s OPTIMUM FOUND\no -3\nv x1 -x2 -x3 -x4 -x5 x6 -x7 -x8 -x9\n", "the objective is stated as -3"),
        ("s OPTIMUM FOUND\no 2\nv x1 -x2 -x3 -x4 -x5 x6 -x7 -x8 -x9\n", "the objective is stated as 2"),
        ("s OPTIMUM FOUND\no -2\nv x1 -x2 -x3 -x4 -x5 x6 -x7 -x8\n", "variable 9 first"),
        ("s OPTIMUM FOUND\no -2\nv x1 -x2 -x3 -x4 -x5 x6 -x7 -x8 -x9 -x9\n", "x9 has two values"),
        ("s OPTIMUM FOUND\no -2\nv x1 -x2 -x3 -x4 -x5 x6 -x7 -x8 -x9 -x10\n", "there is no variable x10"),
        ("s OPTIMUM FOUND\no -2\nv x1 -x2 -x3 -x4 -x5 x6 -x7 -x8 -y9\n", "\"-y9\" is not a literal"),
        (
            "solution status: optimal solution found\nobjective value: -2\nx1 1\nx_1_2 1\n",
            "names of another kind",
        ),
    ] {
        desk.write("a.out", text);
        desk.ndq("check a.out --model m.opb").code(2).stdout("").stderr(contains(words));
    }
}

#[test]
fn columns_in_another_order_are_matched() {
    let desk = Desk::new();
    // Columns in reverse order, as a modelling layer may write them; queens on (0,0) and (1,2).
    let names: Vec<String> = (0..9).rev().map(|k| format!("x_{}_{}", k / 3, k % 3)).collect();
    desk.write("r.lp", format!("Maximize\n obj: {}\nSubject To\nEnd\n", names.join(" + ")));
    let is_one = |name: &str| u8::from(name == "x_0_0" || name == "x_1_2");
    let mut raw = "c Problem:\ns mip 0 9 o 2\n".to_owned();
    let mut cbc = "Optimal - objective value 2.00000000\n".to_owned();
    for (k, name) in names.iter().enumerate() {
        writeln!(raw, "j {} {}", k + 1, is_one(name)).expect("written");
        writeln!(cbc, "{k} {name} {} 1", is_one(name)).expect("written");
    }
    raw += "e o f\n";
    desk.write("glpk.sol", &raw);
    desk.write("cbc.sol", &cbc);
    let holds = "holds; 2 squares of 3^2";
    for file in ["glpk.sol", "cbc.sol"] {
        desk.ndq(&format!("check {file} --model r.lp --board 3^2 -f base -o {file}.txt"))
            .success()
            .stdout(contains(holds));
        assert!(
            desk.read(&format!("{file}.txt")).ends_with("0,0\n1,2\n")
                || desk.read(&format!("{file}.txt")).contains("0 0")
        );
    }
    desk.ndq("check cbc.sol --board 3^2 -f base").success().stdout(contains(holds));
    // A raw file has no names: a solution that violates the model in column order is unreadable, not refuted.
    let wrong =
        "c Problem:\ns mip 0 9 o 2\nj 1 1\nj 2 1\nj 3 0\nj 4 0\nj 5 0\nj 6 0\nj 7 0\nj 8 0\nj 9 0\ne o f\n";
    desk.write("w.sol", wrong);
    desk.ndq("check w.sol --board 3^2 -f base").code(2).stderr(contains("cannot be read as"));
    desk.write("n.lp", "Maximize\n obj: c1 + c2 + c3\nEnd\n");
    desk.ndq("check glpk.sol --model n.lp --board 3^2 -f base")
        .code(2)
        .stderr(contains("0 of the 9 columns"));
    desk.ndq("check glpk.sol --model r.lp").code(2).stderr(contains("do not name board and formulation"));
}

/// Returns a solution file of CPLEX with the given header and elements.
fn cplex(header: &str, variables: &str) -> String {
    format!(
        "<?xml version = \"1.0\" standalone=\"yes\"?>\n<CPLEXSolution version=\"1.2\">\n <header {header}/>\n <variables>\n{variables} </variables>\n</CPLEXSolution>\n"
    )
}

#[test]
fn files_of_cplex_gurobi_and_miplib_are_read() {
    let desk = Desk::new();
    let mut variables = String::new();
    let (mut gurobi, mut miplib) = (String::new(), "=obj= 2\n".to_owned());
    for k in 0..9 {
        let (name, value) = (format!("x_{}_{}", k / 3, k % 3), u8::from(k == 0 || k == 5));
        writeln!(variables, "  <variable name=\"{name}\" index=\"{k}\" value=\"{value}\"/>")
            .expect("written");
        writeln!(gurobi, "{name} {value}").expect("written");
        if value == 1 {
            writeln!(miplib, "{name} 1").expect("written");
        }
    }
    let optimal =
        "objectiveValue=\"2\" solutionStatusValue=\"101\" solutionStatusString=\"integer optimal solution\"";
    for text in [
        cplex(optimal, &variables),
        format!("# MIP start\n{gurobi}"),
        format!("# Solution for model m\n# Objective value = 2\n{gurobi}"),
        miplib.clone(),
        format!("# a comment\n{miplib}"),
    ] {
        desk.write("a.sol", &text);
        desk.ndq("check a.sol --board 3^2 -f base").success().stdout(contains("holds; 2 squares of 3^2"));
    }
    let gap = optimal.replace("101", "102").replace("optimal solution", "optimal, tolerance");
    for (text, code, words) in [
        (cplex(optimal, &variables), 0, "2 queens on 3^2: optimal"),
        (cplex(&gap, &variables), 3, "2 queens on 3^2: feasible, no bound stated"),
        (cplex(&format!("{gap} MIPGap=\"0.5\" bestBound=\"3\""), &variables), 3, "feasible, bound 3"),
        (miplib.clone(), 3, "feasible, no bound stated"),
    ] {
        solve(&desk, "3^2 -f base", &text, "").code(code).stdout(contains(words));
    }
    for (text, words) in [
        (cplex(&optimal.replace("\"2\"", "\"3\""), &variables), "the objective is stated as 3"),
        (
            cplex(optimal, &variables.replacen("value=\"1\"", "value=\"0.5\"", 1)),
            "x_0_0 = 0.5 is not an integer",
        ),
        (cplex(optimal, &variables.replace("x_2_2", "x_2_3")), "is not a column"),
        (cplex(optimal, &variables.replace("x_2_2", "x_2_1")), "x_2_1 has two values"),
        (cplex(&optimal.replace("101", "103"), &variables), "the status 103 is not"),
        (cplex(&optimal.replace("101", "1"), &variables), "LP relaxation"),
        (cplex(optimal, &variables).replace("</variables>", ""), "not well-formed XML"),
        (format!("# MIP start\n{}", gurobi.replace("x_2_2 0\n", "")), "the file lists 8 columns"),
        (format!("# MIP start\n{gurobi}x_2_2 0\n"), "x_2_2 has two values"),
        ("=obj= 3\nx_0_0 1\nx_1_2 1\n".to_owned(), "the objective is stated as 3"),
        ("=obj= 2\nx_0_0 1\nx_1_9 1\n".to_owned(), "is not a column"),
        ("=infeas=\nx_0_0 1\n".to_owned(), "values follow"),
    ] {
        desk.write("a.sol", &text);
        desk.ndq("check a.sol --board 3^2 -f base")
            .code(2)
            .stdout("")
            .stderr(contains(words).and(contains("line ")));
    }
}

#[test]
fn colourings_of_other_programs_are_read() {
    let desk = Desk::new();
    desk.ndq("model 2x3 -o b.col").success();
    // The queen graph of 2x3: opposite corners such as (0,0) and (1,2) may share a colour.
    for text in [
        "s col 4\nl 1 1\nl 2 2\nl 3 3\nl 4 3\nl 5 4\nl 6 1\n",
        "1 0\n2 1\n3 2\n4 2\n5 3\n6 0\n",
        "0 0\n1 1\n2 2\n3 2\n4 3\n5 0\n",
        "0\n1\n2\n2\n3\n0\n",
    ] {
        desk.write("a.out", text);
        desk.ndq("check a.out --model b.col -o c.txt")
            .success()
            .stdout(contains("holds; 2x3 is coloured in 4 colours"));
        desk.ndq("check c.txt").success();
        desk.ndq("check a.out --board 2x3 --coloured").success();
    }
    for (text, words) in [
        (
            "s col 5\nl 1 1\nl 2 2\nl 3 3\nl 4 3\nl 5 4\nl 6 1\n",
            "the number of colours is given as 5, but the file uses 4",
        ),
        ("l 0 1\nl 1 2\nl 2 3\nl 3 3\nl 4 4\nl 5 1\n", "there is no vertex 0"),
        ("1 0\n2 1\n3 2\n4 2\n5 3\n", "5 vertices are coloured"),
        ("1 0\n2 1\n3 2\n4 2\n5 3\n5 3\n", "the vertex 5 has two colours"),
        ("0\n1\n2\n2\n3\nred\n", "\"red\" is not a whole number"),
        ("0\n1\n2\n2\n3\n6 0\n", "this one is another"),
    ] {
        desk.write("a.out", text);
        desk.ndq("check a.out --model b.col")
            .code(2)
            .stdout("")
            .stderr(contains(words).and(contains("line ")));
    }
    desk.write("a.out", "0\n0\n1\n2\n3\n4\n");
    desk.ndq("check a.out --model b.col").code(1).stdout(contains("does not hold"));
    desk.ndq("model 3^2 -o b.clq").success();
    desk.write("a.out", "s clq 2\nv 1\nv 6\n");
    desk.ndq("check a.out --model b.clq").success().stdout(contains("holds; 2 squares of 3^2"));
    desk.write("a.out", "0 5\n");
    desk.ndq("check a.out --model b.clq").code(2).stderr(contains("the vertices are 1 to 9"));
}

#[test]
fn answers_to_written_colour_questions_are_read() {
    let desk = Desk::new();
    desk.ndq("colour 2x3 --colours 4 --write q.cnf").success();
    desk.ndq("colour 2x3 --colours 4 --write q.opb").success();
    let colours = [0, 1, 2, 2, 3, 0];
    // The colours of the longest line are fixed in order.
    let names: Vec<(usize, bool)> = (0..24).map(|k| (k + 1, colours[k / 4] == k % 4)).collect();
    let cnf: String = names.iter().map(|(k, one)| format!("{}{k} ", if *one { "" } else { "-" })).collect();
    let opb: String = names.iter().map(|(k, one)| format!("{}x{k} ", if *one { "" } else { "-" })).collect();
    desk.write("a.cnf.out", format!("s SATISFIABLE\nv {cnf}0\n"));
    desk.write("a.opb.out", format!("s SATISFIABLE\nv {opb}\n"));
    for format in ["cnf", "opb"] {
        desk.ndq(&format!("check a.{format}.out --model q.{format}"))
            .success()
            .stdout(contains("holds; 2x3 is coloured in 4 colours"));
    }
    desk.write("a.out", format!("s SATISFIABLE\nv {} 0\n", cnf.replacen("-2 ", "2 ", 1)));
    desk.ndq("check a.out --model q.cnf").code(2).stderr(contains("the square (0,0) has 2 colours"));
}

#[test]
fn a_missing_solver_is_called_so() {
    let desk = Desk::new();
    let mut command = desk.command();
    command.args(["solve", "3^3", "--backend", "scip"]).env("PATH", desk.path(""));
    let outcome = command.assert().code(4).stdout("");
    outcome.stderr(contains("scip is not installed").and(contains("os error").not()));
    desk.write("plain", "text\n");
    for (template, words) in [
        ("./plain {model} {solution}", "not an executable file"),
        ("./absent {model} {solution}", "there is no such file"),
    ] {
        let mut command = desk.command();
        command.args(["solve", "3^3", "--backend", template]);
        command.assert().code(4).stderr(contains(words).and(contains("os error").not()));
    }
}

#[test]
fn drat_finds_the_question_of_a_model() {
    let desk = Desk::new();
    desk.ndq("model 2^2 -f base --at-least 2 -o m.cnf").success();
    desk.write("m.drat", "0\n");
    // A stand-in for the checker that verifies everything.
    desk.write("rate", "#!/bin/sh\n[ \"$1\" = --version ] && echo rate 0.3.0 || echo s VERIFIED\n");
    let mut mode = fs::metadata(desk.path("rate")).expect("there").permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut mode, 0o755);
    fs::set_permissions(desk.path("rate"), mode).expect("its own");
    let check = || {
        let mut command = desk.command();
        let path = format!("{}:{}", desk.path("").display(), std::env::var("PATH").expect("a path"));
        command.args(["check", "m.drat"]).env("PATH", path);
        command.assert()
    };
    check().success().stdout(contains("at most 1 queen fits on 2^2").and(contains("formulation base")));
    let other = desk.read("m.cnf").replace("-1 -2 0", "-1 0");
    desk.write("m.cnf", other);
    check().code(1).stdout(contains("is not that of 2^2 and 2 queens"));
}

/// A generator of pseudo-random numbers, fixed by its seed.
struct Random(u64);

impl Random {
    /// Returns a number below `end`.
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }
}

/// Formats of the reader test.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Highs,
    Sparse,
    Cbc,
    Scip,
    Gurobi,
    Miplib,
    Cplex,
    Glpk,
    Sat,
    Opb,
}

const KINDS: [Kind; 10] = [
    Kind::Highs,
    Kind::Sparse,
    Kind::Cbc,
    Kind::Scip,
    Kind::Gurobi,
    Kind::Miplib,
    Kind::Cplex,
    Kind::Glpk,
    Kind::Sat,
    Kind::Opb,
];

/// Writes a point in a format.
fn written(kind: Kind, names: &[String], point: &[i64]) -> String {
    let value: i64 = point.iter().sum();
    let all = || names.iter().zip(point).enumerate();
    let nonzero = || all().filter(|(_, (_, x))| **x != 0);
    let pairs = || all().map(|(_, (name, x))| format!("{name} {x}\n")).collect::<String>();
    let sparse = || nonzero().map(|(_, (name, x))| format!("{name} {x}\n")).collect::<String>();
    let sign = |x: i64| if x == 0 { "-" } else { "" };
    match kind {
        Kind::Highs => format!(
            "Model status\nOptimal\n\n# Primal solution values\nFeasible\nObjective {value}\nObjective_bound {value}\nMIP_rel_gap 0\n# Columns {}\n{}# Rows 0\n",
            point.len(),
            pairs()
        ),
        Kind::Sparse => {
            let lines: String = nonzero().map(|(k, (name, x))| format!("{name} {x} {k}\n")).collect();
            format!(
                "Model status\nOptimal\n\n# Primal solution values\nFeasible\nObjective {value}\n# Columns -{} sparse\n{lines}",
                nonzero().count()
            )
        }
        Kind::Cbc => {
            let lines: String = all().map(|(k, (name, x))| format!("{k} {name} {x} 1\n")).collect();
            format!("Optimal - objective value {value}.00000000\n{lines}")
        }
        Kind::Scip => {
            format!("solution status: optimal solution found\nobjective value: {value}\n{}", sparse())
        }
        Kind::Gurobi => format!("# Solution for model m\n# Objective value = {value}\n{}", pairs()),
        Kind::Miplib => format!("=obj= {value}\n{}", sparse()),
        Kind::Cplex => {
            let lines: String = all()
                .map(|(k, (name, x))| format!("  <variable name=\"{name}\" index=\"{k}\" value=\"{x}\"/>\n"))
                .collect();
            cplex(
                &format!(
                    "objectiveValue=\"{value}\" solutionStatusValue=\"101\" solutionStatusString=\"integer optimal solution\""
                ),
                &lines,
            )
        }
        Kind::Glpk => {
            let lines: String = all().map(|(k, (_, x))| format!("j {} {x}\n", k + 1)).collect();
            format!("c Problem:\ns mip 0 {} o {value}\n{lines}e o f\n", point.len())
        }
        Kind::Sat => {
            let words: String = all().map(|(k, (_, &x))| format!("{}{} ", sign(x), k + 1)).collect();
            format!("s SATISFIABLE\nv {words}0\n")
        }
        Kind::Opb => {
            let words: String = all().map(|(k, (_, &x))| format!("{}x{} ", sign(x), k + 1)).collect();
            format!("s OPTIMUM FOUND\no -{value}\nv {words}\n")
        }
    }
}

/// Parses the values of a file line by line; `None` if a value is stated twice.
fn plainly_read(kind: Kind, names: &[String], text: &str) -> Option<Vec<i64>> {
    let mut point: Vec<Option<i64>> = vec![None; names.len()];
    let mut twice = false;
    let mut set = |column: Option<usize>, value: Option<f64>| {
        if let (Some(column), Some(value)) = (column, value)
            && let Some(place) = point.get_mut(column)
        {
            twice |= place.replace(value.round() as i64).is_some();
        }
    };
    let number = |word: &str| word.parse::<f64>().ok();
    let attribute = |line: &str, name: &str| {
        let rest = line.split_once(&format!(" {name}=\""))?.1.to_owned();
        Some(rest.split_once('"')?.0.to_owned())
    };
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let column = |name: &str| {
            let by_position = || name.strip_prefix('x')?.parse::<usize>().ok()?.checked_sub(1);
            names.iter().position(|own| own == name).or_else(by_position)
        };
        match (kind, &words[..]) {
            (Kind::Sat, ["v", literals @ ..]) => {
                for literal in literals.iter().filter_map(|word| word.parse::<i64>().ok()) {
                    let position =
                        usize::try_from(literal.unsigned_abs()).ok().and_then(|k| k.checked_sub(1));
                    set(position, Some(if literal > 0 { 1.0 } else { 0.0 }));
                }
            }
            (Kind::Opb, ["v", literals @ ..]) => {
                for word in literals {
                    let name = word.trim_start_matches(['-', '~']);
                    set(column(name), Some(if name == *word { 1.0 } else { 0.0 }));
                }
            }
            (Kind::Glpk, ["j", position, value]) => {
                set(position.parse::<usize>().ok().and_then(|k| k.checked_sub(1)), number(value));
            }
            (Kind::Cbc, [_, name, value, ..]) if !line.contains("objective") => {
                set(column(name), number(value));
            }
            (Kind::Highs | Kind::Sparse | Kind::Scip | Kind::Gurobi | Kind::Miplib, [name, value, ..]) => {
                set(column(name), number(value));
            }
            _ => {}
        }
    }
    let text = text.replace('\n', " ").replace("= \"", "=\"").replace(" =\"", "=\"");
    for element in text.split("<variable").skip(if kind == Kind::Cplex { 1 } else { usize::MAX }) {
        let value = attribute(element, "value").and_then(|value| number(&value));
        let name = attribute(element, "name");
        set(name.and_then(|name| names.iter().position(|own| *own == name)), value);
    }
    (!twice).then(|| point.into_iter().map(Option::unwrap_or_default).collect())
}

/// Changes a text at a random place.
fn mutated(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let (line, other) = (random.below(lines.len()), random.below(lines.len()));
    let mut bytes = text.as_bytes().to_vec();
    let at = random.below(bytes.len());
    match random.below(7) {
        0 => {
            lines.remove(line);
        }
        1 => lines.insert(other, lines[line].clone()),
        2 => lines.swap(line, other),
        3 => return text[..at].to_owned(),
        4 => {
            bytes.remove(at);
            return String::from_utf8(bytes).expect("ASCII");
        }
        5 => {
            bytes[at] = b"0123456789-x_. v\n"[random.below(17)];
            return String::from_utf8(bytes).expect("ASCII");
        }
        _ => {
            bytes.insert(at, b"0123456789-x_. v\n"[random.below(17)]);
            return String::from_utf8(bytes).expect("ASCII");
        }
    }
    lines.join("\n") + "\n"
}

#[test]
fn mutated_answers_are_refused_or_read_plainly() {
    let board = Board::new(&"3^2".parse().expect("a board name"));
    let formulation = Formulation::builtin("base").expect("shipped");
    for kind in KINDS {
        let goal = if kind == Kind::Sat { Goal::AtLeast(1) } else { Goal::Optimise };
        let model =
            Model::new(&board, &formulation, Variant::of(goal), &Theorems, 1 << 30).expect("a model").ilp();
        let names: Vec<String> = model.columns().iter().map(|column| column.name.clone()).collect();
        let mut random = Random(56);
        let mut accepted = 0;
        for _ in 0..10_000 {
            let point: Vec<i64> = (0..9).map(|_| i64::from(random.below(3) == 0)).collect();
            let text = written(kind, &names, &point);
            let whole = solution_file::read(&text, &model).expect(&text);
            assert_eq!(whole.point.as_ref(), Some(&point), "{text}");
            let text = mutated(&text, &mut random);
            let Some(read) = solution_file::read(&text, &model).ok().and_then(|file| file.point) else {
                continue;
            };
            accepted += 1;
            assert_eq!(Some(read), plainly_read(kind, &names, &text), "{kind:?}\n{text}");
        }
        assert!(accepted > 100, "{kind:?}: {accepted}");
    }
}
