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
class ReviewerPage:
    """The page of a reviewer, with its console messages, requested addresses and replies."""

    desk: Desk
    page: Page
    user: str
    secret: str
    console: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    replies: list[bytes] = field(default_factory=list)

    def sign_in(self, secret: str | None = None) -> None:
        """Fill in id and secret and send them."""
        self.page.fill("#user", self.user)
        self.page.fill("#secret", secret or self.secret)
        self.page.click("#sign-in button[type=submit]")

    def wait_for_question(self, stem: str) -> None:
        """Wait until this question is shown."""
        self.page.locator("#stem", has_text=stem).wait_for()

    def wait_for_text(self, words: str) -> None:
        """Wait until these words are on the page."""
        self.page.locator("main", has_text=words).wait_for()


Open = Callable[..., ReviewerPage]


@pytest.fixture
def open_page(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """A function that opens the page over a new bank."""
    engine = fresh_sqlite(tmp_path / "assay.db")
    ends: list[Callable[[], object]] = []

    def opened(
        items: Sequence[Item] = ITEMS, *, cap: int = 100, width: int = 1180, scheme: str = "light"
    ) -> ReviewerPage:
        desk = furnish(engine, items, cap=cap)
        user = with_secret(engine, "ada signs in", "Ada")
        server = reviewing(desk)
        port = server.__enter__().port
        context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)  # type: ignore[arg-type]
        ends.extend([lambda: server.__exit__(None, None, None), context.close])
        page = context.new_page()
        page.set_default_timeout(15_000)
        reviewer = ReviewerPage(desk, page, user.user.id, user.secret)
        page.on("console", lambda message: reviewer.console.append(message.text))
        page.on("pageerror", lambda error: reviewer.console.append(str(error)))
        page.on("request", lambda request: reviewer.requests.append(request.url))
        page.on("response", lambda response: reviewer.replies.append(response.body()))
        page.goto(f"http://127.0.0.1:{port}/review")
        return reviewer

    yield opened
    for end in reversed(ends):
        end()
    engine.dispose()


@pytest.fixture
def ada(open_page: Open) -> ReviewerPage:
    """Ada, signed in, with the first question on the page."""
    reviewer = open_page()
    reviewer.sign_in()
    reviewer.wait_for_question(LAW[0].stem)
    return reviewer


def state(desk: Desk, uuid: str = FIRST) -> QuestionState:
    """Return the state of a question."""
    return question_by_uuid(desk.engine, uuid).state


def test_signing_in(open_page: Open) -> None:
    """A wrong secret is refused; the right one shows the first question, and the token is not stored."""
    reviewer = open_page()
    reviewer.sign_in("not-the-secret")
    reviewer.page.locator("#sign-in-error", has_text="wrong").wait_for()
    reviewer.sign_in()
    reviewer.wait_for_question(LAW[0].stem)
    storage = "JSON.stringify([localStorage, sessionStorage, document.cookie])"
    assert reviewer.page.evaluate(storage) == '[{},{},""]'
    assert reviewer.page.locator("#secret").input_value() == ""
    assert reviewer.page.locator(".right").inner_text().split() == ["A.", "10", "✓", "key"]


def test_a_user_without_a_reviewer_is_refused(open_page: Open) -> None:
    """A user who is not linked to a reviewer of the bank cannot sign in."""
    reviewer = open_page()
    with writing(reviewer.desk.engine) as connection:
        connection.exec_driver_sql("UPDATE users SET reviewer = NULL")
    reviewer.sign_in()
    reviewer.page.locator("#sign-in-error", has_text="may not review").wait_for()
    assert reviewer.page.locator("#work").is_hidden()


def test_accepting_by_a_shortcut(ada: ReviewerPage) -> None:
    """A accepts, the next question is shown, and the day's count goes up."""
    ada.page.keyboard.press("a")
    ada.wait_for_question(SECOND[0].stem)
    assert ada.page.locator("#progress-text").inner_text() == "1 of 100 read today"
    assert state(ada.desk) is QuestionState.ACCEPTED
    (review,) = reviews_of(ada.desk.engine, question_by_uuid(ada.desk.engine, FIRST).id)
    assert review.seconds is not None
    assert 0 <= review.seconds < 60


