"""Draws of several Markov chains, and what they say of the law they sample."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core import Solution, check
from margin.core.types import Floats
from margin.inference.sampling._diagnostics import bulk_size, effective_size, r_hat, tail_size


@dataclass(frozen=True, eq=False)
class Chains:
    r"""Draws of Markov chains side by side (``inference.27``).

    Parameters
    ----------
    draws : ndarray of shape (n_chains, n_draws, d)
        States after warm-up.
    log_density : ndarray of shape (n_chains, n_draws)
        Log density of each, up to a constant.
    names : tuple of str
        Names of the d quantities.
    statistics : mapping of str to ndarray of shape (n_chains, n_draws)
        What the method tells of each draw: ``acceptance``, ``step_size``, ``n_steps``,
        ``divergent``, …
    solution : Solution
        How the run ended; its certificate is the largest :math:`\hat R`.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.inference import sample_nuts
    >>> chains = sample_nuts(lambda x: (-0.5 * x @ x, -x), np.zeros(2), random_state=0)
    >>> chains.draws.shape, bool(chains.r_hat().max() < 1.01)
    ((4, 1000, 2), True)
    """

    draws: Floats = field(repr=False)
    log_density: Floats = field(repr=False)
    names: tuple[str, ...]
    statistics: Mapping[str, Floats] = field(repr=False)
    solution: Solution = field(repr=False)

    @property
    def pooled(self) -> Floats:
        """Draws of all chains one after the other, of shape (n_chains * n_draws, d)."""
        return self.draws.reshape(-1, self.draws.shape[-1])

    @property
    def mean(self) -> Floats:
        """Means of the quantities."""
        return np.asarray(self.pooled.mean(axis=0))

    @property
    def var(self) -> Floats:
        """Variances of the quantities."""
        return np.asarray(self.pooled.var(axis=0))

    @property
    def covariance(self) -> Floats:
        """Covariance matrix of the quantities."""
        return np.atleast_2d(np.cov(self.pooled, rowvar=False))

    @property
    def best(self) -> Floats:
        """The state of the largest density that was seen."""
        return np.asarray(self.pooled[int(np.argmax(self.log_density))])

    def quantile(self, q: ArrayLike) -> Floats:
        """Quantiles of every quantity, of shape (..., d)."""
        return np.asarray(np.quantile(self.pooled, np.asarray(q, dtype=np.float64), axis=0))

    def r_hat(self) -> Floats:
        r""":math:`\hat R` of every quantity: above 1.01 the chains have not met."""
        return r_hat(self.draws)

    def effective_size(self, kind: str = "bulk") -> Floats:
        """Effective number of draws of every quantity.

        Parameters
        ----------
        kind : {"bulk", "tail", "mean"}
            For the middle of the law, for its quantiles at 5 and 95 per cent, or for the mean.
        """
        sizes = {"bulk": bulk_size, "tail": tail_size, "mean": effective_size}
        if kind not in sizes:
            raise check.fail("Chains", "kind", "'bulk', 'tail' or 'mean'", kind)
        return sizes[kind](self.draws)

    @property
    def standard_error(self) -> Floats:
        """Monte-Carlo errors of the means."""
        return np.sqrt(self.var / self.effective_size("mean"))

    def summary(self) -> list[dict[str, Any]]:
        """One record per quantity: mean, deviation, quantiles, error, sizes and R-hat."""
        low, middle, high = self.quantile([0.05, 0.5, 0.95])
        columns = {
            "mean": self.mean,
            "sd": np.sqrt(self.var),
            "5%": low,
            "50%": middle,
            "95%": high,
            "error": self.standard_error,
            "ess_bulk": self.effective_size("bulk"),
            "ess_tail": self.effective_size("tail"),
            "r_hat": self.r_hat(),
        }
        return [
            {"name": name, **{key: float(values[j]) for key, values in columns.items()}}
            for j, name in enumerate(self.names)
        ]

    def to_arviz(self) -> Any:
        """The draws for ArviZ: groups ``posterior`` and ``sample_stats``.

        Needs the package arviz-base: ``pip install margin[sampling]``.
        """
        try:
            from arviz_base import from_dict
        except ImportError as error:
            raise ImportError(
                "Chains.to_arviz needs arviz-base: pip install margin[sampling]"
            ) from error
        posterior = {name: self.draws[:, :, j] for j, name in enumerate(self.names)}
        stats = {"lp": self.log_density, **self.statistics}
        return from_dict({"posterior": posterior, "sample_stats": stats})

    def __repr__(self) -> str:
        """Sizes, and how far to trust them."""
        n_chains, n_draws, d = self.draws.shape
        worst = self.solution.certificate
        trust = "" if worst is None else f", largest R-hat {worst.value:.3f}"
        return f"Chains({n_chains} chains, {n_draws} draws, {d} quantities{trust})"
