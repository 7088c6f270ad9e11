"""Variational inference in families of normal distributions, by noisy gradients."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from margin.core import Iterate, Solution, Stop, check, iterate
from margin.core.random import generator
from margin.core.types import Floats
from margin.distributions import MultivariateNormal
from margin.inference.approximate._normal_family import NormalFamily

Log = Callable[[Floats], Floats]
_AUDIT = 4000


class VariationalPosterior(NamedTuple):
    """What :func:`variational_inference` found.

    Parameters
    ----------
    distribution : MultivariateNormal
        The member of the family.
    bound : float
        Monte-Carlo estimate of the lower bound of the log evidence there, from fresh draws.
    error : float
        Its standard error.
    solution : Solution
        How the search went.
    """

    distribution: MultivariateNormal
    bound: float
    error: float
    solution: Solution


def variational_inference(
    log_joint: Log,
    start: ArrayLike,
    *,
    gradient: Log | None = None,
    family: Literal["full", "factorised"] = "full",
    n_draws: int = 20,
    learning_rate: float = 0.1,
    max_iter: int = 1000,
    random_state: int | np.random.Generator | None = None,
) -> VariationalPosterior:
    r"""The normal distribution nearest to a posterior, by its lower bound (inference.32).

    .. math:: \max_q \; L(q) = E_q[\log p(x, z)] + H(q) = \log p(x) - \mathrm{KL}(q, p(z \mid x))

    The expectation is an average over draws :math:`z = m + L\epsilon`. With the gradient of
    :math:`\log p` the draws are differentiated (reparametrised); without, values alone weigh the
    score :math:`\nabla\log q`, at the price of a larger variance. Steps are Adam's, shrinking, and
    the second half of the path is averaged.

    Parameters
    ----------
    log_joint : callable
        :math:`\log p(x, z)` for points of shape (n, d), up to a constant that then is missing from
        the bound.
    start : array-like of shape (d,)
        First mean; the first standard deviations are one.
    gradient : callable, optional
        :math:`\nabla_z \log p(x, z)` of shape (n, d).
    family : {"full", "factorised"}
        Any covariance, or independent coordinates.
    n_draws : int
        Draws for each step, in mirrored pairs.
    learning_rate : float
    max_iter : int
        Steps.
    random_state : int, Generator or None

    Returns
    -------
    VariationalPosterior

    Examples
    --------
    A posterior that is normal itself is found, here with standard deviations 1 and 2.

    >>> import numpy as np
    >>> log_joint = lambda z: -0.5 * (z[:, 0] ** 2 + (z[:, 1] - 3) ** 2 / 4)
    >>> gradient = lambda z: np.stack([-z[:, 0], -(z[:, 1] - 3) / 4], axis=1)
    >>> found = variational_inference(log_joint, [1.0, 1.0], gradient=gradient, random_state=0)
    >>> np.abs(found.distribution.mean - [0, 3]).max() < 0.05
    np.True_
    >>> abs(found.bound - np.log(2 * np.pi * 2)) < 0.01
    np.True_
    """
    name = "variational_inference"
    if family not in ("full", "factorised"):
        raise check.fail(name, "family", "'full' or 'factorised'", family)
    check.count(name, "n_draws", n_draws, least=2)
    check.count(name, "max_iter", max_iter)
    if not 0 < learning_rate < np.inf:
        raise check.fail(name, "learning_rate", "a number above 0", learning_rate)
    mean = np.atleast_1d(np.asarray(start, dtype=np.float64))
    rng = generator(random_state)
    members = NormalFamily(len(mean), family == "factorised")
    search = _Search(log_joint, gradient, members, n_draws, learning_rate, max_iter, rng)
    stop = Stop("", None, max_iter, keep="last")
    solution = iterate(search.states(mean), stop, solver=name)
    centre, root = members.split(np.asarray(solution.x))
    approximation = MultivariateNormal(centre, cholesky=root)
    bound, error = monte_carlo_bound(log_joint, approximation, _AUDIT, rng)
    return VariationalPosterior(approximation, bound, error, solution)


def monte_carlo_bound(
    log_joint: Log, distribution: MultivariateNormal, n: int, rng: np.random.Generator
) -> tuple[float, float]:
    r"""Estimate of :math:`E_q[\log p(x, z) - \log q(z)]` and its standard error (inference.32).

    Examples
    --------
    >>> import numpy as np
    >>> from margin.distributions import MultivariateNormal
    >>> q = MultivariateNormal([0.0], [[1.0]])
    >>> found = monte_carlo_bound(lambda z: q.log_prob(z) - 2, q, 10, np.random.default_rng(0))
    >>> [round(value, 9) for value in found]
    [-2.0, 0.0]
    """
    points = distribution.sample(n, rng)
    value = np.asarray(log_joint(points)) - distribution.log_prob(points)
    return float(value.mean()), float(value.std(ddof=1) / np.sqrt(n))


@dataclass(frozen=True, eq=False)
class _Search:
    log_joint: Log
    gradient: Log | None
    family: NormalFamily
    n_draws: int
    rate: float
    max_iter: int
    rng: np.random.Generator

    def states(self, mean: Floats) -> Iterator[Iterate]:
        free = np.zeros(self.family.n_free)
        free[: len(mean)] = mean
        slope, square = np.zeros_like(free), np.zeros_like(free)
        average, seen = free, 0
        value, ascent = self._look(free)
        yield Iterate(free, -value)
        for step in range(1, self.max_iter + 1):
            slope = 0.9 * slope + 0.1 * ascent
            square = 0.99 * square + 0.01 * ascent**2
            size = np.sqrt(square / (1 - 0.99**step)) + 1e-8
            rate = self.rate / np.sqrt(1 + 10 * step / self.max_iter)
            free = free + rate * (slope / (1 - 0.9**step)) / size
            value, ascent = self._look(free)
            if 2 * step > self.max_iter:
                seen += 1
                average = average + (free - average) / seen
            yield Iterate(average if seen else free, -value, n_iter=step)

    def _look(self, free: Floats) -> tuple[float, Floats]:
        """Estimates of the bound and of its gradient."""
        draws = self.family.draw(free, self.n_draws, self.rng)
        target = np.asarray(self.log_joint(draws.points), dtype=np.float64)
        bound = float(target.mean()) + self.family.entropy(free)
        if self.gradient is not None:
            slope = np.asarray(self.gradient(draws.points), dtype=np.float64)
            return bound, self.family.reparametrised(free, draws, slope)
        value = target - self.family.log_density(free, draws)
        return bound, self.family.score_function(free, draws, value)
