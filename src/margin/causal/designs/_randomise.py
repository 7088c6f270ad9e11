"""Randomised assignment, drawn again until the groups are alike."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import chi2

from margin.core import check
from margin.core.random import generator
from margin.core.types import Bools, Floats


@dataclass(frozen=True, eq=False)
class Assignment:
    """Who is treated (causal.16).

    Parameters
    ----------
    treated : ndarray of bool
    distance : float
        Mahalanobis distance of the means of the groups.
    threshold : float
        Largest distance that was accepted.
    n_draws : int
        Assignments drawn until one was.
    """

    treated: Bools = field(repr=False)
    distance: float
    threshold: float
    n_draws: int


def randomise(
    covariates: ArrayLike,
    n_treated: int | None = None,
    *,
    acceptance: float = 0.1,
    max_draws: int = 100_000,
    random_state: Any = None,
) -> Assignment:
    r"""Assign a treatment at random, again and again until covariates are balanced (causal.16).

    An assignment is accepted if

    .. math:: M = \Bigl(\tfrac1{n_1} + \tfrac1{n_0}\Bigr)^{-1} (\bar x_1 - \bar x_0)^\top S^{-1}
        (\bar x_1 - \bar x_0) \le a

    where :math:`a` is the quantile of a chi-squared law that a share ``acceptance`` of random
    assignments would pass. Effects that covariates predict are estimated with less variance, and
    without bias, since both groups are drawn alike.

    Parameters
    ----------
    covariates : array-like of shape (n, p)
    n_treated : int, optional
        Half of the rows by default.
    acceptance : float, default=0.1
        Share of assignments that is good enough; 1 for a plain random assignment.
    max_draws : int, default=100_000
        The best so far is taken after so many.
    random_state : int, Generator or RandomState, optional

    References
    ----------
    K. Morgan and D. Rubin, "Rerandomization to improve covariate balance in experiments", Annals of
    Statistics 40, 2012.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).standard_normal((100, 3))
    >>> plan = randomise(X, acceptance=0.01, random_state=0)
    >>> int(plan.treated.sum()), plan.distance <= plan.threshold
    (50, True)
    """
    X = np.asarray(covariates, dtype=np.float64)
    X = X[:, None] if X.ndim == 1 else X
    if X.ndim != 2 or len(X) < 2 or not np.isfinite(X).all():
        raise check.fail("randomise", "covariates", "finite, of at least two rows", X.shape)
    n = len(X)
    size = n // 2 if n_treated is None else n_treated
    if not isinstance(size, int | np.integer) or not 0 < size < n:
        raise check.fail("randomise", "n_treated", f"between 1 and {n - 1}", n_treated)
    if not 0 < acceptance <= 1:
        raise check.fail("randomise", "acceptance", "above 0, at most 1", acceptance)
    if max_draws < 1:
        raise check.fail("randomise", "max_draws", "at least 1", max_draws)
    Z, rank = _whitened(X)
    limit = float(chi2.ppf(acceptance, max(rank, 1))) if acceptance < 1 else np.inf
    rng = generator(random_state)
    best: tuple[float, Any] = (np.inf, None)
    drawn = 0
    while drawn < max_draws:
        block = min(max(1, int(2 / acceptance)), max_draws - drawn, 256)
        order = rng.permuted(np.tile(np.arange(n), (block, 1)), axis=1)[:, :size]
        means = Z[order].sum(axis=1) / size
        distance = (means**2).sum(axis=1) * size * n / (n - size)
        good = np.flatnonzero(distance <= limit)
        at = int(good[0]) if len(good) else int(np.argmin(distance))
        if distance[at] < best[0] or len(good):
            best = (float(distance[at]), order[at])
        drawn += at + 1 if len(good) else block
        if len(good):
            break
    treated = np.zeros(n, dtype=bool)
    treated[best[1]] = True
    return Assignment(treated, best[0], limit, drawn)


def _whitened(X: Floats) -> tuple[Floats, int]:
    """Rows of mean zero whose covariance is one; directions without variance are left out."""
    centred = X - X.mean(axis=0)
    U, s, _ = np.linalg.svd(centred, full_matrices=False)
    kept = s > 1e-10 * max(s[0], 1e-300)
    return U[:, kept] * np.sqrt(len(X) - 1), int(kept.sum())
