"""Log-probability of rows under a network, gaps summed out."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.core import check
from margin.core.types import Floats
from margin.graphical._network import Network
from margin.graphical.queries._evidence import Evidence, parse
from margin.graphical.queries._hybrid_query import hybrid_log_prob


def log_prob(model: Any, network: Network, rows: Any) -> Any:
    r"""Per-row :math:`\log p(x_{\text{observed}})`; one number for a mapping."""
    if network.continuous:
        return hybrid_log_prob(network, rows)
    evidence = parse(network.domain, rows)
    if evidence.soft or evidence.likelihoods:
        raise check.fail(model, "rows", "states", "soft or virtual evidence")
    codes = evidence.codes
    complete = (codes >= 0).all(axis=1)
    result = np.empty(len(codes))
    if complete.any():
        result[complete] = complete_log_prob(network, codes[complete])
    if not complete.all():
        some = codes[~complete]
        names = [network.domain.names[v] for v in np.flatnonzero((some >= 0).any(axis=0))]
        engine = model._ask(names) if names else None
        if engine is None:
            result[~complete] = 0.0
        else:
            kept = [network.domain.index[n] for n in engine.domain.names]
            inner = Evidence(np.ascontiguousarray(some[:, kept]), batched=True)
            result[~complete] = engine.log_evidence(inner)
    return result if evidence.batched else float(result[0])


def complete_log_prob(network: Network, codes: NDArray[np.integer]) -> Floats:
    """Sum of the logarithms of the table entries that each complete row selects."""
    total = np.zeros(len(codes))
    index = network.domain.index
    with np.errstate(divide="ignore"):
        for name in network.domain.names:
            family = [index[n] for n in (*network.parents[name], name)]
            cpd_table = np.log(network.table(name))
            total += cpd_table[tuple(codes[:, v] for v in family)]
    return total
