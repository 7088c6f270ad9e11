"""The mean of conditional effects as a method, so that it can be refuted like any other."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from margin.causal.conditional._learners import Learner
from margin.causal.conditional._surfaces import Surface
from margin.causal.methods._effect_data import EffectData
from margin.causal.methods._nuisance import Nuisance
from margin.causal.methods._scores import Method, Scores
from margin.core.types import Floats


@dataclass(frozen=True, eq=False)
class MeanEffect(Method):
    """Mean over the rows of the effects that a learner finds.

    Parameters
    ----------
    learner : Learner
    model : regressor, optional
        Of the effects on the modifiers.
    """

    learner: Learner
    model: Any = None
    title: ClassVar[str] = "mean of conditional effects"

    def scores(self, data: EffectData, nuisance: Nuisance) -> Scores:
        """The means; their error is for a bootstrap to say."""
        surfaces = self.learner.surfaces(data, nuisance, self.model)
        return Scores(data.names, averages(surfaces, data.modifiers, data.weight), None)


def averages(surfaces: tuple[Surface, ...], M: Floats, weight: Floats) -> Floats:
    """Mean effect of the rows, for each surface.

    Examples
    --------
    >>> from margin.causal.conditional._surfaces import Plane
    >>> averages((Plane(np.array([1.0, 2.0]), np.eye(2), True),), np.eye(2)[:, :1], np.ones(2))
    array([2.])
    """
    return np.array([weight @ surface.values(M) / weight.sum() for surface in surfaces])
