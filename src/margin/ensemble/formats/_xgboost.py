"""Files of XGBoost, as JSON or its binary twin."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from margin.core.types import Array, Floats
from margin.search import Forest, TreeSum
from margin.search.growing._forest import as_whole
from margin.search.growing._tree_sum import Link

_LINKS: dict[str, Link] = {
    "binary:logistic": "logistic",
    "reg:logistic": "logistic",
    "binary:hinge": "step",
    "multi:softprob": "softmax",
    "multi:softmax": "argmax",
    **dict.fromkeys(
        ("count:poisson", "reg:gamma", "reg:tweedie", "survival:cox", "survival:aft"), "exp"
    ),
    **dict.fromkeys(
        (
            *("reg:squarederror", "reg:linear", "reg:squaredlogerror", "reg:absoluteerror"),
            *("reg:pseudohubererror", "reg:quantileerror", "reg:expectileerror"),
            *("binary:logitraw", "rank:pairwise", "rank:ndcg", "rank:map"),
        ),
        "identity",
    ),
}
_SHARES = ("binary:logistic", "reg:logistic")
_DAMAGE = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)
_NAMED = 4096  # categories that every split answers for
_MOST_CATEGORIES = 2**24  # that single precision tells apart


def below(limit: Array) -> Floats:
    """Largest number that XGBoost, which rounds to single precision, finds less than a limit.

    Examples
    --------
    >>> import numpy as np
    >>> float(np.float32(below(np.array([0.1])))[0]) < float(np.float32(0.1))
    True
    """
    limit32 = np.asarray(limit, dtype=np.float32)
    before = np.nextafter(limit32, np.float32(-np.inf))
    middle = 0.5 * (before.astype(np.float64) + limit32.astype(np.float64))
    # Half way between two singles a number goes to the even one.
    even = (limit32.view(np.uint32) & 1) == 0
    return np.where(even, np.nextafter(middle, -np.inf), middle)


def parse_xgboost(document: Mapping[str, Any]) -> TreeSum:
    """Trees of a file that XGBoost has written.

    Parameters
    ----------
    document : mapping
        Content of the file, read as JSON or UBJSON.

    Returns
    -------
    TreeSum

    Raises
    ------
    ValueError
        Where the file is damaged, or holds something else than trees with constant leaves.

    Notes
    -----
    XGBoost adds in single precision: its own answers differ from these, which do not, by about
    1e-7 of the sum. A category that a split does not name goes left there, whichever way missing
    values go; here too up to category 4095, beyond it like a missing value.
    """
    try:
        learner = document["learner"]
        booster = learner["gradient_booster"]
        if booster["name"] not in ("gbtree", "dart"):
            raise ValueError(f"booster must be gbtree or dart, got {booster['name']!r}")
        weights = booster.get("weight_drop")
        model = booster["gbtree"]["model"] if booster["name"] == "dart" else booster["model"]
        settings = learner["learner_model_param"]
        objective = learner["objective"]["name"]
        if objective not in _LINKS:
            raise ValueError(f"objective must be a known one, got {objective!r}")
        groups = _whole(model["tree_info"])
        outputs = max(int(settings["num_class"]), int(settings.get("num_target", "1")), 1)
        if not len(groups):
            raise ValueError("it must hold at least one tree")
        if not len(model["trees"]) == len(groups) >= outputs:
            raise ValueError(f"{outputs} outputs need as many trees, got {len(groups)}")
        if not 0 <= groups.min() <= groups.max() < outputs:
            raise ValueError(f"tree_info must lie from 0 to {outputs - 1}")
        n_features = int(settings["num_feature"])
        factors = [1.0] * len(groups) if weights is None else [float(w) for w in weights]
        if len(factors) != len(groups) or not np.isfinite(factors).all():
            raise ValueError("weight_drop must hold a number per tree")
        trees = [
            _tree(tree, n_features, outputs, int(group), factor)
            for tree, group, factor in zip(model["trees"], groups, factors, strict=True)
        ]
        return TreeSum(
            Forest.concatenate(trees),
            base=_base(settings["base_score"], objective, outputs),
            link=_LINKS[objective],
            feature_names=_names(learner.get("feature_names", []), n_features),
            source="XGBoost",
        )
    except _DAMAGE as error:
        raise ValueError(f"XGBoost file: it is damaged: {error!r}") from error


def _whole(values: Any) -> Array:
    """Numbers of a list, whole ones only."""
    return as_whole(values, np.int64)


def _names(written: Any, n_features: int) -> tuple[str, ...]:
    fits = isinstance(written, list) and all(isinstance(name, str) for name in written)
    if not fits or len(written) not in (0, n_features):
        raise ValueError(f"feature_names must be a list of {n_features} names, or empty")
    return tuple(written)


def _base(written: Any, objective: str, outputs: int) -> tuple[float, ...]:
    """Constants before the link; the file has them after it."""
    parts = str(written).strip("[]").split(",")
    numbers = np.array(parts, dtype=np.float32).astype(np.float64)
    if not np.isfinite(numbers).all() or len(numbers) not in (1, outputs):
        raise ValueError(f"base_score must be one number, or {outputs}, got {written!r}")
    if objective in _SHARES:
        if not ((numbers > 0) & (numbers < 1)).all():
            raise ValueError(f"base_score must lie between 0 and 1, got {written!r}")
        numbers = np.log(numbers) - np.log1p(-numbers)
    elif _LINKS[objective] == "exp":
        if not (numbers > 0).all():
            raise ValueError(f"base_score must be above 0, got {written!r}")
        numbers = np.log(numbers)
    return tuple(float(n) for n in np.broadcast_to(numbers, outputs))


def _tree(
    tree: Mapping[str, Any], n_features: int, outputs: int, group: int, factor: float
) -> Forest:
    if int(tree["tree_param"].get("size_leaf_vector", "1")) > 1:
        raise ValueError("leaves must hold one number each, got vectors")
    left = _whole(tree["left_children"])
    leaf = left < 0
    condition = np.array(tree["split_conditions"], dtype=np.float32)
    if not np.isfinite(condition[leaf]).all():
        raise ValueError("leaves must hold numbers")
    feature = _whole(tree["split_indices"])
    kind = _whole(tree.get("split_type", ()))
    kind = kind if len(kind) else np.zeros(len(left), dtype=np.int64)
    categories, words, bits = _sets(tree, len(left))
    threshold = np.where(leaf | (kind == 1), np.nan, below(condition))
    return Forest.of_tree(
        n_features=n_features,
        n_outputs=outputs,
        feature=np.where(leaf, -1, feature),
        threshold=threshold,
        left=left,
        right=_whole(tree["right_children"]),
        missing_left=np.array(tree["default_left"], dtype=np.bool_),
        categories=categories,
        category_words=words,
        category_bits=bits,
        value=np.where(leaf, factor * condition.astype(np.float64), 0.0),
        cover=np.array(tree["sum_hessian"], dtype=np.float64),
        gain=np.array(tree["loss_changes"], dtype=np.float64),
        output=group if outputs > 1 else -1,
    )


def _sets(tree: Mapping[str, Any], n_nodes: int) -> tuple[Array, Array, Array]:
    """Sets of categories that go left; the file lists those that go right."""
    start, words = np.full(n_nodes, -1), np.zeros(n_nodes, dtype=np.int64)
    bits: list[int] = []
    default_left = tree["default_left"]
    listed = zip(
        tree.get("categories_nodes", ()),
        tree.get("categories_segments", ()),
        tree.get("categories_sizes", ()),
        strict=True,
    )
    listed_all = tree.get("categories", ())
    for node, segment, size in listed:
        if not (0 <= node < n_nodes and 0 <= segment <= segment + size <= len(listed_all)):
            raise ValueError("sets of categories must be those of nodes, and there")
        right = {int(c) for c in listed_all[segment : segment + size]}
        if right and not 0 <= min(right) <= max(right) < _MOST_CATEGORIES:
            raise ValueError(f"categories must lie from 0 to {_MOST_CATEGORIES - 1}")
        # What lies beyond the last word goes where missing values go: left, or never.
        beyond = 0 if default_left[node] else _NAMED // 32
        n_words = max(max(right, default=0) // 32 + 1, beyond)
        start[node], words[node] = len(bits), n_words
        for word in range(n_words):
            codes = range(32 * word, 32 * word + 32)
            bits.append(sum(1 << (c % 32) for c in codes if c not in right))
    return start, words, np.array(bits, dtype=np.uint32)
