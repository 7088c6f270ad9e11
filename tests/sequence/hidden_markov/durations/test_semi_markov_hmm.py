import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score

from margin.distributions import Poisson
from margin.sequence import GaussianHMM, SemiMarkovHMM

LEVEL = np.tile(np.repeat([0.0, 3.0], [5, 8]), 15)
X = LEVEL + np.random.default_rng(0).normal(size=len(LEVEL))


def test_learns_durations_that_are_not_geometric():
    """sequence.23: explicit durations explain regular stays better than a plain chain."""
    model = SemiMarkovHMM(2, 12, random_state=0).fit(X)
    assert sorted((model.duration_.argmax(axis=1) + 1).tolist()) == [5, 8]
    assert model.score(X) > GaussianHMM(2, random_state=0).fit(X).score(X) + 0.05
    states = model.predict(X)
    assert max((states == (LEVEL > 0)).mean(), (states != (LEVEL > 0)).mean()) > 0.95
    np.testing.assert_allclose(model.posterior(X).sum(axis=1), 1.0)
    assert (np.diag(model.transition_) == 0).all()


def test_samples_have_the_durations():
    model = SemiMarkovHMM(2, 12, random_state=0).fit(X)
    _, states = model.sample(3, 400, random_state=1)
    runs = np.diff(np.flatnonzero(np.diff(states[0]) != 0))
    assert np.isin(runs, [4, 5, 6, 7, 8, 9]).mean() > 0.9


@pytest.mark.parametrize("emission", ["categorical", Poisson])
def test_other_emissions(emission):
    counts = np.random.default_rng(1).poisson(np.where(LEVEL > 0, 6.0, 1.0)).clip(0, 9)
    model = SemiMarkovHMM(2, 12, emission=emission, random_state=0).fit([counts, counts[:50]])
    assert np.isfinite(model.log_prob([counts, counts[:3]])).all()


def test_refusals():
    with pytest.raises(ValueError, match="max_duration must be at least 195"):
        SemiMarkovHMM(1, 12).fit(X)
    with pytest.raises(ValueError, match="SemiMarkovHMM: emission must be"):
        SemiMarkovHMM(emission="poison").fit(X)
    with pytest.raises(ValueError, match="SemiMarkovHMM: max_duration must be"):
        SemiMarkovHMM(2, 0).fit(X)
    model = SemiMarkovHMM(2, 3, emission="categorical", random_state=0).fit([[0, 1, 0, 1]])
    assert model.log_prob([[5]])[0] == -np.inf
    with pytest.raises(ValueError, match="possible under the model"):
        model.predict([[5]])


def test_filter_query_and_forecast_agree_with_the_posterior():
    """sequence.23: what is known so far is the end of the posterior of what was seen so far."""
    model = SemiMarkovHMM(3, 5, random_state=0, max_iter=20, tol=1e-3).fit(X[:60])
    filtered = model.filter(X[:30])
    for t in (0, 4, 17, 29):
        np.testing.assert_allclose(filtered[t], model.posterior(X[: t + 1])[-1], atol=1e-10)
    ahead = model.query(X[:30], [3, 29, 30, 33])[0]
    hidden = model.posterior(np.r_[X[:30], [np.nan] * 4])
    np.testing.assert_allclose(ahead, hidden[[3, 29, 30, 33]], atol=1e-10)
    laws = model.forecast(4, X[:30])
    np.testing.assert_allclose(laws.mean, hidden[30:] @ model.emission_.mean[:, 0], atol=1e-9)
    both = model.forecast(2, [X[:30], X[:7]])
    np.testing.assert_allclose(both[0].mean, laws.mean[:2])
    np.testing.assert_allclose(model.forecast(3).mean, model.forecast(3, X[:60]).mean)
    with pytest.raises(ValueError, match="SemiMarkovHMM: h must be"):
        model.forecast(0)
    with pytest.raises(ValueError, match="times must be integers"):
        model.query(X, [-1])


