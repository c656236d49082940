"""Two yes-or-no facts crossed: their four combinations are always the four answers, whatever is true."""

from __future__ import annotations

from collections.abc import Callable

from assay.causal.draft import Answer, Kind, right, wrong
from assay.causal.proof.proof import Claim

Pair = tuple[bool, bool]
PAIRS: tuple[Pair, ...] = ((True, True), (True, False), (False, True), (False, False))
Kinds = Callable[[Pair, Pair], Kind]


def reflexes(first: bool | None = None, second: bool | None = None) -> Kinds:
    """Return which kind of mistake each wrong combination is.

    `first` and `second` are the textbook's answers to the two facts, None where it has none. Both wrong is
    reversed logic; one wrong is a reflex where the textbook says so, misapplied where it says the opposite,
    and a partial insight where it is silent.
    """

    def kind(option: Pair, state: Pair) -> Kind:
        if option[0] != state[0] and option[1] != state[1]:
            return Kind.REVERSED
        said, taught = (option[0], first) if option[0] != state[0] else (option[1], second)
        if taught is None:
            return Kind.PARTIAL
        return Kind.REFLEX if said == taught else Kind.MISAPPLIED

    return kind


def crossed(
    state: Pair,
    say: Callable[[Pair], str],
    claims: Callable[[Pair], tuple[Claim, ...]],
    *,
    topics: tuple[str, str],
    why: str,
    kinds: Kinds,
) -> tuple[Answer, ...]:
    """Return the four combinations as answers, the true one being `state`.

    `say` and `claims` word a combination and say what it claims; `why` explains what is true of the story,
    and `topics` name the two facts in the explanation of what is wrong.
    """

    def answer(option: Pair) -> Answer:
        if option == state:
            return right(say(option), *claims(option), why=why)
        if option[0] == state[0]:
            fault = f"Right about {topics[0]}, wrong about {topics[1]}."
        elif option[1] == state[1]:
            fault = f"Right about {topics[1]}, wrong about {topics[0]}."
        else:
            fault = f"Wrong about {topics[0]} and about {topics[1]}."
        return wrong(kinds(option, state), say(option), *claims(option), why=f"{fault} {why}")

    return tuple(map(answer, PAIRS))
