"""The seed of a model inside another."""

from typing import Any


def seeded(estimator: Any, random_state: Any) -> Any:
    """Give an unfitted estimator its seed, if it takes one and there is one; returns it.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> seeded(DecisionTreeClassifier(), 7).random_state
    7
    """
    if random_state is not None and "random_state" in estimator.get_params(deep=False):
        estimator.set_params(random_state=random_state)
    return estimator
