"""The short way past validation takes exactly what the long way returns unchanged."""

import warnings

import numpy as np
import pytest
import sklearn
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import validate_data

from margin.core import check
from margin.core.rows import _plain

rng = np.random.default_rng(0)
X = rng.normal(size=(6, 3))
y = rng.normal(size=6)


class Model(BaseEstimator):
    def fit(self, X, y):
        return self


def spoiled(value):
    made = X.copy()
    made[2, 1] = value
    return made


class Sub(np.ndarray):
    pass


TABLES = {
    "float64": X,
    "float32": X.astype(np.float32),
    "fortran": np.asfortranarray(X),
    "strided": np.repeat(X, 2, axis=0)[::2],
    "readonly": np.broadcast_to(X[:1], X.shape),
    "huge": np.full((6, 3), 1e308),
    "nan": spoiled(np.nan),
    "inf": spoiled(np.inf),
    "both infinities": np.array([[np.inf, -np.inf, 1.0]] * 6),
    "integers": rng.integers(0, 9, (6, 3)),
    "half": X.astype(np.float16),
    "swapped bytes": X.astype(">f8"),
    "objects": X.astype(object),
    "words": X.astype(str),
    "list": X.tolist(),
    "one column as a vector": y,
    "three dimensions": X[None],
    "no rows": X[:0],
    "no columns": X[:, :0],
    "subclass": X.view(Sub),
    "masked": np.ma.masked_invalid(spoiled(np.nan)),
    "complex": X + 1j,
}
TARGETS = {
    "float64": y,
    "float32": y.astype(np.float32),
    "integers": np.arange(6),
    "flags": y > 0,
    "nan": np.where(y > 0, y, np.nan),
    "inf": np.where(y > 0, y, np.inf),
    "words": np.array(list("ababab")),
    "objects": y.astype(object),
    "list": y.tolist(),
    "column": y[:, None],
    "short": y[:4],
    "nothing": None,
    "complex": y + 1j,
}


def outcome(call):
    """What comes back and what the estimator remembers, or what is raised; with the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            made = call()
        except (ValueError, TypeError) as error:
            made = type(error), str(error)
    return made, [str(w.message) for w in caught]


def same(a, b):
    if isinstance(a, np.ndarray):
        return (
            type(a) is type(b)
            and a.dtype == b.dtype
            and np.array_equal(a.astype(str), b.astype(str))
        )
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(same(x, z) for x, z in zip(a, b, strict=True))
    return a == b


def short_and_long(monkeypatch, call):
    short = outcome(call)
    monkeypatch.setattr(_plain, "is_plain_fit", lambda *_: False)
    monkeypatch.setattr(_plain, "is_plain_table", lambda *_, **__: False)
    return short, outcome(call)


@pytest.mark.parametrize("order", [None, "C", "F"])
@pytest.mark.parametrize("table", TABLES)
def test_a_fit_gets_what_validation_gives(table, order, monkeypatch):
    def call():
        model = Model()
        return *check.data(model, TABLES[table], y, order=order)[:2], vars(model)

    short, long = short_and_long(monkeypatch, call)
    assert same(short, long)


@pytest.mark.parametrize("kind", ["numeric", "classes"])
@pytest.mark.parametrize("target", TARGETS)
def test_targets_get_what_validation_gives(target, kind, monkeypatch):
    def call():
        model = Model()
        return *check.data(model, X, TARGETS[target], target=kind)[:2], vars(model)

    short, long = short_and_long(monkeypatch, call)
    assert same(short, long)


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("table", TABLES)
def test_a_prediction_gets_what_validation_gives(table, missing, monkeypatch):
    model = Model()
    model.n_features_in_ = 3
    short, long = short_and_long(
        monkeypatch, lambda: check.table(model, TABLES[table], missing=missing)
    )
    assert same(short, long)


@pytest.mark.parametrize("order", [None, "C", "F"])
@pytest.mark.parametrize("table", TABLES)
def test_a_fit_without_targets_gets_what_validation_gives(table, order, monkeypatch):
    def call():
        model = Model()
        model.n_features_in_ = 7
        return check.table(model, TABLES[table], order=order, reset=True), vars(model)

    short, long = short_and_long(monkeypatch, call)
    assert same(short, long)


def test_plain_arrays_are_neither_validated_nor_copied(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("the long way")

    monkeypatch.setattr(check, "validated", refuse)
    model = Model()
    got, target, _ = check.data(model, X, y)
    assert got is X
    assert target is y
    assert model.n_features_in_ == 3
    assert check.table(model, X) is X


def test_another_number_of_columns_is_refused():
    model = Model()
    model.n_features_in_ = 2
    with pytest.raises(ValueError, match="X has 3 features, but Model is expecting 2"):
        check.table(model, X)
    with pytest.raises(ValueError, match="X has 3 features, but Model is expecting 2"):
        check.data(model, X, y, reset=False)
    assert model.n_features_in_ == 2


def test_what_is_not_fitted_is_refused():
    with pytest.raises(NotFittedError):
        check.table(Model(), X)


def test_names_of_an_earlier_fit_are_forgotten_or_missed():
    pandas = pytest.importorskip("pandas")
    model = Model()
    validate_data(model, pandas.DataFrame(X, columns=list("abc")))
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        check.table(model, X)
    check.data(model, X, y)
    assert not hasattr(model, "feature_names_in_")


def test_settings_of_scikit_learn_are_heeded():
    model = Model()
    model.n_features_in_ = 3
    with sklearn.config_context(assume_finite=True):
        assert np.isnan(check.table(model, spoiled(np.nan))).any()
        assert _plain.is_plain_table(model, spoiled(np.nan), None)


@pytest.mark.parametrize(
    "labels", [np.arange(30), np.arange(30) % 16, np.arange(30) % 15, np.array([True, False])]
)
def test_integer_labels_warn_as_scikit_learn_does(labels):
    from sklearn.utils.multiclass import check_classification_targets

    ours = outcome(lambda: check.classes("Model", labels) and None)
    theirs = outcome(lambda: check_classification_targets(labels))
    assert ours[1] == theirs[1]
