"""Tables that come in blocks of rows."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import check


@dataclass(frozen=True, eq=False)
class Blocks:
    """Blocks of rows that are read anew on every pass: the table need not fit in memory.

    Parameters
    ----------
    source : iterable or callable
        Something that can be read again and again, such as a list or an object with
        ``__iter__``, or a function that opens it from the start. A block is a table (an array, a
        frame, a batch of Arrow), or a tuple of a table and what belongs to its rows: targets,
        weights. One without rows is passed over: of some batches a filter leaves nothing.

    Examples
    --------
    >>> blocks = Blocks.of("PCA", lambda: ([i] for i in range(3)))
    >>> list(blocks) == list(blocks) == [([0],), ([1],), ([2],)]
    True
    """

    source: Callable[[], Iterable[Any]] | Iterable[Any]

    @classmethod
    def of(cls, owner: Any, blocks: Any) -> "Blocks":
        """Blocks as a user gives them; what can be read only once is refused."""
        if isinstance(blocks, Blocks):
            return blocks
        if isinstance(blocks, Iterator) or not (callable(blocks) or isinstance(blocks, Iterable)):
            need = "a list, another iterable that can be read again, or a function that opens one"
            raise check.fail(owner, "blocks", need, type(blocks).__name__)
        return cls(blocks)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        for block in self.source() if callable(self.source) else self.source:
            parts = block if isinstance(block, tuple) else (block,)
            if parts and not _has_no_rows(parts[0]):
                yield tuple(map(_opened, parts))


def _has_no_rows(table: Any) -> bool:
    shape = getattr(table, "shape", None)
    if isinstance(shape, tuple) and shape:
        return bool(shape[0] == 0)
    return isinstance(table, list) and not table


def _opened(part: Any) -> Any:
    """A batch, a table or a column of Arrow as pandas and NumPy know it; others as they are."""
    if type(part).__module__.partition(".")[0] != "pyarrow":
        return part
    if hasattr(part, "column_names") or hasattr(part, "schema"):
        return part.to_pandas()
    return np.asarray(part)
