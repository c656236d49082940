"""The one error tree. Kinds become exit statuses in the CLI and problem+json on the web."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from assay.core.documented import DocumentedIntEnum, HelpText
from assay.core.wording import counted

POSITION = re.compile(r"\[\d+\]")


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with an input: where it stands, and what to write instead."""

    text: str
    file: str | None = None
    line: int | None = None

    def __str__(self) -> str:
        if self.file is None:
            return self.text
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.text}"


def group_problems(problems: Iterable[Problem]) -> list[str]:
    """Return one line for each different fault: the first place where it stands, and how many more there are.

    Faults are equal when their texts differ only in the position within a list (`cases[3]`).
    """
    groups: dict[str, list[Problem]] = {}
    for problem in problems:
        groups.setdefault(POSITION.sub("[]", problem.text), []).append(problem)
    return [_group_line(group) for group in groups.values()]


def _group_line(group: Sequence[Problem]) -> str:
    more = len(group) - 1
    if not more:
        return str(group[0])
    last = group[-1]
    place = last.file if last.line is None else f"{last.file}:{last.line}"
    until = "" if last.file is None else f", the last at {place}"
    return f"{group[0]} (the same in {counted(more, 'more place')}{until})"


class ExitStatus(DocumentedIntEnum):
    """How a command ended, as the shell sees it."""

    DONE = (
        0,
        HelpText("""
            The command did what it was asked for.

            Scripts can rely on the result. It does not mean that the news is good: `assay verdict` ends
            with 0 on a COOKED day too, unless you ask for `--fail-on`.

            Nothing. Warnings and hints, if there are any, are on standard error.
        """),
    )
    BAD_NEWS = (
        1,
        HelpText("""
            The command worked, and what it found needs attention. It can be a state named by `verdict
            --fail-on`, a judge that moved (`judge calibrate --fail-on`), findings of `causal lint`, refused
            decisions of `bank screen`, an import without a usable question, or an alarm of `exam exposure`.

            It is the status to react to in a scheduler or in CI: the tool is fine, its subject is not.

            Read what was printed. A repetition gives the same result until something has changed.
        """),
    )
    WRONG = (
        2,
        HelpText("""
            The command could not be carried out because of its input: wrong options, a file with mistakes,
            a name that does not exist, or a setup that is not complete.

            As a rule nothing was sent or changed. All problems that could be found are listed at once.

            Correct what the message names; it usually quotes the command that helps. `assay COMMAND --help`
            lists the options, `assay doctor` checks the setup.
        """),
    )
    UPSTREAM = (
        3,
        HelpText("""
            Something outside failed: a provider, the network or the database. Or the budget was spent, or
            every sample errored.

            The command was right and may succeed later. Replies that had been received are kept, so a
            repetition does not pay for them again.

            Use the command at the end of the message, usually `assay resume RUN`. In a scheduler, wait
            before you try again; if a budget was spent, raise it first.
        """),
    )
    DEFECT = (
        70,
        HelpText("""
            Assay itself has a defect. A Python traceback is printed above the message.

            What was committed to the database before is safe. Whether the command had finished its work is
            not known.

            Please report it with the traceback and the command. Check the text for secrets before you send
            it. Until it is mended, another option or a smaller input may avoid the place.
        """),
    )
    INTERRUPTED = (
        130,
        HelpText("""
            You pressed Ctrl-C, or the process was asked to stop.

            At the first Ctrl-C the calls in flight are finished and saved, since they are paid for anyway.
            A second one drops them.

            Continue with `assay resume RUN`; the message names it. In scripts treat it as a stop by a
            person rather than as a failure.
        """),
    )


class AssayError(Exception):
    """Anything Assay tells its user. The message says what is wrong, the value, and what to do."""

    status = 500
    exit_status: int = ExitStatus.WRONG


class InvalidInput(AssayError):
    """The input cannot be used as it is. Carries every problem found, not only the first."""

    help: ClassVar[HelpText] = HelpText("""
        The input cannot be used as it is: an option, a file, a name or a value in it.

        Nothing was changed. The error carries every problem that was found in `problems`, each with its
        file and line where there is one, and not only the first.

        In Python catch `InvalidInput` and show `error.problems`. On the command line it ends with exit
        status 2, in the exam service with HTTP status 422.
    """)

    status = 422

    def __init__(self, problems: str | Problem | Sequence[Problem]) -> None:
        if isinstance(problems, str):
            problems = Problem(problems)
        self.problems = (problems,) if isinstance(problems, Problem) else tuple(problems)
        super().__init__("\n".join(group_problems(self.problems)))


class NotFound(AssayError):
    """There is no such thing."""

    help: ClassVar[HelpText] = HelpText("""
        Something that was named does not exist: a run, a model, a suite, a question, a session.

        It is often a typing mistake, or another database than you think: the database is chosen by the
        workspace in the current folder.

        The message names the command that lists what there is. On the command line it ends with exit status
        2, in the exam service with HTTP status 404.
    """)

    status = 404


class Conflict(AssayError):
    """The request contradicts what is already there, or somebody else holds it."""

    help: ClassVar[HelpText] = HelpText("""
        The request contradicts what is recorded already, or somebody else holds what it needs: a run that
        another process is executing, a name that is taken, an answer that is final.

        The request would be fine in another state, so repeating it helps only after the state has changed.

        Look at the present state with the command that the message names. On the command line it ends with
        exit status 2, in the exam service with HTTP status 409.
    """)

    status = 409


class Denied(AssayError):
    """Nobody, or not this one, may do that. `status` is 401 or 403."""

    help: ClassVar[HelpText] = HelpText("""
        The caller may not do this: there is no valid proof of who it is (status 401), or the right is
        missing (403). Keys that do not open sealed data are reported in this way too.

        The message says what is missing, but never shows a key or a token, nor anything that only others
        may know.

        Give the right key or token, or ask the administrator for the right. On the command line it ends
        with exit status 2.
    """)

    def __init__(self, message: str, *, status: int = 403) -> None:
        super().__init__(message)
        self.status = status


class Upstream(AssayError):
    """A service that Assay depends on failed, or the budget for asking it is spent."""

    help: ClassVar[HelpText] = HelpText("""
        A service that Assay depends on failed: a provider refused or did not answer, the database is gone,
        or the budget for asking is spent.

        The input was right. Replies that had been received are kept, so a repetition does not pay twice.

        Remove the cause, or wait, and continue with the command in the message, usually `assay resume RUN`.
        On the command line it ends with exit status 3, in the exam service with HTTP status 502.
    """)

    status = 502
    exit_status = ExitStatus.UPSTREAM
