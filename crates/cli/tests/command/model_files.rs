//! Model files mean the same to other solvers as to ours.

use std::process::Command;

use ndqueens_solver::highs::Highs;

use crate::desk::Desk;

/// The optimum that cbc finds for a file; nothing when it is infeasible.
fn cbc(desk: &Desk, file: &str) -> Option<f64> {
    let run =
        Command::new("cbc").current_dir(desk.path("")).args([file, "solve", "solution", "cbc.txt"]).output();
    let run = run.expect("cbc is not on the PATH: scripts/test installs it, or install coinor-cbc");
    let said = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(run.status.success() && !said.contains("errors on input"), "{file}: {said}");
    let solution = desk.read("cbc.txt");
    let head = solution.lines().next().expect("a line of status");
    let (status, value) = head.split_once(" - objective value ").expect(head);
    match status {
        "Optimal" => Some(value.trim().parse().expect(head)),
        "Infeasible" | "Integer infeasible" => None,
        _ => panic!("{file}: {head}"),
    }
}

#[test]
fn lp_and_mps_files_have_the_optimum_that_solve_finds() {
    let desk = Desk::new();
    for (board, recipes) in [
        ("3^3", &["base", "lmr", "cube", "star", "cube-star", "all"][..]),
        ("2x3x4", &["base", "cube-star", "all"]),
        ("4^2", &["cube-star"]),
        ("torus:3^2", &["base"]),
        ("rook:2x3", &["base"]),
    ] {
        for recipe in recipes {
            let solved = &desk.json(0, &format!("solve {board} -f {recipe}"))[0];
            let best = solved["answer"]["incumbent"].as_u64().expect("an optimum");
            for goal in [
                "".to_owned(),
                format!("--at-least {best}"),
                format!("--exactly {best}"),
                format!("--at-least {}", best + 1),
            ] {
                if goal.ends_with(&(best + 1).to_string()) && board != "3^3" && board != "2x3x4" {
                    // Above the trivial bound; refused.
                    continue;
                }
                for extension in ["lp", "mps"] {
                    let expected = match (goal.as_str(), extension) {
                        ("", "lp") => Some(best as f64),
                        ("", _) => Some(-(best as f64)),
                        (goal, _) => (!goal.ends_with(&(best + 1).to_string())).then_some(0.0),
                    };
                    let file = format!("model.{extension}");
                    desk.ndq(&format!("model {board} -f {recipe} {goal} -o {file}")).success();
                    let what = format!("{board} {recipe} {goal} {extension}");
                    let highs = Highs.optimum_of_file(&desk.path(&file)).expect(&what);
                    assert_eq!(highs.map(f64::round), expected, "HiGHS, {what}");
                    assert_eq!(cbc(&desk, &file).map(f64::round), expected, "cbc, {what}");
                }
            }
        }
    }
}
