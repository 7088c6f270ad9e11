"""What scikit-learn lets a parameter be, ours does too, but for values that leave nothing to do."""

import numpy as np
import pytest

from benchmarks.everywhere.pairs import pairs, table
from tests.tools.test_faces import prepared
from tools.dropin.values import legal_values, refused

EVERY = {pair.name: pair for pair in pairs()}
# Refused on purpose, wherever they occur: a fit of no steps, a kernel that is the same everywhere.
EMPTY = {
    "max_iter": (0,),
    "transform_max_iter": (0,),
    "gamma": (0.0,),
    "degree": (0, 0.5),
    "learning_rate": (0.0,),
    "eps": (0.0,),
    "doc_topic_prior": (0.0,),
    "topic_word_prior": (0.0,),
    "n_neighbors": (None,),
    "radius": (None,),
}
# Of twenty columns no latitude and longitude; words that scikit-learn takes and cannot use.
METRICS = ("haversine", "pyfunc", "sokalmichener")
OTHERS = {
    ("LinearDiscriminantAnalysis", "tol", 0.0),  # the variance below which a direction is none
    ("QuadraticDiscriminantAnalysis", "tol", 0.0),
    ("LogisticRegression", "tol", 0.0),  # no certificate is exactly zero
    ("SparseCoder", "positive_code", True),  # of the default algorithm, which they let pass
    ("BernoulliNB", "binarize", None),  # the table has other values than 0 and 1
    ("KernelDensity", "metric", "braycurtis"),  # no tree can serve it
}


def chosen(name, parameter, value):
    empty = any(value is v or value == v for v in EMPTY.get(parameter, ()))
    metric = parameter == "metric" and value in METRICS
    return empty or metric or (name, parameter, value) in OTHERS


@pytest.mark.parametrize("name", sorted(EVERY))
def test_what_theirs_takes_ours_takes(name):
    pair = prepared(EVERY[name])
    if name == "DictionaryLearning":
        for model in (pair.ours, pair.theirs):
            model.set_params(max_iter=3)
    X, y = table(pair.ours, 60)
    if name in ("CCA", "SparseCoder"):
        y = np.column_stack([y, X[:, 0]])
    found = refused(pair.ours, pair.theirs, X, y)
    assert [fault for fault in found if not chosen(name, *fault[:2])] == []


def test_values_are_those_of_the_declarations():
    from sklearn.linear_model import ElasticNet

    values = dict.fromkeys(name for name, _ in legal_values(ElasticNet))
    assert {"alpha", "selection", "warm_start"} <= set(values)
    assert ("selection", "random") in legal_values(ElasticNet)
    assert ("l1_ratio", 1.0) in legal_values(ElasticNet)
