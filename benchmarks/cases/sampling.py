"""Markov chains: the time to so many effective draws, compilation and warm-up included."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.case import Case, Contestant, Size, Target

Floats = NDArray[np.float64]

WANTED = 700
"""Effective draws of the worst quantity."""

SETTINGS = tuple({"n_draws": n} for n in (500, 1000, 2000, 4000, 8000))
CHAINS, WARM_UP = 4, 1000


@dataclass(frozen=True)
class Law:
    """A log density with its gradient for us, and the same written for JAX."""

    d: int
    log_density: Callable[[Floats], tuple[float, Floats]]
    traced: Callable[[Any], Any]


def correlated_normal(d: int, seed: int = 0) -> Law:
    """A normal law whose precision is a random Wishart matrix."""
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(d, 2 * d))
    precision = root @ root.T / (2 * d)

    def log_density(x: Floats) -> tuple[float, Floats]:
        slope = -(precision @ x)
        return 0.5 * float(x @ slope), slope

    def traced(x: Any) -> Any:
        return -0.5 * x @ (precision @ x)

    return Law(d, log_density, traced)


def hierarchical(groups: int, seed: int = 0) -> Law:
    """Means of groups about a common one, noise known: parameters are scaled to be even."""
    rng = np.random.default_rng(seed)
    noise = rng.uniform(5.0, 20.0, size=groups)
    y = 5.0 + 5.0 * rng.normal(size=groups) + noise * rng.normal(size=groups)

    def log_density(x: Floats) -> tuple[float, Floats]:
        middle, log_spread, away = x[0], x[1], x[2:]
        spread = np.exp(log_spread)
        gap = (y - middle - spread * away) / noise
        value = -0.5 * (gap @ gap + away @ away + (middle / 10) ** 2 + (log_spread - 1) ** 2)
        pull = gap / noise
        slope = np.empty_like(x)
        slope[0] = pull.sum() - middle / 100
        slope[1] = spread * (pull @ away) - (log_spread - 1)
        slope[2:] = spread * pull - away
        return float(value), slope

    def traced(x: Any) -> Any:
        from jax import numpy as jnp

        middle, log_spread, away = x[0], x[1], x[2:]
        gap = (y - middle - jnp.exp(log_spread) * away) / noise
        return -0.5 * (gap @ gap + away @ away + (middle / 10) ** 2 + (log_spread - 1) ** 2)

    return Law(groups + 2, log_density, traced)


def _margin(law: Law, n_draws: int = 1000) -> Floats:
    from margin.inference import sample_nuts

    return sample_nuts(
        law.log_density, np.zeros(law.d), n_draws=n_draws, n_warmup=WARM_UP, n_chains=CHAINS,
        random_state=0,
    ).draws  # fmt: skip


def _numpyro(law: Law, n_draws: int = 1000) -> Floats:
    import jax
    from numpyro.infer import MCMC, NUTS

    kernel = NUTS(potential_fn=lambda x: -law.traced(x), dense_mass=True)
    run = MCMC(
        kernel, num_warmup=WARM_UP, num_samples=n_draws, num_chains=CHAINS,
        chain_method="vectorized", progress_bar=False,
    )  # fmt: skip
    starts = np.random.default_rng(0).normal(size=(CHAINS, law.d))
    run.run(jax.random.PRNGKey(0), init_params=jax.numpy.asarray(starts))
    return np.asarray(run.get_samples(group_by_chain=True), dtype=np.float64)


def _blackjax(law: Law, n_draws: int = 1000) -> Floats:
    import blackjax
    import jax

    def chain(key: Any, start: Any) -> Any:
        warm, draw = jax.random.split(key)
        learning = blackjax.window_adaptation(
            blackjax.nuts, law.traced, is_mass_matrix_diagonal=False
        )
        (state, parameters), _ = learning.run(warm, start, num_steps=WARM_UP)
        kernel = blackjax.nuts(law.traced, **parameters)

        def step(at: Any, one: Any) -> Any:
            at, _ = kernel.step(one, at)
            return at, at.position

        return jax.lax.scan(step, state, jax.random.split(draw, n_draws))[1]

    starts = np.random.default_rng(0).normal(size=(CHAINS, law.d))
    keys = jax.random.split(jax.random.PRNGKey(0), CHAINS)
    draws = jax.jit(jax.vmap(chain))(keys, jax.numpy.asarray(starts))
    return np.asarray(draws, dtype=np.float64)


def _shortfall(law: Law, draws: Floats) -> float:
    """Share of the effective draws that is missing at the worst quantity."""
    from margin.inference import effective_size

    return float(max(0.0, 1.0 - effective_size(draws).min() / WANTED))


def _disagreement(law: Law, draws: Floats) -> float:
    """Largest R-hat."""
    from margin.inference import r_hat

    return float(r_hat(draws).max())


TARGET = Target(
    objective=_shortfall,
    objective_name=f"missing share of {WANTED} effective draws of the worst quantity",
    tolerance=0.0,
    certificate=_disagreement,
    certificate_name="largest R-hat",
    limit=1.02,
)

CONTESTANTS = (
    Contestant("margin", _margin, ("margin.inference:sample_nuts",), SETTINGS, ours=True),
    Contestant("NumPyro", _numpyro, ("numpyro", "jax"), SETTINGS, note="dense metric"),
    Contestant("BlackJAX", _blackjax, ("blackjax", "jax"), SETTINGS, note="dense metric"),
)

CASES = (
    Case(
        name="nuts-normal",
        description="No-U-turn sampling of a correlated normal law, start-up included.",
        make_data=correlated_normal,
        sizes=(Size("100 dimensions", {"d": 100}, 100, required=True),),
        contestants=CONTESTANTS,
        target=TARGET,
        required_ratio=1.0,
        warm_up={"d": 2},
        max_rounds=2,
    ),
    Case(
        name="nuts-hierarchical",
        description="No-U-turn sampling of a hierarchy of group means, start-up included.",
        make_data=hierarchical,
        sizes=(Size("30 groups", {"groups": 30}, 32, required=True),),
        contestants=CONTESTANTS,
        target=TARGET,
        required_ratio=1.0,
        warm_up={"groups": 3},
        max_rounds=2,
    ),
)
