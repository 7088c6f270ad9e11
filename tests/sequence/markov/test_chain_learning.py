import numpy as np
import pytest

from margin.sequence.markov._chain_learning import ChainLearning, Chains
from margin.sequence.markov._contexts import coded

RNG = np.random.default_rng(0)


def chains(H, K):
    return Chains(
        RNG.dirichlet(np.ones(H)), RNG.dirichlet(np.ones(K), H), RNG.dirichlet(np.ones(K), (H, K))
    )


def test_both_ways_of_the_e_step_agree():
    """Counts of whole sequences, and messages over a gap that is no gap."""
    at = chains(2, 3)
    walks = [RNG.integers(0, 3, n).astype(float) for n in (1, 5, 8)]
    whole = ChainLearning(coded("c", walks, None, 3), np.array([1.0, 2.0, 0.5]), 1.5)
    gaps = ChainLearning(
        coded("c", [*walks, [np.nan]], None, 3), np.array([1.0, 2.0, 0.5, 1e-12]), 1.5
    )
    a, b = whole.expect(at), gaps.expect(at)
    assert a.bound == pytest.approx(b.bound)
    for left, right in zip(a.statistics, b.statistics, strict=True):
        np.testing.assert_allclose(left, right, atol=1e-9)


def test_joint_by_hand_and_zeros():
    at = Chains(np.array([1.0]), np.array([[1.0, 0.0]]), np.array([[[0.5, 0.5], [0.0, 1.0]]]))
    problem = ChainLearning(coded("c", [[0, 0, 1], [1], [0, 1, 0]], None, 2), np.ones(3), 1.0)
    np.testing.assert_allclose(np.exp(problem.log_joint(at)[:, 0]), [0.25, 0.0, 0.0])


def test_an_empty_component_is_told():
    at = Chains(np.array([0.5, 0.5]), np.array([[0.5, 0.5], [1.0, 0.0]]), np.full((2, 2, 2), 0.5))
    problem = ChainLearning(coded("c", [[1, 1]], None, 2), np.ones(1), 1.0)
    after = problem.maximise(problem.expect(at).statistics, at)
    assert "component 1 has lost all its sequences" in after.repairs[0]
