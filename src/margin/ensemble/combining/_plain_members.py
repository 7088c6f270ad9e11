"""Members of a combination that are fitted one after the other to plain arrays: the short way.

Scikit-learn's combinations look at their parameters, names and members again and again, which for
small tables takes longer than to fit them. Nothing is refused here: what is not plain, or would be
refused, takes the long way and gets its warning or error there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from joblib import effective_n_jobs
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.preprocessing import LabelEncoder
from sklearn.utils import Bunch, get_tags
from sklearn.utils._metadata_requests import _routing_enabled

from margin.core import check, simple_parameters, unfitted
from margin.core.types import Array, Places

_FOLDS = 5
_BY_CLASS = ("decision_function", "predict_proba")
Splits = list[tuple[Places, Places]]


@dataclass(frozen=True, eq=False)
class PlainMembers:
    """Members with their names, none of them left out, each copied by its parameters alone.

    Parameters
    ----------
    names : tuple of str
    models : tuple of estimators
    """

    names: tuple[str, ...]
    models: tuple[Any, ...]

    @classmethod
    def of(cls, owner: Any, X: Any, y: Any, given: Any, kinds: tuple[str, ...]) -> Self | None:
        """Members of a combination of models of some kinds, if nothing is out of the ordinary."""
        plain = type(X) is np.ndarray and type(y) is np.ndarray
        if not plain or y.ndim != 1 or y.dtype.kind not in "fiub" or given or _routing_enabled():
            return None
        asked, said = owner.n_jobs, owner.verbose
        if type(said) not in (bool, int) or said or type(asked) not in (type(None), int):
            return None
        if asked == 0 or effective_n_jobs(asked) != 1:
            return None
        pairs = owner.estimators
        if type(pairs) is not list or not all(type(p) is tuple and len(p) == 2 for p in pairs):
            return None
        names, models = zip(*pairs, strict=True) if pairs else ((), ())
        if not all(type(name) is str and "__" not in name for name in names):
            return None
        if len(set(names)) < len(names) or not names or set(names) & vars(owner).keys():
            return None
        return cls(names, models) if all(_is_plain(model, kinds) for model in models) else None

    def fitted(self, X: Any, y: Any) -> list[Any]:
        """The members, trained on all rows."""
        return [_learned(model, X, y) for model in self.models]

    def named(self, fitted: Sequence[Any]) -> Bunch:
        """Trained members by name."""
        return Bunch(**dict(zip(self.names, fitted, strict=True)))

    def out_of_fold(
        self, X: Any, y: Any, methods: Sequence[str], splits: Splits
    ) -> list[Array] | None:
        """What each says of rows that it has not seen; ``None`` where one lacks a class."""
        place = np.empty(len(y), dtype=np.intp)
        place[np.concatenate([rows for _, rows in splits])] = np.arange(len(y))
        n_classes = len(np.unique(y)) if any(name in _BY_CLASS for name in methods) else 0
        answers = []
        for model, method in zip(self.models, methods, strict=True):
            parts = []
            for train, rows in splits:
                learned = _learned(model, X[train], y[train])
                part = getattr(learned, method)(X[rows])
                if type(part) is not np.ndarray:
                    return None
                if method in _BY_CLASS and len(learned.classes_) != n_classes:
                    return None
                parts.append(part)
            answers.append(np.concatenate(parts)[place])
        return answers


def _learned(model: Any, X: Any, y: Any) -> Any:
    """A trained copy, whatever its ``fit`` returns."""
    copy = unfitted(model)
    copy.fit(X, y)
    return copy


def _is_plain(model: Any, kinds: tuple[str, ...]) -> bool:
    """Whether parameters are all that a copy of a model needs, which is of one of the kinds."""
    if isinstance(model, str | type) or not hasattr(model, "get_params"):
        return False
    if simple_parameters(model) is None:
        return False
    tags = get_tags(model)
    return tags.estimator_type in kinds and not tags.input_tags.pairwise


def plain_codes(y: Any) -> tuple[LabelEncoder, Places] | None:
    """The encoder of whole numbers that are clearly classes, and their codes."""
    if y.dtype.kind not in "iu":
        return None
    labels, codes = check.distinct(y)
    if 2 * len(labels) >= len(y):  # perhaps a regression: scikit-learn warns
        return None
    encoder = LabelEncoder()
    encoder.classes_ = labels
    return encoder, codes


def plain_splits(owner: Any, X: Any, y: Any, *, classes: bool) -> Splits | None:
    """Folds of a stacking whose parameters hold nothing that could be refused."""
    folds = _FOLDS if owner.cv is None else owner.cv
    flags = type(owner.passthrough) is bool and isinstance(owner.stack_method, str)
    final = owner.final_estimator
    if type(folds) is not int or not flags or not (final is None or hasattr(final, "fit")):
        return None
    least = int(np.bincount(y).min()) if classes else len(y)
    if not 2 <= folds <= least:
        return None
    return list((StratifiedKFold(folds) if classes else KFold(folds)).split(X, y))
