"""The review page in a real browser, over a real server."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import orjson
import pytest
from banked import Item, choice, material
from fresh_database import fresh_sqlite
from review_desk import (
    FIRST,
    ITEMS,
    JUDGE,
    LAB,
    LAW,
    MODEL,
    SCIENCE,
    SECOND,
    Desk,
    furnish,
    give_answers,
    numbered,
    reviewing,
    with_secret,
)
from sqlalchemy import select, update

from assay.bank.review import decide
from assay.core.question import QuestionKind, QuestionState
from assay.core.sealed import AnswerKey
from assay.questions.screen import Decided, Decision
from assay.store.bank.questions import question_by_uuid
from assay.store.bank.reviews import reviews_of
from assay.store.engine import reading, writing
from assay.store.schema_bank import question_versions, reviewers
from assay.store.schema_exam import human_marks, tokens

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]
HURT = "<img src=x onerror='window.hurt=1'><script>window.hurt=2</script><svg onload=window.hurt=3>"


@dataclass
class Sitting:
    """A reviewer before the page: what the console said, where requests went, what came back."""

    desk: Desk
    page: Page
    user: str
    secret: str
    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    got: list[bytes] = field(default_factory=list)

    def sign_in(self, secret: str | None = None) -> None:
        """Give id and secret."""
        self.page.fill("#user", self.user)
        self.page.fill("#secret", secret or self.secret)
        self.page.click("#sign-in button[type=submit]")

    def reads(self, stem: str) -> None:
        """Wait until this question is shown."""
        self.page.locator("#stem", has_text=stem).wait_for()

    def told(self, words: str) -> None:
        """Wait until these words stand on the page."""
        self.page.locator("main", has_text=words).wait_for()


Open = Callable[..., Sitting]


@pytest.fixture
def open_page(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Opens the page over a bank of its own."""
    engine = fresh_sqlite(tmp_path / "assay.db")
    ends: list[Callable[[], object]] = []

    def opened(
        items: Sequence[Item] = ITEMS, *, cap: int = 100, width: int = 1180, scheme: str = "light"
    ) -> Sitting:
        desk = furnish(engine, items, cap=cap)
        user = with_secret(engine, "ada signs in", "Ada")
        server = reviewing(desk)
        port = server.__enter__().port
        context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)  # type: ignore[arg-type]
        ends.extend([lambda: server.__exit__(None, None, None), context.close])
        page = context.new_page()
        page.set_default_timeout(15_000)
        sitting = Sitting(desk, page, user.user.id, user.secret)
        page.on("console", lambda message: sitting.said.append(message.text))
        page.on("pageerror", lambda error: sitting.said.append(str(error)))
        page.on("request", lambda request: sitting.asked.append(request.url))
        page.on("response", lambda response: sitting.got.append(response.body()))
        page.goto(f"http://127.0.0.1:{port}/review")
        return sitting

    yield opened
    for end in reversed(ends):
        end()
    engine.dispose()


@pytest.fixture
def ada(open_page: Open) -> Sitting:
    """Ada, signed in, with the first question before her."""
    sitting = open_page()
    sitting.sign_in()
    sitting.reads(LAW[0].stem)
    return sitting


def state(desk: Desk, uuid: str = FIRST) -> QuestionState:
    """Return how a question stands."""
    return question_by_uuid(desk.engine, uuid).state


def test_signing_in(open_page: Open) -> None:
    """A wrong secret is told; the right one shows the first question, and the token is stored nowhere."""
    sitting = open_page()
    sitting.sign_in("not-the-secret")
    sitting.page.locator("#sign-in-error", has_text="wrong").wait_for()
    sitting.sign_in()
    sitting.reads(LAW[0].stem)
    kept = "JSON.stringify([localStorage, sessionStorage, document.cookie])"
    assert sitting.page.evaluate(kept) == '[{},{},""]'
    assert sitting.page.locator("#secret").input_value() == ""
    assert sitting.page.locator(".right").inner_text().split() == ["A.", "10", "✓", "key"]


def test_whoever_may_not_review_is_told(open_page: Open) -> None:
    """A user who is none of the bank's reviewers stays outside."""
    sitting = open_page()
    with writing(sitting.desk.engine) as connection:
        connection.exec_driver_sql("UPDATE users SET reviewer = NULL")
    sitting.sign_in()
    sitting.page.locator("#sign-in-error", has_text="may not review").wait_for()
    assert sitting.page.locator("#work").is_hidden()


