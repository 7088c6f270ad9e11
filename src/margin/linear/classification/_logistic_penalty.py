"""The penalty of a logistic regression as scikit-learn's parameters say it."""

import warnings
from typing import Any, NamedTuple

import numpy as np

from margin.core import check

UNSAID = "deprecated"
PENALTIES = (UNSAID, "l2", "l1", "elasticnet", None)
_NO_PENALTY = (
    "'penalty' was deprecated in scikit-learn 1.8: leave it out and say l1_ratio=0 for 'l2', "
    "l1_ratio=1 for 'l1', l1_ratio between 0 and 1 for 'elasticnet', C=np.inf for None"
)
_NO_RATIO = (
    "'l1_ratio=None' was deprecated in scikit-learn 1.8: say 0 for a penalty of squares alone"
)


class Strength(NamedTuple):
    """Inverse strength of the penalty, and the share of the absolute values in it."""

    C: float
    l1_ratio: float


def penalty_strength(owner: object, penalty: Any, C: float, l1_ratio: float | None) -> Strength:
    """What ``penalty``, ``C`` and ``l1_ratio`` mean together; deprecated ways of saying it warn.

    Examples
    --------
    >>> penalty_strength("LogisticRegression", "deprecated", 2.0, 0.5)
    Strength(C=2.0, l1_ratio=0.5)
    """
    if penalty == UNSAID and l1_ratio is not None:
        return Strength(C, l1_ratio)
    name = owner if isinstance(owner, str) else type(owner).__name__
    if penalty == UNSAID:
        warnings.warn(f"{name}: {_NO_RATIO}", FutureWarning, stacklevel=5)
        return Strength(C, 0.0)
    warnings.warn(f"{name}: {_NO_PENALTY}", FutureWarning, stacklevel=5)
    if penalty == "elasticnet":
        if l1_ratio is None:
            raise check.fail(owner, "l1_ratio", "given with penalty='elasticnet'", None)
        return Strength(C, l1_ratio)
    _warn_of_ignored(name, penalty, C, l1_ratio)
    if penalty is None:
        return Strength(float(np.inf), 0.0)
    return Strength(C, 1.0 if penalty == "l1" else 0.0)


def _warn_of_ignored(name: str, penalty: str | None, C: float, l1_ratio: float | None) -> None:
    """Say which of the other parameters the deprecated one overrides."""
    if l1_ratio is not None and 0 < l1_ratio < 1:
        text = (
            f"{name}: l1_ratio parameter is only used when penalty is 'elasticnet'. "
            f"Got (penalty={penalty})"
        )
        warnings.warn(text, UserWarning, stacklevel=6)
    own = {"l2": 0, "l1": 1}
    if penalty in own and l1_ratio != own[penalty]:
        text = (
            f"{name}: Inconsistent values: penalty={penalty} with l1_ratio={l1_ratio}; "
            f"penalty wins, leave it out and say l1_ratio only"
        )
        warnings.warn(text, UserWarning, stacklevel=6)
    if penalty is None and C != 1.0:
        text = f"{name}: Setting penalty=None will ignore the C and l1_ratio parameters"
        warnings.warn(text, UserWarning, stacklevel=6)
