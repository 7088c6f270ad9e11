"""Names of the array types that signatures of the whole library use.

Examples
--------
>>> from margin.core.types import Floats
>>> def norm(x: Floats) -> float:
...     return float(np.sqrt(x @ x))
>>> norm(np.array([3.0, 4.0]))
5.0
"""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
"""Numbers in double precision: vectors, matrices, tables."""

Indices: TypeAlias = NDArray[np.int64]
"""Positions and counts, as the compiled loops take them."""

Places: TypeAlias = NDArray[np.intp]
"""Positions as NumPy's own functions give them (``argsort``, ``flatnonzero``)."""

Ints: TypeAlias = NDArray[np.int32]
"""Small integers: states, labels, nodes."""

Codes: TypeAlias = NDArray[np.uint16]
"""Categories of table columns."""

Bytes: TypeAlias = NDArray[np.uint8]
"""Flags that the compiled loops take, adjacency matrices."""

Bools: TypeAlias = NDArray[np.bool_]
"""Masks."""

Array: TypeAlias = NDArray[Any]
"""An array of any kind of entries."""

Matrix: TypeAlias = Any
"""A dense array of shape (n, p) or a SciPy sparse matrix of that shape."""
