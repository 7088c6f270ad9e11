"""What a regression is asked for."""

from dataclasses import dataclass

from margin.gp.learning._settings import LearningSettings

METHODS = ("auto", "exact", "fitc", "variational", "state-space", "grid", "cg", "compact")
INDUCING = 500


@dataclass(frozen=True)
class RegressionSettings:
    """Settings of a regression, checked.

    Parameters
    ----------
    method : str
        One of ``METHODS``.
    n_inducing : int or None
        Number of inducing points; None: ``INDUCING``.
    learn_inducing : bool
        Whether they move to raise the objective.
    learning : LearningSettings
        Search for the hyper-parameters; knows the name of the estimator.
    """

    method: str
    n_inducing: int | None
    learn_inducing: bool
    learning: LearningSettings

    @property
    def owner(self) -> str:
        """Class that is fitted, for messages."""
        return self.learning.owner
