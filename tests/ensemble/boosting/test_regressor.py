import numpy as np
import pytest
from sklearn import ensemble
from sklearn.base import clone
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.linear_model import LinearRegression
from sklearn.metrics import mean_pinball_loss, r2_score

from margin import losses
from margin.ensemble import GradientBoostingRegressor
from margin.losses import Huber


def curve(n=1500, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-2, 2, (n, 4))
    mean = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2]
    return X, mean + 0.2 * rng.standard_normal(n), mean


def test_equals_scikit_learn_stage_by_stage():
    """Squared error, few values per column: the same trees as another library."""
    X, y, _ = curve(600)
    X = np.round(X, 1)
    settings = {"max_leaf_nodes": 8, "min_samples_leaf": 10, "l2_regularization": 1.5}
    theirs = HistGradientBoostingRegressor(max_iter=15, **settings).fit(X, y)
    ours = GradientBoostingRegressor(n_estimators=15, **settings).fit(X, y)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), atol=1e-5)


def test_learns_as_well_as_scikit_learn():
    X, y, _ = curve(3000)
    new, _, mean = curve(2000, seed=1)
    ours = r2_score(mean, GradientBoostingRegressor().fit(X, y).predict(new))
    other = HistGradientBoostingRegressor(early_stopping=False).fit(X, y)
    theirs = r2_score(mean, other.predict(new))
    assert ours > theirs - 0.01
    assert ours > 0.95


def test_one_stage_of_squares_is_a_tree_on_residuals():
    """tree.15: the slope of the squared error is the residual, against its sign."""
    X, y, _ = curve(400)
    model = GradientBoostingRegressor(n_estimators=1, learning_rate=1.0).fit(X, y)
    leaf = model.apply(X)[:, 0]
    for k in np.unique(leaf):
        assert model.predict(X)[leaf == k][0] == pytest.approx(y[leaf == k].mean(), abs=1e-6)


@pytest.mark.parametrize(
    ("loss", "link"),
    [
        ("absolute_error", None),
        ("huber", None),
        ("quantile", None),
        ("poisson", np.exp),
        ("gamma", np.exp),
        (losses.EpsilonInsensitive(0.1), None),
        (losses.Squared(), None),
    ],
)
def test_training_loss_falls_for_every_loss(loss, link):
    X, y, mean = curve(800)
    y = np.exp(0.5 * y) if link else y
    model = GradientBoostingRegressor(loss=loss, n_estimators=60, max_leaf_nodes=8).fit(X, y)
    # Newton's steps may rise a little for counts; line searches never do.
    slack = 1e-3 if link else 1e-9
    assert (np.diff(model.train_score_) < slack).all()
    assert model.train_score_[-1] < 0.6 * model.train_score_[0]
    if not isinstance(loss, str) or loss != "quantile":
        target = np.exp(0.5 * mean) if link else mean
        assert r2_score(target, model.predict(X)) > 0.7


def test_leaves_minimise_the_loss():
    """tree.15: beta minimises L(y, f + beta h), leaf by leaf."""
    X, y, _ = curve(500)
    y[:10] += 100.0
    for loss in (losses.Absolute(), losses.Huber(0.5), losses.Quantile(0.8)):
        model = GradientBoostingRegressor(loss=loss, n_estimators=3, learning_rate=1.0).fit(X, y)
        before = None
        for stage, after in enumerate(model.staged_predict(X)):
            if before is not None:
                leaf = model.apply(X)[:, stage]
                for k in np.unique(leaf):
                    own = leaf == k
                    best = loss.value(after[own], y[own]).sum()
                    for step in (-0.05, 0.05):
                        assert best <= loss.value(after[own] + step, y[own]).sum() + 1e-9
            before = after


def test_start_is_the_best_constant():
    X, y, _ = curve(201)
    for loss, constant in (("squared_error", y.mean()), ("absolute_error", np.median(y))):
        model = GradientBoostingRegressor(loss=loss, n_estimators=1).fit(X, y)
        assert model.baseline_[0] == pytest.approx(constant)
    positive = np.exp(y)
    for loss in ("poisson", "gamma"):
        model = GradientBoostingRegressor(loss=loss, n_estimators=1).fit(X, positive)
        assert model.baseline_[0] == pytest.approx(np.log(positive.mean()))


