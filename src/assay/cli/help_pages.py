"""The help pages of all names that Assay shows.

`python -m assay.cli.help_pages FOLDER` writes them to files.
"""

from __future__ import annotations

import re
import shutil
import sys
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from assay.core.ask import ErrorKind
from assay.core.case import SampleStatus
from assay.core.documented import DocumentedIntEnum, DocumentedStrEnum, HelpText, explain_command, slug
from assay.core.errors import Conflict, Denied, ExitStatus, InvalidInput, NotFound, Upstream
from assay.core.exam import AnswerStatus, SessionState
from assay.core.notification import DeliveryStatus
from assay.core.question import QuestionState
from assay.core.verdict import ModelState, StateReason, UseCaseState, VerdictMark
from assay.grading.checks.flags import FlagCode
from assay.grading.constraint_kinds.kind import KINDS
from assay.grading.registry import BUILT_IN, grader
from assay.questions.finding_kinds import FindingKind
from assay.questions.refusal import Reason
from assay.questions.repair import Repair
from assay.results.bank_import import Fate
from assay.results.exam_service import KeyState, TokenState
from assay.results.exam_sitting import QuestionStanding, ReferenceBasis
from assay.results.runs import RunKind, RunStatus
from assay.results.watch import ConditionKind
from assay.results.workspace import CheckState
from assay.web.problems import PAGES

INDEX: Final = "README.md"


@dataclass(frozen=True, slots=True)
class HelpPage:
    """The page of one name. `group` is the slug of the group it belongs to."""

    name: str
    group: str
    help: HelpText

    @property
    def slug(self) -> str:
        """The name as it is written in file names."""
        return slug(self.name)

    @property
    def command(self) -> str:
        """The command that prints the page."""
        return explain_command(self.name)


@dataclass(frozen=True, slots=True)
class HelpGroup:
    """The pages of one closed set of names. `intro` says what they are and where they are shown."""

    slug: str
    title: str
    intro: str
    pages: tuple[HelpPage, ...]


def _of_enum(
    name: str, title: str, intro: str, members: type[DocumentedStrEnum] | type[DocumentedIntEnum]
) -> HelpGroup:
    """Return the group of an enumeration. Texts are listed by their values, numbers by their names."""
    pages = (
        HelpPage(member.value if isinstance(member, str) else member.name, name, member.help)
        for member in members
    )
    return HelpGroup(name, title, intro, tuple(pages))


def _graders() -> HelpGroup:
    """Return the group of the built-in graders, including the auto-checks."""
    pages = (HelpPage(name, "grader", _help(grader(name))) for name in BUILT_IN)
    intro = (
        "The rules by which a suite grades answers, and the auto-checks, which flag one kind of defect each."
    )
    return HelpGroup("grader", "Grader or auto-check", intro, tuple(pages))


def _constraints() -> HelpGroup:
    """Return the group of the kinds of constraints, which are declared when the grader is loaded."""
    grader("constraints")
    pages = (HelpPage(kind.id, "constraint", kind.help) for kind in KINDS.values())
    intro = "A demand on the form of an answer, checked by `constraints` and `constraint_check`."
    return HelpGroup("constraint", "Kind of constraint", intro, tuple(pages))


def _exit_statuses() -> HelpGroup:
    """Return the group of the exit statuses."""
    pages = (HelpPage(f"exit {status.value}", "exit-status", status.help) for status in ExitStatus)
    intro = "The status with which a command ends, `$?` in a shell."
    return HelpGroup("exit-status", "Exit status", intro, tuple(pages))


def _errors() -> HelpGroup:
    """Return the group of the kinds of errors."""
    kinds = (InvalidInput, NotFound, Conflict, Denied, Upstream)
    pages = (HelpPage(kind.__name__, "error", kind.help) for kind in kinds)
    intro = (
        "The exceptions of `assay.core.errors`. All are subclasses of `AssayError`, whose text is meant for "
        "the user."
    )
    return HelpGroup("error", "Exception", intro, tuple(pages))


