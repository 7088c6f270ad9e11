"""Mixtures of any distributions as vectors of free numbers, for acceleration."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import FitError
from margin.core.types import Floats
from margin.distributions import (
    Bernoulli,
    Beta,
    Binomial,
    Categorical,
    Exponential,
    Gamma,
    InverseGamma,
    Laplace,
    MixtureDistribution,
    Moments,
    MultivariateNormal,
    Normal,
    Poisson,
    Product,
)

# Parameters of families, and whether each is above zero.
_FREE: dict[type, tuple[tuple[str, bool], ...]] = {
    Normal: (("mean", False), ("std", True)),
    Laplace: (("loc", False), ("scale", True)),
    Exponential: (("rate", True),),
    Poisson: (("rate", True),),
    Gamma: (("concentration", True), ("rate", True)),
    InverseGamma: (("concentration", True), ("scale", True)),
    Beta: (("a", True), ("b", True)),
}
_LARGEST = 1e150


def has_vector(component: Any) -> bool:
    """Whether the parameters of a distribution, or a family, are known as free numbers."""
    if isinstance(component, Product):
        return all(map(has_vector, component.parts))
    family = component if isinstance(component, type) else type(component)
    if family is MultivariateNormal:
        # A diagonal covariance would come back as a full one.
        return isinstance(component, type) or isinstance(
            component.expected_statistics(component.mean[None]), Moments
        )
    return family in _FREE or family in (Bernoulli, Binomial, Categorical)


@dataclass(frozen=True, eq=False)
class ComponentVector:
    """Log weights, and the parameters of all components without their limits.

    Parameters
    ----------
    like : MixtureDistribution
        Of the families and shapes that are meant.
    fixed : tuple of bool
        Components that have no free parameters.

    Examples
    --------
    >>> pair = MixtureDistribution([0.5, 0.5], [Normal(0.0, 1.0), Exponential(1.0)])
    >>> form = ComponentVector(pair, (False, False))
    >>> form.to_vector(pair).round(6).tolist()
    [-0.693147, -0.693147, 0.0, 0.0, 0.0]
    >>> form.from_vector(form.to_vector(pair) + 0.0).components[1]
    Exponential(rate=1.)
    """

    like: MixtureDistribution
    fixed: tuple[bool, ...]

    def to_vector(self, at: MixtureDistribution) -> Floats:
        """Free numbers; infinite where a parameter is at its limit, which stops the search."""
        with np.errstate(divide="ignore"):
            parts = [np.log(at.weights)]
            for component, fixed in zip(at.components, self.fixed, strict=True):
                parts += [] if fixed else [_vector(component)]
        return np.concatenate(parts)

    def from_vector(self, free: Floats) -> MixtureDistribution | None:
        """The mixture, unless the numbers mean none."""
        k = len(self.fixed)
        if np.abs(free).max(initial=0.0) > _LARGEST:
            return None
        weights, rest = np.exp(free[:k] - free[:k].max()), free[k:]
        members = []
        try:
            with np.errstate(over="ignore", invalid="ignore"):
                for old, fixed in zip(self.like.components, self.fixed, strict=True):
                    new, rest = (old, rest) if fixed else _taken(old, rest)
                    members.append(new)
            return MixtureDistribution(weights / weights.sum(), members)
        except (FitError, ValueError):
            return None


def _vector(at: Any) -> Floats:
    if isinstance(at, Product):
        return np.concatenate([_vector(part) for part in at.parts])
    if isinstance(at, MultivariateNormal):
        factor = np.linalg.cholesky(at.covariance)
        lower = factor[np.tril_indices(len(factor), -1)]
        return np.concatenate([at.mean, np.log(np.diagonal(factor)), lower])
    if isinstance(at, Bernoulli | Binomial):
        chance = np.ravel(at.probability)
        return np.asarray(np.log(chance) - np.log1p(-chance))
    if isinstance(at, Categorical):
        return np.log(np.ravel(at.probabilities))
    values = [(np.ravel(getattr(at, name)), above) for name, above in _FREE[type(at)]]
    return np.concatenate([np.log(v) if above else v for v, above in values])


def _taken(like: Any, free: Floats) -> tuple[Any, Floats]:
    """A distribution from the first of the numbers, and the others."""
    if isinstance(like, Product):
        parts = []
        for old in like.parts:
            new, free = _taken(old, free)
            parts.append(new)
        return Product(parts, like.columns), free
    if isinstance(like, MultivariateNormal):
        d = like.dim
        size = d + d * (d + 1) // 2
        factor = np.diag(np.exp(free[d : 2 * d]))
        factor[np.tril_indices(d, -1)] = free[2 * d : size]
        return MultivariateNormal(free[:d], factor @ factor.T), free[size:]
    if isinstance(like, Bernoulli | Binomial):
        shape = np.shape(like.probability)
        size = int(np.prod(shape))
        chance = 1 / (1 + np.exp(-free[:size].reshape(shape)))
        new = Bernoulli(chance) if isinstance(like, Bernoulli) else Binomial(like.n, chance)
        return new, free[size:]
    if isinstance(like, Categorical):
        size = like.probabilities.size
        table = free[:size].reshape(like.probabilities.shape)
        chance = np.exp(table - table.max(axis=-1, keepdims=True))
        return Categorical(chance / chance.sum(axis=-1, keepdims=True)), free[size:]
    values = []
    for name, above in _FREE[type(like)]:
        shape = np.shape(getattr(like, name))
        size = int(np.prod(shape))
        value, free = free[:size].reshape(shape), free[size:]
        values.append(np.exp(value) if above else value)
    return type(like)(*values), free
