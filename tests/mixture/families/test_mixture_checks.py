"""What a mixture of any distributions is given."""

import numpy as np
import pytest

from margin.distributions import Normal, Poisson, ProductFamily
from margin.mixture import Mixture
from margin.mixture.families._mixture_checks import checked_components, filled


def test_one_entry_for_every_component():
    assert checked_components(Mixture(Normal, n_components=3)) == (Normal,) * 3
    assert checked_components(Mixture([Normal, Poisson])) == (Normal, Poisson)
    assert checked_components(Mixture()) == (None,)


def test_normal_columns_where_nothing_was_asked_for():
    assert filled(Poisson, 2) is Poisson
    family = filled(None, 2)
    assert isinstance(family, ProductFamily)
    assert family.families == (Normal,)
    np.testing.assert_array_equal(family.columns[0], [0, 1])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"assignment": "loud"}, "assignment must be one of"),
        ({"acceleration": "rocket"}, "acceleration must be one of"),
        ({"learning_decay": 2.0}, "learning_decay must be"),
    ],
)
def test_refusals(options, message):
    with pytest.raises(ValueError, match=f"Mixture: {message}"):
        checked_components(Mixture(**options))
