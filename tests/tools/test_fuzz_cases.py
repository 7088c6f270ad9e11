"""What the fuzzer has found, made small: an answer in numbers, or an error in our words."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from margin.core import FitError
from margin.gp import KernelRidge
from margin.graphical import IC, MMHC, PC, ExactSearch, GraphicalLasso
from margin.linear import (
    BasisExpansion,
    BayesianLinearRegression,
    ConstrainedLeastSquares,
    LeastSquaresClassifier,
    LinearDiscriminantAnalysis,
    MixedNB,
    Ridge,
    SmoothingSpline,
    ThinPlateSpline,
)
from margin.multiclass import OneVsOneClassifier, OneVsRestClassifier
from tools.fuzz.tables import Case
from tools.fuzz.trial import Trial, fault_of

RNG = np.random.default_rng(0)
LINE = np.arange(10.0)[:, None]
HUGE = np.full(10, 1e300)
TWICE = pd.DataFrame(RNG.normal(size=(10, 2)), columns=["c", "c"])
LABELS = np.arange(10) % 2
OUTLIER = RNG.normal(size=(10, 7))
OUTLIER[0, 0] = 1e12
BROKEN = sparse.csr_array(np.ones((1, 3)))
BROKEN.indices[:] = -7
FEW = pd.DataFrame(RNG.integers(0, 3, (3, 60)).astype(str)).rename(columns=str)
WIDE = pd.DataFrame(RNG.integers(0, 30, (90, 20)).astype(str)).rename(columns=str)

CASES = {
    "a name twice": (Ridge(), TWICE, LABELS, None),
    "a name twice in pairs of classes": (OneVsOneClassifier(), TWICE, np.arange(10) % 5, None),
    "indices out of the table in one against the rest": (
        OneVsRestClassifier(LinearDiscriminantAnalysis()), BROKEN, [0], None,
    ),
    "a name twice in an expansion": (BasisExpansion(), TWICE, None, None),
    "a name twice in a lasso": (GraphicalLasso(), TWICE, None, None),
    "weights beyond squares": (LeastSquaresClassifier(), LINE, LABELS, HUGE),
    "weights times an outlier beyond the largest": (
        LeastSquaresClassifier(alpha=178.0), OUTLIER, LABELS, HUGE,
    ),
    "weights beyond squares, Bayes": (BayesianLinearRegression(), LINE, LINE[:, 0], HUGE),
    "denormal columns": (ConstrainedLeastSquares(), 1e-310 * LINE, LINE[:, 0], None),
    "no freedom left, plate": (ThinPlateSpline(), RNG.normal(size=(3, 4)), np.arange(3.0), None),
    "no freedom left, spline": (SmoothingSpline(), LINE[:2], np.arange(2.0), None),
    "a target beyond products": (
        KernelRidge(), np.full((10, 60), 1e8), 1e300 * RNG.normal(size=10), None,
    ),
    "variances beyond the largest": (MixedNB(), 1e300 * RNG.normal(size=(10, 2)), LABELS, None),
    "tests without rows": (MMHC(), FEW, None, None),
    "tests of thirty states": (PC(), WIDE, None, None),
    "all conditions": (IC(max_tests=5000), WIDE, None, None),
    "all sets of parents": (ExactSearch(max_work=1e7), FEW.iloc[:, :20], None, None),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_an_answer_or_our_words(name):
    model, X, y, weight = CASES[name]
    assert fault_of(Trial(model, Case(X, y, weight, name, True))) == ""


def test_what_breaks_down_names_the_class():
    with np.errstate(all="ignore"), pytest.raises(FitError, match=r"^KernelRidge: .*NaN"):
        KernelRidge().fit(np.full((10, 60), 1e8), 1e300 * RNG.normal(size=10))
    with np.errstate(all="ignore"), pytest.raises(FitError, match=r"^MixedNB: "):
        MixedNB().fit(1e300 * RNG.normal(size=(10, 2)), LABELS)
    assert ThinPlateSpline().fit(RNG.normal(size=(3, 2)), np.arange(3.0)).noise_variance_ is None
