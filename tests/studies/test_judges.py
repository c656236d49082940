"""Agreement of judges: the figures of a table of marks, and the figures that it cannot give."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from assay.core.errors import InvalidInput
from assay.results.agreement import Agreement, JudgeFigures
from assay.studies import judges as module
from assay.studies.judges import file_agreement

Line = Sequence[object]


def agreement(folder: Path, header: str, lines: Sequence[Line], **options: Sequence[str]) -> Agreement:
    """Return the agreement of a CSV table with these rows."""
    path = folder / "marks.csv"
    path.write_text("\n".join([header, *(",".join(map(str, line)) for line in lines)]) + "\n")
    return file_agreement(path, **options)


def judge(result: Agreement, name: str) -> JudgeFigures:
    """Return one judge's figures."""
    return next(figures for figures in result.figures.judges if figures.judge == name)


def simulated(favour: float, *, seed: int = 1) -> list[Line]:
    """Return marks of three judges on 6 models and 40 prompts; gpt-9 adds `favour` to models of openai."""
    rng = np.random.default_rng(seed)
    names = ["gpt-a", "gpt-b", "claude-a", "llama-a", "mistral-a", "gemma-a"]
    lines: list[Line] = []
    for prompt in range(40):
        for number, model in enumerate(names):
            worth = 5.0 + number / 3 + rng.normal(0, 0.5)
            for name in ("gpt-9", "k", "l"):
                own = favour if name == "gpt-9" and model.startswith("gpt") else 0.0
                mark = round(float(np.clip(worth + own + rng.normal(0, 0.7), 1, 10)))
                lines.append((prompt, model, name, mark))
    return lines


@pytest.mark.slow
def test_a_planted_family_preference_is_found(tmp_path: Path) -> None:
    """With a preference of one mark the interval contains 1 and excludes 0; without one it contains 0."""
    header = "item,model,judge,mark"
    planted = judge(agreement(tmp_path, header, simulated(1.0)), "gpt-9").own_family
    none = judge(agreement(tmp_path, header, simulated(0.0)), "gpt-9").own_family
    assert planted is not None and planted.excess.interval is not None
    assert 0.0 < planted.excess.interval.low < 1.0 < planted.excess.interval.high
    assert planted.above == 0
    assert none is not None and none.excess.interval is not None
    assert none.excess.interval.low < 0.0 < none.excess.interval.high


@pytest.mark.slow
def test_a_planted_preference_for_length_is_found(tmp_path: Path) -> None:
    """The slope is half a mark for each doubling, compared with the other judges."""
    rng = np.random.default_rng(2)
    lines: list[Line] = []
    for prompt in range(60):
        for model in range(4):
            length = int(rng.integers(20, 640))
            worth = 5.0 + rng.normal(0, 1.0)
            for name, taste in (("j", 0.5), ("k", 0.0), ("l", 0.0)):
                mark = round(worth + taste * np.log2(length / 100) + rng.normal(0, 0.5), 2)
                lines.append((prompt, f"m{model}", name, mark, length))
    result = agreement(tmp_path, "item,model,judge,mark,length", lines)
    verbosity = judge(result, "j").verbosity
    assert verbosity is not None
    assert verbosity.slope.value == pytest.approx(0.5, abs=0.1)


def test_the_same_table_gives_the_same_intervals(tmp_path: Path) -> None:
    """The bootstrap has a fixed seed."""
    header, lines = "item,model,judge,mark", simulated(0.0)[:90]
    assert agreement(tmp_path, header, lines) == agreement(tmp_path, header, lines)


def test_true_and_false_are_counted(tmp_path: Path) -> None:
    """A judge that accepts one more of four is a quarter more lenient, and only nominal alpha is given."""
    rows = [(1, "true", "true"), (2, "true", "false"), (3, "false", "false"), (4, "True", "True")]
    lines = [(item, name, mark) for item, *marks in rows for name, mark in zip("jk", marks, strict=True)]
    result = agreement(tmp_path, "item,judge,mark", lines)
    above = judge(result, "j").above_others
    assert above is not None and above.value == 0.25
    assert [alpha.distance for alpha in result.figures.alphas] == ["nominal"]


