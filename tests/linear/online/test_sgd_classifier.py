import numpy as np
import pytest
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

    def fit(*args, **rules):
        return SGDClassifier(loss="log_loss", alpha=ALPHA, max_iter=20, tol=0.1, **rules).fit(*args)

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
    with pytest.raises(ValueError, match="early_stopping must be False for partial_fit, got True"):
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