def test_accepting_by_a_key(ada: Sitting) -> None:
    """A accepts, the next question comes, and the day's count goes up."""
    ada.page.keyboard.press("a")
    ada.reads(SECOND[0].stem)
    assert ada.page.locator("#progress-text").inner_text() == "1 of 100 read today"
    assert state(ada.desk) is QuestionState.ACCEPTED
    (review,) = reviews_of(ada.desk.engine, question_by_uuid(ada.desk.engine, FIRST).id)
    assert review.seconds is not None
    assert 0 <= review.seconds < 60


def test_rejecting_needs_a_reason(ada: Sitting) -> None:
    """Without one it says so; with a common one and words it is recorded."""
    ada.page.click("#do-reject")
    ada.page.click("main form button[type=submit]:has-text('Reject')")
    ada.told("Give a reason")
    ada.page.click(".chip:has-text('the key is wrong')")
    ada.page.keyboard.type(": it is B")
    ada.page.keyboard.press("Control+Enter")
    ada.reads(SECOND[0].stem)
    stored = question_by_uuid(ada.desk.engine, FIRST)
    (review,) = reviews_of(ada.desk.engine, stored.id)
    assert (stored.state, review.reason) == (QuestionState.REJECTED, "the key is wrong: it is B")


def test_an_edit_keeps_the_original(ada: Sitting) -> None:
    """Another key and other words make a version to decide on; the original stands as it was."""
    ada.page.keyboard.press("e")
    ada.page.get_by_label("Question", exact=True).fill("Which number did the clerk write first?")
    ada.page.get_by_label("Option A is right").uncheck()
    ada.page.get_by_label("Option C is right").check()
    ada.page.get_by_label("Take out option D").click()
    ada.page.get_by_label("Discipline").select_option("history")
    ada.page.click("main form button[type=submit]")
    ada.told("Say what you put right")
    ada.page.get_by_label("What was wrong").fill("the key")
    ada.page.click("main form button[type=submit]")
    ada.told("the original is kept")
    assert ada.page.locator(".right").inner_text().split() == ["C.", "12", "✓", "key"]
    with reading(ada.desk.engine) as connection:
        (old,) = connection.execute(select(question_versions)).all()
    assert orjson.loads(old.content)["stem"] == LAW[0].stem
    ada.page.keyboard.press("a")
    ada.reads(SECOND[0].stem)
    stored = question_by_uuid(ada.desk.engine, FIRST)
    assert (stored.state, stored.version, stored.question.discipline) == (
        QuestionState.ACCEPTED,
        2,
        "history",
    )
    assert stored.question.options == LAW[0].options[:3]


def test_what_moves_to_another_discipline_is_left_to_its_reviewers(open_page: Open) -> None:
    """Who reads law alone and puts a question elsewhere goes on with the next one."""
    sitting = open_page()
    with writing(sitting.desk.engine) as connection:
        connection.execute(update(reviewers).values(disciplines='["law"]'))
    sitting.sign_in()
    sitting.reads(LAW[0].stem)
    sitting.page.keyboard.press("e")
    sitting.page.get_by_label("Discipline").select_option("medicine")
    sitting.page.get_by_label("What was wrong").fill("it is no law")
    sitting.page.keyboard.press("Control+Enter")
    sitting.reads(SECOND[0].stem)
    sitting.told("reviewers of its discipline")
    assert question_by_uuid(sitting.desk.engine, FIRST).question.discipline == "medicine"


def test_blanks_are_edited_one_by_one(open_page: Open) -> None:
    """A key of several answers has a field for each."""
    key = AnswerKey(("9", "26"))
    item = numbered(31, QuestionKind.FILL_IN_THE_BLANK, "3 squared is ____, cubed ____.", "science", key)
    sitting = open_page([item])
    sitting.sign_in()
    sitting.reads("cubed")
    sitting.page.keyboard.press("e")
    sitting.page.get_by_label("Answer 2", exact=True).fill("27")
    sitting.page.get_by_label("What was wrong").fill("the cube")
    sitting.page.keyboard.press("Control+Enter")
    sitting.told("the original is kept")
    assert sitting.page.locator(".key li").all_inner_texts() == ["9", "27"]


