"""The registry of conjugate beliefs (distributions.31)."""

import pytest

from margin.distributions import Laplace, conjugate_beliefs
from margin.distributions.conjugate._registry import CONJUGATE


def test_every_belief_has_every_verb():
    """distributions.31: Binomial, Multinomial, Normal, vectors, and more."""
    for family in CONJUGATE:
        for belief in conjugate_beliefs(family):
            for verb in (
                "posterior",
                "predictive",
                "log_evidence",
                "expected_log_prob",
                "kl",
                "mode",
            ):
                assert hasattr(belief, verb), f"{belief.__name__}.{verb}"
    with pytest.raises(ValueError, match="conjugate_beliefs: family must be one of Bernoulli"):
        conjugate_beliefs(Laplace)
