"""Support vector classification with a kernel that is put together from several."""

from typing import Any, Self

from margin.core import Card, atomic, check
from margin.optim import Duel, GramMatrix
from margin.svm._row_weights import row_weights
from margin.svm.kernel._class_machines import ClassData
from margin.svm.kernel._classifier import VotingMachine
from margin.svm.kernel._multiclass import class_duels
from margin.svm.multiple_kernel._weighted_machine import WeightedMachine


class MultipleKernelSVC(VotingMachine, WeightedMachine):
    r"""Support vector classification that learns the weights of several kernels (svm.19).

    Minimises, over weights :math:`d \ge 0` of :math:`\sum_m d_m = 1` and functions
    :math:`f = \sum_m f_m + b`,

    .. math:: \tfrac12 \sum_m \frac{\|f_m\|^2_{k_m}}{d_m} + C \sum_i s_i \max(0, 1 - y_i f(x_i)),

    which is the support vector machine with the kernel :math:`\sum_m d_m k_m` and the best such
    kernel. The problem is convex, most weights of useless kernels are exactly zero, and the dual

    .. math:: \max_\alpha \sum_i \alpha_i
        - \tfrac12 \max_m \sum_{ij} \alpha_i \alpha_j y_i y_j k_m(x_i, x_j)

    proves how near the answer is to the optimum. With ``norm`` :math:`p > 1` the constraint is
    :math:`\|d\|_p \le M^{1/p - 1}`, that is, a power mean of the :math:`M` weights of :math:`1/M`:
    the larger :math:`p`, the more equal the weights, until ``numpy.inf`` takes the mean.

    Parameters
    ----------
    kernels : list, "precomputed" or None, default=None
        Names as in :class:`SVC`, :mod:`margin.kernels` objects (with
        :func:`~margin.kernels.on_columns` one per group of columns) and functions. ``None`` is the
        linear and three Gaussian kernels, of a tenth of ``gamma``, ``gamma`` and ten times
        ``gamma``. For ``"precomputed"``, ``X`` is an array of shape (n_kernels, n, n).
    C : float, default=1.0
        Price of a margin error, above 0.
    strategy : {"joint", "alignment", "mean"}, default="joint"
        Weights learnt together with the machines; those whose kernel has the largest centred
        alignment with the labels, found before; or equal weights.
    norm : float, default=1.0
        The :math:`p` of ``"joint"``, at least 1.
    normalize : bool, default=True
        Whether every kernel is first divided by the variance of the training rows in its feature
        space, :math:`\tfrac1n \sum_i k(x_i, x_i) - \tfrac1{n^2} \sum_{ij} k(x_i, x_j)`: otherwise
        large kernels win. It changes the meaning of ``C``.
    degree : int, default=3
        Degree of ``"poly"``.
    gamma : {"scale", "auto"} or float, default="scale"
        Factor of the named kernels, as in :class:`SVC`.
    coef0 : float, default=0.0
        Constant of ``"poly"`` and ``"sigmoid"``.
    probability : bool, "sigmoid" or "isotonic", default=False
        Whether to fit :meth:`predict_proba`, as in :class:`SVC`.
    tol : float, default=1e-3
        Duality gap, divided by the objective, that counts as converged.
    class_weight : dict or "balanced", optional
        Factors of ``C`` for the classes.
    max_iter : int, default=100
        Most changes of the weights.
    decision_function_shape : {"ovr", "ovo"}, default="ovr"
        One column per class or per pair of classes.
    break_ties : bool, default=True
        Whether equal numbers of votes are decided by the decision values.
    multi_class : {"ovo", "ovr", "dag"}, default="ovo"
        How more than two classes are reduced to pairs, as in :class:`SVC`. All machines share one
        vector of weights, which minimises the sum of their objectives.
    random_state : int, Generator or RandomState, optional
        Used where several thousand unbound support vectors must be sampled.
    n_jobs : int, optional
        Threads; the answer does not depend on it.

    Attributes
    ----------
    weights_ : ndarray of shape (n_kernels,)
        The weights :math:`d`, of the normalised kernels.
    kernel_ : Kernel or None
        The weighted sum, for any other kernel machine; ``None`` for matrices.
    classes_ : ndarray of shape (n_classes,)
        Labels in sorted order.
    support_, support_vectors_, n_support_, dual_coef_, intercept_ : ndarray
        As in :class:`SVC`.
    support_report_ : SupportReport or list of them
        Kinds of the training rows, for every machine.
    fit_report_ : FitReport
        Primal objective, its trace, the relative duality gap of the whole problem, and the weights
        with the names of the kernels.
    n_iter_ : int
        Changes of the weights.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    All kernel matrices are held in memory, at most 2 GB. Every change of the weights trains the
    machines again from where they were. For :math:`p = 1` it is a Newton step on the simplex: the
    unbound support vectors say how the gradient will change. For :math:`p > 1` the weights have the
    closed form :math:`d_m \propto \|f_m\|^{2 / (p + 1)}`, which converges slowly near 1.

    References
    ----------
    Rakotomamonjy, Bach, Canu and Grandvalet, SimpleMKL, JMLR 2008. Chapelle and Rakotomamonjy,
    Second order optimization of kernel parameters, 2008. Kloft, Brefeld, Sonnenburg and Zien,
    lp-norm multiple kernel learning, JMLR 2011.

    Examples
    --------
    Labels that depend on the first of two columns only:

    >>> import numpy as np
    >>> from margin.kernels import RBF, on_columns
    >>> from margin.svm import MultipleKernelSVC
    >>> X = np.random.default_rng(0).normal(size=(400, 2))
    >>> parts = [on_columns(RBF(1.0), [0]), on_columns(RBF(1.0), [1])]
    >>> MultipleKernelSVC(kernels=parts).fit(X, np.abs(X[:, 0]) > 0.7).weights_.round(2)
    array([0.98, 0.02])
    """

    # A machine for every change of the weights: too slow to be tuned among dozens of models.
    card = Card(tasks=("classification",), cost="quadratic", max_rows=2_000)

    def __init__(
        self,
        *,
        kernels: Any = None,
        C: float = 1.0,
        strategy: str = "joint",
        norm: float = 1.0,
        normalize: bool = True,
        degree: int = 3,
        gamma: float | str = "scale",
        coef0: float = 0.0,
        probability: bool | str = False,
        tol: float = 1e-3,
        class_weight: Any = None,
        max_iter: int = 100,
        decision_function_shape: str = "ovr",
        break_ties: bool = True,
        multi_class: str = "ovo",
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.kernels = kernels
        self.C = C
        self.strategy = strategy
        self.norm = norm
        self.normalize = normalize
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.probability = probability
        self.tol = tol
        self.class_weight = class_weight
        self.max_iter = max_iter
        self.decision_function_shape = decision_function_shape
        self.break_ties = break_ties
        self.multi_class = multi_class
        self.random_state = random_state
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the weights of the kernels and the machines.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or list of objects
            For ``kernels="precomputed"`` the matrices, of shape (n_kernels, n_samples, n_samples).
        y : array-like of shape (n_samples,)
            Labels of at least two classes.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative factors of ``C``; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        self._check_weights()
        self._check_votes()
        X, y, weight, stack = self._stacked(X, y, sample_weight, "classes")
        classes, codes = check.classes(self, y)
        factor = row_weights(type(self).__name__, classes, codes, weight, self.class_weight)
        duels = [
            Duel(rows, sign, self.C * factor[rows])
            for rows, sign in class_duels(codes, len(classes), self.multi_class)
        ]

        learnt = self._learn(stack, codes, weight, duels)

        gram = GramMatrix(stack.combined(learnt.point.weights))
        given = gram.matrix if stack.parts is None else X
        data = ClassData(given, classes, codes, factor, learnt.kernel, gram)
        self._keep_weights(learnt, gram)
        self._keep_classifier(self._assembled(data, learnt.machines))
        return self
