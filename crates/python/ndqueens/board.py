"""Boards: squares, attacks, lines, symmetry."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from operator import index
from os import PathLike, fsdecode
from reprlib import repr as short
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from . import _native
from .errors import InputError

if TYPE_CHECKING:
    import networkx
    from numpy.typing import NDArray

__all__ = ["Board", "Symmetry"]


def numbers(values: Any, axes: int = 2) -> Any:
    """Returns lists of Python's integers, from arrays of ``axes`` axes or nested sequences. Refuses floats and truth values."""
    try:
        if has_truth_value(values):
            raise TypeError
        array = np.asarray(values).astype(np.int64, casting="safe") if len(values) else np.empty([0] * axes, np.int64)
    except (TypeError, ValueError):
        raise InputError(f"squares are tuples of integers, all of one length, not {short(values)}") from None
    if array.ndim != axes:
        raise InputError(f"squares are tuples of integers, all of one length: an array of {axes} axes, not of {array.ndim}")
    return array.tolist()


def has_truth_value(values: Any) -> bool:
    """Returns whether nested sequences contain ``True`` or ``False``, which numpy would take for 1 and 0."""
    if hasattr(values, "dtype"):
        return bool(values.dtype == np.bool_)
    if isinstance(values, (list, tuple)):
        return any(isinstance(value, bool) or has_truth_value(value) for value in values)
    return False


def text(what: str, value: Any) -> str:
    """A text that can be written down."""
    try:
        value.encode()
    except (AttributeError, UnicodeEncodeError):
        raise InputError(f"{what} must be a text, not {short(value)}") from None
    return str(value)


def seconds(value: Any) -> float | None:
    """A time limit, if there is one."""
    try:
        limit = None if value is None else float(value)
    except (TypeError, ValueError, OverflowError):
        limit = -1.0
    if limit is not None and not 0 <= limit < 1e15 or isinstance(value, str):
        raise InputError(f"a time limit is a number of seconds, 0 or more, not {short(value)}")
    return limit


def file_path(value: str | bytes | PathLike[str]) -> str:
    """The path of a file."""
    try:
        return fsdecode(value)
    except TypeError:
        raise InputError(f"a path must be a text, not {short(value)}") from None


def frozen(matrix: sparse.csr_array) -> sparse.csr_array:
    """A matrix that cannot be written to."""
    for part in (matrix.data, matrix.indices, matrix.indptr):
        part.flags.writeable = False
    return matrix


def whole(what: str, value: Any, most: int, least: int = 0) -> int:
    """A whole number of a range."""
    try:
        number = least - 1 if isinstance(value, bool) else index(value)
    except TypeError:
        number = least - 1
    if not least <= number <= most:
        raise InputError(f"{what} must be a whole number from {least} to {most}, not {value!r}")
    return number


@dataclass(frozen=True)
class Symmetry:
    """The symmetry group of a board, by its action on square numbers."""

    #: Generators, ``int32`` of shape ``(generators, squares)``: row ``g`` maps square ``s`` to ``generators[g, s]``.
    generators: NDArray[np.int32]
    #: The number of the orbit of each square, ``int32`` of shape ``(squares,)``, counted from 0.
    orbits: NDArray[np.int32]
    #: The order of the group; ``None`` where it is not known.
    order: int | None
    #: Whether this is the whole group, not a subgroup of it.
    is_whole: bool


