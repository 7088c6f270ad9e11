"""Bayesian optimisation: better than chance, never twice the same point, ask and tell."""

import numpy as np
import pytest

from margin.gp import GaussianProcessOptimizer


def branin(x, y):
    """Minimum 0.397887 at three points."""
    a = y - 5.1 / (4 * np.pi**2) * x**2 + 5 / np.pi * x - 6
    return a**2 + 10 * (1 - 1 / (8 * np.pi)) * np.cos(x) + 10


BRANIN = {"x": (-5.0, 10.0), "y": (0.0, 15.0)}


@pytest.mark.parametrize("acquisition", ["ei", "pi", "ucb"])
def test_finds_the_minimum_of_branin(acquisition):
    search = GaussianProcessOptimizer(BRANIN, acquisition=acquisition, noise=0.0, random_state=0)
    best = search.minimise(branin, 30)
    assert search.best_value < 0.397887 + (0.05 if acquisition == "ei" else 0.5)
    assert branin(**best) == search.best_value


@pytest.mark.parametrize("batch", ["liar", "penalise"])
def test_batches_are_spread(batch):
    search = GaussianProcessOptimizer(BRANIN, batch=batch, noise=0.0, random_state=1)
    for _ in range(6):
        points = search.ask(4)
        codes = np.array([search.space.encode(p) for p in points])
        apart = np.linalg.norm(codes[:, None] - codes[None], axis=2)[np.triu_indices(4, 1)]
        assert apart.min() > 1e-6
        for point in points:
            search.tell(point, branin(**point))
    assert search.best_value < 3.0


def test_mixed_space_with_noise():
    rng = np.random.default_rng(0)
    space = {"rate": (1e-4, 1.0, "log"), "depth": (1, 8), "kind": ["a", "b", "c"]}

    def cost(rate, depth, kind):
        clean = (np.log10(rate) + 2) ** 2 + 0.2 * (depth - 5) ** 2 + 2.0 * (kind != "b")
        return clean + 0.05 * rng.normal()

    search = GaussianProcessOptimizer(space, random_state=0)
    best = search.minimise(cost, 35)
    assert best["kind"] == "b"
    assert best["depth"] in (4, 5, 6)
    assert 1e-3 < best["rate"] < 1e-1


def test_small_space_is_exhausted_before_anything_repeats():
    search = GaussianProcessOptimizer({"n": (1, 6)}, n_initial=2, noise=0.0, random_state=0)
    search.minimise(lambda n: (n - 4) ** 2, 6)
    assert len({p["n"] for p in search.params}) >= 5
    search.minimise(lambda n: (n - 4) ** 2, 2)
    assert search.best_params == {"n": 4}


def test_told_without_asking_and_seeded():
    values = [{"x": float(v), "y": 3.0} for v in range(5)]
    asked = []
    for _ in range(2):
        search = GaussianProcessOptimizer(BRANIN, n_initial=1, noise=0.0, random_state=3)
        for point in values:
            search.tell(point, branin(**point))
        asked.append(search.ask(2))
    assert asked[0] == asked[1]


def test_constant_values_are_no_trouble():
    search = GaussianProcessOptimizer({"x": (0.0, 1.0)}, n_initial=3, noise=0.0, random_state=0)
    search.minimise(lambda x: 1.0, 6)
    assert search.best_value == 1.0


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"acquisition": "best"}, "acquisition must be"),
        ({"batch": "none"}, "batch must be"),
        ({"n_initial": 0}, "n_initial must be"),
        ({"noise": -1.0}, "noise must be"),
        ({"kappa": -1.0}, "kappa must be"),
    ],
)
def test_bad_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        GaussianProcessOptimizer(BRANIN, **parameters)


def test_bad_calls():
    search = GaussianProcessOptimizer(BRANIN)
    with pytest.raises(ValueError, match="tell must be called first"):
        _ = search.best_params
    with pytest.raises(ValueError, match="value must be a finite number"):
        search.tell({"x": 0.0, "y": 1.0}, np.nan)
    with pytest.raises(ValueError, match="n must be an integer"):
        search.ask(0)
    assert not search.values
