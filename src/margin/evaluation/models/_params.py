"""Names of parameters, of a model inside another."""

from typing import Any

INSIDE = "estimator__"


def plain_params(params: dict[str, Any]) -> dict[str, Any]:
    """Parameters as the reader knows them, whatever the model is wrapped in.

    Examples
    --------
    >>> plain_params({"weights": "balanced", "estimator__alpha": 1.0})
    {'weights': 'balanced', 'alpha': 1.0}
    """
    return {name.removeprefix(INSIDE): value for name, value in params.items()}
