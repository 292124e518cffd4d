"""The estimators.  All numerics are in the compiled library."""
from __future__ import annotations

import os
from typing import Sequence, Tuple, Union

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from . import _core
from ._base import DTYPES, PARAMETERS, BayesianMLP, validate_data
from ._results import Uncertainty


class BayesianMLPClassifier(ClassifierMixin, BayesianMLP):
    __doc__ = (
        """A multi-layer perceptron with a posterior over its weights.

    Inputs are standardised inside.  Probabilities are averages over networks
    that are drawn from the posterior.
"""
        + PARAMETERS % ""
        + """\
    classes_ : ndarray of shape (n_classes,)
        Labels, in the order of the probabilities.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from symvi import BayesianMLPClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> classifier = BayesianMLPClassifier(random_state=1).fit(X, y)
    >>> classifier.predict(X[:3])
    array([0, 0, 0])
    """
    )

    _task = "classification"

    def fit(self, X, y) -> "BayesianMLPClassifier":
        """Train.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        y : array-like of shape (n_samples,)
            Labels: numbers or text.

        Returns
        -------
        self
        """
        X, y = validate_data(
            self, X, y, dtype=DTYPES, ensure_min_samples=2, multi_output=True
        )
        check_classification_targets(y)
        y = column_or_1d(y, warn=True)
        self.classes_, numbers = np.unique(y, return_inverse=True)
        return self._fit(X, numbers, [str(name) for name in self.classes_])

    def _targets(self, y) -> np.ndarray:
        numbers = {name: i for i, name in enumerate(self.classes_.tolist())}
        try:
            y = column_or_1d(y, warn=True).tolist()
            return np.array([numbers[name] for name in y])
        except KeyError as error:
            raise ValueError(
                f"y must hold labels of classes_, but holds {error}."
            ) from None

    def predict(self, X) -> np.ndarray:
        """The most probable labels.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        probabilities = self.predict_proba(X)
        return self.classes_[probabilities.argmax(axis=1)]

    def predict_proba(self, X) -> np.ndarray:
        """Probabilities of the classes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In the order of `classes_`.
        """
        X = self._points(X)
        prediction = self._model.classify(X, self.n_draws, self._temperature)
        return prediction["probabilities"]

    def predict_log_proba(self, X) -> np.ndarray:
        """Logarithms of `predict_proba`."""
        return np.log(self.predict_proba(X))

    def uncertainty(self, X) -> Uncertainty:
        """Entropies of the predictions and where they come from.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.

        Returns
        -------
        Uncertainty
            ``total``, ``aleatoric`` and ``epistemic`` (the mutual information
            between label and weights), each of shape (n_samples,), in nats.
            They are those before `calibrate`.
        """
        X = self._points(X)
        prediction = self._model.classify(X, self.n_draws, 1.0)
        return Uncertainty(
            prediction["entropy"].ravel(),
            prediction["expected_entropy"].ravel(),
            prediction["mutual_information"].ravel(),
        )

    @property
    def _temperature(self) -> float:
        return getattr(self, "temperature_", 1.0)

    def calibrate(self, X, y) -> "BayesianMLPClassifier":
        """Find the temperature of the probabilities that suits held-back points.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points that were not trained on.
        y : array-like of shape (n_samples,)
            Their labels.

        Returns
        -------
        self
            With ``temperature_``, which later predictions use.
        """
        X, y = self._held(X, y)
        self.temperature_ = self._model.temperature(X, y, self.n_draws)
        return self

    def predict_set(self, X, X_held, y_held, level: float = 0.95) -> np.ndarray:
        """Split-conformal sets: they hold the label with a given probability,
        whatever the model, on average over points and over held-back points.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        X_held, y_held : array-like
            Points that served nothing else, and their labels.
        level : float, default=0.95
            The probability.

        Returns
        -------
        ndarray of bool of shape (n_samples, n_classes)
            Which classes are in the set, in the order of `classes_`.
        """
        X_held, y_held = self._held(X_held, y_held)
        return self._model.conformal_set(
            self._points(X),
            X_held,
            y_held,
            self.n_draws,
            self._temperature,
            level,
        ).astype(bool)

    @classmethod
    def _from_model(cls, model, spec, **parameters):
        estimator = super()._from_model(model, spec, **parameters)
        names = np.array(model.names)
        for kind in (int, float):
            try:
                names = names.astype(kind)
                break
            except ValueError:
                pass
        estimator.classes_ = names
        return estimator


class BayesianMLPRegressor(RegressorMixin, BayesianMLP):
    __doc__ = (
        """A regression by a perceptron with a posterior over its weights.

    Inputs and responses are standardised inside; what goes in and comes out is
    in the units of the data.  The predictive distribution is a mixture of
    Gaussians, one for each network that is drawn from the posterior.
