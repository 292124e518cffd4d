"""The estimators.  All numerics are in the compiled library."""
from __future__ import annotations

import os
import sys
from typing import List, NamedTuple, Sequence, Tuple, Union

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d

from . import _core

try:  # scikit-learn >= 1.6
    from sklearn.utils.validation import validate_data
except ImportError:

    def validate_data(estimator, *args, **kwargs):
        return estimator._validate_data(*args, **kwargs)


# The library keeps float64; it converts float32 by itself.
_DTYPES = (np.float64, np.float32)


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


class _Progress:
    """A line that is written over in a terminal or notebook, else new lines."""

    def __init__(self, name: str):
        self.name = name
        self.rewrites = sys.stdout.isatty() or "ipykernel" in sys.modules
        self.shown = -1

    def __call__(self, epoch, planned, elbo, validation):
        percent = 100 * epoch // planned
        last = epoch == planned
        if not self.rewrites and percent // 10 == self.shown and not last:
            return
        self.shown = percent // 10
        text = f"{self.name}: epoch {epoch} of {planned}, ELBO {elbo:.6g}"
        if validation == validation:
            text += f", held-out NLL {validation:.5g}"
        end = "\n" if last or not self.rewrites else ""
        print("\r" * self.rewrites + text.ljust(70), end=end, flush=True)


