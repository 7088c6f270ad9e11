"""LinearSVC: liblinear's minimum, certificates, the kernel machine and reductions over it."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC as Peer

from margin.kernels import Polynomial, PolynomialFeatures
from margin.multiclass import OneVsOneClassifier, OneVsRestClassifier
from margin.svm import SVC, CrammerSingerSVC, LinearSVC, WestonWatkinsSVC


def overlapping(n=120, p=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    return X, np.where(X[:, 0] + 0.8 * rng.normal(size=n) > 0.2, 1, -1)


def objective(X, y, w, b, C, loss):
    slack = np.maximum(0, 1 - y * (X @ w + b))
    return 0.5 * (w @ w + b * b) + C * (slack.sum() if loss == "hinge" else (slack**2).sum())


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("dual", [True, False])
@pytest.mark.parametrize("sparse", [False, True])
def test_no_worse_than_liblinear(loss, dual, sparse):
    """svm.09: both solvers end within the gap of the optimum, dense and sparse."""
    X, y = overlapping()
    model = LinearSVC(C=0.7, loss=loss, dual=dual, tol=1e-7, max_iter=100_000)
    model.fit(csr_matrix(X) if sparse else X, y)
    peer = Peer(C=0.7, loss=loss, dual=True, tol=1e-9, max_iter=200_000).fit(X, y)
    ours = objective(X, y, model.coef_[0], model.intercept_[0], 0.7, loss)
    theirs = objective(X, y, peer.coef_[0], peer.intercept_[0], 0.7, loss)
    assert ours <= theirs * (1 + 1e-6)
    assert model.fit_report_.certificate.value <= 1e-7
    assert np.allclose(model.coef_, peer.coef_, atol=2e-3)


@pytest.mark.parametrize("dual", [True, False])
def test_mean_hinge_form(dual):
    """svm.06: lambda = 1 / (C m) gives the same minimum, up to the factor C m."""
    X, y = overlapping()
    C, m = 0.5, len(y)
    model = LinearSVC(C=C, loss="hinge", dual=dual, fit_intercept=False, tol=1e-8, max_iter=10**6)
    w = model.fit(X, y).coef_[0]
    mean = 0.5 / (C * m) * w @ w + np.maximum(0, 1 - y * (X @ w)).mean()
    assert mean * C * m == pytest.approx(model.fit_report_.objective, rel=1e-9)
    rng = np.random.default_rng(1)
    for _ in range(50):
        v = w + 0.05 * rng.normal(size=len(w))
        assert 0.5 / (C * m) * v @ v + np.maximum(0, 1 - y * (X @ v)).mean() >= mean - 1e-8


def test_free_intercept_is_the_kernel_machine():
    X, y = overlapping()
    X = X + 3.0
    model = LinearSVC(C=0.5, loss="hinge", intercept_scaling=np.inf, tol=1e-9).fit(X, y)
    whole = SVC(C=0.5, kernel="linear", tol=1e-8).fit(X, y)
    assert np.allclose(model.coef_, whole.coef_, atol=1e-4)
    assert np.allclose(model.intercept_, whole.intercept_, atol=1e-3)


def test_explicit_feature_map_is_the_polynomial_kernel():
    """svm.12: a linear machine on the features of a kernel is the machine with that kernel."""
    X, y = overlapping(60, 2)
    kernel = Polynomial(2, gamma=1.0, coef0=1.0)
    Z = PolynomialFeatures.of(kernel, 2)(X)
    assert np.allclose(Z @ Z.T, kernel(X))
    flat = LinearSVC(C=0.3, loss="hinge", intercept_scaling=np.inf, tol=1e-10).fit(Z, y)
    curved = SVC(C=0.3, kernel=kernel, tol=1e-8).fit(X, y)
    assert np.allclose(flat.decision_function(Z), curved.decision_function(X), atol=1e-3)


def test_classes_against_the_rest_and_reductions():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(150, 2))
    y = np.array(["a", "b", "c"])[np.argmax(X @ rng.normal(size=(2, 3)), axis=1)]
    one = LinearSVC(C=10, n_jobs=1).fit(X, y)
    two = LinearSVC(C=10, n_jobs=2).fit(X, y)
    assert np.array_equal(one.coef_, two.coef_)
    assert one.score(X, y) > 0.85
    around = OneVsRestClassifier(estimator=LinearSVC(C=10)).fit(X, y)
    assert np.array_equal(around.predict(X), one.predict(X))
    assert OneVsOneClassifier(estimator=SVC(C=10)).fit(X, y).score(X, y) > 0.9
    assert OneVsOneClassifier(estimator=LinearSVC(C=10)).fit(X, y).score(X, y) > 0.9


def test_sample_weight_repeats_rows():
    X, y = overlapping(40)
    weight = np.random.default_rng(3).integers(0, 3, size=len(y))
    weighted = LinearSVC(loss="hinge").fit(X, y, sample_weight=weight)
    repeated = LinearSVC(loss="hinge").fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    assert np.allclose(weighted.coef_, repeated.coef_, atol=1e-6)


def test_duplicates_constants_and_a_row_of_zeros():
    X, y = overlapping(30)
    X = np.vstack([np.column_stack([X, np.ones(30)])] * 2 + [np.zeros((1, 5))])
    y = np.concatenate([y, y, [1]])
    for dual in (True, False):
        model = LinearSVC(C=1.0, dual=dual, loss="hinge", fit_intercept=False, max_iter=10**5)
        assert np.isfinite(model.fit(X, y).coef_).all()


def three_classes(n=90):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(n, 3))
    noise = 0.7 * rng.normal(size=(n, 3))
    return X, np.array(["a", "b", "c"])[np.argmax(X @ rng.normal(size=(3, 3)) + noise, axis=1)]


def together(X, codes, W, b, C):
    rows = np.arange(len(codes))
    lead = X @ W.T + b
    lead = lead - lead[rows, codes][:, None] + 1.0
    lead[rows, codes] = 0.0
    return 0.5 * (np.sum(W**2) + np.sum(np.square(b))) + C * lead.max(axis=1).sum()


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("fit_intercept", [False, True])
def test_crammer_singer_no_worse_than_liblinear(sparse, fit_intercept):
    """svm.18: all classes in one problem."""
    X, y = three_classes()
    codes = np.unique(y, return_inverse=True)[1]
    how = {"C": 0.6, "multi_class": "crammer_singer", "fit_intercept": fit_intercept}
    model = LinearSVC(**how, tol=1e-8, max_iter=10**5).fit(csr_matrix(X) if sparse else X, y)
    peer = Peer(**how, tol=1e-9, max_iter=10**6).fit(X, y)
    ours = together(X, codes, model.coef_, model.intercept_, 0.6)
    assert ours <= together(X, codes, peer.coef_, peer.intercept_, 0.6) * (1 + 1e-7)
    assert ours == pytest.approx(model.fit_report_.objective, rel=1e-9)
    assert model.fit_report_.certificate.value <= 1e-8
    assert np.allclose(model.coef_, peer.coef_, atol=1e-3)
    assert np.allclose(model.coef_, model.dual_coef_ @ X, atol=1e-4)
    assert np.array_equal(model.predict(X), peer.predict(X))


def test_crammer_singer_is_the_kernel_machine():
    """svm.18: the kernel machine with the inner product, and near Weston and Watkins's."""
    X, y = three_classes()
    codes = np.unique(y, return_inverse=True)[1]
    how = {"C": 0.6, "fit_intercept": False, "tol": 1e-9}
    model = LinearSVC(**how, multi_class="crammer_singer", max_iter=10**5).fit(X, y)
    whole = CrammerSingerSVC(**how, kernel="linear", max_iter=10**5).fit(X, y)
    assert model.fit_report_.objective == pytest.approx(whole.fit_report_.objective, rel=1e-7)
    assert np.allclose(model.decision_function(X), whole.decision_function(X), atol=1e-4)
    rivals = WestonWatkinsSVC(**how, kernel="linear", max_iter=10**5).fit(X, y)
    W = rivals.dual_coef_ @ X[rivals.support_]
    assert together(X, codes, W, np.zeros(3), 0.6) > model.fit_report_.objective
    assert np.mean(rivals.predict(X) == model.predict(X)) > 0.8


