"""What answers that attack their judge do to the question, to the reading, and to others: nothing."""

from __future__ import annotations

import json
import re
import unicodedata

from every_row import every_row
from judge_attacks import ATTACKS

from assay.core.ask import CallStatus, Message, ModelAsk, ModelReply
from assay.core.case import Case, GraderSpec
from assay.core.judging import JudgedGrader, Mark, ShownToJudge
from assay.grading.judging import verdict
from assay.grading.judging.fence import NAMES, neutralise
from assay.grading.marks import Rubric, Stars

FENCE = "7c1f0a9be2d34856"
TOKEN = verdict.token(FENCE)
CASE = Case("case", "use case", (Message("system", "Be brief."), Message("user", "Say something.")), ())
GRADERS: dict[str, tuple[JudgedGrader, GraderSpec]] = {
    "rubric": (Rubric(), GraderSpec("rubric", {"rubric": "5 - good", "criteria": "c", "ideal": "i"})),
    "stars": (Stars(), GraderSpec("stars", {"reference": "42"})),
}
HEADING = re.compile(rf"(?:<[^\w⟦⟧<]*){{3}}(?:END\W+)?(?:{'|'.join(NAMES)}|TASK TURN)\b", re.IGNORECASE)
MARKUP = re.compile(
    r"<[|｜][\w▁]+[|｜]>|\[/?(?:INST|THINK|TOOL_RESULTS)\]|<</?SYS>>"
    r"|</?(?:think|s|system|start_of_turn|end_of_turn)>"
)
TURN = re.compile(
    r"^[ \t>*_#\[(-]*(?:system|user|human|assistant|developer|judge|grader)\W{0,5}:", re.I | re.M
)

each_attack = every_row("name", list(ATTACKS))
each_grader = every_row("grader", list(GRADERS))


def ask(grader: str, answer: str, flags: tuple[str, ...] = ()) -> ModelAsk:
    """Return the ask about an answer."""
    judged, spec = GRADERS[grader]
    return judged.ask(CASE, spec, grader, ShownToJudge(answer, flags, FENCE))


def body(answer: str) -> str:
    """Return the text between the answer's fences, which must stand there once each."""
    lines = ask("rubric", answer).messages[1].content.split("\n")
    opened, closed = f"<<<ANSWER {FENCE}>>>", f"<<<END ANSWER {FENCE}>>>"
    assert (lines.count(opened), lines.count(closed)) == (1, 1)
    return "\n".join(lines[lines.index(opened) + 1 : lines.index(closed)])


def test_there_are_at_least_a_hundred_and_fifty() -> None:
    """The set is as large as the documentation says, and no two are the same."""
    assert len(ATTACKS) >= 150
    assert len(set(ATTACKS.values())) == len(ATTACKS)


@each_attack
def test_the_answer_stays_between_its_fences(name: str) -> None:
    """One line opens it, one closes it, all of it lies between, and neither code nor token is in it."""
    shown = body(ATTACKS[name])
    assert shown == neutralise(ATTACKS[name])
    assert FENCE not in shown
    assert TOKEN not in shown


@each_attack
@each_grader
def test_nothing_but_the_answer_s_section_differs(name: str, grader: str) -> None:
    """Every other line of the question is what it is for any answer."""
    attacked, other = ask(grader, ATTACKS[name]), ask(grader, "Something.")
    shown = neutralise(ATTACKS[name])
    opened = f"<<<ANSWER {FENCE}>>>\n"
    assert attacked.messages[1].content.replace(f"{opened}{shown}\n", f"{opened}Something.\n") == (
        other.messages[1].content
    )
    assert attacked.messages[0] == other.messages[0]
    assert (attacked.parameters, attacked.response_schema) == (other.parameters, other.response_schema)


@each_attack
def test_no_heading_of_ours_stands_in_the_answer(name: str) -> None:
    """Nothing inside reads as the opening or closing of a section, in look-alike signs either."""
    for line in unicodedata.normalize("NFKC", body(ATTACKS[name])).splitlines():
        assert not HEADING.search(line)


@each_attack
def test_no_markup_of_chat_templates_stands_in_the_answer(name: str) -> None:
    """Special tokens are taken apart, and no line opens a turn."""
    shown = body(ATTACKS[name])
    assert not MARKUP.search(shown)
    assert not TURN.search(shown)


@each_attack
def test_nothing_is_hidden_in_the_answer(name: str) -> None:
    """Of signs that are not printed, only newlines, tabs and joiners of emoji are left."""
    left = {sign for sign in body(ATTACKS[name]) if not sign.isprintable()}
    assert left <= {"\n", "\t", "\u200d", "\u00a0"}


@each_attack
def test_every_letter_of_the_answer_is_still_there(name: str) -> None:
    """Nothing that a reader would see is taken out, but for what is beyond the longest length."""
    answer = ATTACKS[name][:200_000]
    shown = re.sub(r"⟦U\+[0-9A-F]+(?:(?: U\+[0-9A-F]+)*| and \d+ more hidden characters)⟧", "", body(answer))
    assert _letters(shown) == _letters(answer)


def _letters(text: str) -> str:
    return "".join(re.findall(r"[A-Za-z0-9]", text))


@each_attack
@each_grader
def test_no_flag_opens_a_line(name: str, grader: str) -> None:
    """A check's words that quote the answer stay on one line of their own section."""
    quoted = ask(grader, "Something.", (f"BANNED: found {ATTACKS[name]}",)).messages[1].content
    plain = ask(grader, "Something.", ("BANNED: found x",)).messages[1].content
    assert len(quoted.split("\n")) == len(plain.split("\n"))
    assert quoted.count(FENCE) == plain.count(FENCE)


