"""Data with known truth: worked examples, generators, and the built-in tables.

``load_*`` functions return fixed tables and networks, ``make_*`` functions generate data from a
law that comes along with them. All return a :class:`sklearn.utils.Bunch`; that of a network holds
the :class:`~margin.graphical.BayesianNetwork` itself as ``network``, beside its tables.
"""

from margin.core import publish
from margin.datasets._tosses import (
    load_coin_tosses,
    load_dice_rolls,
    make_coin_tosses,
    make_dice_rolls,
)
from margin.datasets.networks._ads import make_ad_replay
from margin.datasets.networks._alice import both_boys_given_boy_on_day, load_alice_children
from margin.datasets.networks._burglary import load_burglary
from margin.datasets.networks._cholera import make_farr_cholera, make_snow_cholera
from margin.datasets.networks._network import make_network_samples
from margin.datasets.networks._small_networks import load_d_separation, load_flu, load_rain
from margin.datasets.networks._smoking import load_smoking
from margin.datasets.networks._unfaithful import make_unfaithful_sem
from margin.datasets.tables._boolean import load_boolean
from margin.datasets.tables._builtin import DEFAULT_BUILTIN, builtin, builtin_names
from margin.datasets.tables._cars import make_cars
from margin.datasets.tables._linear_truth import make_linear_regression, make_logistic
from margin.datasets.tables._missing import make_missing
from margin.datasets.tables._mixed import MIXED_SCALES, make_mixed_table
from margin.datasets.tables._parking import make_parking
from margin.datasets.tables._parking_features import parking_features
from margin.datasets.tables._rings import make_disc_concept, make_gaussian_ring, make_rings
from margin.datasets.tables._scales import SCALES, Scale, is_invariant
from margin.datasets.tables._simpson import load_berkeley, load_kidney_stones
from margin.datasets.tables._smileys import make_smileys
from margin.datasets.worlds._chains import make_chimpanzee, make_weather
from margin.datasets.worlds._gridworld import load_cliff_walk, load_grid_maze
from margin.datasets.worlds._maze_walk import load_maze_walk
from margin.datasets.worlds._sequence_tasks import make_abac, make_delayed_copy, make_first_symbol

__all__ = [
    "DEFAULT_BUILTIN",
    "MIXED_SCALES",
    "SCALES",
    "Scale",
    "both_boys_given_boy_on_day",
    "builtin",
    "builtin_names",
    "is_invariant",
    "load_alice_children",
    "load_berkeley",
    "load_boolean",
    "load_burglary",
    "load_cliff_walk",
    "load_coin_tosses",
    "load_d_separation",
    "load_dice_rolls",
    "load_flu",
    "load_grid_maze",
    "load_kidney_stones",
    "load_maze_walk",
    "load_rain",
    "load_smoking",
    "make_abac",
    "make_ad_replay",
    "make_cars",
    "make_chimpanzee",
    "make_coin_tosses",
    "make_delayed_copy",
    "make_dice_rolls",
    "make_disc_concept",
    "make_farr_cholera",
    "make_first_symbol",
    "make_gaussian_ring",
    "make_linear_regression",
    "make_logistic",
    "make_missing",
    "make_mixed_table",
    "make_network_samples",
    "make_parking",
    "make_rings",
    "make_smileys",
    "make_snow_cholera",
    "make_unfaithful_sem",
    "make_weather",
    "parking_features",
]

publish(__name__)
