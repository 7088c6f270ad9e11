"""Estimators whose kernel can be searched over."""

from typing import Any, Self

from margin.kernels._base import Kernel


class SearchedKernel:
    """Mixin of an estimator that has a parameter ``kernel``.

    Kernels of ours are values that never change: setting ``kernel__length_scale`` on the estimator
    gives it another kernel. Put it before ``BaseEstimator``.

    Examples
    --------
    >>> from margin.gp import GaussianProcessRegressor
    >>> from margin.kernels import RBF, White
    >>> model = GaussianProcessRegressor(RBF(1.0) + White(0.1))
    >>> model.set_params(kernel__k1__length_scale=2.0).kernel
    Sum(parts=(RBF(length_scale=2.0), White(noise_level=0.1)))
    """

    kernel: Any

    def set_params(self, **params: Any) -> Self:
        """Set parameters; those of the kernel are named ``kernel__…``."""
        inner = {name: value for name, value in params.items() if name.startswith("kernel__")}
        # The kernel is asked for only then: some estimators make theirs from other parameters.
        kernel = params.get("kernel", self.kernel) if inner else None
        if isinstance(kernel, Kernel):
            params = {name: value for name, value in params.items() if name not in inner}
            changes = {name.removeprefix("kernel__"): value for name, value in inner.items()}
            params["kernel"] = kernel.with_params(**changes)
        return super().set_params(**params)  # type: ignore[misc, no-any-return]
