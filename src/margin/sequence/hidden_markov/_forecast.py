"""Predictions as distributions: laws of the states, mixed."""

from typing import Any

import numpy as np

from margin.core.types import Floats
from margin.distributions import Categorical, MixtureDistribution, MultivariateNormal
from margin.sequence._laws import normal_law
from margin.sequence._step_laws import StepLaws


def mixed_steps(weights: Floats, laws: Any) -> Any:
    """Law of every step: the members of ``laws`` mixed by a row of ``weights`` (h, K).

    Symbols stay symbols; one column of normal vectors becomes a number.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.distributions import Normal
    >>> mixed_steps(np.array([[0.25, 0.75], [0.5, 0.5]]), Normal([0.0, 4.0], 1.0)).mean
    array([3., 2.])
    >>> mixed_steps(np.array([[0.5, 0.5]]), Categorical([[1.0, 0.0], [0.5, 0.5]])).probabilities
    array([[0.75, 0.25]])
    """
    weights = weights / weights.sum(axis=1, keepdims=True)
    if isinstance(laws, Categorical) and laws.probabilities.ndim == 2:
        return Categorical(weights @ laws.probabilities)
    members = [_number(laws[j]) for j in range(weights.shape[1])]
    return StepLaws([MixtureDistribution(w / w.sum(), members) for w in weights])


def _number(law: Any) -> Any:
    """A vector of one column as a number."""
    if isinstance(law, MultivariateNormal) and np.shape(law.mean) == (1,):
        return normal_law(law.mean[None], np.asarray(law.covariance)[None])[0]
    if isinstance(law, MixtureDistribution) and law.event == (1,):
        return MixtureDistribution(law.weights, [_number(part) for part in law.components])
    return law
