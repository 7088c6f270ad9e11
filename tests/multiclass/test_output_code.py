import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_digits, load_iris
from sklearn.tree import DecisionTreeClassifier

from margin.linear import LogisticRegression
from margin.multiclass import (
    OneVsOneClassifier,
    OneVsRestClassifier,
    OutputCodeClassifier,
    correction_capacity,
    exhaustive_code,
)

X, Y = load_iris(return_X_y=True)
CODES = ["one-vs-rest", "one-vs-one", "exhaustive", "random", "sparse-random", "spectral"]


@pytest.fixture(scope="module")
def digits():
    rows, y = load_digits(return_X_y=True)
    return rows[:, 20:40] / 16, y


@pytest.mark.parametrize("loss", ["logistic", "exponential", "squared", "linear"])
def test_one_vs_rest_is_an_instance(loss, digits):
    """linear.51: loss-based decoding of its code takes the class of the highest score."""
    rows, y = digits
    code = OutputCodeClassifier(code="one-vs-rest", loss=loss).fit(rows[::3], y[::3])
    plain = OneVsRestClassifier().fit(rows[::3], y[::3])
    np.testing.assert_array_equal(code.code_, plain.code_)
    np.testing.assert_array_equal(code.predict(rows), plain.predict(rows))


def test_one_vs_one_is_an_instance(digits):
    """linear.51: Hamming decoding of its code counts the votes."""
    rows, y = digits
    code = OutputCodeClassifier(code="one-vs-one", decoding="hamming").fit(rows[::3], y[::3])
    plain = OneVsOneClassifier().fit(rows[::3], y[::3])
    np.testing.assert_array_equal(code.predict(rows), plain.predict(rows))
    # Nine columns are his own, 36 are zero and cost one half each.
    np.testing.assert_allclose(
        code.decision_function(rows), plain.decision_function(rows) - 9 - 36 / 2
    )
    np.testing.assert_array_equal(code.predict_or_reject(rows), plain.predict_or_reject(rows))


class Liar(LogisticRegression):
    """Answers the contrary of the truth on the splits it is told to."""

    lies: tuple = ()

    def decision_function(self, X):
        sign = -1.0 if self.number in self.lies else 1.0
        return sign * super().decision_function(X)

    def fit(self, X, y, sample_weight=None):
        first = y[:50:10].astype(int)
        self.number = int(first @ (2 ** np.arange(len(first))))
        return super().fit(X, y, sample_weight)


def test_corrects_as_many_classifiers_as_its_capacity():
    """linear.52: with 15 columns for five classes, any three classifiers may be inverted."""
    centres = 10.0 * np.eye(5)
    rng = np.random.default_rng(0)
    y = np.tile(np.repeat(np.arange(5), 10), 4)
    rows = centres[y] + rng.normal(size=(200, 5))
    model = OutputCodeClassifier(estimator=Liar(), decoding="hamming").fit(rows, y)
    assert model.capacity_ == 3
    assert model.code_.shape == (5, 15)
    assert model.score(rows, y) == 1
    numbers = [estimator.number for estimator in model.estimators_]
    assert len(set(numbers)) == 15
    for _ in range(30):
        Liar.lies = tuple(rng.choice(numbers, size=3, replace=False))
        assert model.score(rows, y) == 1
        assert (model.predict_or_reject(rows) == y).all()
    Liar.lies = tuple(np.array(numbers)[model.code_[0] != model.code_[1]][:5])
    assert model.score(rows, y) < 1
    Liar.lies = ()


@pytest.mark.parametrize("decoding", ["hamming", "loss"])
@pytest.mark.parametrize("code", [*CODES, "stagewise"])
def test_every_code_learns(code, decoding, digits):
    """linear.51 to linear.56"""
    rows, y = digits
    model = OutputCodeClassifier(code=code, decoding=decoding, n_columns=24, random_state=0)
    if code == "exhaustive":
        keep = y < 5
        rows, y = rows[keep], y[keep]
    model.fit(rows[::2], y[::2])
    assert model.score(rows[1::2], y[1::2]) > 0.6
    assert model.code_.shape == (len(model.classes_), len(model.estimators_))
    assert model.capacity_ == correction_capacity(model.code_)
    again = clone(model).set_params(n_jobs=2).fit(rows[::2], y[::2])
    np.testing.assert_array_equal(again.decision_function(rows), model.decision_function(rows))