def _problems() -> HelpGroup:
    """Return the group of the exam service's problems."""
    pages = (HelpPage(title, "problem", text) for title, text in PAGES.items())
    intro = "The title of an error reply of the exam service, in the form problem+json (RFC 9457)."
    return HelpGroup("problem", "Problem of the exam service", intro, tuple(pages))


def _help(declared: object) -> HelpText:
    text = getattr(declared, "help", None)
    if not isinstance(text, HelpText):
        raise TypeError(f"{declared!r} has no help: add one to its declaration")
    return text


GROUPS: Final = (
    _of_enum(
        "model-state",
        "State of a model",
        "The verdict of the watch on one model and one day, shown by `assay watch` and `assay verdict`.",
        ModelState,
    ),
    _of_enum(
        "use-case-state",
        "State of a use case",
        "The verdict of the watch on one use case of a model on one day, shown by `assay verdict MODEL`.",
        UseCaseState,
    ),
    _of_enum(
        "state-reason",
        "Reason of a state",
        "Why a model or use case has no new verdict on a day. The watch shows it as a sentence with figures.",
        StateReason,
    ),
    _of_enum(
        "verdict-mark",
        "Mark beside a state",
        "A remark that the watch shows beside a state, and that does not change the state.",
        VerdictMark,
    ),
    _of_enum(
        "condition",
        "Changed condition",
        "A circumstance, other than the model's answers, that differs between a day and its baseline.",
        ConditionKind,
    ),
    _of_enum(
        "sample-status",
        "Status of a sample",
        "The outcome of one answer. Scores are shown with n = ok + invalid + error + ungraded.",
        SampleStatus,
    ),
    _of_enum(
        "call-error",
        "Error of a call",
        "Why a request failed or an answer is empty, shown at the end of a run and by `assay show`.",
        ErrorKind,
    ),
    _graders(),
    _of_enum(
        "flag",
        "Flag of an auto-check",
        "A defect that an auto-check found in an answer. `assay show RUN.SAMPLE` shows it, boards count it.",
        FlagCode,
    ),
    _constraints(),
    _of_enum("run-status", "Status of a run", "Shown by `assay runs` and `assay show RUN`.", RunStatus),
    _of_enum(
        "run-kind",
        "Kind of run",
        "The purpose of a run, shown by `assay runs` and `assay show RUN`.",
        RunKind,
    ),
    _of_enum("doctor", "Result of a check of the setup", "Shown by `assay doctor`.", CheckState),
    _of_enum(
        "delivery",
        "Status of a notification",
        "Whether a notification to a webhook was delivered, shown by `assay notify list`.",
        DeliveryStatus,
    ),
    _of_enum(
        "question-state",
        "State of a question",
        "The stage of a question of the bank on its way into exams, shown by `assay bank show UUID`.",
        QuestionState,
    ),
    _of_enum(
        "screening",
        "Finding of the screening",
        "A problem that `assay bank screen` and the review page find in a question.",
        FindingKind,
    ),
    _of_enum(
        "import-fate",
        "Outcome of a line of a file",
        "Counted by `assay bank import`: every line or record that it reads has one of these outcomes.",
        Fate,
    ),
    _of_enum(
        "reject-reason",
        "Reason of a reject",
        "Why something in a file did not become a question, counted by `assay bank import`.",
        Reason,
    ),
    _of_enum("repair", "Repair of a text", "A correction that `assay bank import` made in texts.", Repair),
    _of_enum(
        "session-state",
        "State of an exam session",
        "Shown by `assay exam sessions`, and by the exam service to candidates and examiners.",
        SessionState,
    ),
    _of_enum(
        "answer-status",
        "Status of an exam answer",
        "Shown in the receipt of an answer and in the manifest of a session.",
        AnswerStatus,
    ),
    _of_enum(
        "question-standing",
        "Standing of a question in a sitting",
        "How a question counts in a sitting's score, counted by `assay exam results`.",
        QuestionStanding,
    ),
    _of_enum(
        "reference-basis",
        "Basis of the comparison with the reference",
        "The questions on which a sitting is compared with the reference, shown by `assay exam results`.",
        ReferenceBasis,
    ),
    _of_enum("token-state", "State of a token", "Shown by `assay exam token list`.", TokenState),
    _of_enum("key-state", "State of a signing key", "Shown by `assay exam key list`.", KeyState),
    _problems(),
    _exit_statuses(),
    _errors(),
)
"""All groups, in the order of the index. The names and texts are in the declaration of each set."""


