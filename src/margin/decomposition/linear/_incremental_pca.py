"""Principal components of rows that arrive in batches."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import issparse
from sklearn.utils import gen_batches

from margin.core import Card, Solution, Status, atomic, check
from margin.core.types import Matrix
from margin.decomposition._blocks import moments
from margin.decomposition.linear._principal_model import PrincipalModel
from margin.decomposition.linear._running_spectrum import RunningSpectrum


class IncrementalPCA(PrincipalModel):
    r"""Principal components of rows that arrive in batches (decomposition.02).

    Batches are summed up in their moments, weight, mean and scatter
    :math:`\sum_i (x_i - \bar x)(x_i - \bar x)^\top`: the answer is that of :class:`PCA` on all
    rows at once, whatever the batches. For more than 4000 columns the matrix would be too large;
    then only the leading axes are carried along, which is an approximation.

    Parameters
    ----------
    n_components : int, optional
        How many; by default all that the first batch allows.
    whiten : bool, default=False
        Divide coordinates by their deviations.
    copy : bool, default=True
        Without effect: the rows of the caller are never written to.
    batch_size : int, optional
        Rows per batch of :meth:`fit`; five times the number of columns by default.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        Axes, the largest entry of each positive.
    explained_variance_, explained_variance_ratio_ : ndarray of shape (n_components,)
        Variances along them, divisor ``n - 1``, and their shares of the whole.
    singular_values_ : ndarray of shape (n_components,)
        Of the centred table.
    mean_, var_ : ndarray of shape (n_features,)
        Of the columns so far; the variances have the divisor ``n``.
    noise_variance_ : float
        Mean variance of the axes left out.
    n_components_, n_samples_seen_, batch_size_ : int
        Number of components, rows so far, rows per batch.
    fit_report_ : FitReport
        The mean squared distance of rows to the span of the axes.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(m p^2 + p^3)` operations for a batch of :math:`m` rows, :math:`O(p^2)` memory.

    References
    ----------
    Ross, Lim, Lin and Yang (2008). Incremental learning for robust visual tracking. IJCV 77.

    Examples
    --------
    >>> from margin.decomposition import IncrementalPCA
    >>> model = IncrementalPCA(1).partial_fit([[0.0, 0.0], [2.0, 2.0]])
    >>> model.partial_fit([[4.0, 4.0], [2.0, 2.0]]).explained_variance_.round(4)
    array([5.3333])
    """

    card = Card(tasks=("transform",), cost="linear", search_space={"n_components": [1, 2, 3]})

    def __init__(
        self,
        n_components: int | None = None,
        *,
        whiten: bool = False,
        copy: bool = True,
        batch_size: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.whiten = whiten
        self.copy = copy
        self.batch_size = batch_size

    @atomic
    def fit(self, X: Matrix, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Find mean and axes, batch by batch.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : None
            Without effect, for pipelines.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        self._check_params()
        X = check.table(self, X, sparse=True, reset=True)
        n, p = X.shape
        weight = check.weights(self, sample_weight, n)
        if n < 2:
            raise ValueError(f"{type(self).__name__}: X must hold at least 2 samples, got 1 sample")
        if weight is not None and not weight.sum() > 1:
            need = "of a sum above 1 (they count rows)"
            raise check.fail(self, "sample_weight", need, float(weight.sum()))
        size = 5 * p if self.batch_size is None else self.batch_size
        k = self._count(n, p, first=True)
        running = RunningSpectrum.start(p, k)
        for batch in gen_batches(n, size, min_batch_size=k):
            rows = X[batch].toarray() if issparse(X) else X[batch]
            held = None if weight is None else weight[batch]
            if held is None or held.any():
                running = running.add(moments, rows, held)
        self.batch_size_ = size
        self._keep(running, k, X.dtype)
        return self

    @atomic
    def partial_fit(
        self,
        X: Matrix,
        y: Any = None,
        check_input: bool = True,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Add a batch of rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : None
            Without effect, for pipelines.
        check_input : bool, default=True
            Without effect: rows are always checked.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        self._check_params()
        if issparse(X):
            raise TypeError(
                "IncrementalPCA.partial_fit does not support sparse input. Either convert data to "
                "dense or use IncrementalPCA.fit to do so in batches."
            )
        first = not hasattr(self, "components_")
        X = check.table(self, X, reset=first)
        weight = check.weights(self, sample_weight, len(X))
        k = self._count(*X.shape, first=first)
        if not first and k != len(self.components_):
            raise ValueError(
                f"{type(self).__name__}: n_components must be {len(self.components_)}, as in the "
                f"batches before, got {k}"
            )
        running = RunningSpectrum.start(X.shape[1], k) if first else self._running
        self._keep(running.add(moments, X, weight), k, X.dtype)
        return self

    def _check_params(self) -> None:
        check.params(self, flag="whiten copy")
        for name in ("n_components", "batch_size"):
            if getattr(self, name) is not None:
                check.params(self, count=name)

    def _count(self, n: int, p: int, *, first: bool) -> int:
        """Number of components, of what the first batch allows."""
        name, k = type(self).__name__, self.n_components
        if k is None:
            return min(n, p) if first else len(self.components_)
        if k > p:
            raise ValueError(
                f"{name}: n_components={k} invalid for n_features={p}, need more rows than columns "
                "for IncrementalPCA processing"
            )
        if first and k > n:
            raise ValueError(
                f"{name}: n_components={k} must be less or equal to the batch number of samples "
                f"{n} for the first partial_fit call."
            )
        return k

    def _keep(self, running: RunningSpectrum, k: int, dtype: Any) -> None:
        spectrum, rows = running.spectrum(), running.n_rows
        freedom = max(spectrum.weight - 1.0, 1.0)
        whole = spectrum.total if spectrum.total > 0 else 1.0
        rest = max(spectrum.total - float(spectrum.squares[:k].sum()), 0.0)
        left = min(rows, len(spectrum.mean)) - k
        self._running = running
        self.n_components_, self.n_samples_seen_ = k, rows
        self.mean_ = spectrum.mean.astype(dtype)
        self.var_ = (running.squares / running.weight).astype(dtype)
        self.components_ = np.array(spectrum.axes[:k], dtype=dtype, order="C")
        self.explained_variance_ = (spectrum.squares[:k] / freedom).astype(dtype)
        self.explained_variance_ratio_ = (spectrum.squares[:k] / whole).astype(dtype)
        self.singular_values_ = np.sqrt(spectrum.squares[:k]).astype(dtype)
        self.noise_variance_ = rest / freedom / left if left > 0 else 0.0
        solution = Solution(
            np.empty(0), Status.CONVERGED, 1, rest / spectrum.weight, solver=running.method
        )
        self.fit_report_ = check.report(self, solution)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
