"""Reductions of many classes to kernel and linear machines, against votes counted by hand."""

from itertools import combinations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_blobs

from margin.multiclass import OneVsOneClassifier, OneVsRestClassifier, OutputCodeClassifier
from margin.svm import SVC, KernelPegasos, KernelPerceptron, LinearSVC, Pegasos

MACHINES = [
    SVC(C=2.0),
    LinearSVC(dual=False),
    KernelPerceptron(gamma=0.2, n_iter_no_change=5),
    KernelPegasos(tol=1.0, max_iter=20),
    Pegasos(tol=1.0),
]
each_machine = pytest.mark.parametrize("machine", MACHINES, ids=lambda m: type(m).__name__)


@pytest.fixture(scope="module")
def data():
    X, y = make_blobs(n_samples=80, centers=4, cluster_std=2.5, random_state=3)
    weight = np.random.default_rng(0).integers(1, 4, size=80).astype(float)
    Z = np.tile(X, (2, 1)) + np.random.default_rng(1).normal(size=(160, 2))
    return X, np.array(list("wxyz"))[y], weight, Z


def margin_of(machine, X, y, weight, first, second, Z):
    """Value at ``Z`` of a machine that tells some classes (positive) from others."""
    rows = np.isin(y, first) | np.isin(y, second)
    model = clone(machine).fit(X[rows], np.isin(y[rows], first), sample_weight=weight[rows])
    return model.decision_function(Z)


@each_machine
def test_one_vs_one_by_votes(machine, data):
    """linear.49, svm.14: the class with most duels won, ties by the sum of the values."""
    X, y, weight, Z = data
    labels = np.unique(y)
    won, total = np.zeros((len(Z), 4)), np.zeros((len(Z), 4))
    for i, j in combinations(range(4), 2):
        value = margin_of(machine, X, y, weight, labels[[i]], labels[[j]], Z)
        won[:, i] += value >= 0
        won[:, j] += value < 0
        total[:, i] += value
        total[:, j] -= value
    made = OneVsOneClassifier(estimator=machine).fit(X, y, sample_weight=weight)
    best = np.lexsort((total, won), axis=1)[:, -1]
    assert np.array_equal(made.predict(Z), labels[best])


@each_machine
def test_decision_graph(machine, data):
    """linear.50: the first and the last class still standing meet until one is left."""
    X, y, weight, Z = data
    labels = np.unique(y)
    values = {
        (i, j): margin_of(machine, X, y, weight, labels[[i]], labels[[j]], Z)
        for i, j in combinations(range(4), 2)
    }
    wanted = []
    for row in range(len(Z)):
        standing = [0, 1, 2, 3]
        while len(standing) > 1:
            lost = -1 if values[standing[0], standing[-1]][row] >= 0 else 0
            del standing[lost]
        wanted.append(labels[standing[0]])
    made = OneVsOneClassifier(estimator=machine, decision="dag")
    made.fit(X, y, sample_weight=weight)
    assert made.predict(Z).tolist() == wanted


@each_machine
def test_one_vs_rest_by_the_largest_value(machine, data):
    """linear.48: every class against all others."""
    X, y, weight, Z = data
    labels = np.unique(y)
    values = np.column_stack(
        [margin_of(machine, X, y, weight, [k], labels[labels != k], Z) for k in labels]
    )
    made = OneVsRestClassifier(estimator=machine).fit(X, y, sample_weight=weight)
    assert np.array_equal(made.predict(Z), labels[values.argmax(axis=1)])


@each_machine
def test_coding_matrix_by_hamming_and_hinge(machine, data):
    """linear.51, linear.56: nearest row of a code with left-out classes."""
    X, y, weight, Z = data
    labels = np.unique(y)
    code = np.array([[1, 1, 0, 1, -1], [1, -1, 1, 0, 1], [-1, 0, 1, 1, 1], [-1, -1, -1, -1, 0]])
    values = np.column_stack(
        [margin_of(machine, X, y, weight, labels[c > 0], labels[c < 0], Z) for c in code.T]
    )
    agreement = values[:, None] * code
    how = {"estimator": machine, "code": code}
    made = OutputCodeClassifier(**how, decoding="loss", loss="hinge")
    made.fit(X, y, sample_weight=weight)
    best = np.maximum(0, 1 - agreement).sum(axis=2).argmin(axis=1)
    assert np.array_equal(made.predict(Z), labels[best])
    sign = np.where(values[:, None] >= 0, 1, -1) * code
    wrong = 0.5 * (1 - sign).sum(axis=2)
    best = np.lexsort((agreement.sum(axis=2), -wrong), axis=1)[:, -1]
    made = OutputCodeClassifier(**how, decoding="hamming").fit(X, y, sample_weight=weight)
    assert np.array_equal(made.predict(Z), labels[best])


@pytest.mark.parametrize(("own", "decision"), [("ovo", "votes"), ("dag", "dag")])
def test_svc_alone_agrees_with_the_reduction(own, decision, data):
    """svm.02: one kernel width for all duels, as the reduction has it with a number."""
    X, y, weight, Z = data
    alone = SVC(gamma=0.1, multi_class=own).fit(X, y, sample_weight=weight)
    around = OneVsOneClassifier(estimator=SVC(gamma=0.1), decision=decision)
    around.fit(X, y, sample_weight=weight)
    assert np.mean(alone.predict(Z) == around.predict(Z)) >= 0.99


@pytest.mark.parametrize("machine", [KernelPerceptron(gamma=0.2), KernelPegasos(tol=1.0)])
def test_machines_of_one_class_against_the_others(machine, data):
    """svm.11, svm.14: what the counting machines do themselves is one-vs-rest."""
    X, y, weight, Z = data
    alone = clone(machine).fit(X, y, sample_weight=weight)
    around = OneVsRestClassifier(estimator=machine).fit(X, y, sample_weight=weight)
    inner = np.column_stack([m.decision_function(Z) for m in around.estimators_])
    if isinstance(machine, KernelPegasos):
        assert np.allclose(alone.decision_function(Z), inner)
    assert np.mean(alone.predict(Z) == around.predict(Z)) >= 0.9
