"""Words of namesakes that differ on purpose: defaults of ours, and the few that are absent."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

TABLE = Path(__file__).with_name("defaults.toml")


@cache
def _table() -> dict[str, list[dict[str, Any]]]:
    return tomllib.loads(TABLE.read_text("utf-8"))


def other_words(model: str) -> set[str]:
    """Parameters of a model whose default is another one than scikit-learn's.

    Examples
    --------
    >>> other_words("SVC")
    {'break_ties'}
    """
    return {p for d in _table()["default"] if model in d["models"] for p in d["parameters"]}


def absent_words(model: str) -> set[str]:
    """Methods and fitted attributes of a model that only scikit-learn's has.

    Examples
    --------
    >>> absent_words("LinearRegression")
    {'singular_'}
    """
    return {name for a in _table()["absent"] if model in a["models"] for name in a["names"]}


def sections() -> list[str]:
    """Lines of the page about both."""
    lines = ["", "## Defaults", "", "| parameters | of | why |", "| --- | --- | --- |"]
    lines += [_row(d["parameters"], d) for d in _table()["default"]]
    lines += ["", "## Not there", "", "| name | of | why |", "| --- | --- | --- |"]
    return lines + [_row(a["names"], a) for a in _table()["absent"]]


def _row(names: list[str], item: dict[str, Any]) -> str:
    words = [", ".join(f"`{name}`" for name in part) for part in (names, item["models"])]
    return f"| {words[0]} | {words[1]} | {item['reason']} |"
