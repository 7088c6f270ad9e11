"""Random projection with entries that are mostly zero."""

from typing import Any

import numpy as np
from scipy.sparse import csr_array

from margin.core import Card, check
from margin.decomposition.manifold._projection_base import RandomProjectionBase


class SparseRandomProjection(RandomProjectionBase):
    r"""Rows times sparse random directions, which keeps distances (decomposition.17).

    .. math:: y = R x, \qquad R_{ij} = \begin{cases} \pm \sqrt{1 / (s m)} & \text{each with
              probability } s / 2 \\ 0 & \text{otherwise} \end{cases}

    The density :math:`s = 1/\sqrt p` keeps distances as well as normal entries do and costs
    :math:`\sqrt p` times less.

    Parameters
    ----------
    n_components : int or "auto", default="auto"
        Directions; ``"auto"`` takes :func:`johnson_lindenstrauss_min_dim`, and refuses where that
        exceeds the columns.
    density : float or "auto", default="auto"
        Share of entries that are not zero, :math:`1/\sqrt p` by default.
    eps : float, default=0.1
        Error of squared distances that ``n_components="auto"`` allows.
    dense_output : bool, default=False
        Whether sparse rows become dense ones.
    compute_inverse_components : bool, default=False
        Whether ``fit`` computes the pseudo-inverse; else ``inverse_transform`` does, every time.
    random_state : int, Generator, RandomState or None, default=None
        Where the entries come from.

    Attributes
    ----------
    n_components_ : int
        Directions.
    density_ : float
        Share of entries that are not zero.
    components_ : sparse matrix of shape (n_components, n_features)
        The map :math:`R`.
    inverse_components_ : ndarray of shape (n_features, n_components)
        Its pseudo-inverse, with ``compute_inverse_components``.
    distortion_bound_ : float or None
        Error of squared distances that the lemma promises for the rows of the fit; None where it
        promises nothing.
    fit_report_ : FitReport
        Names the bound; there is nothing to optimise.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    Time and memory in proportion to the entries that are not zero: the gaps between them are drawn,
    not the entries.

    References
    ----------
    P. Li, T. Hastie and K. Church, Very sparse random projections, KDD (2006).

    Examples
    --------
    >>> import numpy as np
    >>> from margin.decomposition import SparseRandomProjection
    >>> X = np.random.default_rng(0).normal(size=(50, 2500))
    >>> model = SparseRandomProjection(eps=0.3, random_state=1).fit(X)
    >>> model.density_, model.distortion(X) < 0.3
    (0.02, True)
    """

    card = Card(tasks=("transform",), on_request=True)

    def __init__(
        self,
        n_components: Any = "auto",
        *,
        density: Any = "auto",
        eps: float = 0.1,
        dense_output: bool = False,
        compute_inverse_components: bool = False,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.density = density
        self.eps = eps
        self.dense_output = dense_output
        self.compute_inverse_components = compute_inverse_components
        self.random_state = random_state

    def _check_own(self) -> None:
        check.params(self, flag="dense_output")
        if isinstance(self.density, str) and self.density == "auto":
            return
        number = isinstance(self.density, int | float) and not isinstance(self.density, bool)
        if not number or not 0 < self.density <= 1:
            raise check.fail(self, "density", "'auto' or above 0 and at most 1", self.density)

    def _keep(self, drawn: Any) -> None:
        # Plain arrays, which every store of models trusts.
        self._parts = (drawn.data, drawn.indices, drawn.indptr)

    @property
    def components_(self) -> Any:
        """The map as a sparse matrix."""
        if not hasattr(self, "_parts"):
            raise AttributeError("components_")
        return csr_array(self._parts, shape=(self.n_components_, self.n_features_in_))

    def _draw(self, shape: tuple[int, int], rng: np.random.Generator) -> Any:
        m, p = shape
        self.density_ = float(1.0 / np.sqrt(p) if self.density == "auto" else self.density)
        places = _successes(m * p, self.density_, rng)
        signs = 2.0 * rng.integers(0, 2, size=len(places)) - 1.0
        ends = np.searchsorted(places, p * np.arange(m + 1))
        data = signs * np.sqrt(1.0 / self.density_) / np.sqrt(m)
        return csr_array((data, places % p, ends), shape=shape)


def _successes(n: int, probability: float, rng: np.random.Generator) -> Any:
    """Which of ``n`` trials succeed: gaps between successes are geometric."""
    if probability == 1.0:
        return np.arange(n)
    parts, last = [], -1
    while last < n - 1:
        more = int(1.1 * (n - 1 - last) * probability) + 10
        successes = last + np.cumsum(rng.geometric(probability, size=more))
        parts.append(successes)
        last = int(successes[-1])
    places = np.concatenate(parts)
    return places[places < n]
