"""The kernel that a model was given, and the one that it works with."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process.kernels import CompoundKernel

from margin.core import check
from margin.core.types import Floats
from margin.gp._inputs import resolve_kernel
from margin.kernels import Kernel, Translation, at_bounds, from_sklearn, is_sklearn


@dataclass(frozen=True, eq=False)
class Border:
    """Between the kernel of the user, ours or scikit-learn's, and ours.

    Parameters
    ----------
    kernel : Kernel or None
        Where the model starts; None: its own default.
    translation : Translation or None
        Where the user gave a kernel of scikit-learn.

    Examples
    --------
    >>> from sklearn.gaussian_process.kernels import RBF
    >>> border = given_kernel("GP", RBF(2.0), [[0.0]], learns=False)
    >>> str(border.kernel), border.shown(border.kernel)
    ('RBF(2)', RBF(length_scale=2))
    """

    kernel: Kernel | None
    translation: Translation | None = None

    def shown(self, kernel: Any) -> Any:
        """The kernel as the user knows it."""
        return kernel if self.translation is None else self.translation.theirs_at(kernel)

    def at(self, kernel: Any, theta: Any) -> Any:
        """Ours at hyper-parameters in the user's coordinates."""
        if theta is None:
            return kernel
        return kernel.with_theta(theta) if self.translation is None else self.translation.at(theta)

    def gradient(self, slopes: Floats) -> Floats:
        """Derivatives in the user's coordinates."""
        return slopes if self.translation is None else self.translation.gradient(slopes)

    def search(self, optimizer: Any) -> str | Callable[..., Any] | None:
        """A search of the user's for our coordinates; names stay."""
        if self.translation is None or not callable(optimizer):
            return optimizer  # type: ignore[no-any-return]
        return self.translation.search(optimizer)

    def check_restarts(self, owner: object, restarts: Any) -> None:
        """Refuse restarts between bounds that are not finite."""
        if self.translation is None or not isinstance(restarts, int) or restarts < 1:
            return
        with np.errstate(invalid="ignore", divide="ignore"):
            finite = bool(np.isfinite(self.translation.theirs.bounds).all())
        if not finite:
            need = "0 or the kernel bounded (a restart requires that all bounds are finite)"
            raise check.fail(owner, "n_restarts_optimizer", need, restarts)

    def warn(self, kernel: Any) -> None:
        """Say which hyper-parameters of a kernel of scikit-learn ended at a bound, as there."""
        if self.translation is None:
            return
        for sentence in at_bounds(self.translation.theirs_at(kernel)):
            warnings.warn(sentence, ConvergenceWarning, stacklevel=4)


def given_kernel(owner: object, kernel: Any, X: Any, *, learns: bool) -> Border:
    """The border of a kernel that the user gave.

    Parameters
    ----------
    owner : object
        Whose parameter it is, for messages.
    kernel : None, str, Kernel, callable or a kernel of scikit-learn
    X : array-like or list
        Objects to come: ours may depend on the number of columns.
    learns : bool
        Whether a search follows, which starts inside the bounds.
    """
    if not is_sklearn(kernel):
        return Border(resolve_kernel(owner, kernel))
    if isinstance(kernel, CompoundKernel):
        # In the words of scikit-learn: this is what its users look for.
        need = "a kernel of one matrix: kernel cannot be a CompoundKernel"
        raise check.fail(owner, "kernel", need, type(kernel).__name__)
    shape: tuple[int, ...] = np.shape(X) if kernel.requires_vector_input else ()
    translation = from_sklearn(kernel, columns=shape[1] if len(shape) == 2 else None)
    return Border(translation.start if learns else translation.ours, translation)
