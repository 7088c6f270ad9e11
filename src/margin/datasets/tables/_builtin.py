"""The tables that the command line knows by name."""

from collections.abc import Callable
from typing import Any

from sklearn.utils import Bunch

from margin.datasets import _requirements as require
from margin.datasets.tables._cars import make_cars
from margin.datasets.tables._mixed import make_mixed_table
from margin.datasets.tables._parking import make_parking
from margin.datasets.tables._simpson import load_berkeley, load_kidney_stones

#: The table used when none is named.
DEFAULT_BUILTIN = "breast_cancer"

_DIABETES = {
    "bp": "blood pressure",
    "s1": "total cholesterol",
    "s2": "low-density lipoproteins",
    "s3": "high-density lipoproteins",
    "s4": "cholesterol ratio",
    "s5": "log triglycerides",
    "s6": "blood sugar",
}


def _iris() -> tuple[Any, str]:
    bunch = _sklearn().load_iris(as_frame=True)
    return _labelled(bunch, "species", list(bunch.target_names)), "species"


def _wine() -> tuple[Any, str]:
    bunch = _sklearn().load_wine(as_frame=True)
    frame = _labelled(bunch, "cultivar", ["cultivar 1", "cultivar 2", "cultivar 3"])
    return frame.rename(columns={"od280/od315_of_diluted_wines": "od280_od315"}), "cultivar"


def _breast_cancer() -> tuple[Any, str]:
    bunch = _sklearn().load_breast_cancer(as_frame=True)
    return _labelled(bunch, "diagnosis", list(bunch.target_names)), "diagnosis"


def _digits() -> tuple[Any, str]:
    bunch = _sklearn().load_digits(as_frame=True)
    return _labelled(bunch, "digit", [str(digit) for digit in range(10)]), "digit"


def _diabetes() -> tuple[Any, str]:
    bunch = _sklearn().load_diabetes(as_frame=True, scaled=False)
    frame = bunch.frame.rename(columns={**_DIABETES, "target": "progression"})
    # The source codes the sexes 1 and 2 without saying which is which.
    frame["sex"] = frame["sex"].map({1.0: "sex 1", 2.0: "sex 2"})
    return frame, "progression"


def _sklearn() -> Any:
    """scikit-learn's data sets, which are slow to import."""
    from sklearn import datasets

    return datasets


def _labelled(bunch: Bunch, target: str, names: list[str]) -> Any:
    frame = bunch.frame.rename(columns={"target": target})
    frame[target] = frame[target].map(dict(enumerate(map(str, names))))
    return frame


def _shuffled(bunch: Bunch) -> tuple[Any, str]:
    """Individuals in random order: a table sorted by its answer would mislead a plain split."""
    frame = bunch.frame.sample(frac=1, random_state=0).reset_index(drop=True)
    return frame, bunch.target_name


def _berkeley() -> tuple[Any, str]:
    return _shuffled(load_berkeley(as_frame=True))


def _kidney_stones() -> tuple[Any, str]:
    return _shuffled(load_kidney_stones(as_frame=True))


def _cars() -> tuple[Any, str]:
    frame = make_cars(as_frame=True, random_state=0).frame
    return frame.astype({"cylinders": int, "year": int}), "mpg"


def _parking() -> tuple[Any, str]:
    bunch = make_parking(2, 4, n_days=10, as_frame=True, random_state=0)
    return bunch.frame, bunch.target_name


def _mixed() -> tuple[Any, str]:
    bunch = make_mixed_table(random_state=0)
    return bunch.frame, bunch.target_name


_REGISTRY: dict[str, tuple[Callable[[], tuple[Any, str]], str]] = {
    "breast_cancer": (_breast_cancer, "Is the tumour malignant, from 30 measures of cell nuclei?"),
    "iris": (_iris, "Three species of iris from four measures of their flowers."),
    "wine": (_wine, "Three cultivars of wine from 13 chemical measures."),
    "digits": (_digits, "Handwritten digits from 8 by 8 pixels."),
    "diabetes": (_diabetes, "Progression of diabetes after one year, from ten measures."),
    "berkeley": (_berkeley, "Admission to six departments of Berkeley, 1973: Simpson's paradox."),
    "kidney_stones": (_kidney_stones, "Recovery under two treatments of kidney stones."),
    "cars": (_cars, "Fuel consumption of invented cars with a known law."),
    "parking": (_parking, "Occupancy of parking spaces from generated magnetic readings."),
    "mixed": (_mixed, "Customers with dates, words, levels, an identifier and gaps, generated."),
}


def builtin_names() -> list[str]:
    """Names that :func:`builtin` and ``margin compare`` accept, the default first.

    Examples
    --------
    >>> builtin_names()[:3], len(builtin_names())
    (['breast_cancer', 'iris', 'wine'], 10)
    """
    return list(_REGISTRY)


def builtin(name: str = DEFAULT_BUILTIN) -> Bunch:
    """A built-in table, ready for ``margin compare``.

    Parameters
    ----------
    name : str
        One of :func:`builtin_names`.

    Returns
    -------
    Bunch
        ``name``; ``frame``, a pandas data frame with words for classes; ``target``, the name of the
        column to predict; ``description``, one sentence.

    Examples
    --------
    >>> table = builtin()
    >>> table.frame.shape, table.target, sorted(set(table.frame["diagnosis"]))
    ((569, 31), 'diagnosis', ['benign', 'malignant'])
    """
    require.one_of("builtin", tuple(_REGISTRY), name=name)
    load, description = _REGISTRY[name]
    frame, target = load()
    return Bunch(name=name, frame=frame, target=target, description=description)
