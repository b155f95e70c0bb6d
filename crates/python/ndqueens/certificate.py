"""Certificates: sets of squares that claim to solve a problem on a board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from os import PathLike
from reprlib import repr as short
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native
from .board import Board, as_board, file_path, html, numbers, seconds, text, whole
from .errors import DoesNotHold, InputError, Unsettled

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["Attempt", "Certificate", "construct", "constructions", "verify"]


def coordinates(board: Board, squares: Any) -> NDArray[np.int64]:
    """Returns squares, each given by its coordinates, as an array of shape ``(size, dimension)``."""
    if isinstance(squares, (list, tuple, np.ndarray)) and len(squares) > 0 and all(np.ndim(s) == 0 for s in squares):
        raise InputError(
            f"a square is a tuple of {board.dimension} coordinates, and squares are a list of them: "
            f"[({', '.join('0' * board.dimension)}{',' if board.dimension == 1 else ''})], not {short(squares)}; "
            "for square numbers, give board.coordinates[numbers]"
        )
    given = np.array(numbers(squares), np.int64)
    if given.size == 0:
        return given.reshape(-1, board.dimension)
    if given.shape[1] != board.dimension:
        raise DoesNotHold(
            f"square 1 of the list, ({', '.join(map(str, given[0]))}), has {given.shape[1]} coordinates; "
            f"on {board.name} a square has {board.dimension}"
        )
    return given


@dataclass(frozen=True, eq=False)
class Certificate:
    """A set of squares with the board and the problem that they solve; ``verify`` says whether they do.

    Parameters: ``squares``, a sequence of coordinate tuples counted from 0, or an integer array of shape ``(size, dimension)``. Square
    numbers are not taken: give ``board.coordinates[numbers]``. Floats and truth values are refused.

    >>> Certificate(Board("4^2"), [(0, 1), (1, 3), (2, 0), (3, 2)]).verify()
    4
    """

    #: The board.
    board: Board
    #: Coordinates counted from 0, ``int64`` of shape ``(size, dimension)``.
    squares: NDArray[np.int64]
    #: ``independent set``, ``dominating set`` or ``independent dominating set``.
    problem: str = "independent set"
    #: How the certificate was made; one line.
    origin: str = "given in Python"

    def __init__(
        self,
        board: Board | str,
        squares: ArrayLike,
        problem: str = "independent set",
        origin: str = "given in Python",
    ) -> None:
        board = as_board(board)
        given = coordinates(board, squares)
        given.flags.writeable = False
        problem, origin = text("a problem", problem), text("an origin", origin)
        for name, value in (("board", board), ("squares", given), ("problem", problem), ("origin", origin)):
            object.__setattr__(self, name, value)

    @classmethod
    def _of(cls, parts: Any, board: Board | None = None) -> Certificate:
        name, problem, origin, squares = parts
        return cls(name if board is None else board, squares, problem, origin)

    @property
    def _given(self) -> tuple[str, str, list[list[int]]]:
        return self.problem, self.origin, self.squares.tolist()

    @classmethod
    def read(
        cls,
        path: str | PathLike[str],
        convention: str = "native",
        board: Board | str | None = None,
    ) -> Certificate:
        """The certificate in a file, not yet verified.

        Parameters: ``convention``, one of those of ``ndq check --as``; all but ``native`` and ``picture`` need the board.
        """
        known = None if board is None else as_board(board)
        parts = _native.read_certificate(file_path(path), text("a convention", convention), known and known._native)
        return cls._of(parts, known)

    def write(self, path: str | PathLike[str]) -> None:
        """Writes the file, once the certificate has been verified."""
        _native.write_certificate(self.board._native, self._given, file_path(path))

    def verify(self) -> int:
        """The number of squares, once the checker has accepted them from the definition; else ``DoesNotHold``."""
        return _native.verify(self.board._native, self._given)

    @property
    def size(self) -> int:
        """The number of squares."""
        return len(self.squares)

    def draw(self, attacked: bool = False) -> str:
        """The certificate as SVG, once it has been verified."""
        self.verify()
        return self.board.draw(self.squares, attacked)

    def _repr_html_(self) -> str:
        self.verify()
        return html(self.board, self.squares)

    def __repr__(self) -> str:
        return f"<Certificate: {self.board._native.pieces(self.size)} on {self.board.name}, {self.problem}; {self.origin}>"

    def __len__(self) -> int:
        return self.size


def verify(certificate: Certificate | str | PathLike[str]) -> int:
    """The number of squares of a certificate, or of that in a file, once the checker has accepted it from the definition.

    Raises ``DoesNotHold`` with the first fault.
    """
    return (certificate if isinstance(certificate, Certificate) else Certificate.read(certificate)).verify()


@dataclass(frozen=True)
class Attempt:
    """What came of one construction."""

    #: Its name.
    method: str
    #: What it made, verified; ``None`` where it makes nothing.
    certificate: Certificate | None = None
    #: Why it makes nothing.
    reason: str | None = field(default=None)


def constructions(
    board: Board | str,
    seed: int = 0,
    include: ArrayLike = (),
    time_limit: float | None = None,
) -> list[Attempt]:
    """Every construction on a board, about a second each on small ones; those that the time limit leaves no time for are left out,
    and one that has begun is finished.

    Parameters: ``include``, squares that the sets must contain, of shape ``(pieces, dimension)``; ``time_limit`` in seconds.
    """
    board, seed = as_board(board), whole("seed", seed, 2**64 - 1)
    made = _native.construct(board._native, None, seed, numbers(include), seconds(time_limit))
    return [Attempt(method, parts and Certificate._of(parts, board), reason) for method, parts, reason in made]


def construct(
    board: Board | str,
    method: str | None = None,
    seed: int = 0,
    include: Sequence[Sequence[int]] = (),
    time_limit: float | None = None,
) -> Certificate:
    """A large independent set, verified: by one construction, or the largest of all of them.

    >>> construct("8^2", "planar").size
    8
    """
    board = as_board(board)
    if method is not None:
        seed, method = whole("seed", seed, 2**64 - 1), text("a method", method)
        made = _native.construct(board._native, method, seed, numbers(include), seconds(time_limit))
        certificates = [Certificate._of(parts, board) for _, parts, _ in made if parts]
    else:
        attempts = constructions(board, seed, include, time_limit)
        certificates = [attempt.certificate for attempt in attempts if attempt.certificate is not None]
    if not certificates:
        if time_limit is None:
            raise InputError(f"nothing was made on {board.name}")
        raise Unsettled(f"stopped before anything was made and checked on {board.name}")
    return max(certificates, key=len)
