"""Support vector machines that choose among kernels."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning

from margin.kernels import RBF, Linear, Spectrum, combine, on_columns
from margin.svm import SVC, MultipleKernelSVC

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
Y = np.where(np.abs(X[:, 0]) + 0.4 * X[:, 1] + 0.2 * RNG.normal(size=60) > 0.8, "in", "out")
PARTS = [on_columns(RBF(1.0), [j]) for j in range(3)]
STACK = np.array([part(X) for part in PARTS])


def value(K, y, C):
    """Primal value of the machine with a kernel matrix."""
    report = SVC(kernel="precomputed", C=C, tol=1e-8).fit(K, y).fit_report_
    return -report.objective


def test_no_weights_on_a_grid_are_better():
    """svm.19"""
    model = MultipleKernelSVC(kernels=PARTS, C=2.0, normalize=False, tol=1e-7).fit(X, Y)
    best = model.fit_report_.objective
    at = value(np.tensordot(model.weights_, STACK, 1), Y, 2.0)
    assert_allclose(best, at, rtol=1e-6)
    for i, j in product(range(11), repeat=2):
        if i + j <= 10:
            weights = np.array([i, j, 10 - i - j]) / 10
            assert value(np.tensordot(weights, STACK, 1), Y, 2.0) >= best * (1 - 1e-6)


def test_useless_kernels_get_no_weight():
    """svm.19"""
    rows = np.random.default_rng(7).normal(size=(200, 3))
    y = np.abs(rows[:, 0]) > 0.7
    model = MultipleKernelSVC(kernels=["rbf", "linear"]).fit(rows, y)
    assert model.weights_[1] == 0.0
    assert model.fit_report_.notes[0].startswith("weight 1 of RBF")
    assert model.fit_report_.notes[-1] == "weight 0 of 1 other kernels"
    noise = MultipleKernelSVC(kernels=PARTS).fit(rows, y).weights_[1:]
    assert noise.max() < 0.1


@pytest.mark.parametrize("strategy", ["joint", "alignment", "mean"])
def test_one_kernel_is_svc(strategy):
    model = MultipleKernelSVC(
        kernels=["rbf"], strategy=strategy, normalize=False, probability="sigmoid"
    )
    ours, theirs = model.fit(X, Y), SVC(probability="sigmoid").fit(X, Y)
    assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-8)
    assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-6)
    assert (ours.support_ == theirs.support_).all()
    assert ours.kernel_ == theirs._kernel


def test_large_norms_approach_the_mean():
    mean = MultipleKernelSVC(kernels=PARTS, strategy="mean", tol=1e-6).fit(X, Y)
    assert_allclose(mean.weights_, 1 / 3)
    assert_allclose(MultipleKernelSVC(kernels=PARTS, norm=np.inf).fit(X, Y).weights_, 1 / 3)
    spread = [
        np.ptp(MultipleKernelSVC(kernels=PARTS, norm=p, tol=1e-6).fit(X, Y).weights_)
        for p in (1.5, 4.0, 1000.0)
    ]
    assert spread[0] > spread[1] > spread[2]
    assert spread[2] < 1e-2
    far = MultipleKernelSVC(kernels=PARTS, norm=1000.0, tol=1e-6).fit(X, Y)
    assert_allclose(far.fit_report_.objective, mean.fit_report_.objective, rtol=1e-3)


def test_alignment_is_that_of_the_kernels():
    model = MultipleKernelSVC(kernels=PARTS, strategy="alignment", normalize=False).fit(X, Y)
    assert_allclose(model.weights_, combine(PARTS, X, Y).weights, atol=1e-8)
    assert "alignment" in model.fit_report_.solver


@pytest.mark.parametrize("strategy", ["joint", "alignment"])
def test_weights_are_repeated_rows(strategy):
    weight = RNG.integers(0, 3, size=60)
    model = MultipleKernelSVC(kernels=PARTS, strategy=strategy, tol=1e-8)
    one = model.fit(X, Y, sample_weight=weight)
    values, weights = one.decision_function(X), one.weights_
    many = model.fit(np.repeat(X, weight, axis=0), np.repeat(Y, weight))
    assert_allclose(many.weights_, weights, atol=1e-4)
    assert_allclose(many.decision_function(X), values, atol=1e-3)


def test_machines_of_many_classes_share_the_best_weights():
    rows, y = load_iris(return_X_y=True)
    parts = [on_columns(RBF(1.0), [j]) for j in (0, 3)]
    stack = np.array([part(rows) for part in parts])
    for scheme in ("ovo", "ovr"):
        model = MultipleKernelSVC(
            kernels=parts, multi_class=scheme, normalize=False, tol=1e-6, probability="sigmoid"
        ).fit(rows, y)
        assert model.fit_report_.certificate.holds
        assert model.predict_proba(rows).shape == (150, 3)
        assert model.score(rows, y) > 0.95
        for share in np.linspace(0, 1, 6):
            K = np.tensordot([share, 1 - share], stack, 1)
            other = SVC(kernel="precomputed", multi_class=scheme, tol=1e-8).fit(K, y)
            assert -other.fit_report_.objective >= model.fit_report_.objective * (1 - 1e-6)


def test_matrices_give_the_same_machine():
    ours = MultipleKernelSVC(kernels="precomputed", C=3.0).fit(STACK[:, :40, :40], Y[:40])
    theirs = MultipleKernelSVC(kernels=PARTS, C=3.0).fit(X[:40], Y[:40])
    assert_allclose(ours.weights_, theirs.weights_, atol=1e-8)
    new = theirs.decision_function(X[40:])
    assert_allclose(ours.decision_function(STACK[:, 40:, :40]), new, atol=1e-8)
    assert (ours.predict(STACK[:, 40:, :40]) == theirs.predict(X[40:])).all()
    assert ours.kernel_ is None


def test_strings():
    words = ["abab", "abba", "aabb", "baba", "cdcd", "ddcc", "dcdc", "ccdd"]
    y = [0, 0, 0, 0, 1, 1, 1, 1]
    model = MultipleKernelSVC(kernels=[Spectrum(1), Spectrum(2)]).fit(words, y)
    assert (model.predict(words) == y).all()


def test_learnt_kernel_serves_other_machines():
    model = MultipleKernelSVC(kernels=["linear", "rbf"], C=1.0, tol=1e-6).fit(X, Y)
    other = SVC(kernel=model.kernel_).fit(X, Y)
    assert_allclose(other.decision_function(X), model.decision_function(X), atol=1e-4)


def test_more_rows_than_a_working_set_and_single_precision():
    rows = np.random.default_rng(5).normal(size=(700, 2)).astype(np.float32)
    y = (rows**2).sum(axis=1) > 1.2
    model = MultipleKernelSVC(kernels=[Linear(), RBF(1.0)], C=10.0).fit(rows, y)
    assert model.weights_[1] > 0.95
    assert model.fit_report_.certificate.holds
    assert model.decision_function(rows).dtype == np.float32


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"norm": 0.5}, "norm must be a number of at least 1"),
        ({"norm": True}, "norm must be"),
        ({"C": 0.0}, "C must be a number above 0"),
        ({"C": np.inf}, "C must be finite, got inf"),
        ({"strategy": "best"}, "strategy must be one of"),
        ({"normalize": 1}, "normalize must be True or False"),
        ({"kernels": "rbf"}, "kernels must be a list"),
        ({"gamma": -1.0}, "gamma must be"),
        ({"max_iter": 0}, "max_iter must be"),
    ],
)
def test_refusals(settings, message):
    with pytest.raises(ValueError, match=f"MultipleKernelSVC: {message}"):
        MultipleKernelSVC(**settings).fit(X, Y)


def test_too_few_changes_are_said():
    with pytest.warns(ConvergenceWarning, match="raise max_iter or raise tol"):
        MultipleKernelSVC(kernels=PARTS, max_iter=1).fit(X, Y)


@pytest.mark.parametrize("weight", [1e20, 1e300])
def test_huge_weights_of_equal_rows_have_an_end(weight):
    """Multipliers of equal rows with different labels go to their walls at once."""
    rows, labels = [[0.0], [-1.0], [0.0], [0.0], [5.0]], [4, 0, 1, 2, 3]
    found = MultipleKernelSVC().fit(rows, labels, sample_weight=np.full(5, weight)).predict(rows)
    assert found[[1, 4]].tolist() == [0, 3]
    assert len(set(found[[0, 2, 3]])) == 1
