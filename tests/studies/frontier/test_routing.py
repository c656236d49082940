"""Routers compared with the frontier, on simulated data whose truth is known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay.core.errors import InvalidInput
from assay.frontier.posterior import Posterior
from assay.frontier.routing.folds import group_similar
from assay.frontier.selection.judged import ErringJudge
from assay.frontier.tensor import Tensor
from assay.results.frontier_routing import Routing
from assay.studies.frontier import routing
from assay.studies.frontier.routing import route
from assay.studies.frontier.routing_remarks import verdict

TOPICS = (
    "prove the theorem about prime numbers and groups",
    "translate this poem into french verse",
    "write a python function that sorts a list",
)


def world(
    rates: np.ndarray, seed: int = 0, *, texts: list[str] | None = None, categories: list[str] | None = None
) -> tuple[Tensor, Posterior]:
    """Return a tensor of five answers a cell at these rates (N, L), and the true rates as a posterior."""
    rng = np.random.default_rng(seed)
    tensor = Tensor(
        tuple(f"q{row:03d}" for row in range(len(rates))),
        tuple(f"m{column}" for column in range(rates.shape[1])),
        (rng.random((*rates.shape, 5)) < rates[:, :, None]).astype(np.float64),
        texts=None if texts is None else tuple(texts),
        categories=None if categories is None else tuple(categories),
    )
    return tensor, Posterior("known", rates[None], None, np.ones(rates.shape, dtype=bool))


def specialists(topics: np.ndarray, models: int = 3) -> np.ndarray:
    """Return rates with one model for each topic that is right in 90 %, and others in 40 %."""
    return np.where(topics[:, None] == np.arange(models), 0.9, 0.4)


def topic_text(topic: int, rng: np.random.Generator) -> str:
    """Return a text with words of a topic and random words."""
    words = [f"w{int(word)}x" for word in rng.integers(400, size=6)]
    return " ".join([*rng.permutation(TOPICS[topic].split())[:4], *words]).translate(DIGITS)


DIGITS = str.maketrans("0123456789", "abcdefghij")
"""Texts that differ only in digits count as near-duplicates, so the random words have letters instead."""


def share(routing: Routing, name: str) -> float:
    """Return a router's share of the gap."""
    value = routing.router(name).share.value
    assert value is not None
    return value


def test_categories_that_determine_the_best_model_close_the_gap() -> None:
    """The router by category and the router chosen in training close all of it."""
    topics = np.arange(150) % 3
    rates = specialists(topics)
    tensor, truth = world(rates, categories=[f"t{topic}" for topic in topics])
    result = route(tensor, posterior=truth, resamples=100)
    assert share(result, "category") == pytest.approx(1.0, abs=0.08)
    assert share(result, result.nested) == pytest.approx(1.0, abs=0.08)
    over = result.router("category").over_shuffled
    assert over is not None
    assert over.over_prompts is not None
    assert over.over_prompts.low > 0.2
    assert "reaches" in verdict(result)


def test_a_routers_share_of_the_gap_is_near_its_true_share() -> None:
    """With effects of topics and of cells, the share by the default method is within 0.1 of the true one."""
    rng = np.random.default_rng(3)
    topics = np.arange(240) % 3
    skill = rng.normal(0.0, 1.5, (3, 6))[topics]
    cells = rng.normal(0.0, 1.2, (240, 1)) + skill + rng.normal(0.0, 1.0, (240, 6))
    rates = 1.0 / (1.0 + np.exp(-cells))
    tensor, truth = world(rates, categories=[f"t{topic}" for topic in topics])
    true = share(route(tensor, posterior=truth, repeats=1, resamples=20), "category")
    result = share(route(tensor, repeats=1, resamples=20), "category")
    assert 0.3 < true < 0.95
    assert abs(result - true) < 0.1


def test_the_verdict_says_if_training_never_leaves_the_best_single_model() -> None:
    """A router that is always the best single model has no measured gain."""
    rates = np.where(np.arange(60)[:, None] % 5 == 0, [[0.1, 0.9]], [[0.95, 0.3]])
    tensor, truth = world(rates, categories=[f"t{row % 2}" for row in range(60)])
    result = route(tensor, posterior=truth, repeats=1, resamples=50)
    assert result.router(result.nested).settings == {"best single": 5}
    assert verdict(result).endswith("better than the best single model by more than noise.")


def test_without_signal_nothing_is_gained_and_the_verdict_says_so() -> None:
    """With random categories the share is about 0, and its interval contains 0."""
    rng = np.random.default_rng(5)
    rates = specialists(rng.integers(3, size=240))
    tensor, truth = world(rates, categories=[f"t{topic}" for topic in rng.integers(4, size=240)])
    result = route(tensor, posterior=truth, resamples=200)
    ends = result.router("category").share.over_prompts
    assert ends is not None
    assert abs(share(result, "category")) < 0.15
    assert ends.low <= 0.0 <= ends.high
    assert "not significantly better than the best single model" in verdict(result)


