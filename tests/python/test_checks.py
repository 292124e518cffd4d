"""scikit-learn's own checks of estimators, and where estimators go."""
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV, calibration_curve
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.ensemble import VotingClassifier
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.multioutput import MultiOutputClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from symvi import BayesianMLPClassifier, BayesianMLPRegressor

# Short runs: the checks train hundreds of models, and what they look at does
# not depend on how well.  (All pass with the defaults, too.)
ESTIMATORS = [
    BayesianMLPClassifier(max_iter=150, n_draws=100),
    BayesianMLPRegressor(max_iter=150, n_draws=100),
]


@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def quick(**parameters):
    return BayesianMLPClassifier(
        max_iter=100, n_draws=100, random_state=1, **parameters
    )


def test_pipeline_and_grid_search():
    X, y = load_iris(return_X_y=True)
    pipeline = make_pipeline(StandardScaler(), PolynomialFeatures(2), quick())
    grid = {"bayesianmlpclassifier__hidden_layer_sizes": [(), (5,), (8, 8)]}
    search = GridSearchCV(pipeline, grid, cv=3, n_jobs=2).fit(X, y)
    assert search.best_score_ > 0.9
    assert search.predict(X).shape == y.shape


def test_cross_validation_does_not_depend_on_jobs():
    X, y = load_iris(return_X_y=True)
    alone = cross_val_score(quick(), X, y, scoring="neg_log_loss")
    for n_jobs in (1, 2):
        jobs = cross_val_score(
            quick(), X, y, scoring="neg_log_loss", n_jobs=n_jobs
        )
        np.testing.assert_array_equal(jobs, alone)


def test_calibration_and_voting():
    X, y = load_breast_cancer(return_X_y=True)
    calibrated = CalibratedClassifierCV(quick(), cv=3).fit(X, y)
    truth, predicted = calibration_curve(
        y, calibrated.predict_proba(X)[:, 1], n_bins=5
    )
    assert truth.shape == predicted.shape
    voting = VotingClassifier([("a", quick()), ("b", quick())], voting="soft")
    assert voting.fit(X, y).score(X, y) > 0.95
    several = MultiOutputClassifier(quick()).fit(X[:100], np.c_[y, 1 - y][:100])
    assert several.predict(X).shape == (len(X), 2)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_clones_and_pickles(estimator):
    X, y = load_diabetes(return_X_y=True)
    y = np.where(y > 140, "high", "low") if hasattr(estimator, "predict_proba") else y
    first = clone(estimator).set_params(random_state=3).fit(X, y)
    second = clone(first).fit(X, y)
    copy = pickle.loads(pickle.dumps(first))
    np.testing.assert_array_equal(first.predict(X), second.predict(X))
    np.testing.assert_array_equal(first.predict(X), copy.predict(X))
    assert copy.elbo_ == first.elbo_
    np.testing.assert_array_equal(copy.history_["elbo"], first.history_["elbo"])
    assert copy.get_params() == first.get_params()
