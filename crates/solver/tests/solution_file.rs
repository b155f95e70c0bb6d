//! Solution files of the board 3^3 that HiGHS 1.15.1, CBC 2.10.8, SCIP 10.0.2, Gurobi 13.0.3 and GLPK 5.0
//! wrote, and damaged ones.

use ndqueens_model::board::Board;
use ndqueens_model::facts::Theorems;
use ndqueens_model::formulation::Formulation;
use ndqueens_model::ilp::{Ilp, Program};
use ndqueens_model::model::Model;
use ndqueens_model::variant::{Goal, Variant};
use ndqueens_solver::backends::claim::SolverStatus;
use ndqueens_solver::backends::solution_file::{self, SolutionFile};
use ndqueens_solver::backends::start_file::StartFile;
use ndqueens_system::cancel::StopReason;

fn queens(board: &str, goal: Goal) -> Ilp {
    let board = Board::new(&board.parse().unwrap());
    let formulation = Formulation::builtin("base").unwrap();
    Model::new(&board, &formulation, Variant::of(goal), &Theorems, 1 << 30).unwrap().ilp()
}

fn read(text: &str) -> Result<SolutionFile, String> {
    solution_file::read(text, &queens("3^3", Goal::Optimise)).map_err(|error| error.to_string())
}

macro_rules! data {
    ($name:literal) => {
        include_str!(concat!("data/", $name))
    };
}

const UNSTATED: SolverStatus = SolverStatus::Stopped(StopReason::Unstated);
const TIME: SolverStatus = SolverStatus::Stopped(StopReason::TimeLimit);

const SOLVED: [(&str, &str, SolverStatus); 10] = [
    ("HiGHS", data!("highs-raw.sol"), SolverStatus::Optimal),
    ("HiGHS", data!("highs-pretty.sol"), SolverStatus::Optimal),
    ("HiGHS", data!("highs-sparse.sol"), SolverStatus::Optimal),
    ("CBC", data!("cbc-optimal.sol"), SolverStatus::Optimal),
    ("SCIP", data!("scip-optimal.sol"), SolverStatus::Optimal),
    ("SCIP", data!("scip-zeros.sol"), UNSTATED),
    ("Gurobi", data!("gurobi.sol"), UNSTATED),
    ("Gurobi", data!("gurobi.json"), SolverStatus::Optimal),
    ("GLPK", data!("glpk-raw.sol"), SolverStatus::Optimal),
    ("GLPK", data!("glpk-printed.sol"), SolverStatus::Optimal),
];

#[test]
fn reads_solutions() {
    let program = queens("3^3", Goal::Optimise);
    for (solver, text, claim) in SOLVED {
        let file = read(text).unwrap();
        assert_eq!((file.solver, file.status), (solver, claim));
        let point = file.point.unwrap();
        assert_eq!((program.violation(&point), program.value(&point)), (None, 4), "{solver}");
    }
}

#[test]
fn writes_starts_in_the_format_of_each_solver() {
    let program = queens("3^3", Goal::Optimise);
    let point = read(data!("cbc-optimal.sol")).unwrap().point.unwrap();
    for kind in StartFile::ALL {
        let mut text = Vec::new();
        kind.write(&program, &point, &mut text).unwrap();
        let file = read(str::from_utf8(&text).unwrap()).unwrap();
        assert_eq!((file.solver.to_lowercase(), file.status), (format!("{kind:?}").to_lowercase(), UNSTATED));
        assert_eq!(file.point.as_ref(), Some(&point), "{kind:?}");
    }
}

#[test]
fn reads_files_without_a_solution() {
    for (solver, text, claim) in [
        ("HiGHS", data!("highs-infeasible.sol"), SolverStatus::Infeasible),
        ("HiGHS", data!("highs-pretty-infeasible.sol"), SolverStatus::Infeasible),
        ("HiGHS", data!("highs-stopped.sol"), TIME),
        ("CBC", data!("cbc-infeasible.sol"), SolverStatus::Infeasible),
        ("CBC", data!("cbc-stopped.sol"), TIME),
        ("SCIP", data!("scip-infeasible.sol"), SolverStatus::Infeasible),
        ("SCIP", data!("scip-stopped.sol"), TIME),
        ("Gurobi", data!("gurobi-infeasible.json"), SolverStatus::Infeasible),
        ("GLPK", data!("glpk-raw-infeasible.sol"), SolverStatus::Infeasible),
        ("GLPK", data!("glpk-printed-infeasible.sol"), SolverStatus::Infeasible),
    ] {
        let file = read(text).unwrap();
        assert_eq!((file.solver, file.status, file.point), (solver, claim, None));
    }
}

