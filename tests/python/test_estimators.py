"""What the estimators predict, and what they say about it."""
import doctest
import pickle
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import train_test_split

from symvi import BayesianMLPClassifier, BayesianMLPRegressor, _estimators

ROOT = Path(__file__).resolve().parents[2]


QUICK = {"max_iter": 200, "n_draws": 200, "random_state": 1}


def classifier(**parameters):
    return BayesianMLPClassifier(**{**QUICK, **parameters})


def regressor(**parameters):
    return BayesianMLPRegressor(**{**QUICK, **parameters})


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


@pytest.fixture(scope="module")
def wave():
    random = np.random.RandomState(0)
    X = random.uniform(-2, 2, (300, 1))
    y = 100 + 20 * np.sin(2 * X[:, 0]) + 3 * random.normal(size=300)
    return X, y


def test_ensemble_is_the_mixture_of_its_members(iris, wave):
    X, y = iris
    three = classifier(n_members=3).fit(X, y)
    assert set(three.history_["member"]) == {0, 1, 2}
    assert three.n_iter_ == 3 * QUICK["max_iter"]
    first = classifier().fit(X, y)
    for (mean, std), (other, _) in zip(
        three._model.posterior(0), first._model.posterior()
    ):
        np.testing.assert_array_equal(mean, other)
    draws = three.sample_posterior(6)
    assert draws.coefs[0].shape[0] == 6
    p = three.predict_proba(X)
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    assert np.abs(p - first.predict_proba(X)).max() > 1e-3
    again = pickle.loads(pickle.dumps(three))
    np.testing.assert_array_equal(again.predict_proba(X), p)

    X, y = wave
    two = regressor(n_members=2, max_iter=100).fit(X, y)
    mean, std = two.predict(X, return_std=True)
    assert mean.shape == std.shape == y.shape
    assert two.score(X, y) > 0.5


def test_learned_priors(iris):
    X, y = iris
    fixed = classifier().fit(X, y)
    np.testing.assert_allclose(fixed.priors_[0], (1.0, 1.0))
    np.testing.assert_allclose(fixed.priors_[1], (4 / np.sqrt(30), 1.0))
    learned = classifier(learn_prior=True).fit(X, y)
    assert all(s > 0 for layer in learned.priors_ for s in layer)
    assert np.abs(np.subtract(learned.priors_, fixed.priors_)).min() > 1e-3
    assert learned.elbo_ > fixed.elbo_
    colder = classifier(kl_weight=0.01).fit(X, y)
    assert colder.elbo_ < fixed.elbo_


def test_calibration_on_held_back_points(iris, wave):
    X, y = iris
    rest, X_held, y_rest, y_held = train_test_split(X, y, random_state=0)
    fitted = classifier().fit(rest, y_rest)
    before = fitted.predict_proba(X_held)
    fitted.calibrate(X_held, y_held)
    powers = before ** (1 / fitted.temperature_)
    expected = powers / powers.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(fitted.predict_proba(X_held), expected)
    sets = fitted.predict_set(X, X_held, y_held, 0.9)
    assert sets.dtype == bool and sets.shape == (len(X), 3)
    assert sets[np.arange(len(y)), y].mean() > 0.85
    fitted.fit(rest, y_rest)
    assert not hasattr(fitted, "temperature_")

    X, y = wave
    rest, X_held, y_rest, y_held = train_test_split(X, y, random_state=0)
    fitted = regressor(max_iter=100).fit(rest, y_rest)
    mean, std = fitted.predict(X_held, return_std=True)
    fitted.calibrate(X_held, y_held)
    factor = np.mean(((y_held - mean) / std) ** 2)
    assert fitted.variance_factor_ == pytest.approx(factor)
    _, scaled = fitted.predict(X_held, return_std=True)
    np.testing.assert_allclose(scaled, std * np.sqrt(factor))
    lower, upper = fitted.predict_interval(
        X_held, 0.8, X_held=X_held, y_held=y_held
    )
    inside = np.mean((lower <= y_held) & (y_held <= upper))
    assert 0.8 <= inside <= 0.8 + 2 / len(y_held)