class _BayesianMLP(BaseEstimator):
    """What classifier and regressor have in common."""

    def __init__(
        self,
        hidden_layer_sizes=(30,),
        activation="relu",
        *,
        prior_std=None,
        initial_std=None,
        symmetrize=True,
        max_iter=None,
        batch_size=None,
        step_size=None,
        validation_fraction=0.0,
        n_iter_no_change=None,
        time_limit=None,
        n_draws=1000,
        random_state=None,
        verbose=False,
    ):
        self.hidden_layer_sizes = hidden_layer_sizes
        self.activation = activation
        self.prior_std = prior_std
        self.initial_std = initial_std
        self.symmetrize = symmetrize
        self.max_iter = max_iter
        self.batch_size = batch_size
        self.step_size = step_size
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.time_limit = time_limit
        self.n_draws = n_draws
        self.random_state = random_state
        self.verbose = verbose

    # Training.

    def _parameters(self) -> dict:
        """The library's own, of the constructor's."""
        parameters = self.get_params(deep=False)
        sizes = np.atleast_1d(self.hidden_layer_sizes)
        parameters["hidden_layer_sizes"] = list(sizes)
        return parameters

    def _seed(self) -> int:
        """An int is the seed of symvi_bnn and C++, where 0 stands for any."""
        if isinstance(self.random_state, (int, np.integer)):
            return int(self.random_state) or 2**32
        return int(check_random_state(self.random_state).randint(1, 2**31 - 1))

    def _fit(self, X, targets, names: List[str]):
        parameters = self._parameters()
        model = _core.Model(self._task, parameters)
        features = getattr(self, "feature_names_in_", [])
        progress = _Progress(type(self).__name__) if self.verbose else None
        interrupt = None
        try:
            model.fit(
                X,
                targets,
                names,
                [str(name) for name in features],
                self._seed(),
                parameters,
                progress,
            )
        except BaseException as error:
            if not model.is_fitted:
                raise
            interrupt = error  # Ctrl-C leaves what was trained so far.
        self._model = model
        history = self.history_
        self.n_iter_ = len(history["epoch"])
        if interrupt is None:
            # About as many likelihoods as a few hundred steps compute.
            report = model.elbo(X, targets, min(100, max(2, 20000 // len(X))))
            self.elbo_ = report["elbo"]
        else:
            # Those could take more than a second: what the last epoch saw.
            report = model.elbo(X[:1], targets[:1], 2)
            last = {key: np.append(np.nan, history[key])[-1] for key in history}
            self.elbo_ = last["elbo"] - last["information"]
        self.symmetrized_elbo_ = self.elbo_ + report["information"]
        self.symmetry_group_ = report["group"]
        if interrupt is not None:
            raise interrupt
        return self

    @property
    def history_(self) -> dict:
        """dict of ndarray: ``epoch``, ``elbo``, ``log_likelihood``, ``kl``,
        ``information`` and ``validation_nll`` of every epoch."""
        if not hasattr(self, "_model"):
            raise AttributeError("history_")
        return self._model.history()

    # Predictions.

    def _points(self, X) -> np.ndarray:
        check_is_fitted(self, "_model")
        return validate_data(self, X, dtype=_DTYPES, reset=False)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_model")

    # The posterior.

    def _draw_seed(self, random_state) -> int:
        if random_state is None:
            return self._model.seed
        return int(check_random_state(random_state).randint(1, 2**31 - 1))

    def evidence(
        self, X, y, n_draws: int = 1000, random_state=None
    ) -> Evidence:
        """A bound on the log-evidence log p(y | X) by importance sampling.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points: those of `fit`, because other points are not what the
            posterior was trained on.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Their labels or responses.
        n_draws : int, default=1000
            Weight draws.
        random_state : int, RandomState instance or None, default=None
            None takes the seed of `fit`.

        Returns
        -------
        Evidence
            The bound in nats, its standard error and a diagnostic.
        """
        check_is_fitted(self, "_model")
        X, y = validate_data(
            self, X, y, dtype=_DTYPES, multi_output=True, reset=False
        )
        seed = self._draw_seed(random_state)
        report = self._model.evidence(X, self._targets(y), n_draws, seed)
        return Evidence(**report)

    def sample_posterior(
        self, n: int = 1, random_state=None
    ) -> PosteriorSample:
        """Draw networks from the posterior.

        Parameters
        ----------
        n : int, default=1
            Number of draws.
        random_state : int, RandomState instance or None, default=None
            None gives the draws that the predictions average.

        Returns
        -------
        PosteriorSample
            Lists ``coefs`` and ``intercepts``, one array per layer.
        """
        check_is_fitted(self, "_model")
        layers = self._model.weights(n, self._draw_seed(random_state))
        return PosteriorSample(
            [layer[:, :-1] for layer in layers],
            [layer[:, -1] for layer in layers],
        )

    def align(self, other: "_BayesianMLP") -> List[np.ndarray]:
        """Renumber the hidden units after those of another estimator.

        The weights come as close as possible to the other's; predictions stay
        what they are.

        Parameters
        ----------
        other : estimator
            A fitted one of the same layers.

        Returns
        -------
        list of ndarray
            For each hidden layer: where each of its units went.
        """
        check_is_fitted(self, "_model")
        check_is_fitted(other, "_model")
        images = self._model.align(other._model)
        return [np.asarray(image) for image in images]

    # Files.

    def save(self, path: Union[str, os.PathLike]) -> None:
        """Write the model to a file that ``symvi_bnn`` and C++ read, too.

        Parameters
        ----------
        path : str or path
            The file; it is replaced by a complete one or not at all.
        """
        check_is_fitted(self, "_model")
        self._model.save(os.fspath(path))

    @classmethod
    def load(cls, path: Union[str, os.PathLike]):
        """An estimator with the model of a file.

        Parameters
        ----------
        path : str or path
            Written by `save`, by ``symvi_bnn`` or by ``symvi::Pipeline``.

        Returns
        -------
        estimator
            Fitted.  Class names that are all numbers become numbers.
        """
        path = os.fspath(path)
        model = _core.Model.load(path)
        spec = model.spec()
        if spec["task"] != cls._task:
            raise ValueError(
                f"'{path}' is a model for {spec['task']}, not for {cls._task}."
            )
        return cls._from_model(model, spec)

    @classmethod
    def _from_model(cls, model, spec: dict, **parameters):
        estimator = cls(
            hidden_layer_sizes=tuple(spec["hidden"]),
            activation=spec["activation"],
            prior_std=spec["prior_std"],
            initial_std=spec["initial_std"],
            symmetrize=spec["symmetrize"],
            **parameters,
        )
        estimator._model = model
        estimator.n_features_in_ = spec["inputs"]
        if model.features:
            estimator.feature_names_in_ = np.array(model.features, dtype=object)
        estimator.n_iter_ = len(estimator.history_["epoch"])
        return estimator

    def to_onnx(
        self,
        path: Union[str, os.PathLike],
        mode: str = "ensemble",
        *,
        n_draws: int = 32,
        members: bool = False,
    ) -> None:
        """Write the posterior, with its scaling, as an ONNX file.

        Parameters
        ----------
        path : str or path
            The file.
        mode : {"mean", "ensemble", "sampling", "noise"}, default="ensemble"
            What becomes of the posterior, see docs/onnx.md.
        n_draws : int, default=32
            Weight draws of an ensemble.
        members : bool, default=False
            Whether there is an output of what every draw predicts.
        """
        check_is_fitted(self, "_model")
        try:
            from . import _onnx
        except ImportError as error:
            raise NotImplementedError(
                f"symvi was built without ONNX, or cannot load it ({error})."
            ) from error
        content = self._model.__getstate__()
        _onnx.export(content, os.fspath(path), mode, n_draws, members)


_PARAMETERS = """
    Parameters
    ----------
    hidden_layer_sizes : int or tuple of int, default=(30,)
        Units of the hidden layers; () for a linear model.
    activation : {"relu", "tanh", "sigmoid", "leaky_relu", "elu", "softplus", \
"gelu"}, default="relu"
        Activation function of the hidden layers.%s
    prior_std : float, default=None
        Standard deviation of the prior of every weight.  None, here and below,
        takes what symvi_bnn and C++ take.
    initial_std : float, default=None
        Where the posterior standard deviations start.
    symmetrize : bool, default=True
        Whether to maximise the symmetrized ELBO rather than the plain one.
    max_iter : int, default=None
        Passes over the data; None chooses by the number of points.
    batch_size : int, default=None
        Points per step.
    step_size : float, default=None
        Step size of Adam, the largest of the schedule.
    validation_fraction : float, default=0.0
        Fraction of the points that is held out to choose the best epoch, and to
        stop early.
    n_iter_no_change : int, default=None
        Epochs without a better score on the held-out points before training
        stops; 0 never stops early.
    time_limit : float, default=None
        Seconds after which training ends.
    n_draws : int, default=1000
        Weight draws that a prediction averages.
    random_state : int, RandomState instance or None, default=None
        Fixes initial weights, order of the points and all draws.  An int is the
        ``--seed`` of symvi_bnn.
    verbose : bool, default=False
        Whether to show progress.

    Attributes
    ----------
    elbo_ : float
        ELBO of the training data, in nats.
    symmetrized_elbo_ : float
        The same with the symmetry of the hidden units, a tighter bound on the
        evidence.
    symmetry_group_ : str
        The symmetry that it counts: permutations (S) of the units of each
        hidden layer, signed ones (B) for odd activations; "S_30".
    history_ : dict of ndarray
        ``epoch``, ``elbo``, ``log_likelihood``, ``kl``, ``information`` and
        ``validation_nll`` of every epoch.
    n_iter_ : int
        Epochs that were run.
    n_features_in_ : int
        Number of features seen by `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where `fit` saw a frame with names.
"""


class BayesianMLPClassifier(ClassifierMixin, _BayesianMLP):
    __doc__ = (
        """A multi-layer perceptron with a posterior over its weights.

    Inputs are standardised inside.  Probabilities are averages over networks
    that are drawn from the posterior.
"""
        + _PARAMETERS % ""
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
            self, X, y, dtype=_DTYPES, ensure_min_samples=2, multi_output=True
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
        return self._model.classify(X, self.n_draws)["probabilities"]

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
        """
        X = self._points(X)
        prediction = self._model.classify(X, self.n_draws)
        return Uncertainty(
            prediction["entropy"].ravel(),
            prediction["expected_entropy"].ravel(),
            prediction["mutual_information"].ravel(),
        )

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


class BayesianMLPRegressor(RegressorMixin, _BayesianMLP):
    __doc__ = (
        """A regression by a perceptron with a posterior over its weights.

    Inputs and responses are standardised inside; what goes in and comes out is
    in the units of the data.  The predictive distribution is a mixture of
    Gaussians, one for each network that is drawn from the posterior.
"""
        + _PARAMETERS
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
        prior_std=None,
        initial_std=None,
        symmetrize=True,
        max_iter=None,
        batch_size=None,
        step_size=None,
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
            prior_std=prior_std,
            initial_std=initial_std,
            symmetrize=symmetrize,
            max_iter=max_iter,
            batch_size=batch_size,
            step_size=step_size,
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
            dtype=_DTYPES,
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
        return self._model.regress(X, self.n_draws, interval, list(quantiles))

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

    def predict_interval(
        self, X, level: float = 0.95
    ) -> Tuple[np.ndarray, np.ndarray]:
        """Central intervals that hold a response with the given probability.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Points.
        level : float, default=0.95
            The probability.

        Returns
        -------
        lower, upper : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        """
        if not 0.0 < level < 1.0:
            raise ValueError(f"level must lie in (0, 1), but is {level}.")
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
