"""Random measures drawn from a Dirichlet process, grown only as far as they are looked at."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.random import generator
from margin.core.types import Array, Floats, Indices
from margin.distributions import Dirichlet


@dataclass(frozen=True)
class DirichletProcess:
    r"""A law over distributions with infinitely many atoms (mixture.10, mixture.11).

    .. math:: G = \sum_k \rho_k \delta_{\theta_k}, \quad \rho \sim \mathrm{GEM}(\alpha), \quad
              \theta_k \sim H; \qquad (G(T_1), \dots, G(T_m)) \sim
              \mathrm{Dir}(\alpha H(T_1), \dots, \alpha H(T_m))

    Parameters
    ----------
    alpha : float
        Concentration :math:`\alpha > 0`.
    base : callable
        ``base(n, rng)`` draws ``n`` atoms of :math:`H`; the ``sample`` of any distribution.

    Examples
    --------
    >>> from margin.distributions import Normal
    >>> measure = DirichletProcess(2.0, Normal(0.0, 1.0).sample).draw(rng=0)
    >>> x = measure.sample(1000)
    >>> len(np.unique(x)) == len(set(measure.labels(1000))) or len(np.unique(x)) < 30
    True
    """

    alpha: float
    base: Callable[[int, np.random.Generator], Array]

    def __post_init__(self) -> None:
        check.params(self, positive="alpha")
        if not callable(self.base):
            raise check.fail(self, "base", "a callable base(n, rng)", self.base)

    def draw(self, rng: Any = None) -> "RandomMeasure":
        """One distribution."""
        return RandomMeasure(self.alpha, self.base, generator(rng))

    def partition_law(self, probabilities: ArrayLike) -> Dirichlet:
        r"""Law of the masses of the cells of a partition with these probabilities under ``H``.

        Masses have the mean :math:`H(T)` and the variance :math:`H(T)(1 - H(T))/(\alpha + 1)`.
        """
        p = np.asarray(probabilities, dtype=np.float64)
        if p.ndim != 1 or (p <= 0).any() or abs(p.sum() - 1.0) > 1e-9:
            raise check.fail(self, "probabilities", "above 0 with sum 1", probabilities)
        return Dirichlet(self.alpha * p)


class RandomMeasure:
    """A draw of a Dirichlet process whose atoms are drawn when somebody asks for them.

    Parameters
    ----------
    alpha : float
    base : callable
    rng : numpy.random.Generator
    """

    def __init__(
        self,
        alpha: float,
        base: Callable[[int, np.random.Generator], Array],
        rng: np.random.Generator,
    ) -> None:
        self._alpha, self._base, self._rng = alpha, base, rng
        self._weights: list[float] = []
        self._atoms: list[Any] = []
        self._left = 1.0

    @property
    def weights(self) -> Floats:
        """Weights of the atoms seen so far."""
        return np.array(self._weights)

    @property
    def atoms(self) -> Array:
        """The atoms seen so far."""
        return np.array(self._atoms)

    def labels(self, n: int) -> Indices:
        """Numbers of the atoms of ``n`` independent draws of the measure."""
        points = self._rng.random(n)
        while 1.0 - self._left <= points.max(initial=0.0):
            share = self._rng.beta(1.0, self._alpha)
            self._weights.append(self._left * share)
            self._atoms.append(self._base(1, self._rng)[0])
            self._left *= 1.0 - share
            if self._left < 1e-15:
                break
        ends = np.cumsum(self._weights)
        places = np.searchsorted(ends, points, side="right")
        return np.minimum(places, len(ends) - 1)

    def sample(self, n: int) -> Array:
        """``n`` independent draws of the measure; equal ones are draws of one atom."""
        labels = self.labels(n)
        return self.atoms[labels]


def sample_dp_mixture(
    n: int,
    alpha: float,
    base: Callable[[int, np.random.Generator], Array],
    observe: Callable[[Array, np.random.Generator], Array],
    rng: Any = None,
) -> tuple[Array, Indices]:
    r"""Rows of a Dirichlet-process mixture and their components (mixture.16).

    .. math:: G \sim \mathrm{DP}(\alpha, H), \qquad \theta_i \sim G, \qquad x_i \sim f(\theta_i)

    Parameters
    ----------
    n : int
        How many rows.
    alpha, base
        Of the :class:`DirichletProcess`.
    observe : callable
        ``observe(parameters, rng)`` draws one row for each row of parameters.
    rng : None, int or Generator

    Returns
    -------
    x : ndarray of shape (n, ...)
    labels : ndarray of shape (n,)
        Components, numbered as they first appear.

    Examples
    --------
    >>> from margin.distributions import Normal
    >>> x, z = sample_dp_mixture(
    ...     50, 1.0, Normal(0.0, 3.0).sample, lambda m, rng: rng.normal(m, 1.0), rng=0
    ... )
    >>> x.shape, int(z[0])
    ((50,), 0)
    """
    rng = generator(rng)
    measure = DirichletProcess(alpha, base).draw(rng)
    atoms = measure.labels(n)
    x = observe(measure.atoms[atoms], rng)
    _, first, codes = np.unique(atoms, return_index=True, return_inverse=True)
    return x, np.argsort(np.argsort(first))[codes]
