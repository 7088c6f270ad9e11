"""E-values: how strong a hidden cause would have to be."""

from dataclasses import dataclass

import numpy as np

from margin.core import check


@dataclass(frozen=True)
class EValue:
    """Least strength of a hidden common cause that could explain a result away.

    Parameters
    ----------
    estimate : float
        Risk ratio that the cause needs with both treatment and outcome to explain the estimate.
    limit : float
        The same for the limit of the interval next to no effect; 1 if the interval holds it.
    """

    estimate: float
    limit: float


def e_value(risk_ratio: float, low: float | None = None, high: float | None = None) -> EValue:
    r"""E-value of a risk ratio, :math:`R + \sqrt{R (R - 1)}` for :math:`R \ge 1`.

    Parameters
    ----------
    risk_ratio : float
        Estimate, above 0; ratios below 1 are turned round.
    low, high : float, optional
        Interval.

    References
    ----------
    T. VanderWeele and P. Ding, "Sensitivity analysis in observational research: introducing the
    E-value", Annals of Internal Medicine 167, 2017.

    Examples
    --------
    >>> found = e_value(3.9, 1.8, 8.7)
    >>> round(found.estimate, 2), round(found.limit, 2)
    (7.26, 3.0)
    """
    for name, value in (("risk_ratio", risk_ratio), ("low", low), ("high", high)):
        if value is not None and not (np.isfinite(value) and value > 0):
            raise check.fail("e_value", name, "a number above 0", value)
    near = low if risk_ratio >= 1 else high
    if near is None:
        near = risk_ratio
    crossed = near <= 1 if risk_ratio >= 1 else near >= 1
    return EValue(_bound(risk_ratio), 1.0 if crossed else _bound(near))


def _bound(ratio: float) -> float:
    ratio = max(ratio, 1 / ratio)
    return float(ratio + np.sqrt(ratio * (ratio - 1)))


def e_value_of_difference(effect: float, std_error: float, deviation: float) -> EValue:
    r"""E-value of a difference of means, through :math:`R \approx e^{0.91\, d}` with :math:`d` in
    deviations of the outcome.

    Examples
    --------
    >>> round(e_value_of_difference(0.5, 0.1, 1.0).estimate, 2)
    2.53
    """
    if not (deviation > 0 and std_error >= 0):
        raise check.fail("e_value_of_difference", "deviation", "above 0", deviation)
    d, s = effect / deviation, std_error / deviation
    return e_value(
        float(np.exp(0.91 * d)), float(np.exp(0.91 * d - 1.78 * s)),
        float(np.exp(0.91 * d + 1.78 * s)),
    )  # fmt: skip
