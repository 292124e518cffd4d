"""Model files, which C++ and the command line share, and ONNX."""
import os
import subprocess

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris

import symvi
from symvi import BayesianMLPClassifier, BayesianMLPRegressor

PROGRAMS = os.environ.get("SYMVI_PROGRAMS")
needs_programs = pytest.mark.skipif(
    PROGRAMS is None, reason="the command-line programs were not built"
)


def bnn(*arguments):
    subprocess.run(
        [os.path.join(PROGRAMS, "symvi_bnn"), *map(str, arguments)], check=True
    )


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True)
    return X, np.array(["setosa", "versicolor", "virginica"])[y]


def classifier(**parameters):
    return BayesianMLPClassifier(max_iter=40, random_state=4, **parameters)


def test_round_trip(tmp_path, iris):
    X, y = iris
    fitted = classifier(hidden_layer_sizes=(7, 3), activation="tanh").fit(X, y)
    fitted.save(tmp_path / "model.bin")
    loaded = BayesianMLPClassifier.load(tmp_path / "model.bin")
    assert loaded.hidden_layer_sizes == (7, 3) and loaded.activation == "tanh"
    np.testing.assert_array_equal(loaded.classes_, fitted.classes_)
    np.testing.assert_array_equal(
        loaded.predict_proba(X), fitted.predict_proba(X)
    )
    assert loaded.n_iter_ == 40
    assert isinstance(symvi.load(tmp_path / "model.bin"), BayesianMLPClassifier)
    with pytest.raises(ValueError, match="is a model for classification"):
        BayesianMLPRegressor.load(tmp_path / "model.bin")


def test_regressors_and_names(tmp_path):
    pandas = pytest.importorskip("pandas")
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    fitted = BayesianMLPRegressor(max_iter=5, noise=50.0).fit(X, y)
    fitted.save(str(tmp_path / "model.bin"))
    loaded = symvi.load(str(tmp_path / "model.bin"))
    assert loaded.noise == 50.0
    assert list(loaded.feature_names_in_) == list(X.columns)
    np.testing.assert_array_equal(loaded.predict(X), fitted.predict(X))
    np.testing.assert_equal(loaded.evidence(X, y), fitted.evidence(X, y))
    assert isinstance(X, pandas.DataFrame)


def test_numbers_as_classes_come_back(tmp_path, iris):
    X, _ = iris
    for classes in ([3, 5], [1.0, 2.0], ["a", "b"]):
        y = np.array(classes)[(X[:, 2] > 3).astype(int)]
        classifier().fit(X, y).save(tmp_path / "model.bin")
        loaded = symvi.load(tmp_path / "model.bin")
        np.testing.assert_array_equal(loaded.classes_, np.unique(y))
        assert np.isfinite(loaded.evidence(X, y).bound)
        assert loaded.classes_.dtype.kind == y.dtype.kind


def test_bad_files(tmp_path, iris):
    with pytest.raises(ValueError, match="none.bin.*No such file"):
        symvi.load(tmp_path / "none.bin")
    (tmp_path / "bad.bin").write_bytes(b"symvi model 2\n")
    with pytest.raises(ValueError, match="bad.bin' is truncated"):
        symvi.load(tmp_path / "bad.bin")
    with pytest.raises(OSError, match="missing"):
        classifier().fit(*iris).save(tmp_path / "missing" / "model.bin")


@needs_programs
def test_the_command_line_trains_the_same_model(tmp_path, iris):
    X, y = iris
    table = tmp_path / "iris.csv"
    lines = [",".join(map(repr, row.tolist())) for row in X]
    table.write_text("".join(f"{a},{b}\n" for a, b in zip(lines, y)))
    points = tmp_path / "points.csv"
    points.write_text("\n".join(lines) + "\n")
    bnn("--training_file", table, "--task", "classification", "--epochs", 40,
        "--seed", 4, "-M", tmp_path / "cli.bin")
    fitted = classifier().fit(X, y)
    fitted.save(tmp_path / "python.bin")
    loaded = symvi.load(tmp_path / "cli.bin")
    np.testing.assert_array_equal(
        loaded.predict_proba(X), fitted.predict_proba(X)
    )

    bnn("-m", tmp_path / "python.bin", "--test_file", points,
        "--probabilities_file", tmp_path / "p.csv")
    written = np.genfromtxt(tmp_path / "p.csv", delimiter=",")
    written = written[~np.isnan(written).any(axis=1)]
    np.testing.assert_allclose(written, fitted.predict_proba(X), rtol=1e-9)


def test_onnx(tmp_path, iris):
    pytest.importorskip("symvi._onnx", reason="built without ONNX")
    X, y = iris
    fitted = classifier().fit(X, y)
    sizes = []
    for mode in ("mean", "ensemble", "sampling", "noise"):
        path = tmp_path / f"{mode}.onnx"
        fitted.to_onnx(path, mode, n_draws=8)
        sizes.append(path.stat().st_size)
        assert b"versicolor" in path.read_bytes()
    assert sizes[1] > sizes[0]
    with pytest.raises(ValueError, match="'median'"):
        fitted.to_onnx(tmp_path / "x.onnx", "median")
    with pytest.raises(OSError):
        fitted.to_onnx(tmp_path / "missing" / "x.onnx")