def test_rejecting_needs_a_reason(ada: ReviewerPage) -> None:
    """Without a reason there is an error; a common reason with more words is recorded."""
    ada.page.click("#do-reject")
    ada.page.click("main form button[type=submit]:has-text('Reject')")
    ada.wait_for_text("Give a reason")
    ada.page.click(".chip:has-text('the key is wrong')")
    ada.page.keyboard.type(": it is B")
    ada.page.keyboard.press("Control+Enter")
    ada.wait_for_question(SECOND[0].stem)
    stored = question_by_uuid(ada.desk.engine, FIRST)
    (review,) = reviews_of(ada.desk.engine, stored.id)
    assert (stored.state, review.reason) == (QuestionState.REJECTED, "the key is wrong: it is B")


def test_an_edit_keeps_the_original(ada: ReviewerPage) -> None:
    """A new key and new words make a version to decide on; the original is unchanged."""
    ada.page.keyboard.press("e")
    ada.page.get_by_label("Question", exact=True).fill("Which number did the clerk write first?")
    ada.page.get_by_label("Option A is right").uncheck()
    ada.page.get_by_label("Option C is right").check()
    ada.page.get_by_label("Remove option D").click()
    ada.page.get_by_label("Discipline").select_option("history")
    ada.page.click("main form button[type=submit]")
    ada.wait_for_text("Say what was wrong")
    ada.page.get_by_label("What was wrong").fill("the key")
    ada.page.click("main form button[type=submit]")
    ada.wait_for_text("the original is kept")
    assert ada.page.locator(".right").inner_text().split() == ["C.", "12", "✓", "key"]
    with reading(ada.desk.engine) as connection:
        (old,) = connection.execute(select(question_versions)).all()
    assert orjson.loads(old.content)["stem"] == LAW[0].stem
    ada.page.keyboard.press("a")
    ada.wait_for_question(SECOND[0].stem)
    stored = question_by_uuid(ada.desk.engine, FIRST)
    assert (stored.state, stored.version, stored.question.discipline) == (
        QuestionState.ACCEPTED,
        2,
        "history",
    )
    assert stored.question.options == LAW[0].options[:3]


def test_a_question_moved_to_another_discipline_is_left_to_its_reviewers(open_page: Open) -> None:
    """A reviewer of law who moves a question to medicine gets the next question."""
    reviewer = open_page()
    with writing(reviewer.desk.engine) as connection:
        connection.execute(update(reviewers).values(disciplines='["law"]'))
    reviewer.sign_in()
    reviewer.wait_for_question(LAW[0].stem)
    reviewer.page.keyboard.press("e")
    reviewer.page.get_by_label("Discipline").select_option("medicine")
    reviewer.page.get_by_label("What was wrong").fill("it is no law")
    reviewer.page.keyboard.press("Control+Enter")
    reviewer.wait_for_question(SECOND[0].stem)
    reviewer.wait_for_text("reviewers of its discipline")
    assert question_by_uuid(reviewer.desk.engine, FIRST).question.discipline == "medicine"


def test_blanks_are_edited_one_by_one(open_page: Open) -> None:
    """A key with several answers has a field for each."""
    key = AnswerKey(("9", "26"))
    item = numbered(31, QuestionKind.FILL_IN_THE_BLANK, "3 squared is ____, cubed ____.", "science", key)
    reviewer = open_page([item])
    reviewer.sign_in()
    reviewer.wait_for_question("cubed")
    reviewer.page.keyboard.press("e")
    reviewer.page.get_by_label("Answer 2", exact=True).fill("27")
    reviewer.page.get_by_label("What was wrong").fill("the cube")
    reviewer.page.keyboard.press("Control+Enter")
    reviewer.wait_for_text("the original is kept")
    assert reviewer.page.locator(".key li").all_inner_texts() == ["9", "27"]


def test_accepting_in_spite_of_a_fault_needs_a_reason(open_page: Open) -> None:
    """The findings of the screening are shown."""
    reviewer = open_page([choice(1, key="Z")])
    reviewer.sign_in()
    reviewer.wait_for_text("Fault: the key has a letter outside")
    reviewer.page.keyboard.press("a")
    reviewer.wait_for_text("in spite of the fault")
    assert state(reviewer.desk) is QuestionState.RAW
    reviewer.page.keyboard.type("it is none")
    reviewer.page.click("main form button[type=submit]")
    reviewer.wait_for_text("Check again")
    assert state(reviewer.desk) is QuestionState.ACCEPTED


