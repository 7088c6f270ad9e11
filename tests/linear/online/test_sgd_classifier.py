import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from scipy.special import log_expit

from margin.linear import LogisticRegression, SGDClassifier

ALPHA = 0.01


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    y = (X @ [1.5, -1.0, 0.5, 0.0] + 0.3 + rng.logistic(size=300) > 0).astype(int)
    return X, y


def logistic(X, y, coef, intercept):
    sign = np.where(y == 1, 1.0, -1.0)
    score = X @ np.ravel(coef) + float(np.ravel(intercept)[0])
    return -log_expit(sign * score).mean() + ALPHA / 2 * np.sum(np.square(coef))


@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize("rate", [{}, {"learning_rate": "adaptive", "eta0": 0.05}])
def test_near_the_optimum_of_the_objective(data, average, rate):
    """optim.03, optim.07: log-loss with a penalty ends near the optimum found by Newton's rule."""
    X, y = data
    best = LogisticRegression(C=1 / (ALPHA * len(y)), tol=1e-10).fit(X, y)
    wanted = logistic(X, y, best.coef_, best.intercept_)
    model = SGDClassifier(loss="log_loss", alpha=ALPHA, tol=1e-6, average=average, **rate)
    model.fit(X, y)
    reached = logistic(X, y, model.coef_, model.intercept_)
    assert wanted - 1e-9 <= reached <= wanted + 2e-3
    assert model.fit_report_.objective == pytest.approx(reached, abs=1e-9)
    np.testing.assert_allclose(model.predict_proba(X), best.predict_proba(X), atol=0.05)


def test_same_seed_same_answer_whatever_the_storage(data):
    """Order, copies instead of weights, sparse storage and threads leave the answer as it is."""
    X, y = data
    rng = np.random.default_rng(1)
    weight = rng.integers(0, 3, size=len(y))
    order = rng.permutation(np.repeat(np.arange(len(y)), weight))

    def fit(X, y, weight=None, **rules):
        model = SGDClassifier(loss="log_loss", alpha=ALPHA, max_iter=20, tol=0.1, **rules)
        return model.fit(X, y, sample_weight=weight)

    model = fit(X, y, weight)
    np.testing.assert_array_equal(fit(X, y, weight).coef_, model.coef_)
    np.testing.assert_allclose(fit(X[order], y[order]).coef_, model.coef_, atol=1e-9)
    np.testing.assert_array_equal(fit(X, y, weight, n_jobs=2).coef_, model.coef_)
    np.testing.assert_allclose(fit(sparse.csr_array(X), y, weight).coef_, model.coef_, atol=1e-9)
    assert not np.array_equal(fit(X, y, weight, random_state=7).coef_, model.coef_)


def test_one_step_by_hand():
    """optim.03: on one row of the first class, w moves by the rate times the derivative."""
    model = SGDClassifier(loss="hinge", penalty=None, learning_rate="constant", eta0=0.1)
    model.partial_fit([[2.0, -1.0]], ["a"], classes=["a", "b"])
    np.testing.assert_allclose(model.coef_, [[-0.2, 0.1]])
    np.testing.assert_allclose(model.intercept_, [-0.1])
    assert model.t_ == 1


def test_partial_fit_in_pieces_is_one_epoch(data):
    """optim.03, adaptation.08: without shuffling the pieces make the very steps of the whole."""
    X, y = data
    rules = {"loss": "log_loss", "shuffle": False, "learning_rate": "constant", "average": True}
    whole = SGDClassifier(**rules).partial_fit(X, y, classes=[0, 1])
    pieces = SGDClassifier(**rules)
    for rows in np.split(np.arange(300), 3):
        pieces.partial_fit(X[rows], y[rows], classes=[0, 1])
    np.testing.assert_allclose(pieces.coef_, whole.coef_, rtol=1e-9)
    assert pieces.t_ == whole.t_ == 300
    assert (whole.n_iter_, pieces.n_iter_) == (1, 3)


def test_partial_fit_after_fit_counts_epochs_on(data):
    X, y = data
    model = SGDClassifier(max_iter=3, tol=None).fit(X, y)
    assert model.n_iter_ == 3
    assert model.partial_fit(X, y).n_iter_ == 4
    assert model.t_ == 4 * len(y)


