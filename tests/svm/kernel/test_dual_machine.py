"""Parameters of the solver, and reports."""

import numpy as np
import pytest

from margin.svm import SVC, SVR, NuSVC
from margin.svm.kernel._settings import DualSettings

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
    assert model.n_iter_ == report.n_iter


@pytest.mark.parametrize("estimator", [SVC(max_iter=True), NuSVC(max_iter=2.5)])
def test_bad_limit(estimator):
    with pytest.raises(ValueError, match="max_iter must be an integer of at least 1, or -1"):
        estimator.fit(X, Y)
