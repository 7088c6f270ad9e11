import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.causal import FiniteSEM, ResponseTypes, causation_bounds, naive_difference


def test_types_by_simulation():
    """causal.14: R_A = N_A (p_a + p_c), R_B = N_B (q_b + q_c); exchangeable groups are unbiased"""
    rng = np.random.default_rng(0)
    p, q = (ResponseTypes(*rng.dirichlet(np.ones(4))) for _ in range(2))
    outcome = {"A": np.array([1, 0, 1, 0]), "B": np.array([0, 1, 1, 0])}
    for types, arm in ((p, "A"), (q, "B")):
        kind = rng.choice(4, 40_000, p=[types.a, types.b, types.c, types.d])
        seen = outcome[arm][kind].sum()
        assert_allclose(seen / 40_000, types.recovered(arm, 40_000) / 40_000, atol=0.01)
    assert_allclose(naive_difference(p, q), p.a + p.c - (q.b + q.c))
    assert_allclose(naive_difference(p, p), p.effect)
    mixed = p.mixed(q, 0.25)
    assert_allclose(mixed.effect, 0.25 * p.effect + 0.75 * q.effect)


def test_bounds_hold_for_every_law_of_types():
    rng = np.random.default_rng(1)
    for _ in range(200):
        types = ResponseTypes(*rng.dirichlet(np.ones(4)))
        bounds = causation_bounds(types.recovery("A"), types.recovery("B"))
        assert bounds.benefit[0] - 1e-9 <= types.a <= bounds.benefit[1] + 1e-9
        assert bounds.harm[0] - 1e-9 <= types.b <= bounds.harm[1] + 1e-9
        need = types.a / types.recovery("A")
        assert bounds.necessity[0] - 1e-9 <= need <= bounds.necessity[1] + 1e-9


def test_types_are_the_noise_of_a_structural_model():
    types = ResponseTypes(0.3, 0.1, 0.4, 0.2)
    sem = FiniteSEM(
        {"x": (), "y": ("x",)},
        {"x": [0, 1], "y": [[0, 1, 1, 0], [1, 0, 1, 0]]},
        {"x": [0.5, 0.5], "y": [types.a, types.b, types.c, types.d]},
    )
    assert_allclose(sem.query("y", do={"x": 1})[1], types.recovery("A"))
    cured = sem.counterfactual("y", {"x": 1, "y": 1}, do={"x": 0})[0]
    assert_allclose(cured, types.a / types.recovery("A"))


def test_what_is_refused():
    with pytest.raises(ValueError, match="ResponseTypes: shares must be of sum 1"):
        ResponseTypes(0.5, 0.5, 0.5, 0.0)
    with pytest.raises(ValueError, match="treatment must be 'A' or 'B'"):
        ResponseTypes(1, 0, 0, 0).recovery("C")
    with pytest.raises(ValueError, match="causation_bounds: treated"):
        causation_bounds(1.5, 0.1)