def test_crammer_singer_of_two_classes_is_the_hinge_machine():
    """Two functions that are each other's negative: twice the price per unit of penalty."""
    X, y = overlapping(80)
    pair = LinearSVC(C=0.5, multi_class="crammer_singer", tol=1e-9, max_iter=10**5).fit(X, y)
    single = LinearSVC(C=1.0, loss="hinge", tol=1e-9).fit(X, y)
    assert pair.coef_.shape == (1, 4)
    assert pair.dual_coef_.shape == (1, 80)
    assert np.allclose(pair.coef_, single.coef_, atol=1e-4)
    assert np.allclose(pair.intercept_, single.intercept_, atol=1e-4)


def test_crammer_singer_weights():
    X, y = three_classes(45)
    how = {"multi_class": "crammer_singer", "tol": 1e-9, "max_iter": 10**5}
    weight = np.random.default_rng(3).integers(0, 3, size=len(y))
    weighted = LinearSVC(**how).fit(X, y, sample_weight=weight)
    repeated = LinearSVC(**how).fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    assert np.allclose(weighted.coef_, repeated.coef_, atol=1e-4)
    dear = LinearSVC(**how, class_weight={"a": 2.0}).fit(X, y)
    same = LinearSVC(**how).fit(X, y, sample_weight=1.0 + (y == "a"))
    assert np.allclose(dear.coef_, same.coef_, atol=1e-6)


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
def test_threads_do_not_change_the_answer(loss):
    X, y = overlapping(4000, 6)
    one, two = (
        LinearSVC(loss=loss, dual=True, n_jobs=k, max_iter=10**4).fit(X, y).coef_ for k in (1, 2)
    )
    assert np.array_equal(one, two)


def test_too_few_passes_warn():
    X, y = overlapping()
    with pytest.warns(ConvergenceWarning, match="raise max_iter"):
        LinearSVC(dual=True, max_iter=1, tol=1e-9).fit(X, y)


@pytest.mark.parametrize(
    ("bad", "text"),
    [
        ({"C": 0}, "LinearSVC: C must be a number above 0, got 0"),
        ({"C": np.inf}, "LinearSVC: C must be finite, got inf"),
        ({"loss": "log"}, "LinearSVC: loss must be one of"),
        ({"multi_class": "ecoc"}, "LinearSVC: multi_class must be one of"),
        (
            {"intercept_scaling": np.inf, "multi_class": "crammer_singer"},
            "intercept_scaling must be finite",
        ),
    ],
)
def test_refuses(bad, text):
    with pytest.raises(ValueError, match=text):
        LinearSVC(**bad).fit([[0.0], [1.0]], [0, 1])


def test_one_class_is_refused():
    with pytest.raises(ValueError, match="at least 2 classes"):
        LinearSVC().fit([[0.0], [1.0]], [1, 1])
