"""Normal distributions as a family to search in: free numbers, draws, gradients of both kinds."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.linalg import solve_triangular

from margin.core.types import Floats


class NormalDraws(NamedTuple):
    """Draws of a normal distribution and the noise that they are made of."""

    noise: Floats
    points: Floats


@dataclass(frozen=True)
class NormalFamily:
    r"""Normal distributions :math:`N(m, L L^\top)`, by free numbers.

    The mean, the logarithms of the diagonal of ``L`` and, unless ``factorised``, what is below it.

    Parameters
    ----------
    dim : int
    factorised : bool
        Whether ``L`` is diagonal.

    Examples
    --------
    >>> import numpy as np
    >>> family = NormalFamily(2, factorised=False)
    >>> family.n_free, family.split(np.array([1.0, 2.0, 0.0, 0.0, 3.0]))[1].tolist()
    (5, [[1.0, 0.0], [3.0, 1.0]])
    """

    dim: int
    factorised: bool

    @property
    def n_free(self) -> int:
        """Number of free numbers."""
        return 2 * self.dim + (0 if self.factorised else self.dim * (self.dim - 1) // 2)

    def split(self, free: Floats) -> tuple[Floats, Floats]:
        """Mean and ``L``."""
        d = self.dim
        root = np.diag(np.exp(free[d : 2 * d]))
        if not self.factorised:
            root[np.tril_indices(d, -1)] = free[2 * d :]
        return free[:d], root

    def draw(self, free: Floats, n: int, rng: np.random.Generator) -> NormalDraws:
        """``n`` draws in pairs that mirror each other, one more where ``n`` is odd."""
        mean, root = self.split(free)
        half = rng.standard_normal(((n + 1) // 2, self.dim))
        noise = np.concatenate([half, -half])
        return NormalDraws(noise, mean + noise @ root.T)

    def entropy(self, free: Floats) -> float:
        """Of the distribution."""
        d = self.dim
        return float(free[d : 2 * d].sum() + 0.5 * d * (1 + np.log(2 * np.pi)))

    def log_density(self, free: Floats, draws: NormalDraws) -> Floats:
        """At its own draws."""
        d = self.dim
        constant = free[d : 2 * d].sum() + 0.5 * d * np.log(2 * np.pi)
        return np.asarray(-0.5 * (draws.noise**2).sum(axis=1) - constant)

    def reparametrised(self, free: Floats, draws: NormalDraws, gradient: Floats) -> Floats:
        """Gradient of the bound, from gradients of the target at the draws."""
        d = self.dim
        outer = gradient.T @ draws.noise / len(gradient)
        of_diagonal = np.diagonal(outer) * np.exp(free[d : 2 * d]) + 1.0
        below = np.empty(0) if self.factorised else outer[np.tril_indices(d, -1)]
        return np.concatenate([gradient.mean(axis=0), of_diagonal, below])

    def score_function(self, free: Floats, draws: NormalDraws, value: Floats) -> Floats:
        """The same from values of log target minus log density alone.

        The mean of the other draws is taken off each value, which changes no expectation and most
        of the variance.
        """
        d, n = self.dim, len(value)
        centred = (value - value.mean()) * (n / (n - 1))
        _, root = self.split(free)
        of_mean = solve_triangular(root, draws.noise.T, lower=True, trans=1).T
        outer = (of_mean * centred[:, None]).T @ draws.noise / n
        of_diagonal = np.diagonal(outer) * np.exp(free[d : 2 * d]) - centred.mean()
        below = np.empty(0) if self.factorised else outer[np.tril_indices(d, -1)]
        return np.concatenate([(of_mean * centred[:, None]).mean(axis=0), of_diagonal, below])
