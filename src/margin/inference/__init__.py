"""Inference on plain arrays: factor models, EM, normal approximations, state-space filters."""

from margin.core import publish
from margin.inference._errors import MemoryLimitError, UnattainableError, ZeroProbabilityError
from margin.inference._factor import Factor, dependence
from margin.inference._model import FactorModel
from margin.inference._pointwise import error_bars, pointwise_best
from margin.inference._semiring import (
    BOOLEAN,
    COUNTING,
    LOG_SUM,
    MAX_PRODUCT,
    MIN_SUM,
    SUM_PRODUCT,
    KBest,
    Semiring,
    axiom_violation,
)
from margin.inference.approximate._loopy import Beliefs, loopy_bp
from margin.inference.approximate._mean_field import mean_field
from margin.inference.approximate._pairwise import PairBeliefs, grid_edges, pairwise_bp
from margin.inference.approximate._tree_reweighted import edge_appearance, tree_reweighted
from margin.inference.approximate._variational import (
    VariationalPosterior,
    monte_carlo_bound,
    variational_inference,
)
from margin.inference.centres._k_means import k_means
from margin.inference.centres._lloyd import Lloyd, means
from margin.inference.centres._rows import (
    DenseRows,
    Rows,
    SparseRows,
    nearest_labels,
    pass_over,
    rows_near,
    rows_of,
)
from margin.inference.chains._checkpoints import (
    Piece,
    Swept,
    chain_filter_last,
    chain_smooth_pieces,
)
from margin.inference.chains._decoding import chain_decode, chain_k_best, chain_viterbi
from margin.inference.chains._draws import chain_sample, chain_walk
from margin.inference.chains._long_run import LongRun, hitting_times, long_run, mixing_time
from margin.inference.chains._messages import (
    SmoothedChain,
    chain_correct,
    chain_filter,
    chain_log_likelihood,
    chain_pairs,
    chain_predict,
    chain_smooth,
)
from margin.inference.chains._online import ChainFilter
from margin.inference.em._anderson import Anderson
from margin.inference.em._annealing import annealed_em
from margin.inference.em._assignments import (
    Assignment,
    Drawn,
    Hard,
    Shares,
    Soft,
    Tempered,
    Truncated,
)
from margin.inference.em._evidence import EvidenceParts, evidence_parts
from margin.inference.em._expectation_maximisation import expectation_maximisation
from margin.inference.em._measures import Gain, LargestChange, Measure, RelativeGain
from margin.inference.em._online import OnlineState, OnlineSteps, StepSize
from margin.inference.em._point import Expectation, Point, Repaired
from margin.inference.em._squarem import Squarem
from margin.inference.em._variational_bayes import variational_bayes
from margin.inference.exact._clique_graph import CliqueGraph
from margin.inference.exact._conditioning import Conditioned, loop_cut_conditioning, loop_cutset
from margin.inference.exact._eliminate import Elimination, Operations, eliminate, naive_operations
from margin.inference.exact._enumeration import Enumeration, enumerate_model
from margin.inference.exact._junction_tree import JunctionTree
from margin.inference.exact._plan import Plan
from margin.inference.exact._propagation import Propagation
from margin.inference.exact._soft_evidence import fit_soft, jeffrey, soft_likelihoods
from margin.inference.exact._transfer import transfer
from margin.inference.exact._tree_messages import TreeBeliefs, sum_product
from margin.inference.filters._forecast import (
    Forecast,
    forecast,
    forecast_paths,
    simulate,
)
from margin.inference.filters._kalman import (
    KalmanFiltered,
    kalman_filter,
    kalman_log_likelihood,
)
from margin.inference.filters._linear_system import LinearSystem
from margin.inference.filters._matern_system import matern_system
from margin.inference.filters._nonlinear import (
    NonlinearSystem,
    extended_filter,
    unscented_filter,
)
from margin.inference.filters._particle import ParticleFiltered, particle_filter
from margin.inference.filters._smoother import (
    NoiseSlopes,
    SmoothedStates,
    kalman_smoother,
    noise_slopes,
)
from margin.inference.filters._steady_state import (
    SteadyState,
    stationary_covariance,
    steady_state,
)
from margin.inference.filters._update_forms import filter_by_form, kalman_update
from margin.inference.gaussian._expectation_propagation import (
    MatchedMoments,
    Sites,
    expectation_propagation,
)
from margin.inference.gaussian._laplace import LaplaceMode, laplace
from margin.inference.gaussian._likelihoods import (
    Likelihood,
    LogisticLikelihood,
    ProbitLikelihood,
)
from margin.inference.gaussian._posterior import PosteriorApproximation, laplace_approximation
from margin.inference.gaussian._softmax_laplace import SoftmaxMode, softmax_laplace
from margin.inference.sampling._chains import Chains
from margin.inference.sampling._conditionals import sample_gibbs
from margin.inference.sampling._diagnostics import autocorrelation, effective_size, r_hat
from margin.inference.sampling._gibbs import gibbs
from margin.inference.sampling._hamiltonian import sample_hmc, sample_nuts
from margin.inference.sampling._independent import (
    WeightedDraws,
    sample_importance,
    sample_rejection,
)
from margin.inference.sampling._metropolis import detailed_balance_violation, sample_metropolis
from margin.inference.sampling._samples import Samples
from margin.inference.sampling._swendsen_wang import swendsen_wang
from margin.inference.sampling._weighting import importance_sampling, likelihood_weighting
from margin.inference.state_space._filter import (
    MaternDirection,
    MeanBasis,
    Whitened,
    matern_log_evidence,
    matern_whiten,
)
from margin.inference.state_space._series import MaternSum, Series
from margin.inference.state_space._smoother import Smoothed, matern_smoother

