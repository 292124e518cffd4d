"""Bayesian neural networks as scikit-learn estimators.

>>> from symvi import BayesianMLPClassifier
>>> classifier = BayesianMLPClassifier(random_state=1).fit(X, y)
>>> classifier.predict_proba(X_test), classifier.uncertainty(X_test)
"""
from ._core import __version__
from ._estimators import BayesianMLPClassifier, BayesianMLPRegressor, load
from ._results import Evidence, PosteriorSample, Uncertainty

__all__ = [
    "BayesianMLPClassifier",
    "BayesianMLPRegressor",
    "Evidence",
    "PosteriorSample",
    "Uncertainty",
    "__version__",
    "load",
]