"""
        + PARAMETERS
        % """
    noise : {"heteroscedastic", "learned"} or float, default=None
        Noise of the responses: a function of the input, one level, or the given
        standard deviation."""
        + """
    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from symvi import BayesianMLPRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> regressor = BayesianMLPRegressor(random_state=1).fit(X, y)
    >>> mean, std = regressor.predict(X[:3], return_std=True)
    """
    )

    _task = "regression"

    def __init__(
        self,
        hidden_layer_sizes=(30,),
        activation="relu",
        *,
        noise=None,
        n_members=1,
        prior_std=None,
        learn_prior=False,
        initial_std=None,
        symmetrize=True,
        max_iter=None,
        batch_size=None,
        step_size=None,
        kl_weight=None,
        validation_fraction=0.0,
        n_iter_no_change=None,
        time_limit=None,
        n_draws=1000,
        random_state=None,
        verbose=False,
    ):
        super().__init__(
            hidden_layer_sizes,
            activation,
            n_members=n_members,
            prior_std=prior_std,
            learn_prior=learn_prior,
            initial_std=initial_std,
            symmetrize=symmetrize,
            max_iter=max_iter,
            batch_size=batch_size,
            step_size=step_size,
            kl_weight=kl_weight,
            validation_fraction=validation_fraction,
            n_iter_no_change=n_iter_no_change,
            time_limit=time_limit,
            n_draws=n_draws,
            random_state=random_state,
            verbose=verbose,
        )
        self.noise = noise

    def _parameters(self) -> dict:
        parameters = super()._parameters()
        if not (self.noise is None or isinstance(self.noise, str)):
            parameters.update(noise="fixed", noise_std=self.noise)
        return parameters

    def fit(self, X, y) -> "BayesianMLPRegressor":
        """Train.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Responses.

        Returns
        -------
        self
        """
        X, y = validate_data(
            self,
            X,
            y,
            dtype=DTYPES,
            ensure_min_samples=2,
            multi_output=True,
            y_numeric=True,
        )
        self._flat = y.ndim == 1
        return self._fit(X, self._targets(y), [])

    def _targets(self, y) -> np.ndarray:
        return np.asarray(y, dtype=np.float64).reshape(len(y), -1)

    def _shaped(self, values: np.ndarray) -> np.ndarray:
        return values.ravel() if self._flat else values

    def _regress(
        self, X, interval: float = 0.0, quantiles: Sequence[float] = ()
    ) -> dict:
        X = self._points(X)
        return self._model.regress(
            X,
            self.n_draws,
            interval,
            list(quantiles),
            getattr(self, "variance_factor_", 1.0),
        )

    def predict(
        self, X, return_std: bool = False
    ) -> Union[np.ndarray, Tuple[np.ndarray, np.ndarray]]:
        """Expected responses.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        return_std : bool, default=False
            Whether to return the standard deviation of the predictive
            distribution as well, noise included.

        Returns
        -------
        mean : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        std : ndarray of the same shape
            Only if `return_std`.
        """
        prediction = self._regress(X)
        mean = self._shaped(prediction["mean"])
        if not return_std:
            return mean
        variance = (
            prediction["epistemic_variance"] + prediction["aleatoric_variance"]
        )
        return mean, self._shaped(np.sqrt(variance))

    def calibrate(self, X, y) -> "BayesianMLPRegressor":
        """Find the factor of the variances that suits held-back points.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points that were not trained on.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Their responses.

        Returns
        -------
        self
            With ``variance_factor_``, which later predictions use.
        """
        X, y = self._held(X, y)
        self.variance_factor_ = self._model.variance_factor(X, y, self.n_draws)
        return self

    def predict_interval(
        self, X, level: float = 0.95, *, X_held=None, y_held=None
    ) -> Tuple[np.ndarray, np.ndarray]:
        """Central intervals that hold a response with the given probability.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        level : float, default=0.95
            The probability.
        X_held, y_held : array-like, default=None
            Points that served nothing else, and their responses: the intervals
            are then split-conformal ones, which hold a response with that
            probability whatever the model.

        Returns
        -------
        lower, upper : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        """
        if not 0.0 < level < 1.0:
            raise ValueError(f"level must lie in (0, 1), but is {level}.")
        if X_held is not None:
            X_held, y_held = self._held(X_held, y_held)
            lower, upper = self._model.conformal_interval(
                self._points(X), X_held, y_held, self.n_draws, level
            )
            return self._shaped(lower), self._shaped(upper)
        prediction = self._regress(X, interval=level)
        lower, upper = prediction["lower"], prediction["upper"]
        return self._shaped(lower), self._shaped(upper)

    def predict_quantiles(
        self, X, quantiles: Sequence[float] = (0.05, 0.5, 0.95)
    ) -> np.ndarray:
        """Quantiles of the predictive distribution.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        quantiles : sequence of float, default=(0.05, 0.5, 0.95)
            Levels, each in (0, 1).

        Returns
        -------
        ndarray of shape (n_samples, n_quantiles) or \
