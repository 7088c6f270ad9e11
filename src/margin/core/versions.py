"""What this installation runs with."""

import platform
import sys
from importlib import metadata

from margin import native

_BASE = ("numpy", "scipy", "scikit-learn", "joblib", "threadpoolctl", "typer", "rich")
_OPTIONAL = ("pandas", "polars", "pyarrow", "skops", "matplotlib", "torch", "scikit-learn-intelex")


def packages() -> dict[str, str]:
    """Installed versions of margin and of what it builds on; absent extras are left out.

    Examples
    --------
    >>> sorted(packages())[:2]
    ['joblib', 'margin']
    """
    numbers = {}
    for name in ("margin", *_BASE, *_OPTIONAL):
        try:
            numbers[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return numbers


def machine() -> dict[str, str]:
    """Interpreter, platform and the features of the compiled core."""
    build = native.build_info()
    openmp = "yes" if build["openmp"] else "no: compiled loops run on a single thread"
    return {
        "python": sys.version.split()[0],
        "platform": platform.platform(),
        "compiler": str(build["compiler"]),
        "openmp": openmp,
        "threads": str(native.max_threads()),
        "simd": str(build["simd"]),
    }


def show() -> None:
    """Print :func:`packages` and :func:`machine` as two columns."""
    rows = {**packages(), **machine()}
    width = max(map(len, rows))
    sys.stdout.write("".join(f"{name:<{width}}  {value}\n" for name, value in rows.items()))
