import numpy as np
import pytest

from margin.decomposition.sources._dictionary import Coded, DictionaryProblem, learn_dictionary

RNG = np.random.default_rng(0)
X = (RNG.normal(size=(50, 5)) * (RNG.random((50, 5)) < 0.4)) @ RNG.normal(size=(5, 8))


def start(k):
    atoms = RNG.normal(size=(k, 8))
    return Coded(np.zeros((50, k)), atoms / np.linalg.norm(atoms, axis=1, keepdims=True))


@pytest.mark.parametrize("k", [3, 12])
@pytest.mark.parametrize("positive", [False, True])
def test_objective_falls_and_atoms_stay_in_the_ball(k, positive):
    """decomposition.15: the energy of an atom is at most one, also where atoms are many."""
    problem = DictionaryProblem(X, 0.2, positive, positive)
    first = start(k)
    first = Coded(first.codes, np.abs(first.atoms)) if positive else first
    solution = learn_dictionary(problem, first, RNG, tol=1e-7, max_iter=500)
    trace = solution.trace["objective"]
    if not solution.repairs:
        assert np.diff(trace).max() <= 1e-9 * trace[0]
    assert np.linalg.norm(solution.x.atoms, axis=1).max() <= 1 + 1e-12
    assert solution.objective == pytest.approx(problem.value(solution.x))
    if positive:
        assert min(solution.x.atoms.min(), solution.x.codes.min()) >= 0


def test_unused_atoms_are_replaced():
    atoms = np.vstack([np.eye(8)[:2], np.zeros((1, 8))])
    solution = learn_dictionary(
        DictionaryProblem(X, 0.1), Coded(np.zeros((50, 3)), atoms), RNG, tol=1e-6, max_iter=200
    )
    assert "unused atoms replaced" in solution.repairs[0]
    assert np.abs(solution.x.codes).sum(axis=0).min() > 0
