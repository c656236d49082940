"""The contamination study: retirement before sending, two of three attempts, and no repeated call."""

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
from assay.store.runs import read_run
from assay.store.schema import calls
from assay.store.schema_bank import questions, units
from assay.studies.contamination import KIND, Contamination, ReplayRequest, begin_study, carry_on, choose
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
    """Fill a bank with accepted families of one original and one variant each."""
    with writing(engine) as connection:
        source = add_source(connection)
        ids = keep_questions(connection, [row(source, stem(number)) for number in range(families)])
        made = [
            row(source, f"{stem(number)} True or false?", parent=ids[number]) for number in range(families)
        ]
        stored = [number for number in (*ids, *keep_questions(connection, made)) if number is not None]
        revision = next_revision(connection, "accept", "for a test", 0.0)
        set_state(connection, stored, QuestionState.ACCEPTED, revision=revision)


class Memory:
    """A model that restores pieces of texts that it has seen, on attempts for which `recall` is true."""

    def __init__(
        self, sources: list[ClozeSource], *, seen: str, recall: Callable[[int], bool] = lambda before: True
    ):
        self.pieces = {
            item.shown: item.hidden for source in sources if source.kind == seen for item in source.items
        }
        self.recall = recall

    def __call__(self, prompt: str, before: int) -> str:
        known = next((piece for shown, piece in self.pieces.items() if prompt.endswith(shown)), None)
        return known if known is not None and self.recall(before) else "I do not know this text."


def study(
    engine: Engine,
    request: ReplayRequest,
    answer: Callable[[list[ClozeSource]], Callable[[str, int], Any]],
    *,
    number: int | None = None,
    models: tuple[str, ...] = ("a",),
    **more: Any,
) -> Contamination:
    """Run a new study, or resume study `number`, with a scripted model."""
    sources = [] if number is not None else choose(engine, request)

    async def work() -> Contamination:
        async with serving(Upstream(answer(sources))) as upstream:
            provider = Provider("test", upstream.address, attempts=1, timeout=5.0)
            context = AskingContext(engine, {"test": provider}, {}, rng=random.Random(0))
            if number is None:
                named = [Model("test", name) for name in models]
                run = begin_study(context, named, sources, may_retire=True)
            else:
                run = read_run(engine, number, KIND)
            return await carry_on(context, run, **more)

    return asyncio.run(work())


def count_calls(engine: Engine) -> int:
    with engine.connect() as connection:
        return connection.execute(select(func.count()).select_from(calls)).scalar_one()


def test_seen_questions_are_recalled_and_made_up_ones_are_not(engine: Engine) -> None:
    """A model that has seen the bank restores all of it and none of the control, so the difference is 1."""
    fill_bank(engine, 6)
    result = study(
        engine, ReplayRequest(bank=True, n=4, control=5), lambda sources: Memory(sources, seen="bank")
    )
    bank, control = result.rows
    assert (bank.n, bank.recalled, control.n, control.recalled) == (4, 4, 5, 0)
    assert bank.above is not None
    assert (bank.above.value, control.above) == (1.0, None)
    assert count_calls(engine) == 3 * 9


def test_two_right_attempts_of_three_are_needed(sqlite: Engine) -> None:
    """A question with one right attempt is not recalled, and a question with two is."""
    fill_bank(sqlite, 3)
    request = ReplayRequest(bank=True, n=1, control=0)
    once, twice = (
        study(
            sqlite,
            request,
            lambda sources, right=right: Memory(sources, seen="bank", recall=lambda before: before < right),  # type: ignore[misc]
        )
        for right in (1, 2)
    )
    assert (once.rows[0].recalled, twice.rows[0].recalled) == (0, 1)


