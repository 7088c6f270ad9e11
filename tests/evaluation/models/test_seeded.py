"""Seeds of models inside others."""

from sklearn.linear_model import Ridge
from sklearn.neighbors import KNeighborsRegressor

from margin.evaluation.models._seeded import seeded


def test_only_what_takes_a_seed_gets_one():
    assert seeded(Ridge(), 3).random_state == 3
    assert seeded(Ridge(random_state=5), None).random_state == 5
    assert seeded(KNeighborsRegressor(), 3).get_params()["n_neighbors"] == 5