__all__ = [
    "BOOLEAN",
    "COUNTING",
    "LOG_SUM",
    "MAX_PRODUCT",
    "MIN_SUM",
    "SUM_PRODUCT",
    "Anderson",
    "Assignment",
    "Beliefs",
    "ChainFilter",
    "Chains",
    "CliqueGraph",
    "Conditioned",
    "DenseRows",
    "Drawn",
    "Elimination",
    "Enumeration",
    "EvidenceParts",
    "Expectation",
    "Factor",
    "FactorModel",
    "Forecast",
    "Gain",
    "Hard",
    "JunctionTree",
    "KBest",
    "KalmanFiltered",
    "LaplaceMode",
    "LargestChange",
    "Likelihood",
    "LinearSystem",
    "Lloyd",
    "LogisticLikelihood",
    "LongRun",
    "MatchedMoments",
    "MaternDirection",
    "MaternSum",
    "MeanBasis",
    "Measure",
    "MemoryLimitError",
    "NoiseSlopes",
    "NonlinearSystem",
    "OnlineState",
    "OnlineSteps",
    "Operations",
    "PairBeliefs",
    "ParticleFiltered",
    "Piece",
    "Plan",
    "Point",
    "PosteriorApproximation",
    "ProbitLikelihood",
    "Propagation",
    "RelativeGain",
    "Repaired",
    "Rows",
    "Samples",
    "Semiring",
    "Series",
    "Shares",
    "Sites",
    "Smoothed",
    "SmoothedChain",
    "SmoothedStates",
    "Soft",
    "SoftmaxMode",
    "SparseRows",
    "Squarem",
    "SteadyState",
    "StepSize",
    "Swept",
    "Tempered",
    "TreeBeliefs",
    "Truncated",
    "UnattainableError",
    "VariationalPosterior",
    "WeightedDraws",
    "Whitened",
    "ZeroProbabilityError",
    "annealed_em",
    "autocorrelation",
    "axiom_violation",
    "chain_correct",
    "chain_decode",
    "chain_filter",
    "chain_filter_last",
    "chain_k_best",
    "chain_log_likelihood",
    "chain_pairs",
    "chain_predict",
    "chain_sample",
    "chain_smooth",
    "chain_smooth_pieces",
    "chain_viterbi",
    "chain_walk",
    "dependence",
    "detailed_balance_violation",
    "edge_appearance",
    "effective_size",
    "eliminate",
    "enumerate_model",
    "error_bars",
    "evidence_parts",
    "expectation_maximisation",
    "expectation_propagation",
    "extended_filter",
    "filter_by_form",
    "fit_soft",
    "forecast",
    "forecast_paths",
    "gibbs",
    "grid_edges",
    "hitting_times",
    "importance_sampling",
    "jeffrey",
    "k_means",
    "kalman_filter",
    "kalman_log_likelihood",
    "kalman_smoother",
    "kalman_update",
    "laplace",
    "laplace_approximation",
    "likelihood_weighting",
    "long_run",
    "loop_cut_conditioning",
    "loop_cutset",
    "loopy_bp",
    "matern_log_evidence",
    "matern_smoother",
    "matern_system",
    "matern_whiten",
    "mean_field",
    "means",
    "mixing_time",
    "monte_carlo_bound",
    "naive_operations",
    "nearest_labels",
    "noise_slopes",
    "pairwise_bp",
    "particle_filter",
    "pass_over",
    "pointwise_best",
    "r_hat",
    "rows_near",
    "rows_of",
    "sample_gibbs",
    "sample_hmc",
    "sample_importance",
    "sample_metropolis",
    "sample_nuts",
    "sample_rejection",
    "simulate",
    "soft_likelihoods",
    "softmax_laplace",
    "stationary_covariance",
    "steady_state",
    "sum_product",
    "swendsen_wang",
    "transfer",
    "tree_reweighted",
    "unscented_filter",
    "variational_bayes",
    "variational_inference",
]

publish(__name__)
