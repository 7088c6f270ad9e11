"""Step lengths that adapt to each coordinate."""

from dataclasses import dataclass

from margin.core import check
from margin.core.types import Floats
from margin.native.rows import momentum as native
from margin.optim.stochastic._momentum import MomentumSolver
from margin.optim.stochastic._row_sum import RowSum
from margin.optim.stochastic._schedules import Constant, Schedule


@dataclass(frozen=True)
class Adam(MomentumSolver):
    r"""Steps scaled by running moments of each coordinate of the gradient (optim.17).

    .. math:: u \leftarrow \beta_1 u + (1 - \beta_1) f, \quad
        q \leftarrow \beta_2 q + (1 - \beta_2) f^2, \quad
        w \leftarrow w - \tau_t \frac{u / (1 - \beta_1^t)}
        {\sqrt{q / (1 - \beta_2^t)} + \epsilon},

    with :math:`f` the gradient of a batch, penalty included. The scale of a column does not
    matter, so one step length serves columns of very different units.

    Parameters
    ----------
    tol : float
        Largest entry of the whole gradient that counts as zero, measured after every epoch.
    max_iter : int
        Most epochs.
    schedule : Schedule, optional
        Step lengths, in units of the coefficients, 0.01 by default; one that decays ends the
        noise.
    batch : int or None
        Rows per step; ``None`` for all of them.
    beta1, beta2 : float
        Memory of the mean and of the mean square, between 0 and 1.
    epsilon : float
        Added to the root of the mean square.
    shuffle, seed
        As in :class:`SGD`.

    Notes
    -----
    :math:`O(p)` per step, also for sparse rows. The penalty must be smooth.

    References
    ----------
    D. Kingma and J. Ba, "Adam: a method for stochastic optimization", ICLR 2015.

    Examples
    --------
    >>> import numpy as np
    >>> from margin import losses, optim, penalties
    >>> X, y = np.array([[0.0], [1.0], [2.0]]), np.array([1.0, 2.0, 4.0])
    >>> problem = optim.LinearProblem(X, y, np.full(3, 1 / 3), losses.Squared(), penalties.Zero())
    >>> optim.minimise(problem, Adam(batch=None, max_iter=5000)).x.round(1)
    array([1.5, 0.8])
    """

    tol: float = 1e-3
    max_iter: int = 1000
    schedule: Schedule | None = None
    batch: int | None = 16
    beta1: float = 0.9
    beta2: float = 0.999
    epsilon: float = 1e-8
    shuffle: bool = True
    seed: int = 0

    def __post_init__(self) -> None:
        check.params(self, positive="epsilon", fraction="beta1 beta2")
        for name in ("beta1", "beta2"):
            if getattr(self, name) == 1:
                raise check.fail(self, name, "below 1", getattr(self, name))
        self.check_common()

    def rates(self, rows: RowSum, t: Floats, per_epoch: int) -> Floats:
        return (Constant(0.01) if self.schedule is None else self.schedule).rate(t)

    def rule(self) -> tuple[int, float, float, float]:
        return native.ADAPTIVE, self.beta1, self.beta2, self.epsilon
