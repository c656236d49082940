"""Routers that learn from texts or embeddings, with scikit-learn (extra `route`)."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.frontier.routing.router import Features
from assay.results.frontier_routing import FeatureKind

FloatArray = npt.NDArray[np.float64]
MISSING = (
    "routers on texts and embeddings need scikit-learn, which is not installed: run pip install "
    "'assay[route]', or choose a router without it (--router category)"
)
TERMS = 2**18
"""The number of hash values of words and pairs of words. Hashing needs no vocabulary from training texts."""
PARTS = 64
"""The most principal components of the features that linear models use."""
NEIGHBOURS = (64, 32, 16, 8, 4)
STRENGTHS = (0.3, 3.0, 30.0)
IGNORED = "features ignored"


def check_installed() -> None:
    """Raise InvalidInput, with the command that installs it, if scikit-learn is missing."""
    try:
        import_module("sklearn")
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] == "sklearn":
            raise InvalidInput(Problem(MISSING)) from None
        raise InvalidInput(Problem(f"scikit-learn cannot be imported: {error}")) from error


def counted_words(texts: Sequence[str]) -> Any:
    """Count each word and pair of words in each text. Returns a sparse matrix of shape (N, TERMS)."""
    check_installed()
    from sklearn.feature_extraction.text import HashingVectorizer

    hashing = HashingVectorizer(
        n_features=TERMS,
        ngram_range=(1, 2),
        token_pattern=r"(?u)\b\w+\b",
        alternate_sign=False,
        norm=None,
        strip_accents="unicode",
    )
    return hashing.transform(texts).tocsr()


@dataclass(frozen=True, slots=True)
class Neighbours:
    """A router to the model that was best on the k most similar training prompts, by cosine similarity."""

    kind: FeatureKind

    @property
    def name(self) -> str:
        """The router's name."""
        return f"neighbours, {self.kind}"

    @property
    def settings(self) -> tuple[str, ...]:
        """The settings: all training prompts (features ignored), then ever fewer neighbours."""
        return (IGNORED, *(f"k = {k}" for k in NEIGHBOURS))

    def predict(
        self, quality: FloatArray, seen: Features, unseen: Features, settings: Sequence[int]
    ) -> FloatArray:
        """Return the mean quality of the nearest prompts, or of all for a prompt without any feature."""
        from sklearn.neighbors import NearestNeighbors

        train, test = matrices(self.kind, seen, unseen)
        overall = quality.mean(axis=0)
        predicted = np.broadcast_to(overall, (len(settings), unseen.number, quality.shape[1])).copy()
        blank = ~_with_features(test)
        most = min(max(NEIGHBOURS), seen.number)
        if all(setting == 0 for setting in settings):
            return predicted
        nearest = NearestNeighbors(n_neighbors=most, metric="cosine", algorithm="brute").fit(train)
        order = nearest.kneighbors(test, return_distance=False)
        for row, setting in enumerate(settings):
            if setting > 0:
                means = quality[order[:, : min(NEIGHBOURS[setting - 1], most)]].mean(axis=1)
                predicted[row] = np.where(blank[:, None], overall, means)
        return predicted


