"""Normal vectors: recovery, gaps against brute force, long runs of EM."""

import warnings
from itertools import product

import numpy as np
import pytest

from margin.core import FitError
from margin.distributions import MultivariateNormal
from margin.sequence import GaussianHMM

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
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = GaussianHMM(3, random_state=0, tol=0.0, max_iter=10_000).fit(x)
    np.testing.assert_array_equal(model.covariances_, model.covariances_.transpose(0, 2, 1))
    assert np.linalg.eigvalsh(model.covariances_).min() > 0
    np.testing.assert_allclose(model.transition_.sum(axis=1), 1.0)
    assert np.isfinite(model.score(x))


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
