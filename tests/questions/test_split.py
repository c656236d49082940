"""Taking documents apart into questions."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import pytest
from every_row import every_row
from hypothesis import given
from hypothesis import strategies as st

from assay.core.question import QuestionKind
from assay.questions.profiles.profile import DocumentProfile, built_in
from assay.questions.recognise import Recognised, recognise
from assay.questions.refusal import Reason, RefusedRecord
from assay.questions.repair import Repair
from assay.questions.split import choose_document_profile, draft_of, split
from assay.questions.splitting.parts import SplitDocument

CHOICE, MATERIAL = QuestionKind.MULTIPLE_CHOICE, QuestionKind.MATERIAL_ANALYSIS
LINES = """1. who?|2. what|3、甲|(1) sub|(2) sub|A. x|B. y|A. x B. y|D. w|答案：A|Answer: B|解析：因
一、选择题|二、材料分析题|参考答案|Answers|1-3 ABC|1. A 2. B|材料：从前|Read the following passage.
text|| |第二章 乙|5. five"""
PIECES = st.sampled_from(LINES.replace("\n", "|").split("|"))


@dataclass(frozen=True)
class Read:
    """A document taken apart, with what each question came to, by its number."""

    split: SplitDocument
    found: list[tuple[str, Recognised | RefusedRecord]]

    def good(self, name: str) -> Recognised:
        """The only question of that number."""
        (found,) = [each for number, each in self.found if number == name]
        assert isinstance(found, Recognised), found
        return found

    def reasons(self) -> list[Reason]:
        """Why questions and lines were refused."""
        refused = [each for _, each in self.found if isinstance(each, RefusedRecord)]
        return [each.reason for each in (*refused, *(stray.refused for stray in self.split.strays))]


def read(text: str, *, wrapped: bool = False) -> Read:
    """Take a text apart by the profile that suits it."""
    lines = text.strip("\n").split("\n")
    taken = split(lines, choose_document_profile(lines))
    found = []
    for part in taken.parts:
        draft = draft_of(part, wrapped=wrapped)
        found.append((part.name, draft if isinstance(draft, RefusedRecord) else recognise(draft)))
    return Read(taken, found)


@every_row(
    "number",
    [
        "1.",
        "1、",
        "1)",
        "(1)",
        "（1）",
        "1．",
        "１．",
        "第1题",
        "Q1:",
        "Q1.",
        "Question 1",
        "Question 1:",
        "一、",
    ],
)
def test_every_numbering_style_begins_a_question(number: str) -> None:
    """Half- and full-width, English and Chinese."""
    assert read(f"{number} What is it?\nAnswer: a cat\n").good("1").stem == "What is it?"


@every_row(
    "options",
    [
        "A. one\nB. two",
        "A、one\nB、two",
        "(A) one\n(B) two",
        "（A）one\n（B）two",
        "A) one\nB) two",
        "Ａ．one\nＢ．two",
        "A. one  B. two",
        "A．one　B．two",
        "(A) one (B) two",
        "A: one\nB: two",
    ],
)
def test_every_option_style_is_read(options: str) -> None:
    """One to a line or several on one, half- and full-width."""
    found = read(f"1. Which?\n{options}\n答案：B").good("1")
    assert (found.kind, found.options, found.key.answers) == (CHOICE, ("one", "two"), ("B",))


def test_options_may_stand_behind_the_question() -> None:
    """On one line, all of it."""
    found = read("1. Which is big? A. Ant B. Bear C. Cat\n2. Next? A. x B. y\nAnswers\n1. B 2. A").good("1")
    assert (found.stem, found.options) == ("Which is big?", ("Ant", "Bear", "Cat"))


@pytest.mark.parametrize(
    "marker", ["Answer: B", "答案：B", "【答案】B", "参考答案：B", "Ans: B.", "[答案] B", "正确答案： (B)"]
)
def test_every_answer_marker_is_read(marker: str) -> None:
    """Beside a question, and behind its last option."""
    for between in ("\n", "  "):
        assert read(f"1. Which?\nA. one\nB. two{between}{marker}").good("1").key.answers == ("B",)


@pytest.mark.parametrize("marker", ["解析：", "【解析】", "Explanation: ", "【详解】", "Rationale: "])
def test_an_explanation_goes_on_to_the_next_question(marker: str) -> None:
    """On the key's own line or below it, over several lines."""
    found = read(f"1. Which?\nA. one\nB. two\n答案：B {marker}two\nis even.\n2. Next?\n答案：yes")
    assert found.good("1").key.explanation == "two\nis even."
    below = read(f"1. Which?\nA. one\nB. two\n答案：B\n{marker}two is even.\n2. Next?\n答案：yes")
    assert below.good("1").key.explanation == "two is even."


