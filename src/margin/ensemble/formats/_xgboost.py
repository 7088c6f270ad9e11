"""Files of XGBoost, as JSON or its binary twin."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from margin.core.types import Array, Floats
from margin.search import Forest, TreeSum
from margin.search.growing._tree_sum import Link

_LINKS: dict[str, Link] = {
    "binary:logistic": "logistic",
    "reg:logistic": "logistic",
    "multi:softprob": "softmax",
    "multi:softmax": "softmax",
    "count:poisson": "exp",
    "reg:gamma": "exp",
    "reg:tweedie": "exp",
}
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
        outputs = max(int(settings["num_class"]), int(settings.get("num_target", "1")), 1)
        n_features = int(settings["num_feature"])
        trees = [
            _tree(tree, n_features, outputs, int(group), 1.0 if weights is None else weights[t])
            for t, (tree, group) in enumerate(zip(model["trees"], model["tree_info"], strict=True))
        ]
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise ValueError(f"XGBoost file: it is damaged: {error!r}") from error
    if not trees:
        raise ValueError("XGBoost file: it must hold at least one tree")
    link = _LINKS.get(objective, "identity")
    return TreeSum(
        Forest.concatenate(trees),
        base=_base(settings["base_score"], link, outputs),
        link=link,
        feature_names=tuple(learner.get("feature_names", ())),
        source="XGBoost",
    )


def _base(written: Any, link: Link, outputs: int) -> tuple[float, ...]:
    """Constants before the link; the file has them after it."""
    numbers = np.array(str(written).strip("[]").split(","), dtype=np.float32).astype(np.float64)
    if link == "logistic":
        numbers = np.log(numbers) - np.log1p(-numbers)
    elif link == "exp":
        numbers = np.log(numbers)
    return tuple(float(n) for n in np.broadcast_to(numbers, outputs))


def _tree(
    tree: Mapping[str, Any], n_features: int, outputs: int, group: int, factor: float
) -> Forest:
    if int(tree["tree_param"].get("size_leaf_vector", "1")) > 1:
        raise ValueError("leaves must hold one number each, got vectors")
    left = np.array(tree["left_children"], dtype=np.int64)
    leaf = left < 0
    condition = np.array(tree["split_conditions"], dtype=np.float32)
    feature = np.array(tree["split_indices"], dtype=np.int64)
    kind = np.array(tree.get("split_type", ()), dtype=np.int64)
    kind = kind if len(kind) else np.zeros(len(left), dtype=np.int64)
    categories, words, bits = _sets(tree, len(left))
    threshold = np.where(leaf | (kind == 1), np.nan, below(condition))
    return Forest.of_tree(
        n_features=n_features,
        n_outputs=outputs,
        feature=np.where(leaf, -1, feature),
        threshold=threshold,
        left=left,
        right=np.array(tree["right_children"], dtype=np.int64),
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
    for node, segment, size in listed:
        right = {int(c) for c in tree["categories"][segment : segment + size]}
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
