"""The short way through a combination gives what scikit-learn's own way gives."""

import warnings

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.model_selection import KFold
from sklearn.tree import DecisionTreeClassifier as TheirTree

from margin.ensemble import (
    StackingClassifier,
    StackingRegressor,
    VotingClassifier,
    VotingRegressor,
)
from margin.ensemble.combining._plain_members import PlainMembers, plain_codes, plain_splits
from margin.linear import GaussianNB, LinearRegression, LogisticRegression, Ridge
from margin.svm import SVC

rng = np.random.default_rng(0)
X = rng.normal(size=(60, 4))
y = X @ rng.normal(size=4) + 0.3 * rng.normal(size=60)
labels = np.array([3, 7, 9])[np.digitize(y, [-0.5, 0.7])]

REGRESSORS = [("ridge", Ridge(2.0)), ("ols", LinearRegression())]
CLASSIFIERS = [("logistic", LogisticRegression()), ("bayes", GaussianNB()), ("tree", TheirTree())]
NUMBERS = ("regressor",)


def both_ways(model, target, monkeypatch):
    """The same model fitted in the short way and in the long one."""
    short = sklearn.clone(model).fit(X, target)
    with monkeypatch.context() as patch:
        patch.setattr(PlainMembers, "of", classmethod(lambda *_: None))
        long = sklearn.clone(model).fit(X, target)
    return short, long


def test_the_short_way_is_taken(monkeypatch):
    monkeypatch.setattr(PlainMembers, "fitted", lambda *_: pytest.fail("taken"))
    for model, target in [
        (VotingRegressor(REGRESSORS), y),
        (VotingClassifier(CLASSIFIERS), labels),
        (StackingRegressor(REGRESSORS), y),
        (StackingClassifier(CLASSIFIERS), labels),
    ]:
        with pytest.raises(pytest.fail.Exception, match="taken"):
            model.fit(X, target)


@pytest.mark.parametrize("kind", [VotingRegressor, StackingRegressor])
def test_regressors_are_the_same(kind, monkeypatch):
    short, long = both_ways(kind(REGRESSORS), y, monkeypatch)
    assert set(vars(short)) == set(vars(long))
    np.testing.assert_array_equal(short.predict(X), long.predict(X))
    np.testing.assert_array_equal(short.transform(X), long.transform(X))
    assert list(short.named_estimators_) == list(long.named_estimators_)
    assert short.n_features_in_ == long.n_features_in_ == 4


@pytest.mark.parametrize(
    "settings",
    [{}, {"passthrough": True}, {"cv": 3}, {"stack_method": "predict"}, {"stack_method": "auto"}],
)
@pytest.mark.parametrize("target", [labels, (y > 0).astype(np.int32), labels.astype(np.uint8)])
def test_stacked_classifiers_are_the_same(target, settings, monkeypatch):
    members = [*CLASSIFIERS[:2], ("tree", TheirTree(random_state=0))]
    short, long = both_ways(StackingClassifier(members, **settings), target, monkeypatch)
    assert set(vars(short)) == set(vars(long))
    assert short.stack_method_ == long.stack_method_
    assert short.classes_.dtype == long.classes_.dtype
    np.testing.assert_array_equal(short.out_of_fold_, long.out_of_fold_)
    np.testing.assert_array_equal(short.predict_proba(X), long.predict_proba(X))
    np.testing.assert_array_equal(short.predict(X), long.predict(X))


@pytest.mark.parametrize("voting", ["hard", "soft"])
def test_voting_classifiers_are_the_same(voting, monkeypatch):
    members = [*CLASSIFIERS[:2], ("tree", TheirTree(random_state=0))]
    short, long = both_ways(VotingClassifier(members, voting=voting), labels, monkeypatch)
    assert set(vars(short)) == set(vars(long))
    np.testing.assert_array_equal(short.predict(X), long.predict(X))
    np.testing.assert_array_equal(short.le_.classes_, long.le_.classes_)
    np.testing.assert_array_equal(short.le_.transform(labels), long.le_.transform(labels))


def test_classes_that_a_fold_lacks_take_the_long_way(monkeypatch):
    target = np.repeat([0, 1, 2], 20)  # rows in the order of the classes, folds without shuffling
    members = PlainMembers.of(VotingClassifier(CLASSIFIERS), X, target, {}, ("classifier",))
    splits = list(KFold(3).split(X))
    assert members.out_of_fold(X, target, ["predict_proba"] * 3, splits) is None
    assert members.out_of_fold(X, target, ["predict"] * 3, splits) is not None