@pytest.mark.parametrize(
    ("heading", "kind", "key"),
    [
        ("一、名词解释（每题5分）", QuestionKind.TERM_EXPLANATION, "法治是……"),
        ("二、判断题", QuestionKind.TRUE_OR_FALSE, "错误"),
        ("Part II True or False (10 points)", QuestionKind.TRUE_OR_FALSE, "F"),
        ("Section B Short answer", QuestionKind.SHORT_ANSWER, "Because."),
        ("（三）简答题", QuestionKind.SHORT_ANSWER, "因为……"),
        ("第三部分 填空题", QuestionKind.FILL_IN_THE_BLANK, "甲"),
    ],
)
def test_a_heading_tells_the_kind(heading: str, kind: QuestionKind, key: str) -> None:
    """In both languages, with or without the points."""
    assert read(f"{heading}\n1. 甲____乙\n答案：{key}").good("1").kind is kind


def test_answers_at_the_end_as_a_range() -> None:
    """`1-3 BAB`, and `4. T  5. F` beside it."""
    found = read(
        "1. a?\nA. x\nB. y\n2. b?\nA. x\nB. y\n3. c?\nA. x\nB. y\n"
        "True or False\n4. d.\n5. e.\nAnswer Key\n1-3 BAB\n4. T  5. F"
    )
    assert [found.good(name).key.answers for name in "12345"] == [
        ("B",),
        ("A",),
        ("B",),
        ("True",),
        ("False",),
    ]
    assert found.reasons() == []


def test_answers_at_the_end_by_section() -> None:
    """Numbers that begin at 1 in each section are told apart by the headings among the answers."""
    found = read(
        "一、选择题\n1. 甲？\nA. 一\nB. 二\n二、判断题\n1. 乙。\n2. 丙。\n参考答案\n"
        "一、选择题\n1. B\n二、判断题\n1. √\n2. ×"
    )
    assert [each.key.answers for _, each in found.found if isinstance(each, Recognised)] == [
        ("B",),
        ("True",),
        ("False",),
    ]


def test_long_answers_at_the_end() -> None:
    """Text goes on until the next number; an explanation is kept apart."""
    found = read("1. Why?\n2. How?\nAnswers\n1. Because\nof this.\nExplanation: see there.\n2. Somehow.")
    assert found.good("1").key.answers == ("Because\nof this.",)
    assert found.good("1").key.explanation == "see there."


def test_answers_that_fit_several_questions_are_refused() -> None:
    """Two sections from 1 and answers without headings: none gets any, and every line has a reason."""
    found = read("一、选择题\n1. 甲？\nA. 一\nB. 二\n二、判断题\n1. 乙。\n参考答案\n1. B")
    assert found.reasons() == [Reason.NO_KEY, Reason.NO_KEY, Reason.AMBIGUOUS_ANSWER]
    case = read("一、案例分析题\n1. 事\n(1) 乙。\n二、选择题\n1. 甲？\nA. 一\nB. 二\n参考答案\n1. (1) B")
    assert Reason.AMBIGUOUS_ANSWER in case.reasons()


def test_an_answer_without_a_question_is_refused() -> None:
    """A number in the answers that no question has."""
    assert read("1. a?\nA. x\nB. y\nAnswers\n1. B\n2. A").reasons() == [Reason.UNUSED_ANSWER]


def test_material_is_shared_by_the_questions_after_it() -> None:
    """Until the numbers that it names are over."""
    found = read(
        "阅读下列材料，回答1-2题。\n从前有座山。\n"
        "1. 有什么？\n答案：山\n2. 何时？\n答案：从前\n3. 别的？\n答案：无"
    )
    assert found.good("1").passage == found.good("2").passage == "阅读下列材料，回答1-2题。\n从前有座山。"
    assert (found.good("1").kind, found.good("3").passage) == (MATERIAL, None)


def test_a_case_with_questions_of_its_own() -> None:
    """`1. case … (1) … (2) …`, answered together: each question gets its piece and the case."""
    found = read(
        "三、案例分析题\n1. 甲去世，留下遗产。\n(1) 谁继承？\n(2) 多少？\n答案：(1) 妻子。(2) 一半。"
    )
    assert found.good("1(1)").key.answers == ("妻子。",)
    assert (found.good("1(2)").passage, found.good("1(2)").stem) == ("甲去世，留下遗产。", "多少？")


