"""DataFrames as collections of documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, BinaryType, DataType, MapType, StructType

from twinsift._reading import reading
from twinsift._tables.adapter import refuse_missing, wanted_columns
from twinsift.errors import InputError, UsageError
from twinsift.spark._internals import has_fixed_order, is_classic

#: The columns that name documents, if none is named.
_IDS = ("id", "doc_id", "url")


@dataclass(frozen=True)
class Documents:
    """The documents of a DataFrame."""

    frame: DataFrame
    reading: dict[str, Any]
    #: The column that names documents.
    id: str
    #: The column that says which document comes first.
    order: str

    @property
    def read(self) -> list[str]:
        """The columns that are read."""
        return list(dict.fromkeys([self.id, *wanted_columns(self.frame.columns, self.reading)]))

    @property
    def rows(self) -> DataFrame:
        """The rows, in an order that does not change if a task is run again."""
        columns = list(dict.fromkeys([*self.read, self.order]))
        rows = self.frame.select(*(F.col(f"`{name}`") for name in columns))
        return rows if has_fixed_order(rows) else rows.sortWithinPartitions(F.col(f"`{self.id}`"))

    @property
    def kept_types(self) -> dict[str, DataType]:
        """The kept columns as segments and members have them, and their types."""
        return {"id": self.type_of(self.id), "order": self.type_of(self.order)}

    def type_of(self, name: str) -> DataType:
        """Return the type of a column."""
        return self.frame.schema[name].dataType


def documents(
    frame: DataFrame, what: str, order: str | None, rank: str | None, columns: dict[str, Any]
) -> Documents:
    """Return the documents of a DataFrame, or refuse it."""
    if not isinstance(frame, DataFrame):
        raise UsageError(f"{what} is a {type(frame).__name__}: a DataFrame of Spark is wanted")
    if not is_classic(frame):
        raise UsageError(
            f"{what} is a DataFrame of Spark Connect, which cannot run this: start a session on the "
            "cluster itself, with spark-submit, say"
        )
    names = frame.columns
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated is not None:
        raise InputError(f'{what} has two columns "{repeated}": rename one of them')
    id = columns.get("id")
    if id is None:
        id = next((name for name in _IDS if name in names), None)
    if not isinstance(id, str):
        raise InputError(
            f"{what} has no column id, doc_id or url: name the one that names documents with id=; "
            f"the columns are {', '.join(names)}"
        )
    said: dict[str, Any] = {**columns, "id": id, "rank": rank}
    how = reading(**said)
    refuse_missing(names, {**how, "extra": [] if order is None else [order]})
    found = Documents(frame, how, id, order or id)
    dotted = next((name for name in [*found.read, found.order] if "." in name), None)
    if dotted is not None:
        raise InputError(
            f'the column "{dotted}" of {what} has a dot in its name, which Spark takes for a field of '
            "a structure: rename it"
        )
    for name in (found.id, found.order):
        if isinstance(found.type_of(name), (ArrayType, MapType, StructType, BinaryType)):
            raise InputError(
                f'the column "{name}" of {what} is of type {found.type_of(name).simpleString()}: '
                "documents are named and ordered by texts, numbers or dates"
            )
    return found


def refuse_other_types(new: Documents, old: Documents) -> None:
    """Refuse collections whose ids, or what puts them in order, are of different types."""
    for name, other in ((new.id, old.id), (new.order, old.order)):
        kinds = new.type_of(name).simpleString(), old.type_of(other).simpleString()
        if kinds[0] != kinds[1]:
            raise InputError(
                f'the column "{name}" of the new collection is of type {kinds[0]}, and "{other}" of '
                f"the old one of type {kinds[1]}: cast one of them"
            )
