"""Hyper-parameters of a kernel of scikit-learn that ended at a bound."""

from typing import Any

import numpy as np


def at_bounds(theirs: Any) -> tuple[str, ...]:
    """What to say of each free hyper-parameter that is at one of its bounds.

    Parameters
    ----------
    theirs : sklearn.gaussian_process.kernels.Kernel
        With the hyper-parameters found.

    Examples
    --------
    >>> from sklearn.gaussian_process.kernels import RBF
    >>> print(at_bounds(RBF(2.0, (1.0, 2.0)))[0])  # doctest: +ELLIPSIS
    The optimal value found for dimension 0 of parameter length_scale is close to the specified ...
    """
    sentences: list[str] = []
    with np.errstate(invalid="ignore", divide="ignore"):
        close = np.isclose(theirs.bounds, np.reshape(theirs.theta, (-1, 1))).reshape(-1, 2)
    at = 0
    for one in theirs.hyperparameters:
        if one.fixed:
            continue
        for dimension in range(one.n_elements):
            for side, name, advice in ((0, "lower", "Decreasing"), (1, "upper", "Increasing")):
                if close[at, side]:
                    bound = one.bounds[dimension if len(one.bounds) > 1 else 0, side]
                    sentences.append(
                        f"The optimal value found for dimension {dimension} of parameter "
                        f"{one.name} is close to the specified {name} bound {bound}. {advice} the "
                        "bound and calling fit again may find a better value."
                    )
            at += 1
    return tuple(sentences)
