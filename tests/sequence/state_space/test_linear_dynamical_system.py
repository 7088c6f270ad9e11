"""Learning linear dynamical systems: likelihood, holes, inputs, constraints, forecasts."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score

from margin.core import Sequences
from margin.distributions import MultivariateNormal, Normal
from margin.inference import LinearSystem, kalman_log_likelihood, simulate
from margin.sequence import LinearDynamicalSystem

RNG = np.random.default_rng(0)
TRUE = LinearSystem(
    [[0.9, 0.2], [-0.2, 0.9]],
    [[1.0, 0.0], [0.5, 1.0], [0.0, 1.0]],
    0.2 * np.eye(2),
    0.3 * np.eye(3),
    cov=np.eye(2),
)
PARTS = [simulate(TRUE, t, RNG)[1] for t in (60, 40, 80, 50)]


def quick(**changes):
    return LinearDynamicalSystem(**{"n_states": 2, "max_iter": 400, "tol": 1e-7} | changes)


def holed(parts, share=0.2):
    rng = np.random.default_rng(1)
    return [np.where(rng.random(p.shape) < share, np.nan, p) for p in parts]


def test_beats_the_truth_on_its_own_data():
    """sequence.32, sequence.36: the likelihood found is above that of the system that made it."""
    model = quick().fit(PARTS)
    truth = kalman_log_likelihood(TRUE, Sequences(PARTS)).sum()
    assert model.log_likelihood_ > truth
    assert model.log_prob(PARTS).sum() == pytest.approx(model.log_likelihood_, rel=1e-9)
    assert model.score(PARTS) == pytest.approx(model.log_likelihood_ / 230)
    assert model.fit_report_.status.ok
    found = np.sort_complex(np.linalg.eigvals(model.parameters_.A))
    np.testing.assert_allclose(found, [0.9 - 0.2j, 0.9 + 0.2j], atol=0.12)


@pytest.mark.parametrize("noise", ["full", "diagonal", "spherical"])
def test_em_and_gradient_agree_at_the_optimum(noise):
    parts = holed(PARTS)
    known = {"A": TRUE.A, "C": TRUE.C, "cov": np.eye(2)}
    common = {"output_noise": noise, "state_noise": noise, "fixed": known}
    climbed = quick(tol=1e-8, max_iter=2000, **common).fit(parts)
    slid = quick(solver="lbfgs", tol=1e-6, **common).fit(parts)
    assert slid.log_likelihood_ == pytest.approx(climbed.log_likelihood_, rel=1e-5)
    np.testing.assert_allclose(slid.parameters_.R, climbed.parameters_.R, atol=5e-3)
    assert slid.fit_report_.status.ok


def test_trace_never_falls_with_holes_and_inputs():
    rng = np.random.default_rng(2)
    inputs = [rng.normal(size=(len(p), 2)) for p in PARTS]
    D = rng.normal(size=(3, 2))
    driven = [p + u @ D.T for p, u in zip(holed(PARTS), inputs, strict=True)]
    model = quick(state_bias=True, output_noise="full", tol=1e-6).fit(driven, inputs=inputs)
    steps = np.diff(-model.fit_report_.trace["objective"])
    assert steps.min() > -1e-7
    B, C, A = model.parameters_.B, model.parameters_.C, model.parameters_.A
    # What an input does in the end, at once or through the state, can be told.
    found = model.parameters_.D + C @ np.linalg.solve(np.eye(2) - A, B)
    np.testing.assert_allclose(found, D, atol=0.45)
    with pytest.raises(ValueError, match="inputs must be given, 2 numbers per row"):
        model.log_prob(driven)


def test_unobserved_rows_are_marginalised():
    model = quick(max_iter=30, tol=1e-3).fit(PARTS)
    system = model.parameters_.system()
    x = PARTS[0][:3].copy()
    x[1] = np.nan
    x[2, 0] = np.nan
    mean, cov = [], []
    m, P = system.mean, system.cov
    for t in range(3):
        if t:
            m, P = system.A @ m, system.A @ P @ system.A.T + system.Q
        mean.append(m)
        cov.append(P)
    C, far = system.C, system.A @ system.A @ cov[0]
    S = np.block([[C @ cov[0] @ C.T + system.R, C @ far.T @ C.T],
                  [C @ far @ C.T, C @ cov[2] @ C.T + system.R]])  # fmt: skip
    joint = MultivariateNormal(np.concatenate([C @ mean[0], C @ mean[2]]) + np.tile(system.d, 2), S)
    true = joint.log_prob(np.concatenate([x[0], x[2]]))
    assert model.log_prob([x])[0] == pytest.approx(float(true), rel=1e-9)


def test_ten_thousand_iterations_stay_definite():
    rng = np.random.default_rng(3)
    y = np.cumsum(rng.normal(size=25)) + rng.normal(size=25)
    with pytest.warns(UserWarning, match="LinearDynamicalSystem"):
        model = LinearDynamicalSystem(2, max_iter=10_000, tol=1e-300).fit([y])
    for name in ("Q", "R", "cov"):
        matrix = getattr(model.parameters_, name)
        np.testing.assert_array_equal(matrix, matrix.T)
        assert np.linalg.eigvalsh(matrix).min() > 0


def test_forecast_is_the_law_of_rows_appended_unobserved():
    model = quick(max_iter=20, tol=1e-3).fit(PARTS)
    ahead = model.forecast(4, PARTS[1])
    assert isinstance(ahead, MultivariateNormal)
    assert ahead.mean.shape == (4, 3)
    state = model.query(PARTS[1], np.arange(40, 44))
    C = model.parameters_.C
    np.testing.assert_allclose(ahead.mean, state.mean @ C.T + model.parameters_.d, atol=1e-9)
    low, high = ahead.interval(0.9)
    assert (low < high).all()
    np.testing.assert_allclose(model.forecast(2).mean, model.forecast(2, PARTS[-1]).mean)
    single = LinearDynamicalSystem(1, tol=1e-3).fit([PARTS[0][:, 0]])
    assert isinstance(single.forecast(3), Normal)
    assert single.forecast(3).quantile([0.1, 0.9]).shape == (2, 3)


def test_query_kinds():
    model = quick(max_iter=10, tol=1e-2).fit(PARTS)
    smooth = model.query(PARTS[0], [0, 5])
    past = model.query(PARTS[0], [0, 5], kind="filtered")
    before = model.query(PARTS[0], [0, 5], kind="predicted")
    assert (smooth.var <= past.var + 1e-12).all()
    assert (past.var <= before.var + 1e-12).all()
    np.testing.assert_allclose(model.transform(PARTS[:1])[0][[0, 5]], smooth.mean, atol=1e-10)
    with pytest.raises(ValueError, match="times must be integers of at least 0"):
        model.query(PARTS[0], [-1])


def test_sequences_are_samples():
    model = quick(max_iter=5, tol=1e-2)
    assert cross_val_score(model, PARTS, cv=2).shape == (2,)
    search = GridSearchCV(model, {"n_states": [1, 2]}, cv=2).fit(Sequences(PARTS))
    assert search.best_params_["n_states"] in (1, 2)
    joined = np.concatenate(PARTS)
    one, two = clone(model).fit(PARTS), clone(model).fit(joined, lengths=[60, 40, 80, 50])
    np.testing.assert_array_equal(one.parameters_.A, two.parameters_.A)
    again = pickle.loads(pickle.dumps(one))
    np.testing.assert_array_equal(again.log_prob(PARTS), one.log_prob(PARTS))


@pytest.mark.parametrize("T", [1, 2])
def test_shortest_sequences(T):
    model = LinearDynamicalSystem(1, tol=1e-2).fit([np.arange(float(T))])
    assert np.isfinite(model.score([np.arange(float(T))]))
    assert np.isfinite(model.forecast(2).mean).all()


def test_whole_steps_and_sequences_unobserved():
    parts = [*PARTS, np.full((6, 3), np.nan)]
    model = quick(max_iter=20, tol=1e-3).fit(parts)
    assert model.log_prob(parts)[-1] == 0.0
    assert np.isfinite(model.forecast(2).mean).all()


def test_constant_and_huge_columns():
    y = np.column_stack([np.ones(30), 1e6 * RNG.normal(size=30)])
    model = LinearDynamicalSystem(1, max_iter=30, tol=1e-2).fit([y])
    assert np.isfinite(model.log_likelihood_)


@pytest.mark.parametrize(
    ("change", "X", "message"),
    [
        ({"n_states": 0}, PARTS, "n_states must be an integer of at least 1, got 0"),
        ({"solver": "newton"}, PARTS, "solver must be one of 'em', 'lbfgs'"),
        ({"fixed": {"Z": 1}}, PARTS, "fixed must be a dict with keys among"),
        ({"fixed": {"A": np.eye(3)}}, PARTS, r"fixed\['A'\] must be finite and of shape \(2, 2\)"),
        ({}, [np.full(5, np.nan)], "X must be observed somewhere"),
        ({}, [np.zeros((3, 2)), np.zeros((3, 1))], "every sequence must have rows of shape"),
        ({}, [np.array([np.inf])], "finite, or NaN where unobserved"),
        ({}, [], "at least 1 row"),
        ({}, [["a", "b"]], "X must be sequences of numbers"),
    ],
)
def test_refusals(change, X, message):
    with pytest.raises(ValueError, match=f"LinearDynamicalSystem: .*{message}"):
        LinearDynamicalSystem(**{"n_states": 2} | change).fit(X)


def test_lengths_that_do_not_add_up():
    with pytest.raises(ValueError, match="LinearDynamicalSystem: lengths must sum to 5, got 4"):
        LinearDynamicalSystem().fit(np.zeros(5), lengths=[4])
    model = quick(max_iter=5, tol=1e-2).fit(PARTS)
    with pytest.raises(ValueError, match="X must be of 3 numbers per row, got 1"):
        model.score([np.zeros(4)])


def test_random_starts_repeat():
    one, two = (quick(n_init=3, random_state=4, max_iter=10, tol=1e-2).fit(PARTS) for _ in "ab")
    np.testing.assert_array_equal(one.parameters_.A, two.parameters_.A)
    assert one.log_likelihood_ >= quick(max_iter=10, tol=1e-2).fit(PARTS).log_likelihood_ - 1e-9


def test_given_start_and_no_bias():
    """One step from the truth is better than the truth, and stays without a bias."""
    start = {"A": TRUE.A, "C": TRUE.C, "Q": TRUE.Q, "R": TRUE.R, "mean": np.zeros(2)}
    with pytest.warns(UserWarning, match="stopped after max_iter=1"):
        model = quick(start=start, output_bias=False, max_iter=1, tol=1e-12).fit(PARTS)
    truth = kalman_log_likelihood(TRUE, Sequences(PARTS)).sum()
    trace = -model.fit_report_.trace["objective"]
    assert trace[0] == pytest.approx(truth)
    assert model.log_likelihood_ > truth
    np.testing.assert_array_equal(model.parameters_.d, 0.0)
    with pytest.raises(ValueError, match=r"start\['A'\] must be finite and of shape \(2, 2\)"):
        quick(start={"A": [[1.0]]}).fit(PARTS)
