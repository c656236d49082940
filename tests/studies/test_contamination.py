"""The contamination study: retired before sent, three attempts, two needed, nothing asked twice."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bank_rows import add_source, row
from own_suites import own_suite
from small_suite import make_suite
from sqlalchemy import Engine, func, select
from upstream import Upstream, serving

from assay.calls.asking import AskingContext, begin_asking
from assay.core.errors import Conflict, InvalidInput
from assay.core.model import Model, Provider
from assay.core.question import QuestionState
from assay.questions.replay import restored
from assay.stats.intervals import clopper_pearson
from assay.store.bank.changes import next_revision, set_state
from assay.store.bank.questions import keep_questions, walk_questions
from assay.store.engine import writing
from assay.store.rows import CallRow
from assay.store.schema import calls
from assay.store.schema_bank import questions, units
from assay.studies.contamination import (
    Contamination,
    ReplayRequest,
    begin_study,
    carry_on,
    choose,
    stored_study,
)
from assay.studies.contamination_figures import difference, recall, recalled_by
from assay.studies.contamination_sources import ClozeSource, control_source, described_source, file_source

NAMES = ("Krantz", "Ludmilla", "Oriel", "Tamsin", "Wexford", "Zeb", "Quill", "Yarrow", "Vesper", "Umber")


def stem(number: int) -> str:
    other = NAMES[number % 10]
    return (
        f"In the matter before the court of session number {number} the clerk {other} {number} noted that "
        f"{number + 7} sealed letters from {NAMES[(number + 3) % 10]} had been burned unread in the yard."
    )


def fill_bank(engine: Engine, families: int) -> None:
    """Fill a bank with families of an original and a variant, all accepted."""
    with writing(engine) as connection:
        source = add_source(connection)
        ids = keep_questions(connection, [row(source, stem(number)) for number in range(families)])
        made = [
            row(source, f"{stem(number)} True or false?", parent=ids[number]) for number in range(families)
        ]
        everything = [each for each in (*ids, *keep_questions(connection, made)) if each is not None]
        revision = next_revision(connection, "accept", "for a test", 0.0)
        set_state(connection, everything, QuestionState.ACCEPTED, revision=revision)


class Memory:
    """A model that restores pieces of the texts that it has met; `luck` says on which attempts."""

    def __init__(
        self, sources: list[ClozeSource], *, met: str, luck: Callable[[int], bool] = lambda before: True
    ):
        self.pieces = {
            item.shown: item.hidden for source in sources if source.kind == met for item in source.items
        }
        self.luck = luck

    def __call__(self, prompt: str, before: int) -> str:
        known = next((piece for shown, piece in self.pieces.items() if prompt.endswith(shown)), None)
        return known if known is not None and self.luck(before) else "I do not know this text."


def study(
    engine: Engine,
    wanted: ReplayRequest,
    answer: Callable[[list[ClozeSource]], Callable[[str, int], Any]],
    *,
    number: int | None = None,
    models: tuple[str, ...] = ("a",),
    **more: Any,
) -> Contamination:
    """Begin a study, or go on with one, against a scripted model."""
    sources = [] if number is not None else choose(engine, wanted)

    async def work() -> Contamination:
        async with serving(Upstream(answer(sources))) as upstream:
            provider = Provider("test", upstream.address, attempts=1, timeout=5.0)
            place = AskingContext(engine, {"test": provider}, {}, rng=random.Random(0))
            if number is None:
                named = [Model("test", name) for name in models]
                run = begin_study(place, named, sources, may_retire=True)
            else:
                run = stored_study(engine, number)
            return await carry_on(place, run, **more)

    return asyncio.run(work())


def asked(engine: Engine) -> int:
    with engine.connect() as connection:
        return connection.execute(select(func.count()).select_from(calls)).scalar_one()


def test_what_was_met_is_recalled_and_what_was_made_up_is_not(engine: Engine) -> None:
    """A model that remembers the bank restores all of it and none of the control; the difference says so."""
    fill_bank(engine, 6)
    found = study(
        engine, ReplayRequest(bank=True, n=4, control=5), lambda sources: Memory(sources, met="bank")
    )
    bank, control = found.rows
    assert (bank.n, bank.recalled, control.n, control.recalled) == (4, 4, 5, 0)
    assert bank.above is not None
    assert (bank.above.value, control.above) == (1.0, None)
    assert asked(engine) == 3 * 9


def test_one_right_attempt_of_three_is_luck(sqlite: Engine) -> None:
    """Two of three are needed: one right attempt leaves a question not recalled, two make it so."""
    fill_bank(sqlite, 3)
    wanted = ReplayRequest(bank=True, n=1, control=0)
    once, twice = (
        study(
            sqlite,
            wanted,
            lambda sources, right=right: Memory(sources, met="bank", luck=lambda before: before < right),  # type: ignore[misc]
        )
        for right in (1, 2)
    )
    assert (once.rows[0].recalled, twice.rows[0].recalled) == (0, 1)


def test_private_questions_are_retired_with_siblings_before_the_first_is_sent(engine: Engine) -> None:
    """When the first request arrives, every question to be sent and its siblings can be drawn no more."""
    fill_bank(engine, 5)
    seen: list[tuple[int, int]] = []

    def look(sources: list[ClozeSource]) -> Callable[[str, int], str]:
        def answer(prompt: str, before: int) -> str:
            with engine.connect() as connection:
                retired = select(func.count()).where(questions.c.retired.is_not(None))
                seen.append(
                    (
                        connection.execute(retired).scalar_one(),
                        connection.execute(select(func.count()).select_from(units)).scalar_one(),
                    )
                )
            return "no idea"

        return answer

    found = study(engine, ReplayRequest(bank=True, n=3, control=0), look)
    assert set(seen) == {(6, 2)}
    assert (found.retired, found.revision) == (6, 2)
    whys = {each.retired_why for each in walk_questions(engine, retired=True)}
    assert whys == {f"replayed in a contamination study, run {found.run}"}


def test_without_leave_nothing_is_retired_or_sent(sqlite: Engine) -> None:
    """The refusal tells how many questions would go, siblings included."""
    fill_bank(sqlite, 5)
    place = AskingContext(sqlite, {"test": Provider("test", "http://127.0.0.1:9/v1")}, {})
    sources = choose(sqlite, ReplayRequest(bank=True, n=3, control=0))
    with pytest.raises(InvalidInput, match=r"6 questions of the bank.*--yes-retire"):
        begin_study(place, [Model("test", "a")], sources, may_retire=False)
    assert not list(walk_questions(sqlite, retired=True))


def test_a_model_without_a_key_retires_nothing(sqlite: Engine) -> None:
    """What cannot be asked is found out before the questions are given up."""
    fill_bank(sqlite, 2)
    place = AskingContext(
        sqlite, {"test": Provider("test", "http://127.0.0.1:9/v1", api_key_env="NO_SUCH_KEY")}, {}
    )
    with pytest.raises(InvalidInput, match="NO_SUCH_KEY"):
        begin_study(
            place,
            [Model("test", "a")],
            choose(sqlite, ReplayRequest(bank=True, n=2, control=0)),
            may_retire=True,
        )
    assert not list(walk_questions(sqlite, retired=True))


def test_never_two_of_one_family(sqlite: Engine) -> None:
    """Siblings say much the same: a family gives one question."""
    fill_bank(sqlite, 4)
    (source,) = choose(sqlite, ReplayRequest(bank=True, n=10, control=0))
    families = {each.family for each in walk_questions(sqlite) if each.id in source.questions}
    assert len(source.questions) == len(families) == 4


def test_a_spent_budget_stops_and_the_rest_is_asked_later(sqlite: Engine) -> None:
    """Going on asks only for what is missing, in the same run, and ends with the same figures."""
    fill_bank(sqlite, 4)
    wanted = ReplayRequest(bank=True, n=4, control=0)
    kept: list[Memory] = []

    def remember(sources: list[ClozeSource]) -> Memory:
        kept.append(Memory(sources, met="bank") if sources else kept[0])
        return kept[-1]

    first = study(sqlite, wanted, remember, max_cost=0.0055)
    assert (first.status, first.rows[0].undecided > 0, asked(sqlite) <= 6) == ("stopped", True, True)
    second = study(sqlite, wanted, remember, number=first.run)
    assert (second.status, second.rows[0].recalled, second.revision, asked(sqlite)) == (
        "finished",
        4,
        None,
        12,
    )


def test_an_attempt_that_errors_leaves_its_question_undecided(sqlite: Engine) -> None:
    """No answer is not a wrong answer: the question is in no denominator until it is decided."""
    fill_bank(sqlite, 3)
    found = study(
        sqlite, ReplayRequest(bank=True, n=3, control=0), lambda sources: lambda prompt, before: 400
    )
    assert (found.rows[0].n, found.rows[0].undecided, found.rows[0].share) == (0, 3, None)


def test_several_models_and_sources_make_a_table(sqlite: Engine, tmp_path: Path) -> None:
    """A row for each model and source, as the seed's table 4."""
    fill_bank(sqlite, 3)
    path = tmp_path / "public.jsonl"
    path.write_text("".join(f'{{"question": "{stem(number)}"}}\n' for number in range(20, 25)))
    wanted = ReplayRequest(bank=True, files=(path,), n=3, control=3)
    found = study(sqlite, wanted, lambda sources: Memory(sources, met="file"), models=("a", "b"))
    assert [(each.model, each.kind, each.recalled) for each in found.rows] == [
        (model, kind, 3 if kind == "file" else 0)
        for model in ("test/a", "test/b")
        for kind in ("bank", "file", "control")
    ]