def test_quantiles_side_by_side_are_a_distribution():
    rng = np.random.default_rng(0)
    X = rng.uniform(0, 1, (4000, 1))
    y = X[:, 0] + (0.2 + X[:, 0]) * rng.standard_normal(4000)
    levels = (0.1, 0.5, 0.9)
    model = GradientBoostingRegressor(
        loss="quantile", quantile=levels, n_estimators=60, max_leaf_nodes=6, min_samples_leaf=100
    ).fit(X, y)
    dist = model.predict_dist(X)
    for level in levels:
        assert np.mean(y <= dist.quantile(level)) == pytest.approx(level, abs=0.03)
    np.testing.assert_array_equal(model.predict(X), dist.quantile(0.5))
    width = dist.quantile(0.9) - dist.quantile(0.1)
    assert width[X[:, 0] > 0.9].mean() > 2 * width[X[:, 0] < 0.1].mean()
    single = GradientBoostingRegressor(loss="quantile", quantile=0.9).fit(X, y)
    assert not hasattr(single, "predict_dist")
    flat = mean_pinball_loss(y, np.full(len(y), np.quantile(y, 0.9)), alpha=0.9)
    assert mean_pinball_loss(y, single.predict(X), alpha=0.9) < flat


def test_stages():
    X, y, _ = curve(400)
    model = GradientBoostingRegressor(n_estimators=7).fit(X, y)
    stages = list(model.staged_predict(X))
    assert len(stages) == model.n_iter_ == model.n_estimators_ == 7
    np.testing.assert_array_equal(stages[-1], model.predict(X))
    errors = [np.mean((stage - y) ** 2) for stage in stages]
    np.testing.assert_allclose(model.train_score_, errors, rtol=1e-9)
    assert model.fit_report_.n_iter == 7


def test_warm_start_goes_on():
    X, y, _ = curve(400)
    whole = GradientBoostingRegressor(n_estimators=12).fit(X, y)
    model = GradientBoostingRegressor(n_estimators=5, warm_start=True).fit(X, y)
    model.set_params(n_estimators=12).fit(X, y)
    np.testing.assert_allclose(model.predict(X), whole.predict(X), atol=1e-6)
    assert len(model.train_score_) == model.n_iter_ == 12
    with pytest.raises(ValueError, match="n_estimators must be at least 12"):
        model.set_params(n_estimators=3).fit(X, y)


@pytest.mark.parametrize("scoring", ["loss", None, "neg_mean_absolute_error"])
@pytest.mark.parametrize("fraction", [0.2, None])
def test_early_stopping(scoring, fraction):
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((400, 3)), rng.standard_normal(400)
    model = GradientBoostingRegressor(
        n_estimators=500,
        early_stopping=True,
        scoring=scoring,
        validation_fraction=fraction,
        tol=1e-3 if fraction else 0.05,
        random_state=0,
    ).fit(X, y)
    assert model.n_iter_ < 500
    assert model.fit_report_.status.ok
    if fraction is not None:
        assert len(model.validation_score_) == model.n_iter_
        loss = model.validation_score_ if scoring == "loss" else -model.validation_score_
        assert loss[-10:].min() >= loss[:-10].min(initial=np.inf) - 1e-3 or model.n_iter_ <= 11


def test_samples_of_rows_and_columns():
    X, y, mean = curve(2000)
    for settings in (
        {"subsample": 0.5},
        {"sampling": "goss"},
        {"max_features": 0.5},
        {"subsample": 0.3, "max_features": "sqrt"},
    ):
        model = GradientBoostingRegressor(random_state=0, **settings)
        assert r2_score(mean, model.fit(X, y).predict(X)) > 0.9
        again = clone(model).fit(X, y)
        np.testing.assert_array_equal(again.predict(X), model.predict(X))
        other = clone(model).set_params(random_state=1).fit(X, y)
        assert not np.array_equal(other.predict(X), model.predict(X))
        # Scores of rows that were not drawn are those of the trees.
        squares = np.mean((model.predict(X) - y) ** 2)
        share = model.subsample
        drawn, rest = model.train_score_[-1], getattr(model, "oob_score_", 0.0)
        assert share * drawn + (1 - share) * rest == pytest.approx(squares)


def test_threads_change_nothing():
    X, y, _ = curve(3000)
    one, two = (GradientBoostingRegressor(n_jobs=n).fit(X, y).predict(X) for n in (1, 2))
    np.testing.assert_array_equal(one, two)


