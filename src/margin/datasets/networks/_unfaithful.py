"""A linear structural model whose two causal paths cancel."""

from typing import Any

import numpy as np
from sklearn.utils import Bunch

from margin.core.random import generator
from margin.core.types import Floats
from margin.datasets import _requirements as require


def make_unfaithful_sem(
    n_samples: int = 1000,
    *,
    a: float = 0.8,
    b: float = 1.5,
    c: float | None = None,
    scales: tuple[float, float, float] = (1.0, 1.0, 1.0),
    random_state: Any = None,
) -> Bunch:
    r"""X causes Y along two paths that cancel: independent, though not d-separated.

    Serves datasets.09:
    :math:`X = \varepsilon_X,\; Z = aX + \varepsilon_Z,\; Y = bZ + cX + \varepsilon_Y`, hence
    :math:`Y = (ab + c)X + b\varepsilon_Z + \varepsilon_Y`. With :math:`ab + c = 0` the distribution
    is not faithful to its graph: X and Y are uncorrelated, but not so given Z, and a structure
    search deletes an arrow that is there.

    Parameters
    ----------
    n_samples : int
        Number of rows.
    a, b : float
        Strengths of X → Z and Z → Y.
    c : float, optional
        Strength of X → Y; absent, the unfaithful choice :math:`c = -ab`.
    scales : tuple of three floats
        Standard deviations of the noise of X, Z, Y.
    random_state : None, int or Generator
        Source of randomness.

    Returns
    -------
    Bunch
        ``data`` with columns X, Z, Y; ``coefficients``, where entry [child, parent] is the strength
        of an arrow; ``edges``; ``covariance``, the exact one; ``total_effect`` :math:`ab + c`;
        ``partial_correlation`` of X and Y given Z; ``faithful``.

    Examples
    --------
    >>> sem = make_unfaithful_sem(a=2.0, b=1.0, random_state=0)
    >>> sem.covariance
    array([[1., 2., 0.],
           [2., 5., 1.],
           [0., 1., 2.]])
    >>> round(sem.partial_correlation, 4)
    -0.6667
    """
    require.count("make_unfaithful_sem", n_samples=n_samples)
    require.between("make_unfaithful_sem", a=a, b=b)
    for scale in scales:
        require.positive("make_unfaithful_sem", scales=scale)
    direct = -a * b if c is None else c
    require.between("make_unfaithful_sem", c=direct)
    coefficients = np.array([[0.0, 0.0, 0.0], [a, 0.0, 0.0], [direct, b, 0.0]])
    mixing = np.linalg.solve(np.eye(3) - coefficients, np.diag(scales))
    covariance = mixing @ mixing.T
    noise = generator(random_state).standard_normal((n_samples, 3))
    strengths = {("X", "Z"): a, ("Z", "Y"): b, ("X", "Y"): direct}
    effect = a * b + direct
    return Bunch(
        data=noise @ mixing.T,
        feature_names=["X", "Z", "Y"],
        coefficients=coefficients,
        edges=[edge for edge, strength in strengths.items() if strength != 0],
        scales=np.asarray(scales, dtype=float),
        covariance=covariance,
        total_effect=effect,
        partial_correlation=_partial_correlation(covariance),
        faithful=effect != 0 or a * b == 0,
        DESCR="Linear structural model X → Z → Y ← X, by default with cancelling paths.",
    )


def _partial_correlation(covariance: Floats) -> float:
    """Correlation of X and Y given Z, from the Schur complement of the covariance."""
    kept = covariance[np.ix_([0, 2], [0, 2])]
    across = covariance[[0, 2], 1]
    rest = kept - np.outer(across, across) / covariance[1, 1]
    return float(rest[0, 1] / np.sqrt(rest[0, 0] * rest[1, 1]))
