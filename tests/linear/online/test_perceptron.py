import numpy as np
import pytest
from scipy import sparse
from sklearn.model_selection import StratifiedShuffleSplit

from margin import optim
from margin.core import Status
from margin.linear import Perceptron, SGDClassifier, best_linear_accuracy

VARIANTS = ["stochastic", "batch", "variable-increment"]


def two_classes(margin=0.3, n=120, seed=0):
    """Rows at least ``margin`` away from a hyperplane, with the unit weights of (x, 1)."""
    rng = np.random.default_rng(seed)
    truth = np.array([1.0, -2.0, 0.5, 0.4])
    truth /= np.linalg.norm(truth)
    X = rng.normal(size=(4 * n, 3))
    score = X @ truth[:3] + truth[3]
    keep = np.flatnonzero(np.abs(score) > margin)[:n]
    return X[keep], np.where(score[keep] > 0, "up", "down"), truth


def three_classes():
    rng = np.random.default_rng(1)
    centres = np.array([[0.0, 4.0], [4.0, -3.0], [-4.0, -3.0]])
    y = np.repeat([0, 1, 2], 30)
    return centres[y] + rng.uniform(-1, 1, size=(90, 2)), y


@pytest.mark.parametrize("variant", VARIANTS)
def test_separable_data_end_without_errors(variant):
    """linear.28, linear.29: every rule stops by itself with all rows on their own side."""
    X, y, _ = two_classes()
    model = Perceptron(variant=variant, tol=None).fit(X, y)
    assert model.fit_report_.status is Status.CONVERGED
    assert model.fit_report_.objective == 0.0
    sign = np.where(y == "up", 1, -1)
    assert (sign * model.decision_function(X) > 0).all()
    np.testing.assert_allclose(model.coef_, model.dual_coef_.T @ X, atol=1e-9)


def test_number_of_corrections_is_bounded():
    """linear.29: no more than (R / margin)^2 corrections of a fixed increment."""
    X, y, truth = two_classes()
    bordered = np.column_stack([X, np.ones(len(y))])
    margin = np.abs(bordered @ truth).min()
    model = Perceptron(tol=None).fit(X, y)
    assert 0 < model.mistakes_.sum() == model.t_
    assert model.t_ <= (bordered**2).sum(axis=1).max() / margin**2


def test_increment_only_scales_the_weights():
    """linear.29: from zero the decisions do not depend on the fixed increment."""
    X, y, _ = two_classes()
    one, four = (Perceptron(eta0=eta0, tol=None).fit(X, y) for eta0 in (1.0, 4.0))
    np.testing.assert_allclose(4 * one.coef_, four.coef_)
    np.testing.assert_allclose(4 * one.intercept_, four.intercept_)


def test_schedules_of_variable_increments():
    """linear.28: increments that add up to infinity pass, those with a finite sum do not."""
    X, y, _ = two_classes()
    kind = "variable-increment"
    schedule = optim.PowerDecay(1.0, 0.6)
    model = Perceptron(variant=kind, schedule=schedule, tol=None).fit(X, y)
    assert model.score(X, y) == 1.0
    with pytest.raises(ValueError, match=r"^Perceptron: schedule must be of steps that add up"):
        Perceptron(variant=kind, schedule=optim.PowerDecay(1.0, 2.0)).fit(X, y)
    with pytest.raises(ValueError, match=r"^Perceptron: schedule must be a margin.optim.Schedule"):
        Perceptron(variant=kind, schedule=0.5).fit(X, y)


@pytest.mark.parametrize("variant", VARIANTS)
def test_many_classes_by_one_of_k(variant):
    """linear.31: one segment of weights per class, the own one above all rivals at the end."""
    X, y = three_classes()
    model = Perceptron(variant=variant, tol=None).fit(X, y)
    assert model.coef_.shape == (3, 2)
    assert model.score(X, y) == 1.0
    np.testing.assert_allclose(model.coef_.sum(axis=0), 0, atol=1e-9)
    np.testing.assert_allclose(model.dual_coef_.sum(axis=1), 0, atol=1e-12)