def test_stagewise_code_beats_random_ones(digits):
    """linear.55: columns chosen for what is confused are worth more than columns at random."""
    rows, y = digits

    def score(code, seed=0):
        model = OutputCodeClassifier(code=code, n_columns=20, random_state=seed)
        return model.fit(rows[::2], y[::2]).score(rows[1::2], y[1::2])

    assert score("stagewise") > np.mean([score("random", seed) for seed in range(4)]) + 0.02


def test_rejects_what_the_code_cannot_correct():
    """linear.24: more classifiers disagree with the row than the code corrects."""
    noisy = X + np.random.default_rng(0).normal(scale=0.5, size=X.shape)
    model = OutputCodeClassifier(code=exhaustive_code(3)).fit(noisy, Y)
    signs = np.column_stack([e.predict(noisy) * 2 - 1 for e in model.estimators_])
    wrong = np.sum(signs != model.code_[model.predict(noisy)], axis=1)
    answer = model.predict_or_reject(noisy, reject=-1)
    np.testing.assert_array_equal(answer, np.where(wrong > 0, -1, model.predict(noisy)))
    assert 0 < np.sum(answer == -1) < 75


def test_auto_is_exhaustive_for_few_classes_and_spectral_for_many(digits):
    few = OutputCodeClassifier().fit(X, Y)
    np.testing.assert_array_equal(few.code_, exhaustive_code(3))
    rows, y = digits
    many = OutputCodeClassifier().fit(rows[::3], y[::3])
    assert many.code_.shape == (10, 34)
    assert "spectral code" in " ".join(many.fit_report_.notes)


def test_given_matrix_and_base_without_scores():
    """linear.51: any matrix, any classifier."""
    code = [[1, 0], [-1, 1], [-1, -1]]
    model = OutputCodeClassifier(code=code, estimator=DecisionTreeClassifier(random_state=0))
    assert model.fit(X, Y).score(X, Y) == 1
    assert model.training_cost_.rows == (150, 100)
    thin = OutputCodeClassifier(code=code).fit(sparse.csr_array(X), Y)
    dense = OutputCodeClassifier(code=code).fit(X, Y)
    np.testing.assert_allclose(
        thin.decision_function(X), dense.decision_function(X), rtol=1e-4, atol=1e-6
    )


def test_bad_codes_are_refused():
    for bad, message in (
        ([[1, 0], [-1, 1]], "code must be a matrix of 3 rows"),
        ([[1], [1], [-1]], "code must be different for every class"),
        ("ecoc", "code must be one of 'auto'"),
        ([1, -1, 1], "code must be one of 'auto'"),
    ):
        with pytest.raises(ValueError, match=f"^OutputCodeClassifier: {message}"):
            OutputCodeClassifier(code=bad).fit(X, Y)
    with pytest.raises(ValueError, match="n_columns must be from 2 to 3 for 3 classes, got 9"):
        OutputCodeClassifier(code="spectral", n_columns=9).fit(X, Y)
    y = np.arange(150) % 16
    with pytest.raises(ValueError, match="code must be another one for more than 15 classes"):
        OutputCodeClassifier(code="exhaustive").fit(X, y)


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("decoding", ["hamming", "loss"])
def test_two_classes_are_one_binary_problem(code, decoding):
    rows, y = X[50:], np.array(["no", "yes"])[Y[50:] - 1]
    model = OutputCodeClassifier(code=code, decoding=decoding, random_state=0).fit(rows, y)
    plain = LogisticRegression().fit(rows, y)
    assert len(model.estimators_) == 1
    np.testing.assert_array_equal(model.predict(rows), plain.predict(rows))
    np.testing.assert_array_equal(model.decision_function(rows) > 0, plain.predict(rows) == "yes")


def test_code_size_is_the_number_of_columns_per_class():
    """linear.53: columns of independent signs, as many as asked for."""
    X, y = load_iris(return_X_y=True)
    exact = DecisionTreeClassifier(random_state=0)
    model = OutputCodeClassifier(exact, code_size=2, random_state=0).fit(X, y)
    assert model.code_.shape == (3, 6)
    assert (np.abs(model.code_.sum(axis=0)) < 3).all()
    np.testing.assert_array_equal(model.predict(X), y)
    with pytest.raises(ValueError, match="code_size must be a number above 0, got 0"):
        OutputCodeClassifier(code_size=0).fit(X, y)
