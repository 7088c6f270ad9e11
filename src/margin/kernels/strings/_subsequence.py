"""The gappy subsequence kernel of strings."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

from margin.core import check
from margin.kernels._base import Floats
from margin.kernels.parts._engines import PairKernel
from margin.kernels.parts._symbols import Symbols, symbols_of
from margin.native.kernels import string_kernels


@dataclass(frozen=True)
class Subsequence(PairKernel):
    r"""Strings are alike if they share subsequences, gaps allowed at a price (kernels.28).

    .. math:: k(s, t) = \sum_{|u| = n} \sum_{\mathbf i:\, s[\mathbf i] = u}
        \sum_{\mathbf j:\, t[\mathbf j] = u} \lambda^{\ell(\mathbf i) + \ell(\mathbf j)},

    where :math:`\ell(\mathbf i)` is the length of the stretch of the string that the indices span,
    gaps included. Strings, or sequences of any hashable symbols.

    Parameters
    ----------
    length : int
        Number ``n`` of symbols of the subsequences.
    decay : float
        :math:`\lambda`, above 0 and usually below 1: the price of every position spanned.

    Notes
    -----
    The dynamic programme of Lodhi et al.: time :math:`n |s| |t|` and memory :math:`n |t|` for each
    pair of strings.

    References
    ----------
    Lodhi, Saunders, Shawe-Taylor, Cristianini, Watkins: Text classification using string kernels.
    Journal of Machine Learning Research 2, 2002.

    Examples
    --------
    The strings share ``c…a`` and ``c…t`` and ``a…t`` as *cat*, only ``c…r`` as *car* does not:

    >>> K = Subsequence(2, 0.5)(["cat", "car"])
    >>> K == [[2 * 0.5**4 + 0.5**6, 0.5**4], [0.5**4, 2 * 0.5**4 + 0.5**6]]
    array([[ True,  True],
           [ True,  True]])
    """

    length: int = 2
    decay: float = 0.5
    hyper: ClassVar[tuple[str, ...]] = ("decay",)
    limits = MappingProxyType({"decay": (1e-3, 1.0)})
    input: ClassVar[str] = "strings"

    def __post_init__(self) -> None:
        check.params(self, count="length", positive="decay")
        super().__post_init__()

    def _pack(self, X: Any, Z: Any) -> tuple[Symbols, int]:
        return symbols_of(self, X, Z)

    def _sums(
        self, packed: Symbols, n: int, right_from: int, how: int, with_slope: bool, n_threads: int
    ) -> tuple[Floats, Floats | None]:
        left, right = packed.rows(0, n), packed.rows(right_from, len(packed))
        return string_kernels.subsequence_sums(
            left, right, int(self.length), self.decay, how, with_slope, n_threads
        )
