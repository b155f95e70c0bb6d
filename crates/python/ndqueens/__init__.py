"""Boards, formulations, proofs and tables of the (n,d)-queens problem.

How many queens fit on a d-dimensional chessboard of side n so that no two attack each other? This package has the boards,
integer programs, exact engine and independent checker of ``ndq`` for Python.

>>> import ndqueens as nq
>>> theorem = nq.prove("4^3")
>>> theorem.value
7
>>> nq.verify(theorem.certificate)
7
"""

from . import solvers, tables
from ._native import __version__
from .board import Board, Symmetry
from .certificate import Attempt, Certificate, construct, constructions, verify
from .errors import DoesNotHold, Error, Failure, FileError, InputError, Unsettled
from .formulation import Formulation, formulation, formulations
from .knowledge import Known, Published, known
from .proofs import Checked, Count, Progress, Theorem, check_proof, count, prove
from .tables import Column, Package, Table

__all__ = [
    "Attempt",
    "Board",
    "Certificate",
    "Checked",
    "Column",
    "Count",
    "DoesNotHold",
    "Error",
    "Failure",
    "FileError",
    "Formulation",
    "InputError",
    "Known",
    "Package",
    "Progress",
    "Published",
    "Symmetry",
    "Table",
    "Theorem",
    "Unsettled",
    "__version__",
    "check_proof",
    "construct",
    "constructions",
    "count",
    "formulation",
    "formulations",
    "known",
    "prove",
    "solvers",
    "tables",
    "verify",
]
