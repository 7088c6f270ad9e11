"""Response types: what a treatment would do to a person, one way and the other."""

from dataclasses import dataclass

import numpy as np

from margin.core import check


@dataclass(frozen=True)
class ResponseTypes:
    r"""Shares of the four kinds of people facing treatments A and B (causal.14).

    ======  ==================  =========  =========
    type    name                under A    under B
    ======  ==================  =========  =========
    a       A-responsive        recovers   does not
    b       B-responsive        does not   recovers
    c       responsive          recovers   recovers
    d       doomed              does not   does not
    ======  ==================  =========  =========

    Nobody is seen under both treatments, so types are never known. Recovery under A is
    :math:`p_a + p_c`, under B :math:`p_b + p_c`; the effect is :math:`p_a - p_b`.

    Parameters
    ----------
    a, b, c, d : float
        Shares, of sum one.

    Examples
    --------
    >>> ResponseTypes(0.3, 0.1, 0.4, 0.2).effect
    0.2
    >>> treated, untreated = ResponseTypes(0.5, 0.0, 0.5, 0.0), ResponseTypes(0.1, 0.2, 0.3, 0.4)
    >>> round(naive_difference(treated, untreated), 3)
    0.5
    """

    a: float
    b: float
    c: float
    d: float

    def __post_init__(self) -> None:
        shares = np.array([self.a, self.b, self.c, self.d], dtype=np.float64)
        if not np.isfinite(shares).all() or (shares < 0).any() or abs(shares.sum() - 1) > 1e-9:
            raise check.fail("ResponseTypes", "shares", "of sum 1, none negative", shares.tolist())

    @property
    def effect(self) -> float:
        """Recovery under A less recovery under B: :math:`p_a - p_b`."""
        return float(round(self.a - self.b, 15))

    def recovery(self, treatment: str) -> float:
        """Share that recovers under ``"A"`` or ``"B"``."""
        if treatment not in ("A", "B"):
            raise check.fail("ResponseTypes", "treatment", "'A' or 'B'", treatment)
        return (self.a if treatment == "A" else self.b) + self.c

    def recovered(self, treatment: str, n: int) -> float:
        """Expected number of recoveries among n people of these shares."""
        return n * self.recovery(treatment)

    def mixed(self, other: "ResponseTypes", share: float) -> "ResponseTypes":
        """A population of which a share is of this kind, the rest of the other."""
        return ResponseTypes(
            *(
                share * p + (1 - share) * q
                for p, q in zip(_shares(self), _shares(other), strict=True)
            )
        )


def _shares(types: ResponseTypes) -> tuple[float, float, float, float]:
    return types.a, types.b, types.c, types.d


def naive_difference(given_a: ResponseTypes, given_b: ResponseTypes) -> float:
    r"""What a comparison of the groups shows: :math:`p_a + p_c - (q_b + q_c)` (causal.14).

    The effect where both groups have the same shares, that is, are exchangeable.
    """
    return given_a.recovery("A") - given_b.recovery("B")


@dataclass(frozen=True)
class CausationBounds:
    """Bounds of probabilities that no experiment identifies.

    Parameters
    ----------
    benefit : tuple of float
        Of recovering because of the treatment: with it and not without it.
    harm : tuple of float
        Of the reverse.
    necessity : tuple of float
        Among the treated who recovered: that they would not have without.
    """

    benefit: tuple[float, float]
    harm: tuple[float, float]
    necessity: tuple[float, float]


def causation_bounds(treated: float, untreated: float) -> CausationBounds:
    r"""Bounds of the response types from an experiment (causal.14).

    With recoveries :math:`r_1` and :math:`r_0`,
    :math:`\max(0, r_1 - r_0) \le p_a \le \min(r_1, 1 - r_0)`.

    Parameters
    ----------
    treated, untreated : float
        Shares that recover with and without the treatment, assigned at random.

    Examples
    --------
    >>> causation_bounds(0.7, 0.4).benefit
    (0.3, 0.6)
    """
    for name, value in (("treated", treated), ("untreated", untreated)):
        if not 0 <= value <= 1:
            raise check.fail("causation_bounds", name, "a share between 0 and 1", value)
    least, most = max(0.0, treated - untreated), min(treated, 1 - untreated)
    harm = max(0.0, untreated - treated), min(untreated, 1 - treated)
    need = (least / treated, most / treated) if treated > 0 else (0.0, 1.0)
    return CausationBounds(
        (round(least, 15), round(most, 15)), (round(harm[0], 15), round(harm[1], 15)), need
    )