def test_a_fault_asks_before_it_is_accepted(open_page: Open) -> None:
    """What screening finds wrong is shown, and accepting in spite of it takes a reason."""
    sitting = open_page([choice(1, key="Z")])
    sitting.sign_in()
    sitting.told("Fault: the key has a letter outside")
    sitting.page.keyboard.press("a")
    sitting.told("in spite of the fault")
    assert state(sitting.desk) is QuestionState.RAW
    sitting.page.keyboard.type("it is none")
    sitting.page.click("main form button[type=submit]")
    sitting.told("Look again")
    assert state(sitting.desk) is QuestionState.ACCEPTED


def test_text_is_never_markup(open_page: Open) -> None:
    """Markup in stem, options, key, explanation, material and answers is shown as it is, and does nothing."""
    key = AnswerKey(("A",), f"why {HURT}")
    hurtful = numbered(
        1, QuestionKind.MULTIPLE_CHOICE, f"stem {HURT}", "law", key, f"one {HURT}", "two", "three"
    )
    asked, _ = material(2, f"material {HURT}" * 20, discipline="law")
    sitting = open_page([hurtful, (asked, AnswerKey((f"key {HURT}",)))])
    give_answers(sitting.desk.engine, f"answer {HURT}", each=4)
    sitting.sign_in()
    for words in ("stem", "material"):
        sitting.told(f"{words} {HURT}")
        shown = sitting.page.locator("main")
        assert shown.locator("img, script, svg, iframe").count() == 0
        sitting.page.keyboard.press("e")
        sitting.page.keyboard.press("Escape")
        sitting.page.keyboard.press("s")
    sitting.page.click("#tab-mark")
    sitting.told(f"answer {HURT}")
    assert sitting.page.locator("main").locator("img, script, svg, iframe").count() == 0
    assert sitting.page.evaluate("window.hurt") is None
    assert sitting.said == []


def test_the_cap_is_told(open_page: Open) -> None:
    """After the day's last question the page says that it is enough."""
    sitting = open_page(cap=1)
    sitting.sign_in()
    sitting.reads(LAW[0].stem)
    sitting.page.keyboard.press("a")
    sitting.told("That is enough for today")
    assert sitting.page.locator("#progress-text").inner_text() == "1 of 1 read today"


def test_who_comes_second_is_told_and_goes_on(ada: Sitting) -> None:
    """Somebody decided meanwhile: the page says so, and shows the next question."""
    decide(ada.desk.engine, "Bo", Decided(FIRST, Decision.REJECT, "wrong", 3.0), now=time.time())
    ada.page.keyboard.press("a")
    ada.told("settled or changed meanwhile")
    ada.reads(SECOND[0].stem)
    assert state(ada.desk) is QuestionState.REJECTED


def test_skipped_questions_come_again_on_request(ada: Sitting) -> None:
    """S leaves a question for later; at the end the skipped ones are offered."""
    for stem in (SECOND[0].stem, SCIENCE[0].stem):
        ada.page.keyboard.press("s")
        ada.reads(stem)
    ada.page.keyboard.press("s")
    ada.page.click("button:has-text('Look at those I skipped')")
    ada.reads(LAW[0].stem)


def test_shortcuts_leave_writing_alone_and_can_be_turned_off(ada: Sitting) -> None:
    """Letters typed into a reason decide nothing; nor does any letter when shortcuts are off."""
    ada.page.keyboard.press("r")
    ada.page.keyboard.type("as are")
    assert ada.page.locator("main textarea").input_value() == "as are"
    ada.page.keyboard.press("Escape")
    ada.page.uncheck("#shortcuts")
    ada.page.locator("#stem").focus()
    ada.page.keyboard.type("as")
    assert ada.page.locator("#stem").inner_text() == LAW[0].stem
    assert state(ada.desk) is QuestionState.RAW


def test_a_token_that_ran_out_loses_nothing(ada: Sitting) -> None:
    """The page asks to sign in again, and then sends what was written before."""
    with writing(ada.desk.engine) as connection:
        connection.exec_driver_sql("UPDATE signing_keys SET withdrawn_at = 1")
    ada.page.keyboard.press("r")
    ada.page.keyboard.type("two are right")
    ada.page.keyboard.press("Control+Enter")
    ada.page.locator("#sign-in-why", has_text="Sign in again").wait_for()
    with writing(ada.desk.engine) as connection:
        connection.exec_driver_sql("UPDATE signing_keys SET withdrawn_at = NULL")
    ada.page.fill("#secret", ada.secret)
    ada.page.keyboard.press("Enter")
    ada.reads(SECOND[0].stem)
    assert state(ada.desk) is QuestionState.REJECTED


