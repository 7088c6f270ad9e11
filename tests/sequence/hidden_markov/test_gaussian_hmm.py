"""Normal vectors: recovery, gaps against brute force, long runs of EM."""

from itertools import product

import numpy as np
import pytest

from margin.core import FitError
from margin.distributions import MultivariateNormal
from margin.sequence import GaussianHMM
from margin.sequence.hidden_markov._learning import Learning, learn
from margin.sequence.hidden_markov._starts import Given, starts
from margin.sequence.hidden_markov.emissions._normal_emission import NormalEmission

RNG = np.random.default_rng(0)
KINDS = ["full", "tied", "diag", "spherical"]


def walk(n=200, d=2, seed=0):
    rng = np.random.default_rng(seed)
    state = np.repeat(rng.integers(0, 2, n // 10), 10)
    return np.where(state[:, None] == 1, 4.0, 0.0) + rng.normal(size=(n, d)), state


@pytest.mark.parametrize("kind", KINDS)
def test_recovers_a_planted_model(kind):
    """sequence.16, sequence.21: Baum–Welch finds the means up to the order of the states."""
    parts = [walk(seed=s) for s in range(4)]
    model = GaussianHMM(2, kind, random_state=0).fit([x for x, _ in parts])
    np.testing.assert_allclose(np.sort(model.means_[:, 0]), [0, 4], atol=0.2)
    order = np.argsort(model.means_[:, 0])
    found = np.concatenate(list(model.predict([x for x, _ in parts])))
    assert (order[np.concatenate([s for _, s in parts])] == found).mean() > 0.97
    assert np.diff(model.fit_report_.trace["objective"]).max() <= 1e-7
    assert model.covariances_.shape == (2, 2, 2)


@pytest.mark.parametrize("kind", KINDS)
def test_gaps_over_all_paths(kind):
    """Unobserved entries are marginalised exactly: the likelihood is that of what was seen."""
    x, _ = walk(60)
    model = GaussianHMM(2, kind, random_state=0).fit(x)
    short = x[:5].copy()
    short[1, 0], short[3] = np.nan, np.nan
    total = 0.0
    laws = model.emission_
    for path in product(range(2), repeat=5):
        p = model.start_[path[0]]
        for t, k in enumerate(path):
            p *= model.transition_[path[t - 1], k] if t else 1.0
            seen = np.flatnonzero(~np.isnan(short[t]))
            law = (
                MultivariateNormal(laws.mean[k][seen], model.covariances_[k][np.ix_(seen, seen)])
                if len(seen)
                else None
            )
            p *= np.exp(law.log_prob(short[t, seen])) if law is not None else 1.0
        total += p
    assert model.log_prob(short)[0] == pytest.approx(np.log(total))


@pytest.mark.parametrize("kind", KINDS)
def test_learning_with_gaps_never_falls(kind):
    x, _ = walk(150)
    x[RNG.random(x.shape) < 0.3] = np.nan
    x[20:25] = np.nan
    model = GaussianHMM(2, kind, random_state=0, tol=1e-8).fit(x)
    assert np.diff(model.fit_report_.trace["objective"]).max() <= 1e-7
    np.testing.assert_allclose(np.sort(model.means_[:, 0]), [0, 4], atol=0.6)


def test_ten_thousand_iterations_stay_positive_definite():
    """Every covariance stays symmetric and positive definite, for a model with a state too many."""
    x, _ = walk(30)
    emission = NormalEmission().checked("HMM", x)
    task = Learning(emission, x, np.array([0, 12, 30]), None, None, np.arange(3))
    begin = starts(task, "kmeans", 3, 1, Given(), np.random.default_rng(0))
    solution = learn("HMM", task, begin, tol=None, max_iter=10_000)
    assert solution.n_iter == 10_000
    covariance = solution.x.laws.covariance
    np.testing.assert_array_equal(covariance, covariance.transpose(0, 2, 1))
    assert np.linalg.eigvalsh(covariance).min() > 0
    np.testing.assert_allclose(solution.x.transition.sum(axis=1), 1.0)
    assert np.isfinite(solution.objective)


@pytest.mark.parametrize("scale", [1e-8, 1.0, 1e8])
def test_any_scale_and_any_offset(scale):
    x, _ = walk(100)
    model = GaussianHMM(2, random_state=0).fit(x * scale + 10 * scale)
    other = GaussianHMM(2, random_state=0).fit(x)
    np.testing.assert_allclose(model.means_ / scale - 10, other.means_, atol=1e-4)


def test_singular_data():
    """A constant column, equal rows, fewer rows than dimensions: an answer, or a clear error."""
    line = np.column_stack([RNG.normal(size=40), np.ones(40)])
    assert np.isfinite(GaussianHMM(2, random_state=0).fit(line).score(line))
    same = np.ones((10, 3))
    assert np.isfinite(GaussianHMM(2, random_state=0).fit(same).score(same))
    few = RNG.normal(size=(2, 5))
    assert np.isfinite(GaussianHMM(3, random_state=0).fit(few).score(few))
    with pytest.raises(FitError, match="raise min_covar"):
        GaussianHMM(2, min_covar=0.0, random_state=0).fit(same)


def test_given_starts_decide_the_order():
    x, _ = walk(100)
    model = GaussianHMM(2, means_init=[[4.0, 4.0], [0.0, 0.0]], random_state=0).fit(x)
    assert model.means_[0, 0] > model.means_[1, 0]
    with pytest.raises(ValueError, match="means_init must be finite"):
        GaussianHMM(2, means_init=[[1.0], [2.0]]).fit(x)
    with pytest.raises(ValueError, match="covariances_init must be"):
        GaussianHMM(2, means_init=np.zeros((2, 2)), covariances_init=np.eye(2)).fit(x)


def test_one_step_and_one_state():
    model = GaussianHMM(1).fit([[1.0, 2.0, 6.0]])
    np.testing.assert_allclose(model.means_, [[3.0]])
    assert np.isfinite(GaussianHMM(2, random_state=0).fit([[1.0]]).score([[1.0]]))


@pytest.mark.parametrize("bad", [{"covariance_type": "round"}, {"min_covar": -1.0}])
def test_refusals(bad):
    with pytest.raises(ValueError, match=f"GaussianHMM: {next(iter(bad))} must be"):
        GaussianHMM(**bad).fit([[1.0, 2.0]])


def test_many_columns_take_the_general_way():
    x = RNG.normal(size=(120, 70)) + np.repeat([0.0, 3.0], 60)[:, None]
    model = GaussianHMM(2, "diag", random_state=0).fit(x)
    np.testing.assert_allclose(np.sort(model.means_.mean(axis=1)), [0, 3], atol=0.2)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"covariances_init": np.eye(2)[None].repeat(2, 0)}, "covariances_init must be given with"),
        (
            {"means_init": np.zeros((2, 2)), "covariances_init": [[[1, 0.5], [0, 1]]] * 2},
            "covariances_init must be symmetric",
        ),
        (
            {"means_init": np.zeros((2, 2)), "covariances_init": [[[1, 2], [2, 1]]] * 2},
            "covariances_init must be positive definite, got an eigenvalue of -1",
        ),
        ({"means_init": np.zeros((1, 4))}, r"means_init must be finite, of shape \(2, 2\)"),
    ],
)
def test_starts_that_are_none(settings, message):
    with pytest.raises(ValueError, match=f"GaussianHMM: {message}"):
        GaussianHMM(2, **settings).fit(walk(20)[0])


def test_a_forecast_has_intervals():
    """sequence.14: laws of every step after the training data."""
    x = walk(200, d=1)[0]
    model = GaussianHMM(2, random_state=0).fit(x)
    ahead = model.forecast(6)
    low, high = ahead.interval(0.8)
    assert low.shape == high.shape == ahead.mean.shape == (6,)
    np.testing.assert_allclose(ahead.cdf(high) - ahead.cdf(low), 0.8, atol=1e-6)
    weights = np.array([model.query(x, [199 + h])[0, 0] for h in range(1, 7)])
    np.testing.assert_allclose(ahead.mean, weights @ model.means_[:, 0])
    assert model.forecast(2, walk(20)[0][:, :1]).mean.shape == (2,)
