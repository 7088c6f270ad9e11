"""Which decomposition serves a table, and whether the number of components fits it."""

from numbers import Integral, Real
from typing import Any

import numpy as np

from margin.core import check

SOLVERS = ("auto", "full", "covariance_eigh", "arpack", "randomized", "dual")
_DUAL_ROWS = 5000


def check_components(owner: Any, value: Any) -> None:
    """Refuse what is neither a count, a share, ``"mle"`` nor None."""
    if value is None or (isinstance(value, str) and value == "mle"):
        return
    whole = isinstance(value, Integral) and not isinstance(value, bool | np.bool_)
    if whole and value >= 0:
        return
    if isinstance(value, Real) and not isinstance(value, Integral) and 0 < float(value) < 1:
        return
    need = "None, an integer of at least 0, a share between 0 and 1, or 'mle'"
    raise check.fail(owner, "n_components", need, value)


def choose(solver: str, n_components: Any, shape: tuple[int, int], sparse: bool) -> str:
    """Name of the decomposition for a table of this shape.

    Examples
    --------
    >>> choose("auto", 20, (20_000, 200), False), choose("auto", 20, (2_000, 20_000), False)
    ('covariance_eigh', 'dual')
    """
    if solver != "auto":
        return solver
    n, p = shape
    if sparse:
        return "covariance_eigh" if p <= 1000 else "arpack"
    if p <= 1000 and n >= 10 * p:
        return "covariance_eigh"
    if max(shape) <= 500 or n_components is None or n_components == "mle":
        return "full"
    if 1 <= n_components < 0.8 * min(shape):
        return "dual" if n < p and n <= _DUAL_ROWS else "randomized"
    return "full"


def resolved_components(
    owner: Any, n_components: Any, solver: str, shape: tuple[int, int], sparse: bool
) -> int | None:
    """Number of components asked for; None where the variances have to be seen first."""
    name, least = type(owner).__name__, min(shape)
    if sparse and solver not in ("arpack", "covariance_eigh"):
        raise TypeError(
            f'{name} only support sparse inputs with the "arpack" and "covariance_eigh" solvers, '
            f'while "{solver}" was passed. See TruncatedSVD for a possible alternative.'
        )
    partial = solver in ("arpack", "randomized", "dual")
    if n_components is None:
        return least - 1 if solver == "arpack" else least
    if isinstance(n_components, str):
        if partial:
            raise ValueError(
                f"{name}: n_components={n_components!r} cannot be a string with "
                f"svd_solver='{solver}'"
            )
        if shape[0] < shape[1]:
            raise ValueError(
                f"{name}: n_components='mle' is only supported if n_samples >= n_features, got "
                f"{shape[0]} samples of {shape[1]} features"
            )
        return None
    low = 1 if partial else 0
    if not low <= n_components <= least:
        raise ValueError(
            f"{name}: n_components={n_components} must be between {low} and "
            f"min(n_samples, n_features)={least} with svd_solver='{solver}'"
        )
    if solver == "arpack" and n_components == least:
        raise ValueError(
            f"{name}: n_components={n_components} must be strictly less than "
            f"min(n_samples, n_features)={least} with svd_solver='{solver}'"
        )
    return int(n_components) if isinstance(n_components, Integral | np.integer) else None
