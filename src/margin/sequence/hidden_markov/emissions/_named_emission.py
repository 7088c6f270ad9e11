"""Emissions by their names."""

from typing import Any

from margin.core import check
from margin.distributions import Categorical
from margin.sequence.hidden_markov.emissions._emission import (
    Emission,
    FamilyEmission,
    SymbolEmission,
)
from margin.sequence.hidden_markov.emissions._normal_emission import NormalEmission


def named_emission(
    owner: object, emission: Any, *, covariance_type: str = "full", min_covar: float = 1e-3
) -> Emission:
    """Settings of "gaussian", "categorical", or of a family of distributions.

    Examples
    --------
    >>> named_emission("HMM", "poison")
    Traceback (most recent call last):
    ValueError: HMM: emission must be 'gaussian', 'categorical' or a family of distributions, got \
'poison'
    """
    if not isinstance(emission, str):
        return SymbolEmission() if emission is Categorical else FamilyEmission(emission)
    if emission == "gaussian":
        return NormalEmission(covariance_type, float(min_covar))
    if emission == "categorical":
        return SymbolEmission()
    wanted = "'gaussian', 'categorical' or a family of distributions"
    raise check.fail(owner, "emission", wanted, emission)
