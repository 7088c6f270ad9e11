import numpy as np

from margin.ensemble.boosting._boost import BoostSettings
from margin.ensemble.boosting._fit_boosting import fit_boosting
from margin.ensemble.boosting._objective import SquaredObjective
from margin.search import GrowthRules


def fit(X, y, weight=None, *, stages=5, held_out=0.0, before=None, offset=None):
    seen = []

    def measure(rows, labels, own, raw):
        seen.append((len(rows), len(labels), raw.shape))
        return float(np.mean((raw[0] - labels) ** 2))

    model, solution = fit_boosting(
        X,
        y,
        weight,
        make=SquaredObjective,
        measure=measure,
        settings=BoostSettings(stages, 0.2, GrowthRules(max_leaf_nodes=5)),
        offset=offset,
        held_out=held_out,
        stratify=False,
        categorical=None,
        max_bins=255,
        before=before,
        rng=np.random.default_rng(0),
        n_threads=1,
        callback=None,
    )
    return model, solution, seen


def data():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 2))
    return X, X[:, 0] + 0.1 * rng.standard_normal(300)


def test_goes_on_from_a_model():
    X, y = data()
    whole, _, _ = fit(X, y, stages=6)
    half, _, _ = fit(X, y, stages=3)
    more, _, _ = fit(X, y, stages=3, before=half)
    assert more.forest.n_trees == 6
    assert more.bins is half.bins
    np.testing.assert_allclose(more.forest.predict(X), whole.forest.predict(X), atol=1e-6)


def test_rows_set_aside_are_measured_only():
    X, y = data()
    model, solution, seen = fit(X, y, held_out=0.25)
    assert set(seen) == {(75, 75, (1, 75))}
    assert len(seen) == 6
    assert model.forest.n_rows[0] == 225
    assert solution.trace["watched"][-1] < solution.trace["watched"][0]


def test_rows_without_weight_are_absent():
    X, y = data()
    weight = np.repeat([1.0, 0.0], 150)
    with_weight, _, _ = fit(X, y, weight)
    without, _, _ = fit(X[:150], y[:150])
    np.testing.assert_allclose(with_weight.forest.predict(X), without.forest.predict(X), atol=1e-6)


def test_offset_takes_the_place_of_a_start():
    X, y = data()
    model, _, _ = fit(X, y, offset=X[:, :1].T.copy())
    assert model.start.tolist() == [0.0]
    total = X[:, 0] + model.forest.predict(X)[:, 0]
    assert np.mean((total - y) ** 2) < 0.011
