"""What goes wrong, with the words that the command ``ndq`` has for it.

``exit_code`` is the exit code that ``ndq`` ends with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .certificate import Certificate

__all__ = ["DoesNotHold", "Error", "Failure", "FileError", "InputError", "Unsettled"]


class Error(Exception):
    """All that this package raises by itself."""

    exit_code = 4


class InputError(Error, ValueError):
    """What was given makes no sense, is too large, or does not fit together."""

    exit_code = 2


class FileError(Error, OSError):
    """A file cannot be read or written."""

    exit_code = 2


class DoesNotHold(Error):
    """A certificate or a proof was checked and is wrong; the message is the first fault."""

    exit_code = 1


class Unsettled(Error, TimeoutError):
    """A time limit was met before the question was answered."""

    exit_code = 3

    def __init__(
        self,
        message: str,
        certificate: Certificate | None = None,
        upper: int | None = None,
    ) -> None:
        super().__init__(message)
        #: The largest placement found, verified; ``None`` where none is looked for.
        self.certificate = certificate
        #: No more queens than this fit; ``None`` where it is not known.
        self.upper = upper


class Failure(Error, RuntimeError):
    """The program failed, or what it found was refused by its own checker: a defect, please report it."""

    exit_code = 4
