"""The deprecated ways of saying a penalty."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.linear import LogisticRegression
from margin.linear.classification._logistic_penalty import penalty_strength

OWNER = "LogisticRegression"


@pytest.mark.parametrize(
    ("penalty", "l1_ratio", "meant"),
    [("l2", 0.0, (2.0, 0.0)), ("l1", 1.0, (2.0, 1.0)), ("elasticnet", 0.3, (2.0, 0.3))],
)
def test_names_of_penalties(penalty, l1_ratio, meant):
    with pytest.warns(FutureWarning, match="'penalty' was deprecated"):
        assert penalty_strength(OWNER, penalty, 2.0, l1_ratio) == meant


@pytest.mark.parametrize(
    ("penalty", "C", "l1_ratio", "words", "meant"),
    [
        ("l2", 1.0, 0.5, "only used when penalty is 'elasticnet'", (1.0, 0.0)),
        ("l1", 1.0, 0.0, "Inconsistent values: penalty=l1 with l1_ratio=0", (1.0, 1.0)),
        (None, 4.0, 0.0, "penalty=None will ignore the C", (np.inf, 0.0)),
    ],
)
@pytest.mark.filterwarnings("ignore:.*was deprecated:FutureWarning")
@pytest.mark.filterwarnings("ignore:.*Inconsistent:UserWarning")
def test_what_is_overridden_is_said(penalty, C, l1_ratio, words, meant):
    with pytest.warns(UserWarning, match=words):
        assert penalty_strength(OWNER, penalty, C, l1_ratio) == meant


def test_no_share():
    with pytest.warns(FutureWarning, match="'l1_ratio=None' was deprecated"):
        assert penalty_strength(OWNER, "deprecated", 1.0, None) == (1.0, 0.0)


def test_by_position_and_as_the_share_says():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), rng.integers(2, size=60)
    with pytest.warns() as caught:
        old = LogisticRegression("l1").fit(X, y)
    assert {w.category for w in caught} == {FutureWarning, UserWarning}
    assert_allclose(old.coef_, LogisticRegression(l1_ratio=1.0).fit(X, y).coef_)
    with pytest.raises(ValueError, match="LogisticRegression: penalty must be one of"):
        LogisticRegression("l3").fit(X, y)


@pytest.mark.filterwarnings("ignore:.*was deprecated:FutureWarning")
def test_elastic_net_asks_for_a_share():
    with pytest.raises(ValueError, match="l1_ratio must be given with penalty='elasticnet'"):
        LogisticRegression("elasticnet", l1_ratio=None, solver="saga").fit([[0], [1]], [0, 1])
