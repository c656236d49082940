"""Small inputs of a keyed board, to be changed one field at a time."""

from typing import Any

import numpy as np

from assay.ranking.board.keyed_answers import Answers, KeyedQuestion
from assay.ranking.board.measured import Status

VARIANTS = ("base", "trap", "transfer", "numeric", "analyst")


def questions(concepts: int, variants: int = 5, options: int = 4) -> tuple[KeyedQuestion, ...]:
    """Return bundles c00, c01, ... of one question a variant, variant by variant as in a suite."""
    return tuple(
        KeyedQuestion(f"c{concept:02}-{variant}", f"c{concept:02}", variant, options)
        for variant in VARIANTS[:variants]
        for concept in range(concepts)
    )


def answers(right: Any, variants: int = 5, options: int = 4, **changed: Any) -> Answers:
    """Return answers that are right where `right` (epochs, models, variants x concepts) says so.

    All are visible, read, priced. Models are a, b, ...; questions go variant by variant.
    """
    table = np.asarray(right, dtype=bool)
    _, models, count = table.shape
    fields: dict[str, Any] = {
        "models": tuple(chr(ord("a") + place) if models <= 26 else f"m{place:03}" for place in range(models)),
        "questions": questions(count // variants, variants, options),
        "status": np.full(table.shape, int(Status.OK)),
        "right": table,
        "read": np.ones(table.shape, dtype=bool),
        "truncated": np.zeros(table.shape, dtype=bool),
        "tokens": np.full(table.shape, 100.0),
        "latency": np.full(table.shape, 2.0),
        "cost": np.full(table.shape, 0.01),
        **changed,
    }
    return Answers(**fields)


def with_status(made: Answers, status: Any) -> Answers:
    """Return answers with these statuses: nothing is right or read where there is no visible answer."""
    given = np.asarray(status).reshape(made.status.shape)
    visible = given == int(Status.OK)
    return Answers(
        made.models,
        made.questions,
        given,
        made.right & visible,
        made.read & visible,
        made.truncated,
        made.tokens,
        made.latency,
        made.cost,
    )


def simulated(
    rng: np.random.Generator,
    accuracy: Any,
    *,
    concepts: int = 20,
    alike: float = 0.0,
    epochs: int = 1,
    repeats: float = 0.6,
) -> Answers:
    """Return models of these accuracies (M,); `alike` is the correlation of questions within a bundle.

    A model's accuracy on a bundle is Beta-distributed around its own, and bundles are hard or easy for
    each model alone. With several epochs `repeats` is the correlation of answers to one question.
    """
    wanted = np.asarray(accuracy, dtype=float)
    shape = (len(wanted), concepts)
    rate = np.broadcast_to(wanted[:, None], shape)
    if alike > 0.0:
        size = (1.0 - alike) / alike
        rate = rng.beta(rate * size, (1.0 - rate) * size)
    chance = np.tile(rate, (1, 5))
    if epochs > 1:
        size = (1.0 - repeats) / repeats
        chance = rng.beta(np.maximum(chance * size, 1e-9), np.maximum((1.0 - chance) * size, 1e-9))
    return answers(rng.random((epochs, *chance.shape)) < chance)
