import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.inference import sample_hmc, sample_nuts

CORRELATED = np.array([[1.0, 0.95, 0.0], [0.95, 1.0, 0.0], [0.0, 0.0, 9.0]])
PRECISION = np.linalg.inv(CORRELATED)
MIDDLE = np.array([1.0, -2.0, 3.0])


def normal(x):
    slope = -PRECISION @ (x - MIDDLE)
    return 0.5 * float((x - MIDDLE) @ slope), slope


@pytest.mark.parametrize("metric", ["auto", "diagonal", "dense"])
@pytest.mark.parametrize("sampler", [sample_nuts, sample_hmc])
def test_moments_of_a_normal_law(sampler, metric):
    # Paths of one length follow a long ridge badly, and need more draws.
    n_draws = 1000 if sampler is sample_nuts else 3000
    chains = sampler(normal, np.zeros(3), metric=metric, n_draws=n_draws, random_state=0)
    assert chains.solution.status.ok, chains.solution.message
    error = 4 * chains.standard_error
    assert (np.abs(chains.mean - MIDDLE) < error).all()
    assert_allclose(chains.covariance, CORRELATED, atol=0.12 * 9)
    assert_allclose(chains.var, CORRELATED.diagonal(), rtol=0.15)
    assert chains.statistics["divergent"].sum() == 0
    # At the ends of paths of one length acceptance swings, and what was learnt of it with it.
    least, most = (0.7, 0.95) if sampler is sample_nuts else (0.6, 1.0)
    assert least < chains.statistics["acceptance"].mean() < most


def test_the_law_of_a_skewed_density():
    """A gamma law in logarithms against its own quantiles."""
    from scipy.stats import gamma

    def log_gamma(x):
        return 3.0 * x[0] - np.exp(x[0]), 3.0 - np.exp(x)

    chains = sample_nuts(log_gamma, np.zeros(1), n_draws=4000, random_state=1)
    levels = np.array([0.05, 0.25, 0.5, 0.75, 0.95])
    shares = gamma(3.0).cdf(np.exp(chains.quantile(levels)[:, 0]))
    assert_allclose(shares, levels, atol=0.02)


def test_a_fixed_step_is_kept_and_one_seed_gives_one_answer():
    runs = [
        sample_nuts(normal, np.zeros(3), step_size=0.3, n_draws=50, n_warmup=20, random_state=5)
        for _ in range(2)
    ]
    assert_array_equal(runs[0].draws, runs[1].draws)
    assert_array_equal(runs[0].statistics["step_size"], 0.3)


def test_a_funnel_is_told_by_its_divergences():
    """Neal's funnel in nine dimensions: the step that suits the mouth is too long for the neck."""

    def funnel(x):
        v, rest = x[0], x[1:]
        scaled = rest @ rest * np.exp(-v)
        value = -(v**2) / 18 - 0.5 * scaled - 0.5 * len(rest) * v
        slope = np.concatenate([[-v / 9 + 0.5 * scaled - 0.5 * len(rest)], -rest * np.exp(-v)])
        return value, slope

    chains = sample_nuts(funnel, np.zeros(9), n_draws=200, n_warmup=200, random_state=0)
    assert chains.statistics["divergent"].sum() > 0


def test_value_and_gradient_may_come_apart():
    together = sample_nuts(normal, np.zeros(3), n_draws=20, n_warmup=20, random_state=0)
    apart = sample_nuts(
        lambda x: normal(x)[0], np.zeros(3), gradient=lambda x: normal(x)[1],
        n_draws=20, n_warmup=20, random_state=0,
    )  # fmt: skip
    assert_array_equal(together.draws, apart.draws)


def test_walls_are_respected():
    def half(x):
        return (-float(x[0]), -np.ones(1)) if x[0] > 0 else (-np.inf, np.zeros(1))

    chains = sample_nuts(half, np.ones(1), n_draws=2000, random_state=0)
    assert chains.draws.min() > 0
    assert chains.mean[0] == pytest.approx(1.0, abs=0.15)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_draws": 0}, "n_draws must be an integer of at least 1, got 0"),
        ({"n_warmup": -1}, "n_warmup must be an integer of at least 0"),
        ({"n_chains": 1.5}, "n_chains must be an integer"),
        ({"max_depth": 0}, "max_depth must be an integer from 1 to 20"),
        ({"target_acceptance": 1.0}, "target_acceptance must be between 0 and 1"),
        ({"step_size": -1.0}, "step_size must be positive"),
        ({"metric": "round"}, "metric must be 'auto'"),
        ({"names": ["a"]}, "names must be 3 different names"),
        ({"start": np.array([np.nan, 0, 0])}, "start must be of shape"),
        ({"start": np.zeros((2, 3))}, "start must be 4 rows"),
        ({"log_density": lambda x: -0.5 * x @ x}, "returns \\(value, gradient\\)"),
        ({"gradient": lambda x: x[:2], "log_density": lambda x: 0.0}, "gradient must be of shape"),
        ({"log_density": lambda x: (-np.inf, x)}, "start must be where log_density is finite"),
        ({"log_density": lambda x: (0.0, np.nan * x)}, "start must be .* and its gradient"),
    ],
)
def test_what_is_refused(change, message):
    given = {"log_density": normal, "start": np.zeros(3), **change}
    with pytest.raises(ValueError, match=f"sample_nuts: {message}|{message}"):
        sample_nuts(given.pop("log_density"), given.pop("start"), **given)
    with pytest.raises(ValueError, match="n_steps must be"):
        sample_hmc(normal, np.zeros(3), n_steps=0)
