"""Support vector classification."""

from typing import Any

from margin.core import Card
from margin.svm.kernel._class_duals import SoftMargin
from margin.svm.kernel._classifier import KernelClassifier


class SVC(KernelClassifier):
    r"""Support vector classification with kernels (svm.02, svm.03, svm.13).

    Minimises :math:`\tfrac12 \|w\|^2 + C \sum_i s_i \max(0, 1 - y_i f(x_i))` with
    :math:`f(x) = \langle w, \phi(x) \rangle + b`, labels :math:`\pm 1` and weights :math:`s_i`, by
    its dual

    .. math:: \max_\alpha \sum_i \alpha_i - \tfrac12 \sum_{ij} \alpha_i \alpha_j y_i y_j k(x_i, x_j)
        \quad\text{with}\quad 0 \le \alpha_i \le C s_i, \; \sum_i \alpha_i y_i = 0 .

    Then :math:`f(x) = \sum_i \alpha_i y_i k(x_i, x) + b`, where the bias is the mean of
    :math:`y_i - \sum_j \alpha_j y_j k(x_i, x_j)` over the rows strictly between the bounds
    (svm.05). ``C=numpy.inf`` is the hard margin; the band between the classes has width
    :math:`2 / \|w\|`.

    Parameters
    ----------
    C : float, default=1.0
        Price of a margin error, above 0; ``numpy.inf`` allows none and refuses data that need one.
    kernel : str, Kernel or callable, default="rbf"
        ``"rbf"``, ``"linear"``, ``"poly"``, ``"sigmoid"``, ``"cosine"`` or ``"laplacian"``, any
        :mod:`margin.kernels` object (kernels of strings, trees or graphs take lists of such objects
        as ``X``), a function ``kernel(X, Z)``, or ``"precomputed"``.
    degree : int, default=3
        Degree of ``"poly"``.
    gamma : {"scale", "auto"} or float, default="scale"
        Factor of the named kernels: ``"scale"`` is 1 / (n_features * variance of ``X``), ``"auto"``
        is 1 / n_features.
    coef0 : float, default=0.0
        Constant of ``"poly"`` and ``"sigmoid"``.
    shrinking : bool, default=True
        Whether multipliers that rest at their bounds may leave the game for a while.
    probability : bool, "sigmoid", "isotonic" or "deprecated", default="deprecated"
        Whether to fit :meth:`predict_proba`; ``True`` is ``"sigmoid"``, Platt's method. It is
        calibrated on leave-one-out decision values in closed form; no machine is trained again.
        ``True`` and ``False``, the latter the same as the default, warn as in scikit-learn.
    tol : float, default=1e-3
        Largest violation of the optimality conditions.
    cache_size : float, default=200
        Megabytes of kernel rows that are kept; never exceeded by more than one working set.
    class_weight : dict or "balanced", optional
        Factors of ``C`` for the classes.
    verbose : bool, default=False
        Print the fit report.
    max_iter : int, default=-1
        Most pairs of multipliers that are optimised; -1 for ten million plus a hundred per row.
    decision_function_shape : {"ovr", "ovo"}, default="ovr"
        One column per class or per pair of classes.
    break_ties : bool, default=True
        Whether equal numbers of votes are decided by the decision values, so that predictions do
        not depend on the names of the classes; otherwise the first class wins.
    multi_class : {"ovo", "ovr", "dag"}, default="ovo"
        One machine per pair of classes that vote, one per class against all others, or pairs of
        which the loser leaves until one class is left.
    solver : {"smo", "qp"}, default="smo"
        ``"qp"`` hands the dual to a general solver of quadratic programs: for small data, and to
        check.
    random_state : int, Generator or RandomState, optional
        Used where more than four thousand unbound support vectors must be sampled for
        probabilities.
    n_jobs : int, optional
        Threads; the answer does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels in sorted order.
    support_ : ndarray of int
        Rows that are support vectors, class by class.
    support_vectors_ : array, sparse matrix or list
        These rows; empty for a precomputed kernel.
    n_support_ : ndarray of shape (n_classes,)
        Support vectors of each class.
    dual_coef_ : ndarray or sparse matrix of shape (n_classes - 1, n_support)
        Signed multipliers in scikit-learn's arrangement; (n_classes, n_support) for ``"ovr"``.
    coef_ : ndarray or sparse matrix of shape (n_machines, n_features)
        Weights of the features, for the linear kernel only; read-only.
    intercept_ : ndarray of shape (n_machines,)
        Bias of every machine.
    support_report_ : SupportReport or list of them
        Unbound and bound support vectors, margin errors and training errors of every machine.
    fit_report_ : FitReport
        Status, objective (minus the dual) and its trace, and the violation of the optimality
        conditions; primal value and duality gap are among the notes.
    n_iter_ : ndarray of shape (n_machines,)
        Pairs optimised by every machine.
    class_weight_ : ndarray of shape (n_classes,)
        Factors of the classes.
    fit_status_ : int
        0 where the fit converged, else 1.
    shape_fit_ : tuple of int
        Shape of the rows of the fit.
    probA_, probB_ : ndarray of shape (n_machines,)
        Slopes and offsets of Platt's method, empty without it; reading them warns, for
        scikit-learn removes them in 1.11.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    Between :math:`O(n^2)` and :math:`O(n^3)` operations; memory of ``cache_size``, or of the whole
    kernel matrix where that is smaller. Kernel values are in single precision where that agrees
    with double precision on a sample and ``tol`` allows it; all sums are in double precision.

    References
    ----------
    Fan, Chen and Lin, Working set selection using second order information for training support
    vector machines, 2005. Vapnik and Chapelle, Bounds on error expectation for support vector
    machines, 2000. Platt, Probabilities for SV machines, 2000.

    Examples
    --------
    The widest margin between two points:

    >>> from margin.svm import SVC
    >>> model = SVC(kernel="linear", C=float("inf")).fit([[1, 1], [-1, -1]], [1, -1])
    >>> model.coef_, model.dual_coef_
    (array([[0.5, 0.5]]), array([[-0.25,  0.25]]))
    """

    card = Card(
        tasks=("classification",),
        cost="quadratic",
        search_space={"C": (1e-2, 1e3, "log"), "gamma": (1e-3, 1e1, "log")},
        max_rows=20_000,
    )

    def __init__(
        self,
        *,
        C: float = 1.0,
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
        self.C = C
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

    def _dual(self) -> SoftMargin:
        self._check_price()
        return SoftMargin(float(self.C))
