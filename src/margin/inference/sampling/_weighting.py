"""Likelihood weighting and importance sampling."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.random import generator
from margin.core.types import Floats
from margin.inference._model import Factored, FactorModel, check_evidence, factors_of
from margin.inference.sampling._samples import Samples


def likelihood_weighting(
    model: FactorModel | Factored,
    children: Sequence[int],
    n_samples: int,
    evidence: Mapping[int, int] | None = None,
    *,
    rng: np.random.Generator | int,
) -> Samples:
    r"""Forward samples of a directed model, weighted by the evidence.

    .. math:: w = \prod_{k : \text{child observed}} p(e_k \mid \mathrm{pa}_k)

    Unobserved variables are drawn from their conditional given their parents, observed ones are
    fixed. The mean weight estimates the probability of the evidence without bias.

    Parameters
    ----------
    model : FactorModel, BayesianNetwork or MarkovNetwork
        Factor ``k`` is the conditional distribution of ``children[k]`` given the rest of its scope.
    children : sequence of int
        Every variable once.
    n_samples : int
    evidence : mapping of int to int, optional
    rng : Generator or int
        Source of randomness, or its seed.

    Examples
    --------
    >>> import numpy as np
    >>> rain = FactorModel((2, 2), ((0,), (0, 1)), ([0.6, 0.4], [[0.9, 0.1], [0.2, 0.8]]))
    >>> samples = likelihood_weighting(rain, [0, 1], 50_000, {1: 1}, rng=np.random.default_rng(0))
    >>> bool(abs(samples.marginal(0)[1] - 0.8421) < 0.01)
    True
    """
    model = factors_of("likelihood_weighting", model)
    check.count("likelihood_weighting", "n_samples", n_samples)
    order, rng = _topological(model, children), generator(rng, "likelihood_weighting: rng")
    row = check_evidence("likelihood_weighting", model.cardinalities, evidence or {})[0]
    states = np.zeros((n_samples, model.n_variables), dtype=np.int32)
    log_weight = np.zeros(n_samples)
    for k in order:
        v, scope = children[k], model.scopes[k]
        table = np.moveaxis(model.tables[k], scope.index(v), -1)
        rows = table[tuple(states[:, u] for u in scope if u != v)]
        rows = np.broadcast_to(rows, (n_samples, model.cardinalities[v]))
        if row[v] >= 0:
            states[:, v] = row[v]
            with np.errstate(divide="ignore"):
                log_weight += np.log(rows[:, row[v]])
            continue
        draw = rng.random(n_samples)[:, None] * rows.sum(axis=1, keepdims=True)
        states[:, v] = (np.cumsum(rows, axis=1) <= draw).sum(axis=1)
        # Rounding may leave the draw at the very end, on a state of probability zero.
        last = model.cardinalities[v] - 1 - (rows[:, ::-1] > 0).argmax(axis=1)
        states[:, v] = np.minimum(states[:, v], last)
    return Samples(states, model.cardinalities, log_weight, _log_mean(log_weight))


def importance_sampling(
    model: FactorModel | Factored,
    proposal: Sequence[ArrayLike],
    n_samples: int,
    evidence: Mapping[int, int] | None = None,
    *,
    rng: np.random.Generator | int,
) -> Samples:
    r"""Independent draws of every variable, weighted by :math:`\prod_k \phi_k(x) / g(x)`.

    Good proposals are the approximate marginals of :func:`loopy_bp` or :func:`mean_field`.

    Parameters
    ----------
    model : FactorModel, BayesianNetwork or MarkovNetwork
    proposal : sequence of arrays
        A distribution over the states of each variable, positive wherever the posterior is.
    n_samples : int
    evidence : mapping of int to int, optional
    rng : Generator or int
        Source of randomness, or its seed.

    Examples
    --------
    >>> import numpy as np
    >>> pair = FactorModel((2, 2), ((0, 1),), ([[4.0, 1.0], [1.0, 4.0]],))
    >>> uniform = [[0.5, 0.5], [0.5, 0.5]]
    >>> samples = importance_sampling(pair, uniform, 50_000, rng=np.random.default_rng(0))
    >>> bool(abs(np.exp(samples.log_evidence) - 10.0) < 0.1)
    True
    """
    model = factors_of("importance_sampling", model)
    check.count("importance_sampling", "n_samples", n_samples)
    if len(proposal) != model.n_variables:
        raise check.fail(
            "importance_sampling", "proposal", f"{model.n_variables} distributions", len(proposal)
        )
    rng = generator(rng, "importance_sampling: rng")
    row = check_evidence("importance_sampling", model.cardinalities, evidence or {})[0]
    states = np.empty((n_samples, model.n_variables), dtype=np.int32)
    log_proposal = np.zeros(n_samples)
    for v, card in enumerate(model.cardinalities):
        q = np.asarray(proposal[v], dtype=np.float64)
        if q.shape != (card,) or (q < 0).any() or not abs(q.sum() - 1.0) < 1e-6:
            raise check.fail(
                "importance_sampling", f"proposal[{v}]", f"a distribution over {card} states", q
            )
        if row[v] >= 0:
            states[:, v] = row[v]
            continue
        states[:, v] = rng.choice(card, size=n_samples, p=q / q.sum())
        log_proposal += np.log(q[states[:, v]])
    log_weight = model.log_prob(states) - log_proposal
    return Samples(states, model.cardinalities, log_weight, _log_mean(log_weight))


def _log_mean(log_weight: Floats) -> float:
    return float(np.logaddexp.reduce(log_weight) - np.log(len(log_weight)))


def _topological(model: FactorModel, children: Sequence[int]) -> list[int]:
    """Factors in an order in which parents are drawn before their children."""
    owner = "likelihood_weighting"
    if sorted(children) != list(range(model.n_variables)):
        raise check.fail(owner, "children", "every variable once", list(children))
    if any(v not in scope for v, scope in zip(children, model.scopes, strict=False)) or len(
        children
    ) != len(model.scopes):
        raise check.fail(owner, "children", "in the scope of their factor", list(children))
    waiting = {k: set(scope) - {children[k]} for k, scope in enumerate(model.scopes)}
    order: list[int] = []
    while waiting:
        ready = [k for k, parents in waiting.items() if not parents]
        if not ready:
            raise check.fail(owner, "model", "free of directed cycles", sorted(waiting))
        done = {children[k] for k in ready}
        order += ready
        waiting = {k: parents - done for k, parents in waiting.items() if k not in ready}
    return order
