"""Reading the data of the causal stories: phrases, scenes and concepts, with every fault's file and line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from assay.causal.stories.claims import QUERIES, Slot, Template
from assay.causal.stories.concept import Concept, Node, Size
from assay.causal.stories.language import Noun, slots
from assay.causal.stories.phrases import FactPhrases, Forms, QuestionPhrases, ReadingPatterns
from assay.causal.stories.questions import StoryLibrary
from assay.causal.stories.scene import FACTORS, Action, Factor, Scene
from assay.core.case import LEVELS
from assay.core.errors import InvalidInput
from assay.files.marked_yaml import Marked, Place, parse

ROOT = files("assay.causal")
LEAST_LISTS = 4
CONCEPT = "concept.yaml"
FORBIDDEN = re.compile(
    r"\b(affects?|effects?|depends?|influences?|determines?|changes?|causes?|records?|recorded|not|no|and|or|but"
    r"|while|whether|both|only)\b"
)
FACTOR = re.compile(r"F[0-8]")
"""The names of factors that a node may be made of."""
SCENE_WORDS = ("setting", "unit", "a_unit", "units", "treatment", "outcome")
SPEECH = ("people", "owner", "said", "fillers")
"""Phrases that formal questions do without."""


@cache
def library() -> StoryLibrary:
    """Return the phrases and scenes of the package. InvalidInput with every fault."""
    facts, formal = _read(ROOT / "phrases" / "facts.yaml"), _read(ROOT / "phrases" / "facts_formal.yaml")
    questions = _read(ROOT / "phrases" / "questions.yaml")
    reading, formal_reading = (
        _read(ROOT / "phrases" / name) for name in ("reading.yaml", "reading_formal.yaml")
    )
    marked = [_read(file) for file in sorted((ROOT / "scenes").iterdir(), key=lambda file: file.name)]
    scenes = tuple(scene for each in marked for scene in scenes_of(each))
    made = StoryLibrary(
        fact_phrases(facts),
        fact_phrases(formal),
        question_phrases(questions),
        _reading(reading),
        _reading(formal_reading),
        scenes,
    )
    _end([facts, formal, questions, reading, formal_reading, *marked])
    return made


@cache
def instructions() -> Mapping[str, Forms]:
    """Return the ways of saying how an answer is to be written, for `choice` and for `number`."""
    return _patterns(_read(ROOT / "phrases" / "instructions.yaml"))


@cache
def concepts() -> Mapping[str, Concept]:
    """Return the concepts of the package by name. InvalidInput with every fault."""
    shared, claims = _shared_claims()
    folders = sorted((ROOT / "concepts").iterdir(), key=lambda folder: folder.name)
    marked = {
        folder.name: _read(folder / CONCEPT, f"{folder.name}/{CONCEPT}")
        for folder in folders
        if (folder / CONCEPT).is_file()
    }
    made = {name: concept_of(each, claims) for name, each in marked.items()}
    _end([shared, *marked.values()])
    return {name: each for name, each in made.items() if each is not None}


def read_concept(folder: Path) -> Concept | None:
    """Return the concept of a folder, None where it has only numbers. InvalidInput with every fault."""
    if not (folder / CONCEPT).is_file():
        return None
    shared, claims = _shared_claims()
    marked = parse((folder / CONCEPT).read_text(encoding="utf-8"), str(folder / CONCEPT))
    made = concept_of(marked, claims) if not marked.problems else None
    _end([shared, marked])
    return made


def _shared_claims() -> tuple[Marked, Mapping[str, Template]]:
    marked = _read(ROOT / "phrases" / "claims.yaml")
    return marked, {name: _template(marked, (name,), name) for name in marked.value}


def _read(file: Traversable, shown: str = "") -> Marked:
    return parse(file.read_text(encoding="utf-8"), shown or file.name)


def _end(marked: Sequence[Marked]) -> None:
    if problems := [problem for each in marked for problem in each.in_order()]:
        raise InvalidInput(problems)


def scenes_of(marked: Marked) -> tuple[Scene, ...]:
    """Return the scenes of a file; faults are added to its problems."""
    found = []
    for number, value in enumerate(marked.value or ()):
        before = len(marked.problems)
        scene = _scene(marked, (number,), value)
        if scene is not None and len(marked.problems) == before:
            found.append(scene)
    return tuple(found)


def _scene(marked: Marked, place: Place, value: Any) -> Scene | None:
    wanted = {"name", "setting", "units", "treatment", "outcome", "factors", "speakers"}
    if not isinstance(value, dict) or set(value) != wanted:
        lacking = sorted(wanted - set(value or ())) or sorted(set(value) - wanted)
        marked.refuse(
            f"a scene has exactly the keys {', '.join(sorted(wanted))}: see {', '.join(lacking)}", place
        )
        return None
    if len(value["factors"]) != FACTORS:
        marked.refuse(
            f"{value['name']!r} has {len(value['factors'])} factors: give {FACTORS}", (*place, "factors")
        )
        return None
    try:
        factors = tuple(Factor(_noun(each), each["high"], each["low"]) for each in value["factors"])
        treatment, outcome = (
            Action(_noun(value[key]), _pair(value[key]["yes"]), _pair(value[key]["no"]))
            for key in ("treatment", "outcome")
        )
        scene = Scene(
            value["name"],
            value["setting"],
            _pair(value["units"]),
            treatment,
            outcome,
            factors,
            _pair(value["speakers"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        marked.refuse(f"{value['name']!r} lacks or misstates {error}", place)
        return None
    _check_nouns(marked, place, scene)
    return scene


def _check_nouns(marked: Marked, place: Place, scene: Scene) -> None:
    """Refuse nouns that the reader could take for something else."""
    nouns = [scene.treatment.noun.text, scene.outcome.noun.text, *(each.noun.text for each in scene.factors)]
    for noun in nouns:
        if match := FORBIDDEN.search(noun):
            marked.refuse(
                f"{noun!r} in {scene.name!r} has the word {match[0]!r}, with which facts are told", place
            )
        if other := next((each for each in nouns if each is not noun and noun in each), None):
            marked.refuse(f"{noun!r} is a part of {other!r} in {scene.name!r}: choose another word", place)


def _noun(value: Mapping[str, Any]) -> Noun:
    return Noun(value["noun"], bool(value.get("plural", False)))


def _pair(value: Any) -> tuple[str, str]:
    first, second = value
    return first, second


def fact_phrases(marked: Marked) -> FactPhrases:
    """Return the forms in which facts are told; a kind without forms is a fault."""
    value = {"on": (), **marked.value}
    for field in fields(FactPhrases):
        if not value.get(field.name) and field.name not in SPEECH:
            marked.refuse(f"there are no phrases for {field.name!r}: give at least one", ())
        value.setdefault(field.name, ())
    kinds = tuple(_pair(each) for each in value["kinds"])
    rest = [field.name for field in fields(FactPhrases) if field.name not in ("list", "kinds")]
    return FactPhrases(value["list"], kinds, **{name: tuple(value[name]) for name in rest})


def question_phrases(marked: Marked) -> QuestionPhrases:
    """Return what questions end with."""
    value = marked.value
    made: dict[str, Any] = {field.name: _frozen(value[field.name]) for field in fields(QuestionPhrases)}
    return QuestionPhrases(**made)


def _frozen(value: Any) -> Any:
    """Return lists as tuples, at every depth."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _reading(marked: Marked) -> ReadingPatterns:
    patterns = dict(_patterns(marked))
    return ReadingPatterns(patterns.pop("kinds"), patterns)


