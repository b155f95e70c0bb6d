"""Tables of experiments and of the archive as data frames, with units and meanings.

A folder with tables has a Data Package, ``datapackage.json``, which ``ndq table columns --package FOLDER`` writes; the root of the
clone has one of everything in ``results/`` and ``instances/``.
"""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from os import PathLike, path
from typing import TYPE_CHECKING, Any

from .errors import FileError, InputError

if TYPE_CHECKING:
    import pandas
    import polars

__all__ = ["Column", "Package", "Table"]


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    #: Its name.
    name: str
    #: ``string``, ``number`` or ``boolean``.
    type: str
    #: Its unit, such as ``queens`` or ``s``; ``text`` where it has none.
    unit: str
    #: What it says.
    meaning: str


@dataclass(frozen=True)
class Table:
    """A table of a Data Package."""

    #: Its name.
    name: str
    #: What it holds, in a line.
    title: str
    #: Its file.
    path: str
    #: Its columns.
    columns: tuple[Column, ...]

    def _values(self) -> dict[str, list[Any]]:
        """The values of each column; ``None`` where a cell is empty."""
        try:
            with open(self.path, encoding="utf-8", newline="") as file:
                head, *rows = list(csv.reader(file))
        except (OSError, UnicodeDecodeError, ValueError) as fault:
            raise FileError(f"cannot read {self.path}: {fault}") from fault
        if head != [column.name for column in self.columns]:
            raise InputError(f"{self.path} has other columns than its package says: {', '.join(head)}")
        if any(len(row) != len(head) for row in rows):
            raise InputError(f"{self.path} has rows with more or fewer cells than columns")
        return {
            column.name: [_value(row[place], column, self.path) for row in rows]
            for place, column in enumerate(self.columns)
        }

    @property
    def attrs(self) -> dict[str, Any]:
        """Title, units and meanings, as pandas frames have them in ``attrs``."""
        return {
            "name": self.name,
            "title": self.title,
            "units": {column.name: column.unit for column in self.columns},
            "meanings": {column.name: column.meaning for column in self.columns},
        }

    def pandas(self) -> pandas.DataFrame:
        """A frame of shape ``(rows, columns)`` with ``Int64``, ``Float64``, ``boolean`` and ``string`` columns.

        ``frame.attrs`` has the title, and by column the ``units`` and the ``meanings``. Whole numbers beyond 64 bits are Python's.
        """
        import pandas

        kinds = {int: "Int64", float: "Float64", bool: "boolean", str: "string", object: "object"}
        series = {
            name: pandas.Series(values, dtype=kinds[_kind(values)], name=name)
            for name, values in self._values().items()
        }
        frame = pandas.DataFrame(series, columns=[column.name for column in self.columns])
        frame.attrs.update(self.attrs)
        return frame

    def polars(self) -> polars.DataFrame:
        """A frame of shape ``(rows, columns)``; units and meanings are in ``attrs`` of the table, for polars has no place for them.

        Whole numbers beyond 64 bits are text.
        """
        import polars

        kinds = {int: polars.Int64, float: polars.Float64, bool: polars.Boolean, str: polars.String, object: polars.String}
        series = []
        for name, values in self._values().items():
            kind = _kind(values)
            told = [None if value is None else str(value) for value in values] if kind is object else values
            series.append(polars.Series(name, told, kinds[kind], strict=False))
        return polars.DataFrame(series)

    def __repr__(self) -> str:
        return f"<Table {self.name}: {self.title}>"


class Package:
    """The tables of a folder.

    Parameters: ``folder``, one with a ``datapackage.json``.
    """

    def __init__(self, folder: str | PathLike[str] = ".") -> None:
        file = path.join(folder, "datapackage.json")
        try:
            with open(file, encoding="utf-8") as text:
                resources = json.load(text)["resources"]
            self.tables = {resource["name"]: _table(resource, folder) for resource in resources}
        except OSError as fault:
            raise FileError(
                f"cannot read {file}: {fault.strerror}; ndq table columns --package {path.join(folder, '')} "
                f"--output {file} writes it"
            ) from fault
        except (ValueError, LookupError, TypeError) as fault:
            raise InputError(f"{file} is not a Data Package of tables: {fault!r}") from fault
        self._folder = folder

    def __getitem__(self, name: str) -> Table:
        """A table by its name, or by the path of its file in the folder."""
        file = path.normpath(path.join(self._folder, name))
        for table in self.tables.values():
            if name == table.name or path.normpath(table.path) == file:
                return table
        raise InputError(f"no table {name}; there are {', '.join(self.tables)}")

    def __iter__(self) -> Any:
        return iter(self.tables.values())

    def __len__(self) -> int:
        return len(self.tables)

    def __repr__(self) -> str:
        return f"<Package {self._folder}: {len(self)} tables>"


def _table(resource: dict[str, Any], folder: str | PathLike[str]) -> Table:
    fields = resource["schema"]["fields"]
    columns = (Column(field["name"], field["type"], field["unit"], field["description"]) for field in fields)
    return Table(resource["name"], resource["title"], path.join(folder, resource["path"]), tuple(columns))


def _value(cell: str, column: Column, file: str) -> Any:
    if column.type == "string" or not cell:
        return cell if column.type == "string" else None
    if column.type == "boolean" and cell in ("true", "false"):
        return cell == "true"
    for kind in (int, float):
        try:
            return kind(cell)
        except ValueError:
            pass
    raise InputError(f'{file}: "{cell}" in column {column.name} is not a {column.type}')


def _kind(values: list[Any]) -> type:
    kinds = {type(value) for value in values if value is not None}
    if kinds == {int, float}:
        return float
    if kinds == {int}:
        return int if all(value is None or abs(value) < 2**63 for value in values) else object
    return kinds.pop() if len(kinds) == 1 else str
