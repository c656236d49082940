"""Results of the evaluation of seed 002 ("workbench"): answers of models with judges' marks and G-Eval."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from assay.core.errors import Problem


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt by its id. Its text is not published; what the file does not tell is None."""

    id: str
    category: str
    subcategory: str | None = None
    difficulty: str | None = None
    check_type: str | None = None


@dataclass(frozen=True, slots=True)
class GivenMark:
    """A mark by a judge (1-5) or for a metric of G-Eval (0-1); None, for `reason`, where none was given."""

    by: str
    value: float | None
    rationale: str = ""
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """One model's answer to one prompt. `place` says where it stands; `latency` is in seconds.

    `at` is UTC seconds since 1970, None where the file has no time.
    """

    place: str
    model: str
    prompt: Prompt
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
    """One model's answer to a causal question (`B01_Q1`). `place` says where it stands; `latency` is in s.

    `text` is empty where the model wrote nothing, and None where the call failed. `key` is the right
    letter and `recorded` the one that the project read, each None where the file does not tell it.
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
    """What a file holds. Every row is in exactly one of four counts.

    `rows` = answers + choices (answers to causal questions) + `earlier` (attempts that a later one replaced)
    + `refused`; each refused row has its problem.
    """

    path: Path
    rows: int = 0
    earlier: int = 0
    answers: list[GivenAnswer] = field(default_factory=list)
    choices: list[GivenChoice] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    prompts: dict[str, Prompt] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    _places: dict[tuple[str, str], str] = field(default_factory=dict)
    _first: dict[str, str] = field(default_factory=dict)

    @property
    def refused(self) -> int:
        """How many rows were wrong."""
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
        """Take a wrong row with all that is wrong with it."""
        self.problems.append(Problem(text, str(self.path), line))

    def take(self, answer: GivenAnswer, line: int | None = None) -> None:
        """Take an answer, unless one to the same prompt is there, or the prompt changed its kind."""
        key = (answer.model, answer.prompt.id)
        before = self.prompts.get(answer.prompt.id)
        if key in self._places:
            told = f"answer of {answer.model!r} to {answer.prompt.id!r}"
            self.refuse(f"an {told} stands at {self._places[key]} already: that one counts", line)
        elif before is not None and before != answer.prompt:
            told = f"{answer.prompt.id!r} is of another category, difficulty or check"
            self.refuse(f"the prompt {told} at {self._first[answer.prompt.id]}", line)
        else:
            self._places[key] = answer.place
            self._first.setdefault(answer.prompt.id, answer.place)
            self.prompts.setdefault(answer.prompt.id, answer.prompt)
            self.answers.append(answer)

    def take_choice(self, choice: GivenChoice, line: int | None = None) -> None:
        """Take an answer to a causal question, unless one is there, or the question had another key."""
        told = (choice.model, choice.question)
        key = self.keys.get(choice.question)
        if told in self._places:
            text = (
                f"an answer of {choice.model!r} to {choice.question!r} stands at {self._places[told]} already"
            )
            self.refuse(f"{text}: that one counts", line)
        elif choice.key is not None and key not in (None, choice.key):
            first = self._first[choice.question]
            self.refuse(f"the key of {choice.question!r} is {choice.key!r}, and {key!r} at {first}", line)
        else:
            self._places[told] = choice.place
            if choice.key is not None and key is None:
                self._first[choice.question] = choice.place
                self.keys[choice.question] = choice.key
            self.choices.append(choice)