def _patterns(marked: Marked) -> Mapping[str, Forms]:
    return {name: tuple(several) for name, several in marked.value.items()}


def _template(marked: Marked, place: Place, name: str) -> Template:
    value: Any = marked.value
    for key in place:
        value = value[key]
    kind, *arguments = value["query"]
    if kind not in QUERIES or len(QUERIES[kind].sizes) != len(arguments):
        marked.refuse(
            f"{value['query']!r} is not a query: use {', '.join(QUERIES)} with their arguments", place
        )
    taken = {
        slot: Slot(*_sizes(given), "unrecorded" not in str(given), "only unrecorded" in str(given))
        for slot, given in value.get("slots", {}).items()
    }
    for side in ("yes", "no"):
        if side not in value:
            marked.refuse(f"the claim {name!r} has no {side!r}: give both", place)
    formal = tuple(value.get("formal", (value.get("yes", ""), value.get("no", ""))))
    return Template(
        name,
        kind,
        tuple(tuple(str(argument).split()) for argument in arguments),
        taken,
        value.get("yes", ""),
        value.get("no", ""),
        (formal[0], formal[1]),
        value.get("rung", "intervention"),
    )


def _sizes(given: Any) -> tuple[int, int]:
    if str(given).startswith("all"):
        return 1, 0
    numbers = [int(number) for number in re.findall(r"\d+", str(given))]
    return numbers[0], numbers[-1]


