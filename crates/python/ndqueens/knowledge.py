"""Known bounds of a board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from . import _native
from .board import Board, as_board

__all__ = ["Known", "Published", "known"]


class Published(NamedTuple):
    """Published bound."""

    #: ``lower`` or ``upper``.
    side: str
    #: Number of queens.
    value: int
    #: Justification: ``theorem``, ``reported``, or ``derived`` if it was not published.
    status: str
    #: Authors and year of the publication.
    source: str
    #: Place in the source; may be empty.
    place: str
    #: ``doi:`` and a DOI, ``oeis:`` and a sequence, or an address; may be empty.
    identifier: str


@dataclass(frozen=True)
class Known:
    """The best bounds of a board among theorems, the archive and publications."""

    #: The board.
    board: Board
    #: Largest number of queens known to fit.
    lower: int
    #: Justification of the lower bound.
    lower_by: str
    #: Upper bound on the number of queens.
    upper: int
    #: Justification of the upper bound.
    upper_by: str
    #: Published bounds.
    published: tuple[Published, ...]

    @property
    def is_settled(self) -> bool:
        """``True`` if the bounds are equal."""
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
    """Returns the known bounds of a board.

    Nothing is checked again. ``ndq info`` also derives bounds from those of other boards.

    >>> known("14^3").lower, known("14^3").upper <= 195
    (172, True)
    """
    board = as_board(board)
    (lower, lower_by), (upper, upper_by), rows = _native.known(board.name)
    return Known(board, lower, lower_by, upper, upper_by, tuple(Published(*row) for row in rows))
