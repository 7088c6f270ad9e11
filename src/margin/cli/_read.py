"""The table a command works on: CSV, Parquet or a built-in name."""

from __future__ import annotations

import io
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from margin.cli import _text
from margin.cli._errors import CommandError, near, one_line, quoted

if TYPE_CHECKING:
    import pandas as pd

PARQUET = b"PAR1"


@dataclass(frozen=True)
class Table:
    """A table with its origin; ``target`` is known for built-in tables only."""

    frame: pd.DataFrame
    source: str
    target: str | None = None


def table(data: str | None) -> Table:
    """The table that ``data`` names: a built-in one, a file, or the default when ``None``."""
    from margin import datasets

    pandas()
    names = datasets.builtin_names()
    if data is None or data in names:
        known = datasets.builtin(data or names[0])
        return Table(known.frame, f"{known.name} (built-in)", known.target)
    path = Path(data)
    if not path.exists() and not path.suffix and path.parent == Path("."):
        hint = near(data, names) or f"; built-in tables are {quoted(names, len(names))}"
        raise CommandError(f"no file and no built-in table {data!r}{hint}")
    return Table(file(path), path.name)


def file(path: Path) -> pd.DataFrame:
    """The table in a CSV or Parquet file."""
    pandas()
    content = content_of(path)
    if content.startswith(PARQUET) or path.suffix.lower() in {".parquet", ".pq"}:
        return _parquet(content, path.name)
    return _csv(content, path.name)


def content_of(path: Path) -> bytes:
    """Bytes of a file that must exist and hold something."""
    if not path.exists():
        beside = path.parent if path.parent.is_dir() else None
        names = [p.name for p in beside.iterdir()] if beside else []
        raise CommandError(f"no such file: {path}{near(path.name, names, 0.75)}")
    if path.is_dir():
        raise CommandError(f"{path} is a folder, a CSV or Parquet file is needed")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise CommandError(f"cannot read {path}: {error.strerror}") from error
    if not content.strip():
        raise CommandError(f"{path.name} is empty")
    return content


def pandas() -> Any:
    """Pandas, or an error that says how to install it."""
    try:
        import pandas as pd
    except ImportError as error:
        raise CommandError("tables need pandas: pip install 'margin[compare]'") from error
    return pd


def _parquet(content: bytes, name: str) -> pd.DataFrame:
    try:
        return pandas().read_parquet(io.BytesIO(content))
    except ImportError as error:
        raise CommandError("Parquet needs pyarrow: pip install 'margin[compare]'") from error
    except Exception as error:
        # pyarrow raises its own errors, OSError or ValueError, depending on what is broken
        raise CommandError(f"{name} is not a readable Parquet file: {one_line(error)}") from error


def _csv(content: bytes, name: str) -> pd.DataFrame:
    text = _text.decoded(content, name)
    delimiter = _text.delimiter(text)
    _text.check_header(text, delimiter, name)
    options = {"sep": delimiter, "index_col": False, "low_memory": False, "skipinitialspace": True}
    if _text.decimal_comma(text, delimiter):
        options["decimal"] = ","
    library = pandas()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", library.errors.ParserWarning)
            frame = library.read_csv(io.StringIO(text), **options)
    except library.errors.ParserWarning as error:
        raise CommandError(f"{name}: rows have more fields than there are column names") from error
    except (library.errors.ParserError, library.errors.EmptyDataError, ValueError) as error:
        words = one_line(error).removeprefix("Error tokenizing data. C error: ")
        raise CommandError(f"{name} is not a readable table: {words}") from error
    if frame.empty:
        raise CommandError(f"{name} has column names but no rows")
    return frame
