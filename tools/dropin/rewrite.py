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


def concerned_tests(source: str) -> set[str]:
    r"""Names of the functions and classes of a rewritten file that can reach a replacement.

    Directly, or by way of helpers, fixtures and constants of the file. The others need not run.

    Examples
    --------
    >>> text = "from sklearn.svm import SVC\nmodels = [SVC]\ndef test_a(): models\ndef test_b(): 1"
    >>> sorted(concerned_tests(rewritten(text, {"SVC"})))
    ['SVC', 'models', 'test_a']
    """
    parts = [(_defined(node), _mentioned(node)) for node in ast.parse(source).body]
    reached = {"tools.dropin.plugin"}
    while True:
        more = {name for defined, said in parts if said & reached for name in defined}
        if more <= reached:
            return reached - {"tools.dropin.plugin"}
        reached |= more


def _defined(node: ast.stmt) -> set[str]:
    """Names that a statement of a file binds or may change."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    inside = list(ast.walk(node))
    bound = {n.id for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    bound |= {n.name for n in inside if isinstance(n, ast.FunctionDef | ast.ClassDef)}
    # ``models.append(…)``, ``models["a"] = …``
    holders = (n.value for n in inside if isinstance(n, ast.Attribute | ast.Subscript))
    return bound | {n.id for n in holders if isinstance(n, ast.Name)}


def _mentioned(node: ast.stmt) -> set[str]:
    names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    names |= {n.arg for n in ast.walk(node) if isinstance(n, ast.arg)}  # fixtures
    return names | {
        n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)
    }


def _imported(node: ast.AST, names: Collection[str]) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "sklearn":
        known = PACKAGES if node.module == "sklearn" else names
        for alias in node.names:
            if alias.name in known:
                yield alias.name, alias.asname or alias.name
