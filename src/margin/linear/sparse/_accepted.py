"""Parameters of scikit-learn's coordinate descent that change nothing here, yet are checked."""

from typing import Any

import numpy as np

from margin.core import check


def check_accepted(owner: object, n_features: int, *, auto: bool) -> None:
    """Refuse values that scikit-learn refuses for ``precompute`` and ``selection``.

    Parameters
    ----------
    owner : object
        With these parameters.
    n_features : int
        A Gram matrix has as many rows and columns.
    auto : bool
        Whether ``precompute="auto"`` is one of the choices.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> check_accepted(SimpleNamespace(precompute=True, selection="cyclic"), 2, auto=False)
    >>> check_accepted(SimpleNamespace(precompute=True, selection="greedy"), 2, auto=False)
    Traceback (most recent call last):
    ValueError: SimpleNamespace: selection must be one of 'cyclic', 'random', got 'greedy'
    """
    check.params(owner, one_of={"selection": ("cyclic", "random")})
    verbose = getattr(owner, "verbose", False)
    if not isinstance(verbose, int | np.integer | np.bool_) or verbose < 0:
        raise check.fail(owner, "verbose", "True, False or an integer of at least 0", verbose)
    check_precompute(owner, getattr(owner, "precompute", False), n_features, auto=auto)


def check_precompute(owner: object, precompute: Any, n_features: int, *, auto: bool) -> None:
    """Refuse what is neither a flag nor a Gram matrix of the columns."""
    if isinstance(precompute, bool | np.bool_ | None) or (
        auto and isinstance(precompute, str) and precompute == "auto"
    ):
        return
    need = "True, False, 'auto' or a Gram matrix" if auto else "True, False or a Gram matrix"
    if isinstance(precompute, str) or np.ndim(precompute) != 2:
        raise check.fail(owner, "precompute", need, precompute)
    if np.shape(precompute) != (n_features, n_features):
        square = f"of shape ({n_features}, {n_features}) as a Gram matrix"
        raise check.fail(owner, "precompute", square, np.shape(precompute))
