"""The density of one class, from its rows."""

from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Floats
from margin.distributions import (
    MultivariateNormal,
    Normal,
    NormalInverseGamma,
    NormalInverseWishart,
    StudentVector,
)
from margin.inference import Expectation, expectation_maximisation

_MOST_STEPS = 200
_TOL = 1e-10


def automatic_prior(family: Any, X: Floats, weight: Floats) -> Any:
    """A weak conjugate prior at mean and variances of all rows; ``None`` for other families."""
    stats = Normal.statistics(X, weight)
    seen = stats.weight > 0
    var = np.where(seen, stats.scatter / np.where(seen, stats.weight, 1.0), 0.0)
    var = np.where(var > (1e-14 * stats.mean) ** 2, var, 1.0)
    if issubclass(family, Normal):
        return NormalInverseGamma(stats.mean, 1.0, 1.0, var)
    if issubclass(family, MultivariateNormal):
        return NormalInverseWishart(stats.mean, 1.0, np.diag(var), X.shape[1] + 2.0)
    return None


def class_density(
    owner: object, family: Any, X: Floats, weight: Floats, prior: Any, estimate: str
) -> Any:
    """Density of one class: most likely, most probable, or with its parameters integrated out."""
    stats = completed_statistics(family, X, weight, prior)
    if estimate != "bayes":
        return family.fit(stats, prior)
    posterior = prior.posterior(stats)
    if isinstance(posterior, NormalInverseWishart):
        return StudentVector.predictive(posterior)
    if not hasattr(posterior, "predictive"):
        wanted = f'"ml" or "map" with the prior {type(prior).__name__}, which cannot predict'
        raise check.fail(owner, "estimate", wanted, estimate)
    return posterior.predictive()


def completed_statistics(family: Any, X: Floats, weight: Floats, prior: Any) -> Any:
    """Statistics of the rows; those with NaN are completed until the fit is settled."""
    if not (np.isnan(X).any() and hasattr(family, "expected_statistics")):
        return family.statistics(X, weight)
    columns = Normal.statistics(X, weight)
    guess = prior or NormalInverseWishart(
        columns.mean, 1.0, np.diag(np.maximum(columns.scatter, 1e-12)), X.shape[1] + 2.0
    )
    whole = np.where(np.isnan(X), columns.mean, X)
    solution = expectation_maximisation(
        lambda at: Expectation(float(weight @ at.log_prob(X)), at.expected_statistics(X, weight)),
        lambda stats, _: family.fit(stats, prior),
        [family.fit(family.statistics(whole, weight), guess)],
        tol=_TOL,
        max_iter=_MOST_STEPS,
        # The likelihood alone may fall where a prior has a say.
        monotone=None if prior is not None else 1e-9,
    )
    return solution.extras["statistics"]
