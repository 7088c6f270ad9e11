"""The spectrum kernel of strings."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from margin.core import check
from margin.kernels._base import Floats
from margin.kernels.algebra._normalised import Normalised
from margin.kernels.parts._bags import Bags
from margin.kernels.parts._engines import BagKernel
from margin.kernels.parts._symbols import Symbols, symbols_of, windows


@dataclass(frozen=True)
class Spectrum(BagKernel):
    r"""Strings are alike if they hold the same substrings of ``k`` symbols (kernels.28).

    .. math:: k(s, t) = \sum_{|u| = k} \#_u(s)\, \#_u(t),

    where :math:`\#_u(s)` counts the places at which the ``k`` consecutive symbols ``u`` stand in
    ``s``. Strings, or sequences of any hashable symbols; a string is the sequence of its
    characters. What is shorter than ``k`` has no features: its kernel is zero with everything.

    Parameters
    ----------
    k : int
        Length of the substrings.
    normalise : bool
        Divide by the norms, as :func:`normalise` does, so that long strings do not dominate.

    Notes
    -----
    Time linear in the total length, plus the scalar products of the counts. Substrings are
    numbered exactly, never hashed, for any ``k`` and any alphabet.

    References
    ----------
    Leslie, Eskin, Noble: The spectrum kernel. Pacific Symposium on Biocomputing 2002.

    Examples
    --------
    >>> Spectrum(2)(["GATTACA", "TACATTA"])
    array([[6., 6.],
           [6., 8.]])
    >>> Spectrum(3)(["GATTACA"], ["TACATTA"])
    array([[4.]])
    """

    k: int = 3
    normalise: bool = False
    input: ClassVar[str] = "strings"

    def __post_init__(self) -> None:
        check.params(self, count="k", flag="normalise")

    def __call__(self, X: Any, Z: Any = None, *, n_threads: int | None = None) -> Floats:
        """Matrix of ``k(x, z)``, of shape ``(n, m)``; with one argument exactly symmetric."""
        if self.normalise:
            return Normalised(replace(self, normalise=False))(X, Z, n_threads=n_threads)
        return super().__call__(X, Z, n_threads=n_threads)

    def diag(self, X: Any) -> Floats:
        """``k(x, x)`` for every string, of shape ``(n,)``."""
        if self.normalise:
            return Normalised(replace(self, normalise=False)).diag(X)
        return super().diag(X)

    def _pack(self, X: Any, Z: Any) -> tuple[Symbols, int]:
        return symbols_of(self, X, Z)

    def _bags(self, packed: Symbols, n_threads: int) -> Bags:
        return Bags.of(*windows(packed, int(self.k)))
