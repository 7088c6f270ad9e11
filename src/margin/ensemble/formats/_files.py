"""Reading and writing files of trees."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from margin.core import check
from margin.ensemble.formats._document import FORMAT, document_of, parse_document
from margin.ensemble.formats._lightgbm import parse_lightgbm
from margin.ensemble.formats._ubjson import parse_ubjson
from margin.ensemble.formats._xgboost import parse_xgboost
from margin.search import TreeSum


def read_trees(path: str | Path) -> TreeSum:
    """Trees of a file: ours, LightGBM's text, or XGBoost's JSON or UBJSON.

    Nothing in a file is executed, and trees that are none are refused.

    Parameters
    ----------
    path : str or Path

    Returns
    -------
    TreeSum
        Predicts as the model that was written, and can be explained.

    Raises
    ------
    ValueError
        Where the file is of no known kind, damaged, or asks for what trees with constant leaves
        cannot do.
    """
    where = Path(path)
    trees = _parsed(where)
    for part, numbers in _answered_with(trees).items():
        if not np.isfinite(numbers).all():
            raise ValueError(f"file of trees: it is damaged: {part} must be finite")
    return trees


def _answered_with(trees: TreeSum) -> dict[str, Any]:
    """Numbers that answers and explanations are sums of: none may be NaN or infinite."""
    forest = trees.forest
    return {
        "values of leaves": forest.value[forest.is_leaf],
        "covers": forest.cover,
        "base": trees.base,
        "scale": trees.scale,
    }


def _parsed(where: Path) -> TreeSum:
    data = where.read_bytes()
    if _is_binary(data):
        return parse_xgboost(_binary(data, where))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        need = "a text, JSON or UBJSON file"
        raise check.fail("read_trees", "path", need, where.name) from error
    if text.lstrip().startswith("tree"):
        return parse_lightgbm(text)
    try:
        document = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        need = "a whole file of trees in a known format"
        raise check.fail("read_trees", "path", need, where.name) from error
    if isinstance(document, dict) and document.get("format") == FORMAT:
        return parse_document(document)
    if isinstance(document, dict) and "learner" in document:
        return parse_xgboost(document)
    need = "a file of margin, LightGBM or XGBoost"
    raise check.fail("read_trees", "path", need, where.name)


def _is_binary(data: bytes) -> bool:
    """Whether a file starts as a UBJSON object with a named member, which no text does."""
    return data[:1] == b"{" and data[1:2] in (b"i", b"U", b"I", b"l", b"L", b"#", b"$")


def _binary(data: bytes, where: Path) -> dict[str, Any]:
    try:
        return dict(parse_ubjson(data))
    except ValueError as error:
        need = f"a whole file of trees in a known format ({error})"
        raise check.fail("read_trees", "path", need, where.name) from error


def write_trees(model: Any, path: str | Path) -> None:
    """Write trees to a JSON file that :func:`read_trees` reads back to the last bit.

    Parameters
    ----------
    model : TreeSum or fitted estimator
        An estimator tells its trees by a method ``to_trees``.
    path : str or Path
    """
    if not (isinstance(model, TreeSum) or hasattr(model, "to_trees")):
        need = "a fitted model that is a sum of trees, or TreeSum"
        raise check.fail("write_trees", "model", need, type(model).__name__)
    trees = model if isinstance(model, TreeSum) else model.to_trees()
    text = json.dumps(document_of(trees), allow_nan=False)
    Path(path).write_text(text, encoding="utf-8")
