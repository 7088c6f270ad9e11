"""What to tell of components that have no rows, or no spread of their own."""

from collections.abc import Sequence

import numpy as np

from margin.core.types import Bools, Floats
from margin.mixture.finite._gaussians import Gaussians

_ROUNDING = 1e-12


def collapse_repairs(gaussians: Gaussians, ridge: float) -> tuple[str, ...]:
    """Phrases about components at rest, and about variances that are the ridge alone.

    Examples
    --------
    >>> pair = Gaussians.of(np.array([1.0, 0.0]), np.zeros((2, 1)), np.full((2, 1), 1e-6), "diag")
    >>> for told in collapse_repairs(pair[0], 1e-6):
    ...     print(told)
    component 1 has no rows left: it rests
    component 0 has no spread in some direction: reg_covar is all its variance there
    """
    alive = gaussians.weights > 0
    told = [f"component {j} has no rows left: it rests" for j in np.flatnonzero(~alive)]
    thin = alive & (_least(gaussians, ridge) if ridge > 0 else np.zeros(len(alive), dtype=bool))
    if thin.any():
        told.append(
            f"component {listed(np.flatnonzero(thin))} has no spread in some direction: "
            "reg_covar is all its variance there"
        )
    return tuple(told)


def listed(places: Sequence[int] | np.ndarray) -> str:
    """A few numbers in words.

    Examples
    --------
    >>> listed([1, 2]), listed(range(20))
    ('1, 2', '0, 1, 2, 3, 4, 5, 6, 7, 8, 9 …')
    """
    head = ", ".join(map(str, list(places)[:10]))
    return head + (" …" if len(places) > 10 else "")


def _least(gaussians: Gaussians, ridge: float) -> Bools:
    """Whether the least variance of each component is the ridge, up to rounding."""
    spread = gaussians.covariances
    if gaussians.kind in ("full", "tied"):
        values: Floats = np.asarray(np.linalg.eigvalsh(spread), dtype=np.float64)
        least, most = values[..., 0], values[..., -1]
    elif gaussians.kind == "diag":
        least, most = spread.min(axis=1), spread.max(axis=1)
    else:
        least = most = spread
    thin = least <= ridge * (1 + 1e-6) + _ROUNDING * most
    return np.asarray(np.broadcast_to(thin, gaussians.weights.shape))
