"""What a caller adds to a fit, on its way to the binary classifiers."""

from collections.abc import Mapping
from typing import Any

from scipy.sparse import issparse
from sklearn.utils import _safe_indexing
from sklearn.utils._metadata_requests import _routing_enabled
from sklearn.utils.metadata_routing import process_routing
from sklearn.utils.validation import _is_arraylike, _num_samples

from margin.core.types import Array


def routed(
    owner: object, method: str, given: Mapping[str, Any], sample_weight: Any = None
) -> dict[str, Any]:
    """Parameters for the base classifier: all of them, or those it asked for by routing.

    Weights are one of them, where they are given.
    """
    if sample_weight is not None:
        given = {**given, "sample_weight": sample_weight}
    if not _routing_enabled():
        return dict(given)
    return dict(process_routing(owner, method, **given).estimator[method])


def of_rows(given: Mapping[str, Any], rows: Array, n_rows: int) -> dict[str, Any]:
    """Parameters for some of the rows: what has an entry per row is cut to them.

    Examples
    --------
    >>> of_rows({"weight": [1, 2, 3], "mode": "fast"}, [0, 2], 3)
    {'weight': [1, 3], 'mode': 'fast'}
    """
    return {
        name: _safe_indexing(value, rows)
        if (issparse(value) or _is_arraylike(value)) and _num_samples(value) == n_rows
        else value
        for name, value in given.items()
    }
