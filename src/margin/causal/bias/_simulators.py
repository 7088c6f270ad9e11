"""Studies with a known bias: what an estimate that leaves something out says, and the truth."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from margin.core import check
from margin.core.random import generator
from margin.core.types import Floats


@dataclass(frozen=True, eq=False)
class BiasedStudy:
    """Rows whose truth is known (causal.02).

    Parameters
    ----------
    kind : {"common_cause", "mediator", "selection"}
    frame : dict of name to ndarray
        Columns ``x`` (treatment), ``y`` (outcome) and the one that is left out or selected on.
    truth : float
        The effect asked for: total effect of x on y with a common cause, direct effect with a
        mediator, none under selection.
    biased : float
        What the slope of y on x tends to where the third column is ignored (or selected on).
    omitted : str
        The third column.
    """

    kind: str
    frame: dict[str, Floats] = field(repr=False)
    truth: float
    biased: float
    omitted: str

    def naive(self) -> float:
        """Slope of y on x in these rows, selected ones where it is about selection."""
        rows = self.frame["s"] > 0 if self.kind == "selection" else slice(None)
        return _slope(self.frame["y"][rows], self.frame["x"][rows])

    def adjusted(self) -> float:
        """Slope with the third column held fixed; under selection that of all rows."""
        if self.kind == "selection":
            return _slope(self.frame["y"], self.frame["x"])
        return _slope(self.frame["y"], self.frame["x"], self.frame[self.omitted])


def _slope(y: Floats, *columns: Floats) -> float:
    D = np.column_stack([np.ones(len(y)), *columns])
    return float(np.linalg.lstsq(D, y, rcond=None)[0][1])


def simulate_bias(
    kind: str,
    n_samples: int = 1000,
    *,
    effect: float = 1.0,
    strength: float = 1.0,
    random_state: Any = None,
) -> BiasedStudy:
    r"""Simulate a study in which something is left out (causal.02).

    ==============  ===========================  ==============================================
    kind            arrows                       what the slope of y on x tends to
    ==============  ===========================  ==============================================
    common_cause    z → x, z → y, x → y          :math:`\tau + s^2 / (1 + s^2)`
    mediator        x → m → y, x → y             :math:`\tau + s^2` instead of the direct effect
    selection       x → s ← y                    below 0, though x and y are independent
    ==============  ===========================  ==============================================

    Parameters
    ----------
    kind : {"common_cause", "mediator", "selection"}
    n_samples : int
    effect : float
        Direct effect :math:`\tau` of x on y; 0 under selection.
    strength : float
        Coefficients :math:`s` of the third variable.
    random_state : int, Generator or RandomState, optional

    Examples
    --------
    >>> study = simulate_bias("common_cause", 20_000, random_state=0)
    >>> study.truth, study.biased, round(study.naive(), 1), round(study.adjusted(), 1)
    (1.0, 1.5, 1.5, 1.0)
    """
    if kind not in _KINDS:
        raise check.fail("simulate_bias", "kind", f"one of {tuple(_KINDS)}", kind)
    if isinstance(n_samples, bool) or not isinstance(n_samples, int) or n_samples < 3:
        raise check.fail("simulate_bias", "n_samples", "an integer of at least 3", n_samples)
    noise = generator(random_state).standard_normal((3, n_samples))
    return _KINDS[kind](noise, float(effect), float(strength))


def _common_cause(noise: Floats, effect: float, s: float) -> BiasedStudy:
    z, x = noise[0], s * noise[0] + noise[1]
    frame = {"z": z, "x": x, "y": effect * x + s * z + noise[2]}
    return BiasedStudy("common_cause", frame, effect, effect + s**2 / (1 + s**2), "z")


def _mediator(noise: Floats, effect: float, s: float) -> BiasedStudy:
    x, m = noise[0], s * noise[0] + noise[1]
    frame = {"x": x, "m": m, "y": effect * x + s * m + noise[2]}
    return BiasedStudy("mediator", frame, effect, effect + s**2, "m")


def _selection(noise: Floats, effect: float, s: float) -> BiasedStudy:
    x, y = noise[0], noise[1]
    frame = {"x": x, "y": y, "s": (s * (x + y) + noise[2] > 0).astype(np.float64)}
    # Half a normal along the direction of selection: the variance lost there is shared out.
    lost = 2 / np.pi * s**2 / (2 * s**2 + 1)
    return BiasedStudy("selection", frame, 0.0, -lost / (1 - lost), "s")


_KINDS: Mapping[str, Callable[[Floats, float, float], BiasedStudy]] = {
    "common_cause": _common_cause, "mediator": _mediator, "selection": _selection,
}  # fmt: skip
