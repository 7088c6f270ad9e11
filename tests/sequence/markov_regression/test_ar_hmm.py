"""Autoregressive emissions: sums over all paths, special cases, gaps, forecasts."""

from itertools import pairwise, product

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV, KFold

from margin.inference import long_run
from margin.sequence import ARHMM, AutoRegression, GaussianHMM, SwitchingAutoRegression

EVERYTHING = ("start", "transition", "emission")
START, TRANSITION = np.array([0.7, 0.3]), np.array([[0.9, 0.1], [0.2, 0.8]])
RNG = np.random.default_rng(0)
COEF = 0.4 * RNG.normal(size=(2, 2, 2, 2))
LEVEL = RNG.normal(size=(2, 2))
NOISE = np.array([np.eye(2), [[0.5, 0.2], [0.2, 0.4]]])


def known(**options):
    """Two states, two columns, two lags; nothing is learned."""
    settings = {
        "start_init": START,
        "transition_init": TRANSITION,
        "coef_init": COEF,
        "intercept_init": LEVEL,
        "covariances_init": NOISE,
        "fixed": EVERYTHING,
        "random_state": 0,
    }
    rows = np.random.default_rng(1).normal(size=(30, 2))
    return ARHMM(2, 2, **settings | options).fit([rows])


def by_paths(x):
    """Probability of the rows after the first two under every path."""
    joint = {}
    for path in product(range(2), repeat=len(x)):
        p = START[path[0]] * np.prod([TRANSITION[i, j] for i, j in pairwise(path)])
        for t, k in enumerate(path):
            window = x[max(t - 2, 0) : t + 1]
            if t >= 2 and np.isfinite(window).all():
                mean = LEVEL[k] + COEF[k, 0] @ x[t - 1] + COEF[k, 1] @ x[t - 2]
                p *= multivariate_normal(mean, NOISE[k]).pdf(x[t])
        joint[path] = p
    return joint


@pytest.mark.parametrize("gap", [None, 0, 3, 4])
def test_sums_over_all_paths(gap):
    x = np.random.default_rng(2).normal(size=(6, 2))
    if gap is not None:
        x[gap, 1] = np.nan
    model, joint = known(), by_paths(x)
    total = sum(joint.values())
    assert model.log_prob(x)[0] == pytest.approx(np.log(total), rel=1e-10)
    posterior = np.zeros((6, 2))
    for path, p in joint.items():
        posterior[np.arange(6), path] += p / total
    np.testing.assert_allclose(model.posterior(x), posterior, atol=1e-10)
    best = max(joint, key=joint.get)
    if gap is None:
        np.testing.assert_array_equal(model.predict(x), best)


def test_without_lags_it_is_a_gaussian_model():
    rng = np.random.default_rng(3)
    X = [
        np.repeat(rng.normal(size=(4, 2)) * 4, 10, axis=0) + rng.normal(size=(40, 2)) for _ in "ab"
    ]
    start = {"start_init": START, "transition_init": TRANSITION, "tol": 0.0, "max_iter": 4}
    level = np.array([[-2.0, 0.0], [2.0, 0.0]])
    for kind in ("full", "tied", "diag", "spherical"):
        with pytest.warns(ConvergenceWarning):
            plain = GaussianHMM(2, kind, means_init=level, **start).fit(X)
        with pytest.warns(ConvergenceWarning):
            model = ARHMM(
                2, 0, covariance_type=kind, coef_init=np.zeros((2, 0, 2, 2)), intercept_init=level,
                **start,
            ).fit(X)  # fmt: skip
        np.testing.assert_allclose(model.log_prob(X), plain.log_prob(X), rtol=1e-9)
        np.testing.assert_allclose(model.intercept_, plain.means_, rtol=1e-8)
        np.testing.assert_allclose(model.covariances_, plain.covariances_, rtol=1e-7, atol=1e-9)
        assert model.n_parameters_ == plain.n_parameters_


def regimes(T=800, seed=0):
    rng = np.random.default_rng(seed)
    v, states = np.zeros(T), np.arange(T) // 100 % 2
    for t in range(1, T):
        v[t] = (0.9 * v[t - 1] if states[t] == 0 else 3.0 - 0.6 * v[t - 1]) + rng.normal()
    return v, states


def test_agrees_with_switching_autoregression():
    """sequence.31: the same model of one number at a time, from its parameters and by learning."""
    v, states = regimes()
    peer = SwitchingAutoRegression(2, 1, random_state=0, tol=1e-10).fit([v])
    law = long_run(peer.transition_).stationary[0]
    options = {
        "transition_init": peer.transition_,
        "coef_init": peer.coef_[:, :, None, None],
        "intercept_init": peer.intercept_[:, None],
        "covariances_init": peer.noise_variance_[:, None, None],
    }
    same = ARHMM(2, 1, start_init=law, fixed=EVERYTHING, **options).fit(v)
    at = peer.set_params()
    at.start_ = law
    assert same.log_prob(v)[0] == pytest.approx(at.log_prob([v])[0], rel=1e-12)
    np.testing.assert_allclose(same.filter(v)[1:], at.predict_proba([v], kind="filtered")[0])
    ours, theirs = same.forecast(3), at.forecast(3)
    np.testing.assert_allclose(ours.mean, theirs.mean, rtol=1e-9)
    np.testing.assert_allclose(ours.var, theirs.var, rtol=1e-9)
    learned = ARHMM(2, 1, min_covar=0.0, n_init=3, random_state=0, tol=1e-10).fit(v)
    assert learned.log_prob(v)[0] > peer.log_likelihood_ - 1.0
    found = learned.predict(v)[1:]
    assert max(np.mean(found == states[1:]), np.mean(found != states[1:])) > 0.95


