"""What classifiers share in fitting."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.core import Certificate, Solution, Status
from margin.optim import Optimality
from margin.svm import SVC, NuSVC
from margin.svm.kernel._classifier_fit import merged

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
    made = merged([one, two])
    assert made.status is Status.MAX_ITER
    assert made.objective == 3.0
    assert made.n_iter == 6
    assert_allclose(made.trace["objective"], [8, 5, 3])
    assert_allclose(made.trace["violation"], [5, 4, 2])
    assert made.certificate.value == 1e-2
    assert made.extras["gap"] == 1.0
    assert merged([one]) is one


def test_verbose_prints_the_report(capsys):
    SVC(verbose=True).fit(X, Y)
    assert capsys.readouterr().out.startswith("SVC fit: converged")


def test_report_has_the_gap_in_words_and_sums_over_machines():
    y = np.digitize(X[:, 0], [-0.5, 0.5])
    model = SVC().fit(X, y)
    report = model.fit_report_
    assert report.solver == "SMO, 3 machines"
    assert "duality gap" in report.notes[0]
    assert report.certificate.holds
    assert model.n_iter_ == report.n_iter


@pytest.mark.parametrize("estimator", [SVC(max_iter=True), NuSVC(max_iter=2.5)])
def test_bad_limit(estimator):
    with pytest.raises(ValueError, match="max_iter must be an integer of at least 1, or -1"):
        estimator.fit(X, Y)
