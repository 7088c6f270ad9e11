"""Omitted-variable bias: contours of what a hidden cause would do to an estimate."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import check, extra
from margin.core.types import Floats


@dataclass(frozen=True)
class OmittedVariable:
    r"""What a confounder of given strength would do to a regression estimate.

    A confounder that explains the shares :math:`R^2_y` of the outcome and :math:`R^2_d` of the
    treatment, both of what the covariates leave, moves the estimate by at most

    .. math:: \mathrm{bias} = s \sqrt{\nu}\, \sqrt{\frac{R^2_y R^2_d}{1 - R^2_d}}

    with standard error :math:`s` and :math:`\nu` degrees of freedom.

    Parameters
    ----------
    estimate, std_error : float
    dof : int
        Rows less coefficients.

    References
    ----------
    C. Cinelli and C. Hazlett, "Making sense of sensitivity: extending omitted variable bias", JRSS
    B 82, 2020.

    Examples
    --------
    The published example, attitudes in Darfur:

    >>> darfur = OmittedVariable(0.0973, 0.0232, 783)
    >>> round(darfur.robustness_value(), 3), round(darfur.partial_r2, 3)
    (0.139, 0.022)
    """

    estimate: float
    std_error: float
    dof: int

    def __post_init__(self) -> None:
        if not (self.std_error > 0 and np.isfinite(self.estimate)):
            raise check.fail("OmittedVariable", "std_error", "above 0", self.std_error)
        if self.dof < 2:
            raise check.fail("OmittedVariable", "dof", "at least 2", self.dof)

    @classmethod
    def from_model(cls, model: Any) -> "OmittedVariable":
        """What a hidden cause would do to the effect of a fitted model.

        Parameters
        ----------
        model : fitted AverageEffect
            With method ``"dml"``, or ``"regression"`` with a treatment of numbers (two levels
            coded as numbers, with ``discrete=False``): the effect must be the slope of what the
            covariates leave of the outcome on what they leave of one treatment. Its error is the
            classical one, for which the bounds hold.

        Examples
        --------
        >>> import numpy as np
        >>> from margin.causal import AverageEffect
        >>> rng = np.random.default_rng(0)
        >>> z, e, u = rng.standard_normal((3, 500))
        >>> frame = {"z": z, "t": z + e, "y": 0.3 * (z + e) + z + u}
        >>> model = AverageEffect(None, "t", "y", ["z"], "regression").fit(frame)
        >>> round(OmittedVariable.from_model(model).robustness_value(), 2)
        0.22
        """
        scores = getattr(model, "scores_", None)
        left = getattr(scores, "residuals", None)
        if scores is None or left is None or left.shape[1] != 2:
            need = "a fitted AverageEffect of one treatment by 'dml', or by 'regression' on numbers"
            raise check.fail("OmittedVariable.from_model", "model", need, model)
        weight, dof = model.weight_, len(left) - model.n_columns_ - 2
        y, t = left.T
        estimate = float(scores.values[0])
        noise = float(weight @ (y - t * estimate) ** 2) / max(dof, 1)
        return cls(estimate, float(np.sqrt(noise / (weight @ t**2))), dof)

    @property
    def partial_r2(self) -> float:
        """Share of the outcome that the treatment explains.

        A cause of all the rest must have it with the treatment to explain the estimate away.
        """
        t2 = (self.estimate / self.std_error) ** 2
        return float(t2 / (t2 + self.dof))

    def robustness_value(self, share: float = 1.0) -> float:
        """Equal strength with treatment and outcome that takes away a share of the estimate."""
        f = share * abs(self.estimate / self.std_error) / np.sqrt(self.dof)
        return float(0.5 * (np.sqrt(f**4 + 4 * f**2) - f**2))

    def bias(self, r2_treatment: Any, r2_outcome: Any) -> Floats:
        """Largest bias of a cause of these strengths."""
        d, y = np.asarray(r2_treatment, dtype=float), np.asarray(r2_outcome, dtype=float)
        if (d < 0).any() or (d >= 1).any() or (y < 0).any() or (y > 1).any():
            raise check.fail("OmittedVariable", "r2", "between 0 and 1", (r2_treatment, r2_outcome))
        return np.asarray(self.std_error * np.sqrt(self.dof) * np.sqrt(y * d / (1 - d)))

    def adjusted(self, r2_treatment: Any, r2_outcome: Any) -> Floats:
        """The estimate, moved towards and past zero by that bias."""
        moved = self.bias(r2_treatment, r2_outcome)
        return np.asarray(self.estimate - np.sign(self.estimate) * moved)

    def plot(self, ax: Any = None, limit: float = 0.4) -> Any:
        """Contours of the adjusted estimate; the line at zero is where it is explained away."""
        plt = extra("matplotlib.pyplot", "contours of sensitivity")
        ax = plt.subplots(layout="constrained")[1] if ax is None else ax
        grid = np.linspace(0, limit, 101)
        values = self.adjusted(grid[None, :], grid[:, None])
        lines = ax.contour(grid, grid, values, levels=10, colors="0.5", linewidths=0.8)
        ax.clabel(lines, fontsize=8)
        if values.min() < 0 < values.max():
            ax.contour(grid, grid, values, levels=[0.0], colors="crimson", linestyles="--")
        ax.plot(0, 0, "k^")
        ax.set_xlabel("share of the treatment that the cause explains")
        ax.set_ylabel("share of the outcome that the cause explains")
        return ax
