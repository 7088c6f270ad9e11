"""Log-linear models: potentials by weighted features."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats
from margin.graphical.engines._evidence import parse
from margin.graphical.undirected._undirected_model import UndirectedModel, checked_factors


class LogLinearModel(UndirectedModel):
    r"""Exponential family :math:`p(x) = \frac1Z \exp \sum_k \theta_k f_k(x_{S_k})` (graphical.23).

    Parameters
    ----------
    features : sequence of (scope, array-like)
        Value of every feature :math:`f_k` for each state of its variables.
    weights : array-like of shape (n_features,)
        Weights :math:`\theta_k`.
    states : mapping of str to sequence, optional
        State names; 0, 1, … by default.
    memory_limit, n_jobs : int, optional
        As for :class:`MarkovNetwork`.

    Examples
    --------
    >>> import numpy as np
    >>> agree = (("a", "b"), np.eye(2))
    >>> model = LogLinearModel([agree], [np.log(3.0)])
    >>> round(float(np.exp(model.log_partition)), 10), model.expectations().round(6).tolist()
    (8.0, [0.75])
    """

    def __init__(
        self,
        features: Sequence[tuple[Any, ArrayLike]],
        weights: ArrayLike,
        states: Mapping[str, Sequence[Hashable]] | None = None,
        *,
        memory_limit: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        theta = np.array(weights, dtype=np.float64).reshape(-1)
        pairs = [
            ((scope,) if isinstance(scope, str) else tuple(scope), np.array(f, dtype=np.float64))
            for scope, f in features
        ]
        if len(theta) != len(pairs) or not np.isfinite(theta).all():
            raise check.fail(self, "weights", f"{len(pairs)} finite numbers", theta.tolist())
        if not all(np.isfinite(f).all() for _, f in pairs):
            raise check.fail(self, "features", "finite everywhere", "NaN or infinity")
        self.weights, self.features = theta, tuple(pairs)
        potentials = [(scope, np.exp(t * f)) for t, (scope, f) in zip(theta, pairs, strict=True)]
        domain, checked = checked_factors("LogLinearModel", potentials, states)
        self._set(domain, checked, memory_limit, n_jobs)

    def with_weights(self, weights: ArrayLike) -> LogLinearModel:
        """The same features with other weights."""
        return LogLinearModel(
            self.features,
            weights,
            self._domain.states,
            memory_limit=self.memory_limit,
            n_jobs=self.n_jobs,
        )

    def statistics(self, rows: Any) -> Floats:
        r"""Features :math:`f_k(x)` of complete rows, of shape (n_rows, n_features)."""
        evidence = parse(self._domain, rows)
        if (evidence.codes < 0).any():
            raise check.fail(self, "rows", "complete", "unobserved values")
        index = self._domain.index
        columns = [
            f[tuple(evidence.codes[:, index[v]] for v in scope)] for scope, f in self.features
        ]
        return np.stack(columns, axis=1)

    def expectations(self) -> Floats:
        r"""Expected features :math:`\langle f_k \rangle_p`: the gradient of :math:`\log Z`."""
        known = parse(self._domain, None)
        index = self._domain.index
        return np.array(
            [
                float(np.sum(self._engine().whole.joint([index[v] for v in scope], known)[0] * f))
                for scope, f in self.features
            ]
        )

    def gradient(self, rows: Any) -> Floats:
        r"""Gradient :math:`\langle f_k \rangle_{\text{data}} - \langle f_k \rangle_p` per row.

        Of the mean log-likelihood; zero where the features match (graphical.22).
        """
        shown: Floats = self.statistics(rows).mean(axis=0)
        return shown - self.expectations()
