"""Our own files of trees: one JSON document, exact to the last bit."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from margin.search import Forest, TreeSum
from margin.search.growing._forest import as_whole

FORMAT = "margin trees 1"
_ARRAYS = {
    "offsets": np.int64,
    "feature": np.int32,
    "threshold": np.float64,
    "left": np.int32,
    "right": np.int32,
    "missing_left": np.bool_,
    "categories": np.int32,
    "category_words": np.int32,
    "category_bits": np.uint32,
    "value": np.float64,
    "cover": np.float64,
    "n_rows": np.int64,
    "impurity": np.float64,
    "gain": np.float64,
    "output": np.int32,
}


def document_of(trees: TreeSum) -> dict[str, Any]:
    """What a file of trees says; NaN is written as null, infinity as text.

    Examples
    --------
    >>> from margin.search import Forest, TreeSum
    >>> leaf = Forest.of_tree(n_features=1, feature=[-1], threshold=[float("nan")], left=[-1],
    ...     right=[-1], value=[[2.0]])
    >>> document_of(TreeSum(leaf))["forest"]["threshold"]
    [None]
    """
    forest = {name: _plain(getattr(trees.forest, name)) for name in _ARRAYS}
    return {
        "format": FORMAT,
        "n_features": trees.forest.n_features,
        "n_outputs": trees.forest.n_outputs,
        "base": list(trees.base),
        "scale": trees.scale,
        "link": trees.link,
        "feature_names": list(trees.feature_names),
        "source": trees.source,
        "forest": forest,
    }


def parse_document(document: Mapping[str, Any]) -> TreeSum:
    """Trees of a file that :func:`document_of` describes, checked before anything follows them."""
    try:
        arrays = {name: _stored(document["forest"][name], kind) for name, kind in _ARRAYS.items()}
        n_outputs = int(document["n_outputs"])
        n_nodes = len(arrays["feature"])
        arrays["value"] = arrays["value"].reshape(n_nodes, -1)
        forest = Forest(int(document["n_features"]), n_outputs, **arrays).check()
        return TreeSum(
            forest,
            base=tuple(float(b) for b in document["base"]),
            scale=float(document["scale"]),
            link=document["link"],
            feature_names=tuple(map(str, document["feature_names"])),
            source=str(document["source"]),
        )
    except (LookupError, TypeError, ValueError, ArithmeticError, RecursionError) as error:
        raise ValueError(f"file of trees: it is damaged: {error!r}") from error


def _stored(values: Any, kind: Any) -> Any:
    numbers = _numbers(values)
    if np.dtype(kind).kind in "iu":
        return as_whole(numbers, kind)
    array = np.array(numbers)
    if array.size and array.dtype.kind not in ("b" if kind is np.bool_ else "iuf"):
        raise ValueError(f"an array of {np.dtype(kind)} holds {array.dtype}")
    return array.astype(kind)


def _plain(values: Any) -> list[Any]:
    listed: list[Any] = np.asarray(values).tolist()
    return [_written(v) for v in listed]


def _written(value: Any) -> Any:
    if isinstance(value, list):
        return [_written(v) for v in value]
    if not isinstance(value, float) or math.isfinite(value):
        return value
    return None if math.isnan(value) else str(value)


def _numbers(values: Any) -> Any:
    if isinstance(values, list):
        return [_numbers(v) for v in values]
    if isinstance(values, str) and values in ("inf", "-inf"):
        return float(values)
    return math.nan if values is None else values