def test_classes_of_all_kinds(iris):
    X, y = iris
    reference = classifier().fit(X, y)
    for names in (
        np.array(["virginica", "setosa", "10"]),
        np.array(["10", "9", "1"]),
        np.array([2.0, -1.0, 7.0]),
        np.array([True, False, True])[:2],
        np.array(["ä", "β", "z"], dtype=object),
    ):
        used = y < len(names)
        labels = names[y[used]]
        fitted = classifier().fit(X[used], labels)
        np.testing.assert_array_equal(fitted.classes_, np.unique(names))
        assert fitted.predict(X).dtype == fitted.classes_.dtype
        assert fitted.score(X[used], labels) > 0.95
        # Columns follow classes_, whatever the names.
        order = np.searchsorted(fitted.classes_, names)
        assert np.corrcoef(
            fitted.predict_proba(X)[used, order[0]],
            reference.predict_proba(X)[used, 0],
        )[0, 1] > 0.99


def test_classifier_uncertainty(iris):
    X, y = iris
    fitted = classifier().fit(X, y)
    far = np.vstack([X, 100 * np.random.RandomState(0).normal(size=(50, 4))])
    p, u = fitted.predict_proba(far), fitted.uncertainty(far)
    np.testing.assert_allclose(p.sum(axis=1), 1)
    np.testing.assert_allclose(u.total, u.aleatoric + u.epistemic, atol=1e-12)
    np.testing.assert_allclose(
        u.total, -(p * np.log(np.maximum(p, 1e-300))).sum(axis=1), atol=1e-9
    )
    assert u.epistemic.min() >= 0
    assert u.epistemic.shape == (200,)
    with np.errstate(divide="ignore"):
        np.testing.assert_allclose(fitted.predict_log_proba(X), np.log(p[:150]))


def test_bounds_and_history(iris):
    X, y = iris
    fitted = classifier().fit(X, y)
    history = fitted.history_
    assert len(history["epoch"]) == fitted.n_iter_ == 200
    assert fitted.elbo_ <= fitted.symmetrized_elbo_ < 0
    # The last epochs saw nearly these weights.
    seen = history["elbo"][-20:]
    error = 5 * seen.std(ddof=1)
    assert abs(seen.mean() - fitted.symmetrized_elbo_) < error
    assert np.isnan(history["validation_nll"]).all()
    held = classifier(validation_fraction=0.2).fit(X, y)
    assert np.isfinite(held.history_["validation_nll"]).all()
    plain = classifier(symmetrize=False).fit(X, y)
    assert (plain.history_["information"] == 0).all()


def test_symmetry_groups(iris):
    X, y = iris
    group = lambda *arguments: BayesianMLPClassifier(
        *arguments, max_iter=1
    ).fit(X, y).symmetry_group_
    assert group((5, 4)) == "S_5 x S_4"
    assert group((5, 4), "tanh") == "B_5 x B_4"
    assert group(()) == "trivial"


def exact_evidence(X, y, prior, noise):
    """log p(y | X) of a linear model of standardised data."""
    scale = y.std(ddof=1)
    A = np.c_[(X - X.mean(axis=0)) / X.std(axis=0, ddof=1), np.ones(len(X))]
    t = (y - y.mean()) / scale
    covariance = (noise / scale) ** 2 * np.eye(len(y)) + prior**2 * A @ A.T
    return -0.5 * (
        t @ np.linalg.solve(covariance, t)
        + np.linalg.slogdet(2 * np.pi * covariance)[1]
    ) - len(y) * np.log(scale)