def test_private_questions_are_retired_with_siblings_before_the_first_is_sent(engine: Engine) -> None:
    """When the first request arrives, these questions and their siblings are retired already."""
    fill_bank(engine, 5)
    counts: list[tuple[int, int]] = []

    def look(sources: list[ClozeSource]) -> Callable[[str, int], str]:
        def answer(prompt: str, before: int) -> str:
            with engine.connect() as connection:
                retired = select(func.count()).where(questions.c.retired.is_not(None))
                counts.append(
                    (
                        connection.execute(retired).scalar_one(),
                        connection.execute(select(func.count()).select_from(units)).scalar_one(),
                    )
                )
            return "no idea"

        return answer

    result = study(engine, ReplayRequest(bank=True, n=3, control=0), look)
    assert set(counts) == {(6, 2)}
    assert (result.retired, result.revision) == (6, 2)
    reasons = {question.retired_why for question in walk_questions(engine, retired=True)}
    assert reasons == {f"replayed in a contamination study, run {result.run}"}


def test_without_consent_nothing_is_retired_or_sent(sqlite: Engine) -> None:
    """The error message has the number of questions that would be retired, including siblings."""
    fill_bank(sqlite, 5)
    context = AskingContext(sqlite, {"test": Provider("test", "http://127.0.0.1:9/v1")}, {})
    sources = choose(sqlite, ReplayRequest(bank=True, n=3, control=0))
    with pytest.raises(InvalidInput, match=r"6 questions of the bank.*--yes-retire"):
        begin_study(context, [Model("test", "a")], sources, may_retire=False)
    assert not list(walk_questions(sqlite, retired=True))


def test_a_model_without_a_key_retires_nothing(sqlite: Engine) -> None:
    """A model that cannot be called is refused before any question is retired."""
    fill_bank(sqlite, 2)
    context = AskingContext(
        sqlite, {"test": Provider("test", "http://127.0.0.1:9/v1", api_key_env="NO_SUCH_KEY")}, {}
    )
    with pytest.raises(InvalidInput, match="NO_SUCH_KEY"):
        begin_study(
            context,
            [Model("test", "a")],
            choose(sqlite, ReplayRequest(bank=True, n=2, control=0)),
            may_retire=True,
        )
    assert not list(walk_questions(sqlite, retired=True))


def test_a_family_gives_one_question(sqlite: Engine) -> None:
    """Siblings are too similar to be replayed together."""
    fill_bank(sqlite, 4)
    (source,) = choose(sqlite, ReplayRequest(bank=True, n=10, control=0))
    families = {question.family for question in walk_questions(sqlite) if question.id in source.questions}
    assert len(source.questions) == len(families) == 4


def test_a_resumed_study_makes_only_the_missing_attempts(sqlite: Engine) -> None:
    """A spent budget stops the study; resumed, it ends with the same figures in the same run."""
    fill_bank(sqlite, 4)
    request = ReplayRequest(bank=True, n=4, control=0)
    memories: list[Memory] = []

    def remember(sources: list[ClozeSource]) -> Memory:
        memories.append(Memory(sources, seen="bank") if sources else memories[0])
        return memories[-1]

    first = study(sqlite, request, remember, max_cost=0.0055)
    assert (first.status, first.rows[0].undecided > 0, count_calls(sqlite) <= 6) == ("stopped", True, True)
    second = study(sqlite, request, remember, number=first.run)
    assert (second.status, second.rows[0].recalled, second.revision, count_calls(sqlite)) == (
        "finished",
        4,
        None,
        12,
    )


def test_an_attempt_that_errors_leaves_its_question_undecided(sqlite: Engine) -> None:
    """An error is not a wrong answer, so the question is in no denominator until it is decided."""
    fill_bank(sqlite, 3)
    result = study(
        sqlite, ReplayRequest(bank=True, n=3, control=0), lambda sources: lambda prompt, before: 400
    )
    assert (result.rows[0].n, result.rows[0].undecided, result.rows[0].share) == (0, 3, None)


