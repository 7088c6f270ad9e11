"""Causal graphs of linear equations by independent component analysis."""

from typing import Any, Self

import numpy as np
from scipy.optimize import linear_sum_assignment

from margin.causal.discovery.lingam._linear_discoverer import LinearDiscoverer
from margin.causal.discovery.lingam._triangular import triangular_order
from margin.core import Card, Solution, Status, atomic, check
from margin.core.types import Floats
from margin.decomposition import FastICA


class ICALiNGAM(LinearDiscoverer):
    r"""Linear, non-Gaussian, acyclic model by independent component analysis (causal.11).

    .. math:: x = B x + e \quad\Leftrightarrow\quad e = (I - B) x

    The noises are independent sources and the columns their mixture, so that a separation finds
    the rows of :math:`W = I - B`, but in any order and scale. Rows go where the diagonal is
    far from zero, compared with what sampling does to its column, and the columns into the order
    in which :math:`I - W` is most nearly triangular.

    Parameters
    ----------
    prune : {"bic", None}, default="bic"
        Whether causes that BIC does without are taken out of the regressions along the order;
        otherwise every earlier column is a cause of every later one.
    required, forbidden : list of (cause, effect), optional
        Arrows that must be, or must not be.
    tiers : list of lists, optional
        Groups of columns from early to late; no arrow points to an earlier group.
    fun : {"logcosh", "exp", "cube"}, default="logcosh"
        Contrast of the separation.
    max_iter : int, default=1000
        Most iterations of the separation.
    tol : float, default=1e-6
        Turn of a direction that counts as converged.
    random_state : int, Generator, RandomState or None, default=None
        Where the start of the separation comes from.

    Attributes
    ----------
    graph_ : CausalGraph
        Arrows from causes to effects.
    adjacency_ : ndarray of shape (n_columns, n_columns)
        Entry [i, j]: direct effect of column j on column i, in the units of the data.
    order_ : tuple
        Names of the columns, causes first.
    fit_report_ : FitReport
        The squared effects that the order denies, in units of their errors.
    n_features_in_ : int
        Columns seen in ``fit``.
    feature_names_in_ : ndarray
        Their names, when the frame had them.

    Notes
    -----
    O(n p^2) per iteration; the order takes O(2^p p) up to 12 columns and is approximate beyond.
    Neither the units nor the order of the columns matter. A separation may end in a local optimum:
    :class:`DirectLiNGAM` has none and is the first choice, this one the check.

    References
    ----------
    Shimizu et al., "A linear non-Gaussian acyclic model for causal discovery", JMLR 7 (2006).

    Examples
    --------
    >>> import numpy as np
    >>> from margin.causal import ICALiNGAM
    >>> rng = np.random.default_rng(0)
    >>> cause = rng.uniform(size=2000)
    >>> effect = 3 * cause + rng.uniform(size=2000)
    >>> model = ICALiNGAM(random_state=0).fit(np.column_stack([effect, cause]))
    >>> model.order_, model.graph_.directed, float(model.adjacency_[0, 1].round(1))
    ((1, 0), ((1, 0),), 3.0)
    """

    card = Card(tasks=("structure",), input="categorical")

    def __init__(
        self,
        *,
        prune: str | None = "bic",
        required: Any = None,
        forbidden: Any = None,
        tiers: Any = None,
        fun: str = "logcosh",
        max_iter: int = 1000,
        tol: float = 1e-6,
        random_state: Any = None,
    ) -> None:
        self.prune = prune
        self.required = required
        self.forbidden = forbidden
        self.tiers = tiers
        self.fun = fun
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    @atomic
    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn order, effects and graph.

        Parameters
        ----------
        X : pandas or polars frame, or two-dimensional array
            Numbers, more rows than columns; rows with NaN are left out, which the report says.
        y : ignored

        Returns
        -------
        self
        """
        contrasts = ("logcosh", "exp", "cube")
        choices: dict[str, tuple[Any, ...]] = {"prune": ("bic", None), "fun": contrasts}
        check.params(self, count="max_iter", nonnegative="tol", one_of=choices)
        table, known, Z = self._read(X)
        ica = FastICA(
            fun=self.fun, max_iter=self.max_iter, tol=self.tol, random_state=self.random_state
        ).fit(Z)
        sorted_out = triangular_order(effects_of(ica.components_), known)
        solution = Solution(
            x=sorted_out.order,
            status=Status.CONVERGED,
            n_iter=ica.n_iter_,
            objective=sorted_out.left_over,
            solver="independent components, " + ("best order" if sorted_out.exact else "threshold"),
        )
        self._keep(X, table, known, sorted_out.order, solution, ())
        return self


def effects_of(unmixing: Floats) -> Floats:
    r"""Effects B where :math:`I - B` is the unmixing matrix, in units of their sampling errors.

    An estimate of W is :math:`(I + \Delta) W` with entries of :math:`\Delta` of one size, so that
    the errors of a column are as large as its norm. The columns are divided by that; the rows are
    assigned to columns for the least :math:`\sum_i 1 / |W_{\pi(i) i}|` and turned so that the
    diagonal, which is left out, is positive. Units of columns do not matter.

    Parameters
    ----------
    unmixing : ndarray of shape (p, p)
        Rows that make sources of variance one, in any order.

    Examples
    --------
    >>> (effects_of(np.array([[-4.0, 2.0], [3.0, 0.0]])) + 0.0).tolist()
    [[0.0, 0.0], [0.8, 0.0]]
    """
    size = np.maximum(np.sqrt((unmixing**2).sum(axis=0)), 1e-300)
    relative = unmixing / size
    rows, places = linear_sum_assignment(1.0 / np.maximum(np.abs(relative), 1e-12))
    W = np.empty_like(relative)
    W[places] = relative[rows]
    effects = -np.sign(np.diag(W))[:, None] * W
    np.fill_diagonal(effects, 0.0)
    return np.asarray(effects)