#[test]
fn rejects_truncated_files() {
    for (solver, text, _) in SOLVED {
        let whole = read(text).unwrap();
        for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
            // A truncated file may lack only rows, zeros and blanks.
            if let Ok(part) = read(&text[..end]) {
                assert_eq!(part.point, whole.point, "{solver}, {end} bytes: {}", &text[..end]);
            }
        }
        let half = read(&text[..text.len() / 2]);
        assert!(half.is_err() || solver == "Gurobi" || solver == "SCIP", "{solver}");
    }
    let cut = data!("highs-raw.sol").split_inclusive('\n').take(20).collect::<String>();
    assert_eq!(read(&cut).unwrap_err(), "line 21: the file breaks off here");
    let cut = data!("cbc-optimal.sol").split_inclusive('\n').take(9).collect::<String>();
    assert_eq!(read(&cut).unwrap_err(), "line 1: the objective is stated as 4, but the values give 2");
}

#[test]
fn rejects_the_solution_of_another_model() {
    let other = queens("2^3", Goal::Optimise);
    for (solver, text, _) in SOLVED {
        let error = solution_file::read(text, &other).unwrap_err().to_string();
        assert!(error.contains("this is the solution of another one"), "{solver}: {error}");
    }
    // A feasibility problem has the objective 0.
    let search = queens("3^3", Goal::AtLeast(4));
    let error = solution_file::read(data!("scip-optimal.sol"), &search).unwrap_err();
    assert_eq!(error.to_string(), "line 2: the objective is stated as 4, but the values give 0");
}

/// The columns of 3^3 are also columns of 4^3, so only column numbers and counts differ.
#[test]
fn rejects_the_solution_of_a_smaller_model() {
    let larger = queens("4^3", Goal::Optimise);
    let count =
        "the file lists 27 columns, but the program has 64: this is the solution of another one, or a part";
    for (text, fault) in [
        (data!("highs-raw.sol"), format!("line 7: {count}")),
        (data!("highs-pretty.sol"), format!("line 30: {count}")),
        (data!("highs-sparse.sol"), "line 8: x_0_1_2 is column 5 of the file, but column 6 of the program: this is the solution of another one".to_owned()),
        (data!("cbc-optimal.sol"), "line 5: x_0_1_0 is column 3 of the file, but column 4 of the program: this is the solution of another one".to_owned()),
        (data!("scip-zeros.sol"), format!("line 1: {count}")),
        (data!("gurobi.sol"), format!("line 2: {count}")),
        (data!("gurobi.json"), format!("line 1: {count}")),
        (data!("glpk-raw.sol"), format!("line 8: {count}")),
        (data!("glpk-printed.sol"), "line 125: x_0_1_0 is column 4 of the file, but column 5 of the program: this is the solution of another one".to_owned()),
    ] {
        assert_eq!(solution_file::read(text, &larger).unwrap_err().to_string(), fault);
    }
    // Without zeros, a SCIP file contains only names and values.
    assert!(solution_file::read(data!("scip-optimal.sol"), &larger).is_ok());
    // The columns of a graph have the same numbers in a larger graph.
    let line = |n: u32| queens(&format!("{n}^1"), Goal::Optimise);
    let text = "Optimal - objective value 1.0\n 0 x_0 1 1\n 1 x_1 0 1\n 2 x_2 0 1\n";
    assert!(solution_file::read(text, &line(3)).is_ok());
    let error = solution_file::read(text, &line(4)).unwrap_err().to_string();
    assert!(error.contains("the file lists 3 columns, but the program has 4"), "{error}");
}

#[test]
fn reads_the_statuses_of_glpk() {
    for (text, whole, part) in [
        (data!("glpk-raw.sol"), "s mip 109 27 o 4", "s mip 109 27 f 4"),
        (data!("glpk-printed.sol"), "INTEGER OPTIMAL", "INTEGER NON-OPTIMAL"),
    ] {
        let stopped = read(&text.replace(whole, part)).unwrap();
        assert_eq!((stopped.status, stopped.point), (UNSTATED, read(text).unwrap().point));
        let relaxed = text.replace("s mip", "s bas").replace("INTEGER OPTIMAL", "OPTIMAL");
        assert!(read(&relaxed).unwrap_err().contains("the solution of an LP relaxation"));
        let unsolved = text.replace("27 o 4", "27 u 4").replace("INTEGER OPTIMAL", "INTEGER UNDEFINED");
        let file = read(&unsolved).unwrap();
        assert_eq!((file.solver, file.status, file.point), ("GLPK", UNSTATED, None));
    }
    // A name of more than twelve letters is on a separate line.
    let wrapped = data!("glpk-printed.sol").replace(" x_0_0_1      *", " x_0_0_1\n                    *");
    assert_eq!(read(&wrapped), read(data!("glpk-printed.sol")));
}

/// HiGHS prints values that are almost 0 as 0, also in sparse files.
#[test]
fn accepts_zeros_in_sparse_files() {
    let text = data!("highs-sparse.sol").replace("-4", "-5") + "x_2_2_2 0 26\n";
    assert_eq!(read(&text).unwrap().point, read(data!("highs-sparse.sol")).unwrap().point);
}