def concept_of(marked: Marked, shared: Mapping[str, Template]) -> Concept | None:
    """Return the concept of a file; faults are added to its problems."""
    wanted = {"name", "title", "about", "opening", "levels", "claims", "reflex"}
    if lacking := sorted(wanted - set(marked.value if isinstance(marked.value, dict) else ())):
        marked.refuse(f"the concept lacks {', '.join(lacking)}", ())
        return None
    try:
        return _concept(marked, marked.value, shared)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        marked.refuse(f"the concept lacks or misstates something: {error}", ())
        return None


def _concept(marked: Marked, value: Mapping[str, Any], shared: Mapping[str, Template]) -> Concept:
    own = {name: _template(marked, ("own", name), name) for name in value.get("own", {})}
    known = {**shared, **own}
    chosen = {}
    for key in ("claims", "reflex"):
        for number, name in enumerate(value[key]):
            if name not in known:
                marked.refuse(
                    f"{name!r} is not a claim: choose from {', '.join(sorted(known))}", (key, number)
                )
        chosen[key] = tuple(known[name] for name in value[key] if name in known)
    _check_claims(marked, own, chosen["claims"], {"X", "Y", *value.get("nodes", {})})
    nodes = {"X": Node("X", "{treatment}", "X"), "Y": Node("Y", "{outcome}", "Y", lists=(0, 1))}
    for name, given in value.get("nodes", {}).items():
        nodes[name] = Node(name, **{**given, "lists": tuple(given.get("lists", (1,)))})
    sizes = {level: Size(*row) for level, row in zip(LEVELS, value["levels"], strict=True)}
    for number, size in enumerate(sizes.values()):
        if size.lists < LEAST_LISTS:
            text = f"{size.lists} lists leave too few different stories: give at least {LEAST_LISTS}"
            marked.refuse(text, ("levels", number))
    return Concept(
        value["name"],
        value["title"],
        value["about"],
        tuple(nodes.values()),
        sizes,
        tuple(_pair(each.split()) for each in value.get("paths", ["X Y"])),
        tuple(_pair(each.split()) for each in value.get("never", [])),
        tuple(value["opening"]),
        chosen["claims"],
        chosen["reflex"],
    )


def _check_claims(
    marked: Marked, own: Mapping[str, Template], chosen: Sequence[Template], nodes: set[str]
) -> None:
    """Refuse claims with a word that there is not, without one that they need, or that say the same."""
    for name, claim in own.items():
        known = {*claim.slots, *nodes, *SCENE_WORDS}
        for side, text in (
            ("yes", claim.yes),
            ("no", claim.no),
            *(("formal", each) for each in claim.formal),
        ):
            used = set(slots(text))
            if unknown := sorted(each for each in used - known if not FACTOR.fullmatch(each)):
                marked.refuse(
                    f"the claim {name!r} has the slot {unknown[0]!r}, which nothing fills",
                    ("own", name, side),
                )
            named = {slot for slot, given in claim.slots.items() if given.most}
            if text and (lacking := sorted(named - used)):
                marked.refuse(
                    f"the claim {name!r} does not name {lacking[0]!r} in {side!r}", ("own", name, side)
                )
    for number, claim in enumerate(chosen):
        for earlier in chosen[:number]:
            if claim.yes == earlier.yes or (claim.query, claim.arguments, claim.slots) == (
                earlier.query,
                earlier.arguments,
                earlier.slots,
            ):
                text = f"the claims {earlier.name!r} and {claim.name!r} say the same: leave out one"
                marked.refuse(text, ("claims", number))
