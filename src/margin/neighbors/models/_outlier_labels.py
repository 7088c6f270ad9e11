"""Classes of queries that have no neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Array, Bools
from margin.neighbors.models._class_targets import ClassTargets


@dataclass(frozen=True, eq=False)
class OutlierLabels:
    """One label for every target, or none at all.

    Parameters
    ----------
    labels : tuple
        Empty where outliers are to be refused.
    codes : tuple of int
        Their places among the classes, -1 for labels that are no class.
    many : bool
        Whether targets came as a table.
    """

    labels: tuple[Any, ...]
    codes: tuple[int, ...]
    many: bool

    @classmethod
    def of(cls, owner: object, asked: Any, targets: ClassTargets) -> OutlierLabels:
        """Labels as asked for: a label, one for each target, or the most frequent class."""
        if asked is None:
            return cls((), (), targets.many)
        if isinstance(asked, str) and asked == "most_frequent":
            codes = [int(np.bincount(column).argmax()) for column in targets.codes.T]
            labels = [c[code] for c, code in zip(targets.classes, codes, strict=True)]
            return cls(tuple(labels), tuple(codes), targets.many)
        labels = _one_each(owner, asked, targets)
        for label, classes in zip(labels, targets.classes, strict=True):
            _check_kind(owner, label, classes)
        places = [
            np.flatnonzero(c == label) for c, label in zip(targets.classes, labels, strict=True)
        ]
        codes = [int(place[0]) if len(place) else -1 for place in places]
        return cls(tuple(labels), tuple(codes), targets.many)

    @property
    def shown(self) -> Any:
        """Labels as users see them."""
        if not self.labels:
            return None
        return list(self.labels) if self.many else self.labels[0]

    def into(self, predicted: Array, lonely: Bools) -> Array:
        """Predictions with the labels of outliers written in."""
        if not self.labels or not lonely.any():
            return predicted
        shown = np.array(self.labels) if self.many else np.array(self.labels[0])
        answer = predicted.astype(np.result_type(predicted, shown))
        answer[lonely] = shown
        return answer


def _one_each(owner: object, asked: Any, targets: ClassTargets) -> list[Any]:
    n_outputs = len(targets.classes)
    several = isinstance(asked, list | tuple | np.ndarray)
    if several and not targets.many:
        raise TypeError(
            f"{check.named(owner)}: The outlier_label of classes {targets.classes[0]} is supposed "
            f"to be a scalar, got {asked}."
        )
    labels = list(asked) if several else [asked] * n_outputs
    if len(labels) != n_outputs:
        raise ValueError(
            f"{check.named(owner)}: The length of outlier_label: {labels} is inconsistent with the "
            f"output length: {n_outputs}"
        )
    return labels


def _check_kind(owner: object, label: Any, classes: Array) -> None:
    """Refuse a word among numbers, a number among words, and what is no label at all."""
    kind = np.asarray(label)
    words = "USO"
    if not np.isscalar(label):
        if isinstance(label, list | tuple | np.ndarray):
            raise TypeError(
                f"{check.named(owner)}: The outlier_label of classes {classes} is supposed to be "
                f"a scalar, got {label}."
            )
        raise check.fail(owner, "outlier_label", "None, 'most_frequent' or labels", label)
    if (kind.dtype.kind in words) != (classes.dtype.kind in words):
        raise TypeError(
            f"{check.named(owner)}: The dtype of outlier_label {label!r} is inconsistent with "
            f"classes {classes} in y."
        )
