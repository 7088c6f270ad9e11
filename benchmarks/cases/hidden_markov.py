"""Hidden Markov models: Baum–Welch from one start, and the best path of a long sequence."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.case import Case, Contestant, Size, Target

_ITERATIONS = 10


@dataclass(frozen=True)
class Chain:
    """Rows of all sequences, their lengths, and the parameters that everyone starts from."""

    rows: np.ndarray
    lengths: np.ndarray
    start: np.ndarray
    transition: np.ndarray
    laws: tuple[np.ndarray, ...]


def normals(n: int, length: int, d: int, k: int) -> Chain:
    """Sequences of a sticky chain with normal vectors; the start is the truth, blurred."""
    rng = np.random.default_rng(0)
    transition = 0.7 * np.eye(k) + 0.3 * rng.dirichlet(np.ones(k), k)
    means = 3.0 * rng.normal(size=(k, d))
    roots = 0.3 * rng.normal(size=(k, d, d)) + np.eye(d)
    states = _walks(transition, n, length, rng)
    rows = means[states] + (roots[states] @ rng.normal(size=(n * length, d, 1)))[:, :, 0]
    blurred = means + 0.5 * rng.normal(size=means.shape)
    even = 0.5 * transition + 0.5 / k
    laws = (blurred, np.tile(4.0 * np.eye(d), (k, 1, 1)))
    return Chain(rows, np.full(n, length), np.full(k, 1 / k), even, laws)


def symbols(n: int, k: int, m: int) -> Chain:
    """Ragged sequences of symbols, from 10 to 90 steps."""
    rng = np.random.default_rng(1)
    lengths = rng.integers(10, 90, n)
    transition = 0.6 * np.eye(k) + 0.4 * rng.dirichlet(np.ones(k), k)
    table = rng.dirichlet(np.full(m, 0.5), k)
    states = _walks(transition, 1, int(lengths.sum()), rng)
    level = rng.random(len(states))
    rows = (level[:, None] > np.cumsum(table, axis=1)[states][:, :-1]).sum(axis=1)
    blurred = 0.5 * table + 0.5 / m
    laws = (blurred / blurred.sum(axis=1, keepdims=True),)
    return Chain(rows[:, None], lengths, np.full(k, 1 / k), 0.5 * transition + 0.5 / k, laws)


def _walks(transition: np.ndarray, n: int, length: int, rng: np.random.Generator) -> np.ndarray:
    bounds = np.cumsum(transition, axis=1)[:, :-1]
    state = rng.integers(0, len(transition), n)
    walk = np.empty((n, length), dtype=np.int64)
    for t in range(length):
        walk[:, t] = state
        state = (rng.random(n)[:, None] > bounds[state]).sum(axis=1)
    return walk.ravel()


def _quietly(fit: Any) -> Any:
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return fit()


def _ours_normal(data: Chain) -> Any:
    from margin.sequence import GaussianHMM

    model = GaussianHMM(
        len(data.start), min_covar=0.0, max_iter=_ITERATIONS, tol=0.0, start_init=data.start,
        transition_init=data.transition, means_init=data.laws[0], covariances_init=data.laws[1],
    )  # fmt: skip
    return _quietly(lambda: model.fit(data.rows, lengths=data.lengths))


def _hmmlearn_normal(data: Chain, implementation: str = "scaling") -> Any:
    from hmmlearn.hmm import GaussianHMM

    model = GaussianHMM(
        len(data.start), "full", n_iter=_ITERATIONS, tol=-np.inf, init_params="",
        covars_prior=0, covars_weight=0, means_weight=0, implementation=implementation,
    )  # fmt: skip
    model.startprob_, model.transmat_ = data.start, data.transition
    model.means_, model.covars_ = data.laws
    return _quietly(lambda: model.fit(data.rows, data.lengths))


def _dynamax_normal(data: Chain) -> Any:
    """Warm: what it compiles is kept for every shape. It takes no lengths: all are equal here."""
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    from dynamax.hidden_markov_model import GaussianHMM

    k, d = data.laws[0].shape
    model = GaussianHMM(k, d, transition_matrix_concentration=1.0, initial_probs_concentration=1.0)
    parts = {
        "initial_probs": data.start, "transition_matrix": data.transition,
        "emission_means": data.laws[0], "emission_covariances": data.laws[1],
    }  # fmt: skip
    params, props = model.initialize(
        jax.random.PRNGKey(0), **{name: jnp.asarray(part) for name, part in parts.items()}
    )
    batch = jnp.asarray(data.rows.reshape(len(data.lengths), -1, d))
    params, _ = model.fit_em(params, props, batch, num_iters=_ITERATIONS, verbose=False)
    found = params.initial.probs, params.transitions.transition_matrix, params.emissions
    return _known(*map(np.asarray, (*found[:2], found[2].means, found[2].covs)))


def _known(start: np.ndarray, transition: np.ndarray, means: np.ndarray, covs: np.ndarray) -> Any:
    from margin.sequence import GaussianHMM

    if not all(np.isfinite(part).all() for part in (start, transition, means, covs)):
        return None  # where it lost itself: no likelihood at all
    covs = 0.5 * (covs + covs.transpose(0, 2, 1))
    return GaussianHMM(
        len(start), start_init=start / start.sum(), means_init=means, covariances_init=covs,
        transition_init=transition / transition.sum(axis=1, keepdims=True),
        fixed=("start", "transition", "emission"),
    ).fit([means])  # fmt: skip


def _ours_symbols(data: Chain) -> Any:
    from margin.sequence import CategoricalHMM

    model = CategoricalHMM(
        len(data.start), max_iter=_ITERATIONS, tol=0.0, start_init=data.start,
        transition_init=data.transition, emission_init=data.laws[0],
    )  # fmt: skip
    return _quietly(lambda: model.fit(data.rows, lengths=data.lengths))


def _hmmlearn_symbols(data: Chain) -> Any:
    from hmmlearn.hmm import CategoricalHMM

    model = CategoricalHMM(
        len(data.start), n_iter=_ITERATIONS, tol=-np.inf, init_params="", implementation="scaling"
    )
    model.startprob_, model.transmat_ = data.start, data.transition
    model.emissionprob_ = data.laws[0]
    return _quietly(lambda: model.fit(data.rows, data.lengths))


def _surprise(data: Chain, model: Any) -> float:
    """Minus the log likelihood per step, by one judge for all: messages in NumPy's own order."""
    from margin.sequence import from_hmmlearn

    if model is None:
        return np.inf
    ours = model if hasattr(model, "start_") else from_hmmlearn(model)
    return -float(ours.score(data.rows, lengths=data.lengths))


