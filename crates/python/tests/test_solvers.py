"""Formulations in the solvers that are installed: each finds the known optimum, and its solution is verified."""

import sys

import numpy as np
import pytest

import ndqueens as nq

CASES = [("4^3", {"name": "cube"}, 7), ("6^2", {"name": "base"}, 6), ("5^2", {"name": "domination"}, 3)]


def solved_by_highs(made):
    pytest.importorskip("highspy")
    model = nq.solvers.highs(made)
    model.silent()
    model.run()
    return model.getInfo().objective_function_value, model.getSolution().col_value


def solved_by_scip(made):
    pytest.importorskip("pyscipopt")
    model, x = nq.solvers.scip(made)
    model.hideOutput()
    model.optimize()
    return model.getObjVal(), [model.getVal(variable) for variable in x]


def solved_by_cp_sat(made):
    cp_model = pytest.importorskip("ortools.sat.python.cp_model")
    model, x = nq.solvers.cp_sat(made)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.catch_sigint_signal = False
    assert solver.solve(model) == cp_model.OPTIMAL
    return solver.objective_value, [solver.value(variable) for variable in x]


def solved_by_gurobi(made):
    gurobipy = pytest.importorskip("gurobipy")
    try:
        model, x = nq.solvers.gurobi(made)
    except gurobipy.GurobiError as fault:
        pytest.skip(f"no licence: {fault}")
    model.Params.OutputFlag = 0
    model.optimize()
    return model.ObjVal, x.X


def solved_by_scipy(made):
    from scipy import optimize

    factor = -1 if made.sense == "maximise" else 1
    rows = optimize.LinearConstraint(made.matrix, made.row_lower, made.row_upper)
    bounds = optimize.Bounds(made.lower, made.upper)
    found = optimize.milp(factor * made.objective, integrality=np.ones(made.board.size), bounds=bounds, constraints=rows)
    return factor * found.fun, found.x


SOLVERS = [solved_by_highs, solved_by_scip, solved_by_cp_sat, solved_by_gurobi, solved_by_scipy]


@pytest.mark.parametrize("solve", SOLVERS)
@pytest.mark.parametrize(("board", "asked", "optimum"), CASES)
def test_a_solver_finds_the_optimum_and_its_point_is_verified(solve, board, asked, optimum):
    made = nq.formulation(board, **asked)
    value, point = solve(made)
    assert value == pytest.approx(optimum)
    certificate = made.certificate(point, solve.__name__)
    assert (certificate.size, certificate.problem) == (optimum, made.problem)


@pytest.mark.parametrize("solve", [solved_by_highs, solved_by_scip, solved_by_gurobi])
def test_rows_of_all_senses_and_fixed_columns_reach_the_solver(solve):
    made = nq.formulation("6^2", "base", include=[(0, 1)])
    two = made.add("layer", [([made.board.square((row, column)) for column in range(6)], 1) for row in range(2)], "=")
    assert set(two.senses) == {"<", "="}
    value, point = solve(two)
    assert value == pytest.approx(6) and point[1] == pytest.approx(1)


def test_cp_sat_takes_whole_numbers_only():
    pytest.importorskip("ortools")
    halves = nq.formulation("4^2", "base").add("half", [({0: 0.5, 1: 0.5}, 0.5)])
    with pytest.raises(nq.InputError, match="whole numbers"):
        nq.solvers.cp_sat(halves)


@pytest.mark.parametrize(("board", "asked", "size"), [*CASES, ("5^2", {"exactly": 3}, 3)])
def test_solve_returns_a_verified_optimum(board, asked, size):
    pytest.importorskip("highspy")
    certificate = nq.formulation(board, **asked).solve()
    assert certificate.size == size
    assert nq.verify(certificate) == size


def test_solve_reports_infeasible_and_unfinished_programs():
    pytest.importorskip("highspy")
    with pytest.raises(nq.DoesNotHold, match=r"base on 3\^2 is infeasible"):
        nq.formulation("3^2", "base", at_least=3).solve()
    with pytest.raises(nq.Unsettled, match=r"base on 10\^3 was not solved in 0.0 s"):
        nq.formulation("10^3", "base").solve(time_limit=0)


def test_solve_names_the_missing_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "highspy", None)
    with pytest.raises(nq.InputError, match="needs the package highspy"):
        nq.formulation("4^2", "base").solve()