def test_a_suite_is_a_source_where_its_prompts_are_long_enough(sqlite: Engine) -> None:
    """Prompts of a suite are replayed like questions; one of short prompts is refused with their number."""
    (source,) = choose(sqlite, ReplayRequest(suites=(own_suite("daily"),), n=5, control=0))
    assert (source.kind, len(source.items)) == ("suite", 5)
    with pytest.raises(InvalidInput, match="10 are too short"):
        choose(sqlite, ReplayRequest(suites=(make_suite(),), n=5, control=0))


def test_another_kind_of_run_is_not_gone_on_with(sqlite: Engine) -> None:
    """Only studies are resumed as studies."""
    place = AskingContext(sqlite, {"test": Provider("test", "http://127.0.0.1:9/v1")}, {})
    run = begin_asking(place, "sit", [Model("test", "a")], {})
    with pytest.raises(Conflict, match="'sit'"):
        stored_study(sqlite, run.id)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("nonsense", "is not JSON"),
        ("[1]", "is not an object"),
        ('{"answer": "x"}', "has no text"),
        ('{"stem": "x", "options": "y"}', "has `options` that are no list of texts"),
        ('{"stem": "x", "language": "fr"}', "has a `passage` that is no text, or a `language` other"),
    ],
)
def test_a_bad_line_of_a_file_is_named(tmp_path: Path, line: str, told: str) -> None:
    """The message holds the line's number and what to write."""
    path = tmp_path / "questions.jsonl"
    path.write_text('{"stem": "fine"}\n' + line + "\n")
    with pytest.raises(InvalidInput, match=f"questions.jsonl:2: {told}"):
        file_source(path, 5, random.Random(0))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_control_can_be_replayed_in_both_languages(language: str) -> None:
    """Every made-up question has a piece to hide, and no two are alike."""
    source = control_source([language], 60, random.Random(1))  # type: ignore[list-item]
    assert (len(source.items), source.short, len({item.text for item in source.items})) == (60, 0, 60)
    assert all(restored(item.hidden, item) for item in source.items)