def test_evidence_of_a_linear_model_is_exact():
    random = np.random.RandomState(0)
    X = random.normal(size=(60, 2))
    X[:, 1] += 0.4 * X[:, 0]  # Correlated, so that q is not the posterior.
    y = 5 + X @ [3.0, -2.0] + 1.5 * random.normal(size=60)
    fitted = regressor(
        hidden_layer_sizes=(), noise=1.5, prior_std=0.7, max_iter=2000
    ).fit(X, y)
    exact = exact_evidence(X, y, 0.7, 1.5)
    report = fitted.evidence(X, y, n_draws=4000)
    assert report.is_good and report.pareto_k < report.threshold == 0.7
    # The mean of the weights is unbiased; its logarithm lacks half the
    # variance, which is far below the standard error.
    assert 0 < report.standard_error < 0.05
    assert abs(report.bound - exact) < 5 * report.standard_error
    assert abs(report.smoothed - exact) < 5 * report.standard_error
    assert 1000 < report.effective_sample_size < 4000
    # Without importance weights there is a gap.
    assert fitted.elbo_ < exact - 5 * report.standard_error
    assert fitted.evidence(X, y[:, None], 4000) == report
    other = fitted.evidence(X, y, 4000, random_state=5)
    assert other.bound != report.bound
    assert other == fitted.evidence(X, y, 4000, random_state=5)
    error = np.hypot(report.standard_error, other.standard_error)
    assert abs(other.bound - report.bound) < 5 * error


def test_evidence_of_a_classifier(iris):
    X, y = iris
    names = np.array(["virginica", "setosa", "10"])
    fitted = classifier(hidden_layer_sizes=4).fit(X, names[y])
    report = fitted.evidence(X, names[y])
    # 1000 draws gain on the mean of their logarithms (Jensen).
    assert fitted.symmetrized_elbo_ < report.bound < 0
    assert report.is_good == (report.pareto_k < report.threshold)
    assert np.isnan(report.standard_error) == (not report.is_good)
    assert 1 <= report.effective_sample_size <= 1000
    few = fitted.evidence(X, names[y], n_draws=20)
    assert np.isnan(few.pareto_k) and not few.is_good
    # One class alone has the same numbers, whatever the order of its points.
    X, y = X[y == 1], names[y[y == 1]]
    order = np.argsort(X[:, 0])
    part = fitted.evidence(X, y).bound
    assert fitted.evidence(X[order], y[order]).bound == pytest.approx(part)
    assert part > report.bound


def test_errors_of_evidence(iris, wave):
    X, y = iris
    with pytest.raises(NotFittedError):
        classifier().evidence(X, y)
    fitted = classifier(max_iter=1).fit(X, y)
    with pytest.raises(ValueError, match="labels of classes_.*holds 7"):
        fitted.evidence(X, np.where(y == 2, 7, y))
    with pytest.raises(ValueError, match="labels of classes_.*holds 'a'"):
        fitted.evidence(X, np.full(len(X), "a"))
    with pytest.raises(ValueError, match="inconsistent numbers"):
        fitted.evidence(X, y[:-1])
    with pytest.raises(ValueError, match="3 features"):
        fitted.evidence(X[:, :3], y)
    with pytest.raises(ValueError, match="positive, but is 0"):
        fitted.evidence(X, y, n_draws=0)
    X, y = wave
    with pytest.raises(ValueError, match="2 responses per point"):
        regressor(max_iter=1).fit(X, y).evidence(X, np.c_[y, y])


def test_regression_in_the_units_of_the_data(wave):
    X, y = wave
    fitted = regressor(max_iter=2000).fit(X, y)
    mean, std = fitted.predict(X, return_std=True)
    np.testing.assert_array_equal(mean, fitted.predict(X))
    assert fitted.score(X, y) > 0.9
    u = fitted.uncertainty(X)
    np.testing.assert_allclose(np.sqrt(u.total), std)
    # The noise has a standard deviation of 3; 300 points.
    assert 2 < np.sqrt(u.aleatoric.mean()) < 5
    lower, upper = fitted.predict_interval(X, 0.9)
    inside = np.mean((lower < y) & (y < upper))
    assert abs(inside - 0.9) < 5 * np.sqrt(0.9 * 0.1 / 300)
    quantiles = fitted.predict_quantiles(X, (0.05, 0.5, 0.95))
    np.testing.assert_allclose(quantiles[:, 0], lower)
    np.testing.assert_allclose(quantiles[:, 2], upper)
    assert (np.diff(quantiles, axis=1) > 0).all()


