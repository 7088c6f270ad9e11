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
    _, entries = get_args(getattr(types, name))
    assert get_args(entries) == (dtype,)