def test_a_source_survives_its_description() -> None:
    """What a run's plan holds is enough to go on."""
    source = control_source(["en", "zh"], 5, random.Random(1))
    assert described_source(source.described()) == source


def test_missing_attempts_decide_nothing_that_they_could_change() -> None:
    """Two right decide, two wrong decide, one of each does not."""
    source = control_source(["en"], 1, random.Random(0))
    (item,) = source.items
    right, wrong = (_row(text) for text in (item.hidden, "no"))
    assert recalled_by(item, [right, right, None]) is True
    assert recalled_by(item, [wrong, wrong, None]) is False
    assert recalled_by(item, [right, wrong, None]) is None


def test_the_difference_by_hand() -> None:
    """For 30 of 100 against 0 of 50 the interval combines the distances of the exact limits."""
    source = control_source(["en"], 100, random.Random(0))
    pieces = [item.hidden for item in source.items]
    one = recall(
        "m", source, [[_row(piece if place < 30 else "no")] * 3 for place, piece in enumerate(pieces)]
    )
    other = recall("m", _first(source, 50), [[_row("no")] * 3 for _ in range(50)])
    found = difference(one, other)
    low, high = clopper_pearson(30, 100), clopper_pearson(0, 50)
    assert found is not None
    assert found.value == pytest.approx(0.3)
    assert found.low == pytest.approx(0.3 - ((0.3 - low.low) ** 2 + high.high**2) ** 0.5)
    assert found.high == pytest.approx(low.high)


def _first(source: ClozeSource, n: int) -> ClozeSource:
    return ClozeSource(source.name, source.kind, source.items[:n])


def _row(text: str) -> Any:
    filled = dict.fromkeys(CallRow._fields)
    return CallRow(**{**filled, "status": "ok", "answer": text})  # type: ignore[arg-type]
