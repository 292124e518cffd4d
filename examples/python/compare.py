"""Bayesian networks beside scikit-learn's MLP and Gaussian process.

usage: compare.py [--quick] [picture.svg]

Prints scores on held-out points of scikit-learn's own data sets, and draws the
reliability of the classifiers and the intervals of the regressions where
matplotlib is installed.
"""
import sys
import warnings

import numpy as np
from sklearn.calibration import calibration_curve
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.metrics import accuracy_score, log_loss
from sklearn.model_selection import StratifiedKFold, cross_val_predict, train_test_split
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from symvi import BayesianMLPClassifier, BayesianMLPRegressor

warnings.simplefilter("ignore", ConvergenceWarning)
quick = "--quick" in sys.argv
epochs = 50 if quick else None

# %% A classifier, and how far its probabilities can be trusted.
X, y = load_breast_cancer(return_X_y=True)
folds = StratifiedKFold(3 if quick else 10, shuffle=True, random_state=0)
classifiers = {
    "symvi": BayesianMLPClassifier(max_iter=epochs, random_state=1),
    "MLPClassifier": make_pipeline(
        StandardScaler(), MLPClassifier((30,), max_iter=1000, random_state=1)
    ),
}
print("breast cancer   accuracy  log-loss  where 99 % sure")
predicted = {}
for name, classifier in classifiers.items():
    p = cross_val_predict(classifier, X, y, cv=folds, method="predict_proba")[:, 1]
    predicted[name] = p
    sure = np.maximum(p, 1 - p) > 0.99
    wrong = np.sum((p > 0.5)[sure] != y[sure])
    print(
        f"{name:15} {accuracy_score(y, p > 0.5):8.3f}  {log_loss(y, p):8.4f}"
        f"  {wrong} of {sure.sum()} wrong"
    )

# %% A regression: how good the mean, how honest the interval.
X, t = load_diabetes(return_X_y=True)
train, test, t_train, t_test = train_test_split(X, t, test_size=0.3, random_state=0)
kernel = ConstantKernel() * RBF(np.ones(X.shape[1])) + WhiteKernel()
regressors = {
    "symvi": BayesianMLPRegressor(max_iter=epochs, random_state=1),
    "Gaussian process": make_pipeline(
        StandardScaler(), GaussianProcessRegressor(kernel, normalize_y=True)
    ),
}
print("diabetes            RMSE    NLL  inside the 90 % interval")
for name, regressor in regressors.items():
    mean, std = regressor.fit(train, t_train).predict(test, return_std=True)
    z = (t_test - mean) / std
    nll = np.mean(0.5 * z**2 + np.log(std) + 0.5 * np.log(2 * np.pi))
    rmse = np.sqrt(np.mean((t_test - mean) ** 2))
    print(f"{name:17} {rmse:6.2f} {nll:6.3f}  {np.mean(abs(z) < 1.645):.1%}")

# %% One input, to look at: noise grows to the right, no points in the middle.
random = np.random.RandomState(0)
x = np.r_[random.uniform(-3, -1, 60), random.uniform(1, 3, 60)][:, None]
f = np.sin(2 * x[:, 0]) + 0.1 * (x[:, 0] + 3.5) * random.normal(size=120)
grid = np.linspace(-4, 4, 200)[:, None]
regressor = BayesianMLPRegressor(max_iter=epochs, random_state=1).fit(x, f)
lower, upper = regressor.predict_interval(grid, 0.9)

try:
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt
except ImportError:
    print("picture: skipped (python3-matplotlib is not installed)")
    sys.exit()

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4))
left.plot([0, 1], [0, 1], color="grey", linewidth=1)
for name, p in predicted.items():
    truth, mean = calibration_curve(y, p, n_bins=8, strategy="quantile")
    left.plot(mean, truth, marker="o", label=name)
left.set(xlabel="predicted probability", ylabel="frequency", title="breast cancer")
left.legend()
right.fill_between(grid[:, 0], lower, upper, alpha=0.3, label="90 % interval")
right.plot(grid, regressor.predict(grid), label="mean")
right.plot(x, f, ".", color="black", markersize=3)
right.set(title="BayesianMLPRegressor")
right.legend()
path = next((word for word in sys.argv[1:] if word != "--quick"), "compare.svg")
figure.savefig(path, bbox_inches="tight")
print("picture:", path)