@pytest.mark.parametrize("variant", ["stochastic", "variable-increment"])
@pytest.mark.parametrize("seed", range(4))
def test_xor_keeps_the_fewest_errors_and_says_why(variant, seed):
    """linear.30: the report names the inseparability, the kept weights err least: 3/4 is best."""
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    with pytest.warns(UserWarning, match="no number of epochs will end it"):
        model = Perceptron(variant=variant, tol=None, max_iter=60, random_state=seed).fit(X, y)
    assert "not linearly separable" in str(model.fit_report_.notes)
    shares = np.asarray(model.fit_report_.trace["objective"])
    assert model.fit_report_.objective == shares[1:].min() == 0.25
    assert model.score(X, y) == best_linear_accuracy(X, y) == 0.75
    np.testing.assert_allclose(model.dual_coef_.T @ np.array(X), model.coef_, atol=1e-12)


def test_xor_by_default():
    """linear.30: five epochs without gain end the search, at the best weights of all steps."""
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    model = Perceptron().fit(X, y)
    assert model.score(X, y) == 0.75
    assert model.fit_report_.objective == 0.25


def test_batch_reports_the_error_of_its_predictions():
    """linear.28: the corrections of XOR cancel, and half of the answers at zero are right."""
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    model = Perceptron(variant="batch").fit(X, y)
    assert not model.coef_.any()
    assert model.fit_report_.objective == 1 - model.score(X, y) == 0.5


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_objective_is_the_training_error(variant, average, weighted):
    """linear.30: whatever is kept, the report says how many of the rows it gets wrong."""
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(150, 3)), rng.integers(3, size=150)
    weight = rng.uniform(0.5, 2.0, size=150) if weighted else None
    model = Perceptron(variant=variant, average=average).fit(X, y, sample_weight=weight)
    error = 1 - model.score(X, y, weight)
    assert model.fit_report_.objective == pytest.approx(error, abs=1e-12)


def test_sparse_seeds_average_and_copies():
    X, y, _ = two_classes()
    for average in (False, True):
        model = Perceptron(average=average, random_state=3).fit(X, y)
        again = Perceptron(average=average, random_state=3).fit(X[::-1], y[::-1])
        np.testing.assert_array_equal(model.coef_, again.coef_)
        thin = Perceptron(average=average, random_state=3).fit(sparse.csr_array(X), y)
        assert thin.score(X, y) == model.score(X, y) > 0.95
        copies = Perceptron(average=average, random_state=3).fit(np.tile(X, (2, 1)), np.tile(y, 2))
        np.testing.assert_allclose(copies.coef_, 2 * model.coef_)


def test_partial_fit_continues():
    """linear.29, adaptation.08: row after row as stored is the rule itself, whatever the pieces."""
    X, y, _ = two_classes()
    whole = Perceptron(shuffle=False).partial_fit(X, y, classes=["down", "up"])
    pieces = Perceptron(shuffle=False)
    for rows in np.split(np.arange(len(y)), 4):
        pieces.partial_fit(X[rows], y[rows], classes=["down", "up"])
    np.testing.assert_allclose(pieces.coef_, whole.coef_)
    assert (whole.n_iter_, pieces.n_iter_) == (1, 4)
    w = np.zeros(4)
    for x, sign in zip(
        np.column_stack([X, np.ones(len(y))]), np.where(y == "up", 1, -1), strict=True
    ):
        if sign * (w @ x) <= 0:
            w += sign * x
    np.testing.assert_allclose(np.append(whole.coef_, whole.intercept_), w)


def test_partial_fit_after_fit_counts_on():
    """linear.28: the k-th increment is that of the k-th correction ever made."""
    X, y, _ = two_classes()
    kind = {"variant": "variable-increment", "tol": None, "shuffle": False}
    model = Perceptron(**kind).fit(X, y)
    before, corrections, epochs = np.append(model.coef_, model.intercept_), model.t_, model.n_iter_
    wrong = np.array(["down" if label == "up" else "up" for label in y[:1]])
    model.partial_fit(X[:1], wrong)
    assert (model.t_, model.n_iter_) == (corrections + 1, epochs + 1)
    sign = 1 if wrong[0] == "up" else -1
    step = sign * np.append(X[0], 1.0) * float(optim.InverseTime(1.0).rate(corrections))
    np.testing.assert_allclose(np.append(model.coef_, model.intercept_) - before, step)


