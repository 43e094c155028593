"""The archive as Parquet, for those who analyse: DuckDB, pandas, R and others read it as it is.

A file for each month and each table: ``events-2026-11.parquet``, ``games-2026-11.parquet``.
"""

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
from psycopg import Connection
from pyarrow import parquet

from controller.wire import encode

AT_ONCE = 10_000  #: rows

_EVENTS = pa.schema(
    [
        ("origin", pa.string()),
        ("venue", pa.string()),
        ("board", pa.string()),
        ("seq", pa.int64()),
        ("game", pa.string()),
        ("ply", pa.int32()),
        ("type", pa.dictionary(pa.int32(), pa.string())),
        ("side", pa.string()),
        ("ms", pa.int64()),
        ("body", pa.string()),  # JSON
    ]
)
_GAMES = pa.schema(
    [
        ("origin", pa.string()),
        ("venue", pa.string()),
        ("board", pa.string()),
        ("game", pa.string()),
        ("started", pa.timestamp("us", tz="UTC")),
        ("opening", pa.string()),  # JSON
    ]
)
_TABLES = {"events": ("event", _EVENTS, "board, seq"), "games": ("game", _GAMES, "board, started")}


def write(archive: Connection[Any], folder: Path) -> list[Path]:
    """Writes a file for each month and table into ``folder``; those that are there are replaced, each at once."""
    folder.mkdir(parents=True, exist_ok=True)
    months = [month for (month,) in archive.execute("SELECT DISTINCT month FROM game ORDER BY month")]
    return [_write(archive, folder, name, month) for month in months for name in _TABLES]


def _write(archive: Connection[Any], folder: Path, name: str, month: date) -> Path:
    table, schema, order = _TABLES[name]
    path = folder / f"{name}-{month:%Y-%m}.parquet"
    unfinished = path.with_suffix(".part")
    with parquet.ParquetWriter(unfinished, schema) as writer:
        for rows in _rows(archive, table, schema.names, order, month):
            columns = zip(*rows, strict=True)
            arrays = [pa.array(_text(column), field.type) for column, field in zip(columns, schema, strict=True)]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))
    unfinished.replace(path)
    return path


def _rows(
    archive: Connection[Any], table: str, columns: list[str], order: str, month: date
) -> Iterator[list[tuple[Any, ...]]]:
    question = f"SELECT {', '.join(columns)} FROM {table} WHERE month = %s ORDER BY {order}"
    with archive.transaction(), archive.cursor(name="parquet") as cursor:
        cursor.execute(question.encode(), (month,))
        while rows := cursor.fetchmany(AT_ONCE):
            yield rows


def _text(column: Any) -> list[Any]:
    """JSON is text there."""
    return [encode(value).decode() if isinstance(value, dict) else value for value in column]
