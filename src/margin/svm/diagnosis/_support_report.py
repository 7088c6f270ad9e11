"""Which rows carry a support vector machine, and which it gets wrong."""

from dataclasses import dataclass

import numpy as np

from margin.core.types import Bools, Floats, Places


@dataclass(frozen=True, eq=False, repr=False)
class SupportReport:
    r"""Groups of training rows (svm.04).

    With the multiplier :math:`\alpha_i \le C_i` of the row and its margin :math:`y_i f(x_i)`:
    :math:`\alpha_i = 0` has margin at least 1 and could be left out without a change;
    :math:`0 < \alpha_i < C_i` has margin exactly 1 (unbound); :math:`\alpha_i = C_i` has margin at
    most 1 (bound). In regression the margin is exchanged for the tube: inside, on its border,
    outside.

    Parameters
    ----------
    n : int
        Training rows.
    unbound, bound : ndarray of int
        Support vectors on the margin, and beyond it.
    margin_errors : ndarray of int
        Rows with a margin below 1, or outside the tube.
    training_errors : ndarray of int
        Rows on the wrong side; empty for regression.

    Examples
    --------
    >>> from margin.svm import SVC
    >>> SVC(kernel="linear", C=1.0).fit([[-1], [-2], [2], [3]], [0, 0, 1, 1]).support_report_
    SupportReport: 2 of 4 rows carry the machine
      unbound            2
      bound              0
      margin errors      0
      training errors    0
      leave-one-out      at most 0.5
    """

    n: int
    unbound: Places
    bound: Places
    margin_errors: Places
    training_errors: Places

    @property
    def support(self) -> Places:
        """All support vectors."""
        return np.sort(np.concatenate([self.unbound, self.bound]))

    @property
    def leave_one_out_bound(self) -> float:
        """Bound on the leave-one-out error: a row that carries nothing is not missed."""
        return (len(self.unbound) + len(self.bound)) / self.n

    def __repr__(self) -> str:
        n_support = len(self.unbound) + len(self.bound)
        rows = [
            ("unbound", len(self.unbound)),
            ("bound", len(self.bound)),
            ("margin errors", len(self.margin_errors)),
            ("training errors", len(self.training_errors)),
            ("leave-one-out", f"at most {self.leave_one_out_bound:.3g}"),
        ]
        head = f"SupportReport: {n_support} of {self.n} rows carry the machine"
        return "\n".join([head, *(f"  {label:<18} {value}" for label, value in rows)])


def support_report(
    coef: Floats,
    bound: Floats,
    margin: Floats,
    rows: Places,
    tol: float,
    wrong: Bools | None = None,
) -> SupportReport:
    """Report of one machine.

    Parameters
    ----------
    coef, bound, margin : ndarray of shape (m,)
        Coefficient, its largest size and the margin of every row; 1 is the margin asked for.
    rows : ndarray of int, shape (m,)
        Their numbers in the training data.
    tol : float
        Slack of the margin that is rounding.
    wrong : ndarray of bool, optional
        Rows on the wrong side; a negative margin by default.
    """
    size = np.abs(coef)
    at_bound = (size >= bound) & (size > 0)
    wrong = margin < 0 if wrong is None else wrong
    return SupportReport(
        n=len(coef),
        unbound=rows[(size > 0) & ~at_bound],
        bound=rows[at_bound],
        margin_errors=rows[margin < 1 - tol],
        training_errors=rows[wrong],
    )