def test_a_forecast_knows_how_long_a_state_has_lasted():
    """sequence.14, sequence.23: regular stays end on time, which no plain chain can say."""
    model = SemiMarkovHMM(2, 12, random_state=0).fit(X)
    low = int(model.emission_.mean[:, 0].argmin())
    path = np.array([law.mean for law in model.forecast(13, X).laws])
    assert (path[:4] < 0.7).all()  # the next segment is a low one of five steps
    assert (path[6:12] > 2.3).all()
    assert model.query(X, [len(X)])[0, 0, low] > 0.9


def test_partial_labels_and_structure():
    """sequence.15, sequence.23: known states name them, and zeros stay."""
    few = np.full(len(X), -1)
    few[[2, 7]] = 1, 0
    named = SemiMarkovHMM(2, 12, random_state=0).fit([X], [few])
    assert named.emission_.mean[1, 0] < named.emission_.mean[0, 0]
    durations = np.zeros((3, 12))
    durations[:, 2:9] = 1 / 7
    ring = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
    model = SemiMarkovHMM(
        3, 12, start_init=[1.0, 0.0, 0.0], transition_init=ring, duration_init=durations,
        random_state=0,
    ).fit(X)  # fmt: skip
    assert model.start_.tolist() == [1.0, 0.0, 0.0]
    np.testing.assert_array_equal(model.transition_, ring)
    assert (model.duration_[durations == 0] == 0).all()
    assert model.n_parameters_ == 3 * 6 + 3 * 2
    assert np.diff(model.fit_report_.trace["objective"]).max() <= 1e-7
    with pytest.raises(ValueError, match="transition_init must be zero on its diagonal"):
        SemiMarkovHMM(2, 12, transition_init=[[0.5, 0.5], [0.5, 0.5]]).fit(X)
    with pytest.raises(ValueError, match="duration_init must be probabilities of shape"):
        SemiMarkovHMM(2, 12, duration_init=np.ones((2, 3))).fit(X)


def test_weights_repeat_and_zero_removes():
    parts = [X[:65], X[65:91], np.full(6, 1e5), X[91:]]
    model = SemiMarkovHMM(2, 12, random_state=0, tol=1e-10)
    heavy = clone(model).fit(parts, sample_weight=[2.0, 1.0, 0.0, 1.0])
    long = clone(model).fit([parts[0], parts[0], parts[1], parts[3]])
    assert heavy.fit_report_.objective == pytest.approx(long.fit_report_.objective, rel=1e-7)
    order = [np.argsort(m.emission_.mean[:, 0]) for m in (heavy, long)]
    np.testing.assert_allclose(heavy.duration_[order[0]], long.duration_[order[1]], atol=1e-3)


def test_a_lost_state_is_told_and_gaps_everywhere_are_refused():
    far = np.r_[X[:39], 1e6, X[39:78]]
    labels = np.where(np.arange(79) == 39, -1, (far > 1.5).astype(int))
    model = SemiMarkovHMM(
        3, 12, start_init=[0.5, 0.5, 0.0], random_state=0,
        transition_init=[[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.5, 0.5, 0.0]],
    )  # fmt: skip
    fitted = model.fit([np.delete(far, 39)], [np.delete(labels, 39)])
    assert any("state 2 had lost all its mass" in told for told in fitted.fit_report_.repairs)
    assert fitted.start_[2] == 0.0
    with pytest.raises(ValueError, match="SemiMarkovHMM: X must be observed somewhere"):
        SemiMarkovHMM(2, 5).fit([np.full(4, np.nan)])


def test_cross_validation():
    """Sequences are samples."""
    parts = np.array_split(X, 6)
    scores = cross_val_score(SemiMarkovHMM(2, 12, random_state=0), parts, cv=3)
    assert np.isfinite(scores).all()
    grid = {"n_states": [1, 2], "max_duration": [40]}
    search = GridSearchCV(SemiMarkovHMM(random_state=0), grid, cv=3).fit(parts)
    assert search.best_params_["n_states"] == 2
    best = search.best_estimator_
    assert best.bic(parts) > best.aic(parts) > -2 * best.log_prob(parts).sum()
