import pytest

from margin.distributions import Categorical, Poisson
from margin.sequence.hidden_markov.emissions._emission import FamilyEmission, SymbolEmission
from margin.sequence.hidden_markov.emissions._named_emission import named_emission
from margin.sequence.hidden_markov.emissions._normal_emission import NormalEmission


def test_names_and_families():
    """sequence.21: any family may be shown."""
    made = named_emission("HMM", "gaussian", covariance_type="diag", min_covar=0.5)
    assert made == NormalEmission("diag", 0.5)
    assert type(named_emission("HMM", "categorical")) is SymbolEmission
    assert type(named_emission("HMM", Categorical)) is SymbolEmission
    assert named_emission("HMM", Poisson) == FamilyEmission(Poisson)
    with pytest.raises(ValueError, match="HMM: emission must be 'gaussian'"):
        named_emission("HMM", "normal")
