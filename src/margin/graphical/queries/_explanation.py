"""Why an answer is what it is: the share of each piece of evidence."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from margin.core import check
from margin.graphical.queries._result import aligned

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
        import pandas as pd

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


def explain(model: Any, target: str, evidence: Any, state: Hashable = None) -> Explanation:
    """Leave each piece of evidence out, and take each alone.

    Parameters
    ----------
    model : joint model
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
    if not isinstance(evidence, Mapping):
        raise check.fail(model, "evidence", "a mapping", type(evidence).__name__)
    states = model.states
    if target not in states:
        raise check.fail(model, "target", "a discrete variable", target)
    if target in evidence:
        raise check.fail(model, "target", "unobserved", target)
    posterior = model.query(target, evidence).values
    at = int(np.argmax(posterior)) if state is None else model._domain.code(target, state)
    prior = float(model.query(target).values[at])
    found = []
    for name, value in evidence.items():
        rest = {n: v for n, v in evidence.items() if n != name}
        without = float(model.query(target, rest).values[at])
        alone = float(model.query(target, {name: value}).values[at])
        weight = _log_odds(float(posterior[at])) - _log_odds(without)
        found.append(Influence(name, _words(value), without, alone, weight))
    found.sort(key=lambda i: -abs(i.weight))
    return Explanation(target, states[target][at], prior, float(posterior[at]), tuple(found))


def _log_odds(p: float) -> float:
    with np.errstate(divide="ignore"):
        return float(np.log(p) - np.log1p(-p)) if p < 1 else np.inf


def _words(value: Any) -> str:
    return (
        type(value).__name__.lower() if type(value).__name__ in ("Soft", "Virtual") else str(value)
    )
