"""Results of seed 002's evaluation ("workbench"): answers of models with judges' marks and G-Eval."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from assay.core.errors import Problem


@dataclass(frozen=True, slots=True)
class WorkbenchPrompt:
    """A prompt by its id; its text is not published. None stands for what is not in the file."""

    id: str
    category: str
    subcategory: str | None = None
    difficulty: str | None = None
    check_type: str | None = None


@dataclass(frozen=True, slots=True)
class GivenMark:
    """A mark of a judge (1-5) or for a metric of G-Eval (0-1); None, with a `reason`, if it is missing."""

    by: str
    value: float | None
    rationale: str = ""
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """One model's answer to one prompt, with its `place` in the file; `latency` is in seconds.

    `at` is in UTC seconds since 1970, None if the file has no time.
    """

    place: str
    model: str
    prompt: WorkbenchPrompt
    text: str
    prompt_tokens: int | None
    completion_tokens: int | None
    latency: float
    flags: tuple[str, ...]
    marks: tuple[GivenMark, ...]
    geval: tuple[GivenMark, ...]
    at: float | None = None


@dataclass(frozen=True, slots=True)
class GivenChoice:
    """One model's answer to a causal question (`B01_Q1`), with its `place` in the file.

    `latency` is in seconds. `text` is empty if the model wrote nothing, and None if the call failed. `key` is
    the right letter and `recorded` the letter that the project read; each is None if it is not in the file.
    """

    place: str
    model: str
    question: str
    text: str | None
    prompt_tokens: int | None
    completion_tokens: int | None
    latency: float
    key: str | None
    recorded: str | None
    at: float | None = None


@dataclass(slots=True)
class Workbench:
    """The content of a file. Every row is counted once.

    `rows` = answers + choices (answers to causal questions) + `earlier` (attempts that a later one replaced)
    + `refused` (rows with a problem).
    """

    path: Path
    rows: int = 0
    earlier: int = 0
    answers: list[GivenAnswer] = field(default_factory=list)
    choices: list[GivenChoice] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    prompts: dict[str, WorkbenchPrompt] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    _places: dict[tuple[str, str], str] = field(default_factory=dict)
    _first: dict[str, str] = field(default_factory=dict)

    @property
    def refused(self) -> int:
        """The number of bad rows."""
        return len(self.problems)

    @property
    def models(self) -> tuple[str, ...]:
        """The models that answered prompts, in the order of the file."""
        return tuple(dict.fromkeys(answer.model for answer in self.answers))

    @property
    def choosers(self) -> tuple[str, ...]:
        """The models that answered causal questions, in the order of the file."""
        return tuple(dict.fromkeys(choice.model for choice in self.choices))

    @property
    def judges(self) -> tuple[str, ...]:
        """The judges that marked, in the order of the file."""
        return tuple(dict.fromkeys(mark.by for answer in self.answers for mark in answer.marks))

    def refuse(self, text: str, line: int | None = None) -> None:
        """Add the problem of a bad row."""
        self.problems.append(Problem(text, str(self.path), line))

    def take(self, answer: GivenAnswer, line: int | None = None) -> None:
        """Add an answer, or a problem if the prompt was already answered or is described differently."""
        key = (answer.model, answer.prompt.id)
        before = self.prompts.get(answer.prompt.id)
        if key in self._places:
            subject = f"answer of {answer.model!r} to {answer.prompt.id!r}"
            self.refuse(f"second {subject}: remove one (the first, at {self._places[key]}, counts)", line)
        elif before is not None and before != answer.prompt:
            fault = f"{answer.prompt.id!r} has another category, difficulty or check"
            self.refuse(f"prompt {fault} at {self._first[answer.prompt.id]}: make them equal", line)
        else:
            self._places[key] = answer.place
            self._first.setdefault(answer.prompt.id, answer.place)
            self.prompts.setdefault(answer.prompt.id, answer.prompt)
            self.answers.append(answer)

    def take_choice(self, choice: GivenChoice, line: int | None = None) -> None:
        """Add an answer to a causal question, or a problem if it is a second one or has another key."""
        asked = (choice.model, choice.question)
        key = self.keys.get(choice.question)
        if asked in self._places:
            subject = f"answer of {choice.model!r} to {choice.question!r}"
            self.refuse(f"second {subject}: remove one (the first, at {self._places[asked]}, counts)", line)
        elif choice.key is not None and key not in (None, choice.key):
            first = self._first[choice.question]
            self.refuse(
                f"the key of {choice.question!r} is {choice.key!r}, but {key!r} at {first}: correct one", line
            )
        else:
            self._places[asked] = choice.place
            if choice.key is not None and key is None:
                self._first[choice.question] = choice.place
                self.keys[choice.question] = choice.key
            self.choices.append(choice)
