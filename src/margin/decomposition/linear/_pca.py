"""Principal component analysis."""

from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import issparse

from margin.core import Card, Solution, Status, atomic, check, random
from margin.core.types import Array, Floats, Matrix
from margin.decomposition._blocks import block_moments, checked_blocks, moments
from margin.decomposition.linear import _spectrum as spectra
from margin.decomposition.linear._centred_table import centred_table
from margin.decomposition.linear._dimension import components_for_share, most_evident_rank
from margin.decomposition.linear._principal_model import PrincipalModel
from margin.decomposition.linear._solver_choice import (
    SOLVERS,
    check_components,
    choose,
    resolved_components,
)
from margin.decomposition.linear._spectrum import Spectrum
from margin.distributions import Moments

_NORMALIZERS = ("auto", "QR", "LU", "none")


class PCA(PrincipalModel):
    r"""Principal components: the axes of largest variance (decomposition.01 to decomposition.04).

    With the covariance :math:`S = U^\top \Lambda U`, eigenvalues in falling order, rows are
    projected on the first :math:`M` axes,

    .. math:: z = U_M (x - \bar x), \qquad \tilde x = \bar x + U_M^\top z ,

    which keeps the most variance and has the least distortion
    :math:`J = \tfrac1n \sum_i \|x_i - \tilde x_i\|^2 = \sum_{j > M} \lambda_j`
    (divisor :math:`n` in :math:`\lambda`).

    Parameters
    ----------
    n_components : int, float, "mle" or None, default=None
        How many; a share of the variance between 0 and 1; Minka's evidence; or all.
    copy : bool, default=True
        Without effect: the rows of the caller are never written to.
    whiten : bool, default=False
        Divide coordinates by their deviations.
    svd_solver : {"auto", "full", "covariance_eigh", "arpack", "randomized", "dual"}
        Singular values of the table, eigenvectors of the covariance, Lanczos vectors, a random
        sample of the row space, or eigenvectors of the products of rows (for fewer rows than
        columns). ``"auto"``, the default, decides by the shape.
    tol : float, default=0.0
        Tolerance of ``"arpack"``; 0 is machine precision.
    iterated_power : int or "auto", default="auto"
        Power iterations of ``"randomized"``.
    n_oversamples : int, default=10
        Random directions beside the components, for ``"randomized"``.
    power_iteration_normalizer : {"auto", "QR", "LU", "none"}, default="auto"
        How ``"randomized"`` keeps its vectors apart.
    random_state : None, int, Generator or RandomState
        For the first vectors of the iterative decompositions; None is the same as 0.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        Axes, the largest entry of each positive.
    explained_variance_ : ndarray of shape (n_components,)
        Variances along them, divisor ``n - 1``.
    explained_variance_ratio_ : ndarray of shape (n_components,)
        Their shares of the whole variance.
    singular_values_ : ndarray of shape (n_components,)
        Of the centred table.
    mean_ : ndarray of shape (n_features,)
        Subtracted from rows.
    n_components_, n_samples_ : int
        Number of components, and of rows.
    noise_variance_ : float
        Mean variance of the axes left out.
    fit_report_ : FitReport
        The distortion :math:`J` and the decomposition used.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(n p^2 + p^3)` operations by the covariance, :math:`O(n^2 p)` in the dual,
    :math:`O(n p k)` for each power iteration. :meth:`fit_blocks` needs memory for one block and a
    matrix of p × p.

    References
    ----------
    C. M. Bishop, Pattern Recognition and Machine Learning (2006), section 12.1.

    Examples
    --------
    >>> from margin.decomposition import PCA
    >>> X = [[0.0, 0.0], [2.0, 2.0], [4.0, 4.0], [2.0, 2.0]]
    >>> model = PCA(1).fit(X)
    >>> model.explained_variance_.round(4), model.components_.round(4)
    (array([5.3333]), array([[0.7071, 0.7071]]))
    >>> model.inverse_transform(model.transform([[3.0, 1.0]])).round(4)
    array([[2., 2.]])
    """

    card = Card(tasks=("transform",), cost="linear", search_space={"n_components": [0.8, 0.95]})

    def __init__(
        self,
        n_components: int | float | str | None = None,
        *,
        copy: bool = True,
        whiten: bool = False,
        svd_solver: Literal[
            "auto", "full", "covariance_eigh", "arpack", "randomized", "dual"
        ] = "auto",
        tol: float = 0.0,
        iterated_power: int | str = "auto",
        n_oversamples: int = 10,
        power_iteration_normalizer: str = "auto",
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.copy = copy
        self.whiten = whiten
        self.svd_solver = svd_solver
        self.tol = tol
        self.iterated_power = iterated_power
        self.n_oversamples = n_oversamples
        self.power_iteration_normalizer = power_iteration_normalizer
        self.random_state = random_state

    @atomic
    def fit(self, X: Matrix, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Find mean and axes.

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
        weight = check.weights(self, sample_weight, X.shape[0])
        solver = choose(self.svd_solver, self.n_components, X.shape, issparse(X))
        wanted = resolved_components(self, self.n_components, solver, X.shape, issparse(X))
        _check_rows(self, X.shape[0], weight)

        spectrum = self._spectrum(X, weight, solver, wanted)
        self._keep(spectrum, wanted, X.shape, solver, X.dtype)
        return self

    @atomic
    def fit_blocks(self, blocks: Any) -> Self:
        """Find mean and axes of a table that comes in blocks of rows, from their summed moments.

        Parameters
        ----------
        blocks : iterable or callable
            Tables ``X`` or tuples ``(X, sample_weight)``, from something that can be read again or
            from a function that opens it. The answer is that of ``svd_solver="covariance_eigh"`` on
            all rows at once, up to rounding.

        Returns
        -------
        self
        """
        self._check_params()
        stats, n = block_moments(checked_blocks(self, blocks))
        shape = (n, len(stats.mean))
        wanted = resolved_components(self, self.n_components, "covariance_eigh", shape, False)
        _check_rows(self, n, None)
        spectrum = spectra.from_moments(stats, wanted)
        self._keep(spectrum, wanted, shape, "covariance_eigh", np.dtype(np.float64))
        return self

    def fit_transform(
        self, X: Matrix, y: Any = None, sample_weight: ArrayLike | None = None
    ) -> Array:
        """Fit, and the coordinates of the same rows."""
        return self.fit(X, y, sample_weight).transform(X)

    def _check_params(self) -> None:
        check.params(
            self,
            flag="copy whiten",
            nonnegative="tol",
            count="n_oversamples",
            one_of={"svd_solver": SOLVERS, "power_iteration_normalizer": _NORMALIZERS},
        )
        check_components(self, self.n_components)
        power = self.iterated_power
        if power != "auto" and (not isinstance(power, int | np.integer) or power < 0):
            raise check.fail(self, "iterated_power", "'auto' or an integer of at least 0", power)

    def _spectrum(
        self, X: Matrix, weight: Floats | None, solver: str, wanted: int | None
    ) -> Spectrum:
        total = float(X.shape[0]) if weight is None else float(weight.sum())
        rng = random.generator(0 if self.random_state is None else self.random_state)
        if solver == "covariance_eigh":
            stats = _sparse_moments(X, weight) if issparse(X) else moments(X, weight)
            return spectra.from_moments(stats, wanted)
        table = centred_table(X, weight)
        if solver == "full" or wanted is None:
            return spectra.by_svd(table, total)
        if solver == "dual":
            return spectra.by_dual(table, total, wanted, rng)
        if solver == "arpack":
            return spectra.by_lanczos(table, total, wanted, self.tol, rng)
        power = self.iterated_power
        if isinstance(power, str):
            power = 7 if wanted < 0.1 * min(X.shape) else 5
        return spectra.by_random_range(
            table,
            total,
            wanted,
            n_iter=power,
            n_oversamples=self.n_oversamples,
            normalizer=self.power_iteration_normalizer,
            rng=rng,
        )

    def _keep(
        self,
        spectrum: Spectrum,
        wanted: int | None,
        shape: tuple[int, int],
        solver: str,
        dtype: Any,
    ) -> None:
        n, p = shape
        freedom = spectrum.weight - 1.0
        variances = spectrum.squares / freedom
        share: Any = self.n_components
        if wanted is not None:
            k = wanted
        elif isinstance(share, str):
            k = most_evident_rank(variances[:p], spectrum.weight)
        else:
            k = components_for_share(spectrum.squares[: min(n, p)], float(share))
        whole = spectrum.total
        rest = max(whole - float(spectrum.squares[:k].sum()), 0.0)
        if len(variances) >= min(n, p):
            whole, rest = (
                float(spectrum.squares[: min(n, p)].sum()),
                float(spectrum.squares[k:].sum()),
            )
        whole, left = whole if whole > 0 else 1.0, min(n, p) - k
        self.mean_ = spectrum.mean.astype(dtype)
        self.components_ = np.array(spectrum.axes[:k], dtype=dtype, order="C")
        self.explained_variance_ = variances[:k].astype(dtype)
        self.explained_variance_ratio_ = (spectrum.squares[:k] / whole).astype(dtype)
        self.singular_values_ = np.sqrt(spectrum.squares[:k]).astype(dtype)
        self.noise_variance_ = rest / freedom / left if left > 0 else 0.0
        self.n_components_, self.n_samples_ = k, n
        self._fit_svd_solver = solver
        self.fit_report_ = check.report(self, _solution(spectrum, rest, solver))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.svd_solver in ("auto", "arpack", "covariance_eigh")
        return tags


def _check_rows(owner: Any, n: int, weight: Floats | None) -> None:
    """Refuse rows whose variance, with the divisor n - 1, says nothing."""
    if n < 2:
        raise ValueError(f"{type(owner).__name__}: X must hold at least 2 samples, got 1 sample")
    if weight is not None and not weight.sum() > 1:
        need = "of a sum above 1 (they count rows)"
        raise check.fail(owner, "sample_weight", need, float(weight.sum()))


def _sparse_moments(X: Matrix, weight: Floats | None) -> Moments:
    """Moments of sparse rows, whose mean is taken off afterwards."""
    X = X.astype(np.float64, copy=False)
    held = np.ones(X.shape[0]) if weight is None else weight
    total = float(held.sum())
    mean = np.asarray(X.T @ held).ravel() / total
    gram = (X.T @ X.multiply(held[:, None]).tocsr()).toarray()
    return Moments(total, mean, gram - total * np.multiply.outer(mean, mean))


def _solution(spectrum: Spectrum, rest: float, solver: str) -> Solution:
    search = spectrum.search
    return Solution(
        x=np.empty(0),
        status=Status.CONVERGED,
        n_iter=1 if search is None else search.n_iter,
        objective=rest / spectrum.weight,
        certificate=None if search is None else search.certificate,
        solver=solver,
    )
