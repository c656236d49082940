"""Routers against the frontier, in worlds whose truth is known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay.core.errors import InvalidInput
from assay.frontier.posterior import Posterior
from assay.frontier.routing.folds import alike
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
    """Return five answers a cell at these rates (N, L), and the truth as draws."""
    rng = np.random.default_rng(seed)
    tensor = Tensor(
        tuple(f"q{place:03d}" for place in range(len(rates))),
        tuple(f"m{place}" for place in range(rates.shape[1])),
        (rng.random((*rates.shape, 5)) < rates[:, :, None]).astype(np.float64),
        texts=None if texts is None else tuple(texts),
        categories=None if categories is None else tuple(categories),
    )
    return tensor, Posterior("known", rates[None], None, np.ones(rates.shape, dtype=bool))


def specialists(topics: np.ndarray, models: int = 3) -> np.ndarray:
    """Return rates where each topic has one model that is right in 90 % and others in 40 %."""
    return np.where(topics[:, None] == np.arange(models), 0.9, 0.4)


def wording(topic: int, rng: np.random.Generator) -> str:
    """Return a text of a topic among words that say nothing."""
    words = [f"w{int(word)}x" for word in rng.integers(400, size=6)]
    return " ".join([*rng.permutation(TOPICS[topic].split())[:4], *words]).translate(DIGITS)


DIGITS = str.maketrans("0123456789", "abcdefghij")
"""Digits are alike to the folds, so words that must differ are spelled with letters."""


def share(found: Routing, name: str) -> float:
    """Return a router's share of the gap."""
    value = found.router(name).share.value
    assert value is not None
    return value


def test_categories_that_tell_the_best_model_close_the_gap() -> None:
    """All of it, for the router by category and for the choice of router in training."""
    topics = np.arange(150) % 3
    rates = specialists(topics)
    tensor, truth = world(rates, categories=[f"t{topic}" for topic in topics])
    found = route(tensor, posterior=truth, resamples=100)
    assert share(found, "category") == pytest.approx(1.0, abs=0.08)
    assert share(found, found.nested) == pytest.approx(1.0, abs=0.08)
    over = found.router("category").over_shuffled
    assert over is not None
    assert over.over_prompts is not None
    assert over.over_prompts.low > 0.2
    assert "reaches" in verdict(found)


def test_a_routers_share_of_the_gap_is_near_its_true_share() -> None:
    """Three topics with skills of their own, and cells besides: the default method against the truth."""
    rng = np.random.default_rng(3)
    topics = np.arange(240) % 3
    skill = rng.normal(0.0, 1.5, (3, 6))[topics]
    cells = rng.normal(0.0, 1.2, (240, 1)) + skill + rng.normal(0.0, 1.0, (240, 6))
    rates = 1.0 / (1.0 + np.exp(-cells))
    tensor, truth = world(rates, categories=[f"t{topic}" for topic in topics])
    true = share(route(tensor, posterior=truth, repeats=1, resamples=20), "category")
    found = share(route(tensor, repeats=1, resamples=20), "category")
    assert 0.3 < true < 0.95
    assert abs(found - true) < 0.1


def test_where_training_never_leaves_the_best_single_model_the_verdict_says_so() -> None:
    """A gap of 0 is not told as one that was measured."""
    rates = np.where(np.arange(60)[:, None] % 5 == 0, [[0.1, 0.9]], [[0.95, 0.3]])
    tensor, truth = world(rates, categories=[f"t{place % 2}" for place in range(60)])
    found = route(tensor, posterior=truth, repeats=1, resamples=50)
    assert found.router(found.nested).settings == {"best single": 5}
    assert verdict(found).endswith("more than luck over the best single model.")


def test_without_signal_nothing_is_gained_and_the_verdict_says_so() -> None:
    """Categories at random: the share is about 0 and its interval covers 0."""
    rng = np.random.default_rng(5)
    rates = specialists(rng.integers(3, size=240))
    tensor, truth = world(rates, categories=[f"t{each}" for each in rng.integers(4, size=240)])
    found = route(tensor, posterior=truth, resamples=200)
    ends = found.router("category").share.over_prompts
    assert ends is not None
    assert abs(share(found, "category")) < 0.15
    assert ends.low <= 0.0 <= ends.high
    assert "no more than the best single model" in verdict(found)


