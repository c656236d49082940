"""The example bank: every question is sound, and its numeric keys are computed a second time."""

from __future__ import annotations

import math
import re
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from statistics import fmean, stdev

import pytest
from banked import NOW, SEALER
from fresh_database import fresh_sqlite
from sqlalchemy import Engine, text

from assay.bank.example import PAPERS, example_bank, write_example
from assay.bank.ingest import IngestOptions, import_file
from assay.bank.redundancy import find_duplicates
from assay.bank.screening import screen_bank
from assay.core.errors import Conflict
from assay.core.question import Question, QuestionKind, SourceKind
from assay.core.sealed import AnswerKey, key_about, read_key
from assay.files.documents.document import DocumentRecords
from assay.files.documents.opening import open_document
from assay.questions.draw import REPORTED
from assay.results.bank_import import Account, Fate
from assay.store.bank.questions import walk_questions
from assay.store.engine import reading

EACH = 15
FAMILIES_FOR_A_MODEL = 9
"""Three sittings of 30 questions, three of each discipline."""


@dataclass(frozen=True)
class Taken:
    """The example bank after its import."""

    engine: Engine
    accounts: dict[str, Account]
    items: tuple[tuple[Question, AnswerKey], ...]


@pytest.fixture(scope="module")
def taken(tmp_path_factory: pytest.TempPathFactory) -> Taken:
    """Import all files as the quickstart does."""
    folder = tmp_path_factory.mktemp("example")
    engine = fresh_sqlite(folder / "assay.db")
    accounts = {}
    for path in write_example(folder / "files"):
        account = import_file(
            engine, path, IngestOptions(discipline=PAPERS.get(path.name)), sealer=SEALER, clock=lambda: NOW
        )
        accounts[path.name] = account
    items = tuple(
        (each.question, read_key(SEALER.open(each.sealed, key_about(each.question.uuid, 1))))
        for each in walk_questions(engine)
    )
    return Taken(engine, accounts, items)


def test_every_entry_becomes_a_question(taken: Taken) -> None:
    """Nothing is rejected, repeated or repaired in any of the ten files."""
    for name, account in taken.accounts.items():
        assert account.fates[Fate.REJECT] == account.repeated == 0, (name, account.reasons)
        assert not account.repairs, (name, account.repairs)
        assert sum(account.kinds.values()) == EACH, name


def test_every_discipline_has_families_for_five_sittings_of_thirty(taken: Taken) -> None:
    """Fifteen families in each of the ten subjects are enough for five sittings."""
    with reading(taken.engine) as connection:
        rows = connection.execute(
            text("SELECT discipline, count(DISTINCT family) AS families FROM questions GROUP BY discipline")
        )
        families = {row.discipline: row.families for row in rows}
    assert families == dict.fromkeys(REPORTED, EACH)
    assert EACH >= FAMILIES_FOR_A_MODEL


def test_the_screening_finds_nothing(taken: Taken) -> None:
    """No finding that blocks or warns, and no near-duplicates."""
    assert find_duplicates(taken.engine, now=NOW).pairs == ()
    screened = screen_bank(taken.engine, SEALER)
    assert screened.kinds == {}
    assert len(screened.clean) == EACH * len(REPORTED)


def test_kinds_and_languages_are_mixed(taken: Taken) -> None:
    """Every kind occurs, with tables and texts as material, and each language makes up a third or more."""
    kinds = Counter(question.kind for question, _ in taken.items)
    assert {kind: count >= 10 for kind, count in kinds.items()} == dict.fromkeys(QuestionKind, True)
    languages = Counter(question.language for question, _ in taken.items)
    assert min(languages["en"], languages["zh"]) >= len(taken.items) / 3
    passages = [question.passage for question, _ in taken.items if question.passage]
    assert sum("|---|" in passage for passage in passages) >= 5
    assert sum("|---|" not in passage for passage in passages) >= 3


def test_questions_have_the_right_language(taken: Taken) -> None:
    """A Chinese question has Chinese words, and an English one has none."""
    for question, key in taken.items:
        shown = " ".join((question.stem, *question.options, question.passage or "", *key.answers[:1]))
        assert bool(re.search("[\u4e00-\u9fff]", shown)) == (question.language == "zh"), question.stem


