from typing import get_args

import numpy as np
import pytest

from margin.core import types


@pytest.mark.parametrize(
    ("name", "dtype"),
    [
        ("Floats", np.float64),
        ("Indices", np.int64),
        ("Places", np.intp),
        ("Ints", np.int32),
        ("Codes", np.uint16),
        ("Bytes", np.uint8),
        ("Bools", np.bool_),
    ],
)
def test_names_say_the_entries(name, dtype):
    assert scalars(getattr(types, name)) == {dtype}


def scalars(annotation):
    """NumPy's scalar types inside an annotation, however deep this release of NumPy has them."""
    if isinstance(annotation, type) and issubclass(annotation, np.generic):
        return {annotation}
    return set().union(*map(scalars, get_args(annotation)))
