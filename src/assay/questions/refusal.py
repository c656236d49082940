"""Why something that was read did not become a question."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Reason(StrEnum):
    """One cause each; none of them shows a key."""

    NO_STEM = "the question is empty"
    NO_KEY = "there is no key"
    LOST = "characters were lost in an earlier conversion"
    TOO_LONG = "a text is too long"
    PICTURE = "it holds a picture, which the bank cannot keep"
    NO_OPTIONS = "said to be multiple choice, but it has no options"
    ONE_OPTION = "it has only one option"
    EMPTY_OPTION = "an option is empty"
    OPTION_GAP = "an option's letter is missing"
    OPTION_ORDER = "the options' letters are out of order, so that the key may mean a letter or a position"
    OPTION_TWICE = "an option's letter stands twice"
    SAME_OPTIONS = "two options are the same"
    MANY_OPTIONS = "it has more options than letters"
    KEY_BEYOND = "the key names a letter beyond the options"
    KEY_UNREADABLE = "the key is neither letters nor one of the options"
    SEVERAL_KEYS = "several keys for a single choice"
    NEITHER = "said to be true or false, but the key is neither"
    NO_BLANK = "said to be fill-in-the-blank, but it has no blank"
    BLANKS = "the key has another number of answers than the question has blanks"
    OVERLAP = "two questions in one"
    OUTSIDE = "text that belongs to no question"
    UNUSED_PASSAGE = "material without a question"
    UNUSED_ANSWER = "an answer without a question"
    AMBIGUOUS_ANSWER = "an answer that could be that of several questions"
    UNREADABLE = "the record cannot be read"
    NO_OBJECT = "the record is no object with named values"
    CELLS = "the row has more cells than the header"
    OPTIONS_FORM = "the options are in a form that is not known"
    DISCIPLINE = "its discipline is not one of the taxonomy"
    KIND = "its kind is not one of the six"
    UUID = "its uuid is none"
    UUID_TAKEN = "its uuid is that of another question"
    PARENT = "the question it was made from is not in the bank"
    OTHER_KEY = "the same question stands before it with another key"
    LEFT_OUT = "the profile leaves it out"


@dataclass(frozen=True, slots=True)
class Refused:
    """Something that is kept among the rejects. `detail` says more and shows no key."""

    reason: Reason
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.reason}: {self.detail}" if self.detail else str(self.reason)