def test_names_have_no_order_unless_it_is_declared(tmp_path: Path) -> None:
    """Without an order there is only kappa by name; with one there are weighted kappas and leniency."""
    lines = [
        (item, name, mark)
        for item, marks in enumerate(["gg", "gf", "bb", "ff"])
        for name, mark in zip("jk", marks, strict=True)
    ]
    plain = agreement(tmp_path, "item,judge,mark", lines)
    ordered = agreement(tmp_path, "item,judge,mark", lines, categories=["b", "f", "g"])
    assert plain.figures.pairs[0].linear is None
    assert judge(plain, "j").above_others is None
    assert any("--category" in remark for remark in plain.figures.remarks)
    assert ordered.figures.pairs[0].linear is not None
    above = judge(ordered, "j").above_others
    assert above is not None and above.value == 0.25
    assert plain.figures.pairs[0].kappa is not None and ordered.figures.pairs[0].kappa is not None
    assert plain.figures.pairs[0].kappa.value == ordered.figures.pairs[0].kappa.value


def test_measurements_have_no_kappa(tmp_path: Path) -> None:
    """Interval alpha and leniency are given, and a remark explains the missing kappa."""
    rng = np.random.default_rng(3)
    worth = rng.random(50)
    lines = [
        (item, name, round(float(worth[item]) + shift, 4))
        for item in range(50)
        for name, shift in (("j", 0.1), ("k", 0.0))
    ]
    result = agreement(tmp_path, "item,judge,mark", lines).figures
    assert result.pairs[0].kappa is None
    assert [alpha.distance for alpha in result.alphas] == ["ordinal", "interval"]
    assert any("kappa is left out" in remark for remark in result.remarks)


def test_a_third_judge_shows_that_two_judges_use_one_scale(tmp_path: Path) -> None:
    """j gives 4 and 5, k gives 3 and 4: these are two codings, unless l gives 3, 4 and 5."""
    two = [(item, name, base + item % 2) for item in range(6) for name, base in (("j", 4), ("k", 3))]
    with pytest.raises(InvalidInput, match=r"j uses the marks \{4, 5\}, k uses \{3, 4\}"):
        agreement(tmp_path, "item,judge,mark", two)
    witness = [(item, "l", 3 + item % 3) for item in range(6)]
    result = agreement(tmp_path, "item,judge,mark", [*two, *witness]).figures
    assert [pair.refused for pair in result.pairs] == [None, None, None]


@pytest.mark.parametrize(
    ("j", "k", "compared"),
    [
        ("12", "01", False),
        ("12345", "01234", False),
        ("24567", "45678", True),
        ("12345", "1234", True),
        ("123", "345", False),
        (("yes", "no"), ("true", "false"), False),
        (("a", "b", "c", "d"), ("a", "b", "c", "e"), True),
    ],
    ids=[
        "shifted",
        "shifted five",
        "mostly shared",
        "a part",
        "hardly shared",
        "words",
        "words mostly shared",
    ],
)
def test_when_two_codings_are_suspected(
    tmp_path: Path, j: Sequence[str], k: Sequence[str], compared: bool
) -> None:
    """Each judge uses marks of its own, and they share few marks or differ by a constant."""
    lines = [
        (item, name, marks[item % len(marks)]) for item in range(20) for name, marks in (("j", j), ("k", k))
    ]
    if compared:
        assert agreement(tmp_path, "item,judge,mark", lines).figures.pairs[0].kappa is not None
    else:
        with pytest.raises(InvalidInput, match="two codings"):
            agreement(tmp_path, "item,judge,mark", lines)


