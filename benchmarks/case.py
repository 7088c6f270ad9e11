"""What a benchmark is made of: sizes, contestants, and the target that everyone must reach."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from types import MappingProxyType
from typing import Any

Setting = Mapping[str, Any]
"""Keyword arguments that say how far a contestant drives its solver."""

NO_SETTING: Setting = MappingProxyType({})


@dataclass(frozen=True)
class Size:
    """One size of a case.

    Parameters
    ----------
    label : what a reader sees, such as ``20 000 × 50``.
    parameters : keyword arguments of the case's ``make_data``.
    elements : stored numbers, the abscissa of the growth of time.
    required : whether the speed asked for is asked at this size.
    required_ratio : the speed asked at this size, where it is not the case's.
    """

    label: str
    parameters: Mapping[str, Any]
    elements: int
    required: bool = False
    required_ratio: float | None = None


@dataclass(frozen=True)
class Contestant:
    """One way to fit the model of a case.

    Parameters
    ----------
    name : what a reader sees, such as ``scikit-learn lbfgs``.
    fit : ``fit(data, **setting) -> fitted``; must leave ``data`` as it was.
    requires : importable names, ``package.module`` or ``package.module:attribute``.
    settings : from loose to tight; the first that reaches the target is the one timed.
    ours : whether this is margin.
    binding : whether the speed asked for is measured against this peer.
    note : what a reader must know to read the numbers.
    required_ratio : how many times as fast as this very peer we must be, where that is asked apart.
    """

    name: str
    fit: Callable[..., Any]
    requires: tuple[str, ...] = ()
    settings: tuple[Setting, ...] = (NO_SETTING,)
    ours: bool = False
    binding: bool = True
    note: str = ""
    required_ratio: float | None = None

    def missing(self) -> str:
        """Why the contestant cannot take part, or an empty string."""
        for name in self.requires:
            module, _, attribute = name.partition(":")
            try:
                loaded = import_module(module)
            except ImportError as error:
                return f"{module} cannot be imported ({error})"
            if attribute and not hasattr(loaded, attribute):
                return f"{module} has no {attribute}"
        return ""


@dataclass(frozen=True)
class Target:
    """How good an answer must be before its time counts.

    An answer reaches the target when its objective exceeds the best objective of the run by at most
    ``tolerance`` and, where the case has a certificate, the certificate is at most ``limit``.

    Parameters
    ----------
    objective : ``objective(data, fitted) -> float``, lower is better, of the order of one.
    objective_name : what it is, in words.
    tolerance : largest excess over the best objective.
    certificate : ``certificate(data, fitted) -> float``, zero at the exact answer.
    certificate_name : what it is, in words.
    limit : largest certificate.
    """

    objective: Callable[[Any, Any], float]
    objective_name: str
    tolerance: float
    certificate: Callable[[Any, Any], float] | None = None
    certificate_name: str = ""
    limit: float = 0.0

    def certified(self, value: float | None) -> bool:
        """Whether a certificate (``None``: the case has none) is good enough."""
        return self.certificate is None or (value is not None and value <= self.limit)


@dataclass(frozen=True)
class Case:
    """A model and the data it is fitted to, at several sizes.

    Parameters
    ----------
    name : unique, in lower case with hyphens; what ``--only`` matches.
    description : one or two sentences for the page.
    make_data : ``make_data(**size.parameters) -> data``, the same every time.
    sizes : in increasing order of work.
    contestants : exactly one of them is ours.
    target : the answer everyone must reach.
    required_ratio : how many times as fast as the best binding peer without a ratio of its own we
        must be, if it is asked.
    required_memory : largest ratio of our extra memory to that peer's, if it is asked.
    required_seconds : longest time allowed, if it is asked.
    warm_up : parameters of a tiny data set that loads libraries and starts threads.
    max_rounds : most timed rounds; a case that takes a minute needs no more than a couple.
    whole_command : the fit is a process of its own: no full-size warm-up, no memory child.
    """

    name: str
    description: str
    make_data: Callable[..., Any]
    sizes: tuple[Size, ...]
    contestants: tuple[Contestant, ...]
    target: Target
    required_ratio: float | None = None
    required_memory: float | None = None
    required_seconds: float | None = None
    warm_up: Mapping[str, Any] = field(default_factory=dict)
    max_rounds: int = 1000
    whole_command: bool = False

    def size(self, label: str) -> Size:
        """The size of that label."""
        return next(size for size in self.sizes if size.label == label)

    def contestant(self, name: str) -> Contestant:
        """The contestant of that name."""
        return next(contestant for contestant in self.contestants if contestant.name == name)