_LEARNED = Target(
    objective=_surprise,
    objective_name="minus log likelihood per step after ten iterations",
    tolerance=1e-8,
)


def _table(data: Chain) -> Any:
    from margin.sequence import GaussianHMM

    everything = ("start", "transition", "emission")
    return GaussianHMM(
        len(data.start), start_init=data.start, transition_init=data.transition, fixed=everything,
        means_init=data.laws[0], covariances_init=data.laws[1],
    ).fit(data.rows[:2])  # fmt: skip


def _ours_path(data: Chain) -> Any:
    return _table(data).decode(data.rows)


def _hmmlearn_path(data: Chain) -> Any:
    from hmmlearn.hmm import GaussianHMM

    model = GaussianHMM(len(data.start), "full")
    model.startprob_, model.transmat_ = data.start, data.transition
    model.means_, model.covars_ = data.laws
    model.n_features = data.rows.shape[1]
    value, path = model.decode(data.rows)
    return path, np.array([value])


@dataclass(frozen=True)
class Long:
    """One sequence as log likelihoods of its steps under four states, and the chain."""

    table: np.ndarray
    start: np.ndarray
    transition: np.ndarray


def long(length: int) -> Long:
    """Steps at random under a chain of four states."""
    rng = np.random.default_rng(0)
    table = -rng.gamma(1.0, 2.0, (length, 4))
    return Long(table, np.full(4, 0.25), rng.dirichlet(np.ones(4), 4))


def _ours_long(data: Long) -> float:
    from margin.core import threads
    from margin.inference import chain_smooth

    places = [0, len(data.table)]
    answer = chain_smooth(
        data.table, places, data.start, data.transition, n_threads=threads.count(None)
    )
    return float(answer.log_likelihood[0])


def _ours_little_memory(data: Long) -> float:
    from margin.inference import chain_smooth_pieces

    swept = chain_smooth_pieces(
        lambda first, last: data.table[first:last], len(data.table), data.start, data.transition,
        lambda piece: piece.posterior.sum(axis=0),
    )  # fmt: skip
    return float(swept.log_likelihood)


