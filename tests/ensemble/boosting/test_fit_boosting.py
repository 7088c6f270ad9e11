import numpy as np
from scipy.sparse import csr_array

from margin.ensemble.boosting._boost_settings import BoostSettings
from margin.ensemble.boosting._fit_boosting import Sample, divided, fit_boosting
from margin.ensemble.boosting._objective import SquaredObjective
from margin.search import GrowthRules


def fit(X, y, weight=None, *, stages=5, held_out=0.0, before=None, offset=None, after=None):
    seen = []

    def measure(rows, labels, own, raw):
        seen.append((rows.shape[0], len(labels), raw.shape))
        return float(np.mean((raw[0] - labels) ** 2))

    sample, aside = Sample(X, y, weight, offset), None
    if held_out:
        train, rest = divided(len(y), None, held_out, np.random.default_rng(0))
        sample, aside = sample.part(train), sample.part(rest)
    model, solution = fit_boosting(
        sample,
        aside,
        make=SquaredObjective,
        measure=measure,
        settings=BoostSettings(stages, 0.2, GrowthRules(max_leaf_nodes=5)),
        categorical=None,
        max_bins=255,
        before=before,
        rng=np.random.default_rng(0),
        n_threads=1,
        callback=None,
        after=after,
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


def test_sparse_tables():
    X, y = data()
    X = np.where(np.abs(X) < 1.0, 0.0, X)
    dense, _, _ = fit(X, y, held_out=0.25)
    sparse, _, _ = fit(csr_array(X), y, held_out=0.25)
    np.testing.assert_array_equal(sparse.forest.predict(X), dense.forest.predict(X))


def test_classes_in_equal_shares():
    labels = np.repeat([0.0, 1.0], [90, 10])
    train, aside = divided(100, labels, 0.2, np.random.default_rng(0))
    assert labels[train].sum() == 8
    assert np.array_equal(np.sort(np.append(train, aside)), np.arange(100))


def test_the_model_so_far():
    X, y = data()
    seen = []

    def after(stage, model):
        scores = model().start + model().forest.predict(X)
        np.testing.assert_allclose(scores[:, 0], stage.raw[0])
        seen.append(stage.number)
        return stage.number == 3

    _, solution, _ = fit(X, y, stages=9, after=after)
    assert seen == [1, 2, 3]
    assert solution.n_iter == 3
    assert solution.status.ok


def test_offset_takes_the_place_of_a_start():
    X, y = data()
    model, _, _ = fit(X, y, offset=X[:, :1].T.copy())
    assert model.start.tolist() == [0.0]
    total = X[:, 0] + model.forest.predict(X)[:, 0]
    assert np.mean((total - y) ** 2) < 0.011
