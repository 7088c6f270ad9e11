"""Structured kernels in the machines that take kernels."""

import networkx as nx
import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.gp import GaussianProcessRegressor
from margin.kernels import (
    Delta,
    RandomWalk,
    Spectrum,
    Subsequence,
    SubsetTrees,
    WeisfeilerLehman,
    White,
    approximate,
    check_psd,
    normalise,
)
from margin.kernels.parts import _engines
from margin.svm import SVC


def strings(rng, n):
    """Two kinds of strings, told apart by the motif they hold."""
    y = np.arange(n) % 2
    words = []
    for kind in y:
        letters = rng.choice(list("ACGT"), 30)
        letters[8:14] = list("GATTAC" if kind else "CCGGTT")
        words.append("".join(letters))
    return words, y


def test_svc_of_strings_is_svc_of_the_matrix():
    """kernels.28 in a support vector machine."""
    X, y = strings(np.random.default_rng(0), 60)
    kernel = normalise(Spectrum(3))
    ours = SVC(kernel=kernel).fit(X[:40], y[:40])
    given = SVC(kernel="precomputed").fit(kernel(X[:40]), y[:40])
    assert_allclose(
        ours.decision_function(X[40:]),
        given.decision_function(kernel(X[40:], X[:40])),
        atol=1e-6,
    )
    assert ours.score(X[40:], y[40:]) > 0.9


def test_svc_of_graphs():
    """kernels.29 in a support vector machine: circles with and without a chord."""
    X = [nx.cycle_graph(n) for n in range(5, 15)]
    for n in range(5, 15):
        chord = nx.cycle_graph(n)
        chord.add_edge(0, n // 2)
        X.append(chord)
    y = np.repeat([0, 1], 10)
    model = SVC(C=100.0, kernel=normalise(WeisfeilerLehman(3))).fit(X[::2], y[::2])
    assert model.score(X[1::2], y[1::2]) == 1.0


def test_a_gaussian_process_learns_the_decay():
    rng = np.random.default_rng(1)
    X, _ = strings(rng, 30)
    y = np.array([x.count("A") - x.count("C") for x in X], dtype=float)
    kernel = normalise(Subsequence(1, 0.5)) + White(0.1)
    model = GaussianProcessRegressor(kernel=kernel).fit(X, y)
    best = model.log_marginal_likelihood_value_
    assert model.predict(X).shape == (30,)
    by_hand = model.kernel_(X)
    centred = y - model.predict(X)
    assert np.isfinite(best)
    assert by_hand.shape == (30, 30)
    assert np.abs(centred).mean() < np.abs(y - y.mean()).mean()


def test_approximation_and_validity_take_them():
    X, _ = strings(np.random.default_rng(2), 25)
    assert check_psd(Spectrum(2), X).holds
    features = approximate(Spectrum(2), X, 25, method="nystroem", rng=0)(X)
    assert_allclose(features @ features.T, Spectrum(2)(X), atol=1e-6)


def test_kinds_of_objects_do_not_mix():
    with pytest.raises(ValueError, match="kernels of the same kind of object"):
        Spectrum(2) + WeisfeilerLehman(2)
    assert (Spectrum(2) + Subsequence(2) * Delta()).input == "strings"


@pytest.mark.parametrize(
    ("kernel", "X"),
    [
        (Subsequence(3, 1e200), ["abcabc"]),
        (SubsetTrees(1e300), [("a", ("b", "c"), ("b", "c"))]),
        (RandomWalk(1e300, 5), [nx.complete_graph(4)]),
    ],
)
def test_sums_that_overflow_are_refused(kernel, X):
    with pytest.raises(ValueError, match="decay must be small enough for finite sums"):
        kernel(X)


@pytest.mark.parametrize("kernel", [Spectrum(2), Subsequence(2)])
def test_matrices_beyond_memory_are_refused(kernel, monkeypatch):
    def refuse(owner, n, m, dtype):
        raise MemoryError(f"{n} by {m}")

    monkeypatch.setattr(_engines, "refuse_beyond_memory", refuse)
    with pytest.raises(MemoryError, match="2 by 1"):
        kernel(["ab", "cd"], ["ab"])
