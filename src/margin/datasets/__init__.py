"""Data with known truth: worked examples, generators, and the built-in tables.

``load_*`` functions return fixed tables and networks, ``make_*`` functions generate data from a
law that comes along with them. All return a :class:`sklearn.utils.Bunch`.
"""

from margin.datasets._ads import make_ad_replay
from margin.datasets._alice import both_boys_given_boy_on_day, load_alice_children
from margin.datasets._boolean import load_boolean
from margin.datasets._builtin import DEFAULT_BUILTIN, builtin, builtin_names
from margin.datasets._burglary import load_burglary
from margin.datasets._cars import make_cars
from margin.datasets._chains import make_chimpanzee, make_weather
from margin.datasets._cholera import make_farr_cholera, make_snow_cholera
from margin.datasets._gridworld import load_cliff_walk, load_grid_maze
from margin.datasets._linear_truth import make_linear_regression, make_logistic
from margin.datasets._maze_walk import load_maze_walk
from margin.datasets._missing import make_missing
from margin.datasets._mixed import MIXED_SCALES, make_mixed_table
from margin.datasets._network import make_network_samples
from margin.datasets._parking import make_parking
from margin.datasets._parking_features import parking_features
from margin.datasets._rings import make_disc_concept, make_gaussian_ring, make_rings
from margin.datasets._scales import SCALES, Scale, is_invariant
from margin.datasets._sequence_tasks import make_abac, make_delayed_copy, make_first_symbol
from margin.datasets._simpson import load_berkeley, load_kidney_stones
from margin.datasets._small_networks import load_d_separation, load_flu, load_rain
from margin.datasets._smileys import make_smileys
from margin.datasets._smoking import load_smoking
from margin.datasets._tosses import (
    load_coin_tosses,
    load_dice_rolls,
    make_coin_tosses,
    make_dice_rolls,
)
from margin.datasets._unfaithful import make_unfaithful_sem

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
