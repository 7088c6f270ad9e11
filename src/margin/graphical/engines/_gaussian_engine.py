"""Networks of continuous nodes only: one normal distribution."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from margin.core import missing
from margin.core.types import Array, Floats
from margin.graphical._network import Network
from margin.graphical.answers._continuous_result import ContinuousResult
from margin.graphical.answers._result import AssignmentResult
from margin.graphical.engines._ancestral import ancestral
from margin.graphical.engines._engine import Engine, Question
from margin.graphical.engines._gaussian_joint import GaussianJoint, gaussian_joint
from margin.graphical.engines._named_tree import NamedTree
from margin.graphical.engines._split_evidence import split_evidence, targets_of


@dataclass(frozen=True, eq=False)
class GaussianEngine(Engine):
    """A linear Gaussian network: every answer is a normal distribution.

    Parameters
    ----------
    network : Network
        Without discrete nodes.
    """

    network: Network

    @cached_property
    def joint(self) -> GaussianJoint:
        """The normal, as the only one of its kind."""
        return gaussian_joint(self.network)

    def tree(self, names: Iterable[str]) -> NamedTree:
        """Nothing is discrete: a tree of no variables."""
        self.network.domain.positions(tuple(names))
        return NamedTree(self.network.domain, (), (), ())

    def query(self, question: Question) -> Any:
        """The targets as a normal, their most probable values (its mean), or draws."""
        kind = question.kind
        if kind not in ("marginal", "joint", "map", "sample"):
            raise ValueError(
                f"{self.network.owner}: kind must be 'marginal', 'joint', 'map' or 'sample' with "
                f"continuous nodes, got {kind!r}"
            )
        asked = targets_of(self.network, question.targets, every=kind in ("map", "sample"))
        known, values = split_evidence(self.network, question.evidence)
        normal = self._normal(asked, values, known.batched)
        if kind == "map":
            height = self._height(normal, values)
            score = height if known.batched else height[0]
            return AssignmentResult(normal.variables, normal.mean, score, known.batched)
        if kind == "sample":
            drawn = [self._draws(asked, row, question.n_samples, question.rng) for row in values]
            every = np.reshape(drawn, (len(values), question.n_samples, len(asked)))
            kept = every if known.batched else every[0]
            return AssignmentResult(tuple(asked), kept, None, known.batched, ranked=True)
        return normal

    def marginals(self, evidence: Any = None) -> dict[str, ContinuousResult]:
        """A normal for every node."""
        known, values = split_evidence(self.network, evidence)
        return {name: self._normal([name], values, known.batched) for name in self.network.names}

    def log_prob(self, rows: Any) -> Any:
        """Log-density of every row; gaps are integrated out."""
        known, values = split_evidence(self.network, rows)
        density = np.empty(len(values))
        for at, columns in missing.patterns(values):
            density[at] = self.joint.log_density(columns, values[np.ix_(at, columns)])[:, 0]
        return density if known.batched else float(density[0])

    def sample(self, n: int, evidence: Any, rng: np.random.Generator) -> dict[str, Array]:
        """Ancestral draws without evidence, otherwise from the posterior of one row."""
        if evidence is None:
            return ancestral(self.network, n, rng)
        names = self.network.names
        _, values = split_evidence(self.network, evidence)
        if len(values) != 1:
            raise ValueError(
                f"{self.network.owner}: evidence must be one row to sample, got {len(values)}"
            )
        drawn = self._draws(list(names), values[0], n, rng)
        return {name: drawn[:, at] for at, name in enumerate(names)}

    def _normal(self, asked: list[str], values: Floats, batched: bool) -> ContinuousResult:
        """Posterior of some nodes per row; an observed one has its value and no variance."""
        at, t = np.array([self.joint.index[name] for name in asked]), len(asked)
        means, spreads = np.empty((len(values), 1, t)), np.empty((len(values), 1, t, t))
        for rows, columns in missing.patterns(values):
            seen = values[np.ix_(rows, columns)]
            means[rows], spreads[rows] = self.joint.condition(columns, seen, at)
        return ContinuousResult(tuple(asked), np.ones((len(values), 1)), means, spreads, batched)

    def _height(self, normal: ContinuousResult, values: Floats) -> Floats:
        """Log-density of the targets at their mean, observed ones apart."""
        columns = np.array([self.joint.index[name] for name in normal.variables])
        height = np.zeros(len(values))
        for rows, seen in missing.patterns(values):
            unseen = np.flatnonzero(~np.isin(columns, seen))
            spread = normal.covariances[rows[0], 0][np.ix_(unseen, unseen)]
            log_det = np.linalg.slogdet(spread)[1]
            height[rows] = -0.5 * (len(unseen) * np.log(2 * np.pi) + log_det)
        return height

    def _draws(self, asked: list[str], row: Floats, n: int, rng: np.random.Generator) -> Floats:
        """Draws of some nodes given one row of values."""
        at = np.array([self.joint.index[name] for name in asked])
        unseen = np.flatnonzero(np.isnan(row[at]))
        observed = np.flatnonzero(~np.isnan(row))
        drawn = np.tile(row[at], (n, 1))
        means, spreads = self.joint.condition(observed, row[None, observed], at[unseen])
        drawn[:, unseen] = rng.multivariate_normal(means[0, 0], spreads[0], size=n, method="eigh")
        return drawn
