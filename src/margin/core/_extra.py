"""Libraries that only some jobs need: imported when they are, named when they are missing."""

from importlib import import_module
from typing import Any

# library, and the extra of margin that brings it
_EXTRAS = {
    "clarabel": "qp",
    "matplotlib": "plot",
    "networkx": "graph",
    "pandas": "compare",
    "pywt": "wavelet",
    "skops": "compare",
    "torch": "torch",
}
_NAMES = {"pywt": "PyWavelets", "torch": "PyTorch"}


def extra(module: str, wanted_by: str) -> Any:
    """Import an optional library, or say which command installs it.

    Parameters
    ----------
    module : str
        Address of the module, such as ``"matplotlib.pyplot"``.
    wanted_by : str
        Who needs it, as a user knows it: ``"FitReport.plot"``.

    Returns
    -------
    module

    Examples
    --------
    >>> extra("pandas", "to_frame").__name__
    'pandas'
    """
    library = module.split(".", maxsplit=1)[0]
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        # a library that is there but broken tells more by its own words
        if (error.name or "").split(".")[0] != library:
            raise
        words = f"{wanted_by} needs {_NAMES.get(library, library)}"
        raise ImportError(f"{words}: pip install 'margin[{_EXTRAS[library]}]'") from None
