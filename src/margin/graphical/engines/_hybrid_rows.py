"""Evidence on discrete and continuous nodes, and the configurations it speaks for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod

import numpy as np
from scipy.special import logsumexp

from margin.core import missing
from margin.core.types import Floats, Places
from margin.graphical._network import Network
from margin.graphical.engines._evidence import Evidence
from margin.graphical.engines._gaussian_joint import GaussianJoint
from margin.graphical.engines._jeffrey import refuse_both, unattainable
from margin.graphical.engines._named_tree import NamedTree
from margin.inference import UnattainableError, fit_soft


@dataclass(frozen=True, eq=False)
class HybridRows:
    r"""Evidence on both kinds of nodes, and what it says about the discrete configurations.

    The posterior of a configuration :math:`d` of the discrete parents of continuous nodes is
    proportional to :math:`p(d \mid e_{\text{discrete}})\, N(e_{\text{cont}}; \mu_d, \Sigma_d)`.

    Parameters
    ----------
    network : Network
    joint : GaussianJoint
        The normals.
    tree : NamedTree
        The discrete part, which nothing continuous points at.
    discrete : Evidence
        On discrete nodes.
    values : ndarray of shape (n_rows, n_continuous)
        Of continuous nodes, NaN where unobserved.
    """

    network: Network
    joint: GaussianJoint
    tree: NamedTree
    discrete: Evidence
    values: Floats

    def groups(self) -> Iterator[missing.Pattern]:
        """Rows with the same observed continuous nodes."""
        return missing.patterns(self.values)

    @cached_property
    def log_density(self) -> Floats:
        """Log-densities of the continuous evidence, of shape (n_rows, configurations)."""
        result = np.zeros((len(self.values), len(self.joint.mean)))
        for rows, columns in self.groups():
            result[rows] = self.joint.log_density(columns, self.values[np.ix_(rows, columns)])
        return result

    def posterior(self, targets: Sequence[str]) -> Floats:
        """Joint of discrete targets and the other switches given all evidence.

        Of shape (n_rows, *cards of the targets, configurations of the other switches).
        """
        scores = self._scores(targets, self.hard)
        flat = scores.reshape(len(scores), prod(scores.shape[1:]))
        total = logsumexp(flat, axis=1, keepdims=True)
        bad = np.flatnonzero(np.isneginf(total))
        if len(bad):
            where = f" in row {bad[0]}" if self.discrete.batched else ""
            owner = self.network.owner
            raise ValueError(f"{owner}: evidence{where} must be possible, got a density of 0")
        return np.asarray(np.exp(flat - total), dtype=np.float64).reshape(scores.shape)

    @property
    def log_evidence(self) -> Floats:
        """Log-density of the evidence of every row."""
        prior = np.zeros(len(self.values))
        if self.tree.domain.names:
            prior = self.tree.log_evidence(self.discrete)
        scores = self._scores((), self.discrete)
        return np.asarray(prior + logsumexp(scores, axis=1), dtype=np.float64)

    def normals(self, targets: Sequence[str], nodes: Sequence[str]) -> tuple[Floats, Floats]:
        """Means and covariances of continuous nodes, with the axes of :meth:`posterior` first.

        An axis of a target that no continuous node depends on has length one.
        """
        at = np.array([self.joint.index[name] for name in nodes])
        n_rows, k, t = len(self.values), len(self.joint.mean), len(nodes)
        means, covariances = np.empty((n_rows, k, t)), np.empty((n_rows, k, t, t))
        for rows, columns in self.groups():
            values = self.values[np.ix_(rows, columns)]
            means[rows], covariances[rows] = self.joint.condition(columns, values, at)
        return self._aligned(means, targets), self._aligned(covariances, targets)

    @cached_property
    def hard(self) -> Evidence:
        """The discrete evidence with its soft part as virtual evidence, fitted given everything."""
        known = self.discrete
        if not known.soft:
            return known
        refuse_both(self.network.domain, known)
        order = sorted(known.soft)
        names = [self.network.domain.names[v] for v in order]
        table = replace(self, discrete=replace(known, soft={})).posterior(names).sum(axis=-1)

        def marginals(given: dict[int, Floats], rows: Places) -> dict[int, Floats]:
            now = table[rows]
            for axis, v in enumerate(order):
                shape = [-1 if a == axis else 1 for a in range(len(order))]
                now = now * given[v].reshape(len(rows), *shape)
            now = now / now.sum(axis=tuple(range(1, now.ndim)), keepdims=True)
            axes = range(1, now.ndim)
            return {v: now.sum(tuple(a for a in axes if a != k + 1)) for k, v in enumerate(order)}

        try:
            fitted = fit_soft(marginals, known.soft)
        except UnattainableError as error:
            raise unattainable(self.network.domain, known, error) from None
        virtual = {v: known.likelihoods.get(v, 1.0) * a for v, a in fitted.items()}
        return replace(known, likelihoods={**known.likelihoods, **virtual}, soft={})

    def _scores(self, targets: Sequence[str], known: Evidence) -> Floats:
        n_rows = len(self.values)
        index = self.tree.domain.index
        free = [s for s in self.joint.switches if s not in targets]
        asked = [index[t] for t in (*targets, *free)]
        table = self.tree.joint(asked, known) if index else np.ones((n_rows, 1))
        table = table.reshape(n_rows, *self.network.cards(targets), self._others(targets))
        with np.errstate(divide="ignore"):
            return np.log(table) + self._aligned(self.log_density, targets)

    def _aligned(self, values: Floats, targets: Sequence[str]) -> Floats:
        """Axes (row, configuration, …) as (row, *targets, other switches, …)."""
        switches = self.joint.switches
        cards, extra = self.network.cards(switches), values.shape[2:]
        spread = values.reshape(len(values), *cards, *extra)
        free = [s for s in switches if s not in targets]
        order = [1 + switches.index(s) for s in (*(t for t in targets if t in switches), *free)]
        spread = spread.transpose(0, *order, *range(1 + len(cards), spread.ndim))
        sides = [len(self.network.domain.states[t]) if t in switches else 1 for t in targets]
        return spread.reshape(len(values), *sides, self._others(targets), *extra)

    def _others(self, targets: Sequence[str]) -> int:
        """Configurations of the switches that are no targets."""
        return prod(self.network.cards(s for s in self.joint.switches if s not in targets))