def find_group(name: str) -> HelpGroup | None:
    """Return the group with a name, or None if there is none."""
    return next((group for group in GROUPS if group.slug == slug(name)), None)


def find_pages(name: str) -> tuple[HelpPage, ...]:
    """Return the pages of a name, which is written as Assay shows it or as `group/name`.

    Capitals, spaces and punctuation do not matter. A name can belong to several groups. If there is no page,
    raises NotFound with the closest name.
    """
    group, _, shown = name.rpartition("/")
    sought = slug(shown)
    every = [page for help_group in GROUPS for page in help_group.pages]
    pages = tuple(page for page in every if page.slug == sought and (not group or page.group == slug(group)))
    if not pages:
        names = {page.slug: page.name for page in every}
        close = get_close_matches(sought, names, n=1)
        advice = f"did you mean {names[close[0]]!r}? " if close else ""
        raise NotFound(f"no help on {name!r}: {advice}`assay explain` lists all names")
    return pages


def page_texts() -> dict[str, str]:
    """Return the texts of all files by path: a page for each name, an index for each group and for all."""
    texts = {INDEX: _whole_index()}
    for group in GROUPS:
        texts[f"{group.slug}/{INDEX}"] = _group_index(group)
        texts |= {f"{group.slug}/{page.slug}.md": _page(group, page) for page in group.pages}
    return texts


def _page(group: HelpGroup, page: HelpPage) -> str:
    head = f"[{group.title}]({INDEX}) · [Glossary](../../../glossary.md) · `{page.command}`"
    return _linked(page.help.markdown(page.name, head), page)


def _linked(text: str, own: HelpPage) -> str:
    """Return a page's text in which names of other pages in backticks become links."""
    paths: dict[str, list[str]] = {}
    for group in GROUPS:
        for page in group.pages:
            paths.setdefault(page.name, []).append(f"../{page.group}/{page.slug}.md")

    def link(name: re.Match[str]) -> str:
        targets = paths.get(name[1], [])
        return f"[{name[0]}]({targets[0]})" if len(targets) == 1 and name[1] != own.name else name[0]

    return re.sub(r"`([^`\n]+)`", link, text)


def _group_index(group: HelpGroup) -> str:
    rows = [f"| [{page.name}]({page.slug}.md) | {_cell(page.help.summary)} |" for page in group.pages]
    head = f"# {group.title}\n\n[All names](../{INDEX})\n\n{group.intro}\n\n| Name | Meaning |\n|---|---|\n"
    return head + "\n".join(rows) + "\n"


def _whole_index() -> str:
    intro = (
        "# Names that Assay shows\n\n"
        "Each status, check, flag and kind of error has a page: its meaning, why it matters and what to do. "
        "`assay explain NAME` prints the page in the terminal.\n\n"
        "| Group | Names |\n|---|---|\n"
    )
    rows = [
        f"| [{group.title}]({group.slug}/{INDEX}) | "
        + ", ".join(f"[{page.name}]({group.slug}/{page.slug}.md)" for page in group.pages)
        + " |"
        for group in GROUPS
    ]
    return intro + "\n".join(rows) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def write_pages(folder: Path) -> None:
    """Write all files into a folder, and remove the folders of groups from an earlier time."""
    for old in folder.glob(f"*/{INDEX}"):
        shutil.rmtree(old.parent)
    for name, text in page_texts().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]))