@dataclass(frozen=True, slots=True)
class Linear:
    """A regression for each model's quality: logistic if quality is on 0-1, otherwise ridge."""

    kind: FeatureKind
    bounded: bool = True

    @property
    def name(self) -> str:
        """The router's name."""
        return f"{'logistic' if self.bounded else 'ridge'}, {self.kind}"

    @property
    def settings(self) -> tuple[str, ...]:
        """The settings: features ignored, then ever weaker regularisation."""
        return (IGNORED, *(f"C = {strength:g}" for strength in STRENGTHS))

    def predict(
        self, quality: FloatArray, seen: Features, unseen: Features, settings: Sequence[int]
    ) -> FloatArray:
        """Return the predicted quality, or the mean in training for a prompt without any feature."""
        overall = quality.mean(axis=0)
        predicted = np.broadcast_to(overall, (len(settings), unseen.number, quality.shape[1])).copy()
        if all(setting == 0 for setting in settings):
            return predicted
        train, test = matrices(self.kind, seen, unseen)
        has_features = _with_features(test)
        train, test = reduced(train, test)
        for row, setting in enumerate(settings):
            if setting > 0:
                fitted = self._fitted(train, test, quality, STRENGTHS[setting - 1])
                predicted[row] = np.where(has_features[:, None], fitted, overall)
        return predicted

    def _fitted(
        self, train: FloatArray, test: FloatArray, quality: FloatArray, strength: float
    ) -> FloatArray:
        predicted = np.tile(quality.mean(axis=0), (len(test), 1))
        for model in range(quality.shape[1]):
            target = quality[:, model]
            if np.isnan(target).any() or np.ptp(target) == 0.0:
                continue
            fit = _logistic if self.bounded else _ridge
            predicted[:, model] = fit(train, test, target, strength)
        return predicted


def _logistic(train: FloatArray, test: FloatArray, target: FloatArray, strength: float) -> FloatArray:
    """Fit a rate on 0-1: each prompt counts as right with weight `target` and as wrong with 1 - `target`."""
    from sklearn import config_context
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    rates = np.clip(target, 0.0, 1.0)
    right, wrong = rates > 0.0, rates < 1.0
    rows = np.concatenate([train[right], train[wrong]])
    labels = np.concatenate([np.ones(int(right.sum())), np.zeros(int(wrong.sum()))])
    weights = np.concatenate([rates[right], 1.0 - rates[wrong]])
    model = LogisticRegression(C=strength, max_iter=200, tol=1e-3)
    checked = config_context(assume_finite=True, skip_parameter_validation=True)
    with warnings.catch_warnings(), checked:
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(rows, labels, sample_weight=weights)
    return np.asarray(model.predict_proba(test)[:, 1], dtype=np.float64)


def _ridge(train: FloatArray, test: FloatArray, target: FloatArray, strength: float) -> FloatArray:
    from sklearn.linear_model import Ridge

    return np.asarray(Ridge(alpha=1.0 / strength).fit(train, target).predict(test), dtype=np.float64)


def matrices(kind: FeatureKind, seen: Features, unseen: Features) -> tuple[Any, Any]:
    """Return both sets' features with rows of length 1: embeddings, or TF-IDF of the terms in `seen`."""
    if kind == "text":
        from sklearn.feature_extraction.text import TfidfTransformer

        used = np.unique(seen.words.indices)
        if not used.size:
            used = np.arange(1)
        train, test = seen.words[:, used], unseen.words[:, used]
        tfidf = TfidfTransformer(sublinear_tf=True).fit(train)
        return tfidf.transform(train), tfidf.transform(test)
    from sklearn.preprocessing import normalize

    assert seen.vectors is not None and unseen.vectors is not None
    return normalize(seen.vectors), normalize(unseen.vectors)


def reduced(train: Any, test: Any) -> tuple[FloatArray, FloatArray]:
    """Return both sets projected on the principal components of `train`, at most PARTS."""
    most = min(PARTS, train.shape[0] - 1, train.shape[1])
    if train.shape[1] <= most:
        return _dense(train), _dense(test)
    from sklearn.decomposition import TruncatedSVD

    parts = TruncatedSVD(n_components=most, n_iter=4, random_state=0)
    return np.asarray(parts.fit_transform(train)), np.asarray(parts.transform(test))


def _dense(rows: Any) -> FloatArray:
    return np.asarray(rows.toarray() if hasattr(rows, "toarray") else rows, dtype=np.float64)


def _with_features(rows: Any) -> npt.NDArray[np.bool_]:
    """Return a mask of the rows with any feature."""
    return np.asarray(abs(rows).sum(axis=1) > 0.0).reshape(-1)
