"""Finite Bayesian Gaussian mixtures, drawn from their prior."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check, random
from margin.core.types import Floats, Places
from margin.distributions import Dirichlet, MixtureDistribution, MultivariateNormal


class DrawnMixture(NamedTuple):
    """A mixture, rows from it, and the component of every row.

    Parameters
    ----------
    X : ndarray of shape (n, d)
    labels : ndarray of shape (n,)
    mixture : MixtureDistribution
        The parameters that were drawn.
    """

    X: Floats
    labels: Places
    mixture: MixtureDistribution


def draw_gaussian_mixture(
    n_samples: int,
    n_components: int,
    *,
    concentration: float = 1.0,
    mean: ArrayLike = (0.0, 0.0),
    spread: float = 3.0,
    noise: float = 1.0,
    random_state: Any = None,
) -> DrawnMixture:
    r"""Rows of a finite Bayesian Gaussian mixture (mixture.07).

    .. math:: \rho \sim \mathrm{Dirichlet}(a / K, \dots, a / K), \quad
              \mu_k \sim N(\mu_0, \sigma_0^2 I), \quad
              z_i \sim \rho, \quad x_i \sim N(\mu_{z_i}, \sigma^2 I)

    Parameters
    ----------
    n_samples, n_components : int
    concentration : float
        :math:`a`; small ones make few components large.
    mean : array-like of shape (d,)
        :math:`\mu_0`.
    spread : float
        :math:`\sigma_0`, between the means.
    noise : float
        :math:`\sigma`, within a component.
    random_state : int, Generator, RandomState or None

    Returns
    -------
    DrawnMixture

    Examples
    --------
    >>> drawn = draw_gaussian_mixture(5, 3, random_state=0)
    >>> drawn.X.shape, len(drawn.mixture.weights)
    ((5, 2), 3)
    """
    name = "draw_gaussian_mixture"
    for word, value in (("n_samples", n_samples), ("n_components", n_components)):
        if value < 1:
            raise check.fail(name, word, "an integer of at least 1", value)
    for word, size in (("concentration", concentration), ("spread", spread), ("noise", noise)):
        if not 0 < size < np.inf:
            raise check.fail(name, word, "a number above 0", size)
    rng = random.generator(random_state)
    centre = np.atleast_1d(np.asarray(mean, dtype=np.float64))
    k, d = n_components, len(centre)
    weights = np.ones(1)
    if k > 1:
        weights = Dirichlet(np.full(k, concentration / k)).sample(1, rng)[0]
    means = centre + spread * rng.standard_normal((k, d))
    labels = rng.choice(k, size=n_samples, p=weights / weights.sum())
    X = means[labels] + noise * rng.standard_normal((n_samples, d))
    members = MultivariateNormal(means, variance=np.full((k, d), noise**2))
    return DrawnMixture(X, labels, MixtureDistribution(weights, members))
