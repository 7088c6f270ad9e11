import pytest

from margin.causal.methods._methods import METHODS, method_of
from margin.causal.methods._scores import Method


def test_every_method_is_a_value_with_a_title():
    for name, method in METHODS.items():
        assert isinstance(method, Method)
        assert method.title
        assert method_of("A", name) is method
        assert method_of("A", method) is method
        assert hash(method) == hash(type(method)(**vars(method)))


def test_unknown_names():
    with pytest.raises(ValueError, match="A: method must be one of 'auto', 'naive'"):
        method_of("A", "magic")