def test_text_is_never_markup(open_page: Open) -> None:
    """Markup in stem, options, key, explanation, material and answers is shown as text."""
    key = AnswerKey(("A",), f"why {HURT}")
    hurtful = numbered(
        1, QuestionKind.MULTIPLE_CHOICE, f"stem {HURT}", "law", key, f"one {HURT}", "two", "three"
    )
    question, _ = material(2, f"material {HURT}" * 20, discipline="law")
    reviewer = open_page([hurtful, (question, AnswerKey((f"key {HURT}",)))])
    give_answers(reviewer.desk.engine, f"answer {HURT}", each=4)
    reviewer.sign_in()
    for words in ("stem", "material"):
        reviewer.wait_for_text(f"{words} {HURT}")
        shown = reviewer.page.locator("main")
        assert shown.locator("img, script, svg, iframe").count() == 0
        reviewer.page.keyboard.press("e")
        reviewer.page.keyboard.press("Escape")
        reviewer.page.keyboard.press("s")
    reviewer.page.click("#tab-mark")
    reviewer.wait_for_text(f"answer {HURT}")
    assert reviewer.page.locator("main").locator("img, script, svg, iframe").count() == 0
    assert reviewer.page.evaluate("window.hurt") is None
    assert reviewer.console == []


def test_the_daily_cap_is_shown(open_page: Open) -> None:
    """After the day's last question the page says that the cap is reached."""
    reviewer = open_page(cap=1)
    reviewer.sign_in()
    reviewer.wait_for_question(LAW[0].stem)
    reviewer.page.keyboard.press("a")
    reviewer.wait_for_text("You have reached your daily cap")
    assert reviewer.page.locator("#progress-text").inner_text() == "1 of 1 read today"


def test_a_late_decision_is_not_recorded(ada: ReviewerPage) -> None:
    """Another reviewer decided meanwhile: the page says so and shows the next question."""
    decide(ada.desk.engine, "Bo", Decided(FIRST, Decision.REJECT, "wrong", 3.0), now=time.time())
    ada.page.keyboard.press("a")
    ada.wait_for_text("settled or changed meanwhile")
    ada.wait_for_question(SECOND[0].stem)
    assert state(ada.desk) is QuestionState.REJECTED


def test_skipped_questions_can_be_shown_again(ada: ReviewerPage) -> None:
    """S skips a question; at the end the page offers the skipped ones."""
    for stem in (SECOND[0].stem, SCIENCE[0].stem):
        ada.page.keyboard.press("s")
        ada.wait_for_question(stem)
    ada.page.keyboard.press("s")
    ada.page.click("button:has-text('Show skipped questions')")
    ada.wait_for_question(LAW[0].stem)


def test_a_decision_is_undone_and_taken_again(ada: ReviewerPage) -> None:
    """The list has the decision; its question comes back at once, and the list says what is final."""
    ada.page.keyboard.press("a")
    ada.wait_for_question(SECOND[0].stem)
    ada.page.click("#tab-decisions")
    ada.wait_for_text("Your last decisions")
    ada.page.get_by_role("button", name="Undo: accepted").click()
    ada.wait_for_question(LAW[0].stem)
    ada.wait_for_text("Your decision is undone")
    assert state(ada.desk) is QuestionState.RAW
    ada.page.keyboard.press("r")
    ada.page.keyboard.type("two are right")
    ada.page.keyboard.press("Control+Enter")
    ada.wait_for_question(SECOND[0].stem)
    assert state(ada.desk) is QuestionState.REJECTED
    ada.page.click("#tab-decisions")
    ada.wait_for_text("It cannot be undone")
    assert ada.page.locator(".decisions li").count() == 2
    assert ada.console == []


def test_only_questions_of_a_kind_are_shown(ada: ReviewerPage) -> None:
    """The choice stays for the next questions, and the empty page says that it is about this kind."""
    ada.page.get_by_label("Kind").select_option("fill-in-the-blank")
    ada.wait_for_question(SCIENCE[0].stem)
    ada.page.locator("#stem").focus()
    ada.page.keyboard.press("a")
    ada.wait_for_text("All questions of this kind")
    ada.page.get_by_label("Kind").select_option("all kinds")
    ada.wait_for_question(LAW[0].stem)


def test_shortcuts_do_not_work_in_fields_and_can_be_turned_off(ada: ReviewerPage) -> None:
    """Letters that are typed into a reason, or while shortcuts are off, decide nothing."""
    ada.page.keyboard.press("r")
    ada.page.keyboard.type("as are")
    assert ada.page.locator("main textarea").input_value() == "as are"
    ada.page.keyboard.press("Escape")
    ada.page.uncheck("#shortcuts")
    ada.page.locator("#stem").focus()
    ada.page.keyboard.type("as")
    assert ada.page.locator("#stem").inner_text() == LAW[0].stem
    assert state(ada.desk) is QuestionState.RAW


