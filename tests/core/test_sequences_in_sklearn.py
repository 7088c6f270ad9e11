"""A sequence is a sample: scikit-learn's tools take Sequences as they are."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_predict,
    cross_val_score,
    cross_validate,
    learning_curve,
    train_test_split,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils import resample, shuffle

from margin.core import Sequences


class MeanThreshold(ClassifierMixin, BaseEstimator):
    """Says 1 when the mean of a sequence, shrunk by ``alpha``, is above the training mean."""

    def __init__(self, alpha=0.0):
        self.alpha = alpha

    def fit(self, X, y):
        assert isinstance(X, Sequences)
        self.classes_ = np.unique(y)
        self.cut_ = X.buffer.mean()
        return self

    def predict(self, X):
        assert isinstance(X, Sequences)
        means = np.array([x.sum() / (len(x) + self.alpha) for x in X])
        return self.classes_[(means > self.cut_).astype(int)]


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    y = rng.permutation(np.repeat([0, 1], 20))
    X = Sequences([rng.normal(loc=4.0 * c, size=rng.integers(1, 9)) for c in y])
    return X, y


def test_train_test_split(data):
    X, y = data
    X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0, stratify=y)
    index_train, index_test = train_test_split(np.arange(40), random_state=0, stratify=y)
    assert X_train == X[index_train]
    assert X_test == X[index_test]
    assert len(X_train) == len(y_train) == 30
    assert len(X_test) == len(y_test) == 10


def test_labels_may_be_sequences_too(data):
    X, _ = data
    Y = Sequences([(x > 0).astype(int) for x in X])
    _, X_test, _, Y_test = train_test_split(X, Y, random_state=1)
    for x, y in zip(X_test, Y_test, strict=True):
        assert (x > 0).astype(int).tolist() == y.tolist()


@pytest.mark.parametrize("splitter", [KFold(5), StratifiedKFold(4), ShuffleSplit(3)])
def test_splitters_count_sequences(data, splitter):
    X, y = data
    for train, test in splitter.split(X, y):
        assert len(X[train]) + len(X[test]) == len(X)
        assert X[test].lengths.tolist() == X.lengths[test].tolist()


def test_group_folds(data):
    X, y = data
    groups = np.arange(40) // 4
    for train, test in GroupKFold(5).split(X, y, groups):
        assert not set(groups[train]) & set(groups[test])


def test_cross_val_score_is_what_a_loop_finds(data):
    X, y = data
    cv = StratifiedKFold(4, shuffle=True, random_state=0)
    wanted = [
        np.mean(MeanThreshold().fit(X[train], y[train]).predict(X[test]) == y[test])
        for train, test in cv.split(X, y)
    ]
    found = cross_val_score(MeanThreshold(), X, y, cv=cv)
    assert found.tolist() == wanted
    assert found.mean() > 0.9


def test_cross_validation_in_worker_processes(data):
    X, y = data
    found = cross_validate(MeanThreshold(), X, y, n_jobs=2, return_indices=True)
    assert found["test_score"].tolist() == cross_val_score(MeanThreshold(), X, y).tolist()


def test_cross_val_predict_keeps_the_order(data):
    X, y = data
    predicted = cross_val_predict(MeanThreshold(), X, y, cv=5)
    assert np.mean(predicted == y) > 0.9


def test_grid_search_finds_the_better_model_and_refits(data):
    X, y = data
    search = GridSearchCV(MeanThreshold(), {"alpha": [0.0, 1e6]}, cv=4).fit(X, y)
    assert search.best_params_ == {"alpha": 0.0}
    assert search.score(X, y) > 0.9
    assert search.best_estimator_.cut_ == X.buffer.mean()


def test_a_pipeline_passes_sequences_on(data):
    X, y = data
    centre = FunctionTransformer(lambda s: Sequences(s.buffer - 2.0, s.lengths))
    model = make_pipeline(centre, MeanThreshold())
    assert cross_val_score(model, X, y).mean() > 0.9


def test_learning_curve(data):
    X, y = data
    sizes, _, scores = learning_curve(
        MeanThreshold(), X, y, train_sizes=[0.5, 1.0], shuffle=True, random_state=0
    )
    assert sizes.tolist() == [16, 32]
    assert scores.shape == (2, 5)


def test_shuffle_and_resample_keep_rows_together(data):
    X, y = data
    X_mixed, y_mixed, index = shuffle(X, y, np.arange(40), random_state=0)
    assert X_mixed == X[index]
    assert y_mixed.tolist() == y[index].tolist()
    X_drawn, index = resample(X, np.arange(40), n_samples=50, random_state=0)
    assert X_drawn == X[index]


def test_lengths_that_differ_from_the_targets_are_refused(data):
    X, y = data
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        cross_val_score(MeanThreshold(), X, y[:-1])
