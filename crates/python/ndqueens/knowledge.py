"""What is known of a board before anything is solved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from . import _native
from .board import Board, as_board

__all__ = ["Known", "Published", "known"]


class Published(NamedTuple):
    """A bound that somebody published."""

    #: ``lower`` or ``upper``.
    side: str
    #: The bound, in queens.
    value: int
    #: What it rests on: ``theorem``, ``reported``, or ``derived`` where nobody published it.
    status: str
    #: Who published it, and when.
    source: str
    #: Where in the source; may be empty.
    place: str
    #: ``doi:`` and a DOI, ``oeis:`` and a sequence, or an address; may be empty.
    identifier: str


@dataclass(frozen=True)
class Known:
    """The best bounds of a board among theorems, the archive and publications."""

    #: The board.
    board: Board
    #: So many queens fit.
    lower: int
    #: What the lower bound rests on.
    lower_by: str
    #: No more queens than this fit.
    upper: int
    #: What the upper bound rests on.
    upper_by: str
    #: What was published.
    published: tuple[Published, ...]

    @property
    def is_settled(self) -> bool:
        """Whether the bounds meet."""
        return self.lower == self.upper

    def __str__(self) -> str:
        maximum = f"{self.lower}" if self.is_settled else f"open, gap {self.upper - self.lower}"
        return (
            f"board          {self.board.name}\n"
            f"lower bound    {self.lower}  {self.lower_by}\n"
            f"upper bound    {self.upper}  {self.upper_by}\n"
            f"maximum        {maximum}"
        )


def known(board: Board | str) -> Known:
    """What is known of a board. Nothing is checked again here; ``ndq info`` also derives bounds from those of other boards.

    >>> known("14^3").lower, known("14^3").upper <= 195
    (172, True)
    """
    board = as_board(board)
    (lower, lower_by), (upper, upper_by), rows = _native.known(board.name)
    return Known(board, lower, lower_by, upper, upper_by, tuple(Published(*row) for row in rows))
