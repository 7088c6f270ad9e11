"""The first lines of docstrings as a terminal shows them: no markup, formulas in Unicode."""

from __future__ import annotations

import re

_ROLE = re.compile(r":(\w+(?::\w+)?):`([^`]*)`")
_SYMBOLS = {
    "sum": "∑", "prod": "∏", "int": "∫", "mid": "|", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥",
    "ne": "≠", "in": "∈", "to": "→", "mapsto": "↦", "times": "×", "cdot": "·", "pm": "±",
    "infty": "∞", "propto": "∝", "sim": "∼", "approx": "≈", "otimes": "⊗", "top": "ᵀ", "dots": "…",
    "ldots": "…", "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "eta": "η",
    "theta": "θ", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "pi": "π", "rho": "ρ",
    "sigma": "σ", "tau": "τ", "phi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "ell": "ℓ",
    "Sigma": "Σ", "Phi": "Φ", "quad": " ", "|": "‖",
}  # fmt: skip
_LETTERS = {"mathrm", "mathbf", "mathcal", "mathbb", "text", "operatorname", "hat", "tilde", "bar"}


def plain(words: str) -> str:
    r"""Words without reStructuredText: roles give their names, formulas Unicode.

    Examples
    --------
    >>> plain(r"Questions :math:`x_j \le t` for ``X``, as :class:`~margin.linear.Ridge` has.")
    'Questions x_j ≤ t for X, as Ridge has.'
    """
    words = _ROLE.sub(_role, words)
    return " ".join(words.replace("``", "").replace("`", "").replace("**", "").split())


def formula(latex: str) -> str:
    r"""A short formula of LaTeX in one line of Unicode.

    Examples
    --------
    >>> formula(r"p(x) = \prod_j p(x_j \mid x_{\mathrm{pa}(j)})")
    'p(x) = ∏_j p(x_j | x_pa(j))'
    """
    latex = re.sub(r"\\[dt]?frac\s*(\w|\{[^{}]*\})\s*(\w|\{[^{}]*\})", r"\1/\2", latex)
    latex = re.sub(r"\\(left|right|[,;!:])", "", latex)
    latex = re.sub(r"\\([A-Za-z]+|\|)\s?", _symbol, latex)
    return " ".join(latex.replace("{", "").replace("}", "").split())


def _role(match: re.Match[str]) -> str:
    role, content = match.groups()
    if role == "math":
        return formula(content)
    shown = re.sub(r"\s*<[^>]*>$", "", content)
    return shown.removeprefix("~").rpartition(".")[2] if shown.startswith("~") else shown


def _symbol(match: re.Match[str]) -> str:
    name = match.group(1)
    if name in _LETTERS:
        return ""
    # a space behind a command ends its name; behind signs between two things it is a space
    space = " " if match.group(0).endswith(" ") and not _SYMBOLS.get(name, name).isalpha() else ""
    return _SYMBOLS.get(name, name) + space
