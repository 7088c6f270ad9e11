from margin.ensemble.boosting._boost_settings import BoostSettings
from margin.search import GrowthRules


def test_what_draws():
    plain = GrowthRules()
    assert not BoostSettings(5, 0.1, plain).draws
    assert BoostSettings(5, 0.1, plain, subsample=0.5).draws
    assert BoostSettings(5, 0.1, plain, one_side=True).draws
    assert BoostSettings(5, 0.1, GrowthRules(split_features=2)).draws