def test_many_classes_are_one_against_the_rest():
    """optim.03: the row of a class is the binary model of that class against all others."""
    rng = np.random.default_rng(2)
    y = np.repeat([0, 1, 2], 40)
    X = np.array([[0.0, 2.0], [2.0, -1.0], [-2.0, -1.0]])[y] + 0.5 * rng.normal(size=(120, 2))
    rules = {"loss": "log_loss", "alpha": ALPHA, "tol": 1e-5}
    model = SGDClassifier(**rules).fit(X, y)
    assert model.score(X, y) > 0.95
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)
    for k in range(3):
        best = LogisticRegression(C=1 / (ALPHA * 120), tol=1e-10).fit(X, y == k)
        np.testing.assert_allclose(model.coef_[k], best.coef_[0], atol=0.1)


def test_early_stopping_and_class_weights(data):
    X, y = data
    model = SGDClassifier(early_stopping=True, class_weight={0: 1.0, 1: 50.0}).fit(X, y)
    assert model.predict(X).mean() > 0.9
    with pytest.raises(
        ValueError, match=r"early_stopping must be False for partial_fit .*, got True"
    ):
        model.partial_fit(X, y)


def test_refusals(data):
    for bad, text in [
        ({"loss": "absolute"}, "SGDClassifier: loss must be"),
        ({"alpha": -1.0}, "SGDClassifier: alpha must be a number of at least 0, got -1.0"),
        ({"alpha": 0.0}, "SGDClassifier: alpha must be above 0 for learning_rate='optimal', got"),
        ({"l1_ratio": 2}, "SGDClassifier: l1_ratio must be a number between 0 and 1, got 2"),
        ({"average": -1}, "SGDClassifier: average must be True, False or an integer of at least"),
    ]:
        with pytest.raises(ValueError, match=f"^{text}"):
            SGDClassifier(**bad).fit(*data)
    with pytest.raises(AttributeError, match="predict_proba"):
        SGDClassifier().fit(*data).predict_proba  # noqa: B018


@pytest.mark.parametrize("loss", ["hinge", "log_loss"])
def test_weights_of_classes_are_weights_of_rows(loss):
    """Both are taken relative to their mean, so either way of saying it is the same fit."""
    rng = np.random.default_rng(8)
    X, y = rng.normal(size=(60, 3)), rng.integers(2, size=60)
    given = {"loss": loss, "max_iter": 20, "tol": None}
    by_class = SGDClassifier(**given, class_weight={0: 5.0, 1: 2.0}).fit(X, y)
    by_row = SGDClassifier(**given).fit(X, y, sample_weight=np.where(y == 0, 5.0, 2.0))
    assert_allclose(by_class.coef_, by_row.coef_, rtol=1e-10)
    equal = SGDClassifier(**given, class_weight={0: 3.0, 1: 3.0}).fit(X, y)
    assert_allclose(equal.coef_, SGDClassifier(**given).fit(X, y).coef_, rtol=1e-10)


def test_weights_of_a_batch_are_taken_as_they_are():
    """A batch of one class: relative to its mean, the weight of the class would be lost."""
    X, y = np.array([[1.0], [2.0]]), np.array([1, 1])
    given = {"learning_rate": "constant", "eta0": 0.1, "penalty": None, "shuffle": False}
    plain = SGDClassifier(**given).partial_fit(X[:1], y[:1], classes=[0, 1])
    double = SGDClassifier(**given, class_weight={0: 1.0, 1: 2.0})
    double.partial_fit(X[:1], y[:1], classes=[0, 1])
    assert_allclose(double.coef_, 2 * plain.coef_)
    row = SGDClassifier(**given).partial_fit(X[:1], y[:1], [0, 1], sample_weight=[2.0])
    assert_allclose(row.coef_, double.coef_)


def test_share_may_be_left_out_where_it_means_nothing():
    X, y = [[0.0], [1.0]], [0, 1]
    SGDClassifier(l1_ratio=None).fit(X, y)
    with pytest.raises(ValueError, match="l1_ratio must be set when penalty is 'elasticnet'"):
        SGDClassifier(l1_ratio=None, penalty="elasticnet").fit(X, y)


def test_sparse_coefficients_are_made_dense_before_going_on():
    X, y = np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([0, 1])
    model = SGDClassifier(warm_start=True).fit(X, y).sparsify()
    with pytest.raises(ValueError, match=r"call densify\(\) first"):
        model.partial_fit(X, y)
    model.fit(X, y).densify().partial_fit(X, y)