def test_monotone_and_interactions():
    X, y, _ = curve(2000)
    model = GradientBoostingRegressor(monotonic_cst=[1, 0, 0, -1]).fit(X, y)
    line = np.zeros((50, 4))
    for j, sign in ((0, 1), (3, -1)):
        line[:] = 0.3
        line[:, j] = np.linspace(-2, 2, 50)
        assert (sign * np.diff(model.predict(line)) >= -1e-12).all()
    # Without interactions the model is a sum of functions of one column.
    model = GradientBoostingRegressor(interaction_cst="no_interactions").fit(X, y)
    a, b = np.zeros((1, 4)), np.full((1, 4), 1.0)
    mixed = np.array([[1.0, 0, 0, 0], [0, 1.0, 1.0, 1.0]])
    total = model.predict(mixed).sum()
    assert total == pytest.approx(model.predict(a)[0] + model.predict(b)[0])


def test_init():
    X, y, _ = curve(600)
    y = y + 5 * X[:, 0]
    model = GradientBoostingRegressor(init=LinearRegression(), n_estimators=5).fit(X, y)
    assert r2_score(y, model.predict(X)) > r2_score(y, LinearRegression().fit(X, y).predict(X))
    zero = GradientBoostingRegressor(init="zero", n_estimators=1, learning_rate=1.0).fit(X, y)
    assert zero.baseline_[0] == 0.0


def test_missing_values():
    X, y, mean = curve(3000)
    X[X[:, 0] > 1.0, 0] = np.nan  # absence says something
    model = GradientBoostingRegressor().fit(X, y)
    assert r2_score(mean, model.predict(X)) > 0.9
    assert np.isfinite(model.predict(np.full((2, 4), np.nan))).all()


def test_importance():
    X, y, _ = curve(2000)
    share = GradientBoostingRegressor().fit(X, y).feature_importances_
    assert share.sum() == pytest.approx(1.0)
    assert share[3] < 0.1 * share[:3].min()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"loss": "hinge"}, "loss must be one of"),
        ({"loss": losses.Hinge()}, "loss must be of a residual"),
        ({"quantile": 1.0, "loss": "quantile"}, "quantile must be strictly between"),
        ({"max_bins": 256}, "max_bins must be an integer from 2 to 255"),
        ({"max_leaf_nodes": 1}, "max_leaf_nodes must be None or an integer of at least 2"),
        ({"monotonic_cst": [1]}, "monotonic_cst must be"),
        ({"interaction_cst": [{9}]}, "interaction_cst must be"),
        ({"sampling": "some"}, "sampling must be one of"),
        ({"categorical_features": [7]}, "categorical_features must be"),
        ({"categorical_features": "all"}, "categorical_features must be"),
        ({"init": "one"}, "init must be"),
        ({"max_features": 0.0}, "max_features must be"),
    ],
)
def test_bad_parameters(settings, message):
    X, y, _ = curve(50)
    with pytest.raises(ValueError, match=f"GradientBoostingRegressor: {message}"):
        GradientBoostingRegressor(**settings).fit(X, y)


def test_bad_targets():
    X, y, _ = curve(50)
    with pytest.raises(ValueError, match="Poisson: y must be at least 0"):
        GradientBoostingRegressor(loss="poisson").fit(X, y)
    with pytest.raises(ValueError, match="Gamma: y must be above 0"):
        GradientBoostingRegressor(loss="gamma").fit(X, np.zeros(50))
    y[3] = np.inf
    with pytest.raises(ValueError, match="infinity"):
        GradientBoostingRegressor().fit(X, y)


def test_degenerate_tables():
    X, y, _ = curve(100)
    X[:, 0], X[:, 1] = 7.0, np.nan
    assert np.isfinite(GradientBoostingRegressor(min_samples_leaf=5).fit(X, y).predict(X)).all()
    one = GradientBoostingRegressor().fit(X[:1], y[:1])
    np.testing.assert_allclose(one.predict(X[:3]), y[0])
    weight = np.zeros(100)
    weight[:50] = 1.0
    some = GradientBoostingRegressor(min_samples_leaf=5)
    kept = clone(some).fit(X[:50], y[:50]).predict(X)
    np.testing.assert_allclose(some.fit(X, y, sample_weight=weight).predict(X), kept, atol=1e-6)


