"""What classifiers share in fitting."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.core import Certificate, Solution, Status
from margin.kernels import RBF
from margin.optim import GramMatrix, Machine, Optimality
from margin.svm import SVC
from margin.svm.kernel._class_duals import SoftMargin
from margin.svm.kernel._class_machines import ClassData, assembled, merged, train_machines
from margin.svm.kernel._dual_machine import DualSettings

X = np.random.default_rng(0).normal(size=(40, 2))
Y = (X[:, 0] > 0).astype(int)


def solution(status, objective, trace, violation=1e-4):
    at = Optimality(violation, np.zeros(2), objective + 0.5, objective)
    return Solution(
        np.zeros(1),
        status,
        3,
        objective,
        {"objective": np.array(trace), "violation": np.array(trace)},
        Certificate("KKT violation", violation, 1e-3),
        "SMO",
        extras={"optimality": at},
    )


def test_several_solutions_as_one():
    one = solution(Status.CONVERGED, 1.0, [3.0, 1.0])
    two = solution(Status.MAX_ITER, 2.0, [5.0, 4.0, 2.0], 1e-2)
    machines = [Machine(np.zeros(1), 0.0, np.zeros(1), np.ones(1), s) for s in (one, two)]
    whole = merged(machines)
    assert whole.status is Status.MAX_ITER
    assert whole.objective == 3.0
    assert whole.n_iter == 6
    assert_allclose(whole.trace["objective"], [8, 5, 3])
    assert_allclose(whole.trace["violation"], [5, 4, 2])
    assert whole.certificate.value == 1e-2
    assert whole.extras["gap"] == 1.0
    assert merged(machines[:1]) is one


def test_values_in_values_out():
    """No estimator below the class: the same machines from data and settings alone."""
    y = np.digitize(X[:, 0], [-0.5, 0.5])
    kernel = RBF.from_gamma(1.0 / (2 * X.var()))
    gram = GramMatrix(kernel(X))
    data = ClassData(X, np.array(["a", "b", "c"]), y, np.ones(40), kernel, gram)
    machines = train_machines(data, "ovo", SoftMargin(1.0), DualSettings(), lambda *_: None)
    trained = assembled(
        data, machines, strategy="ovo", calibration=None, tol=1e-3, rng=np.random.default_rng(0)
    )
    model = SVC().fit(X, y)
    assert_array_equal(trained.functions.support, model.support_)
    assert_allclose(trained.dual_coef, model.dual_coef_, rtol=1e-12)
    assert_allclose(trained.functions(X), model._scores(X), rtol=1e-10)
    assert trained.calibrations == ()
    with pytest.raises(AttributeError):
        trained.classes = None