class Board:
    """A board by its name, such as ``6^3``, ``4x5x6``, ``torus:7^3``, ``rook:5^3``, ``klein:6^2``, ``hex:7`` or ``file:PATH``.

    Squares are numbered from 0 in lexicographic order of their coordinates, which are counted from 0. Arrays are made when they
    are first asked for, and cannot be written to.

    >>> board = Board("6^3")
    >>> board.size, board.trivial_bound
    (216, 36)
    >>> Board("6^")
    Traceback (most recent call last):
    ndqueens.errors.InputError: board "6^": ...
    """

    def __init__(self, name: str) -> None:
        if not isinstance(name, str):
            raise InputError(f"a board is given by its name, such as \"6^3\", not {short(name)}")
        self._native = _native.Board(text("the name of a board", name))

    @property
    def name(self) -> str:
        """The name in its canonical form: ``5x5x5`` is ``5^3``."""
        return self._native.name

    @property
    def size(self) -> int:
        """The number of squares."""
        return self._native.size

    @property
    def dimension(self) -> int:
        """The number of coordinates of a square."""
        return self._native.dimension

    @property
    def trivial_bound(self) -> int:
        """The number of cliques that partition the board: no more queens than this fit."""
        return self._native.trivial_bound

    @cached_property
    def coordinates(self) -> NDArray[np.int32]:
        """The coordinates of all squares, ``int32`` of shape ``(squares, dimension)``."""
        return np.frombuffer(self._native.coordinates(), np.int32).reshape(self.size, self.dimension)

    @cached_property
    def edges(self) -> NDArray[np.int32]:
        """The queen graph: pairs of squares that attack each other, the lesser first, ``int32`` of shape ``(edges, 2)``."""
        return np.frombuffer(self._native.edges(), np.int32).reshape(-1, 2)

    @cached_property
    def lines(self) -> tuple[NDArray[np.int32], ...]:
        """All lines of two squares or more, each ``int32`` of shape ``(squares on it,)`` in their order along the line."""
        begins, squares = (np.frombuffer(part, kind) for part, kind in zip(self._native.lines(), (np.int64, np.int32)))
        return tuple(squares[begin:end] for begin, end in zip(begins, begins[1:]))

    @cached_property
    def line_matrix(self) -> sparse.csr_array:
        """Which squares are on which line: ones, ``int8`` of shape ``(lines, squares)``."""
        begins, squares = (np.frombuffer(part, kind) for part, kind in zip(self._native.lines(), (np.int64, np.int32)))
        return frozen(sparse.csr_array((np.ones(len(squares), np.int8), squares, begins), (len(begins) - 1, self.size)))

    @cached_property
    def symmetry(self) -> Symmetry:
        """The symmetry group; of graphs from a file none but the identity is known."""
        generators = np.frombuffer(self._native.generators(), np.int32).reshape(-1, self.size)
        orbits = np.frombuffer(self._native.orbits(), np.int32)
        return Symmetry(generators, orbits, *self._native.symmetry())

    def graph(self) -> networkx.Graph:
        """The queen graph. Nodes are square numbers, with the attribute ``square``, a tuple of coordinates."""
        import networkx

        graph = networkx.Graph(board=self.name)
        graph.add_nodes_from((number, {"square": tuple(at)}) for number, at in enumerate(self.coordinates.tolist()))
        graph.add_edges_from(self.edges.tolist())
        return graph

    def square(self, coordinates: Sequence[int]) -> int:
        """The number of the square with these coordinates."""
        return self._native.square(numbers(coordinates, axes=1))

    def draw(self, squares: Iterable[Sequence[int]] = (), attacked: bool = False) -> str:
        """The board as SVG, with pieces on these squares and, if wanted, marks where they attack.

        Parameters: ``squares``, tuples of coordinates or an array of shape ``(pieces, dimension)``.
        """
        given = list(squares) if hasattr(squares, "__iter__") and not hasattr(squares, "__len__") else squares
        return self._native.svg(numbers(given), attacked)

    def _repr_html_(self) -> str:
        return html(self, ())

    def __repr__(self) -> str:
        return f"Board({self.name!r})"

    def __len__(self) -> int:
        return self.size

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and (self.name, self._native.text) == (other.name, other._native.text)

    def __hash__(self) -> int:
        return hash((self.name, self._native.text))

    def __reduce__(self) -> tuple[Any, tuple[str, str | None]]:
        return _restored, (self.name, self._native.text)


def _restored(name: str, text: str | None) -> Board:
    """A board that was pickled, unless its file has changed since."""
    board = Board(name)
    if board._native.text != text:
        raise InputError(f"{name} has changed since this board was made")
    return board


def html(board: Board, squares: Any) -> str:
    """The picture, or the reason why there is none."""
    try:
        return board.draw(squares)
    except InputError as fault:
        return f"<p>{escape(board.name)}: {escape(str(fault))}</p>"


def as_board(board: Board | str) -> Board:
    """A board, or that of a name."""
    return board if isinstance(board, Board) else Board(board)