def test_material_without_a_question_is_refused() -> None:
    """It is no part of what comes after the next heading."""
    found = read("一、材料分析题\n材料：从前有座山。\n二、简答题\n1. 何故？\n答案：无")
    assert (found.reasons(), found.good("1").passage) == ([Reason.UNUSED_PASSAGE], None)


def test_missing_and_doubled_numbers_are_told() -> None:
    """A gap in 1, 2, 5 and a number that stands twice."""
    text = "".join(f"{number}. Q{number}?\nA. x\nB. y\n答案：A\n" for number in (1, 2, 5, 5))
    assert read(text).split.notes == ["missing before question 5: 3-4", "number 5 is repeated"]


def test_two_questions_on_a_line_are_taken_apart() -> None:
    """Where the next number and option A stand inside a line."""
    found = read("1. Noun? A. run B. cat 2. Verb? A. eat B. dog\n3. Last? A. x B. y\nAnswers\n1-3 BAA")
    assert [found.good(name).options for name in "12"] == [("run", "cat"), ("eat", "dog")]


@every_row(
    "text, reason",
    [
        ("1. a?\nA. x\nB. y\nA. z\nB. w\n答案：A", Reason.OVERLAP),
        ("1. a?\n答案：x\n答案：y", Reason.OVERLAP),
        ("1. a?\nA. x\nB. y\nD. w\n答案：A", Reason.OPTION_GAP),
        ("1. a?\nA. x\nB. y\nB. w\n答案：A", Reason.OPTION_TWICE),
        ("1. a?\nA. x\nB. x\n答案：A", Reason.SAME_OPTIONS),
        ("1. a?\nA. x\nB. y\n答案：C", Reason.KEY_BEYOND),
        ("1. a?\nA. x\nB.\n答案：A", Reason.EMPTY_OPTION),
        ("1. a?\nA. x\nB. y", Reason.NO_KEY),
        ("一、单选题\n1. a?\nA. x\nB. y\n答案：AB", Reason.SEVERAL_KEYS),
        ("一、选择题\n1. a?\n答案：A", Reason.NO_OPTIONS),
        ("二、判断题\n1. a。\n答案：中国", Reason.NEITHER),
        ("三、填空题\n1. a____b____\n答案：x；y；z", Reason.BLANKS),
        ("三、填空题\n1. 没有空。\n答案：x", Reason.NO_BLANK),
        ("1. who\ufffd?\n答案：x", Reason.LOST),
        ("1.\n答案：x", Reason.NO_STEM),
    ],
)
def test_each_defect_has_its_reason(text: str, reason: Reason) -> None:
    """Overlap, gaps, misclassified kinds, keys that do not fit, lost characters."""
    assert read(text).reasons() == [reason]


def test_text_that_stands_apart_is_no_option() -> None:
    """An unnumbered question after a finished one does not end up inside its last option."""
    found = read("1. a?\nA. x\nB. y\n\nWho wrote this?\nA. p\n2. b?\nA. x\nB. y\nAnswers\n1. A 2. B")
    assert found.good("1").options == ("x", "y")
    assert found.reasons() == [Reason.OUTSIDE, Reason.OUTSIDE]


def test_a_list_in_an_answer_begins_no_question() -> None:
    """1, 2, 3 inside the answer to question 1; the second question follows it."""
    found = read("1. 条件？\n答案：\n1. 甲\n2. 乙\n3. 丙\n2. 意义？\n答案：丁")
    assert found.good("1").key.answers == ("1. 甲\n2. 乙\n3. 丙",)
    assert found.good("2").stem == "意义？"


def test_a_decimal_begins_no_question() -> None:
    """`2.5 kg` at the start of a line is no second question."""
    assert (
        read("1. How much is\n2.5 kg times 2?\nAnswer: 5 kg").good("1").stem == "How much is\n2.5 kg times 2?"
    )


def test_a_key_in_the_question_s_brackets_is_taken_out() -> None:
    """Letters of a choice, the sign of a statement: they would tell the candidate the answer."""
    choice = read("1. 正确的是（ B ）。\nA. 一\nB. 二").good("1")
    assert (choice.stem, choice.key.answers, choice.repairs) == (
        "正确的是（ ）。",
        ("B",),
        (Repair.KEY_MOVED,),
    )
    statement = read("一、判断题\n1. 地球是方的。（×）").good("1")
    assert (statement.stem, statement.key.answers) == ("地球是方的。", ("False",))
    both = read("1. 正确的是（B）。\nA. 一\nB. 二\n答案：B").good("1")
    assert both.stem == "正确的是（ ）。"