(n_samples, n_outputs, n_quantiles)
        """
        prediction = self._regress(X, quantiles=quantiles)
        values = [self._shaped(level) for level in prediction["quantiles"]]
        return np.stack(values, axis=-1)

    def uncertainty(self, X) -> Uncertainty:
        """Variances of the predictions and where they come from.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.

        Returns
        -------
        Uncertainty
            ``total``, ``aleatoric`` (noise) and ``epistemic`` (disagreement of
            the draws), each a variance for every response.
        """
        prediction = self._regress(X)
        aleatoric = self._shaped(prediction["aleatoric_variance"])
        epistemic = self._shaped(prediction["epistemic_variance"])
        return Uncertainty(aleatoric + epistemic, aleatoric, epistemic)

    @classmethod
    def _from_model(cls, model, spec, **parameters):
        noise = spec["noise_std"] if spec["noise"] == "fixed" else spec["noise"]
        estimator = super()._from_model(model, spec, noise=noise, **parameters)
        estimator._flat = spec["outputs"] == 1
        return estimator

    def _more_tags(self):  # scikit-learn < 1.6
        return {"multioutput": True}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.single_output = True
        tags.target_tags.multi_output = True
        return tags


def load(
    path: Union[str, os.PathLike]
) -> Union[BayesianMLPClassifier, BayesianMLPRegressor]:
    """The estimator that fits a model file.

    Parameters
    ----------
    path : str or path
        Written by ``save``, by ``symvi_bnn`` or by ``symvi::Pipeline``.

    Returns
    -------
    BayesianMLPClassifier or BayesianMLPRegressor
    """
    model = _core.Model.load(os.fspath(path))
    spec = model.spec()
    for kind in (BayesianMLPClassifier, BayesianMLPRegressor):
        if kind._task == spec["task"]:
            return kind._from_model(model, spec)
    raise AssertionError(spec["task"])
