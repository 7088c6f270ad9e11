"""The metadata by which an estimator is found, costed and tuned."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Task = Literal["classification", "regression", "density", "clustering", "transform", "structure"]
Cost = Literal["linear", "quadratic", "cubic"]
Input = Literal["table", "curve", "sequences", "graphs", "categorical"]


@dataclass(frozen=True)
class Card:
    """What an estimator is for and how to tune it; class attribute ``card`` of every estimator.

    Parameters
    ----------
    tasks : tuple of str
        Tasks it solves: ``"classification"``, ``"regression"``, ``"density"`` …
    cost : {"linear", "quadratic", "cubic"}
        Growth of the fitting time with the number of rows.
    search_space : mapping of str to list or (low, high, "log" | "linear")
        Hyper-parameters worth tuning; a list is a set of choices, a triple an interval.
    input : {"table", "curve", "sequences", "graphs", "categorical"}
        What ``X`` is; a curve has one number per row.
    max_rows : int or None
        Above this the estimator is not worth starting without being asked for.
    min_classes : int
        With fewer classes the estimator is another one in disguise.
    on_request : bool
        Whether it makes sense only with parameters that a person gives.
    seeded : bool
        Whether ``random_state``, where there is one, has an effect by default; it may be there
        for the sake of a namesake only.

    Examples
    --------
    >>> card = Card(tasks=("regression",), search_space={"alpha": (1e-3, 1e3, "log")})
    >>> [round(v, 3) for v in card.grid(3)["alpha"]]
    [0.001, 1.0, 1000.0]
    """

    tasks: tuple[Task, ...]
    cost: Cost = "linear"
    search_space: Mapping[str, Any] = field(default_factory=dict)
    input: Input = "table"
    max_rows: int | None = None
    min_classes: int = 2
    on_request: bool = False
    seeded: bool = True

    def grid(self, points: int) -> dict[str, list[Any]]:
        """Candidate values per hyper-parameter, ``points`` of them for each interval."""
        import numpy as np

        values: dict[str, list[Any]] = {}
        for name, space in self.search_space.items():
            if isinstance(space, list):
                values[name] = list(space)
            else:
                low, high, scale = space
                spread = np.geomspace if scale == "log" else np.linspace
                values[name] = [float(v) for v in spread(low, high, points)]
        return values
