from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

__version__: str

class Model:
    """symvi::Ensemble; points and targets have one row per point."""

    def __init__(self, task: str, parameters: Dict[str, Any]) -> None: ...
    def fit(
        self,
        points: NDArray[Any],
        targets: NDArray[Any],
        names: Sequence[str],
        features: Sequence[str],
        seed: int,
        parameters: Dict[str, Any],
        progress: Optional[Callable[[int, int, float, float], None]],
    ) -> None: ...
    def classify(
        self, points: NDArray[Any], draws: int, temperature: float
    ) -> Dict[str, NDArray[np.float64]]: ...
    def temperature(
        self, points: NDArray[Any], labels: NDArray[Any], draws: int
    ) -> float: ...
    def conformal_set(
        self,
        points: NDArray[Any],
        held_points: NDArray[Any],
        held_labels: NDArray[Any],
        draws: int,
        temperature: float,
        coverage: float,
    ) -> NDArray[np.float64]: ...
    def variance_factor(
        self, points: NDArray[Any], responses: NDArray[Any], draws: int
    ) -> float: ...
    def conformal_interval(
        self,
        points: NDArray[Any],
        held_points: NDArray[Any],
        held_responses: NDArray[Any],
        draws: int,
        coverage: float,
    ) -> Tuple[NDArray[np.float64], NDArray[np.float64]]: ...
    def regress(
        self,
        points: NDArray[Any],
        draws: int,
        interval: float,
        quantiles: Sequence[float],
        factor: float,
    ) -> Dict[str, Any]: ...
    def elbo(
        self, points: NDArray[Any], targets: NDArray[Any], draws: int
    ) -> Dict[str, Any]: ...
    def evidence(
        self,
        points: NDArray[Any],
        targets: NDArray[Any],
        draws: int,
        seed: int,
    ) -> Dict[str, Any]: ...
    def weights(self, draws: int, seed: int) -> List[NDArray[np.float64]]: ...
    def priors(self) -> List[Tuple[float, float]]: ...
    def posterior(
        self, member: int = 0
    ) -> List[Tuple[NDArray[np.float64], NDArray[np.float64]]]: ...
    def align(self, other: "Model") -> List[List[int]]: ...
    def history(self) -> Dict[str, NDArray[np.float64]]: ...
    def spec(self) -> Dict[str, Any]: ...
    def save(self, path: str) -> None: ...
    @staticmethod
    def load(path: str) -> "Model": ...
    @property
    def is_fitted(self) -> bool: ...
    @property
    def names(self) -> List[str]: ...
    @property
    def features(self) -> List[str]: ...
    @property
    def seed(self) -> int: ...
    def __getstate__(self) -> bytes: ...
    def __setstate__(self, state: bytes) -> None: ...
