"""One weight per row."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.core.border._refusal import fail, named


def weights(
    estimator: object,
    sample_weight: Any,
    n_samples: int,
    *,
    negative: bool = False,
    part: bool = False,
) -> NDArray[np.float64] | None:
    """One finite, non-negative float64 weight per row, contiguous and not all zero.

    ``None`` stays ``None``.

    With ``negative`` there may be negative weights, of rows to be left out: they become zero. With
    ``part`` they are those of a block of the rows, and may all be zero.

    Examples
    --------
    >>> weights("Ridge", [1, -2], 2)
    Traceback (most recent call last):
    ValueError: Ridge: sample_weight must be at least 0 everywhere, got -2.0: Negative values in \
data passed to `sample_weight`
    """
    if sample_weight is None:
        return None
    try:
        weight = np.asarray(sample_weight, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise fail(estimator, "sample_weight", "numbers", sample_weight) from error
    if weight.ndim == 0:
        weight = np.full(n_samples, float(weight))
    if weight.ndim != 1:
        raise ValueError(
            f"{named(estimator)}: Sample weights must be 1D array or scalar, "
            f"got an array of shape {weight.shape}"
        )
    if len(weight) != n_samples:
        raise ValueError(
            f"{named(estimator)}: sample_weight must be of length {n_samples}, got {len(weight)}: "
            f"sample_weight.shape == {weight.shape}, expected ({n_samples},)!"
        )
    if not np.isfinite(weight).all():
        raise fail(estimator, "sample_weight", "finite everywhere", "NaN or infinity")
    if weight.size and weight.min() < 0:
        if not negative:
            raise ValueError(
                f"{named(estimator)}: sample_weight must be at least 0 everywhere, got "
                f"{float(weight.min())}: Negative values in data passed to `sample_weight`"
            )
        weight = np.maximum(weight, 0.0)
    weight = np.ascontiguousarray(weight)  # compiled loops walk along the memory
    if not part and not weight.any():
        raise ValueError(
            f"{named(estimator)}: sample_weight must be above 0 somewhere, got all zeros; Invalid "
            "input - all samples have zero or negative weights."
        )
    return weight
