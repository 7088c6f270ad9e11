"""How rows are set aside: at random, forward in time, or by whole groups."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from sklearn.model_selection import GroupKFold, StratifiedGroupKFold

from margin.core.types import Array, Floats, Places
from margin.evaluation.table._folds import folds_in_words, make_folds
from margin.evaluation.table._split import Split, holdout

PlanKind = Literal["random", "time", "group"]
Parts = tuple[tuple[Places, Places], ...]

_SPLITS = 5
_MANY_ROWS = 5_000


@dataclass(frozen=True, eq=False)
class Plan:
    """Which rows may judge which others.

    Parameters
    ----------
    kind : {"random", "time", "group"}
        Rows at random; later rows judge earlier ones; rows of other groups judge.
    order : ndarray, optional
        Place of each row in time; rows of the same time stay together.
    groups : ndarray, optional
        Group of each row. With ``kind="time"`` a group stays together, at its latest row.
    name : str
        Column that the order or the groups come from; empty for the order of the rows.
    """

    kind: PlanKind = "random"
    order: Floats | None = None
    groups: Array | None = None
    name: str = ""

    def take(self, rows: Places) -> Plan:
        """The plan of some of the rows."""
        return replace(
            self,
            order=None if self.order is None else self.order[rows],
            groups=None if self.groups is None else self.groups[rows],
        )

    def holdout(self, y: Array, *, test_size: float, stratify: bool, seed: int) -> Split:
        """Hold out test rows: the latest, whole groups, or any."""
        if self.kind == "time":
            late = self._places() >= self._cut(test_size)
            return Split(np.flatnonzero(~late), np.arange(0), np.flatnonzero(late))
        if self.kind == "group":
            share = max(2, round(1 / test_size))
            train, test = self._by_group(y, share, stratify, seed)[0]
            return Split(np.sort(train), np.arange(0), np.sort(test))
        return holdout(y, test_size=test_size, stratify=stratify, seed=seed)

    def folds(self, y: Array, *, stratify: bool, seed: int) -> Parts:
        """Training and held-out rows of the cross-validation."""
        if self.kind == "time":
            return self._forward(_SPLITS)
        if self.kind == "group":
            repeats = 1 if len(y) > _MANY_ROWS else 2
            return sum((self._by_group(y, _SPLITS, stratify, seed + i) for i in range(repeats)), ())
        return make_folds(y, stratify=stratify, seed=seed)

    def inner(self, y: Array, n_splits: int, *, stratify: bool, seed: int) -> Parts | None:
        """Folds inside a fold that keep to the plan; ``None`` leaves them to chance."""
        if self.kind == "time" and len(np.unique(self._places())) > n_splits:
            return self._forward(n_splits)
        if self.kind == "group" and self.groups is not None and len(np.unique(self.groups)) > 1:
            return self._by_group(y, n_splits, stratify, seed)
        return None

    def in_words(self, folds: Any, finished: int) -> str:
        """Name of the cross-validation, and how much of it was run."""
        if self.kind == "random":
            return folds_in_words(folds, finished)
        by = f" ({self.name})" if self.name else ""
        if self.kind == "time":
            text = f"{len(folds)} folds forward in time{by}"
        else:
            text = f"{len(folds)} folds of whole groups{by}"
        return text if finished == len(folds) else f"{text}, {finished} of them run"

    def _places(self) -> Floats:
        """Place of each row in time; that of a group is the place of its latest row."""
        order = np.asarray(self.order, dtype=np.float64)
        if self.groups is None:
            return order
        _, codes = np.unique(self.groups, return_inverse=True)
        latest = np.full(int(codes.max()) + 1, -np.inf)
        np.maximum.at(latest, codes, order)
        return np.asarray(latest[codes])

    def _cut(self, test_size: float) -> float:
        """First time of the test rows: about the wanted share of rows comes then or later."""
        times, counts = np.unique(self._places(), return_counts=True)
        later = np.cumsum(counts[::-1])[::-1]
        wanted = max(2, round(test_size * counts.sum()))
        start = int(np.argmin(np.abs(later[1:] - wanted))) + 1 if len(times) > 1 else 0
        return float(times[start])

    def _forward(self, n_splits: int) -> Parts:
        """Growing beginnings, each judged by the block that follows."""
        times, codes, counts = np.unique(self._places(), return_inverse=True, return_counts=True)
        n_splits = max(1, min(n_splits, len(times) - 1))
        # blocks of about equal rows, none empty, no time in two of them
        middle = (np.cumsum(counts) - counts / 2) / counts.sum()
        block = np.minimum((middle * (n_splits + 1)).astype(int), n_splits)
        block = np.unique(block, return_inverse=True)[1][codes]
        return tuple(
            (np.flatnonzero(block < i), np.flatnonzero(block == i))
            for i in range(1, int(block.max()) + 1)
        )

    def _by_group(self, y: Array, n_splits: int, stratify: bool, seed: int) -> Parts:
        groups = np.unique(np.asarray(self.groups), return_inverse=True)[1]
        n_splits = max(2, min(n_splits, int(groups.max()) + 1))
        if stratify and np.unique(y, return_counts=True)[1].max() >= n_splits:
            splitter: Any = StratifiedGroupKFold(n_splits, shuffle=True, random_state=seed)
        else:
            splitter = GroupKFold(n_splits, shuffle=True, random_state=seed)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "The least populated class")
            parts = splitter.split(np.zeros(len(y)), y, groups)
            return tuple((a, b) for a, b in parts if len(a) and len(b))
