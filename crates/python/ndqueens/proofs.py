"""Maxima with proofs, counts, and files that show either, checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from . import _native
from .board import Board, as_board, file_path, seconds, whole
from .certificate import Certificate
from .errors import InputError, Unsettled

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Checked", "Count", "Progress", "Theorem", "check_proof", "count", "prove"]

#: Called about 20 times a second with the seconds so far, the search nodes so far, and what was settled last, in words. What it
#: raises stops the work.
Progress = Callable[[float, int, str], object]


@dataclass(frozen=True)
class Theorem:
    """The maximum of a board, proved: the placement was verified, and every step of the proof checked in integers."""

    #: The board.
    board: Board
    #: The most queens that fit: the independence number of the queen graph.
    value: int
    #: What the upper bound rests on.
    kind: str
    #: A placement of so many queens, verified.
    certificate: Certificate
    #: Search nodes that the proof has.
    nodes: int
    #: Sub-boxes that the proof bounds, the board itself included.
    boxes: int
    #: The file of the proof, for ``check_proof`` and ``ndq check``; ``None`` where none was asked for.
    path: str | None = None

    def __str__(self) -> str:
        return (
            f"alpha({self.board.name}) = {self.value}: proved\n"
            f"  lower bound  {self.value}: a certificate, checked from the definition; {self.certificate.origin}\n"
            f"  upper bound  {self.value}: {self.kind}"
        )

    def _repr_html_(self) -> str:
        return f"<pre>{self}</pre>{self.certificate._repr_html_()}"


def prove(
    board: Board | str,
    path: str | PathLike[str] | None = None,
    *,
    seed: int = 0,
    threads: int = 1,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Theorem:
    """The maximum of a board by the exact engine, and a proof that crosscheck has accepted.

    Raises ``Unsettled``, which holds the best placement and upper bound, when ``time_limit`` seconds are over.

    Parameters: ``path``, where the proof is kept, gzip-compressed when the name ends in ``.gz``; ``seed`` of the local search;
    ``threads``, how many threads search, from 1 (the default) to 1024, on which neither value nor proof depends.

    >>> print(prove("5^3"))
    alpha(5^3) = 13: proved
      lower bound  13: a certificate, checked from the definition; exact engine ...
      upper bound  13: exact proof of ... nodes by way of ... sub-boxes, checked in integers
    """
    board = as_board(board)
    seed, threads = whole("seed", seed, 2**32 - 1), whole("threads", threads, 1024, 1)
    kept, limit = None if path is None else file_path(path), seconds(time_limit)
    parts, upper, nodes, boxes, stop = _native.prove(board._native, kept, seed, threads, limit, progress)
    certificate = Certificate._of(parts, board)
    if stop is not None:
        words = f"alpha({board.name}): not settled in this run, stopped ({stop}); {certificate.size} <= alpha <= {upper}"
        raise Unsettled(words, certificate, upper)
    by_way = f" by way of {boxes} sub-boxes" if boxes > 1 else ""
    kind = f"exact proof of {counted(nodes, 'node')}{by_way}, checked in integers"
    return Theorem(board, certificate.size, kind, certificate, nodes, boxes, kept)


@dataclass(frozen=True)
class Count:
    """How many independent sets of a size a board has."""

    #: The board.
    board: Board
    #: The size of the sets, in queens.
    size: int
    #: Whether that is proved to be the largest size.
    is_maximum: bool
    #: How many sets there are.
    solutions: int
    #: How many there are up to the symmetry of the board; ``None`` where the group is not known.
    up_to_symmetry: int | None
    #: Which search has counted them; that none is missing rests on it.
    method: str
    #: As many solutions up to symmetry as were to be kept, square numbers, ``int32`` of shape ``(kept, size)``.
    kept: NDArray[np.int32] = field(repr=False)


def count(
    board: Board | str,
    size: int | None = None,
    *,
    keep: int = 0,
    method: str = "exact",
    threads: int = 1,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Count:
    """The number of solutions of a size, or of the maximum ones, whose size is proved first.

    Parameters: ``keep``, at most so many solutions up to symmetry are given; ``method``, ``exact``, or ``bron-kerbosch`` for the
    checker's own search from the definition, which is for maximum solutions of small boards; ``threads``, how many threads the exact
    method uses, from 1 (the default) to 1024, on which no number depends. ``bron-kerbosch`` uses one.

    >>> count("4^3").solutions, count("4^3", method="bron-kerbosch").solutions
    (1344, 1344)
    """
    board = as_board(board)
    if method not in ("exact", "bron-kerbosch"):
        raise InputError(f'unknown method "{method}"; expected one of exact, bron-kerbosch')
    reference = method == "bron-kerbosch"
    if reference and (size is not None or keep):
        raise InputError("bron-kerbosch counts maximum solutions and keeps none: size and keep do not apply")
    size = None if size is None else whole("size", size, board.size, 1)
    keep, threads = whole("keep", keep, 2**32), whole("threads", threads, 1024, 1)
    found, maximum, solutions, orbits, kept, stop = _native.count(
        board._native, size, keep, reference, threads, seconds(time_limit), progress
    )
    if stop is not None or found is None or solutions is None:
        raise Unsettled(f"{board.name}: the count was stopped ({stop}) before it was done")
    sets = np.array(kept, np.int32).reshape(-1, found)
    return Count(board, found, maximum, solutions, orbits, method, sets)


@dataclass(frozen=True)
class Checked:
    """What a file shows, every step of it checked."""

    #: ``proof tree`` or ``orbit LP``.
    kind: str
    #: The board.
    board: Board
    #: No more queens than this fit; ``None`` for a count that leaves this open.
    at_most: int | None
    #: The size of the independent sets and how many there are, where the file shows a count.
    count: tuple[int, int] | None
    #: How it shows that: ``806 nodes, 35 sub-boxes``.
    how: str
    #: Bounds of other boards that it rests on and does not show: then it holds if these do.
    needs: dict[str, int]

    def __str__(self) -> str:
        if self.count is not None:
            size, sets = self.count
            one = "" if sets == 1 else "s"
            pieces = self.board._native.pieces(size)
            if sets == 0:
                return f"no independent set of {pieces} on {self.board.name} ({self.how})"
            if self.at_most is not None and self.at_most <= size:
                return f"exactly {sets} maximum solution{one} of {self.board.name}, of {pieces} ({self.how})"
            return f"exactly {sets} independent set{one} of {pieces} on {self.board.name} ({self.how})"
        conditions = "".join(f"; holds if alpha({board}) <= {most}" for board, most in self.needs.items())
        return f"at most {self.board._native.fitting(self.at_most or 0)} on {self.board.name} ({self.how}){conditions}"


def check_proof(
    path: str | PathLike[str],
    *,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Checked:
    """What a proof tree or an orbit LP bound in a file shows.

    Raises ``DoesNotHold`` at the first step that is not accepted, ``Unsettled`` when ``time_limit`` seconds are over.
    """
    path = file_path(path)
    shown = _native.check_proof(path, seconds(time_limit), progress)
    if shown is None:
        raise Unsettled(f"{path}: the check was stopped")
    if shown.sum is not None:
        value, rows = shown.sum
        how = f"1 inequality that adds up to {value}" if rows == 1 else f"{rows} inequalities that add up to {value}"
    else:
        boxes = shown.boxes or 0
        how = counted(shown.nodes or 0, "node") + (f", {boxes} sub-boxes" if boxes > 1 else "")
    count = None if shown.count is None else shown.count[:2]
    return Checked(shown.kind, Board(shown.board), shown.at_most, count, how, dict(shown.needs))


def counted(number: int, unit: str) -> str:
    """So many of a unit, in words."""
    return f"{number} {unit}{'' if number == 1 else 's'}"