UNUSUAL = {
    "no names": VotingRegressor([]),
    "one name twice": VotingRegressor([("a", Ridge()), ("a", Ridge())]),
    "a name of a parameter": VotingRegressor([("n_jobs", Ridge())]),
    "two underscores": VotingRegressor([("a__b", Ridge())]),
    "one left out": VotingRegressor([("a", Ridge()), ("b", "drop")]),
    "a class": VotingRegressor([("a", Ridge)]),
    "a classifier": VotingRegressor([("a", LogisticRegression())]),
    "an array as a parameter": VotingRegressor([("a", Ridge(np.ones(1)))]),
    "several jobs": VotingRegressor(REGRESSORS, n_jobs=2),
    "no job": VotingRegressor(REGRESSORS, n_jobs=0),
    "words about it": VotingRegressor(REGRESSORS, verbose=True),
    "no list": VotingRegressor(tuple(REGRESSORS)),
}


@pytest.mark.parametrize("name", UNUSUAL)
def test_unusual_members_take_the_long_way(name):
    assert PlainMembers.of(UNUSUAL[name], X, y, {}, NUMBERS) is None


def test_unusual_data_take_the_long_way():
    model = VotingRegressor(REGRESSORS)
    assert PlainMembers.of(model, X, y, {}, NUMBERS) is not None
    for rows in (pd.DataFrame(X), X.tolist()):
        assert PlainMembers.of(model, rows, y, {}, NUMBERS) is None
    for target in (y[:, None], y.tolist(), y.astype(object), None):
        assert PlainMembers.of(model, X, target, {}, NUMBERS) is None
    assert PlainMembers.of(model, X, y, {"sample_weight": np.ones(60)}, NUMBERS) is None
    with sklearn.config_context(enable_metadata_routing=True):
        assert PlainMembers.of(model, X, y, {}, NUMBERS) is None


def test_a_given_kernel_takes_the_long_way():
    model = VotingClassifier([("svc", SVC(kernel="precomputed"))])
    assert PlainMembers.of(model, X, labels, {}, ("classifier",)) is None
    short, long = VotingClassifier(CLASSIFIERS), X @ X.T
    assert PlainMembers.of(short, long, labels, {}, ("classifier",)) is not None


def test_weights_of_members_take_the_long_way():
    model = VotingRegressor(REGRESSORS, weights=[3, 1]).fit(X, y)
    expected = model.transform(X) @ [0.75, 0.25]
    np.testing.assert_allclose(model.predict(X), expected)
    with pytest.raises(ValueError, match="weights"):
        VotingRegressor(REGRESSORS, weights=[1.0]).fit(X, y)


def test_codes_of_what_is_clearly_classes():
    encoder, codes = plain_codes(labels)
    np.testing.assert_array_equal(encoder.inverse_transform(codes), labels)
    for target in (y, labels.astype(float), labels.astype(str), np.arange(60)):
        assert plain_codes(target) is None


@pytest.mark.parametrize(
    "settings",
    [
        {"cv": KFold(3)},
        {"cv": "prefit"},
        {"cv": 1},
        {"cv": True},
        {"cv": 61},
        {"passthrough": 1},
        {"final_estimator": "ridge"},
    ],
)
def test_unusual_settings_of_stacking_take_the_long_way(settings):
    assert plain_splits(StackingRegressor(REGRESSORS, **settings), X, y, classes=False) is None


def test_folds_are_those_of_scikit_learn():
    codes = np.arange(60) % 3
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kept = plain_splits(StackingClassifier(CLASSIFIERS), X, codes, classes=True)
    expected = sklearn.model_selection.check_cv(None, codes, classifier=True).split(X, codes)
    for ours, theirs in zip(kept, expected, strict=True):
        for mine, other in zip(ours, theirs, strict=True):
            np.testing.assert_array_equal(mine, other)
    rare = np.where(np.arange(60) < 3, 1, 0)  # fewer of a class than folds: scikit-learn warns
    assert plain_splits(StackingClassifier(CLASSIFIERS), X, rare, classes=True) is None


class Silent(RegressorMixin, BaseEstimator):
    """A regressor whose ``fit`` returns nothing."""

    def fit(self, X, y):
        self.mean_ = float(np.mean(y))

    def predict(self, X):
        return np.full(len(X), self.mean_)


@pytest.mark.parametrize("kind", [VotingRegressor, StackingRegressor])
def test_members_need_not_return_themselves(kind, monkeypatch):
    model = kind([("ridge", Ridge()), ("silent", Silent())])
    assert PlainMembers.of(model, X, y, {}, NUMBERS) is not None
    short, long = both_ways(model, y, monkeypatch)
    np.testing.assert_array_equal(short.transform(X), long.transform(X))


def test_what_a_member_refuses_is_refused():
    bad = np.where(np.arange(60)[:, None] == 3, np.nan, X)
    for model, target in [(VotingRegressor(REGRESSORS), y), (StackingRegressor(REGRESSORS), y)]:
        with pytest.raises(ValueError, match=r"Ridge|NaN"):
            model.fit(bad, target)
        assert not hasattr(model, "estimators_")
