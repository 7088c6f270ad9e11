"""Text files of LightGBM."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from margin.core.types import Array
from margin.search import Forest, TreeSum
from margin.search.growing._tree_sum import Link

_CATEGORICAL, _DEFAULT_LEFT = 1, 2
_NONE, _ZERO, _NAN = 0, 1, 2
_LINKS: dict[str, Link] = {
    "binary": "logistic",
    "multiclassova": "logistic",
    "cross_entropy": "logistic",
    "cross_entropy_lambda": "softplus",
    "multiclass": "softmax",
    "poisson": "exp",
    "gamma": "exp",
    "tweedie": "exp",
    **dict.fromkeys(
        (
            *("regression", "regression_l2", "regression_l1", "huber", "fair", "quantile", "mape"),
            *("lambdarank", "rank_xendcg", "custom"),
        ),
        "identity",
    ),
}
_END = "end of trees"


def parse_lightgbm(text: str) -> TreeSum:
    """Trees of a text file that LightGBM has written.

    Parameters
    ----------
    text : str
        Content of the file.

    Returns
    -------
    TreeSum

    Raises
    ------
    ValueError
        Where the file is damaged or cut short, has linear trees or an objective that we do not
        know, or treats zeros as missing values.
    """
    whole, end, _ = text.replace("\r\n", "\n").partition(f"\n{_END}")
    head, *blocks = whole.split("\nTree=")
    settings = _pairs(head)
    if not head.lstrip().startswith("tree") or "max_feature_idx" not in settings:
        raise ValueError("LightGBM file: the first line must be 'tree', with a header after it")
    if not end:
        raise ValueError(f"LightGBM file: it must be whole, but has no line {_END!r}")
    try:
        outputs = int(settings.get("num_tree_per_iteration", "1"))
        n_features = int(settings["max_feature_idx"]) + 1
        names = tuple(settings.get("feature_names", "").split())
        _check_counts(settings, outputs, n_features, names, len(blocks))
    except ValueError as error:
        raise ValueError(f"LightGBM file: the header is damaged: {error}") from error
    trees = []
    for number, block in enumerate(blocks):
        try:
            if block.partition("\n")[0].strip() != str(number):
                raise ValueError("trees must be numbered one after another")
            fields = _pairs(block.split("\n\n")[0])
            trees.append(_tree(fields, n_features, outputs, number % outputs))
        except (LookupError, TypeError, ValueError, ArithmeticError) as error:
            raise ValueError(f"LightGBM file: tree {number} is damaged: {error}") from error
    averaged = "average_output" in head.splitlines()
    link, factor = _link(settings.get("objective", "custom").split() or ["custom"])
    return TreeSum(
        Forest.concatenate(trees),
        base=(0.0,) * outputs,
        scale=factor * (outputs / len(trees) if averaged else 1.0),
        link=link,
        feature_names=names,
        source="LightGBM",
    )


def _check_counts(
    settings: Mapping[str, str], outputs: int, n_features: int, names: Any, n_trees: int
) -> None:
    """Numbers of the header agree with each other and with the trees that follow."""
    if not n_trees:
        raise ValueError("there must be at least one tree")
    if not 1 <= outputs <= n_trees or n_trees % outputs:
        raise ValueError(
            f"num_tree_per_iteration must divide the {n_trees} trees that there are, got {outputs}"
        )
    sizes = settings.get("tree_sizes")
    if sizes is not None and len(sizes.split()) != n_trees:
        raise ValueError(f"tree_sizes speaks of {len(sizes.split())} trees, got {n_trees}")
    if n_features < 1 or (names and len(names) != n_features):
        raise ValueError(f"feature_names must be {n_features} names, got {len(names)}")


def _link(objective: list[str]) -> tuple[Link, float]:
    """From sums to answers, and the factor of the sums before."""
    name, *options = objective
    if name not in _LINKS:
        raise ValueError(f"LightGBM file: objective must be a known one, got {name!r}")
    factor = 1.0
    for option in options:
        key, _, value = option.partition(":")
        if key == "sigmoid":
            factor = float(value)
            if not 0 < factor < np.inf:
                raise ValueError(f"LightGBM file: sigmoid must be above 0, got {value}")
    if "sqrt" in options:
        raise ValueError("LightGBM file: objective must be without sqrt, got 'sqrt'")
    return _LINKS[name], factor


def _pairs(text: str) -> dict[str, str]:
    lines = (line.partition("=") for line in text.splitlines())
    return {key: value for key, sign, value in lines if sign}


def _numbers(fields: Mapping[str, str], name: str, kind: Any) -> Array:
    return np.array(fields[name].split(), dtype=kind)


def _tree(fields: Mapping[str, str], n_features: int, outputs: int, output: int) -> Forest:
    n_leaves = int(fields["num_leaves"])
    if int(fields.get("is_linear", "0")):
        raise ValueError("leaves must be constants, got linear models")
    value = _numbers(fields, "leaf_value", np.float64)
    if not np.isfinite(value).all():
        raise ValueError("leaves must hold numbers")
    column = output if outputs > 1 else -1
    if n_leaves == 1:
        return Forest.of_tree(
            n_features=n_features,
            n_outputs=outputs,
            feature=[-1],
            threshold=[np.nan],
            left=[-1],
            right=[-1],
            value=value[:1],
            cover=[1.0],
            output=column,
        )
    kind = _numbers(fields, "decision_type", np.int64)
    threshold = _numbers(fields, "threshold", np.float64)
    left = _numbers(fields, "left_child", np.int64)
    right = _numbers(fields, "right_child", np.int64)
    n_inner = n_leaves - 1
    if not len(kind) == len(threshold) == len(left) == len(right) == n_inner:
        raise ValueError(f"it must have {n_inner} splits")
    if len(value) != n_leaves:
        raise ValueError(f"it must have {n_leaves} leaves, got {len(value)}")
    categorical = (kind & _CATEGORICAL) != 0
    missing_left, categories, words, bits = _missing(fields, kind, threshold, categorical)

    def with_leaves(inner: Any, leaf: Any) -> Array:
        return np.concatenate([np.asarray(inner), np.broadcast_to(leaf, n_leaves)])

    def child(number: Array) -> Array:
        return np.where(number >= 0, number, n_inner + ~number)

    covers = [fields.get(f"{part}_count", "").split() for part in ("internal", "leaf")]
    known = len(covers[0]) == n_inner and len(covers[1]) == n_leaves
    cover = (
        np.array(covers[0] + covers[1], dtype=np.float64) if known else np.zeros(2 * n_leaves - 1)
    )
    return Forest.of_tree(
        n_features=n_features,
        n_outputs=outputs,
        feature=with_leaves(_numbers(fields, "split_feature", np.int64), -1),
        threshold=with_leaves(np.where(categorical, np.nan, threshold), np.nan),
        left=with_leaves(child(left), -1),
        right=with_leaves(child(right), -1),
        missing_left=with_leaves(missing_left, False),
        categories=with_leaves(categories, -1),
        category_words=with_leaves(words, 0),
        category_bits=bits,
        value=np.concatenate([np.zeros(n_inner), value]),
        cover=cover,
        n_rows=cover,
        output=column,
    )


def _missing(
    fields: Mapping[str, str], kind: Array, threshold: Array, categorical: Array
) -> tuple[Array, Array, Array, Array]:
    """Where missing values go, and the sets of categorical splits."""
    rule = (kind >> 2) & 3
    default = (kind & _DEFAULT_LEFT) != 0
    # Without a rule a missing value counts as zero; sets never hold it.
    as_zero = threshold >= 0.0
    numeric = ~categorical
    if (numeric & (rule == _ZERO) & (default != as_zero)).any():
        raise ValueError("zeros must not stand for missing values, got zero_as_missing")
    missing_left = np.where(rule == _NAN, default, as_zero) & numeric
    categories = np.full(len(kind), -1, dtype=np.int64)
    words = np.zeros(len(kind), dtype=np.int64)
    if not categorical.any():
        return missing_left, categories, words, np.empty(0, dtype=np.uint32)
    bounds = _numbers(fields, "cat_boundaries", np.int64)
    which = threshold[categorical].astype(np.int64)
    bits = _numbers(fields, "cat_threshold", np.int64)
    if not 0 <= which.min() <= which.max() < len(bounds) - 1:
        raise ValueError("sets of categories must be there")
    if bounds[0] != 0 or (np.diff(bounds) < 0).any() or bounds[-1] != len(bits):
        raise ValueError("cat_boundaries must rise from 0 to the number of words")
    categories[categorical] = bounds[which]
    words[categorical] = bounds[which + 1] - bounds[which]
    return missing_left, categories, words, bits
