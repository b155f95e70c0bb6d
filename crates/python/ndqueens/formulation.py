"""Formulations: integer programs of a board as sparse matrices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import count, islice
from json import dumps
from math import lcm
from operator import index
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import optimize, sparse

from . import _native, solvers
from .board import Board, as_board, file_path, frozen, has_truth_value, numbers, seconds, text, whole
from .certificate import Certificate
from .errors import DoesNotHold, Failure, InputError, Unsettled

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["Formulation", "formulation", "formulations"]


#: Largest whole number of an inequality that is proved.
MAX_NUMBER = 10**9

#: Senses of inequalities, and how ``Formulation.senses`` holds them.
SENSES = {"<=": "<", "<": "<", ">=": ">", ">": ">", "==": "=", "=": "="}


def formulations() -> list[str]:
    """The names of the shipped formulations."""
    return _native.formulations()


@dataclass(frozen=True, eq=False)
class Formulation:
    """An integer programme: ``row_lower <= matrix @ x <= row_upper``, ``lower <= x <= upper``, ``x`` integer.

    A column is a square, in the order of the board's square numbers.
    """

    #: The board.
    board: Board
    #: The name of the formulation.
    name: str
    #: ``maximise``, ``minimise`` or ``feasibility``.
    sense: str
    #: Coefficients, ``float64`` of shape ``(rows, squares)``.
    matrix: sparse.csr_array
    #: ``<``, ``=`` or ``>`` for each row, of shape ``(rows,)``.
    senses: NDArray[np.str_]
    #: Right-hand sides in queens, ``float64`` of shape ``(rows,)``.
    rhs: NDArray[np.float64]
    #: Coefficients of the objective, ``float64`` of shape ``(squares,)``; zeros for a feasibility problem.
    objective: NDArray[np.float64]
    #: Least values, ``float64`` of shape ``(squares,)``: 1 on included squares, else 0.
    lower: NDArray[np.float64]
    #: Largest values, ``float64`` of shape ``(squares,)``.
    upper: NDArray[np.float64]
    #: The name of each row, such as ``cube_17``.
    row_names: list[str]
    #: The family of each row, such as ``cube``.
    families: list[str]
    #: The name of each column: ``x_0_1_2`` for the square (0,1,2).
    column_names: list[str]
    #: What the right-hand sides rest on where they are not theorems; whatever is solved holds if these do.
    conditions: list[str]
    _native: _native.Formulation = field(repr=False)
    _asked: dict[str, Any] = field(repr=False)
    _shipped_rows: int = field(repr=False)

    @property
    def row_lower(self) -> NDArray[np.float64]:
        """Least row activities, ``float64`` of shape ``(rows,)``; ``-inf`` where there is none."""
        return np.where(self.senses == "<", -np.inf, self.rhs)

    @property
    def row_upper(self) -> NDArray[np.float64]:
        """Largest row activities, ``float64`` of shape ``(rows,)``; ``inf`` where there is none."""
        return np.where(self.senses == ">", np.inf, self.rhs)

    @property
    def problem(self) -> str:
        """What a solution is: ``independent set``, ``dominating set`` or ``independent dominating set``."""
        return self._native.problem

    @property
    def title(self) -> str:
        """What the shipped families are, in one line."""
        return self._native.title

    @property
    def remarks(self) -> list[str]:
        """What heads the files of the programme: board, goal, and each shipped family with its source."""
        return self._native.remarks

    def add(self, family: str, inequalities: Iterable[tuple[Any, float]], sense: str = "<=") -> Formulation:
        """The same with a family of inequalities of one's own.

        Parameters: ``inequalities``, pairs of a row and a right-hand side in queens. A row is a list of different square numbers,
        whose coefficients are 1, or a dictionary from square numbers to coefficients. ``sense`` is ``<=``, ``>=`` or ``==``; ``<``,
        ``>`` and ``=``, as ``senses`` has them, mean the same. Rows of a family that is there already are numbered on.

        Exhaustive search decides which rows hold for all independent sets, as for the inequalities of a formulation. The others,
        with the reason, are among the ``conditions`` of what is returned.
        """
        family = text("a family", family)
        if not family or len(family.split()) != 1 or family.split()[0] != family:
            raise InputError(f"the name of a family is one word, not {family!r}")
        if not isinstance(sense, str) or sense not in SENSES:
            raise InputError(f'a sense is "<=", ">=" or "==", not {sense!r}')
        sense = SENSES[sense]
        entries: list[tuple[int, int, float]] = []
        sides: list[float] = []
        try:
            for number, (row, side) in enumerate(inequalities):
                terms = list(row.items()) if isinstance(row, dict) else [(square, 1) for square in row]
                if has_truth_value([square for square, _ in terms]):
                    raise TypeError
                squares = {index(square) for square, _ in terms}
                if len(squares) < len(terms):
                    raise InputError(f"inequality {number}: a square is there more than once")
                for square in squares:
                    if not 0 <= square < self.board.size:
                        raise InputError(f"inequality {number}: {square} is not the number of a square of {self.board.name}")
                entries += [(number, index(square), float(coefficient)) for square, coefficient in terms]
                sides.append(float(side))
        except (TypeError, ValueError, OverflowError) as fault:
            if isinstance(fault, InputError):
                raise
            raise InputError(
                f"inequality {len(sides)}: a row of square numbers, or of coefficients by square number, and a number are needed"
            ) from None
        if not np.isfinite([value for _, _, value in entries] + sides).all():
            raise InputError("coefficients and right-hand sides must be finite")
        rows, columns, values = zip(*entries) if entries else ((), (), ())
        added = sparse.csr_array((values, (rows, columns)), (len(sides), self.board.size), dtype=np.float64)
        taken, free = set(self.row_names), (f"{family}_{number}" for number in count())
        names = list(islice((name for name in free if name not in taken), len(sides)))
        conditions = self._row_conditions(names, entries, sense, sides)
        has_family = family in self.name.split(" + ")[1:]
        return replace(
            self,
            name=self.name if has_family else f"{self.name} + {family}",
            matrix=frozen(sparse.csr_array(sparse.vstack([self.matrix, added], "csr"))),
            senses=np.concatenate([self.senses, np.full(len(sides), sense)]),
            rhs=np.concatenate([self.rhs, sides]),
            row_names=self.row_names + names,
            families=self.families + [family] * len(sides),
            conditions=self.conditions + conditions,
        )

    def _row_conditions(
        self, names: list[str], entries: list[tuple[int, int, float]], sense: str, sides: list[float]
    ) -> list[str]:
        """A sentence for each row, given by its entries, that is not proved for all independent sets."""
        terms: list[dict[int, Fraction]] = [{} for _ in sides]
        for number, square, coefficient in entries:
            if coefficient:
                terms[number][square] = Fraction(coefficient)
        rows, proved = [], []
        faults: list[str | None] = ["is not proved: its numbers are no fractions of small whole numbers"] * len(sides)
        for number, (row, side) in enumerate(zip(terms, map(Fraction, sides))):
            factor = lcm(side.denominator, *(coefficient.denominator for coefficient in row.values()))
            whole_row = {square: int(coefficient * factor) for square, coefficient in sorted(row.items())}
            if max(map(abs, [*whole_row.values(), int(side * factor)])) <= MAX_NUMBER:
                rows.append((list(whole_row), list(whole_row.values()), int(side * factor)))
                proved.append(number)
        if rows:
            squares, coefficients, whole_sides = (list(part) for part in zip(*rows))
            found = self._native.row_faults(self.board._native, squares, coefficients, sense, whole_sides)
            for number, fault in zip(proved, found):
                faults[number] = fault
        return [f"row {name} {fault}" for name, fault in zip(names, faults) if fault is not None]

    def violated(self, certificate: Certificate) -> str | None:
        """The first row that a verified certificate violates, in words; ``None`` when it satisfies all rows, up to rounding.

        A row that a solution violates is not a valid inequality of the problem, unless it breaks symmetry.
        """
        if not isinstance(certificate, Certificate):
            raise InputError(f"a certificate is needed, not {certificate!r}")
        if certificate.board != self.board:
            raise InputError(f"the certificate is for the board {certificate.board.name}, but {self.board.name} was asked for")
        certificate.verify()
        point = np.zeros(self.board.size)
        point[[self.board.square(square) for square in certificate.squares]] = 1
        activities = self.matrix @ point
        rounding = 1e-9 * (np.abs(self.rhs) + abs(self.matrix) @ point)
        wrong = (activities < self.row_lower - rounding) | (activities > self.row_upper + rounding)
        if not wrong.any():
            return None
        row = int(np.argmax(wrong))
        sign = {"<": "<=", "=": "=", ">": ">="}[self.senses[row]]
        return f"row {self.row_names[row]}: {activities[row]:g} {sign} {self.rhs[row]:g} does not hold"

    def lp_bound(self, time_limit: float | None = None) -> float:
        """The value of the LP relaxation in queens, by the HiGHS of scipy: floating point, not certified.

        Raises ``Unsettled`` when ``time_limit`` seconds are over. Ctrl-C is heeded when HiGHS has ended.
        """
        limit = seconds(time_limit)
        if self.sense == "feasibility":
            raise InputError("a feasibility problem has no LP bound: give no number of queens")
        factor = -1.0 if self.sense == "maximise" else 1.0
        above, equal = self.senses != "=", self.senses == "="
        sign = np.where(self.senses == ">", -1.0, 1.0)
        upper = sparse.diags_array(sign[above]) @ self.matrix[above]
        options = {} if limit is None else {"time_limit": limit}
        found = optimize.linprog(
            factor * self.objective,
            A_ub=upper if above.any() else None,
            b_ub=(sign * self.rhs)[above] if above.any() else None,
            A_eq=self.matrix[equal] if equal.any() else None,
            b_eq=self.rhs[equal] if equal.any() else None,
            bounds=np.column_stack([self.lower, self.upper]),
            method="highs",
            options=options,
        )
        if found.status == 2:
            raise DoesNotHold(f"the LP relaxation of {self.name} on {self.board.name} is infeasible")
        if found.status == 1:
            raise Unsettled(f"the LP relaxation of {self.name} on {self.board.name} was not solved in {limit} s")
        if not found.success:
            raise Failure(f"HiGHS gave no optimum of the LP relaxation: {found.message}")
        return factor * float(found.fun)

    def solve(self, time_limit: float | None = None) -> Certificate:
        """Solves the program with ``highspy``, and returns the solution as a verified certificate.

        That no solution is better is the claim of HiGHS, in floating point. Raises ``DoesNotHold`` if HiGHS finds the program
        infeasible, and ``Unsettled``, with the best solution found, when ``time_limit`` seconds are over. Ctrl-C is heeded when HiGHS
        has ended.
        """
        limit = seconds(time_limit)
        try:
            model = solvers.highs(self)
        except ModuleNotFoundError:
            raise InputError("solve needs the package highspy: pip install highspy") from None
        model.silent()
        model.setOptionValue("mip_rel_gap", 0.0)
        if limit is not None:
            model.setOptionValue("time_limit", limit)
        model.run()
        status = model.modelStatusToString(model.getModelStatus())
        if "infeasible" in status.lower():
            raise DoesNotHold(f"{self.name} on {self.board.name} is infeasible, by HiGHS")
        solution = model.getSolution()
        found = self.certificate(solution.col_value, f"HiGHS, formulation {self.name}") if solution.value_valid else None
        if status == "Time limit reached":
            raise Unsettled(f"{self.name} on {self.board.name} was not solved in {limit} s", found)
        if found is None or status != "Optimal":
            raise Failure(f"HiGHS gave no optimum of {self.name} on {self.board.name}: {status}")
        return found

    def certificate(self, point: ArrayLike, origin: str = "given in Python") -> Certificate:
        """The certificate of a point of a solver, rounded, once it has been verified and satisfies all rows.

        Parameters: ``point``, of shape ``(squares,)``.
        """
        try:
            values = np.asarray(point, np.float64)
        except (TypeError, ValueError):
            raise InputError(f"a point is an array of numbers, not {point!r}") from None
        if values.shape != (self.board.size,):
            raise InputError(f"the point has {values.size} entries for {self.board.size} columns")
        if not np.isfinite(values).all():
            raise InputError("the point has entries that are no finite numbers")
        squares = np.flatnonzero(values > 0.5).tolist()
        parts = self._native.certificate(self.board._native, squares, text("an origin", origin))
        certificate = Certificate._of(parts, self.board)
        fault = self.violated(certificate)
        if fault is not None:
            raise DoesNotHold(fault)
        return certificate

    def write(self, path: str | PathLike[str]) -> str:
        """Writes the program as ``.lp``, ``.mps``, ``.opb``, ``.cnf`` or ``.mtx``; returns what is in the file, in words."""
        if self.matrix.shape[0] != self._shipped_rows:
            raise InputError("inequalities of one's own are not written to files; give the matrix to a solver")
        return self._native.write(file_path(path))

    def __reduce__(self) -> tuple[Any, ...]:
        own = {name: getattr(self, name) for name in ("name", "matrix", "senses", "rhs", "row_names", "families", "conditions")}
        return _restored, (self._asked, own)

    def __repr__(self) -> str:
        rows, columns = self.matrix.shape
        return f"<Formulation {self.name} on {self.board.name}: {rows} rows, {columns} columns, {self.matrix.nnz} nonzeros>"


def formulation(
    board: Board | str,
    name: str | None = None,
    *,
    at_least: int | None = None,
    at_most: int | None = None,
    exactly: int | None = None,
    include: Sequence[Sequence[int]] | Certificate = (),
    rows: str = "all",
    inequalities: Iterable[Mapping[str, Any]] = (),
) -> Formulation:
    """A formulation on a board; without a name, ``cube`` where it is valid, else ``base``.

    Parameters: ``name``, a shipped formulation or the path of a TOML file; ``at_least``, ``at_most`` and ``exactly``, numbers of
    queens, which make it a feasibility problem; ``include``, squares that must be part of the solution; ``rows``, ``all``,
    ``distinct`` or ``undominated``; ``inequalities``, dictionaries with the keys of ``[[inequalities]]`` in a TOML file.

    Inequalities of the file and of the parameter are proved by exhaustive search. One that a solution violates raises
    ``DoesNotHold``; one that is not decided is among the ``conditions``.

    >>> formulation("6^3", "cube")
    <Formulation cube on 6^3: 901 rows, 216 columns, 4488 nonzeros>
    """
    board = as_board(board)
    inequalities = list(inequalities)
    included = numbers(include.squares if isinstance(include, Certificate) else include)
    name = None if name is None else text("a formulation", name)
    numbers_of_queens = {"at_least": at_least, "at_most": at_most, "exactly": exactly}
    goal = {word: None if k is None else whole(word, k, 2**63 - 1) for word, k in numbers_of_queens.items()}
    own = _toml(inequalities)
    made = _native.Formulation(board._native, name, include=included, rows=text("rows", rows), inequalities=own, **goal)
    bytes_of_begins, columns, coefficients, sides = made.matrix()
    begins = np.frombuffer(bytes_of_begins, np.int64)
    values = np.frombuffer(coefficients, np.int64).astype(np.float64)
    entries = (values, np.frombuffer(columns, np.int32), begins)
    objective, lower, upper, rhs = (np.frombuffer(part, np.int64).astype(np.float64) for part in [*made.columns(), sides])
    for array in (objective, lower, upper, rhs):
        array.flags.writeable = False
    return Formulation(
        board=board,
        name=made.name,
        sense=made.sense,
        matrix=frozen(sparse.csr_array(entries, (len(begins) - 1, board.size))),
        senses=np.array(list(made.comparisons()), "U1"),
        rhs=rhs,
        objective=objective,
        lower=lower,
        upper=upper,
        row_names=made.row_names,
        families=made.families,
        column_names=made.column_names,
        conditions=made.conditions,
        _native=made,
        _asked={"board": board, "name": name, "include": included, "rows": rows, "inequalities": inequalities, **goal},
        _shipped_rows=len(begins) - 1,
    )


def _toml(inequalities: Iterable[Mapping[str, Any]]) -> str:
    """The entries ``[[inequalities]]`` of a formulation's file."""
    lines = []
    for inequality in inequalities:
        if not isinstance(inequality, Mapping):
            raise InputError(f"an inequality is a dictionary, not {inequality!r}")
        lines.append("[[inequalities]]")
        for key, value in inequality.items():
            try:
                # Lists, texts, booleans and whole numbers are written in JSON as in TOML.
                cell = dumps(value, default=index, ensure_ascii=False, allow_nan=False)
                lines.append(f"{dumps(text('a key', key))} = {cell}")
            except (TypeError, ValueError) as fault:
                if isinstance(fault, InputError):
                    raise
                raise InputError(f"{key} of an inequality is made of whole numbers, texts and lists, not {value!r}") from None
    return "\n".join(lines)


def _restored(asked: dict[str, Any], own: dict[str, Any]) -> Formulation:
    """A formulation that was pickled."""
    return replace(formulation(**asked), **{**own, "matrix": frozen(own["matrix"])})
