"""Systems of statsmodels, read."""

from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Floats
from margin.inference import LinearSystem


def from_statsmodels(model: Any) -> LinearSystem:
    """The linear system of a model or of results of statsmodels' state-space family.

    Parameters
    ----------
    model : statsmodels MLEModel or its results
        Such as ``SARIMAX``, ``UnobservedComponents`` or ``DynamicFactor``; results bring their
        parameters, a model must have been given some by ``update`` or ``smooth``.

    Returns
    -------
    LinearSystem
        With the same likelihood, a diffuse start included.

    Examples
    --------
    >>> import numpy as np
    >>> one = np.ones((1, 1, 1))
    >>> parts = dict(design=one, transition=one, selection=one, state_cov=one, obs_cov=one,
    ...     obs_intercept=np.zeros((1, 1)), state_intercept=np.zeros((1, 1)))
    >>> from_statsmodels({**parts, "start": (np.zeros(1), np.zeros((1, 1)), np.eye(1))}).A
    array([[1.]])
    """
    if isinstance(model, dict):
        return _system(model, *model["start"])
    source = getattr(model, "model", model)
    ssm = getattr(source, "ssm", None)
    if ssm is None:
        raise check.fail("from_statsmodels", "model", "of statsmodels' state-space family", model)
    if hasattr(model, "params"):
        source.update(model.params)
    parts = {
        name: np.asarray(ssm[name], dtype=np.float64)
        for name in (
            "design", "transition", "selection", "state_cov", "obs_cov", "obs_intercept",
            "state_intercept",
        )
    }  # fmt: skip
    ssm._initialize_representation()
    ssm._initialize_state()
    kernel = ssm._statespace
    start = tuple(
        np.array(getattr(kernel, name))
        for name in ("initial_state", "initial_state_cov", "initial_diffuse_state_cov")
    )
    return _system(parts, *start)


def _system(parts: dict[str, Floats], mean: Floats, cov: Floats, diffuse: Floats) -> LinearSystem:
    """Statsmodels keeps time last and says where a state goes; here it is where it comes from."""
    selection, noise = _first(parts["selection"]), _first(parts["state_cov"])
    Q = selection @ noise @ np.swapaxes(selection, -1, -2)
    return LinearSystem(
        _late(_first(parts["transition"]), 2),
        _first(parts["design"]),
        _late(Q, 2),
        _first(parts["obs_cov"]),
        mean,
        cov,
        b=_late(_first(parts["state_intercept"], 1), 1),
        d=_first(parts["obs_intercept"], 1),
        diffuse=diffuse if np.any(diffuse) else None,
    )


def _first(given: Floats, ndim: int = 2) -> Floats:
    """Time first, or not at all where there is one matrix."""
    if given.ndim == ndim:
        return given
    turned = np.moveaxis(given, -1, 0)
    return turned[0] if len(turned) == 1 else turned


def _late(given: Floats, ndim: int) -> Floats:
    """What leads out of a row there leads into the next here."""
    return given if given.ndim == ndim else np.roll(given, 1, axis=0)
