"""The variables of a network over time, and the states that each may take."""

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from margin.core import check
from margin.sequence.dynamic_network._frames import Frames, labels

Names = tuple[Hashable, ...]


def variables(
    owner: object,
    given: Frames,
    hidden: Mapping[Hashable, int] | None,
    states: Mapping[Hashable, Any] | None,
) -> tuple[Names, dict[Hashable, list[Any]]]:
    """Names, columns first and hidden variables last, and the states of each.

    Parameters
    ----------
    owner : object
        Who asks, for messages.
    given : Frames
    hidden : mapping of name to int, optional
        Variables that are never seen, with their numbers of states 0, 1, ….
    states : mapping of name to list, optional
        States of columns; those that were seen by default.
    """
    sizes, known = dict(hidden or {}), dict(states or {})
    for name, size in sizes.items():
        if isinstance(size, bool) or not isinstance(size, int | np.integer) or size < 1:
            raise check.fail(owner, f"hidden[{name!r}]", "an integer of at least 1", size)
        if name in given.columns:
            raise check.fail(owner, "hidden", "names that are no columns of X", name)
    lists: dict[Hashable, list[Any]] = {}
    for name in (*given.columns, *sizes):
        if name in sizes:
            lists[name] = list(range(int(sizes[name])))
        elif name in known:
            lists[name] = list(known[name])
        else:
            lists[name] = labels(owner, name, given.columns[name]) or [0]
    return tuple(lists), lists
