"""Kalman filter and smoother, learning of linear systems, switching autoregression."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.case import Case, Contestant, Size, Target

_ITERATIONS = 10


@dataclass(frozen=True)
class Tracks:
    """Sequences of equal length, (sequences, T, m), and the system that everyone starts at."""

    Y: np.ndarray
    A: np.ndarray
    C: np.ndarray
    Q: np.ndarray
    R: np.ndarray


def tracks(n: int, length: int, sequences: int = 1) -> Tracks:
    """Rows of a stable system with as many outputs as states."""
    rng = np.random.default_rng(0)
    A = 0.95 * np.linalg.qr(rng.normal(size=(n, n)))[0]
    C = rng.normal(size=(n, n)) if n > 1 else np.ones((1, 1))
    Q, R = 0.3 * np.eye(n), 0.5 * np.eye(n)
    x, Y = rng.normal(size=(sequences, n)), np.empty((sequences, length, n))
    for t in range(length):
        x = x @ A.T + np.sqrt(0.3) * rng.normal(size=x.shape)
        Y[:, t] = x @ C.T + np.sqrt(0.5) * rng.normal(size=x.shape)
    return Tracks(Y, A, C, Q, R)


def _system(data: Tracks) -> Any:
    from margin.inference import LinearSystem

    return LinearSystem(data.A, data.C, data.Q, data.R, cov=np.eye(len(data.A)))


def _ours_likelihood(data: Tracks) -> float:
    from margin.inference import kalman_log_likelihood

    return float(kalman_log_likelihood(_system(data), data.Y[0])[0])


def _ours_smoother(data: Tracks) -> float:
    from margin.inference import kalman_smoother

    return float(kalman_smoother(_system(data), data.Y[0]).log_prob[0])


def _statsmodels(data: Tracks) -> Any:
    from statsmodels.tsa.statespace.kalman_smoother import KalmanSmoother

    n = len(data.A)
    model = KalmanSmoother(k_endog=n, k_states=n, k_posdef=n)
    model.bind(np.asfortranarray(data.Y[0].T))
    model["design"], model["transition"], model["selection"] = data.C, data.A, np.eye(n)
    model["state_cov"], model["obs_cov"] = data.Q, data.R
    model.initialize_known(np.zeros(n), np.eye(n))
    return model


def _statsmodels_likelihood(data: Tracks) -> float:
    return float(_statsmodels(data).loglike())


def _statsmodels_smoother(data: Tracks) -> float:
    from statsmodels.tsa.statespace.kalman_smoother import SMOOTHER_STATE, SMOOTHER_STATE_COV

    model = _statsmodels(data)
    return float(model.smooth(smoother_output=SMOOTHER_STATE | SMOOTHER_STATE_COV).llf)


def _dynamax_parameters(data: Tracks) -> Any:
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    from dynamax.linear_gaussian_ssm import LinearGaussianSSM

    n = len(data.A)
    model = LinearGaussianSSM(n, n, has_dynamics_bias=False, has_emissions_bias=False)
    parts = {
        "initial_mean": np.zeros(n), "initial_covariance": np.eye(n),
        "dynamics_weights": data.A, "dynamics_covariance": data.Q,
        "emission_weights": data.C, "emission_covariance": data.R,
    }  # fmt: skip
    params, props = model.initialize(
        jax.random.PRNGKey(0), **{k: jnp.asarray(v) for k, v in parts.items()}
    )
    return model, params, props


def _dynamax_likelihood(data: Tracks) -> float:
    import jax

    model, params, _ = _dynamax_parameters(data)
    run = _DYNAMAX.setdefault(("filter", data.Y.shape), jax.jit(model.marginal_log_prob))
    return float(run(params, data.Y[0]))


def _dynamax_smoother(data: Tracks) -> float:
    import jax

    model, params, _ = _dynamax_parameters(data)
    run = _DYNAMAX.setdefault(("smoother", data.Y.shape), jax.jit(model.smoother))
    found = run(params, data.Y[0])
    return float(found.marginal_loglik) + 0.0 * float(found.smoothed_means[0, 0])


_DYNAMAX: dict[Any, Any] = {}


def _dynamax_em(data: Tracks) -> float:
    model, params, props = _dynamax_parameters(data)
    _, values = model.fit_em(params, props, data.Y, num_iters=_ITERATIONS, verbose=False)
    return float(values[-1])


def _ours_em(data: Tracks) -> float:
    import warnings

    from margin.sequence import LinearDynamicalSystem

    start = {"A": data.A, "C": data.C, "Q": data.Q, "R": data.R, "d": np.zeros(len(data.A))}
    model = LinearDynamicalSystem(
        len(data.A), start=start, output_noise="full", output_bias=False, tol=1e-300,
        max_iter=_ITERATIONS - 1,
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(list(data.Y)).log_likelihood_


@dataclass(frozen=True)
class Regimes:
    """A series that switches."""

    v: np.ndarray


def regimes(length: int) -> Regimes:
    """Three regimes of different level, coefficient and noise."""
    rng = np.random.default_rng(0)
    level, slope, noise = (0.0, 2.0, -1.0), (0.9, 0.2, -0.5), (0.5, 1.0, 2.0)
    v, s = np.zeros(length), 0
    for t in range(1, length):
        s = s if rng.random() < 0.97 else int(rng.integers(3))
        v[t] = level[s] + slope[s] * v[t - 1] + noise[s] * rng.normal()
    return Regimes(v)


def _ours_switching(data: Regimes) -> float:
    from margin.sequence import SwitchingAutoRegression

    return SwitchingAutoRegression(3, 1, random_state=0).fit([data.v]).log_likelihood_


def _statsmodels_switching(data: Regimes) -> float:
    import warnings

    from statsmodels.tsa.regime_switching.markov_regression import MarkovRegression

    model = MarkovRegression(
        data.v[1:], 3, exog=data.v[:-1, None], switching_exog=True, switching_variance=True
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(model.fit(em_iter=20, search_reps=5, disp=False).llf)


def _target(words: str, tolerance: float) -> Target:
    return Target(
        objective=lambda data, value: -value / (data.Y.size if hasattr(data, "Y") else len(data.v)),
        objective_name=words,
        tolerance=tolerance,
    )


_ONE = {"n": 1, "length": 20_000}
_TEN = {"n": 10, "length": 20_000}
_STATSMODELS = ("statsmodels.tsa.statespace.kalman_smoother",)
_DYNAMAX_NEEDS = ("dynamax.linear_gaussian_ssm",)

CASES = (
    Case(
        name="kalman-likelihood",
        description="Log-likelihood of a known linear system.",
        make_data=tracks,
        sizes=(
            Size("20 000 steps, 1 state", _ONE, 20_000, True),
            Size("20 000 steps, 10 states", _TEN, 200_000, True),
        ),
        contestants=(
            Contestant("margin", _ours_likelihood, ours=True),
            Contestant("statsmodels", _statsmodels_likelihood, _STATSMODELS),
            Contestant("dynamax", _dynamax_likelihood, _DYNAMAX_NEEDS),
        ),
        target=_target("minus log-likelihood per number", 1e-8),
        required_ratio=2.0,
        warm_up={"n": 1, "length": 50},
    ),
    Case(
        name="kalman-smoother",
        description="Smoothed means and covariances of a known linear system.",
        make_data=tracks,
        sizes=(
            Size("20 000 steps, 1 state", _ONE, 20_000, True),
            Size("20 000 steps, 10 states", _TEN, 200_000, True),
        ),
        contestants=(
            Contestant("margin", _ours_smoother, ours=True),
            Contestant("statsmodels", _statsmodels_smoother, _STATSMODELS),
            Contestant("dynamax", _dynamax_smoother, _DYNAMAX_NEEDS),
        ),
        target=_target("minus log-likelihood per number", 1e-8),
        required_ratio=2.0,
        warm_up={"n": 1, "length": 50},
    ),
    Case(
        name="lds-em",
        description="Ten iterations of EM for a linear dynamical system, from one start.",
        make_data=tracks,
        sizes=(
            Size("50 × 1 000, 6 states", {"n": 6, "length": 1000, "sequences": 50}, 300_000, True),
        ),
        contestants=(
            Contestant("margin", _ours_em, ours=True),
            Contestant("dynamax", _dynamax_em, _DYNAMAX_NEEDS),
        ),
        target=_target("minus log-likelihood per number", 1e-6),
        required_ratio=3.0,
        warm_up={"n": 6, "length": 1000, "sequences": 50},
    ),
    Case(
        name="switching-ar",
        description="Switching autoregression of three regimes, learned from scratch.",
        make_data=regimes,
        sizes=(
            Size("1 000 steps", {"length": 1000}, 1000),
            Size("5 000 steps", {"length": 5000}, 5000, True),
        ),
        contestants=(
            Contestant("margin", _ours_switching, ours=True),
            Contestant(
                "statsmodels",
                _statsmodels_switching,
                ("statsmodels.tsa.regime_switching.markov_regression",),
            ),
        ),
        target=_target("minus log-likelihood per step", 1e-3),
        required_ratio=10.0,
        warm_up={"length": 200},
    ),
)
