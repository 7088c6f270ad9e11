"""Support vector regression."""

from typing import Any

from margin.core import Card, check
from margin.svm.kernel._regressor import KernelRegressor
from margin.svm.kernel._single_duals import GivenTube


class SVR(KernelRegressor):
    r"""Support vector regression with kernels (svm.15).

    Minimises :math:`\tfrac12 \|w\|^2 + C \sum_i s_i \max(0, |y_i - f(x_i)| - \epsilon)`: rows
    within a tube of half width :math:`\epsilon` cost nothing. Then
    :math:`f(x) = \sum_i (\alpha_i^* - \alpha_i) k(x_i, x) + b` with
    :math:`\alpha, \alpha^* \in [0, C s_i]`, never both above 0, and
    :math:`\sum_i (\alpha_i^* - \alpha_i) = 0`.

    Parameters
    ----------
    C : float, default=1.0
        Price of an error outside the tube, above 0; ``numpy.inf`` allows none.
    epsilon : float, default=0.1
        Half width of the tube, at least 0.
    kernel, degree, gamma, coef0 : "rbf", 3, "scale" and 0.0 by default
        The kernel, as for :class:`SVC`.
    shrinking, tol, cache_size, max_iter, solver : as for :class:`SVC`
        How the machine is trained.
    verbose, n_jobs : as for :class:`SVC`
        Printed reports; threads, on which the answer does not depend.

    Attributes
    ----------
    support_ : ndarray of int
        Rows that are support vectors.
    support_vectors_ : array, sparse matrix or list
        These rows; empty for a precomputed kernel.
    n_support_ : ndarray of shape (1,)
        Number of support vectors.
    dual_coef_ : ndarray or sparse matrix of shape (1, n_support)
        Their coefficients :math:`\alpha_i^* - \alpha_i`, which sum to zero.
    coef_ : ndarray or sparse matrix of shape (1, n_features)
        Weights of the features, for the linear kernel only.
    intercept_ : ndarray of shape (1,)
        Bias.
    support_report_ : SupportReport
        Rows on the border of the tube (unbound), outside it (bound, margin errors).
    fit_report_ : FitReport
        Status, objective (minus the dual) and its trace, and the violation of the optimality
        conditions; primal value and duality gap are among the notes.
    fit_status_ : int
        0 where the fit converged, else 1.
    shape_fit_ : tuple of int
        Shape of the rows of the fit.
    n_iter_ : int
        Pairs optimised.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    As for :class:`SVC`; two multipliers per row share one row of the kernel matrix. A tube wider
    than the spread of ``y`` gives a constant and no support vectors.

    Examples
    --------
    >>> from margin.svm import SVR
    >>> model = SVR(kernel="linear", C=10.0, epsilon=0.5).fit([[0], [1], [2]], [0.0, 1.0, 2.0])
    >>> model.coef_.round(6), model.predict([[1]]).round(6)
    (array([[0.5]]), array([1.]))
    """

    card = Card(
        tasks=("regression",),
        cost="quadratic",
        search_space={
            "C": (1e-2, 1e3, "log"),
            "gamma": (1e-3, 1e1, "log"),
            "epsilon": (1e-3, 1e0, "log"),
        },
        max_rows=20_000,
    )

    def __init__(
        self,
        *,
        C: float = 1.0,
        epsilon: float = 0.1,
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
        self.epsilon = epsilon
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

    def _dual(self) -> GivenTube:
        check.params(self, nonnegative="epsilon")
        self._check_price()
        return GivenTube(float(self.C), float(self.epsilon))