def test_fixed_noise_and_several_responses(wave):
    X, y = wave
    fixed = regressor(noise=3.0).fit(X, y)
    np.testing.assert_allclose(fixed.uncertainty(X).aleatoric, 9.0)
    several = regressor(noise="learned").fit(X, np.c_[y, -y])
    mean, std = several.predict(X, return_std=True)
    assert mean.shape == std.shape == (300, 2)
    assert several.predict_quantiles(X, [0.1, 0.9]).shape == (300, 2, 2)
    assert several.predict_interval(X)[0].shape == (300, 2)
    assert np.corrcoef(mean.T)[0, 1] < -0.9
    assert regressor().fit(X, y[:, None]).predict(X).shape == (300, 1)


def test_posterior_draws_are_those_of_the_predictions(wave):
    X, y = wave
    fitted = regressor(hidden_layer_sizes=(6, 5), activation="tanh").fit(X, y)
    sample = fitted.sample_posterior(fitted.n_draws)
    shapes = [w.shape[1:] for w in sample.coefs]
    assert shapes == [(1, 6), (6, 5), (5, 2)]
    hidden = np.broadcast_to((X - X.mean()) / X.std(ddof=1), (200, 300, 1))
    for w, b in zip(sample.coefs[:-1], sample.intercepts[:-1]):
        hidden = np.tanh(hidden @ w + b[:, None])
    output = hidden @ sample.coefs[-1] + sample.intercepts[-1][:, None]
    mean = y.mean() + y.std(ddof=1) * output[:, :, 0].mean(axis=0)
    np.testing.assert_allclose(mean, fitted.predict(X), rtol=1e-9)
    other = fitted.sample_posterior(3, random_state=5)
    assert not np.allclose(other.coefs[0], sample.coefs[0][:3])


def test_alignment(iris):
    X, y = iris
    one = classifier(hidden_layer_sizes=(6, 4)).fit(X, y)
    two = classifier(hidden_layer_sizes=(6, 4), random_state=2).fit(X, y)
    distance = lambda: sum(
        np.sum((a - b) ** 2)
        for (a, _), (b, _) in zip(
            one._model.posterior(), two._model.posterior()
        )
    )
    before, predicted = distance(), two.predict_proba(X)
    moved = two.align(one)
    for images, units in zip(moved, (6, 4)):
        assert sorted(images) == list(range(units))
    assert distance() < before
    np.testing.assert_allclose(two.predict_proba(X), predicted, atol=0.1)
    with pytest.raises(ValueError, match="AlignTo.*4 - 3 - 3"):
        two.align(classifier(hidden_layer_sizes=3).fit(X, y))


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_arrays_of_all_kinds(iris, dtype, order):
    X, y = iris
    X = np.round(X * 4)  # The same numbers in both precisions.
    expected = classifier().fit(X, y).predict_proba(X)
    given = np.array(X, dtype=dtype, order=order)
    given.setflags(write=False)
    fitted = classifier().fit(given, y)
    np.testing.assert_array_equal(fitted.predict_proba(given), expected)
    np.testing.assert_array_equal(given, X)
    padded = np.zeros((len(X), 8), dtype=dtype)
    padded[:, ::2] = X
    strided = fitted.predict_proba(padded[:, ::2])
    np.testing.assert_array_equal(strided, expected)


def test_predictions_own_their_memory(iris):
    X, y = iris
    fitted = classifier().fit(X, y)
    p = fitted.predict_proba(X)
    kept = p.copy()
    del fitted
    assert p.flags.c_contiguous and p.flags.writeable
    np.testing.assert_array_equal(p, kept)


def test_frames(iris):
    pandas = pytest.importorskip("pandas")
    X, y = iris
    frame = pandas.DataFrame(X, columns=["a", "b", "c", "d"])
    labels = pandas.Series(y).map({0: "s", 1: "c", 2: "v"})
    fitted = classifier().fit(frame, labels)
    assert list(fitted.feature_names_in_) == ["a", "b", "c", "d"]
    assert fitted.score(frame, labels) > 0.95
    with pytest.raises(ValueError, match="feature names"):
        fitted.predict(frame[["b", "a", "c", "d"]])


