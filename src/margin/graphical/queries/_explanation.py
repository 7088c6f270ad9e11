"""Why an answer is what it is: the share of each piece of evidence."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from margin.core import check, extra
from margin.graphical._domain import Domain
from margin.graphical.answers._result import aligned
from margin.graphical.engines._engine import Engine, Question

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Influence:
    """One piece of evidence: the answer without it, and with it alone."""

    variable: str
    value: str
    without: float
    alone: float
    weight: float
    impossible_without: bool = False


@dataclass(frozen=True, repr=False)
class Explanation:
    r"""How evidence moved the probability of a state.

    The weight of a piece of evidence is
    :math:`\log \frac{p(t \mid e)}{1 - p(t \mid e)} - \log \frac{p(t \mid e')}{1 - p(t \mid e')}`
    with :math:`e'` the rest of the evidence; positive speaks for the state.

    Parameters
    ----------
    target, state : the question.
    prior, posterior : float
        Probability without evidence and with all of it.
    influences : tuple of Influence
        Pieces of evidence, the strongest first.
    """

    target: str
    state: Hashable
    prior: float
    posterior: float
    influences: tuple[Influence, ...]

    def to_frame(self) -> pd.DataFrame:
        """One row per piece of evidence."""
        pd = extra("pandas", "to_frame")
        return pd.DataFrame(
            {
                "variable": [i.variable for i in self.influences],
                "value": [i.value for i in self.influences],
                "without": [i.without for i in self.influences],
                "alone": [i.alone for i in self.influences],
                "weight": [i.weight for i in self.influences],
            }
        )

    def __repr__(self) -> str:
        head = (
            f"p({self.target}={self.state}): {self.prior:.4g} without evidence, "
            f"{self.posterior:.4g} with it"
        )
        rows = [("evidence", "without it", "it alone", "weight")]
        rows += [
            (f"{i.variable}={i.value}", f"{i.without:.4g}", f"{i.alone:.4g}", f"{i.weight:+.3f}")
            for i in self.influences
        ]
        return head + "\n" + aligned(rows)


def explain(
    engine: Engine, domain: Domain, target: str, evidence: Any, state: Hashable = None
) -> Explanation:
    """Leave each piece of evidence out, and take each alone.

    Parameters
    ----------
    engine : Engine
        Of the model.
    domain : Domain
        Its discrete variables.
    target : str
        Variable asked about.
    evidence : mapping
        One query; values may be soft or virtual.
    state : optional
        State whose probability is followed; the most probable one by default.

    Returns
    -------
    Explanation
    """
    owner = domain.owner
    if not isinstance(evidence, Mapping):
        raise check.fail(owner, "evidence", "a mapping", type(evidence).__name__)
    if target not in domain.states:
        raise check.fail(owner, "target", "a discrete variable", target)
    if target in evidence:
        raise check.fail(owner, "target", "unobserved", target)
    posterior = engine.query(Question(target, evidence)).values
    at = int(np.argmax(posterior)) if state is None else domain.code(target, state)

    def probability(given: Mapping[str, Any]) -> float:
        return float(engine.query(Question(target, given)).values[at])

    influences = []
    for name, value in evidence.items():
        without = probability({n: v for n, v in evidence.items() if n != name})
        weight = _log_odds(float(posterior[at])) - _log_odds(without)
        alone = probability({name: value})
        influences.append(Influence(name, _words(value), without, alone, weight))
    influences.sort(key=lambda influence: -abs(influence.weight))
    return Explanation(
        target,
        domain.states[target][at],
        probability({}),
        float(posterior[at]),
        tuple(influences),
    )


def _log_odds(p: float) -> float:
    with np.errstate(divide="ignore"):
        return float(np.log(p) - np.log1p(-p)) if p < 1 else np.inf


def _words(value: Any) -> str:
    return (
        type(value).__name__.lower() if type(value).__name__ in ("Soft", "Virtual") else str(value)
    )
