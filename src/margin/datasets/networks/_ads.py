"""Advertisement placement: replaying a log as if another policy had been in force."""

from typing import Any

import numpy as np
from sklearn.utils import Bunch

from margin.core.random import generator
from margin.core.types import Floats
from margin.datasets import _requirements as require
from margin.datasets._categorical import draw

_INTENTS = ["buy", "browse", "learn"]
_QUERIES = ["commercial", "neutral", "informational"]
_INTENT = np.array([0.2, 0.3, 0.5])
_QUERY = np.array([[0.7, 0.2, 0.1], [0.3, 0.5, 0.2], [0.05, 0.25, 0.7]])  # [intent, query]
# Per intent and number of advertisements shown, 0 to 3.
_CLICK = np.array([[0, 0.25, 0.35, 0.40], [0, 0.08, 0.12, 0.14], [0, 0.01, 0.015, 0.02]])
_ANNOYED = np.array([[0, 0.01, 0.03, 0.08], [0, 0.03, 0.08, 0.18], [0, 0.10, 0.25, 0.45]])
_PRICE = np.array([0, 1.2, 1.0, 0.8])  # one click, by number of advertisements
_FAVOURITE = np.array([2, 1, 1])  # of the logging policy, by query


def make_ad_replay(
    n_samples: int = 10_000, *, exploration: float = 0.2, random_state: Any = None
) -> Bunch:
    r"""A log of shown advertisements, and the exact worth of policies that were not in force.

    Serves datasets.15. Intent → query → number of advertisements (the policy) → click, annoyance,
    revenue, with the intent hidden and acting on the outcomes too. Replacing the policy
    :math:`\theta` by :math:`\theta'` only changes one factor, so
    :math:`E[Y \mid \theta'] = E[Y w \mid \theta]` with
    :math:`w = \pi_{\theta'}(a \mid q) / \pi_\theta(a \mid q)`. The logging policy mixes its
    favourite layout with a uniform one; without that exploration the weights diverge.
    The numbers are invented.

    Parameters
    ----------
    n_samples : int
        Number of page views in the log.
    exploration : float
        Share of page views with a layout drawn uniformly.
    random_state : None, int or Generator
        Source of randomness.

    Returns
    -------
    Bunch
        ``query``, ``shown``, ``click``, ``annoyed``, ``revenue``: the log, and ``intent``, hidden
        from it; ``propensity`` :math:`\pi_\theta(a \mid q)` of what was shown; ``policies`` by
        name, tables [query, shown]; ``weights`` by name; ``worth``: by policy and outcome, the
        exact expectation; ``effective_share`` :math:`1 / E[w^2]` of the log that a policy can use;
        the network's tables in ``cpts``.

    References
    ----------
    Bottou et al. (2013). Counterfactual reasoning and learning systems. JMLR 14.

    Examples
    --------
    >>> import numpy as np
    >>> log = make_ad_replay(50_000, random_state=0)
    >>> estimate = np.mean(log.revenue * log.weights["dense"])
    >>> round(float(estimate), 3), round(log.worth["dense"]["revenue"], 3)
    (0.105, 0.106)
    """
    require.count("make_ad_replay", n_samples=n_samples)
    require.between("make_ad_replay", 0, 1, open_low=True, exploration=exploration)
    policies = _policies(exploration)
    rng = generator(random_state)
    intent = draw(np.tile(_INTENT, (n_samples, 1)), rng)
    query = draw(_QUERY[intent], rng)
    shown = draw(policies["logging"][query], rng)
    click = (rng.random(n_samples) < _CLICK[intent, shown]).astype(np.int64)
    annoyed = (rng.random(n_samples) < _ANNOYED[intent, shown]).astype(np.int64)
    propensity = policies["logging"][query, shown]
    return Bunch(
        intent=intent,
        query=query,
        shown=shown,
        click=click,
        annoyed=annoyed,
        revenue=click * _PRICE[shown],
        intents=list(_INTENTS),
        queries=list(_QUERIES),
        propensity=propensity,
        policies=policies,
        weights={name: policy[query, shown] / propensity for name, policy in policies.items()},
        worth={name: _worth(policy) for name, policy in policies.items()},
        effective_share={
            name: _effective_share(policy, policies["logging"]) for name, policy in policies.items()
        },
        cpts={
            "intent": _INTENT.copy(),
            "query": _QUERY.copy(),
            "shown": policies["logging"],
            "click": np.stack([1 - _CLICK, _CLICK], axis=-1),
            "annoyed": np.stack([1 - _ANNOYED, _ANNOYED], axis=-1),
        },
        price=_PRICE.copy(),
        DESCR="A log of advertisement placement with known propensities; the numbers are invented.",
    )


def _policies(exploration: float) -> dict[str, Floats]:
    uniform = np.full((3, 4), 0.25)
    return {
        "logging": (1 - exploration) * np.eye(4)[_FAVOURITE] + exploration * uniform,
        "none": np.eye(4)[[0, 0, 0]],
        "targeted": np.eye(4)[[2, 1, 0]],
        "dense": np.eye(4)[[3, 3, 2]],
        "uniform": uniform,
    }


def _worth(policy: Floats) -> dict[str, float]:
    joint = np.einsum("i,iq,qa->ia", _INTENT, _QUERY, policy)
    return {
        "click": float((joint * _CLICK).sum()),
        "annoyed": float((joint * _ANNOYED).sum()),
        "revenue": float((joint * _CLICK * _PRICE).sum()),
    }


def _effective_share(policy: Floats, logging: Floats) -> float:
    query = _INTENT @ _QUERY
    return float(1 / np.einsum("q,qa->", query, policy**2 / logging))