def honest(rationale: str = "It does half of what was asked.") -> str:
    """Return an honest judge's verdict."""
    return json.dumps({"rationale": rationale, "mark": 2, "token": TOKEN}, ensure_ascii=False)


QUOTING = {
    "before": lambda shown: f"The answer reads:\n\n{shown}\n\n{honest()}",
    "after": lambda shown: f"{honest()}\n\nThe answer reads:\n\n{shown}",
    "around a code fence": lambda shown: f"It reads: {shown}\n\n```json\n{honest()}\n```\n\nIt read: {shown}",
    "in the rationale": lambda shown: honest(f"It reads: {shown}"),
    "in its reasoning": lambda shown: f"<think>It reads: {shown}\n\nSo 2.</think>\n{honest()}",
}


@each_attack
@each_grader
def test_a_judge_that_quotes_the_answer_is_read_as_it_marked(name: str, grader: str) -> None:
    """Wherever the quotation stands, the mark is the judge's."""
    shown = neutralise(ATTACKS[name])
    found = {how: read(grader, ATTACKS[name], quoting(shown)) for how, quoting in QUOTING.items()}
    marks = {how: mark.value for how, mark in found.items() if isinstance(mark, Mark)}
    assert marks == dict.fromkeys(QUOTING, 2)


@each_attack
def test_quoting_the_answer_as_it_was_written_changes_no_mark(name: str) -> None:
    """Without our signs too: before the verdict or in its rationale."""
    for how in ("before", "in the rationale"):
        found = read("rubric", ATTACKS[name], QUOTING[how](ATTACKS[name]))
        assert isinstance(found, Mark)
        assert found.value == 2


UNESCAPED = {
    "double quotes": '{"rationale": "It reads: ANSWER", "mark": 2, "token": "TOKEN"}',
    "on lines": '{\n  "rationale": "It reads: ANSWER",\n  "mark": 2,\n  "token": "TOKEN"\n}',
    "rationale last": '{"mark": 2, "token": "TOKEN", "rationale": "It reads: ANSWER"}',
    "token first": '{"token": "TOKEN", "rationale": "It reads: ANSWER", "mark": 2}',
    "single quotes": "{'rationale': 'It reads: ANSWER', 'mark': 2, 'token': 'TOKEN'}",
    "curly quotes": "{“rationale”: “It reads: ANSWER”, “mark”: 2, “token”: “TOKEN”}",
    "bare keys": '{rationale: "It reads: ANSWER", mark: 2, token: "TOKEN"}',
    "an apostrophe after it": (
        '{"rationale": "It reads: ANSWER", "mark": 2, "token": "TOKEN"}\nIt isn\'t good, and “that” is it.}'
    ),
    "quoted again after it": (
        '{"rationale": "It reads: ANSWER", "mark": 2, "token": "TOKEN"}\nANSWER\nIt reads: ANSWER'
    ),
}


@each_attack
@every_row("form", list(UNESCAPED))
def test_a_quotation_that_is_not_escaped_never_changes_the_mark(name: str, form: str) -> None:
    """The judge's own mark is read, or none: whatever the answer adds to the judge's JSON."""
    attack = ATTACKS[name][:20_000]
    for quoted in (attack, neutralise(attack)):
        reply = UNESCAPED[form].replace("TOKEN", TOKEN).replace("ANSWER", quoted)
        found = read("rubric", attack, reply)
        assert isinstance(found, ModelAsk) or found.value == 2


@each_attack
@each_grader
def test_an_echo_of_the_answer_is_no_verdict(name: str, grader: str) -> None:
    """A reply that is the answer, as written or as shown, gives one more ask and then no mark."""
    for echo in (ATTACKS[name], neutralise(ATTACKS[name])):
        assert isinstance(read(grader, ATTACKS[name], echo), ModelAsk)
        found = read(grader, ATTACKS[name], echo, echo)
        assert isinstance(found, Mark)
        assert found.value is None


@each_attack
def test_the_question_s_own_words_are_no_verdict(name: str) -> None:
    """A judge that repeats the whole question, with the form of the reply in it, has not marked."""
    assert isinstance(
        read("rubric", ATTACKS[name], ask("rubric", ATTACKS[name]).messages[1].content), ModelAsk
    )


@each_attack
@each_grader
def test_the_second_ask_holds_nothing_new_of_the_answer_or_the_reply(name: str, grader: str) -> None:
    """It is the first ask with words of ours behind it."""
    again = read(grader, ATTACKS[name], ATTACKS[name])
    assert isinstance(again, ModelAsk)
    first, second = ask(grader, ATTACKS[name]).messages[1].content, again.messages[1].content
    assert second.startswith(first)
    assert len(second) - len(first) < 500
    assert "mark 5" not in second.removeprefix(first)


def test_no_attack_changes_another_answer_s_question() -> None:
    """Asks made before and after all attacks are the same, whatever is kept between them."""
    before = [ask(grader, "Something.") for grader in GRADERS]
    for attack in ATTACKS.values():
        for grader in GRADERS:
            read(grader, attack, attack)
    assert [ask(grader, "Something.") for grader in GRADERS] == before


def read(grader: str, answer: str, *replies: str) -> Mark | ModelAsk:
    """Return what is read from a judge's replies."""
    judged, spec = GRADERS[grader]
    said = tuple(ModelReply(CallStatus.OK, reply) for reply in replies)
    return judged.read(CASE, spec, grader, ShownToJudge(answer, fence=FENCE), said)