@pytest.mark.slow
def test_wording_that_tells_the_best_model_is_found() -> None:
    """By neighbours and by logistic regression, which beat themselves on shuffled texts."""
    rng = np.random.default_rng(1)
    topics = np.arange(96) % 2
    tensor, truth = world(specialists(topics, 2), texts=[wording(topic, rng) for topic in topics])
    found = route(tensor, posterior=truth, folds=3, repeats=1, resamples=100)
    for name in ("neighbours, text", "logistic, text"):
        assert share(found, name) > 0.8
        over = found.router(name).over_shuffled
        assert over is not None
        assert over.over_prompts is not None
        assert over.over_prompts.low > 0.1


@pytest.mark.slow
def test_twins_in_other_folds_would_leak_and_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every text stands twice and its best model is random: only a leak between folds could find it."""
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
    found = route(tensor, **call)
    assert found.groups == 90
    ends = found.router("neighbours, text").share.over_prompts
    assert ends is not None
    assert ends.low <= 0.0 <= ends.high
    monkeypatch.setattr(routing, "alike", lambda texts, number: alike(None, number))
    monkeypatch.setattr("assay.studies.frontier.routing_learned.NEIGHBOURS", (64, 8, 1))
    leaking = route(tensor, **call)
    assert share(leaking, "neighbours, text") > 0.5


def test_costs_give_curves_a_matched_figure_and_a_cascade() -> None:
    """Where a cheap model does as well on one category, the router reaches the same for less."""
    easy = np.arange(120) % 2 == 0
    rates = np.where(easy[:, None], [[0.95, 0.95]], [[0.2, 0.9]])
    tensor, truth = world(rates, categories=["easy" if each else "hard" for each in easy])
    prices = np.broadcast_to(np.array([0.1, 1.0])[None, :, None], tensor.quality.shape)
    tensor = replace(tensor, cost=prices.copy())
    truth = replace(truth, cost=prices[None, :, :, 0].copy())
    found = route(tensor, posterior=truth, resamples=50, judge=ErringJudge())
    router = found.router("category")
    assert router.cost.value is not None
    assert router.cost.value < 1.0
    cascade = found.router("cascade by category")
    assert cascade.matched is not None
    assert cascade.curve[0].cost == pytest.approx(0.1)
    assert found.router("cascade, verified").answers
    assert found.nested == "chosen in training"


def test_a_verified_cascade_pays_for_every_answer() -> None:
    """By hand: the cheap model is right on every other prompt, so half of the prompts pay both."""
    quality = np.ones((12, 2, 1))
    quality[::2, 0] = 0.0
    cost = np.broadcast_to(np.array([1.0, 5.0])[None, :, None], quality.shape).copy()
    tensor = Tensor(tuple("abcdefghijkl"), ("cheap", "dear"), quality, cost=cost)
    found = route(tensor, judge=ErringJudge(price=0.5), folds=3, repeats=1, resamples=0)
    walked = found.router("cascade, verified")
    assert walked.quality.value == pytest.approx(1.0)
    assert walked.cost.value == pytest.approx(1.5 + 0.5 * 5.5)
    assert walked.curve[0].cost == pytest.approx(1.5)


def test_the_same_seed_gives_the_same_result() -> None:
    """Another seed deals other folds."""
    topics = np.arange(60) % 3
    tensor, truth = world(specialists(topics) * 0.8, categories=[f"t{topic}" for topic in topics])
    first, again, other = (route(tensor, posterior=truth, resamples=20, seed=seed) for seed in (3, 3, 4))
    assert first == again
    assert first != other


def test_empty_cells_take_the_next_choice() -> None:
    """A router takes the best model that was observed, and the notes count the cells."""
    topics = np.arange(90) % 3
    tensor, truth = world(specialists(topics), categories=[f"t{topic}" for topic in topics])
    quality = tensor.quality.copy()
    quality[::7, 1] = np.nan
    may = np.ones(truth.may_choose.shape, dtype=bool)
    may[::7, 1] = False
    found = route(replace(tensor, quality=quality), posterior=replace(truth, may_choose=may), resamples=20)
    assert found.router("category").quality.value is not None
    assert any("cells are empty" in note for note in found.notes)


def test_bad_wishes_are_named() -> None:
    """A router that does not exist, one model, embeddings of another length."""
    tensor, _ = world(specialists(np.arange(30) % 3))
    with pytest.raises(InvalidInput, match="there is no router 'magic'"):
        route(tensor, routers=["magic"])
    with pytest.raises(InvalidInput, match="the only model"):
        route(tensor.take(models=[0]))
    with pytest.raises(InvalidInput, match=r"embeddings have shape \(3, 2\)"):
        route(tensor, embeddings=np.ones((3, 2)))
