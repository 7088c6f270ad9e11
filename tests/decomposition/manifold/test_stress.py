import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.spatial.distance import pdist

from margin.decomposition.manifold._stress import StressProblem, disparities, least_stress

RNG = np.random.default_rng(0)


def test_one_step_of_a_book():
    """decomposition.13: Borg and Groenen, page 154."""
    D = np.array([[0, 5, 3, 4], [5, 0, 2, 2], [3, 2, 0, 1], [4, 2, 1, 0.0]])
    Z = np.array([[-0.266, -0.539], [0.451, 0.252], [0.016, -0.238], [-0.200, 0.524]])
    problem = StressProblem(D[np.triu_indices(4, 1)], 4)
    found = least_stress(problem, Z, tol=1e-12, max_iter=1).x
    wanted = [[-1.415, -2.471], [1.633, 1.107], [0.249, -0.067], [-0.468, 1.431]]
    np.testing.assert_allclose(found, wanted, atol=1e-3)


@pytest.mark.parametrize("gaps", [False, True])
def test_the_stress_falls_to_where_a_foreign_optimiser_stays(gaps):
    target = pdist(RNG.normal(size=(9, 4)))
    seen = RNG.random(len(target)) < 0.8 if gaps else None
    problem = StressProblem(target, 9, seen=seen)
    solution = least_stress(problem, RNG.normal(size=(9, 2)), tol=1e-14, max_iter=20_000)
    assert np.diff(solution.trace["objective"]).max() <= 1e-9

    def stress(z):
        gap = target - pdist(z.reshape(9, 2))
        return float((gap[seen] if gaps else gap) @ (gap[seen] if gaps else gap))

    there = minimize(stress, solution.x.ravel())
    assert solution.objective == pytest.approx(there.fun, rel=1e-5)


def test_disparities_rise_with_the_distances_given():
    problem = StressProblem(RNG.random(20), 7, metric=False)
    wanted = disparities(problem, RNG.random(20))
    assert np.diff(wanted[np.argsort(problem.target)]).min() >= -1e-12
    assert (wanted**2).sum() == pytest.approx(20)


def test_only_the_order_counts_without_metric():
    D = pdist(RNG.normal(size=(8, 3)))
    start = RNG.normal(size=(8, 2))
    rules = {"tol": 1e-9, "max_iter": 500}
    one = least_stress(StressProblem(D, 8, metric=False), start, **rules)
    two = least_stress(StressProblem(np.exp(D), 8, metric=False), start, **rules)
    np.testing.assert_allclose(one.x, two.x)
