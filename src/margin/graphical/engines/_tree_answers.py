"""Answers about discrete variables, read off junction trees."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Array, Floats
from margin.graphical._domain import Domain
from margin.graphical.answers._result import AssignmentResult, QueryResult
from margin.graphical.engines._engine import Question
from margin.graphical.engines._evidence import Evidence, parse
from margin.graphical.engines._named_tree import NamedTree

TreeOf = Callable[[Iterable[str]], NamedTree]


def marginals(domain: Domain, tree: NamedTree, evidence: Any) -> dict[str, Floats]:
    """Posterior of every variable of a tree, with an axis of rows where rows were given."""
    known = parse(domain, evidence)
    posteriors = tree.marginals(_restrict(known, domain, tree.domain))
    return {
        name: posteriors[at] if known.batched else posteriors[at][0]
        for name, at in tree.domain.index.items()
    }


def query(domain: Domain, tree_of: TreeOf, question: Question) -> QueryResult | AssignmentResult:
    """Table, assignments or draws of the targets; the tree is that of what must be known."""
    targets, kind = question.targets, question.kind
    known = parse(domain, question.evidence)
    chosen = domain.positions(domain.names if targets is None else targets)
    if not chosen or (targets is None and kind in ("marginal", "joint")):
        raise check.fail(domain.owner, "targets", "variables to ask for", targets)
    names = [domain.names[at] for at in chosen]
    whole = targets is None or kind == "mpe"
    seen = [domain.names[at] for at in known.observed]
    tree = tree_of(domain.names if whole else {*names, *seen})
    inner = [tree.domain.index[name] for name in names]
    known = _restrict(known, domain, tree.domain)
    if kind in ("marginal", "joint"):
        values = tree.joint(inner, known)
        states = tuple(domain.states[name] for name in names)
        return QueryResult(
            tuple(names), states, values if known.batched else values[0], known.batched
        )
    if kind == "sample":
        codes = tree.sample(inner, known, question.n_samples, question.rng)
        return _assignment(domain, names, codes, None, known.batched, ranked=True)
    if whole:
        scores, codes = tree.best(known, question.k)
        codes = codes[:, :, inner]
    else:
        scores, codes = _best_of_table(tree.joint(inner, known), question.k)
    if kind == "k-best":
        return _assignment(domain, names, codes, scores, known.batched, ranked=True)
    return _assignment(domain, names, codes[:, 0], scores[:, 0], known.batched, ranked=False)


def _assignment(
    domain: Domain,
    names: list[str],
    codes: Array,
    scores: Floats | None,
    batched: bool,
    ranked: bool,
) -> AssignmentResult:
    values = np.empty(codes.shape, dtype=object)
    for at, name in enumerate(names):
        states = np.empty(len(domain.states[name]), dtype=object)
        states[:] = domain.states[name]
        values[..., at] = states[codes[..., at]]
    if not batched:
        values, scores = values[0], None if scores is None else scores[0]
    return AssignmentResult(tuple(names), values, scores, batched, ranked)


def _restrict(known: Evidence, outer: Domain, inner: Domain) -> Evidence:
    """The same evidence over fewer variables, among them all that are observed."""
    if inner.names == outer.names:
        return known
    codes = known.codes[:, [outer.index[name] for name in inner.names]]
    at = {outer.index[name]: here for name, here in inner.index.items()}
    likelihoods = {at[v]: values for v, values in known.likelihoods.items()}
    soft = {at[v]: values for v, values in known.soft.items()}
    return Evidence(codes, likelihoods, soft, known.batched)


def _best_of_table(tables: Floats, k: int) -> tuple[Floats, Array]:
    """Log-probabilities (n, k) and codes (n, k, axes) of the largest entries of each table."""
    flat = tables.reshape(len(tables), -1)
    order = np.argsort(-flat, axis=1, kind="stable")[:, :k]
    with np.errstate(divide="ignore"):
        scores = np.log(np.take_along_axis(flat, order, axis=1))
    return scores, np.stack(np.unravel_index(order, tables.shape[1:]), axis=-1)