def test_keys_have_their_form(taken: Taken) -> None:
    """A choice has four options; letters are in order; every key has an explanation, open ones a scheme."""
    for question, key in taken.items:
        assert key.explanation, question.stem
        if question.kind is QuestionKind.MULTIPLE_CHOICE:
            assert len(question.options) == 4, question.stem
            assert list(key.answers) == sorted(key.answers)
            assert 1 <= len(key.answers) < 4, question.stem
        if question.kind is QuestionKind.MATERIAL_ANALYSIS:
            assert key.explanation.startswith(("Marking: ", "评分要点：")), question.stem


def test_a_constant_answer_scores_low(taken: Taken) -> None:
    """One letter for all choices is right in less than 40 %, True for all statements in less than 60 %."""
    single = Counter(
        key.answers
        for question, key in taken.items
        if question.kind is QuestionKind.MULTIPLE_CHOICE and len(key.answers) == 1
    )
    assert max(single.values()) < 0.4 * single.total()
    assert min(single.values()) > 0.1 * single.total()
    truths = Counter(
        key.answers for question, key in taken.items if question.kind is QuestionKind.TRUE_OR_FALSE
    )
    assert max(truths.values()) < 0.6 * truths.total()


def test_records_are_numbered(tmp_path: Path) -> None:
    """Ids in tables are discipline and number, in order; papers are numbered without gaps."""
    ids: list[str] = []
    for path in write_example(tmp_path / "files"):
        document = open_document(path)
        if isinstance(document, DocumentRecords):
            listed = [each.value["id"] for each in document if isinstance(each.value, dict)]
            assert listed == [f"{path.stem}-{number:02}" for number in range(1, EACH + 1)]
            ids += listed
        else:
            numbers = [
                int(found[1]) for line in document.lines if (found := re.match(r"(\d+)\. ", line.text))
            ]
            assert numbers == list(range(1, EACH + 1)), path.name
    assert len(set(ids)) == len(ids) == EACH * 8


COMPUTED: dict[str, Callable[[], str]] = {
    "Euler buckling load": lambda: {Fraction(1, 4): "A"}[Fraction(1, 2**2)],
    "A pump lifts": lambda: f"{1000 * 9.81 * 0.05 * 12 / 0.75 / 1000:.2f}",
    "Resistors of 3 Ω": lambda: f"{12 / (4 + 1 / (1 / 3 + 1 / 6)) * 6 / (3 + 6):.2f} A",
    "A steel rod": lambda: f"{40e3 * 2.0 / (400e-6 * 200e9) * 1000:.1f} mm",
    "the five results": lambda: (
        f"Mean {fmean([34.1, 36.5, 31.9, 35.5, 37.0]):.1f} MPa, sample standard deviation about "
        f"{stdev([34.1, 36.5, 31.9, 35.5, 37.0]):.2f}"
    ),
    "主动轮有 20 个齿": lambda: f"{1500 * 20 // 60}",
    "price elasticity of demand for a good": lambda: {-2.0: "B"}[-0.5 * 4],
    "A bond pays": lambda: f"{5 / 1.04 + 105 / 1.04**2:.2f}",
    "marginal propensity to consume": lambda: f"{20 / (1 - 0.75):.0f}",
    "Demand is Q": lambda: f"P = {(120 - 30) // 3} and Q = {120 - 2 * 30}",
    "Which output maximises profit": lambda: (
        f"best output is {best_output()[0]} units, with a profit of {best_output()[1]}"
    ),
    "平减指数为 120": lambda: f"{2400 * 100 // 120}",
    "30 人答对第 5 题": lambda: f"{30 / 40}",
    "标准分数 z": lambda: f"{(82 - 70) / 8}",
    "净增分是多少": lambda: f"净增 {(75 - 60) - (70 - 61)} 分",
    "A claim that arose on 14 March 2021": lambda: f"{2021 + 3}",
    "Each child receives": lambda: f"{240_000 // 2 // 3:,}".replace(",", " "),
    "claimant 30 % at fault": lambda: f"{round(50_000 * 0.7):,}".replace(",", " "),
    "economic order quantity": lambda: f"{math.sqrt(2 * 3600 * 50 / 4):.0f}",
    "break even": lambda: f"{48_000 // (20 - 12)} units",
    "A project has five activities": lambda: f"{3 + max(5, 4 + 6) + 2} days",
    "net present value of both": lambda: (
        f"about {60 / 1.1 + 60 / 1.1**2 - 100:.1f} and Q of about {125 / 1.1**2 - 100:.1f}"
    ),
    "速动比率": lambda: f"{(600 - 200) / 320}",
    "pH of hydrochloric acid": lambda: {3.0: "C"}[-math.log10(0.001)],
    "The determinant": lambda: f"{2 * 4 - 1 * 5}",
    "A stone falls": lambda: f"{math.sqrt(2 * 10 * 20):.0f} m/s",
    "product of the two numbers is even": lambda: str(
        Fraction(sum(a * b % 2 == 0 for a in range(1, 7) for b in range(1, 7)), 36)
    ),
    "腺嘌呤占全部碱基": lambda: f"{(100 - 2 * 30) // 2}",
    "f(x) = x³": lambda: "最小值 −2（在 x = 1 处），最大值 2（在 x = 2 处）" if extremes() == (-2, 2) else "",
    "总光合速率是多少": lambda: f"总光合速率为 8 + 4 = {8 - -4}",
    "dates were left out": lambda: f"{15 - 4 - 1}",
    "ships fall from 1621": lambda: f"about {(38 - 12) / 38 * 100:.0f} %",
    "One dose is": lambda: f"{18 * 15 / 120 * 5:.2f}",
    "person who tests positive": lambda: f"{100 * 0.018 / (0.018 + 0.98 * 0.05):.1f} %",
    "number needed to treat": lambda: f"{1 / (0.12 - 0.08):.0f}",
    "relative risk and the risk": lambda: (
        f"risk is {Fraction(30, 200) / Fraction(10, 200)} and the risk difference is {20 / 200:.2f}"
    ),
    "体重指数": lambda: f"{70 / 1.75**2:.1f}",
    "A convoy of 40": lambda: f"{39 * 50 + 10}",
    "Lanchester": lambda: f"{math.sqrt(500**2 - 300**2):.0f}",
    "A column of 3 km": lambda: f"{3 / 5 * 60:.0f} minutes",
    "How many lorries must it have": lambda: (
        f"{600 * (6.0 + 1.5 + 2.5):.0f} kg a day. It must have {math.ceil(600 * 10 / 4000 / 0.8)} lorries"
    ),
}
"""By a piece of the question: the value of its key, computed from the question's data."""


