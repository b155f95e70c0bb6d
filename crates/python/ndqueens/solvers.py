"""A formulation as the model of a solver: HiGHS, SCIP, Gurobi, and CP-SAT of OR-Tools.

Each function needs the package of its solver, and gives a model of that package, whose variables are the squares in their order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import InputError

if TYPE_CHECKING:
    from .formulation import Formulation

__all__ = ["cp_sat", "gurobi", "highs", "scip"]


def highs(formulation: Formulation) -> Any:
    """A ``highspy.Highs`` that holds the program."""
    import highspy

    rows, columns = formulation.matrix.shape
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = columns, rows
    lp.sense_ = highspy.ObjSense.kMaximize if formulation.sense == "maximise" else highspy.ObjSense.kMinimize
    lp.col_cost_ = formulation.objective
    lp.col_lower_, lp.col_upper_ = formulation.lower, formulation.upper
    lp.row_lower_, lp.row_upper_ = formulation.row_lower, formulation.row_upper
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = formulation.matrix.indptr
    lp.a_matrix_.index_ = formulation.matrix.indices
    lp.a_matrix_.value_ = formulation.matrix.data
    lp.integrality_ = [highspy.HighsVarType.kInteger] * columns
    lp.col_names_, lp.row_names_ = formulation.column_names, formulation.row_names
    model: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    model.passModel(lp)
    return model


def gurobi(formulation: Formulation, env: Any = None) -> tuple[Any, Any]:
    """A ``gurobipy.Model`` and its variables, an ``MVar`` of shape ``(squares,)``."""
    import gurobipy

    model: Any = gurobipy.Model(formulation.board.name, env=env)
    x = model.addMVar(
        formulation.board.size,
        lb=formulation.lower,
        ub=formulation.upper,
        obj=formulation.objective,
        vtype=gurobipy.GRB.BINARY,
        name=formulation.column_names,
    )
    model.addMConstr(formulation.matrix, x, formulation.senses, formulation.rhs, name=formulation.row_names)
    model.ModelSense = gurobipy.GRB.MAXIMIZE if formulation.sense == "maximise" else gurobipy.GRB.MINIMIZE
    model.update()
    return model, x


def scip(formulation: Formulation) -> tuple[Any, list[Any]]:
    """A ``pyscipopt.Model`` and its variables."""
    import pyscipopt

    model = pyscipopt.Model(formulation.board.name)
    columns = zip(formulation.column_names, formulation.lower, formulation.upper, formulation.objective)
    x = [model.addVar(name, "B", lower, upper, weight) for name, lower, upper, weight in columns]
    for row, (squares, weights) in enumerate(_rows(formulation)):
        total = pyscipopt.quicksum(weight * x[square] for square, weight in zip(squares, weights))
        side, name = formulation.rhs[row], formulation.row_names[row]
        constraint = {"<": total <= side, "=": total == side, ">": total >= side}[formulation.senses[row]]
        model.addCons(constraint, name)
    model.setMaximize() if formulation.sense == "maximise" else model.setMinimize()
    return model, x


def cp_sat(formulation: Formulation) -> tuple[Any, list[Any]]:
    """A ``CpModel`` of ``ortools.sat.python.cp_model`` and its variables; coefficients must be whole numbers.

    Solve it with ``parameters.catch_sigint_signal = False``, or Python does not see Ctrl-C any more.
    """
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    x = [model.new_int_var(int(low), int(up), name) for low, up, name in
         zip(formulation.lower, formulation.upper, formulation.column_names)]
    for row, (squares, weights) in enumerate(_rows(formulation)):
        total = cp_model.LinearExpr.weighted_sum([x[square] for square in squares], _whole(weights))
        (side,) = _whole(formulation.rhs[row : row + 1])
        model.add({"<": total <= side, "=": total == side, ">": total >= side}[formulation.senses[row]])
    objective = cp_model.LinearExpr.weighted_sum(x, _whole(formulation.objective))
    if formulation.sense == "maximise":
        model.maximize(objective)
    elif formulation.sense == "minimise":
        model.minimize(objective)
    return model, x


def _rows(formulation: Formulation) -> Any:
    """For each row its squares and coefficients."""
    matrix = formulation.matrix
    for begin, end in zip(matrix.indptr, matrix.indptr[1:]):
        yield matrix.indices[begin:end].tolist(), matrix.data[begin:end]


def _whole(values: Any) -> list[int]:
    rounded = np.rint(values)
    if not np.array_equal(rounded, values):
        raise InputError("CP-SAT takes whole numbers: multiply the inequality by its denominator")
    return [int(value) for value in rounded]
