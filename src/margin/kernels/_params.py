"""Parameters of a kernel by name, for searches such as ``GridSearchCV``."""

from dataclasses import fields, is_dataclass, replace
from typing import Any

from margin.core import check


def named(kernel: Any) -> dict[str, Any]:
    """Fields of a kernel by name; the parts of a sum or product are ``k1``, ``k2``, …"""
    values: dict[str, Any] = {}
    if not is_dataclass(kernel):  # one of the user's own
        return values
    for item in fields(kernel):
        value = getattr(kernel, item.name)
        if item.name == "parts" and isinstance(value, tuple):
            values |= {f"k{i}": part for i, part in enumerate(value, start=1)}
        elif item.init:
            values[item.name] = value
    return values


def nested(kernel: Any) -> dict[str, Any]:
    """Fields of a kernel, and those of the kernels within as ``k1__length_scale``.

    Examples
    --------
    >>> from margin.kernels import RBF, White
    >>> sorted(nested(RBF(2.0) + White(0.5)))
    ['k1', 'k1__length_scale', 'k2', 'k2__noise_level']
    """
    values: dict[str, Any] = {}
    for name, value in named(kernel).items():
        values[name] = value
        if hasattr(value, "get_params") and not isinstance(value, type):
            values |= {f"{name}__{inner}": v for inner, v in value.get_params().items()}
    return values


def changed(kernel: Any, changes: dict[str, Any]) -> Any:
    """The same kernel with other parameters, named as by :func:`nested`.

    Examples
    --------
    >>> from margin.kernels import RBF, White
    >>> changed(RBF(2.0) + White(0.5), {"k1__length_scale": 3.0})
    Sum(parts=(RBF(length_scale=3.0), White(noise_level=0.5)))
    """
    values = named(kernel)
    within: dict[str, dict[str, Any]] = {}
    for key, value in changes.items():
        name, _, rest = key.partition("__")
        if name not in values:
            raise check.fail(kernel, "name", f"one of {', '.join(sorted(nested(kernel)))}", key)
        if rest:
            within.setdefault(name, {})[rest] = value
        else:
            values[name] = value
    for name, inner in within.items():
        if not hasattr(values[name], "with_params"):
            raise check.fail(kernel, "name", f"one of {', '.join(sorted(nested(kernel)))}", name)
        values[name] = values[name].with_params(**inner)
    if any(item.name == "parts" for item in fields(kernel)):
        numbers = range(1, len(kernel.parts) + 1)
        values["parts"] = tuple(values.pop(f"k{i}") for i in numbers)
    return replace(kernel, **values)