def test_one_state_is_least_squares():
    v, _ = regimes(300)
    plain = AutoRegression(3).fit([v])
    one = ARHMM(1, 3, min_covar=0.0, random_state=0).fit(v)
    np.testing.assert_allclose(one.coef_[0, :, 0, 0], plain.coef_, rtol=1e-8)
    np.testing.assert_allclose(one.forecast(4, v).mean, plain.forecast(4).mean, rtol=1e-8)
    through_zero = ARHMM(1, 1, min_covar=0.0, fit_intercept=False).fit(v)
    want = v[1:] @ v[:-1] / (v[:-1] @ v[:-1])
    assert through_zero.coef_.item() == pytest.approx(want, rel=1e-9)
    assert through_zero.intercept_.item() == 0.0


def test_forecast_through_a_gap_at_the_end():
    model = known()
    x = np.random.default_rng(4).normal(size=(8, 2))
    longer = np.vstack([x, np.full((2, 2), np.nan)])
    a, b = model.forecast(3, x), model.forecast(1, longer)
    np.testing.assert_allclose(a.mean[2:], b.mean, rtol=1e-9)
    np.testing.assert_allclose(a.var[2:], b.var, rtol=1e-9)
    first = model.filter(x)[-1] @ TRANSITION
    means = LEVEL + np.einsum("klij,lj->ki", COEF, x[:-3:-1])
    np.testing.assert_allclose(np.ravel(model.forecast(1, x).mean), first @ means, rtol=1e-9)
    with pytest.raises(ValueError, match="at least 2 observed steps in a row"):
        model.forecast(1, np.where(np.arange(8)[:, None] % 2, np.nan, x))


def test_draws_lead_back_to_the_parameters():
    v, _ = regimes()
    model = ARHMM(2, 1, n_init=2, random_state=0).fit(v)
    drawn, paths = model.sample(40, 300, random_state=1)
    again = ARHMM(2, 1, random_state=0).fit(drawn, paths)  # known states: counting
    np.testing.assert_allclose(again.coef_, model.coef_, atol=0.05)
    np.testing.assert_allclose(again.transition_, model.transition_, atol=0.01)
    assert again.score(drawn) > model.score(drawn) - 0.01


def test_learning_options_of_the_chain():
    v, _ = regimes()
    gaps = v.copy()
    gaps[200:210] = np.nan
    for options in (
        {"low_memory": True},
        {"algorithm": "viterbi"},
        {"init": "random"},
        {"n_jobs": 2},
    ):
        model = ARHMM(2, 1, random_state=0, n_init=2, **options).fit([gaps, v[:1], v[:2]])
        assert np.isfinite(model.score([gaps]))
    tied = ARHMM(3, 1, groups=[0, 1, 1], random_state=0).fit(v)
    assert tied.coef_.shape == (2, 1, 1, 1)
    zeros = ARHMM(2, 1, transition_init=[[0.9, 0.1], [0.0, 1.0]], random_state=0).fit(v)
    assert zeros.transition_[1, 0] == 0.0
    online = ARHMM(2, 1, random_state=0)
    for part in np.split(v, 4):
        online.partial_fit(part)
    assert np.isfinite(online.score(v))
    search = GridSearchCV(ARHMM(random_state=0), {"order": [0, 1]}, cv=KFold(2))
    assert search.fit([v[:400], v[400:]]).best_params_ == {"order": 1}
    trace = ARHMM(2, 2, random_state=0, tol=1e-9).fit([gaps]).fit_report_.trace["objective"]
    assert np.diff(trace).max() < 1e-7


def test_explosive_series_and_constants():
    """Right answers where a stationary law would not exist, or nothing varies."""
    v = 1.2 ** np.arange(60) + np.random.default_rng(0).normal(size=60)
    model = ARHMM(1, 1, min_covar=0.0).fit(v)
    assert model.coef_.item() == pytest.approx(1.2, abs=1e-3)
    assert model.forecast(1, v).mean.item() == pytest.approx(1.2 * v[-1], rel=0.01)
    still = ARHMM(2, 1, random_state=0).fit(np.full(20, 3.0))
    assert np.isfinite(still.score(np.full(20, 3.0)))
    assert still.forecast(1, np.full(20, 3.0)).mean.item() == pytest.approx(3.0)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"order": -1}, "order must be an integer of at least 0, got -1"),
        ({"order": True}, "order must be an integer"),
        ({"covariance_type": "round"}, "covariance_type"),
        ({"coef_init": [[1.0]]}, r"coef_init must be finite, of shape \(2, 1, 1, 1\)"),
    ],
)
def test_bad_settings_are_refused(options, words):
    with pytest.raises(ValueError, match=f"ARHMM: {words}"):
        ARHMM(2, **options).fit([[0.0, 1.0, 2.0]])


@pytest.mark.parametrize("scale", [1e-150, 1e150])
def test_numbers_without_squares_are_refused(scale):
    rows = [scale * RNG.normal(size=(20, 2)) for _ in range(2)]
    with pytest.raises(ValueError, match=r"ARHMM: X must be of numbers between 1e-70 and 1e\+70"):
        ARHMM(2, random_state=0).fit(rows)
