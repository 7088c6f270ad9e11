"""Random projection with normal entries."""

from typing import Any

import numpy as np

from margin.core import Card
from margin.core.types import Array
from margin.decomposition.manifold._projection_base import RandomProjectionBase


class GaussianRandomProjection(RandomProjectionBase):
    r"""Rows times random normal directions, which keeps distances (decomposition.17).

    .. math:: y = R x, \qquad R_{ij} \sim N(0, 1/m)

    so that :math:`E \|R x\|^2 = \|x\|^2`; with
    :math:`m \ge 4 \ln n / (\epsilon^2/2 - \epsilon^3/3)` all squared distances between
    ``n`` rows stay within :math:`1 \pm \epsilon`.

    Parameters
    ----------
    n_components : int or "auto", default="auto"
        Directions; ``"auto"`` takes :func:`johnson_lindenstrauss_min_dim`, and refuses where that
        exceeds the columns.
    eps : float, default=0.1
        Error of squared distances that ``"auto"`` allows.
    compute_inverse_components : bool, default=False
        Whether ``fit`` computes the pseudo-inverse; else ``inverse_transform`` does, every time.
    random_state : int, Generator, RandomState or None, default=None
        Where the entries come from.

    Attributes
    ----------
    n_components_ : int
        Directions.
    components_ : ndarray of shape (n_components, n_features)
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
    :math:`O(m p)` to draw, :math:`O(n m p)` to map. ``distortion`` measures the error.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.decomposition import GaussianRandomProjection
    >>> X = np.random.default_rng(0).normal(size=(50, 3000))
    >>> model = GaussianRandomProjection(eps=0.3, random_state=1).fit(X)
    >>> model.n_components_, model.distortion(X) < 0.3
    (434, True)
    """

    card = Card(tasks=("transform",), on_request=True)

    def __init__(
        self,
        n_components: Any = "auto",
        *,
        eps: float = 0.1,
        compute_inverse_components: bool = False,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.eps = eps
        self.compute_inverse_components = compute_inverse_components
        self.random_state = random_state

    def _check_own(self) -> None:
        """Nothing to add."""

    def _keep(self, drawn: Array) -> None:
        self.components_ = drawn

    def _draw(self, shape: tuple[int, int], rng: np.random.Generator) -> Array:
        return np.asarray(rng.standard_normal(shape) / np.sqrt(shape[0]))
