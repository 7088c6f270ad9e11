"""Several linear regressions at once, not knowing which row belongs to which."""

from typing import Any

from margin.core import Card
from margin.mixture.regression._expert_model import ExpertModel


class MixtureOfRegressions(ExpertModel):
    r"""Mixture of linear regressions by expectation maximisation.

    .. math:: p(y \mid x) = \sum_k \pi_k\, N(y; w_k^\top x + b_k, \sigma_k^2)

    Parameters
    ----------
    n_components : int, default=1
    reg_var : float, default=1e-6
        Share of the variance of the targets that is added to every :math:`\sigma_k^2`, so that the
        likelihood has a bound.
    tol : float, default=1e-6
        Gain of the mean log-likelihood that counts as converged.
    max_iter : int, default=500
    n_init : int, default=5
        Searches from regressions through a few rows; the best is kept.
    random_state : int, Generator, RandomState or None

    Attributes
    ----------
    coefs_, intercepts_, variances_, weights_ : ndarray
        Of every component, along the first axis.
    lower_bound_ : float
        Mean log-likelihood, less what ``reg_var`` costs.
    converged_ : bool
    n_iter_ : int
    fit_report_ : FitReport
    n_features_in_ : int

    See Also
    --------
    MixtureOfExperts : Where the row tells which regression it belongs to.

    Notes
    -----
    An iteration is :math:`K` least squares problems.

    Examples
    --------
    Two lines that cross.

    >>> import numpy as np
    >>> from margin.mixture import MixtureOfRegressions
    >>> x = np.linspace(-1, 1, 40)[:, None]
    >>> y = np.where(np.arange(40) % 2, 2 * x[:, 0], -x[:, 0])
    >>> model = MixtureOfRegressions(n_components=2, random_state=0).fit(x, y)
    >>> np.sort(model.coefs_[:, 0]).round(3)
    array([-1.,  2.])
    """

    card = Card(tasks=("regression",), search_space={"n_components": [2, 3, 4]}, on_request=True)

    def __init__(
        self,
        *,
        n_components: int = 1,
        reg_var: float = 1e-6,
        tol: float = 1e-6,
        max_iter: int = 500,
        n_init: int = 5,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.reg_var = reg_var
        self.tol = tol
        self.max_iter = max_iter
        self.n_init = n_init
        self.random_state = random_state
