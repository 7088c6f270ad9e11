"""Test files with margin's names in the place of scikit-learn's."""

import ast
from collections.abc import Collection, Iterator
from pathlib import Path

HELPER = "__import__('tools.dropin.plugin', fromlist=['ours']).ours"
# Packages whose models tests reach as attributes: ``svm.SVC``.
PACKAGES = frozenset(
    {"covariance", "discriminant_analysis", "gaussian_process", "kernel_ridge", "linear_model"}
    | {"multiclass", "naive_bayes", "neighbors", "svm", "tree", "ensemble"}
)


def rewritten(source: str, names: Collection[str]) -> str:
    """Return a test file in which every import of a name is followed by its replacement.

    The replacement stands on the last line of the import, so that line numbers stay.

    Examples
    --------
    >>> print(rewritten("from sklearn.svm import SVC", {"SVC"}))
    from sklearn.svm import SVC; SVC = __import__('tools.dropin.plugin', fromlist=['ours']).ours('SVC')
    >>> rewritten("from sklearn.svm import SVC", {"SVR"})
    'from sklearn.svm import SVC'
    """  # noqa: E501
    lines = source.split("\n")
    for node in ast.walk(ast.parse(source)):
        for name, bound in _imported(node, names):
            assert isinstance(node, ast.ImportFrom)
            lines[(node.end_lineno or node.lineno) - 1] += f"; {bound} = {HELPER}('{name}')"
    return "\n".join(lines)


def concerned(root: Path, names: Collection[str]) -> Iterator[Path]:
    """Yield the test files below ``root`` that import one of the names."""
    for path in sorted(root.rglob("tests/test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if any(True for node in ast.walk(tree) for _ in _imported(node, names)):
            yield path


def _imported(node: ast.AST, names: Collection[str]) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "sklearn":
        known = PACKAGES if node.module == "sklearn" else names
        for alias in node.names:
            if alias.name in known:
                yield alias.name, alias.asname or alias.name
