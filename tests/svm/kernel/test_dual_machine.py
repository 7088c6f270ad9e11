"""Solvers of the duals, their parameters, and reports."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.core import FitError
from margin.optim import GramMatrix, soft_margin, tube
from margin.svm import SVC, SVR, NuSVC
from margin.svm.kernel._dual_machine import DualSettings

X = np.random.default_rng(0).normal(size=(40, 2))
Y = (X[:, 0] > 0).astype(int)


def test_parameters_become_settings():
    settings = SVR(tol=1, max_iter=7, cache_size=3, shrinking=False, n_jobs=1)._settings()
    assert settings == DualSettings("SVR", "smo", 1.0, 7, 3.0, False, 1)
    assert SVC()._settings().max_iter is None


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
    assert model.n_iter_.shape == (3,)
    assert model.n_iter_.sum() == report.n_iter


@pytest.mark.parametrize("estimator", [SVC(max_iter=True), NuSVC(max_iter=2.5)])
def test_bad_limit(estimator):
    with pytest.raises(ValueError, match="max_iter must be an integer of at least 1, or -1"):
        estimator.fit(X, Y)


RNG = np.random.default_rng(0)
Z = RNG.normal(size=(20, 2))
SIGN = np.where(Z[:, 0] + 0.5 * RNG.normal(size=20) > 0, 1.0, -1.0)
GRAM = GramMatrix(np.exp(-0.5 * ((Z[:, None] - Z) ** 2).sum(axis=-1)))


@pytest.mark.parametrize(
    "problem",
    [soft_margin(GRAM, SIGN, np.ones(20)), tube(GRAM, Z[:, 0], np.ones(20), 0.1)],
    ids=["classes", "numbers"],
)
def test_two_solvers_agree(problem):
    one = DualSettings(tol=1e-8).solve(problem)
    two = DualSettings(tol=1e-6, solver="qp").solve(problem)
    assert two.certificate.holds
    assert_allclose(one.objective, two.objective, rtol=1e-8)
    assert_allclose(problem.by_row(one.x), problem.by_row(two.x), atol=1e-4)
    assert_allclose(one.extras["scores"], two.extras["scores"], atol=1e-5)


def test_no_price_is_high_enough():
    hopeless = soft_margin(GramMatrix(np.ones((2, 2))), np.array([1.0, -1.0]), np.full(2, np.inf))
    with pytest.raises(FitError, match="Machine: C=inf asks for data that can be fitted without"):
        DualSettings("Machine").solve(hopeless)
