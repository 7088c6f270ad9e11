"""One table in scikit-learn's ``Bunch`` convention, as arrays or as a data frame."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.utils import Bunch

from margin.core import extra
from margin.core.types import Array


def tabular(
    data: Array,
    target: Array,
    *,
    feature_names: Sequence[str],
    target_name: str,
    labels: Mapping[str, Sequence[str]] | None = None,
    target_names: Sequence[str] | None = None,
    as_frame: bool = False,
    **truth: Any,
) -> Bunch:
    """A ``Bunch`` with ``data``, ``target``, ``frame`` and whatever is known to be true.

    Parameters
    ----------
    data : ndarray of shape (n_samples, n_features)
        Features; columns named in ``labels`` hold codes.
    target : ndarray of shape (n_samples,)
        Target; codes when ``target_names`` is given.
    feature_names, target_name : sequence of str, str
        Column names.
    labels : mapping of str to sequence of str, optional
        What the codes of a column mean; a data frame shows the words.
    target_names : sequence of str, optional
        What the codes of the target mean.
    as_frame : bool
        Return pandas objects, with ``frame`` holding features and target together.
    **truth
        Further fields of the result.

    Examples
    --------
    >>> import numpy as np
    >>> table = tabular(
    ...     np.array([[0], [1]]), np.array([1, 0]), feature_names=["size"], target_name="cured",
    ...     labels={"size": ["small", "big"]}, target_names=["no", "yes"], as_frame=True)
    >>> table.frame.to_dict("list")
    {'size': ['small', 'big'], 'cured': ['yes', 'no']}
    """
    fields = {
        "data": data,
        "target": target,
        "frame": None,
        "feature_names": list(feature_names),
        "target_name": target_name,
        "labels": {name: list(words) for name, words in (labels or {}).items()},
        "target_names": None if target_names is None else list(target_names),
        **truth,
    }
    if as_frame:
        frame = _frame(data, target, fields)
        fields["frame"] = frame
        fields["data"] = frame[fields["feature_names"]]
        fields["target"] = frame[target_name]
    return Bunch(**fields)


def _frame(data: Array, target: Array, fields: Mapping[str, Any]) -> Any:
    pd = extra("pandas", "as_frame=True")
    columns = {}
    for position, name in enumerate(fields["feature_names"]):
        words = fields["labels"].get(name)
        column = data[:, position]
        columns[name] = column if words is None else np.asarray(words)[column.astype(np.intp)]
    words = fields["target_names"]
    columns[fields["target_name"]] = target if words is None else np.asarray(words)[target]
    return pd.DataFrame(columns)
