"""Mean field: the best distribution of independent blocks."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count

import numpy as np

from margin.core import Certificate, Iterate, Stop, check, iterate
from margin.core.random import generator
from margin.core.types import Floats
from margin.inference._model import Factored, FactorModel, check_evidence, factors_of
from margin.inference.approximate._loopy import Beliefs

# A logarithm of zero would freeze the search where it starts; this is as good as impossible.
_LOG_FLOOR = -700.0
_KIND = "relative rise of the bound in the last sweep"
_ROUNDING = 1e-9
_RNG = "mean_field: rng"


def mean_field(
    model: FactorModel | Factored,
    evidence: Mapping[int, int] | None = None,
    *,
    blocks: Sequence[Sequence[int]] | None = None,
    tol: float = 1e-10,
    max_iter: int = 500,
    rng: np.random.Generator | int | None = None,
) -> Beliefs:
    r"""Coordinate ascent of the evidence lower bound over independent blocks of variables.

    .. math::

        \log Z \ge \mathcal{L}(q) = \sum_k \langle \log \phi_k \rangle_q + H(q), \qquad
        q(x) = \prod_b q_b(x_b), \quad q_b \propto \exp \langle \log p(x) \rangle_{q_{-b}}

    With single variables as blocks this is naive mean field; larger blocks, each a full table, give
    structured variational inference. The bound never falls: :attr:`Beliefs.trace` holds it.
    Factor entries of zero count as :math:`e^{-700}`.

    Parameters
    ----------
    model : FactorModel, BayesianNetwork or MarkovNetwork
    evidence : mapping of int to int, optional
    blocks : sequence of sequences of int, optional
        A partition of the unobserved variables; single variables by default.
    tol : float
        Rise of the bound in one sweep, relative to its size, that counts as converged.
    max_iter : int
        Sweeps over all blocks.
    rng : Generator or int, optional
        Random start, or its seed; uniform by default, which keeps symmetric models at a saddle
        point.

    Examples
    --------
    >>> pair = FactorModel((2, 2), ((0, 1),), ([[0.4, 0.1], [0.1, 0.4]],))
    >>> float(mean_field(pair).log_evidence) <= 0.0
    True
    """
    model = factors_of("mean_field", model)
    row = check_evidence("mean_field", model.cardinalities, evidence or {})[0]
    given = {v: int(s) for v, s in enumerate(row) if s >= 0}
    hidden = [v for v in range(model.n_variables) if v not in given]
    parts: list[tuple[int, ...]] = [
        tuple(b) for b in (blocks if blocks is not None else [[v] for v in hidden])
    ]
    if sorted(v for part in parts for v in part) != hidden:
        raise check.fail("mean_field", "blocks", f"a partition of {hidden}", blocks)
    check.count("mean_field", "max_iter", max_iter)
    search = _Ascent(model.reduced(given), parts, None if rng is None else generator(rng, _RNG))
    rules = Stop(_KIND, tol, max_iter, unit="sweep", monotone=_ROUNDING, advice=("raise tol",))
    solution = iterate(search.states(), rules, solver="mean field")
    search.q = list(solution.x)
    marginals = []
    for v, card in enumerate(model.cardinalities):
        fixed = np.zeros(card)
        if v in given:
            fixed[given[v]] = 1.0
        marginals.append(fixed if v in given else search.marginal(v))
    factor_marginals = [_outer([marginals[v] for v in scope]) for scope in model.scopes]
    return Beliefs(
        marginals,
        factor_marginals,
        -solution.objective,
        solution.status,
        solution.n_iter,
        -solution.trace["objective"],
        solution.certificate or Certificate(_KIND, np.inf, tol),
    )


def _outer(tables: list[Floats]) -> Floats:
    result = np.ones(())
    for table in tables:
        result = result[..., None] * table
    return result


class _Ascent:
    def __init__(
        self, model: FactorModel, parts: list[tuple[int, ...]], rng: np.random.Generator | None
    ) -> None:
        self.model, self.parts = model, parts
        with np.errstate(divide="ignore"):
            self.log_tables = [np.maximum(np.log(t), _LOG_FLOOR) for t in model.tables]
        self.block_of = {v: b for b, part in enumerate(parts) for v in part}
        self.q: list[Floats] = []
        for part in parts:
            shape = tuple(model.cardinalities[v] for v in part)
            start = np.ones(shape) if rng is None else rng.dirichlet(np.ones(shape).ravel())
            self.q.append((start / start.sum()).reshape(shape))

    def states(self) -> Iterator[Iterate]:
        """The distributions after every sweep, and how far the bound rose."""
        bound = self.bound()
        yield Iterate(tuple(self.q), -bound)
        for n_iter in count(1):
            self.sweep()
            before, bound = bound, self.bound()
            rise = (bound - before) / max(1.0, abs(bound))
            yield Iterate(tuple(self.q), -bound, rise, n_iter)

    def marginal(self, v: int) -> Floats:
        b = self.block_of[v]
        away = tuple(k for k, u in enumerate(self.parts[b]) if u != v)
        result: Floats = self.q[b].sum(axis=away)
        return result

    def expected(self, f: int, keep: int | None) -> tuple[Floats, tuple[int, ...]]:
        """Mean of a log table over all blocks but one; what is left, and its variables."""
        table, scope = self.log_tables[f], self.model.scopes[f]
        for b in dict.fromkeys(self.block_of[v] for v in scope):
            if b == keep:
                continue
            inside = tuple(v for v in scope if self.block_of[v] == b)
            part = self.parts[b]
            weight = self.q[b].sum(axis=tuple(k for k, u in enumerate(part) if u not in inside))
            ordered = tuple(u for u in part if u in inside)
            axes = [scope.index(u) for u in ordered]
            table = np.tensordot(weight, table, axes=(range(len(ordered)), axes))
            scope = tuple(v for v in scope if v not in inside)
        return table, scope

    def sweep(self) -> None:
        for b, part in enumerate(self.parts):
            total = np.zeros(self.q[b].shape)
            for f, scope in enumerate(self.model.scopes):
                if not any(v in part for v in scope):
                    continue
                table, left = self.expected(f, b)
                order = [left.index(v) for v in part if v in left]
                missing = tuple(k for k, v in enumerate(part) if v not in left)
                total = total + np.expand_dims(table.transpose(order), missing)
            q = np.exp(total - total.max())
            self.q[b] = q / q.sum()

    def bound(self) -> float:
        energy = sum(float(self.expected(f, None)[0]) for f in range(len(self.log_tables)))
        entropy = 0.0
        for q in self.q:
            positive = q[q > 0]
            entropy -= float((positive * np.log(positive)).sum())
        return energy + entropy
