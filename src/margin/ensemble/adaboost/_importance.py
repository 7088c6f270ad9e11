"""Importances of features over the learners of an ensemble."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from margin.core.types import Floats


def mean_importance(owner: Any, learners: Sequence[Any], votes: Floats) -> Floats:
    """Importances averaged by votes.

    Raises
    ------
    AttributeError
        Where the learners know none.
    """
    check_is_fitted(owner)
    if not hasattr(learners[0], "feature_importances_"):
        raise AttributeError(
            f"{type(owner).__name__}: feature_importances_ must come from learners that have "
            f"them, got {type(learners[0]).__name__}"
        )
    each = np.array([learner.feature_importances_ for learner in learners])
    return np.asarray(np.average(each, axis=0, weights=votes / votes.sum()))
