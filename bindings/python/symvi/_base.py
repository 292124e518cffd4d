"""What the classifier and the regressor have in common."""
from __future__ import annotations

import os
import sys
from typing import List, Tuple, Union

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._results import Evidence, PosteriorSample

try:  # scikit-learn >= 1.6
    from sklearn.utils.validation import validate_data
except ImportError:

    def validate_data(estimator, *args, **kwargs):
        return estimator._validate_data(*args, **kwargs)


# The library keeps float64; it converts float32 by itself.
DTYPES = (np.float64, np.float32)


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


class BayesianMLP(BaseEstimator):
    """What classifier and regressor have in common."""

    def __init__(
        self,
        hidden_layer_sizes=(30,),
        activation="relu",
        *,
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
        self.hidden_layer_sizes = hidden_layer_sizes
        self.activation = activation
        self.n_members = n_members
        self.prior_std = prior_std
        self.learn_prior = learn_prior
        self.initial_std = initial_std
        self.symmetrize = symmetrize
        self.max_iter = max_iter
        self.batch_size = batch_size
        self.step_size = step_size
        self.kl_weight = kl_weight
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
        for found in ("temperature_", "variance_factor_"):
            if hasattr(self, found):
                delattr(self, found)
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

    @property
    def priors_(self) -> List[Tuple[float, float]]:
        """Prior standard deviations of every layer: weights and biases."""
        if not hasattr(self, "_model"):
            raise AttributeError("priors_")
        return self._model.priors()

    # Predictions.

    def _held(self, X, y):
        """Points that were held back, and their targets."""
        check_is_fitted(self, "_model")
        X, y = validate_data(
            self, X, y, dtype=DTYPES, multi_output=True, reset=False
        )
        return X, self._targets(y)

    def _points(self, X) -> np.ndarray:
        check_is_fitted(self, "_model")
        return validate_data(self, X, dtype=DTYPES, reset=False)

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
        X, targets = self._held(X, y)
        seed = self._draw_seed(random_state)
        report = self._model.evidence(X, targets, n_draws, seed)
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

    def align(self, other: "BayesianMLP") -> List[np.ndarray]:
        """Renumber the hidden units to match those of another estimator.

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

        What `calibrate` found is not written.

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
            n_members=spec["n_members"],
            prior_std=spec["prior_std"] or None,
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


PARAMETERS = """
    Parameters
    ----------
    hidden_layer_sizes : int or tuple of int, default=(30,)
        Units of the hidden layers; () for a linear model.
    activation : {"relu", "tanh", "sigmoid", "leaky_relu", "elu", "softplus", \
"gelu"}, default="relu"
        Activation function of the hidden layers.%s
    n_members : int, default=1
        Independent fits whose mixture is the model: an ensemble.
    prior_std : float, default=None
        Standard deviation of the prior of every weight.  None, here and below,
        takes what symvi_bnn and C++ take: 1 for a regression, and for a
        classification one that falls with the number of inputs of a layer.
    learn_prior : bool, default=False
        Whether to set the prior of every layer's weights and of its biases to
        its optimum as training goes on.
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
    kl_weight : float, default=None
        Weight of the KL divergence.  1 maximises the bound; less makes a
        classifier more certain.  None takes 0.1 for a classification and 1 for
        a regression.
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
    priors_ : list of tuple
        Standard deviations of the prior of every layer: of the weights and of
        the biases.
    n_iter_ : int
        Epochs that were run, of all members together.
    n_features_in_ : int
        Number of features seen by `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where `fit` saw a frame with names.
"""
