"""The wheel, in an empty virtual environment."""
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import numpy as np, symvi
from sklearn.datasets import load_iris
assert symvi.__file__.startswith(%r), symvi.__file__
X, y = load_iris(return_X_y=True)
clf = symvi.BayesianMLPClassifier(max_iter=50, random_state=1).fit(X, y)
assert clf.score(X, y) > 0.9
print(symvi.__version__)
"""


def run(*command):
    environment = {
        name: value for name, value in os.environ.items() if name != "PYTHONPATH"
    }
    return subprocess.run(
        [str(word) for word in command],
        env=environment,
        check=True,
        cwd="/",
        stdout=subprocess.PIPE,
        text=True,
    ).stdout


def test_wheel(tmp_path):
    options = "--system-site-packages", "--without-pip"
    run(sys.executable, "-m", "venv", *options, tmp_path / "venv")
    python = tmp_path / "venv" / "bin" / "python"
    # What CTest has built; without it the backend would build for minutes.
    run(
        *(python, "-m", "pip", "install", "--no-index", "--quiet", ROOT),
        f"--config-settings=build-dir={os.environ['SYMVI_BUILD']}",
    )
    version = run(python, "-c", PROGRAM % str(tmp_path)).strip()
    listed = run(python, "-m", "pip", "show", "symvi")
    assert f"Version: {version}\n" in listed
    run(python, "-m", "pip", "uninstall", "--yes", "--quiet", "symvi")
    assert not list((tmp_path / "venv").rglob("symvi"))
