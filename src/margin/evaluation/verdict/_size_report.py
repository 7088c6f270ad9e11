"""How much a test set of a given size can tell."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from margin.evaluation.table._shown import shown
from margin.evaluation.verdict._intervals import wilson_interval


@dataclass(frozen=True)
class SizeReport:
    """What an accuracy measured on ``n_test`` rows is worth (evaluation.06).

    Parameters
    ----------
    n_test : int
        Test rows.
    accuracy : float
        Measured or expected share of right answers.
    gain : float
        An improvement somebody may claim, such as 0.01.
    level : float
        Coverage of the confidence interval.

    Examples
    --------
    >>> [SizeReport(n).examples for n in (100, 1000, 10000)]
    [1.0, 10.0, 100.0]
    >>> report = SizeReport(1000, accuracy=0.9)
    >>> [round(v, 4) for v in report.interval]
    [0.8798, 0.9171]
    >>> report.rows_needed
    13830
    """

    n_test: int
    accuracy: float = 0.9
    gain: float = 0.01
    level: float = 0.95

    @property
    def examples(self) -> float:
        """Test rows behind the gain."""
        return self.gain * self.n_test

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson confidence interval of the accuracy."""
        return wilson_interval(self.accuracy * self.n_test, self.n_test, level=self.level)

    @property
    def rows_needed(self) -> int:
        r"""Test rows for which the gain is as wide as the interval of one accuracy.

        :math:`n = z^2 p (1 - p) / (g / 2)^2`, so that the interval :math:`p \pm g / 2` has the
        wanted coverage.
        """
        z = stats.norm.ppf(0.5 + self.level / 2)
        return int(np.ceil(z**2 * self.accuracy * (1 - self.accuracy) / (self.gain / 2) ** 2))

    @property
    def text(self) -> str:
        """The report in one line."""
        low, high = self.interval
        return (
            f"a gain of {self.gain:.1%} is {self.examples:.3g} of {self.n_test} test rows; "
            f"the accuracy is known to within {shown(low)} to {shown(high)}"
        )


def expected_best(n_test: int, n_tries: int, accuracy: float = 0.5) -> float:
    r"""Score that hill climbing on a test set reaches by luck alone (evaluation.06).

    The expected largest of ``n_tries`` independent accuracies, all of true value ``accuracy``,
    measured on ``n_test`` rows:

    .. math:: E\big[\max_i A_i\big] = \frac1n \sum_{j=0}^{n-1} \big(1 - F(j)^{m}\big)

    with :math:`F` the binomial distribution function. It is what a test set used to choose
    among ``n_tries`` worthless variants would promise.

    Parameters
    ----------
    n_test : int
        Test rows.
    n_tries : int
        Variants tried on them.
    accuracy : float
        True accuracy of each variant.

    Examples
    --------
    >>> round(expected_best(100, 1), 3), round(expected_best(100, 50), 3)
    (0.5, 0.612)
    """
    below = stats.binom.cdf(np.arange(n_test), n_test, accuracy)
    return float((1.0 - below**n_tries).sum() / n_test)
