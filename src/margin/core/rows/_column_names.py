"""Names of the columns of a frame."""

from collections import Counter
from typing import Any


def repeated_name(X: Any) -> tuple[Any, int] | None:
    """A name that several columns of a frame share, and how many; ``None`` where there is none.

    Examples
    --------
    >>> import pandas as pd
    >>> repeated_name(pd.DataFrame([[1, 2, 3]], columns=["a", "b", "a"]))
    ('a', 2)
    >>> repeated_name([[1, 2, 3]])
    """
    names = getattr(X, "columns", None)
    if names is None or not hasattr(names, "__iter__"):
        return None
    listed = list(names)
    if len(set(listed)) == len(listed):
        return None
    return Counter(listed).most_common(1)[0]