@pytest.mark.parametrize("ccp_alpha", [0.0, 0.01])
@pytest.mark.parametrize("loss", ["absolute_error", "huber", "quantile"])
def test_directions_hold_where_leaves_are_searched_for(loss, ccp_alpha):
    rng = np.random.default_rng(0)
    X = rng.uniform(-2, 2, (500, 3))
    y = X[:, 0] + np.sin(5 * X[:, 0]) - X[:, 1] ** 2 * X[:, 2] + rng.standard_t(2, 500)
    model = GradientBoostingRegressor(
        loss=loss, monotonic_cst=[1, 0, -1], n_estimators=40, ccp_alpha=ccp_alpha
    ).fit(X, y)
    for j, sign in ((0, 1), (2, -1)):
        for row in X[:10]:
            line = np.tile(row, (80, 1))
            line[:, j] = np.linspace(-2, 2, 80)
            assert (sign * np.diff(model.predict(line)) >= -1e-12).all()


def test_the_limit_of_hubers_loss_follows_the_residuals():
    y = np.arange(10.0)
    X = np.column_stack([np.minimum(y, 5.0), np.minimum(-y, -5.0)])
    model = GradientBoostingRegressor(loss="huber", alpha=0.8).fit(X, y)
    np.testing.assert_allclose(model.predict(X), y, atol=0.01)
    assert (model.train_score_[-10:] < 3e-7).all()
    X, y, mean = curve(800)
    y[::20] += 50.0  # outliers
    settings = {"max_depth": 3, "max_leaf_nodes": None, "min_samples_leaf": 1}
    theirs = ensemble.GradientBoostingRegressor(loss="huber", alpha=0.8, random_state=0).fit(X, y)
    ours = GradientBoostingRegressor(loss="huber", alpha=0.8, **settings).fit(X, y)
    assert r2_score(mean, ours.predict(X)) > r2_score(mean, theirs.predict(X)) - 0.02


@pytest.mark.parametrize("criterion", ["newton", "squared_error"])
@pytest.mark.parametrize("loss", ["squared_error", "quantile", "huber", "gamma"])
def test_one_side_sampling_counts_what_rows_stand_for(loss, criterion):
    """No weights are weights of one; and a tenth of the rows stands for all the others."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 3))
    y = np.exp(0.3 * X[:, 0]) + rng.gamma(1.0, 1.0, size=2000)
    settings = {"loss": loss, "sampling": "goss", "criterion": criterion, "random_state": 0}
    plain = GradientBoostingRegressor(**settings).fit(X, y)
    ones = GradientBoostingRegressor(**settings).fit(X, y, np.ones(2000))
    np.testing.assert_allclose(plain.predict(X), ones.predict(X), rtol=1e-6)
    covers = plain.forest_.cover[plain.forest_.offsets[:-1]]
    np.testing.assert_allclose(covers, 2000.0)
    if loss in ("squared_error", "gamma"):  # whose answers are means
        assert plain.predict(X).mean() == pytest.approx(y.mean(), rel=0.02)


def test_one_side_sampling_keeps_the_level_of_quantiles():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(6000, 3))
    y = X[:, 0] + rng.normal(size=6000)
    covered = {}
    for sampling in ("uniform", "goss"):
        model = GradientBoostingRegressor(
            loss="quantile", alpha=0.9, sampling=sampling, random_state=0
        ).fit(X[:4000], y[:4000])
        covered[sampling] = (y[4000:] <= model.predict(X[4000:])).mean()
    assert covered["goss"] == pytest.approx(covered["uniform"], abs=0.02)
    assert 0.84 < covered["goss"] < 0.92


@pytest.mark.parametrize("loss", ["squared_error", "poisson"])
def test_a_heavy_row_does_not_stop_growth(loss):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1000, 3))
    y = np.exp(X[:, 0])
    weight = np.ones(1000)
    weight[0] = 1e5
    model = GradientBoostingRegressor(loss=loss, n_estimators=50).fit(X, y, weight)
    assert (model.forest_.n_leaves[:5] > 5).all()
    leaf = model.forest_.is_leaf
    assert model.forest_.n_rows[leaf].min() >= 20
    assert r2_score(y[1:], model.predict(X[1:])) > 0.8


@pytest.mark.parametrize("scale", [1e-15, 1.0, 1e18])
def test_huber_at_any_scale(scale):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 2))
    y = scale * (X[:, 0] + 0.1 * rng.normal(size=500))
    for loss in (Huber(0.5 * scale), "huber"):
        model = GradientBoostingRegressor(loss=loss).fit(X, y)
        assert r2_score(y / scale, model.predict(X) / scale) > 0.9


def test_targets_beyond_single_precision():
    X = np.arange(40.0).reshape(-1, 1)
    with pytest.raises(ValueError, match="GradientBoostingRegressor: y must be at most 1e"):
        GradientBoostingRegressor().fit(X, 1e40 * X[:, 0])
