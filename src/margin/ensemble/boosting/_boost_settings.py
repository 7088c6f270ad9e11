"""How stages of boosting are made."""

from __future__ import annotations

from dataclasses import dataclass

from margin.search import GrowthRules


@dataclass(frozen=True)
class BoostSettings:
    """How stages are made.

    Parameters
    ----------
    n_stages : int
        Stages to add.
    rate : float
        Factor on the values of every tree.
    rules : GrowthRules
        Shape of the trees.
    subsample : float
        Share of the rows that a stage is grown on.
    one_side : bool
        Whether rows with small slopes are sampled and those with large ones all kept (GOSS).
    patience, tol : int, float
        Stop after so many stages in which the watched value has not fallen by more than ``tol``;
        0 to make all stages.
    least_squares : bool
        Whether splits fit the slopes by least squares, and curvatures only serve the values.
    pruning : float
        Price of a leaf in the pruning of every tree.
    history : tuple of float
        What was watched before the first and after each earlier stage but the last, which counts
        for the patience.
    first_stage, seed : int
        Number of stages made before, and what their draws depend on, each by its number.
    """

    n_stages: int
    rate: float
    rules: GrowthRules
    subsample: float = 1.0
    one_side: bool = False
    patience: int = 0
    tol: float = 1e-7
    least_squares: bool = False
    pruning: float = 0.0
    history: tuple[float, ...] = ()
    first_stage: int = 0
    seed: int = 0

    @property
    def draws(self) -> bool:
        """Whether chance has a part in a stage."""
        return self.one_side or self.subsample < 1.0 or self.rules.split_features > 0