def test_signing_out_revokes_the_token(ada: Sitting) -> None:
    """The token opens nothing any more, and the page is empty."""
    ada.page.click("#sign-out")
    ada.page.locator("#sign-in").wait_for()
    with reading(ada.desk.engine) as connection:
        assert [row.revoked_at is None for row in connection.execute(select(tokens)).all()] == [False]
    assert LAW[0].stem not in ada.page.content()


def test_marking_is_blind(open_page: Open) -> None:
    """Nothing that the browser gets or shows names the model, the session, the organisations or the judge."""
    sitting = open_page()
    give_answers(sitting.desk.engine)
    sitting.sign_in()
    sitting.page.click("#tab-mark")
    sitting.told("True, for it follows.")
    with reading(sitting.desk.engine) as connection:
        sessions = {row.session for row in connection.execute(select(human_marks)).all()}
    everything = sitting.page.content().encode() + b"".join(sitting.got)
    for hidden in (MODEL, JUDGE, "gpt", "acme", LAB, *sessions):
        assert hidden.encode() not in everything
    sitting.page.keyboard.press("2")
    sitting.page.keyboard.type("half of it is explained")
    sitting.page.keyboard.press("Control+Enter")
    sitting.page.locator("#progress-text", has_text="1 of 100 marked today").wait_for()
    with reading(sitting.desk.engine) as connection:
        marked = [row for row in connection.execute(select(human_marks)).all() if row.marked_at is not None]
    assert [row.stars for row in marked] == [2]


def test_marking_needs_stars_and_a_reason(open_page: Open) -> None:
    """Each is asked for; the cap is told when it is reached."""
    sitting = open_page()
    give_answers(sitting.desk.engine)
    with writing(sitting.desk.engine) as connection:
        connection.execute(update(reviewers).values(daily_cap=1))
    sitting.sign_in()
    sitting.page.click("#tab-mark")
    sitting.page.click("button:has-text('Record')")
    sitting.told("Give stars")
    sitting.page.get_by_label("right, with a sound explanation").check(force=True)
    sitting.page.click("button:has-text('Record')")
    sitting.told("Say in a sentence why")
    sitting.page.get_by_label("Reason").fill("both right")
    sitting.page.click("button:has-text('Record')")
    sitting.told("That is enough for today")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "dark"), (390, "light"), (320, "light")])
def test_it_fits_and_asks_nobody_else(open_page: Open, width: int, scheme: str) -> None:
    """No sideways scrolling with Chinese or endless words, a quiet console, no request to another server."""
    chinese = numbered(
        1,
        QuestionKind.MULTIPLE_CHOICE,
        "下列各项中，属于无权代理的是（  ）。" * 6,
        "law",
        AnswerKey(("B",)),
        "甲" * 90,
        "b" * 200,
    )
    sitting = open_page([chinese], width=width, scheme=scheme)
    give_answers(sitting.desk.engine, "word" * 200, each=4)
    sitting.sign_in()
    sitting.reads("无权代理")
    for key in ("r", "Escape", "e", "Escape"):
        sitting.page.keyboard.press(key)
        assert sitting.page.evaluate("document.documentElement.scrollWidth") <= width
    sitting.page.click("#tab-mark")
    sitting.told("wordword")
    assert sitting.page.evaluate("document.documentElement.scrollWidth") <= width
    assert sitting.said == []
    assert {address.split("/")[2].partition(":")[0] for address in sitting.asked} == {"127.0.0.1"}


def test_it_works_by_keyboard_alone(ada: Sitting) -> None:
    """From the question, Tab leads to the buttons in their order, and Enter presses them."""
    ada.page.uncheck("#shortcuts")
    ada.page.locator("#stem").focus()
    reached = []
    for _ in range(4):
        ada.page.keyboard.press("Tab")
        reached.append(ada.page.evaluate("document.activeElement.id"))
    assert reached == ["do-accept", "do-reject", "do-edit", "do-skip"]
    ada.page.keyboard.press("Enter")
    ada.reads(SECOND[0].stem)
    assert ada.page.evaluate("document.activeElement.id") == "stem"
