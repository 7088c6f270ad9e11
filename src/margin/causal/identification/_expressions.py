"""Formulas made of observed probabilities: printed, and evaluated on a table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from margin.causal.graph._types import Node
from margin.core.types import Floats

Names = tuple[Node, ...]


@dataclass(frozen=True)
class Source:
    """Where a probability is observed.

    Parameters
    ----------
    experiment : tuple of nodes
        Variables that were assigned at random; none where nobody interfered.
    differs : tuple of nodes
        Variables whose mechanism is another one than in the population asked about.
    mark : str
        Written behind the P: ``"*"`` for the target of a transported effect.
    seen : tuple of pairs
        Variables that are not always seen, each with its indicator: only rows that know them.
    """

    experiment: Names = ()
    differs: Names = ()
    mark: str = ""
    seen: tuple[tuple[Node, Node], ...] = ()


OBSERVED = Source()


@dataclass(frozen=True)
class Joint:
    """Probability tables over named variables, one axis each; one table for every source.

    ``undefined`` is what a condition that never occurs gives: 0, or NaN to find out if it matters.
    """

    names: Names
    table: Floats
    others: Mapping[Source, Floats] = field(default_factory=dict)
    undefined: float = 0.0

    def marginal(self, kept: Iterable[Node], source: Source = OBSERVED) -> Floats:
        """Sum over all other variables; their axes stay, of length one."""
        kept = set(kept)
        away = tuple(i for i, name in enumerate(self.names) if name not in kept)
        table = self.others.get(source, self.table)
        return np.asarray(table.sum(axis=away, keepdims=True))

    def axes(self, names: Iterable[Node]) -> tuple[int, ...]:
        """Axes of some variables."""
        return tuple(self.names.index(name) for name in names)


class Expression(ABC):
    """A formula over observed probabilities; a value, compared by content."""

    @property
    @abstractmethod
    def free(self) -> frozenset[Node]:
        """Variables that its value depends on."""

    @property
    @abstractmethod
    def variables(self) -> frozenset[Node]:
        """All variables that it names, summed ones too."""

    @property
    @abstractmethod
    def symbols(self) -> tuple[Probability, ...]:
        """Every probability that occurs in it."""

    @abstractmethod
    def evaluate(self, joint: Joint) -> Floats:
        """Values as an array with one axis per variable, of length one where it does not matter."""

    @abstractmethod
    def text(self, style: Style, known: Mapping[Node, Node]) -> str:
        """The formula in a style; ``known`` has the variables in use outside, as they are called.

        A sum over one of them gives it a prime.
        """

    def __str__(self) -> str:
        return self.written(PLAIN)

    def written(self, style: Style) -> str:
        """The whole formula in a style."""
        return self.text(style, {name: name for name in self.free})


@dataclass(frozen=True)
class Style:
    """How formulas are written.

    Parameters
    ----------
    probability : callable
        Mark, targets, conditions, what was set and indicators of what is seen to text.
    total : callable
        Summed variables and body to text.
    ratio : callable
        Numerator and denominator to text.
    """

    probability: Callable[[str, Names, Names, Names, Names], str]
    total: Callable[[Names, str], str]
    ratio: Callable[[str, str], str]


def _listed(names: Iterable[Node]) -> str:
    return ", ".join(map(str, names))


def _symbol(
    mark: str, parts: tuple[Names, ...], name: Callable[[Node], str], bar: str, do: str
) -> str:
    targets, given, set_to, seen = parts
    right = [f"{do}({', '.join(map(name, set_to))})"] if set_to else []
    right += map(name, given)
    right += (f"{name(sign)}=1" for sign in seen)
    said = ", ".join(map(name, targets)) + (bar + ", ".join(right) if right else "")
    return f"P{mark}({said})"


PLAIN = Style(
    lambda mark, *names: _symbol(mark, names, str, " | ", "do"),
    lambda over, body: f"Σ_{{{_listed(over)}}} {body}",
    lambda top, bottom: f"[{top}] / [{bottom}]",
)


_ESCAPED = {sign: f"\\{sign}" for sign in "_%&#${} "} | {
    "\\": r"\backslash ",
    "^": r"\hat{\ }",
    "~": r"\sim ",
}


def _letter(name: Node) -> str:
    text = str(name)
    plain = text.rstrip("'")
    primes = text[len(plain) :]
    escaped = "".join(_ESCAPED.get(sign, sign) for sign in plain)
    return text if len(plain) == 1 == len(escaped) else rf"\mathrm{{{escaped}}}{primes}"


LATEX = Style(
    lambda mark, *names: _symbol(f"^{mark}" if mark else "", names, _letter, r" \mid ", "do"),
    lambda over, body: rf"\sum_{{{', '.join(map(_letter, over))}}} {body}",
    lambda top, bottom: rf"\frac{{{top}}}{{{bottom}}}",
)  # fmt: skip


@dataclass(frozen=True)
class Probability(Expression):
    """P(targets | given), where it was observed."""

    targets: Names
    given: Names = ()
    source: Source = OBSERVED

    @property
    def free(self) -> frozenset[Node]:
        """Targets and conditions."""
        return frozenset(self.targets + self.given)

    @property
    def variables(self) -> frozenset[Node]:
        """The same."""
        return self.free

    @property
    def symbols(self) -> tuple[Probability, ...]:
        """Itself."""
        return (self,)

    def evaluate(self, joint: Joint) -> Floats:
        """A conditional of the table."""
        together = joint.marginal(self.free, self.source)
        if not self.given:
            return together
        return _divided(together, joint.marginal(self.given, self.source), joint.undefined)

    def text(self, style: Style, known: Mapping[Node, Node]) -> str:
        """The symbol; what was assigned at random stands as set."""
        set_to = self.source.experiment
        seen = tuple(n for n in self.given if n not in set_to)
        targets, given, done = (
            tuple(known.get(n, n) for n in part) for part in (self.targets, seen, set_to)
        )
        signs = tuple(sign for _, sign in self.source.seen)
        return style.probability(self.source.mark, targets, given, done, signs)


@dataclass(frozen=True)
class Product(Expression):
    """All factors together; one without any is one."""

    factors: tuple[Expression, ...]

    @property
    def free(self) -> frozenset[Node]:
        """Those of the factors."""
        return frozenset().union(*(factor.free for factor in self.factors))

    @property
    def variables(self) -> frozenset[Node]:
        """Those of the factors."""
        return frozenset().union(*(factor.variables for factor in self.factors))

    @property
    def symbols(self) -> tuple[Probability, ...]:
        """Those of the factors."""
        return tuple(symbol for factor in self.factors for symbol in factor.symbols)

    def evaluate(self, joint: Joint) -> Floats:
        """The product of the values; zero where a factor is, even if another is undefined."""
        value: Floats = np.ones((1,) * len(joint.names))
        for factor in self.factors:
            other = factor.evaluate(joint)
            value = np.where((value == 0) | (other == 0), 0.0, value * other)
        return value

    def text(self, style: Style, known: Mapping[Node, Node]) -> str:
        """Factors side by side; a sum that others follow in brackets."""
        # Sums last: they read best so, and nothing follows their sign.
        ordered = sorted(self.factors, key=lambda factor: isinstance(factor, Total))
        parts = [factor.text(style, known) for factor in ordered]
        several = sum(isinstance(factor, Total) for factor in ordered) > 1
        for i, factor in enumerate(ordered):
            if isinstance(factor, Total) and several:
                parts[i] = f"[{parts[i]}]"
        return " ".join(parts) or "1"


@dataclass(frozen=True)
class Total(Expression):
    """The sum of a formula over some variables."""

    over: Names
    body: Expression

    @property
    def free(self) -> frozenset[Node]:
        """Those of the body that are not summed."""
        return self.body.free - set(self.over)

    @property
    def variables(self) -> frozenset[Node]:
        """Those of the body."""
        return self.body.variables | set(self.over)

    @property
    def symbols(self) -> tuple[Probability, ...]:
        """Those of the body."""
        return self.body.symbols

    def evaluate(self, joint: Joint) -> Floats:
        """The sum along the axes; a variable that the body does not depend on is an error."""
        value = self.body.evaluate(joint)
        return np.asarray(value.sum(axis=joint.axes(self.over), keepdims=True))

    def text(self, style: Style, known: Mapping[Node, Node]) -> str:
        """The sum sign before the body."""
        called = {name: f"{known[name]}'" if name in known else name for name in self.over}
        return style.total(tuple(called.values()), self.body.text(style, {**known, **called}))


@dataclass(frozen=True)
class Ratio(Expression):
    """One formula over another."""

    top: Expression
    bottom: Expression

    @property
    def free(self) -> frozenset[Node]:
        """Those of both."""
        return self.top.free | self.bottom.free

    @property
    def variables(self) -> frozenset[Node]:
        """Those of both."""
        return self.top.variables | self.bottom.variables

    @property
    def symbols(self) -> tuple[Probability, ...]:
        """Those of both."""
        return self.top.symbols + self.bottom.symbols

    def evaluate(self, joint: Joint) -> Floats:
        """The ratio of the values."""
        return _divided(self.top.evaluate(joint), self.bottom.evaluate(joint), joint.undefined)

    def text(self, style: Style, known: Mapping[Node, Node]) -> str:
        """A fraction."""
        return style.ratio(self.top.text(style, known), self.bottom.text(style, known))


def _divided(top: Floats, bottom: Floats, undefined: float) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(bottom == 0, undefined, top / bottom)


def product(factors: Iterable[Expression]) -> Expression:
    """Factors as one formula, nested products opened."""
    flat: list[Expression] = []
    for factor in factors:
        flat += factor.factors if type(factor) is Product else (factor,)
    return flat[0] if len(flat) == 1 else Product(tuple(flat))


def total(over: Iterable[Node], body: Expression) -> Expression:
    """The sum of a formula over variables, what sums to one left out.

    Examples
    --------
    >>> print(total(["z"], product([Probability(("y",), ("x",)), Probability(("z",), ("y",))])))
    P(y | x)
    >>> print(total(["z"], Probability(("y", "z"), ("x",))))
    P(y | x)
    """
    names = tuple(over)
    if not names:
        return body
    if type(body) is Total:
        return total((*names, *body.over), body.body)
    factors = list(body.factors) if type(body) is Product else [body]
    known = [factor.free for factor in factors]
    left = list(names)
    while True:
        place = _sums_to_one(left, factors, known)
        if place is None:
            break
        name, at = place
        left.remove(name)
        factor, _ = factors.pop(at), known.pop(at)
        assert isinstance(factor, Probability)
        rest = tuple(target for target in factor.targets if target != name)
        if rest:
            factors.insert(at, Probability(rest, factor.given, factor.source))
            known.insert(at, factors[at].free)
    inside = product(factors)
    return Total(tuple(left), inside) if left else inside


def _sums_to_one(
    left: list[Node], factors: list[Expression], known: list[frozenset[Node]]
) -> tuple[Node, int] | None:
    """A summed variable that only one factor knows, as a target of a plain probability."""
    for name in left:
        holding = [i for i, free in enumerate(known) if name in free]
        if len(holding) == 1:
            factor = factors[holding[0]]
            if type(factor) is Probability and name in factor.targets:
                return name, holding[0]
    return None