def test_marks_outside_the_declared_categories_are_refused(tmp_path: Path) -> None:
    """They are reported with their line, and the other rows count."""
    lines = [(1, "j", 1), (1, "k", 1), (2, "j", 7), (2, "k", 2)]
    result = agreement(tmp_path, "item,judge,mark", lines, categories=["1", "2"])
    assert [(problem.line, problem.text) for problem in result.problems] == [
        (4, "invalid mark '7': use one of the categories 1, 2")
    ]
    assert result.figures.pairs[0].n == 1


def test_a_word_among_numbers_is_refused(tmp_path: Path) -> None:
    """The scale is still one of numbers."""
    lines = [(item, name, 1 + item % 3) for item in range(20) for name in "jk"]
    lines[5] = (*lines[5][:2], "three")
    result = agreement(tmp_path, "item,judge,mark", lines)
    assert result.problems[0].line == 7
    assert result.figures.kind == "numbers"


def test_blank_marks_are_counted(tmp_path: Path) -> None:
    """A blank is not a mark, and its answer does not count for the pair."""
    result = agreement(tmp_path, "item,judge,mark", [(1, "j", 1), (1, "k", ""), (2, "j", 2), (2, "k", 2)])
    assert (judge(result, "k").marks, judge(result, "k").unread, result.figures.pairs[0].n) == (1, 1, 1)


def test_position_bias_needs_verdicts_in_both_orders(tmp_path: Path) -> None:
    """Pairs in one order are counted as unreadable, and judges are compared where A was shown first."""
    lines = [("1", "j", "AB", "A"), ("1", "j", "BA", "A"), ("2", "j", "AB", "B"), ("1", "k", "AB", "A")]
    result = agreement(tmp_path, "item,judge,order,verdict", lines)
    position = judge(result, "j").position
    assert position is not None and (position.items, position.unreadable) == (1, 1)
    assert judge(result, "k").position is None
    assert (result.figures.pairs[0].n, result.figures.answers) == (1, 2)


def test_very_many_answers_have_no_intervals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The figures are given without intervals, and a remark explains it."""
    monkeypatch.setattr(module, "MOST_ANSWERS", 3)
    lines = [(item, name, 1 + item % 3) for item in range(4) for name in "jk"]
    result = agreement(tmp_path, "item,judge,mark", lines).figures
    assert result.replicates == 0
    assert result.pairs[0].kappa is not None and result.pairs[0].kappa.interval is None
    assert any("no intervals" in remark for remark in result.remarks)


def test_numbers_of_two_codings_leave_no_leniency(tmp_path: Path) -> None:
    """j and k give 1 and 2, l gives 0 and 1: only j and k are compared."""
    judges = (("j", 1), ("k", 1), ("l", 0))
    lines = [(item, name, base + item % 2) for item in range(8) for name, base in judges]
    result = agreement(tmp_path, "item,judge,mark", lines).figures
    assert [pair.refused is None for pair in result.pairs] == [True, False, False]
    assert [figures.above_others for figures in result.judges] == [None, None, None]
    assert result.alphas == ()


def test_answers_to_one_item_are_drawn_together(tmp_path: Path) -> None:
    """A judge that is lenient on some prompts for all models has the interval of 10 prompts."""

    def width(item: str) -> float:
        lines = [
            (item.format(prompt=prompt, model=model), f"m{model}", name, 3 + (name == "j") * (prompt % 2))
            for prompt in range(10)
            for model in range(9)
            for name in "jk"
        ]
        above = judge(agreement(tmp_path, "item,model,judge,mark", lines), "j").above_others
        assert above is not None and above.interval is not None
        return above.interval.high - above.interval.low

    assert width("{prompt}") > 2 * width("{prompt}-{model}")


def test_problems_are_in_the_order_of_the_file(tmp_path: Path) -> None:
    """The check that found a problem does not matter."""
    lines = [(item, name, 1 + item % 3) for item in range(20) for name in "jk"]
    lines[4], lines[2] = (*lines[4][:2], "x"), (*lines[2], "too", "many")
    lines[8] = ("", *lines[8][1:])
    result = agreement(tmp_path, "item,judge,mark", lines)
    assert [problem.line for problem in result.problems] == [4, 6, 10]
