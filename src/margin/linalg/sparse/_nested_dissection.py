"""In which order to eliminate unknowns that have a place in space."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core.types import Floats, Places

_LEAF = 96
_WORTH = 0.5


@dataclass(frozen=True, eq=False)
class Dissection:
    """Groups of unknowns in the order of their elimination; children before parents.

    Parameters
    ----------
    groups : tuple of ndarray of int
        Unknowns that are eliminated together.
    children : tuple of tuple of int
        Groups whose elimination comes before and touches a group.
    """

    groups: tuple[Places, ...]
    children: tuple[tuple[int, ...], ...]


def nested_dissection(points: Floats, graph: Any, *, leaf: int = _LEAF) -> Dissection:
    r"""Halve space again and again; what touches the other half is eliminated last (linalg.09).

    Once the separator between two halves is left out nothing connects them, so that neither adds
    to the factor of the other. For points in the plane that are connected to near ones the factor
    has :math:`O(n \log n)` numbers.

    Parameters
    ----------
    points : ndarray of shape (n, d)
        Where the unknowns are.
    graph : sparse array of shape (n, n)
        Its nonzeros say which unknowns are connected; symmetric, no negative entries.
    leaf : int
        Largest group that is never divided; larger ones are not where the halves hardly separate.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import diags_array
    >>> chain = diags_array([1.0, 1.0], offsets=[-1, 1], shape=(5, 5), format="csr")
    >>> nested_dissection(np.arange(5.0)[:, None], chain, leaf=2).groups
    (array([0]), array([2, 3, 4]), array([1]))
    """
    groups: list[Places] = []
    children: list[tuple[int, ...]] = []
    far = np.zeros(len(points))

    def divide(part: Places) -> tuple[int, ...]:
        if not len(part):
            return ()
        parts = None if len(part) <= leaf else _separated(points, graph, part, far)
        below: tuple[int, ...] = ()
        group = part
        if parts is not None:
            left, right, group = parts
            below = divide(left) + divide(right)
            if not len(group):  # the halves do not touch: nothing to eliminate here
                return below
        groups.append(group)
        children.append(below)
        return (len(groups) - 1,)

    divide(np.arange(len(points)))
    return Dissection(tuple(groups), tuple(children))


def bisection(points: Floats, size: int) -> tuple[Places, ...]:
    """Groups of at most ``size`` points that are near to each other.

    Examples
    --------
    >>> import numpy as np
    >>> bisection(np.array([[0.0], [9.0], [1.0], [8.0]]), 2)
    (array([0, 2]), array([1, 3]))
    """
    groups: list[Places] = []
    stack = [np.arange(len(points))]
    while stack:
        part = stack.pop()
        if len(part) <= size:
            groups.append(np.sort(part))
            continue
        left, right = _halves(points, part)
        stack += [right, left]
    return tuple(groups)


def _halves(points: Floats, part: Places) -> tuple[Places, Places]:
    """Two halves along the longest side of the box around the points."""
    near = points[part]
    axis = int(np.argmax(np.ptp(near, axis=0)))
    order = np.argsort(near[:, axis], kind="stable")
    middle = len(part) // 2
    return part[np.sort(order[:middle])], part[np.sort(order[middle:])]


def _separated(
    points: Floats, graph: Any, part: Places, far: Floats
) -> tuple[Places, Places, Places] | None:
    """Left, right and separator; None where the separator is too large to be worth it."""
    left, right = _halves(points, part)
    far[right] = 1.0
    touches = graph[left] @ far > 0
    far[right] = 0.0
    if touches.sum() > _WORTH * len(left):
        return None
    return left[~touches], right, left[touches]
