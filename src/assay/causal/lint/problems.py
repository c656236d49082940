"""What is wrong with the questions of a hand-written form: everything at once, each with its place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from assay.causal.item import Variant
from assay.causal.lint.raw import Raw
from assay.causal.lint.words import normal
from assay.core.errors import Problem

VARIANTS = tuple(variant.value for variant in Variant)


def problems(raws: Sequence[Raw], *, variants: Sequence[str] = VARIANTS) -> tuple[Problem, ...]:
    """Return all faults of a form's questions, in the order in which they stand.

    A fault of several questions (an id given twice, a bundle without one of `variants`) stands at the last
    or the first of them.
    """
    found: list[tuple[int, Problem]] = []
    for place, raw in enumerate(raws):
        found += ((place, raw.refuse(f"{raw.called}: {text}")) for text in _alone(raw, variants))
    found += _ids(raws)
    found += _bundles(raws, variants)
    found += _stems(raws)
    return tuple(problem for _, problem in sorted(found, key=lambda pair: pair[0]))


def _alone(raw: Raw, variants: Sequence[str]) -> Iterator[str]:
    """Yield what is wrong with one question by itself."""
    if raw.id is None:
        yield "has no `id`: give it one"
    if raw.concept is None:
        yield "has no `subcategory`: name its concept, such as front-door"
    if raw.variant not in variants:
        yield f"its use case {raw.variant!r} is no variant: write one of {', '.join(variants)}"
    if not raw.stem.strip():
        yield "has no stem: write the question above its options"
    yield from _letters(raw)
    yield from _keys(raw)
    yield from _options(raw)


def _letters(raw: Raw) -> Iterator[str]:
    wanted = tuple(raw.declared)
    if not raw.letters:
        yield "has no options: write a blank line, then a line `A) ...` for each"
        return
    listed = ", ".join(raw.letters)
    missing = [letter for letter in wanted if letter not in raw.letters]
    extra = [letter for letter in raw.letters if letter not in wanted]
    twice = sorted({letter for letter in raw.letters if raw.letters.count(letter) > 1})
    if missing:
        yield f"lacks option {', '.join(missing)} (it has {listed}): write {len(wanted)} options"
    if extra:
        yield f"has the extra option {', '.join(extra)}: remove it, or declare it in the grader's `options`"
    if twice:
        yield f"has option {', '.join(twice)} more than once: letter the options {', '.join(wanted)}"
    if not (missing or extra or twice) and raw.letters != wanted:
        yield f"its options stand in the order {listed}: letter them {', '.join(wanted)}"


def _keys(raw: Raw) -> Iterator[str]:
    keys = tuple(dict.fromkeys(key.upper() for key in raw.keys))
    if not keys:
        yield "has no key: give it a grader `choice: {expect: B}`"
    if len(keys) > 1:
        yield f"has several keys ({', '.join(keys)}): exactly one option may be right"
    if raw.letters:
        for key in keys:
            if key not in raw.letters:
                yield f"its key {key!r} is not among its options {', '.join(raw.letters)}"


def _options(raw: Raw) -> Iterator[str]:
    lettered = list(zip(raw.letters, raw.options, strict=True))
    alike: defaultdict[str, list[str]] = defaultdict(list)
    for letter, option in lettered:
        if option.strip():
            alike[normal(option)].append(letter)
        else:
            yield f"option {letter} is empty: write its text"
    keys = {key.upper() for key in raw.keys}
    for letters in alike.values():
        if len(letters) < 2:
            continue
        named = " and ".join(letters)
        if keys & set(letters):
            yield f"options {named} say the same and one is the key, so two options are correct"
        else:
            yield f"options {named} say the same: a reader can rule both out"


def _ids(raws: Sequence[Raw]) -> Iterator[tuple[int, Problem]]:
    first: dict[str, Raw] = {}
    for place, raw in enumerate(raws):
        if raw.id is None:
            continue
        other = first.setdefault(raw.id, raw)
        if other is not raw:
            yield place, raw.refuse(f"the id {raw.id!r} stands at {_place(other)} too: rename one")


def _bundles(raws: Sequence[Raw], variants: Sequence[str]) -> Iterator[tuple[int, Problem]]:
    bundles: defaultdict[str, dict[str, Raw]] = defaultdict(dict)
    starts: dict[str, int] = {}
    for place, raw in enumerate(raws):
        if raw.concept is None:
            continue
        starts.setdefault(raw.concept, place)
        if raw.variant not in variants:
            continue
        other = bundles[raw.concept].setdefault(str(raw.variant), raw)
        if other is not raw:
            text = f"{raw.called}: the bundle {raw.concept!r} has a {raw.variant} question at {_place(other)}"
            yield place, raw.refuse(f"{text} already: keep one")
    for concept, place in starts.items():
        missing = [variant for variant in variants if variant not in bundles[concept]]
        if missing:
            text = f"the bundle {concept!r} has no {' and no '.join(missing)} question: write what is missing"
            yield place, raws[place].refuse(text)


def _stems(raws: Sequence[Raw]) -> Iterator[tuple[int, Problem]]:
    first: dict[str, Raw] = {}
    for place, raw in enumerate(raws):
        if not raw.stem.strip():
            continue
        other = first.setdefault(normal(raw.stem), raw)
        if other is not raw:
            yield place, raw.refuse(f"{raw.called}: its stem is that of {other.called} at {_place(other)}")


def _place(raw: Raw) -> str:
    if raw.file is None:
        return raw.called
    return raw.file if raw.line is None else f"{raw.file}:{raw.line}"
