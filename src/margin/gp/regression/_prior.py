"""What a process says before it has seen data."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.utils import check_array

from margin.core.types import Floats
from margin.gp._border import given_kernel
from margin.gp._inputs import Precomputed, structured
from margin.gp.regression._mean import fit_mean
from margin.gp.regression._prediction import Moments, draws
from margin.kernels import RBF


@dataclass(frozen=True, eq=False)
class Prior:
    """A process without data; unknown coefficients of its mean are taken as zero.

    Parameters
    ----------
    owner : str
        Whose parameters they are, for messages.
    kernel : None, str, callable or Kernel
        As the user gave it; None: a Gaussian of variance and length scale one.
    mean : None, str or callable
        Mean function.
    n_targets : int or None
        Number of targets; None: one.

    Examples
    --------
    >>> Prior("GP", None, None, None).moments([[0.0], [1.0]], "var").var.T
    array([[1., 1.]])
    """

    owner: str
    kernel: Any
    mean: Any
    n_targets: int | None

    @property
    def single(self) -> bool:
        """Whether answers have no axis for targets."""
        return self.n_targets in (None, 1)

    def moments(self, X: Any, spread: str = "") -> Moments:
        """Mean of shape (m, k), with variance or covariance if asked."""
        kernel, objects, offset = self._at(X)
        k = self.n_targets or 1
        mean = np.repeat(offset[:, None], k, axis=1)
        if spread == "cov":
            cov = np.asarray(kernel(objects), dtype=np.float64)
            return Moments(mean, None, np.repeat(cov[:, :, None], k, axis=2))
        if spread == "var":
            var = np.asarray(kernel.diag(objects), dtype=np.float64)
            return Moments(mean, np.repeat(var[:, None], k, axis=1))
        return Moments(mean)

    def sample(self, X: Any, n: int, rng: np.random.Generator) -> Floats:
        """Functions at ``X``, of shape (m, n, k)."""
        kernel, objects, offset = self._at(X)
        cov = np.asarray(kernel(objects), dtype=np.float64)
        each = [draws(offset, cov, n, rng) for _ in range(self.n_targets or 1)]
        return np.stack(each, axis=2)

    def shaped(self, values: Floats) -> Floats:
        """Without the last axis, that of targets, where there is one target."""
        return values[..., 0] if self.single else values

    def _at(self, X: Any) -> tuple[Any, Any, Floats]:
        given = given_kernel(self.owner, self.kernel, X, learns=False).kernel
        if isinstance(given, Precomputed):
            raise NotFittedError(f"{self.owner}: a precomputed kernel says nothing before fit")
        kernel: Any = 1.0 * RBF(1.0) if given is None else given
        objects = list(X) if structured(kernel) else check_array(X, dtype=np.float64)
        _, _, offset = fit_mean(self.owner, self.mean, objects)
        return kernel, objects, offset
