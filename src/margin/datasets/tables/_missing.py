"""Values that go missing by a known mechanism."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import expit
from sklearn.utils import Bunch

from margin.core.random import generator
from margin.core.types import Floats
from margin.datasets import _requirements as require

_MECHANISMS = ("MCAR", "MAR", "MNAR")


def make_missing(
    X: ArrayLike,
    mechanism: str = "MCAR",
    *,
    rate: float = 0.3,
    columns: Sequence[int] | None = None,
    driver: int = 0,
    strength: float = 2.0,
    random_state: Any = None,
) -> Bunch:
    r"""Remove values of a complete table by a mechanism that is written down.

    Serves datasets.30. The probability that :math:`x_{ij}` is missing is

    - MCAR, completely at random: the rate :math:`\rho`;
    - MAR, at random: :math:`\sigma(b + s\, z_{id})`, where :math:`z_{id}` is the standardised value
      of the driver column, which is always observed;
    - MNAR, not at random: :math:`\sigma(b_j + s\, z_{ij})`, the value's own standardised size;

    with :math:`b` such that the mean probability is :math:`\rho`. The mean of the observed values
    is unbiased under MCAR. Under MAR it is biased as far as a column depends on the driver, which
    a likelihood of the observed data corrects; under MNAR it is biased and nothing in the
    data says so.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Complete, finite table.
    mechanism : {"MCAR", "MAR", "MNAR"}
        Why values are missing.
    rate : float
        :math:`\rho`, the mean probability of being missing, in (0, 1).
    columns : sequence of int, optional
        Columns that lose values; absent, all but the driver.
    driver : int
        Column that decides under MAR.
    strength : float
        :math:`s`; 0 is MCAR, negative values hide small numbers instead of large ones.
    random_state : None, int or Generator
        Source of randomness.

    Returns
    -------
    Bunch
        ``data`` with NaN where a value is missing; ``mask``, true there; ``complete``, the table
        before; ``probability`` of each value to be missing; ``mechanism``; ``columns``.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).standard_normal((10_000, 2))
    >>> hidden = make_missing(X, "MNAR", rate=0.3, columns=[1], random_state=0)
    >>> round(float(hidden.mask[:, 1].mean()), 2), round(float(np.nanmean(hidden.data[:, 1])), 2)
    (0.3, -0.37)
    """
    owner = "make_missing"
    complete = np.array(X, dtype=float)
    if complete.ndim != 2 or not complete.size or not np.isfinite(complete).all():
        raise ValueError(
            f"{owner}: X must be a finite, nonempty table, got an array of shape {complete.shape}"
        )
    require.one_of(owner, _MECHANISMS, mechanism=mechanism)
    require.between(owner, 0, 1, open_low=True, open_high=True, rate=rate)
    require.between(owner, strength=strength)
    n_features = complete.shape[1]
    require.count(owner, minimum=0, driver=driver)
    chosen = [j for j in range(n_features) if j != driver] if columns is None else list(columns)
    require.between(owner, 0, n_features - 1, driver=driver)
    for column in chosen:
        require.count(owner, minimum=0, columns=column)
        require.between(owner, 0, n_features - 1, columns=column)
    if mechanism == "MAR" and driver in chosen:
        raise ValueError(f"{owner}: columns must not contain the driver under MAR, got {chosen!r}")
    probability = np.zeros_like(complete)
    for column in chosen:
        cause = {"MCAR": None, "MAR": driver, "MNAR": column}[mechanism]
        probability[:, column] = (
            rate if cause is None else _logistic(complete[:, cause], rate, strength)
        )
    mask = generator(random_state).random(complete.shape) < probability
    return Bunch(
        data=np.where(mask, np.nan, complete),
        mask=mask,
        complete=complete,
        probability=probability,
        mechanism=mechanism,
        columns=chosen,
        DESCR=f"A table with values missing by the mechanism {mechanism}.",
    )


def _logistic(cause: Floats, rate: float, strength: float) -> Floats:
    """Probabilities that rise with the cause and have the mean ``rate``."""
    spread = cause.std()
    slope = strength * (cause - cause.mean()) / (spread if spread > 0 else 1.0)
    # At these bounds every probability is on one side of the rate, so a root lies between.
    middle, reach = np.log(rate / (1 - rate)), np.abs(slope).max() + 1.0
    offset = brentq(lambda b: expit(b + slope).mean() - rate, middle - reach, middle + reach)
    return np.asarray(expit(offset + slope))
