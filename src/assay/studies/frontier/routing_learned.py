"""Routers that learn from wording or embeddings, by scikit-learn (extra `route`)."""

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
    "routers on texts and embeddings need scikit-learn, which is not installed: "
    "pip install 'assay[route]', or name routers that do without it: --router category"
)
TERMS = 2**18
"""Words and pairs of words are counted in so many places by their hash: nothing is learnt from a text."""
PARTS = 64
"""The linear models see at most so many principal directions of the features."""
NEIGHBOURS = (64, 32, 16, 8, 4)
STRENGTHS = (0.3, 3.0, 30.0)
IGNORED = "features ignored"


def check_installed() -> None:
    """Raises InvalidInput, naming the cure, where scikit-learn is missing."""
    try:
        import_module("sklearn")
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] == "sklearn":
            raise InvalidInput(Problem(MISSING)) from None
        raise InvalidInput(Problem(f"scikit-learn cannot be imported: {error}")) from error


def counted_words(texts: Sequence[str]) -> Any:
    """Return how often each word and pair of words stands in each text: sparse, shape (N, TERMS)."""
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
    """Each prompt goes to the model that was best on the k training prompts most like it, by the cosine."""

    kind: FeatureKind

    @property
    def name(self) -> str:
        """What it is called."""
        return f"neighbours, {self.kind}"

    @property
    def settings(self) -> tuple[str, ...]:
        """All training prompts (features ignored), then fewer and fewer neighbours."""
        return (IGNORED, *(f"k = {each}" for each in NEIGHBOURS))

    def predict(
        self, quality: FloatArray, seen: Features, unseen: Features, settings: Sequence[int]
    ) -> FloatArray:
        """Return the mean quality of the nearest; of all where a prompt has no features at all."""
        from sklearn.neighbors import NearestNeighbors

        known, asked = matrices(self.kind, seen, unseen)
        overall = quality.mean(axis=0)
        found = np.broadcast_to(overall, (len(settings), unseen.number, quality.shape[1])).copy()
        blank = ~_with_features(asked)
        most = min(max(NEIGHBOURS), seen.number)
        if all(place == 0 for place in settings):
            return found
        near = NearestNeighbors(n_neighbors=most, metric="cosine", algorithm="brute").fit(known)
        order = near.kneighbors(asked, return_distance=False)
        for row, place in enumerate(settings):
            if place > 0:
                taken = quality[order[:, : min(NEIGHBOURS[place - 1], most)]].mean(axis=1)
                found[row] = np.where(blank[:, None], overall, taken)
        return found


@dataclass(frozen=True, slots=True)
class Linear:
    """Predicts each model's quality by itself: logistic regression for quality on 0-1, else ridge."""

    kind: FeatureKind
    bounded: bool = True

    @property
    def name(self) -> str:
        """What it is called."""
        return f"{'logistic' if self.bounded else 'ridge'}, {self.kind}"

    @property
    def settings(self) -> tuple[str, ...]:
        """The features ignored, then weaker and weaker regularisation."""
        return (IGNORED, *(f"C = {each:g}" for each in STRENGTHS))

    def predict(
        self, quality: FloatArray, seen: Features, unseen: Features, settings: Sequence[int]
    ) -> FloatArray:
        """Return the predicted quality; the mean in training where a prompt has no features at all."""
        overall = quality.mean(axis=0)
        found = np.broadcast_to(overall, (len(settings), unseen.number, quality.shape[1])).copy()
        if all(place == 0 for place in settings):
            return found
        known, asked = matrices(self.kind, seen, unseen)
        told = _with_features(asked)
        known, asked = reduced(known, asked)
        for row, place in enumerate(settings):
            if place > 0:
                fitted = self._fitted(known, asked, quality, STRENGTHS[place - 1])
                found[row] = np.where(told[:, None], fitted, overall)
        return found

    def _fitted(
        self, known: FloatArray, asked: FloatArray, quality: FloatArray, strength: float
    ) -> FloatArray:
        found = np.tile(quality.mean(axis=0), (len(asked), 1))
        for model in range(quality.shape[1]):
            given = quality[:, model]
            if np.isnan(given).any() or np.ptp(given) == 0.0:
                continue
            fit = _logistic if self.bounded else _ridge
            found[:, model] = fit(known, asked, given, strength)
        return found


def _logistic(known: FloatArray, asked: FloatArray, given: FloatArray, strength: float) -> FloatArray:
    """Fit a rate on 0-1: each prompt is right with weight `given` and wrong with the rest."""
    from sklearn import config_context
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    rates = np.clip(given, 0.0, 1.0)
    right, wrong = rates > 0.0, rates < 1.0
    rows = np.concatenate([known[right], known[wrong]])
    labels = np.concatenate([np.ones(int(right.sum())), np.zeros(int(wrong.sum()))])
    weights = np.concatenate([rates[right], 1.0 - rates[wrong]])
    model = LogisticRegression(C=strength, max_iter=200, tol=1e-3)
    checked = config_context(assume_finite=True, skip_parameter_validation=True)
    with warnings.catch_warnings(), checked:
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(rows, labels, sample_weight=weights)
    return np.asarray(model.predict_proba(asked)[:, 1], dtype=np.float64)


def _ridge(known: FloatArray, asked: FloatArray, given: FloatArray, strength: float) -> FloatArray:
    from sklearn.linear_model import Ridge

    return np.asarray(Ridge(alpha=1.0 / strength).fit(known, given).predict(asked), dtype=np.float64)


def matrices(kind: FeatureKind, seen: Features, unseen: Features) -> tuple[Any, Any]:
    """Return both sides' features with rows of length 1: embeddings, or TF-IDF of the terms in `seen`."""
    if kind == "text":
        from sklearn.feature_extraction.text import TfidfTransformer

        used = np.unique(seen.words.indices)
        if not used.size:
            used = np.arange(1)
        known, asked = seen.words[:, used], unseen.words[:, used]
        rarity = TfidfTransformer(sublinear_tf=True).fit(known)
        return rarity.transform(known), rarity.transform(asked)
    from sklearn.preprocessing import normalize

    assert seen.vectors is not None and unseen.vectors is not None
    return normalize(seen.vectors), normalize(unseen.vectors)


def reduced(known: Any, asked: Any) -> tuple[FloatArray, FloatArray]:
    """Return the principal directions of `known`, at most PARTS, and both sides' places along them."""
    most = min(PARTS, known.shape[0] - 1, known.shape[1])
    if known.shape[1] <= most:
        return _dense(known), _dense(asked)
    from sklearn.decomposition import TruncatedSVD

    parts = TruncatedSVD(n_components=most, n_iter=4, random_state=0)
    return np.asarray(parts.fit_transform(known)), np.asarray(parts.transform(asked))


def _dense(rows: Any) -> FloatArray:
    return np.asarray(rows.toarray() if hasattr(rows, "toarray") else rows, dtype=np.float64)


def _with_features(rows: Any) -> npt.NDArray[np.bool_]:
    """Return which rows have any feature at all."""
    return np.asarray(abs(rows).sum(axis=1) > 0.0).reshape(-1)
