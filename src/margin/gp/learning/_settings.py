"""How hyper-parameters are searched for."""

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral
from typing import Any

from margin.core import check
from margin.core.types import Floats

NAMES = ("fmin_l_bfgs_b",)


@dataclass(frozen=True)
class LearningSettings:
    """Settings of the search for hyper-parameters, checked.

    Parameters
    ----------
    owner : str
        Class that is fitted, for messages and progress.
    optimizer : "fmin_l_bfgs_b", callable or None
        The search; None keeps the kernel as it is.
    restarts : int
        Further searches from random starts.
    tol : float
        Largest entry of the gradient per row that counts as zero.
    max_iter : int
        Most iterations of a search.
    curvature : ndarray, optional
        Second derivatives of the objective per row around the first start, where they are known.

    Examples
    --------
    >>> LearningSettings("GaussianProcessRegressor", "adam")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ValueError: GaussianProcessRegressor: optimizer must be None, 'fmin_l_bfgs_b' or a callable, ...
    """

    owner: str
    optimizer: str | Callable[..., Any] | None = NAMES[0]
    restarts: int = 0
    tol: float = 1e-5
    max_iter: int = 200
    curvature: Floats | None = None

    def __post_init__(self) -> None:
        known = self.optimizer is None or callable(self.optimizer)
        if not known and not (isinstance(self.optimizer, str) and self.optimizer in NAMES):
            need = f"None, {NAMES[0]!r} or a callable"
            raise check.fail(self.owner, "optimizer", need, self.optimizer)
        given: Any = self.restarts
        if isinstance(given, bool) or not isinstance(given, Integral) or int(given) < 0:
            need = "an integer of at least 0"
            raise check.fail(self.owner, "n_restarts_optimizer", need, given)

    @property
    def by_gradient(self) -> bool:
        """Whether there is a search, and it is ours."""
        return self.optimizer is not None and not callable(self.optimizer)
