"""Support vector classification with a given share of errors."""

from typing import Any

from margin.core import Card, check
from margin.svm.kernel._class_duals import ErrorShare
from margin.svm.kernel._classifier import KernelClassifier


class NuSVC(KernelClassifier):
    r"""Support vector classification with a given share of margin errors (svm.03, svm.13).

    Minimises :math:`\tfrac12 \|w\|^2 - \nu \rho + \frac1n \sum_i \max(0, \rho - y_i f(x_i))` over
    :math:`w`, :math:`b` and the margin :math:`\rho \ge 0`. At most a share :math:`\nu` of the rows
    are margin errors and at least that share are support vectors. The machine is reported scaled
    to a margin of 1, where it is that of :class:`SVC` with :math:`C = 1 / (n \rho)`.

    Parameters
    ----------
    nu : float, default=0.5
        Share of margin errors, above 0 and at most 1. More than twice the share of a class cannot
        be had: it is lowered, and the report says so.
    kernel, degree, gamma, coef0 : "rbf", 3, "scale" and 0.0 by default
        The kernel, as for :class:`SVC`.
    probability, decision_function_shape, break_ties, multi_class : as for :class:`SVC`
        Probabilities, and how more than two classes are told apart.
    shrinking, tol, cache_size, max_iter, solver, random_state : as for :class:`SVC`
        How the machines are trained.
    class_weight : dict or "balanced", optional
        Factors of the weights of the rows of the classes.
    verbose, n_jobs : as for :class:`SVC`
        Printed reports; threads, on which the answer does not depend.

    Attributes
    ----------
    classes_, support_, support_vectors_, n_support_ : as for :class:`SVC`
        Labels and support vectors.
    dual_coef_, coef_, intercept_ : as for :class:`SVC`
        Coefficients, scaled to a margin of 1.
    class_weight_, fit_status_, shape_fit_ : as for :class:`SVC`
        Factors of the classes; how the fit ended, and the shape of its rows.
    support_report_, fit_report_, n_iter_, n_features_in_, feature_names_in_ : as for :class:`SVC`
        What was found, how, and from what.

    Notes
    -----
    As for :class:`SVC`. Both sides of the margin carry the same weight whatever the classes weigh:
    ``class_weight`` says how far the rows of a class share it, and the largest possible ``nu``.

    References
    ----------
    Schölkopf, Smola, Williamson and Bartlett, New support vector algorithms, 2000.

    Examples
    --------
    >>> from margin.svm import NuSVC
    >>> model = NuSVC(nu=0.5, kernel="linear").fit([[-2], [-1], [1], [2]], [0, 0, 1, 1])
    >>> model.coef_.round(6), model.support_
    (array([[0.666667]]), array([1, 2], dtype=int32))
    """

    card = Card(
        tasks=("classification",),
        cost="quadratic",
        search_space={"nu": [0.05, 0.1, 0.2, 0.35, 0.5], "gamma": (1e-3, 1e1, "log")},
        max_rows=20_000,
        on_request=True,
    )

    _one_left = ": the specified nu is infeasible"

    def __init__(
        self,
        *,
        nu: float = 0.5,
        kernel: Any = "rbf",
        degree: int = 3,
        gamma: float | str = "scale",
        coef0: float = 0.0,
        shrinking: bool = True,
        probability: bool | str = "deprecated",
        tol: float = 1e-3,
        cache_size: float = 200,
        class_weight: Any = None,
        verbose: bool = False,
        max_iter: int = -1,
        decision_function_shape: str = "ovr",
        break_ties: bool = True,
        multi_class: str = "ovo",
        solver: str = "smo",
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.nu = nu
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.shrinking = shrinking
        self.probability = probability
        self.tol = tol
        self.cache_size = cache_size
        self.class_weight = class_weight
        self.verbose = verbose
        self.max_iter = max_iter
        self.decision_function_shape = decision_function_shape
        self.break_ties = break_ties
        self.multi_class = multi_class
        self.solver = solver
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _dual(self) -> ErrorShare:
        check.params(self, positive="nu", fraction="nu")
        return ErrorShare(float(self.nu))
