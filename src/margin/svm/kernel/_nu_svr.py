"""Support vector regression that finds the width of its tube."""

from typing import Any

from margin.core import Card, check
from margin.svm.kernel._regressor import KernelRegressor
from margin.svm.kernel._single_duals import FoundTube, Single


class NuSVR(KernelRegressor):
    r"""Support vector regression with a given share of rows outside the tube (svm.15).

    Minimises :math:`\tfrac12 \|w\|^2 + C \bigl(\nu n \epsilon + \sum_i \max(0, |y_i - f(x_i)| -
    \epsilon)\bigr)` over :math:`w`, :math:`b` and the half width :math:`\epsilon \ge 0`: at most a
    share :math:`\nu` of the rows lies outside the tube, at least that share are support vectors.

    Parameters
    ----------
    C : float, default=1.0
        Price of an error outside the tube, above 0; finite.
    nu : float, default=0.5
        Share of rows outside the tube, above 0 and at most 1.
    kernel, degree, gamma, coef0 : "rbf", 3, "scale" and 0.0 by default
        The kernel, as for :class:`SVC`.
    shrinking, tol, cache_size, max_iter, solver : as for :class:`SVC`
        How the machine is trained.
    verbose, n_jobs : as for :class:`SVC`
        Printed reports; threads, on which the answer does not depend.

    Attributes
    ----------
    epsilon_ : float
        Half width of the tube that was found.
    support_, support_vectors_, n_support_, dual_coef_, coef_, intercept_ : as for :class:`SVR`
        Support vectors and coefficients.
    fit_status_, shape_fit_ : as for :class:`SVR`
        How the fit ended, and the shape of its rows.
    support_report_, fit_report_, n_iter_, n_features_in_, feature_names_in_ : as for :class:`SVR`
        What was found, how, and from what.

    Notes
    -----
    As for :class:`SVC`.

    Examples
    --------
    >>> from margin.svm import NuSVR
    >>> model = NuSVR(kernel="linear", C=10.0, nu=0.5).fit([[0], [1], [2]], [0.0, 1.0, 2.0])
    >>> model.predict([[1]]).round(6), round(model.epsilon_, 6)
    (array([1.]), 0.0)
    """

    card = Card(
        tasks=("regression",),
        cost="quadratic",
        search_space={
            "C": (1e-2, 1e3, "log"),
            "gamma": (1e-3, 1e1, "log"),
            "nu": [0.1, 0.3, 0.5, 0.7],
        },
        max_rows=20_000,
        on_request=True,
    )

    def __init__(
        self,
        *,
        C: float = 1.0,
        nu: float = 0.5,
        kernel: Any = "rbf",
        degree: int = 3,
        gamma: float | str = "scale",
        coef0: float = 0.0,
        shrinking: bool = True,
        tol: float = 1e-3,
        cache_size: float = 200,
        verbose: bool = False,
        max_iter: int = -1,
        solver: str = "smo",
        n_jobs: int | None = None,
    ) -> None:
        self.C = C
        self.nu = nu
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.shrinking = shrinking
        self.tol = tol
        self.cache_size = cache_size
        self.verbose = verbose
        self.max_iter = max_iter
        self.solver = solver
        self.n_jobs = n_jobs

    def _dual(self) -> FoundTube:
        check.params(self, positive="C nu", fraction="nu")
        return FoundTube(float(self.C), float(self.nu))

    def _keep_tube(self, single: Single) -> None:
        self.epsilon_ = single.epsilon
