"""Classification with a given share of margin errors."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import svm as peer
from sklearn.datasets import load_breast_cancer, load_iris, make_classification

from margin.svm import SVC, NuSVC

IRIS, SPECIES = load_iris(return_X_y=True)
X, Y = make_classification(200, 5, flip_y=0.15, random_state=0)


@pytest.mark.parametrize("kernel", ["rbf", "linear"])
@pytest.mark.parametrize("nu", [0.23, 0.47])
def test_same_machine_as_scikit_learn(kernel, nu):
    theirs = peer.NuSVC(nu=nu, kernel=kernel, tol=1e-8).fit(IRIS, SPECIES)
    ours = NuSVC(nu=nu, kernel=kernel, tol=1e-8).fit(IRIS, SPECIES)
    assert_allclose(ours.decision_function(IRIS), theirs.decision_function(IRIS), atol=1e-4)


def test_nu_is_between_the_errors_and_the_support():
    """svm.04: at most a share nu of margin errors, at least that share of support vectors."""
    for nu in (0.3, 0.5, 0.7):
        report = NuSVC(nu=nu, tol=1e-8).fit(X, Y).support_report_
        assert len(report.margin_errors) <= nu * len(X) + 1e-6
        assert len(report.support) >= nu * len(X) - 1e-6


def test_it_is_the_soft_margin_of_some_price():
    """svm.03: C is the bound of the scaled multipliers."""
    ours = NuSVC(nu=0.5, tol=1e-9, gamma=0.2).fit(X, Y)
    price = np.abs(ours.dual_coef_).max()
    soft = SVC(C=price, tol=1e-9, gamma=0.2).fit(X, Y)
    assert_allclose(soft.decision_function(X), ours.decision_function(X), atol=1e-5)


def test_too_large_a_share_is_lowered_and_told():
    y = (np.arange(len(X)) < 20).astype(int)
    model = NuSVC(nu=0.9).fit(X, y)
    assert model.fit_report_.repairs[0].startswith("lowered nu from 0.9 to 0.2")
    same = NuSVC(nu=0.5).fit(np.ones((4, 1)), [0, 1, 0, 1])
    assert "no width" in same.fit_report_.repairs[0]


def test_bad_parameters():
    for nu in (0, 1.5, "half"):
        with pytest.raises(ValueError, match="NuSVC: nu must be"):
            NuSVC(nu=nu).fit(X, Y)
    probable = NuSVC(probability="sigmoid").fit(X, Y)
    assert_array_equal(probable.predict_proba(X).shape, (200, 2))
    assert_allclose(np.exp(probable.predict_log_proba(X)), probable.predict_proba(X))


@pytest.mark.filterwarnings("ignore:.*not positive semi-definite")
def test_indefinite_kernel_is_not_turned_round():
    rows, y = load_breast_cancer(return_X_y=True)
    theirs = peer.NuSVC(kernel="sigmoid", nu=0.2).fit(rows, y)
    model = NuSVC(kernel="sigmoid", nu=0.2).fit(rows, y)
    assert model.score(rows, y) == pytest.approx(theirs.score(rows, y), abs=0.01)
    assert any("turned the machine round" in note for note in model.fit_report_.repairs)


def test_class_weights_are_weights_of_rows():
    model = NuSVC(nu=0.3, gamma=0.5, class_weight={Y[0]: 3.0}, tol=1e-8).fit(X, Y)
    weight = np.where(Y[0] == Y, 3.0, 1.0)
    by_row = NuSVC(nu=0.3, gamma=0.5, tol=1e-8).fit(X, Y, sample_weight=weight)
    assert_allclose(model.decision_function(X), by_row.decision_function(X), atol=1e-6)
