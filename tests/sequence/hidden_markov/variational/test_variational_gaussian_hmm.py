import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from margin.distributions import Moments, NormalInverseWishart
from margin.sequence import GaussianHMM, VariationalGaussianHMM

RNG = np.random.default_rng(0)


def walks(n=4, d=2, length=120, seed=0):
    rng = np.random.default_rng(seed)
    states = [np.repeat(rng.integers(0, 2, length // 20), 20) for _ in range(n)]
    return [6.0 * s[:, None] + rng.normal(size=(length, d)) for s in states], states


@pytest.mark.parametrize("d", [1, 3])
@pytest.mark.parametrize("kind", ["full", "diag"])
def test_one_state_is_the_exact_evidence(kind, d):
    """sequence.16: with one state nothing is hidden, and the bound is the evidence."""
    X, _ = walks(d=d)
    mean, spread = np.full(d, 0.5), np.diag(np.arange(1.0, d + 1))
    model = VariationalGaussianHMM(
        1, kind, mean_prior=mean, mean_strength=2.0, covariance_prior=spread, df_prior=d + 4.0
    ).fit(X)
    rows = np.concatenate(X)
    if kind == "full":
        prior = NormalInverseWishart(mean, 2.0, 3.0 * spread, d + 4.0)
        exact = prior.log_evidence(Moments.of(rows))
    else:
        # A variance is the covariance of a vector of one.
        exact = sum(
            NormalInverseWishart([0.5], 2.0, [[(d + 2.0) * spread[j, j]]], d + 4.0).log_evidence(
                Moments.of(rows[:, [j]])
            )
            for j in range(d)
        )
    assert model.lower_bound_ == pytest.approx(float(exact), rel=1e-12)


@pytest.mark.parametrize("kind", ["full", "diag"])
@pytest.mark.parametrize("gaps", [False, True])
def test_the_bound_never_falls(kind, gaps):
    """sequence.16: asserted on the smallest step; rows with gaps are completed."""
    X, _ = walks()
    if gaps:
        X = [np.where(RNG.random(x.shape) < 0.2, np.nan, x) for x in X]
    model = VariationalGaussianHMM(3, kind, tol=1e-10, n_init=1, random_state=0).fit(X)
    assert np.diff(model.fit_report_.trace["objective"]).max() <= 1e-7


def test_states_that_are_not_needed_die():
    X, states = walks()
    model = VariationalGaussianHMM(6, random_state=0).fit(X)
    used = np.flatnonzero(model.visits_ > 1.0)
    assert len(used) == 2
    found = np.concatenate(list(model.predict(X)))
    truth = np.concatenate(states)
    assert set(found) == set(used)
    assert max(np.mean(found == used[truth]), np.mean(found == used[1 - truth])) > 0.99
    more = VariationalGaussianHMM(1, random_state=0).fit(X)
    assert model.lower_bound_ > more.lower_bound_


def test_much_data_is_maximum_likelihood():
    X, _ = walks(20)
    plain = GaussianHMM(2, random_state=0).fit(X)
    model = VariationalGaussianHMM(2, random_state=0).fit(X)
    order = [np.argsort(m.means_[:, 0]) for m in (plain, model)]
    np.testing.assert_allclose(model.means_[order[1]], plain.means_[order[0]], atol=0.01)
    np.testing.assert_allclose(model.covariances_[order[1]], plain.covariances_[order[0]], atol=0.1)
    assert model.forecast(3).mean.shape == (3, 2)
    assert model.sample(1, 5, random_state=0)[0][0].shape == (5, 2)


def test_weights_repeat_and_labels_name():
    """sequence.15: sequences of weight zero are none, and known states are kept."""
    X, states = walks()
    model = VariationalGaussianHMM(2, tol=1e-12, random_state=0)
    heavy = clone(model).fit(X, sample_weight=[2, 1, 0, 1])
    long = clone(model).fit([X[0], X[0], X[1], X[3]])
    assert heavy.lower_bound_ == pytest.approx(long.lower_bound_, rel=1e-9)
    few = [np.full(len(s), -1) for s in states]
    few[0][:] = 1 - states[0]
    named = clone(model).fit(X, few)
    assert named.means_[0, 0] > named.means_[1, 0]


def test_a_grid_over_the_number_of_states():
    X, _ = walks(6)
    grid = {"n_states": [1, 2]}
    search = GridSearchCV(VariationalGaussianHMM(random_state=0), grid, cv=3).fit(X)
    assert search.best_params_ == {"n_states": 2}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"mean_prior": [1.0]}, r"mean_prior must be finite, of shape \(2,\)"),
        ({"covariance_prior": -np.eye(2)}, "covariance_prior must be positive definite"),
        ({"df_prior": 3.0}, "df_prior must be a number above 3"),
        ({"mean_strength": 0.0}, "mean_strength must be a number above 0"),
        ({"transition_prior": 0.0}, "transition_prior must be a number above 0"),
        ({"covariance_type": "tied"}, "covariance_type must be one of"),
        ({"init": "mixture"}, "init must be one of"),
    ],
)
def test_refusals(settings, message):
    with pytest.raises(ValueError, match=f"VariationalGaussianHMM: {message}"):
        VariationalGaussianHMM(2, **settings).fit(walks()[0])
