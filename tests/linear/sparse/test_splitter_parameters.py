"""Metadata for the splitter of LassoCV and ElasticNetCV."""

import numpy as np
import pytest
from sklearn import config_context
from sklearn.model_selection import GroupKFold

from margin.linear import ElasticNetCV, LassoCV
from margin.linear.sparse._splitter_parameters import for_splitter

BOTH = [LassoCV, ElasticNetCV]


def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 5))
    return X, X[:, 0] + rng.normal(size=60), np.repeat(np.arange(6), 10)


@pytest.mark.parametrize("kind", BOTH)
def test_groups_reach_the_splitter(kind):
    """The folds are those that the splitter makes of the groups."""
    X, y, groups = data()
    by_hand = kind(cv=list(GroupKFold(3).split(X, y, groups)), alphas=5).fit(X, y)
    with config_context(enable_metadata_routing=True):
        routed = kind(cv=GroupKFold(3), alphas=5).fit(X, y, groups=groups)
    np.testing.assert_array_equal(routed.mse_path_, by_hand.mse_path_)


@pytest.mark.parametrize("kind", BOTH)
def test_refused_without_routing(kind):
    X, y, groups = data()
    with pytest.raises(ValueError, match="only supported if enable_metadata_routing=True"):
        kind().fit(X, y, groups=groups)


def test_nothing_given_is_nothing_to_split_by():
    assert for_splitter("LassoCV", np.ones(3), {}) == {}
