from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from margin.core import Status
from margin.inference.sampling._chain_driver import Transition, Walk, run_chains


@dataclass(frozen=True)
class Counting:
    """Counts its steps from where it begins; may be interrupted on the way."""

    stop_at: int | None = None
    columns: tuple[str, ...] = ("step",)

    def walk(self, x, n_warmup, rng):
        step = 0
        while True:
            step += 1
            if step == self.stop_at:
                raise KeyboardInterrupt
            yield Transition(x + step, -float(step), (float(step),))


def flat(x):
    return 0.0


def test_warm_up_and_thinning():
    walk = Walk("who", n_draws=3, n_warmup=4, n_chains=2, thin=2)
    chains = run_chains(Counting(), np.zeros(1), flat, walk)
    assert_array_equal(chains.draws[:, :, 0], [[6, 8, 10]] * 2)
    assert_array_equal(chains.statistics["step"], [[6, 8, 10]] * 2)
    assert_array_equal(chains.log_density, [[-6, -8, -10]] * 2)
    assert chains.names == ("x0",)


def test_an_interruption_keeps_the_draws_of_all_chains():
    walk = Walk("who", n_draws=100, n_warmup=2, n_chains=3)
    chains = run_chains(Counting(stop_at=8), np.zeros(1), flat, walk)
    assert chains.draws.shape == (3, 5, 1)
    assert chains.solution.interrupted
    assert chains.solution.status is Status.MAX_ITER


def test_an_interruption_of_the_warm_up_ends_it():
    walk = Walk("who", n_draws=100, n_warmup=20, n_chains=3)
    with pytest.raises(KeyboardInterrupt):
        run_chains(Counting(stop_at=8), np.zeros(1), flat, walk)


def test_chains_that_have_not_met_are_told():
    walk = Walk("who", n_draws=30, n_warmup=0, n_chains=2)
    chains = run_chains(Counting(), np.array([[0.0], [500.0]]), flat, walk)
    assert chains.solution.status is Status.MAX_ITER
    assert "chains have not met: largest R-hat" in chains.solution.message


def test_starts_lie_about_the_one_given_where_they_can():
    walk = Walk("who", n_draws=1, n_warmup=0, n_chains=50, random_state=0)
    chains = run_chains(
        Counting(), np.zeros(1), lambda x: 0.0 if x[0] >= 0 else -np.inf, walk, jitter=1.0
    )
    starts = chains.draws[:, 0, 0] - 1
    assert (starts >= 0).all()
    assert len(set(starts)) == 50


def test_progress_is_told():
    seen = []
    walk = Walk("who", n_draws=3, n_warmup=2, n_chains=1, callback=lambda *at: seen.append(at))
    run_chains(Counting(), np.zeros(1), flat, walk)
    assert seen == [(n, 1.0) for n in range(1, 6)]