def test_options_in_two_columns_are_put_in_order() -> None:
    """A, C, B, D as two columns are read; the letters stand in the document, so the key is not in doubt."""
    found = read("1. a?\nA. 1 C. 3\nB. 2 D. 4\n答案：C").good("1")
    assert (found.options, found.key.answers, found.repairs) == (
        ("1", "2", "3", "4"),
        ("C",),
        (Repair.IN_ORDER,),
    )


def test_lines_that_the_page_broke_are_joined() -> None:
    """English with a space, Chinese without."""
    assert (
        read("1. What is the\nname of it?\nAnswer: cat", wrapped=True).good("1").stem
        == "What is the name of it?"
    )
    assert read("1. 这是什\n么东西？\n答案：猫", wrapped=True).good("1").stem == "这是什么东西？"


def test_the_profile_is_chosen_by_the_marks() -> None:
    """Chinese, English, and both in one document."""
    texts = {"chinese": "1、甲\n答案：乙", "english": "Question 1: x\nAnswer: y", "mixed": "1、甲\nAnswer: y"}
    chosen = {name: choose_document_profile(text.split("\n")).name for name, text in texts.items()}
    assert chosen == {name: name for name in texts}


def test_a_profile_of_the_user() -> None:
    """Numbers, letters and markers of one's own."""
    profile = DocumentProfile.model_validate(
        {
            "name": "mine",
            "format": "document",
            "numbers": ["Aufgabe {1}"],
            "options": ["{A} -"],
            "answers": ["Lösung"],
        }
    )
    (part,) = split(["Aufgabe 1", "Was?", "A - x", "B - y", "Lösung: B"], profile).parts
    assert (part.options, part.key) == ([("A", "x"), ("B", "y")], ["B"])


@given(st.lists(PIECES, max_size=25), st.sampled_from(["chinese", "english", "mixed"]))
def test_every_line_ends_up_somewhere(lines: list[str], name: str) -> None:
    """Whatever the order of the lines: each is told a kind, or is in a part, a material or a stray piece."""
    profile = built_in(name)
    assert isinstance(profile, DocumentProfile)
    found = split(lines, profile)
    places = Counter(found.kinds)
    places.update({place for part in found.parts for place in part.lines})
    places.update({place for part in found.parts if part.material for place in part.material.lines})
    places.update({place for stray in found.strays for place in stray.lines})
    assert set(places) == set(range(len(lines)))
    for part in found.parts:
        assert part.lines == sorted(part.lines)


def test_a_section_that_begins_after_a_gap_is_read() -> None:
    """A question that is missing at the start of a section takes none of the later ones with it."""
    text = "一、单选题\n1. 甲？\nA. 一\nB. 二\n答案：A\n二、简答题\n3. 乙是什么？\n"
    text += "答案：丙\n4. 丁是什么？\n答案：戊"
    found = read(text)
    assert [name for name, _ in found.found] == ["1", "3", "4"]
    assert found.split.notes == ["missing before question 3: 2"]


def test_a_year_after_the_number_is_no_decimal() -> None:
    """`8．1912年` is question 8 about 1912, in the questions and in the answers."""
    text = "1．1912年____成立。\n2、1921年的____年前是哪年？\n参考答案\n1．19世纪的中华民国\n2．1920"
    found = read(text)
    assert [found.good(name).key.answers for name in "12"] == [("19世纪的中华民国",), ("1920",)]


def test_a_statement_that_begins_with_its_kind_is_no_heading() -> None:
    """`5. 判断：… （ ）` has an answer space: it is a question, and what follows it is not lost."""
    text = "4. 甲？\nA. 一\nB. 二\n【答案】A\n5. 判断：图是树。（ ）\n【答案】×\n6. 乙是什么？\n【答案】丙"
    assert [name for name, _ in read(text).found] == ["4", "5", "6"]


def test_a_marked_line_below_a_heading_is_told_of() -> None:
    """What looks like a question or an answer is never counted as a part of the heading."""
    found = read("一、单选题\n1. 甲？\nA. 一\nB. 二\n答案：A\n二、判断题\n【答案】×\n77. 乙。")
    assert found.reasons() == [Reason.OUTSIDE, Reason.OUTSIDE]


def test_the_argument_of_a_function_is_no_option() -> None:
    """`P(A) = 0.3` stands in the question, and its options begin below."""
    text = "1. If P(A) = 0.3 and P(B) = 0.5, what is P(A or B)?\nA) 0.8\nB) 0.65\nAnswer: B"
    assert read(text).good("1").options == ("0.8", "0.65")
