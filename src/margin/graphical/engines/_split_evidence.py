"""Evidence on discrete and continuous nodes, taken apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from margin.core.types import Floats
from margin.graphical._network import Network
from margin.graphical.engines._evidence import Evidence, parse


class SplitEvidence(NamedTuple):
    """Evidence on discrete nodes, and values of the continuous ones, NaN where unobserved."""

    discrete: Evidence
    values: Floats


def split_evidence(network: Network, evidence: Any) -> SplitEvidence:
    """Evidence on discrete nodes, and values of continuous ones, NaN where unobserved.

    Parameters
    ----------
    network : Network
    evidence : None, mapping or data frame
        Of a frame every row is a query.

    Returns
    -------
    discrete : Evidence
    values : ndarray of shape (n_rows, n_continuous)
        In the order of ``network.continuous``.
    """
    if isinstance(evidence, SplitEvidence):
        return evidence
    names = network.continuous
    if not names or evidence is None:
        discrete = parse(network.domain, evidence)
        return SplitEvidence(discrete, np.full((len(discrete), len(names)), np.nan))
    if hasattr(evidence, "columns"):
        return _of_frame(network, evidence)
    if not isinstance(evidence, Mapping):
        raise ValueError(
            f"{network.owner}: evidence must be None, a mapping or a data frame, "
            f"got {type(evidence).__name__}"
        )
    rest = {name: state for name, state in evidence.items() if name not in names}
    discrete = parse(network.domain, rest)
    values = np.full((len(discrete), len(names)), np.nan)
    for at, name in enumerate(names):
        if name in evidence:
            values[:, at] = _numbers(network, name, [evidence[name]])[0]
    return SplitEvidence(discrete, values)


def _of_frame(network: Network, frame: Any) -> SplitEvidence:
    names = network.continuous
    held = [name for name in names if name in frame.columns]
    rest = [name for name in frame.columns if name not in held]
    values = np.full((len(frame), len(names)), np.nan)
    for name in held:
        values[:, names.index(name)] = _numbers(network, name, frame[name])
    if rest:
        return SplitEvidence(parse(network.domain, frame[rest]), values)
    empty = np.full((len(frame), len(network.domain.names)), -1, dtype=np.int32)
    return SplitEvidence(Evidence(empty, batched=True), values)


def _numbers(network: Network, name: str, values: Any) -> Floats:
    try:
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{network.owner}: evidence on {name!r} must be a number") from None
    if np.isinf(numbers).any():
        raise ValueError(f"{network.owner}: evidence on {name!r} must be finite, got infinity")
    return numbers


def targets_of(network: Network, targets: Any, *, every: bool = False) -> list[str]:
    """Targets as a list of nodes; all nodes for ``None`` where that means something."""
    if targets is None and every:
        return list(network.names)
    asked = [targets] if isinstance(targets, str) else list(targets or ())
    if not asked:
        raise ValueError(f"{network.owner}: targets must be variables to ask for, got {targets!r}")
    unknown = [name for name in asked if name not in network.parents]
    if unknown:
        raise ValueError(f"{network.owner}: targets must be nodes, got {unknown[0]!r}")
    if len(set(asked)) != len(asked):
        raise ValueError(f"{network.owner}: variables must differ, got {tuple(asked)!r}")
    return asked
