"""Penalties as immutable values: value, gradient or proximal step, and what they promise."""

from margin.penalties._base import Penalty
from margin.penalties._elastic_net import ElasticNet
from margin.penalties._l1 import L1
from margin.penalties._l2 import L2
from margin.penalties._zero import Zero

__all__ = ["L1", "L2", "ElasticNet", "Penalty", "Zero"]