@pytest.mark.slow
def test_routers_learn_the_best_model_from_texts() -> None:
    """Neighbours and logistic regression are better than the same routers on shuffled texts."""
    rng = np.random.default_rng(1)
    topics = np.arange(96) % 2
    tensor, truth = world(specialists(topics, 2), texts=[topic_text(topic, rng) for topic in topics])
    result = route(tensor, posterior=truth, folds=3, repeats=1, resamples=100)
    for name in ("neighbours, text", "logistic, text"):
        assert share(result, name) > 0.8
        over = result.router(name).over_shuffled
        assert over is not None
        assert over.over_prompts is not None
        assert over.over_prompts.low > 0.1


@pytest.mark.slow
def test_near_duplicates_do_not_leak_between_folds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every text occurs twice and its best model is random: only a leak could give a gain."""
    rng = np.random.default_rng(2)
    topics = np.repeat(rng.integers(3, size=90), 2)
    texts = [
        f"{text}{mark}"
        for text in (
            " ".join(str(word) for word in rng.integers(10**6, size=8)).translate(DIGITS) for _ in range(90)
        )
        for mark in ("", "!")
    ]
    tensor, truth = world(specialists(topics), texts=texts)
    call = {"routers": ["neighbours"], "posterior": truth, "repeats": 1, "resamples": 100}
    result = route(tensor, **call)
    assert result.groups == 90
    ends = result.router("neighbours, text").share.over_prompts
    assert ends is not None
    assert ends.low <= 0.0 <= ends.high
    monkeypatch.setattr(routing, "group_similar", lambda texts, number: group_similar(None, number))
    monkeypatch.setattr("assay.studies.frontier.routing_learned.NEIGHBOURS", (64, 8, 1))
    leaking = route(tensor, **call)
    assert share(leaking, "neighbours, text") > 0.5


def test_costs_give_a_curve_a_matched_value_and_a_cascade() -> None:
    """If a cheap model is as good on one category, the router reaches the same quality at a lower cost."""
    easy = np.arange(120) % 2 == 0
    rates = np.where(easy[:, None], [[0.95, 0.95]], [[0.2, 0.9]])
    tensor, truth = world(rates, categories=["easy" if is_easy else "hard" for is_easy in easy])
    prices = np.broadcast_to(np.array([0.1, 1.0])[None, :, None], tensor.quality.shape)
    tensor = replace(tensor, cost=prices.copy())
    truth = replace(truth, cost=prices[None, :, :, 0].copy())
    result = route(tensor, posterior=truth, resamples=50, judge=ErringJudge())
    router = result.router("category")
    assert router.cost.value is not None
    assert router.cost.value < 1.0
    cascade = result.router("cascade by category")
    assert cascade.matched is not None
    assert cascade.curve[0].cost == pytest.approx(0.1)
    assert result.router("cascade, verified").answers
    assert result.nested == "chosen in training"


def test_a_verified_cascade_pays_for_every_answer() -> None:
    """The cheap model is right on every other prompt, so half of the prompts pay for both models."""
    quality = np.ones((12, 2, 1))
    quality[::2, 0] = 0.0
    cost = np.broadcast_to(np.array([1.0, 5.0])[None, :, None], quality.shape).copy()
    tensor = Tensor(tuple("abcdefghijkl"), ("cheap", "expensive"), quality, cost=cost)
    result = route(tensor, judge=ErringJudge(price=0.5), folds=3, repeats=1, resamples=0)
    cascade = result.router("cascade, verified")
    assert cascade.quality.value == pytest.approx(1.0)
    assert cascade.cost.value == pytest.approx(1.5 + 0.5 * 5.5)
    assert cascade.curve[0].cost == pytest.approx(1.5)


def test_the_same_seed_gives_the_same_result() -> None:
    """Another seed gives other folds."""
    topics = np.arange(60) % 3
    tensor, truth = world(specialists(topics) * 0.8, categories=[f"t{topic}" for topic in topics])
    first, again, other = (route(tensor, posterior=truth, resamples=20, seed=seed) for seed in (3, 3, 4))
    assert first == again
    assert first != other


def test_empty_cells_take_the_next_choice() -> None:
    """A router takes the best model that was observed, and a note has the number of empty cells."""
    topics = np.arange(90) % 3
    tensor, truth = world(specialists(topics), categories=[f"t{topic}" for topic in topics])
    quality = tensor.quality.copy()
    quality[::7, 1] = np.nan
    may = np.ones(truth.may_choose.shape, dtype=bool)
    may[::7, 1] = False
    result = route(replace(tensor, quality=quality), posterior=replace(truth, may_choose=may), resamples=20)
    assert result.router("category").quality.value is not None
    assert any("cells are empty" in note for note in result.notes)


def test_invalid_arguments_are_reported() -> None:
    """Unknown routers, a single model, and embeddings of another shape are refused."""
    tensor, _ = world(specialists(np.arange(30) % 3))
    with pytest.raises(InvalidInput, match="unknown router 'magic'"):
        route(tensor, routers=["magic"])
    with pytest.raises(InvalidInput, match="the only model"):
        route(tensor.take(models=[0]))
    with pytest.raises(InvalidInput, match=r"invalid embeddings of shape \(3, 2\)"):
        route(tensor, embeddings=np.ones((3, 2)))
