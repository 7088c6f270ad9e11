"""The steps of Baum and Welch against sums over all paths."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from margin.core import FitError
from margin.distributions import Categorical
from margin.inference import Repaired
from margin.sequence.hidden_markov._learning import Learning, Parameters, learn
from margin.sequence.hidden_markov.emissions._emission import SymbolEmission

RNG = np.random.default_rng(0)


def problem(walks, k, m=3, **settings):
    rows = np.concatenate(walks).astype(float)[:, None]
    offsets = np.concatenate([[0], np.cumsum([len(w) for w in walks])])
    settings.setdefault("groups", np.arange(k))
    return Learning(
        SymbolEmission(n_symbols=m), rows, offsets, settings.pop("allowed", None),
        settings.pop("weight", None), **settings,
    )  # fmt: skip


def parameters(k, m=3, laws=None):
    B = RNG.dirichlet(np.ones(m), laws or k)
    return Parameters(RNG.dirichlet(np.ones(k)), RNG.dirichlet(np.ones(k), k), Categorical(B))


def brute(walks, at, groups):
    """Log likelihood and expected counts over all paths."""
    k, B = len(at.start), at.laws.probabilities[groups]
    first, pairs, shown = np.zeros(k), np.zeros((k, k)), np.zeros_like(at.laws.probabilities)
    value = 0.0
    for walk in walks:
        terms = []
        for path in product(range(k), repeat=len(walk)):
            p = at.start[path[0]] * B[path[0], walk[0]]
            for t in range(1, len(walk)):
                p *= at.transition[path[t - 1], path[t]] * B[path[t], walk[t]]
            terms.append((p, path))
        total = sum(p for p, _ in terms)
        value += np.log(total)
        for p, path in terms:
            first[path[0]] += p / total
            for t, state in enumerate(path):
                shown[groups[state], walk[t]] += p / total
                if t:
                    pairs[path[t - 1], state] += p / total
    return value, first, pairs, shown


@pytest.mark.parametrize("groups", [[0, 1, 2], [0, 1, 0]])
def test_e_and_m_steps_over_all_paths(groups):
    """sequence.16: expected counts of several sequences, and their shares; tied emissions too."""
    groups = np.array(groups)
    walks = [RNG.integers(0, 3, n) for n in (1, 4, 5)]
    at = parameters(3, laws=int(groups.max()) + 1)
    task = problem(walks, 3, groups=groups)
    bound, counts = task.expect(at)
    value, first, pairs, shown = brute(walks, at, groups)
    assert bound == pytest.approx(value)
    np.testing.assert_allclose(counts.first, first)
    np.testing.assert_allclose(counts.pairs, pairs)
    np.testing.assert_allclose(counts.laws.padded(3), shown)
    after = task.maximise(counts, at)
    np.testing.assert_allclose(after.start, first / 3)
    np.testing.assert_allclose(after.transition, pairs / pairs.sum(axis=1, keepdims=True))
    np.testing.assert_allclose(after.laws.probabilities, shown / shown.sum(axis=1, keepdims=True))


def test_the_bound_never_falls_and_zeros_stay():
    """sequence.16: structural zeros of a chain from left to right; the smallest step is no fall."""
    walks = [RNG.integers(0, 3, n) for n in (20, 30, 25)]
    at = parameters(3)
    left = np.triu(at.transition)
    at = replace(at, start=np.array([1.0, 0, 0]), transition=left / left.sum(axis=1, keepdims=True))
    solution = learn("HMM", problem(walks, 3), [at], tol=1e-10, max_iter=300)
    assert solution.extras["smallest_step"] > -1e-9
    assert (solution.x.transition[np.tril_indices(3, -1)] == 0).all()
    assert solution.x.start.tolist() == [1.0, 0.0, 0.0]


def test_an_even_start_is_a_saddle():
    """sequence.16: equal rows stay equal."""
    walks = [RNG.integers(0, 3, 40)]
    even = Parameters(np.full(2, 0.5), np.full((2, 2), 0.5), Categorical(np.full((2, 3), 1 / 3)))
    solution = learn("HMM", problem(walks, 2), [even], tol=1e-12, max_iter=50)
    np.testing.assert_allclose(*solution.x.laws.probabilities)


def test_known_states_are_counting():
    """sequence.15: with all labels known one step gives the shares of the counts."""
    walks, states = [np.array([0, 1, 2, 1])], np.array([0, 0, 1, 1])
    task = problem(walks, 2, allowed=np.arange(2) == states[:, None])
    after = task.maximise(task.expect(parameters(2)).statistics, parameters(2))
    np.testing.assert_allclose(after.transition, [[0.5, 0.5], [0, 1]])
    np.testing.assert_allclose(after.laws.probabilities, [[0.5, 0.5, 0], [0, 0.5, 0.5]])


def test_partial_labels_are_sums_over_the_paths_left():
    walk, at = RNG.integers(0, 3, 5), parameters(2)
    allowed = np.ones((5, 2), dtype=bool)
    allowed[1], allowed[3] = [True, False], [False, True]
    bound = problem([walk], 2, allowed=allowed).expect(at).bound
    total = 0.0
    for path in product(range(2), repeat=5):
        if path[1] == 0 and path[3] == 1:
            p = at.start[path[0]] * at.laws.probabilities[path[0], walk[0]]
            for t in range(1, 5):
                p *= at.transition[path[t - 1], path[t]] * at.laws.probabilities[path[t], walk[t]]
            total += p
    assert bound == pytest.approx(np.log(total))


def test_viterbi_training_climbs_the_best_path():
    """sequence.20: the joint probability of data and best paths never falls."""
    walks = [RNG.integers(0, 3, 30) for _ in range(4)]
    task = problem(walks, 2, hard=True)
    solution = learn("HMM", task, [parameters(2)], tol=0.0, max_iter=100)
    assert solution.extras["smallest_step"] > -1e-9
    assert solution.solver == "Viterbi training"


def test_weights_are_copies_and_statistics_add_up():
    walks, at = [RNG.integers(0, 3, n) for n in (6, 9)], parameters(2)
    heavy = problem(walks, 2, weight=np.array([2.0, 1.0])).expect(at)
    long = problem([walks[0], *walks], 2).expect(at)
    assert heavy.bound == pytest.approx(long.bound)
    np.testing.assert_allclose(heavy.statistics.pairs, long.statistics.pairs)
    apart = [problem([w], 2).expect(at).statistics for w in walks]
    joined = problem(walks, 2).expect(at).statistics
    np.testing.assert_allclose((apart[0] + apart[1]).pairs, joined.pairs)


def test_priors_enter_bound_and_step():
    walks, at = [RNG.integers(0, 3, 12)], parameters(2)
    task = problem(walks, 2, start_prior=2.0, transition_prior=3.0)
    solution = learn("HMM", task, [at], tol=1e-10, max_iter=500)
    assert solution.extras["smallest_step"] > -1e-9
    assert solution.x.transition.min() > 0


def test_a_state_without_mass_is_seeded_again_once():
    walks = [np.array([0, 1, 0, 1, 1])]
    at = Parameters(
        np.array([1.0, 0.0]), np.array([[1.0, 1e-300], [0.5, 0.5]]), parameters(2, 2).laws
    )
    task = problem(walks, 2, m=2)
    after = task.maximise(task.expect(at).statistics, at)
    assert isinstance(after, Repaired)
    assert "state 1 had lost all its mass" in after.repairs[0]
    assert after.parameters.transition[0, 1] > 1e-3
    again = task.maximise(task.expect(at).statistics, replace(at, reseeded=(1,)))
    assert "state 1 lost all its mass again" in again.repairs[0]
    silent = task.maximise(task.expect(at).statistics, replace(at, reseeded=(1,), idle=(1,)))
    assert isinstance(silent, Parameters)


def test_fixed_parts_stay():
    walks, at = [RNG.integers(0, 3, 12)], parameters(2)
    task = problem(walks, 2, fixed=("start", "transition", "emission"))
    assert task.maximise(task.expect(at).statistics, at) == replace(at)


def test_impossible_sequences_are_named():
    at = Parameters(np.ones(1), np.ones((1, 1)), Categorical([[1.0, 0.0, 0.0]]))
    with pytest.raises(FitError, match="sequence 1 has probability 0"):
        problem([np.array([0]), np.array([2])], 1).expect(at)


def test_pieces_are_the_whole():
    """sequence.16: the E step with checkpoints, with weights and partial labels."""
    walks, at = [RNG.integers(0, 3, n) for n in (30, 1, 17)], parameters(3, laws=2)
    allowed = np.ones((48, 3), dtype=bool)
    allowed[12] = [True, False, False]
    settings = {
        "groups": np.array([0, 1, 0]),
        "allowed": allowed,
        "weight": np.array([1.0, 2.0, 0.5]),
    }
    whole = problem(walks, 3, **settings).expect(at)
    pieces = problem(walks, 3, low_memory=True, **settings).expect(at)
    assert pieces.bound == pytest.approx(whole.bound)
    for name in ("first", "pairs", "visits"):
        a, b = getattr(pieces.statistics, name), getattr(whole.statistics, name)
        np.testing.assert_allclose(a, b, atol=1e-9)
    np.testing.assert_allclose(
        pieces.statistics.laws.counts, whole.statistics.laws.counts, atol=1e-9
    )
