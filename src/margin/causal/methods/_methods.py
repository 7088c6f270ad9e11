"""The registry of methods: a name for each value."""

from collections.abc import Mapping
from typing import Any

from margin.causal.methods._doubly_robust import DoublyRobust, TargetedLikelihood
from margin.causal.methods._groups import (
    NaiveDifference,
    PropensityStratification,
    Stratification,
)
from margin.causal.methods._matching import Matching
from margin.causal.methods._partialling_out import PartiallingOut
from margin.causal.methods._plug_in import PlugIn
from margin.causal.methods._regression import Regression
from margin.causal.methods._scores import Method
from margin.causal.methods._through_mediators import FrontDoor
from margin.causal.methods._weighting import InverseWeighting
from margin.core import check

METHODS: Mapping[str, Method] = {
    "naive": NaiveDifference(),
    "stratification": Stratification(),
    "propensity_stratification": PropensityStratification(),
    "regression": Regression(),
    "ipw": InverseWeighting(),
    "plain_ipw": InverseWeighting("plain"),
    "stabilised_ipw": InverseWeighting("stabilised"),
    "matching": Matching(),
    "covariate_matching": Matching(on="covariates"),
    "aipw": DoublyRobust(),
    "tmle": TargetedLikelihood(),
    "dml": PartiallingOut(),
    "frontdoor": FrontDoor(),
    "plugin": PlugIn(),
}


def method_of(owner: object, given: Any) -> Method:
    """A method by its name, or the value itself.

    Examples
    --------
    >>> method_of("AverageEffect", "aipw").title
    'doubly robust (augmented weighting)'
    """
    if isinstance(given, Method):
        return given
    if not isinstance(given, str) or given not in METHODS:
        names = ", ".join(map(repr, ("auto", *METHODS)))
        raise check.fail(owner, "method", f"one of {names}, or a method of its own", given)
    return METHODS[given]