def _hmmlearn_long(data: Long) -> float:
    from hmmlearn import _hmmc

    likelihood = np.exp(data.table)
    value, forward, scale = _hmmc.forward_scaling(data.start, data.transition, likelihood)
    backward = _hmmc.backward_scaling(data.start, data.transition, likelihood, scale)
    posterior = forward * backward
    posterior /= posterior.sum(axis=1, keepdims=True)
    _hmmc.compute_scaling_xi_sum(forward, data.transition, backward, likelihood)
    return float(value)


_DECODED = Target(
    objective=lambda data, answer: -float(answer[1][0]) / len(data.rows),
    objective_name="minus log probability of the path per step",
    tolerance=1e-8,
)

CASES = (
    Case(
        name="gaussian-hmm",
        description="Ten iterations of Baum–Welch with full covariances, from one start.",
        make_data=normals,
        sizes=(
            Size(
                "100 × 500 × 4, 6 states",
                {"n": 100, "length": 500, "d": 4, "k": 6},
                200_000,
                True,
            ),
            Size(
                "1 × 50 000 × 4, 50 states",
                {"n": 1, "length": 50_000, "d": 4, "k": 50},
                200_001,
                True,
            ),
        ),
        contestants=(
            Contestant("margin", _ours_normal, ours=True),
            Contestant("hmmlearn, scaling", _hmmlearn_normal, ("hmmlearn.hmm",)),
            Contestant(
                "dynamax", _dynamax_normal, ("dynamax.hidden_markov_model",), required_ratio=5.0
            ),
        ),
        target=_LEARNED,
        required_ratio=10.0,
        warm_up={"n": 3, "length": 20, "d": 2, "k": 2},
    ),
    Case(
        name="categorical-hmm",
        description="Ten iterations of Baum–Welch on many short sequences of symbols.",
        make_data=symbols,
        sizes=(
            Size("1 000 ragged, 5 states", {"n": 1000, "k": 5, "m": 8}, 50_000),
            Size("10 000 ragged, 5 states", {"n": 10_000, "k": 5, "m": 8}, 500_000, True),
        ),
        contestants=(
            Contestant("margin", _ours_symbols, ours=True),
            Contestant("hmmlearn, scaling", _hmmlearn_symbols, ("hmmlearn.hmm",)),
        ),
        target=_LEARNED,
        required_ratio=10.0,
        warm_up={"n": 10, "k": 2, "m": 3},
    ),
    Case(
        name="viterbi-path",
        description="The most probable path of one long sequence, densities included.",
        make_data=normals,
        sizes=(
            Size("100 000 steps, 20 states", {"n": 1, "length": 100_000, "d": 2, "k": 20}, 200_000),
            Size(
                "1 000 000 steps, 20 states",
                {"n": 1, "length": 1_000_000, "d": 2, "k": 20},
                2_000_000,
                True,
            ),
        ),
        contestants=(
            Contestant("margin", _ours_path, ours=True),
            Contestant("hmmlearn", _hmmlearn_path, ("hmmlearn.hmm",)),
        ),
        target=_DECODED,
        required_ratio=2.0,
        warm_up={"n": 1, "length": 50, "d": 2, "k": 2},
    ),
    Case(
        name="chain-length",
        description="Smoothing of one sequence under four states: linear in its length.",
        make_data=long,
        sizes=(
            Size("1 000 steps", {"length": 10**3}, 10**3),
            Size("10 000 steps", {"length": 10**4}, 10**4),
            Size("100 000 steps", {"length": 10**5}, 10**5),
            Size("1 000 000 steps", {"length": 10**6}, 10**6, True),
            Size("10 000 000 steps", {"length": 10**7}, 10**7),
        ),
        contestants=(
            Contestant("margin", _ours_long, ours=True),
            Contestant("margin, little memory", _ours_little_memory, binding=False),
            Contestant("hmmlearn, its loops alone", _hmmlearn_long, ("hmmlearn._hmmc",)),
        ),
        target=Target(
            objective=lambda data, value: -value / len(data.table),
            objective_name="minus log likelihood per step",
            tolerance=1e-8,
        ),
        required_ratio=2.0,
        warm_up={"length": 50},
    ),
)