#[test]
fn rejects_values_that_are_not_integers() {
    for (value, fault) in [
        ("0.5", "line 3: x_0_0_0 = 0.5 is not an integer"),
        ("0.9999", "line 3: x_0_0_0 = 0.9999 is not an integer"),
        ("nan", "line 3: \"nan\" is not a finite number"),
        ("+infinity", "line 3: \"+infinity\" is not a finite number"),
        ("1e400", "line 3: \"1e400\" is not a finite number"),
        ("1e30", "line 3: x_0_0_0 = 1000000000000000000000000000000 is not an integer"),
        ("one", "line 3: \"one\" is not a finite number"),
        ("", "line 3: a name and a value are needed"),
    ] {
        let text = format!("solution status: optimal solution found\nobjective value: 1\nx_0_0_0 {value}\n");
        assert_eq!(read(&text).unwrap_err(), fault);
    }
    let almost = read("objective value: 1.0000001\nx_0_0_0 0.999999\n").unwrap();
    assert_eq!(almost.point.unwrap()[0], 1);
    let twice = read("objective value: 1\nx_0_0_0 1\nx_0_0_0 1\n").unwrap_err();
    assert_eq!(twice, "line 3: x_0_0_0 has two values");
}

#[test]
fn rejects_a_wrong_objective() {
    for (text, stated) in [
        (data!("highs-raw.sol").replace("Objective 4", "Objective 5"), "5"),
        (data!("highs-pretty.sol").replace("value: 4", "value: 5"), "5"),
        (data!("cbc-optimal.sol").replace("value 4.0", "value 5.0"), "5"),
        (data!("scip-optimal.sol").replace("  4\n", "  5\n"), "5"),
        (data!("gurobi.sol").replace("= 4", "= 3"), "3"),
        (data!("glpk-raw.sol").replace("o 4", "o 3"), "3"),
        (data!("glpk-printed.sol").replace("obj = 4", "obj = 3"), "3"),
        (data!("gurobi.json").replace("\"ObjVal\": 4", "\"ObjVal\": 3"), "3"),
    ] {
        let error = read(&text).unwrap_err();
        assert!(
            error.ends_with(&format!("the objective is stated as {stated}, but the values give 4")),
            "{error}"
        );
    }
    // An MPS file minimises the negated objective.
    assert!(read(&data!("scip-optimal.sol").replace("  4\n", " -4\n")).is_ok());
    assert!(read(&data!("scip-optimal.sol").replace("  4\n", " nan\n")).is_err());
}

#[test]
fn accepts_only_exact_statuses_as_claims() {
    let claim = |text: &str| read(text).unwrap().status;
    let scip = |status: &str| claim(&format!("solution status: {status}\nno solution available\n"));
    assert_eq!(scip("infeasible or unbounded"), UNSTATED);
    assert_eq!(scip("unbounded"), SolverStatus::Unbounded);
    assert_eq!(scip("gap limit reached"), UNSTATED);
    assert_eq!(scip("node limit reached"), SolverStatus::Stopped(StopReason::NodeLimit));
    assert_eq!(scip("user interrupt"), SolverStatus::Stopped(StopReason::Interrupted));
    let cbc = |status: &str| claim(&format!("{status} - objective value 0.00000000\n"));
    assert_eq!(cbc("Optimal (within gap tolerance)"), UNSTATED);
    assert_eq!(cbc("Integer infeasible"), SolverStatus::Infeasible);
    assert_eq!(cbc("Stopped on ctrl-c"), SolverStatus::Stopped(StopReason::Interrupted));
    let wide = data!("gurobi.json").replace("\"ObjBound\": 4", "\"ObjBound\": 5");
    assert_eq!(claim(&wide), UNSTATED);
}

#[test]
fn rejects_a_second_solution_of_highs() {
    let (raw, sparse) = (data!("highs-raw.sol"), data!("highs-sparse.sol"));
    for second in
        ["Model status\nInfeasible\n", "# Primal solution values\nInfeasible\n", "garbage\n", raw, sparse]
    {
        for first in [raw, sparse, data!("highs-infeasible.sol"), data!("highs-pretty.sol")] {
            assert!(read(&format!("{first}{second}")).is_err(), "{first}{second}");
        }
    }
}

#[test]
fn rejects_other_texts() {
    let unknown = "line 1: this is not a solution file of HiGHS, CBC, SCIP, Gurobi, CPLEX, GLPK, MIPLIB, a SAT solver or a \
                   pseudo-Boolean solver";
    assert_eq!(read("x_0_0_0 1\n").unwrap_err(), unknown);
    assert_eq!(read("").unwrap_err(), "line 1: the file breaks off here");
    assert_eq!(read("{}").unwrap_err(), "line 1: missing field `SolutionInfo` at line 1 column 2");
    let nameless =
        data!("gurobi-infeasible.json").replace("\"SolCount\": 0", "\"SolCount\": 1, \"ObjVal\": 4");
    assert_eq!(
        read(&nameless).unwrap_err(),
        "line 1: the file names no columns; Gurobi writes them with JSONSolDetail=1"
    );
}