def test_refusals():
    X, y, _ = two_classes()
    for bad, text in [
        ({"variant": "offline"}, "Perceptron: variant must be"),
        ({"eta0": 0}, "Perceptron: eta0 must be a number above 0, got 0"),
        ({"max_iter": 0}, "Perceptron: max_iter must be an integer of at least 1, got 0"),
    ]:
        with pytest.raises(ValueError, match=f"^{text}"):
            Perceptron(**bad).fit(X, y)


def test_sparse_weights_predict_and_start_the_same():
    X, y = np.array([[0.0, 1.0], [2.0, 0.0], [3.0, 1.0], [0.0, 2.0]]), np.array([0, 1, 1, 0])
    model = Perceptron(warm_start=True, verbose=1, n_jobs=2).fit(X, y)
    dense, scores = model.coef_.copy(), model.decision_function(X)
    np.testing.assert_allclose(model.sparsify().decision_function(X), scores)
    np.testing.assert_allclose(model.fit(X, y).coef_, dense)


@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("penalty", ["l2", "l1", "elasticnet"])
def test_penalties_are_those_of_stochastic_descent(penalty, storage):
    """One class against the rest, steps of eta0 on the perceptron loss."""
    X, y = three_classes()
    rules = {"penalty": penalty, "alpha": 1e-3, "l1_ratio": 0.4, "eta0": 0.5}
    model = Perceptron(**rules).fit(storage(X), y)
    other = SGDClassifier("perceptron", learning_rate="constant", **rules).fit(X, y)
    np.testing.assert_allclose(model.coef_, other.coef_)
    np.testing.assert_allclose(model.intercept_, other.intercept_)
    assert not hasattr(model, "dual_coef_")
    parts = Perceptron(**rules, shuffle=False)
    whole = Perceptron(**rules, shuffle=False, tol=None, max_iter=3).fit(X, y)
    for _ in range(3):
        parts.partial_fit(X, y, classes=[0, 1, 2])
    np.testing.assert_allclose(parts.coef_, whole.coef_)
    assert parts.n_iter_ == whole.n_iter_ == 3
    plain = parts.set_params(penalty=None).fit(X, y)
    assert hasattr(plain, "dual_coef_")


def test_strong_absolute_penalty_gives_zeros():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 30))
    y = X[:, 0] > 0
    model = Perceptron(penalty="l1", alpha=0.02).fit(X, y)
    assert (model.coef_ == 0).sum() >= 15
    assert model.coef_[0, 0] > 0


@pytest.mark.parametrize("penalty", [None, "l2"])
def test_early_stopping_counts_errors_on_other_rows(penalty):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(200, 3))
    y = X[:, 0] + rng.normal(size=200) > 0
    model = Perceptron(early_stopping=True, validation_fraction=0.25, penalty=penalty).fit(X, y)
    split = StratifiedShuffleSplit(n_splits=1, test_size=0.25, random_state=0)
    _, kept = next(split.split(X, y))
    if penalty is None:
        assert model.fit_report_.objective == pytest.approx(1 - model.score(X[kept], y[kept]))
    assert model.score(X, y) > 0.6
    with pytest.raises(ValueError, match="early_stopping should be False with partial_fit"):
        model.partial_fit(X, y)


def test_starts_that_are_given():
    X, y, truth = two_classes()
    model = Perceptron(tol=None).fit(X, y, coef_init=truth[:-1], intercept_init=truth[-1:])
    assert model.t_ == 0, "nothing to correct"
    np.testing.assert_allclose(model.coef_[0], truth[:-1])
    with pytest.raises(ValueError, match="Provided coef_init does not match dataset"):
        Perceptron().fit(X, y, coef_init=[1.0])
    with pytest.raises(ValueError, match="variant must be 'stochastic' with a penalty"):
        Perceptron(penalty="l2", variant="batch").fit(X, y)
