"""Anderson's mixing of the last points of expectation maximisation."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Floats

_RCOND = 1e-10


@dataclass(frozen=True)
class Anderson:
    r"""The mixture of the last points whose steps cancel best.

    With steps :math:`r_i = \theta_{i+1} - \theta_i` it proposes
    :math:`\sum_i a_i \theta_{i+1}`, where :math:`\sum_i a_i = 1` minimise
    :math:`\|\sum_i a_i r_i\|`: a secant method in as many directions as it remembers, where
    :class:`Squarem` has one. As there, the driver keeps a proposal only where the bound does not
    fall, so the path stays monotone.

    Parameters
    ----------
    to_vector : callable
        Parameters as a vector of free numbers.
    from_vector : callable
        The way back; ``None`` for a vector that means nothing.
    depth : int
        Steps that are mixed; a proposal is made after so many iterations.

    References
    ----------
    Walker and Ni (2011). Anderson acceleration for fixed-point iterations. SIAM Journal on
    Numerical Analysis 49, 1715-1735.

    Examples
    --------
    Two rates of convergence at once, seen through by three steps.

    >>> import numpy as np
    >>> path = [np.array([0.9**k, 0.5**k]) for k in range(4)]
    >>> np.abs(Anderson(np.asarray, np.asarray)(*path)).max() < 1e-12
    np.True_
    """

    to_vector: Callable[[Any], Floats]
    from_vector: Callable[[Floats], Any]
    depth: int = 3

    def __post_init__(self) -> None:
        check.params(self, count="depth")

    @property
    def n_points(self) -> int:
        """Points in a row that a proposal is made of."""
        return self.depth + 1

    def __call__(self, *points: Any) -> Any | None:
        """Parameters further along; ``None`` where the path says nothing."""
        path = np.array([self.to_vector(p) for p in points])
        steps = np.diff(path, axis=0)
        if len(steps) < 2 or not np.isfinite(steps).all():
            return None
        change = np.diff(steps, axis=0)
        size = np.linalg.norm(change, axis=1)
        if not (size > 0).all():
            return None
        # Unit columns: later steps are shorter by powers of the rate.
        shares = np.linalg.lstsq((change / size[:, None]).T, steps[-1], rcond=_RCOND)[0] / size
        proposed = path[-1] - shares @ np.diff(path[1:], axis=0)
        return self.from_vector(proposed) if np.isfinite(proposed).all() else None
