"""Ctrl-C, the GIL, and fits in several threads."""
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from joblib import Parallel, delayed

from symvi import BayesianMLPClassifier, BayesianMLPRegressor

RANDOM = np.random.RandomState(0)
X = RANDOM.normal(size=(400, 5))
y = (X[:, 0] * X[:, 1] > 0).astype(int)


def fit(seed, **parameters):
    parameters = {"max_iter": 100, "n_draws": 100, **parameters}
    return BayesianMLPClassifier(random_state=seed, **parameters).fit(X, y)


def test_ctrl_c_stops_within_a_second():
    estimator = BayesianMLPClassifier(max_iter=10**8, random_state=1)
    sent = []

    def interrupt():
        time.sleep(1)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        estimator.fit(X, y)
    stopped = time.monotonic()
    thread.join()
    assert stopped - sent[0] < 1
    # What was trained so far is there, and a new fit starts afresh.
    assert estimator.predict(X).shape == y.shape
    last = {name: values[-1] for name, values in estimator.history_.items()}
    assert estimator.elbo_ == last["elbo"] - last["information"]
    assert estimator.elbo_ <= estimator.symmetrized_elbo_ < 0
    assert estimator.symmetry_group_ == "S_30"
    estimator.set_params(max_iter=100, n_draws=100).fit(X, y)
    np.testing.assert_array_equal(
        estimator.predict_proba(X), fit(1).predict_proba(X)
    )


def test_ctrl_c_while_progress_is_shown():
    program = (
        "import numpy as np, symvi\n"
        "X = np.random.RandomState(0).normal(size=(100, 3))\n"
        "print('ready', flush=True)\n"
        "e = symvi.BayesianMLPRegressor(max_iter=10**8, verbose=True)\n"
        "try:\n    e.fit(X, X[:, 0])\n"
        "except KeyboardInterrupt:\n    print('\\nstopped', e.n_iter_ > 0)\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout.readline() == "ready\n"
    time.sleep(1.5)
    child.send_signal(signal.SIGINT)
    output, _ = child.communicate(timeout=20)
    assert output.endswith("stopped True\n")
    assert child.returncode == 0


def test_python_runs_while_a_fit_does():
    counted = [0]
    done = threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    start = time.monotonic()
    fit(1, max_iter=2000)
    seconds = time.monotonic() - start
    done.set()
    thread.join()
    # A fit that held the GIL would not let it in at all.
    assert counted[0] > 5 * seconds


def test_fits_in_threads_are_those_alone():
    predict = lambda seed: fit(seed).predict_proba(X)
    alone = [predict(seed) for seed in range(1, 5)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(predict, range(1, 5)))
    for a, b in zip(alone, together):
        np.testing.assert_array_equal(a, b)


def test_predictions_in_threads_are_those_alone():
    estimator = fit(1)
    regressor = BayesianMLPRegressor(max_iter=50).fit(X, X[:, 0])
    alone = estimator.predict_proba(X), regressor.predict(X)
    with ThreadPoolExecutor(4) as pool:
        together = list(
            pool.map(
                lambda _: (estimator.predict_proba(X), regressor.predict(X)),
                range(8),
            )
        )
    for p, mean in together:
        np.testing.assert_array_equal(p, alone[0])
        np.testing.assert_array_equal(mean, alone[1])


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_joblib(backend):
    alone = [fit(seed).elbo_ for seed in (1, 2, 3)]
    with Parallel(n_jobs=2, backend=backend) as parallel:
        models = parallel(delayed(fit)(seed) for seed in (1, 2, 3))
    assert [model.elbo_ for model in models] == alone


def test_threads_of_numpy_are_left_as_they_were():
    threadpoolctl = pytest.importorskip("threadpoolctl")
    threads = lambda: [
        pool["num_threads"] for pool in threadpoolctl.threadpool_info()
    ]
    with threadpoolctl.threadpool_limits(2):
        before = threads()
        estimator = fit(1)
        big = np.zeros((3000, 5))
        estimator.predict_proba(big)
        assert threads() == before


def test_a_fit_uses_one_processor():
    before = os.times()
    fit(1, max_iter=1000)
    after = os.times()
    processor = after.user + after.system - before.user - before.system
    assert processor < 1.3 * (after.elapsed - before.elapsed)
