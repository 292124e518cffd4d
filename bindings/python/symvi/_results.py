"""What estimators return besides arrays."""
from __future__ import annotations

from typing import List, NamedTuple

import numpy as np


class Uncertainty(NamedTuple):
    """How uncertain predictions are; ``total = aleatoric + epistemic``.

    Entropies in nats for a classifier, variances in the squared units of the
    target for a regressor.

    Attributes
    ----------
    total : ndarray
        Of the predictive distribution.
    aleatoric : ndarray
        Noise in the data, which more data would not remove.
    epistemic : ndarray
        What the posterior does not know yet.
    """

    total: np.ndarray
    aleatoric: np.ndarray
    epistemic: np.ndarray


class Evidence(NamedTuple):
    """A bound on the log-evidence, and whether to trust it; see
    docs/evidence.md.

    Attributes
    ----------
    bound : float
        Importance-weighted bound on log p(y | X), in nats.  Its expectation is
        a lower bound, which grows with the number of draws.
    standard_error : float
        Of `bound`; NaN unless `is_good`.
    smoothed : float
        An estimate rather than a bound: the largest weights smoothed (PSIS).
        NaN where their tail cannot be fitted.
    pareto_k : float
        Shape of the tail of the weights; NaN for fewer than 25 draws.
    threshold : float
        What `pareto_k` should be less than.
    is_good : bool
        Whether it is, so that the mean of the weights has settled.
    effective_sample_size : float
        From 1 to the number of draws.
    """

    bound: float
    standard_error: float
    smoothed: float
    pareto_k: float
    threshold: float
    is_good: bool
    effective_sample_size: float


class PosteriorSample(NamedTuple):
    """Draws of the weights, in the layout of scikit-learn's MLP.

    They act on inputs of mean 0 and standard deviation 1.

    Attributes
    ----------
    coefs : list of ndarray of shape (n, n_in, n_out)
        Weights of every layer.
    intercepts : list of ndarray of shape (n, n_out)
        Biases of every layer.
    """

    coefs: List[np.ndarray]
    intercepts: List[np.ndarray]
