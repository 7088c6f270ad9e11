"""Principal components in the dual: directions as sums over the objects."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import check
from margin.core.objects import count
from margin.core.types import Floats as Doubles
from margin.kernels._base import Floats, Kernel
from margin.kernels._memory import apply
from margin.kernels.features._feature_map import FeatureMap
from margin.kernels.features._gram_features import gram_features
from margin.kernels.vectors._vectors import rows
from margin.linalg import double_centred


@dataclass(frozen=True, eq=False)
class PrincipalFeatures(FeatureMap):
    r"""Projections on the principal directions of a sample in feature space: see
    :func:`principal_features`.

    Parameters
    ----------
    kernel : Kernel
        Whose feature space it is.
    points : objects
        The sample.
    coefficients : ndarray of shape (n, r)
        The :math:`\alpha_{ij}` of :math:`w_j = \sum_i \alpha_{ij} \phi(x_i)`; columns sum to zero.
    offset : ndarray of shape (r,)
        Projections of the mean of the sample.
    variances : ndarray of shape (r,)
        Of the sample along the directions, largest first; divisor :math:`n`.
    """

    kernel: Kernel
    points: Any
    coefficients: Doubles
    offset: Doubles
    variances: Doubles

    @property
    def n_features(self) -> int:
        """Number of directions."""
        return len(self.variances)

    def __call__(self, X: Any) -> Floats:
        r"""Projections :math:`w_j^\top (\phi(x) - \bar\phi)`, of shape ``(m, r)``."""
        return np.asarray(apply(self.kernel, X, self.points, self.coefficients) - self.offset)

    def directions(self) -> Floats:
        """The directions as weights of the columns of a table, for the linear kernel; (p, r)."""
        weights = None
        if self.kernel.input == "vectors":
            weights = self.kernel.primal(rows(self, self.points), self.coefficients)
        if weights is None:
            raise check.fail(self, "kernel", "linear, for directions of a table", self.kernel)
        return weights


def principal_features(
    kernel: Kernel, X: Any, n: int | None = None, *, tol: float = 1e-10
) -> PrincipalFeatures:
    r"""Principal components of a sample in the feature space of a kernel (kernels.01).

    PCA in its dual form: every direction of variance is a sum over the sample,
    :math:`w_j = \sum_i \alpha_{ij} \phi(x_i)`, so that only the kernel is needed. With the centred
    matrix :math:`H K H = V M V^\top`, :math:`H = I - \tfrac1n 1 1^\top`,

    .. math:: \alpha = V M^{-1/2}, \qquad w_j^\top w_l = [j = l], \qquad
        \tfrac1n \sum_i \bigl(w_j^\top (\phi(x_i) - \bar\phi)\bigr)^2 = \mu_j / n .

    For the linear kernel it is PCA of the rows, cheap where they are fewer than the columns.

    Parameters
    ----------
    kernel : Kernel
        Of the feature space.
    X : objects
        The sample.
    n : int, optional
        Number of components; all that are not rounding if left out.
    tol : float
        Variances below ``tol`` times the largest are dropped.

    Returns
    -------
    PrincipalFeatures
        The projections as a function of any objects.

    Notes
    -----
    :math:`O(n^3)` operations and :math:`O(n^2)` memory for :math:`n` objects, whatever the number
    of features.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.kernels import Linear, principal_features
    >>> X = np.array([[0.0, 0.0, 1.0], [2.0, 0.0, 1.0], [4.0, 0.0, 1.0]])
    >>> pca = principal_features(Linear(), X)
    >>> pca.variances.round(6), pca.directions()[:, 0].round(6) + 0.0
    (array([2.666667]), array([1., 0., 0.]))
    >>> pca([[2.0, 5.0, 1.0]]).round(6) + 0.0
    array([[0.]])
    """
    size = count(X)
    if size < 1:
        raise check.fail("principal_features", "X", "at least one object", size)
    K = np.asarray(kernel(X), dtype=np.float64)
    factor = gram_features(double_centred(K), n, tol=tol)
    mu = factor.singular_values**2
    vectors = factor.features / factor.singular_values
    alpha = (vectors - vectors.mean(axis=0)) / factor.singular_values
    return PrincipalFeatures(kernel, X, alpha, K.mean(axis=0) @ alpha, mu / size)