def best_output() -> tuple[int, int]:
    """Return the output with the greatest profit at a price of 16, and that profit."""
    profits = [16 * output - cost for output, cost in enumerate((20, 30, 36, 45, 60, 80))]
    assert profits.count(max(profits)) == 1
    return profits.index(max(profits)), max(profits)


def extremes() -> tuple[int, int]:
    """Return the least and greatest value of x³ - 3x on a fine grid over [0, 2]."""
    values = [Fraction(step, 100) ** 3 - 3 * Fraction(step, 100) for step in range(201)]
    return int(min(values)), int(max(values))


@pytest.mark.parametrize("piece", COMPUTED)
def test_a_numeric_key_equals_the_computed_value(taken: Taken, piece: str) -> None:
    """Exactly one question has the piece, and its key contains the computed value."""
    ((question, key),) = [each for each in taken.items if piece in each[0].stem]
    expected = COMPUTED[piece]()
    if question.kind is QuestionKind.FILL_IN_THE_BLANK or question.options:
        assert key.answers == (expected,)
    else:
        assert expected, piece
        assert expected in key.answers[0]


def test_every_numeric_key_is_computed(taken: Taken) -> None:
    """Every fill-in with a numeric answer is in the list above."""
    for question, key in taken.items:
        if question.kind is QuestionKind.FILL_IN_THE_BLANK and re.fullmatch(r"[\d. ]+", key.answers[0]):
            assert any(piece in question.stem for piece in COMPUTED), question.stem


def test_example_files_are_recognised_under_any_name(taken: Taken, tmp_path: Path) -> None:
    """The source gets the kind `example`, whatever the options and the file name."""
    with reading(taken.engine) as connection:
        kinds = set(connection.execute(text("SELECT kind FROM sources")).scalars())
    assert kinds == {SourceKind.EXAMPLE.value}
    other, engine = tmp_path / "mine.jsonl", fresh_sqlite(tmp_path / "other.db")
    shutil.copy(str(example_bank() / "tables" / "science.json"), other.with_suffix(".json"))
    import_file(
        engine,
        other.with_suffix(".json"),
        IngestOptions(kind=SourceKind.POSTGRADUATE),
        sealer=SEALER,
        clock=lambda: NOW,
    )
    with reading(engine) as connection:
        assert connection.execute(text("SELECT kind FROM sources")).scalar_one() == SourceKind.EXAMPLE.value


def test_it_is_written_to_a_new_folder_only(tmp_path: Path) -> None:
    """A folder that is not empty is refused."""
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(Conflict, match="not empty"):
        write_example(tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == ["mine.txt"]
