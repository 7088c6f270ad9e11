import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import validate_data

from margin.core import Card
from margin.linear import LinearRegression, Ridge
from margin.testing.checks import _input as checks

TABLES = [
    checks.check_read_only,
    checks.check_memory_order,
    checks.check_dtype,
    checks.check_integers_and_objects,
    checks.check_pandas,
    checks.check_polars,
    checks.check_weight_containers,
    checks.check_weight_memory,
    checks.check_sparse,
]


@pytest.mark.parametrize("check", TABLES)
def test_a_good_estimator_passes(check):
    check("good", LinearRegression())


def test_a_good_estimator_refuses_broken_sparse_tables():
    checks.check_broken_sparse("Ridge", Ridge())


def test_a_good_estimator_refuses_repeated_names():
    checks.check_repeated_names("Ridge", Ridge())


def test_an_estimator_that_takes_repeated_names_is_found_out():
    class Blind(LinearRegression):
        def fit(self, X, y):
            return super().fit(np.asarray(X), y)

    with pytest.raises(AssertionError, match="Blind"):
        checks.check_repeated_names("Blind", Blind())


def test_a_good_transformer_passes():
    checks.check_set_output("good", StandardScaler())


def test_a_good_regressor_takes_several_targets():
    checks.check_column_target("good", Ridge())


class Faulty(Ridge):
    """Passes what it is given through ``spoil`` before fitting."""

    def spoil(self, X, weight):
        return X, weight

    def fit(self, X, y, sample_weight=None):
        X, sample_weight = self.spoil(X, sample_weight)
        return super().fit(X, y, sample_weight)


class WritesToInput(Faulty):
    def spoil(self, X, weight):
        X -= 1.0
        return X, weight


class ReadsMemory(Faulty):
    def spoil(self, X, weight):
        return np.ravel(X, order="K").reshape(X.shape), weight


class AlwaysDouble(Faulty):
    def spoil(self, X, weight):
        return np.asarray(X, dtype=np.float64), weight


class HalvesIntegers(Faulty):
    def spoil(self, X, weight):
        return (X // 2 if X.dtype.kind == "i" else X), weight


class ReadsWords(Faulty):
    def spoil(self, X, weight):
        if X.dtype == object:
            X = np.array(
                [[0.0 if isinstance(v, str) else v for v in row] for row in X], dtype=float
            )
        return X, weight


class ForgetsNames(Faulty):
    def spoil(self, X, weight):
        return np.asarray(X), weight


class WantsArrayWeights(Faulty):
    def spoil(self, X, weight):
        return X, None if isinstance(weight, list) else weight


class RefusesStrides(Faulty):
    def spoil(self, X, weight):
        if weight.strides[0] != weight.itemsize:
            raise TypeError("incompatible function arguments")
        return X, weight


class ConfusedBySparse(Faulty):
    def spoil(self, X, weight):
        return (X.sign() if sparse.issparse(X) else X), weight


class TakesBrokenSparse(Faulty):
    def spoil(self, X, weight):
        sound = not sparse.issparse(X) or X.format == "coo" or 0 <= X.indices.max() < 10
        return (X if sound else np.zeros(X.shape)), weight


@pytest.mark.parametrize(
    ("check", "faulty"),
    [
        (checks.check_read_only, WritesToInput),
        (checks.check_memory_order, ReadsMemory),
        (checks.check_dtype, AlwaysDouble),
        (checks.check_integers_and_objects, HalvesIntegers),
        (checks.check_integers_and_objects, ReadsWords),
        (checks.check_pandas, ForgetsNames),
        (checks.check_polars, ForgetsNames),
        (checks.check_weight_containers, WantsArrayWeights),
        (checks.check_weight_memory, RefusesStrides),
        (checks.check_sparse, ConfusedBySparse),
        (checks.check_broken_sparse, TakesBrokenSparse),
    ],
)
def test_faults_are_found(check, faulty):
    with pytest.raises((AssertionError, ValueError, AttributeError, TypeError)):
        check(faulty.__name__, faulty())


class FirstTargetTwice(Ridge):
    def predict(self, X):
        found = super().predict(X)
        return found if found.ndim == 1 else found[:, [0, 0]]


def test_targets_mixed_up_are_found():
    with pytest.raises(AssertionError):
        checks.check_column_target("faulty", FirstTargetTwice())


class Misnamed(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    card = Card(tasks=("transform",))

    def fit(self, X, y=None):
        validate_data(self, X)
        self.fitted_ = True
        return self

    def transform(self, X):
        return np.asarray(X)[:, :2]


def test_a_transformer_with_wrong_names_is_found():
    with pytest.raises(AssertionError, match="wrong length"):
        checks.check_set_output("faulty", Misnamed())