def test_an_expired_token_does_not_lose_text(ada: ReviewerPage) -> None:
    """The page asks to sign in again and then sends the text."""
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
    ada.wait_for_question(SECOND[0].stem)
    assert state(ada.desk) is QuestionState.REJECTED


def test_signing_out_revokes_the_token(ada: ReviewerPage) -> None:
    """The token is no longer valid, and the page is empty."""
    ada.page.click("#sign-out")
    ada.page.locator("#sign-in").wait_for()
    with reading(ada.desk.engine) as connection:
        assert [row.revoked_at is None for row in connection.execute(select(tokens)).all()] == [False]
    assert LAW[0].stem not in ada.page.content()


def test_marking_is_blind(open_page: Open) -> None:
    """No reply and no page names the model, the session, the organisations or the judge."""
    reviewer = open_page()
    give_answers(reviewer.desk.engine)
    reviewer.sign_in()
    reviewer.page.click("#tab-mark")
    reviewer.wait_for_text("True, for it follows.")
    with reading(reviewer.desk.engine) as connection:
        sessions = {row.session for row in connection.execute(select(human_marks)).all()}
    everything = reviewer.page.content().encode() + b"".join(reviewer.replies)
    for hidden in (MODEL, JUDGE, "gpt", "acme", LAB, *sessions):
        assert hidden.encode() not in everything
    reviewer.page.keyboard.press("2")
    reviewer.page.keyboard.type("half of it is explained")
    reviewer.page.keyboard.press("Control+Enter")
    reviewer.page.locator("#progress-text", has_text="1 of 100 marked today").wait_for()
    with reading(reviewer.desk.engine) as connection:
        marked = [row for row in connection.execute(select(human_marks)).all() if row.marked_at is not None]
    assert [row.stars for row in marked] == [2]


def test_marking_needs_stars_and_a_reason(open_page: Open) -> None:
    """The page asks for both, and it says when the daily cap is reached."""
    reviewer = open_page()
    give_answers(reviewer.desk.engine)
    with writing(reviewer.desk.engine) as connection:
        connection.execute(update(reviewers).values(daily_cap=1))
    reviewer.sign_in()
    reviewer.page.click("#tab-mark")
    reviewer.page.click("button:has-text('Record')")
    reviewer.wait_for_text("Give stars")
    reviewer.page.get_by_label("right, with a sound explanation").check(force=True)
    reviewer.page.click("button:has-text('Record')")
    reviewer.wait_for_text("Give a reason")
    reviewer.page.get_by_label("Reason").fill("both right")
    reviewer.page.click("button:has-text('Record')")
    reviewer.wait_for_text("You have reached your daily cap")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "dark"), (390, "light"), (320, "light")])
def test_the_page_fits_and_requests_only_its_server(open_page: Open, width: int, scheme: str) -> None:
    """There is no sideways scrolling with Chinese or long words, and the console has no messages."""
    chinese = numbered(
        1,
        QuestionKind.MULTIPLE_CHOICE,
        "下列各项中，属于无权代理的是（  ）。" * 6,
        "law",
        AnswerKey(("B",)),
        "甲" * 90,
        "b" * 200,
    )
    reviewer = open_page([chinese], width=width, scheme=scheme)
    give_answers(reviewer.desk.engine, "word" * 200, each=4)
    reviewer.sign_in()
    reviewer.wait_for_question("无权代理")
    for key in ("r", "Escape", "e", "Escape"):
        reviewer.page.keyboard.press(key)
        assert reviewer.page.evaluate("document.documentElement.scrollWidth") <= width
    reviewer.page.click("#tab-mark")
    reviewer.wait_for_text("wordword")
    assert reviewer.page.evaluate("document.documentElement.scrollWidth") <= width
    assert reviewer.console == []
    assert {address.split("/")[2].partition(":")[0] for address in reviewer.requests} == {"127.0.0.1"}


def test_the_page_works_by_keyboard(ada: ReviewerPage) -> None:
    """From the question, Tab goes to the buttons in order, and Enter presses them."""
    ada.page.uncheck("#shortcuts")
    ada.page.locator("#stem").focus()
    reached = []
    for _ in range(4):
        ada.page.keyboard.press("Tab")
        reached.append(ada.page.evaluate("document.activeElement.id"))
    assert reached == ["do-accept", "do-reject", "do-edit", "do-skip"]
    ada.page.keyboard.press("Enter")
    ada.wait_for_question(SECOND[0].stem)
    assert ada.page.evaluate("document.activeElement.id") == "stem"
