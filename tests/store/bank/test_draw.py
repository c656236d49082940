"""Drawing unseen questions: the content of a draw, and equal probabilities of all draws."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from bank_rows import NOW, fill
from scipy.stats import chi2
from sqlalchemy import Connection, Engine, insert

from assay.core.errors import Conflict
from assay.store.bank.changes import next_revision, retire
from assay.store.bank.draw import Eligibility, draw
from assay.store.bank.questions import walk_questions
from assay.store.engine import reading, writing
from assay.store.schema_exam import draws, exposures, organisations


def meet(connection: Connection, families: list[int]) -> int:
    """Store an organisation that has seen families, and return its number."""
    connection.execute(insert(organisations).values(id=1, name="them", operator=0, created_at=NOW))
    connection.execute(insert(draws).values(id=1, revision=1, n=1, allocation="{}", made_at=NOW))
    rows = [{"organisation": 1, "family": family, "draw": 1} for family in families]
    connection.execute(insert(exposures), rows)
    return 1


def test_a_draw_has_the_allocated_questions_and_no_family_twice(engine: Engine) -> None:
    """A draw has the requested number of each discipline, from different families, all accepted."""
    fill(engine, {"law": 9, "history": 7}, variants=3)
    with reading(engine) as connection:
        drawn = draw(connection, {"law": 5, "history": 7}, np.random.default_rng(1), Eligibility())
    assert Counter(item.discipline for item in drawn) == {"law": 5, "history": 7}
    assert len({item.family for item in drawn}) == 12
    stored = {item.id: item for item in walk_questions(engine)}
    assert all(stored[item.question].family == item.family for item in drawn)


def test_questions_that_an_organisation_has_seen_are_not_drawn_again(engine: Engine) -> None:
    """Siblings are excluded, too; the rest is drawn completely, and then the bank is short."""
    ids = fill(engine, {"law": 8}, variants=2)["law"]
    with writing(engine) as connection:
        them = meet(connection, ids[:5])
        rng = np.random.default_rng(2)
        assert {item.family for item in draw(connection, {"law": 3}, rng, Eligibility(them))} == set(ids[5:])
        with pytest.raises(Conflict, match="law has 3 of 4"):
            draw(connection, {"law": 4}, rng, Eligibility(them))
        assert len(draw(connection, {"law": 8}, rng, Eligibility())) == 8


def test_a_bank_without_a_discipline_says_so(engine: Engine) -> None:
    """Every short discipline is named at once."""
    fill(engine, {"law": 2})
    with reading(engine) as connection, pytest.raises(Conflict, match="law has 2 of 3; military has 0 of 1"):
        draw(connection, {"law": 3, "military": 1}, np.random.default_rng(3), Eligibility())


def test_retired_questions_are_not_drawn(engine: Engine) -> None:
    """This holds although another family got its number."""
    ids = fill(engine, {"law": 6})["law"]
    with writing(engine) as connection:
        retire(connection, [ids[0], ids[3]], "known", revision=next_revision(connection, "retire", "", NOW))
        drawn = draw(connection, {"law": 4}, np.random.default_rng(4), Eligibility())
    assert {item.family for item in drawn} == set(ids) - {ids[0], ids[3]}


def test_the_same_seed_draws_the_same(engine: Engine) -> None:
    """The same bank and seed give the same draw; another seed gives another one."""
    fill(engine, {"law": 40})
    with reading(engine) as connection:
        first, again, other = (
            draw(connection, {"law": 10}, np.random.default_rng(seed), Eligibility()) for seed in (5, 5, 6)
        )
    assert first == again
    assert first != other


@pytest.mark.slow
@pytest.mark.parametrize("met", [0, 4], ids=["all unseen", "some met"])
def test_every_question_and_every_pair_is_drawn_equally_often(sqlite: Engine, met: int) -> None:
    """Over 10,000 draws inclusions, pairs within and across strata, and first places fit uniform sampling."""
    ids = fill(sqlite, {"law": 30 + met, "history": 10}, variants=2)
    unseen = ids["law"][met:]
    times, n, m = 10_000, 3, 2
    singles: Counter[int] = Counter()
    pairs: Counter[tuple[int, int]] = Counter()
    first: Counter[str] = Counter()
    variants: Counter[int] = Counter()
    with writing(sqlite) as connection:
        them = meet(connection, ids["law"][:met]) if met else None
        rng = np.random.default_rng(20261122)
        for _ in range(times):
            drawn = draw(connection, {"law": n, "history": m}, rng, Eligibility(them))
            families = sorted(item.family for item in drawn)
            singles.update(families)
            pairs.update(combinations(families, 2))
            first[drawn[0].discipline] += 1
            variants.update(item.question for item in drawn)
    laws, histories = set(unseen), set(ids["history"])
    # For samples of n of N without replacement the statistic is (N-1)/(N-n) times Pearson's: chi2(N-1).
    for families, count in ((laws, n), (histories, m)):
        size = len(families)
        expected = times * count / size
        pearson = sum((singles[family] - expected) ** 2 for family in families) / expected
        assert 1e-4 < chi2.sf(pearson * (size - 1) / (size - count), size - 1) < 1 - 1e-4
    within = times * n * (n - 1) / (len(laws) * (len(laws) - 1))
    across = times * n * m / (len(laws) * len(histories))
    for a, b in combinations(sorted(laws | histories), 2):
        expected = times * m * (m - 1) / (10 * 9) if {a, b} <= histories else across
        expected = within if {a, b} <= laws else expected
        assert abs(pairs[a, b] - expected) < 5 * expected**0.5
    assert not set(singles) - laws - histories
    assert abs(first["law"] - times * n / (n + m)) < 5 * (times * 0.24) ** 0.5
    everything = list(walk_questions(sqlite))
    for family in list(laws)[:6]:
        own = [item.id for item in everything if item.family == family]
        fair = singles[family] / len(own)
        assert all(abs(variants[question] - fair) < 5 * fair**0.5 for question in own)
