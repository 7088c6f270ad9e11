"""Families by name."""

import numpy as np
import pytest

from margin.graphical.learning.markov._clique_family import clique_family

STATES = {"a": (0, 1), "b": (0, 1, 2), "c": (0, 1)}


def test_scopes_and_designs():
    agree = np.ones((1, 2, 2))
    family = clique_family("Test", STATES, [("a", "c"), "b"], {("a", "c"): agree})
    assert family.cards == (2, 3, 2)
    assert family.scopes == ((0, 2), (1,))
    assert family.size == 1 + 3
    assert clique_family("Test", STATES, None, None).scopes == ((0, 1), (0, 2), (1, 2))
    assert clique_family("Test", {"a": (0, 1)}, None, None).scopes == ((0,),)


@pytest.mark.parametrize("cliques", [[()], [("a", "a")], [("a", "q")]])
def test_bad_cliques(cliques):
    with pytest.raises(ValueError, match="Test: cliques must be groups of different columns"):
        clique_family("Test", STATES, cliques, None)


@pytest.mark.parametrize("features", [{("a", "b"): np.ones((1, 2, 2))}, {("c", "a"): [[1.0]]}])
def test_bad_features(features):
    with pytest.raises(ValueError, match="Test: features must be features of a clique"):
        clique_family("Test", STATES, None, features)