def test_several_models_and_sources_make_a_table(sqlite: Engine, tmp_path: Path) -> None:
    """There is a row for each model and source, as in the seed's table 4."""
    fill_bank(sqlite, 3)
    path = tmp_path / "public.jsonl"
    path.write_text("".join(f'{{"question": "{stem(number)}"}}\n' for number in range(20, 25)))
    request = ReplayRequest(bank=True, files=(path,), n=3, control=3)
    result = study(sqlite, request, lambda sources: Memory(sources, seen="file"), models=("a", "b"))
    assert [(row.model, row.kind, row.recalled) for row in result.rows] == [
        (model, kind, 3 if kind == "file" else 0)
        for model in ("test/a", "test/b")
        for kind in ("bank", "file", "control")
    ]


def test_a_suite_is_a_source_if_its_prompts_are_long_enough(sqlite: Engine) -> None:
    """Prompts of a suite are replayed like questions. A suite of short prompts is refused."""
    (source,) = choose(sqlite, ReplayRequest(suites=(own_suite("daily"),), n=5, control=0))
    assert (source.kind, len(source.items)) == ("suite", 5)
    with pytest.raises(InvalidInput, match="10 are too short"):
        choose(sqlite, ReplayRequest(suites=(make_suite(),), n=5, control=0))


def test_a_run_of_another_kind_is_not_resumed(sqlite: Engine) -> None:
    """The error message has the run's kind."""
    context = AskingContext(sqlite, {"test": Provider("test", "http://127.0.0.1:9/v1")}, {})
    run = begin_asking(context, "sit", [Model("test", "a")], {})
    with pytest.raises(Conflict, match="'sit'"):
        read_run(sqlite, run.id, KIND)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nonsense", "is not JSON"),
        ("[1]", "is not an object"),
        ('{"answer": "x"}', "has no text"),
        ('{"stem": "x", "options": "y"}', "has `options` that are not a list of texts"),
        ('{"stem": "x", "passage": 1}', "has a `passage` that is not a text"),
        ('{"stem": "x", "language": "fr"}', "has the `language` 'fr': write en or zh"),
    ],
)
def test_a_bad_line_of_a_file_is_reported(tmp_path: Path, line: str, message: str) -> None:
    """The message has the line's number and says what to write."""
    path = tmp_path / "questions.jsonl"
    path.write_text('{"stem": "fine"}\n' + line + "\n")
    with pytest.raises(InvalidInput, match=f"questions.jsonl:2: {message}"):
        file_source(path, 5, random.Random(0))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_control_can_be_replayed_in_both_languages(language: str) -> None:
    """Every made-up question has a piece to hide, and all are different."""
    source = control_source([language], 60, random.Random(1))  # type: ignore[list-item]
    assert (len(source.items), source.short, len({item.text for item in source.items})) == (60, 0, 60)
    assert all(restored(item.hidden, item) for item in source.items)


def test_a_source_is_restored_from_its_description() -> None:
    """A run's plan has everything that is needed to resume the study."""
    source = control_source(["en", "zh"], 5, random.Random(1))
    assert described_source(source.described()) == source


def test_a_question_is_undecided_while_missing_attempts_could_decide_it() -> None:
    """Two right or two wrong attempts decide a question; one right and one wrong attempt do not."""
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
    own = recall(
        "m", source, [[_row(piece if number < 30 else "no")] * 3 for number, piece in enumerate(pieces)]
    )
    control = recall("m", _first(source, 50), [[_row("no")] * 3 for _ in range(50)])
    above = difference(own, control)
    exact, exact_control = clopper_pearson(30, 100), clopper_pearson(0, 50)
    assert above is not None
    assert above.value == pytest.approx(0.3)
    assert above.low == pytest.approx(0.3 - ((0.3 - exact.low) ** 2 + exact_control.high**2) ** 0.5)
    assert above.high == pytest.approx(exact.high)


def _first(source: ClozeSource, n: int) -> ClozeSource:
    return ClozeSource(source.name, source.kind, source.items[:n])


def _row(text: str) -> Any:
    filled = dict.fromkeys(CallRow._fields)
    return CallRow(**{**filled, "status": "ok", "answer": text})  # type: ignore[arg-type]
