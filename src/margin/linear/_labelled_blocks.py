"""Rows with targets that come in blocks."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core import Blocks, check
from margin.core.types import Array, Floats
from margin.linear._class_labels import announced_labels


def checked_blocks(
    owner: Any, blocks: Blocks, **options: Any
) -> Iterator[tuple[Any, Array, Floats | None]]:
    """Rows, targets and weights of every block as ``check.data`` leaves them.

    The first block says which columns there are.

    Examples
    --------
    >>> from margin.linear import Ridge
    >>> blocks = Blocks.of("Ridge", [([[1.0], [2.0]], [0, 1]), ([[4.0]], [5], [2.0])])
    >>> [(len(X), y.tolist(), weight) for X, y, weight in checked_blocks(Ridge(), blocks)]
    [(2, [0.0, 1.0], None), (1, [5.0], array([2.]))]
    """
    empty = True
    for block in blocks:
        if len(block) not in (2, 3):
            need = "of tuples (X, y) or (X, y, sample_weight)"
            raise check.fail(owner, "blocks", need, f"a block of {len(block)} parts")
        yield check.data(owner, *block, reset=empty, part=True, **options)
        empty = False
    if empty:
        raise check.fail(owner, "blocks", "at least one block of rows", "none")


def block_labels(owner: Any, blocks: Blocks, classes: ArrayLike | None, *, least: int = 2) -> Array:
    """Sorted labels of all blocks, found in a pass of its own where they are not announced."""
    if classes is None:
        each = [np.unique(np.asarray(block[1])) for block in blocks if len(block) > 1]
        classes = np.unique(np.concatenate(each)) if each else np.empty(0)
    return announced_labels(owner, None, classes, least=least)
