"""Which solver suits the data."""

from typing import Any

import numpy as np

from margin.core import check
from margin.gp._capacity import EXACT_ROWS, fits
from margin.gp._inputs import Precomputed
from margin.gp._noise import split
from margin.gp.compact._pairs import density
from margin.gp.solvers._matern_parts import is_matern, matern_parts

SPARSE = 0.1


def choose(
    owner: str, method: str, kernel: Any, n: int, columns: int = 0, share: float = 1.0
) -> tuple[str, str]:
    """Method and the reason for it.

    ``columns`` is 0 where the objects are not rows of a table, ``share`` is that of the entries of
    the kernel matrix that are not zero.

    Examples
    --------
    >>> from margin.kernels import RBF
    >>> choose("GP", "auto", RBF(1.0), 100)
    ('exact', 'exact: 100 rows, no more than 2000')
    """
    if method != "auto":
        if method == "exact":
            fits(owner, n)
        elif isinstance(kernel, Precomputed):
            raise check.fail(owner, "method", "'exact' or 'auto' for a precomputed kernel", method)
        elif method == "state-space":
            if columns != 1:
                need = "'auto', 'exact', 'fitc' or 'variational' unless X has one column"
                raise check.fail(owner, "method", need, method)
            matern_parts(kernel)
        elif method == "compact" and not (columns and compact_latent(kernel)):
            need = "of compact support (such as Wendland), plus White, for method='compact'"
            raise check.fail(owner, "kernel", need, kernel)
        return method, ""
    if n <= EXACT_ROWS:
        return "exact", f"exact: {n} rows, no more than {EXACT_ROWS}"
    if columns == 1 and is_matern(kernel):
        return "state-space", "state-space: Matern kernels on a line, linear time and exact"
    if share <= SPARSE:
        return "compact", f"compact: {share:.2%} of the kernel matrix are not zero, exact"
    why = _unsuitable(kernel)
    if why:
        fits(owner, n)
        return "exact", f"exact: {why}"
    return "variational", f"variational: {n} rows, more than {EXACT_ROWS}"


def compact_latent(kernel: Any) -> Any:
    """The kernel without its noise where that is of compact support, else None."""
    try:
        latent = split(kernel).latent
    except ValueError:
        return None
    return latent if latent.supports else None


def _unsuitable(kernel: Any) -> str:
    if isinstance(kernel, Precomputed):
        return "the kernel is a matrix"
    try:
        split(kernel)
    except ValueError:
        return "the noise of the kernel cannot be separated"
    return ""


def share_of(kernel: Any, X: Any) -> float:
    """Share of the kernel matrix that is not zero, looked at only where it may matter."""
    if not isinstance(X, np.ndarray) or len(X) <= EXACT_ROWS:
        return 1.0
    latent = compact_latent(kernel)
    return 1.0 if latent is None else density(latent, X)
