import pytest
from numpy.testing import assert_allclose

from margin.causal import simulate_bias


@pytest.mark.parametrize("kind", ["common_cause", "mediator", "selection"])
@pytest.mark.parametrize("strength", [0.5, 2.0])
def test_bias_is_as_large_as_derived(kind, strength):
    """causal.02: naive estimates tend to the biased value, adjusted ones to the truth"""
    study = simulate_bias(kind, 100_000, effect=0.7, strength=strength, random_state=0)
    assert_allclose(study.naive(), study.biased, atol=0.03)
    assert_allclose(study.adjusted(), study.truth, atol=0.03)
    assert abs(study.biased - study.truth) > 0.05


def test_what_is_refused():
    for given in ({"kind": "magic"}, {"kind": "mediator", "n_samples": 2}):
        with pytest.raises(ValueError, match="simulate_bias: "):
            simulate_bias(**given)
