"""Linear regressions and a gate that says which of them a row should ask."""

from typing import Any

from margin.core import Card
from margin.mixture.regression._expert_model import ExpertModel


class MixtureOfExperts(ExpertModel):
    r"""Linear experts with a softmax gate, by generalised expectation maximisation.

    .. math:: p(y \mid x) = \sum_k g_k(x)\, N(y; w_k^\top x + b_k, \sigma_k^2), \qquad
              g(x) = \operatorname{softmax}(V^\top x + c)

    The E step shares rows out among the experts, the M step fits these and improves the gate by one
    step under Böhning's bound of its curvature; no step lowers the likelihood.

    Parameters
    ----------
    n_components : int, default=1
    alpha : float, default=1e-3
        Penalty :math:`\tfrac\alpha2 \|V\|^2` of the gate, so that it stays finite where regions do
        not overlap.
    reg_var : float, default=1e-6
        Share of the variance of the targets that is added to every :math:`\sigma_k^2`.
    tol : float, default=1e-6
        Gain of the mean log-likelihood that counts as converged.
    max_iter : int, default=500
    n_init : int, default=5
        Searches; the best is kept.
    random_state : int, Generator, RandomState or None

    Attributes
    ----------
    coefs_, intercepts_, variances_ : ndarray
        Of every expert, along the first axis.
    gate_coef_, gate_intercept_ : ndarray
        :math:`V^\top` and :math:`c`.
    lower_bound_ : float
        Mean log-likelihood, less what ``alpha`` and ``reg_var`` cost.
    converged_ : bool
    n_iter_ : int
    fit_report_ : FitReport
    n_features_in_ : int

    References
    ----------
    Jordan and Jacobs (1994). Hierarchical mixtures of experts and the EM algorithm. Neural
    Computation 6, 181-214.

    Böhning (1992). Multinomial logistic regression algorithm. Annals of the Institute of
    Statistical Mathematics 44, 197-200.

    Examples
    --------
    A function with a kink.

    >>> import numpy as np
    >>> from margin.mixture import MixtureOfExperts
    >>> x = np.linspace(-1, 1, 60)[:, None]
    >>> model = MixtureOfExperts(n_components=2, random_state=0).fit(x, np.abs(x[:, 0]))
    >>> np.sort(model.coefs_[:, 0]).round(2)
    array([-1.,  1.])
    """

    card = Card(tasks=("regression",), search_space={"n_components": [2, 3, 5]}, on_request=True)
    _gated = True

    def __init__(
        self,
        *,
        n_components: int = 1,
        alpha: float = 1e-3,
        reg_var: float = 1e-6,
        tol: float = 1e-6,
        max_iter: int = 500,
        n_init: int = 5,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.alpha = alpha
        self.reg_var = reg_var
        self.tol = tol
        self.max_iter = max_iter
        self.n_init = n_init
        self.random_state = random_state