def test_seeds(iris):
    X, y = iris
    fit = lambda state: classifier(random_state=state).fit(X, y)
    first = fit(0)
    np.testing.assert_array_equal(
        first.predict_proba(X), fit(0).predict_proba(X)
    )
    assert fit(7)._model.seed == 7
    np.random.seed(3)
    seeds = [fit(None)._model.seed for _ in range(2)]
    assert len({first._model.seed, *seeds}) == 3
    np.random.seed(3)
    assert fit(None)._model.seed == seeds[0]


@pytest.mark.parametrize(
    "parameters, message",
    [
        ({"activation": "cosine"}, "activation.*'cosine'"),
        ({"prior_std": -1.0}, "priorStddev.*-1"),
        ({"hidden_layer_sizes": (0,)}, "0"),
        ({"hidden_layer_sizes": (2.5,)}, "hidden_layer_sizes must not be"),
        ({"max_iter": -3}, "max_iter must not be -3"),
        ({"batch_size": 1000}, "batch size.*150.*1000"),
        ({"step_size": float("nan")}, "step size"),
        ({"validation_fraction": 1.5}, "validation fraction.*225 of 150"),
        ({"n_draws": 0}, "samples must be positive"),
    ],
)
def test_errors_name_argument_and_value(iris, parameters, message):
    X, y = iris
    with pytest.raises(ValueError, match=message):
        classifier(**{"max_iter": 1, **parameters}).fit(X, y).predict(X)


def test_errors_of_data(iris):
    X, y = iris
    with pytest.raises(NotFittedError):
        classifier().predict(X)
    with pytest.raises(NotFittedError):
        classifier().save("never_written.bin")
    with pytest.raises(AttributeError):
        classifier().history_
    with pytest.raises(ValueError, match="only the class '1'"):
        classifier().fit(X, np.ones(len(X), dtype=int))
    with pytest.raises(ValueError, match="level must lie in"):
        regressor(max_iter=1).fit(X, y).predict_interval(X, 1.0)
    with pytest.raises(ValueError, match="quantiles must lie in"):
        regressor(max_iter=1).fit(X, y).predict_quantiles(X, [0.0])
    with pytest.raises(ValueError, match="diverged"):
        regressor(step_size=1e200, noise="learned", max_iter=20).fit(X, y)


def test_progress(iris, capsys):
    X, y = iris
    classifier(max_iter=50, verbose=True, validation_fraction=0.2).fit(X, y)
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].startswith("BayesianMLPClassifier: epoch 50 of 50, ELBO -")
    assert "held-out NLL" in lines[-1]
    classifier(max_iter=5).fit(X, y)
    assert capsys.readouterr().out == ""


def test_progress_in_a_terminal(iris, capsys, monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    classifier(max_iter=50, verbose=True).fit(*iris)
    output = capsys.readouterr().out
    assert output.count("\n") == 1 and output.endswith("\n")
    assert output.split("\r")[-1].startswith("BayesianMLPClassifier: epoch 50")


def test_predictions_are_better_than_guesses():
    X, y = load_diabetes(return_X_y=True)
    train, test, y_train, y_test = train_test_split(X, y, random_state=0)
    fitted = regressor(max_iter=500, time_limit=20).fit(train, y_train)
    assert fitted.score(test, y_test) > 0.25
    lower, upper = fitted.predict_interval(test, 0.8)
    n = len(y_test)
    inside = np.mean((lower < y_test) & (y_test < upper))
    assert abs(inside - 0.8) < 5 * np.sqrt(0.8 * 0.2 / n)


def test_documentation(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(
        "```python\n(.*?)```", (ROOT / "docs/python.md").read_text(), re.DOTALL
    )
    assert blocks
    for block in blocks:
        exec(block, {})
    assert float(capsys.readouterr().out.split()[0]) > 0.9
    result = doctest.testmod(_estimators)
    assert result.attempted > 5 and result.failed == 0
