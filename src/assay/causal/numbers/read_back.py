"""The independent reader: recovers facts, numbers and question from a finished stem, or refuses it.

It knows the scene's phrases and the patterns of the data, and nothing of how the text was made. Every
sentence must be read; what was told must be what the model says, each thing once; and the numbers of the text
alone must give the key by its formula.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from assay.causal import queries as q
from assay.causal.draft import Answer, Draft
from assay.causal.numbers.formula import bound, parsed
from assay.causal.numbers.known import Known
from assay.causal.numbers.open_draft import OpenDraft
from assay.causal.numbers.recipe import (
    Ask,
    CastRole,
    Display,
    Place,
    Recipe,
    Saying,
    Task,
    names_of,
    only,
    told_terms,
)
from assay.causal.proof.counted.route import Counted
from assay.causal.scm import Scm
from assay.causal.stories.read_back import Unreadable
from assay.causal.stories.scene import Scene
from assay.core.errors import InvalidInput

States = Mapping[str, tuple[str, ...]]
Levels = frozenset[tuple[str, int]]
_TAG = re.compile(r"\[(\w+)=(\d)\]")
_LEVEL = re.compile(r"[\[{](?:one )?(\w+)=(\w+)[\]}]")
_NOUN = re.compile(r"\[(\w+)\]")
_FACTOR = re.compile(r"\[(f\d+)(?==\d|\])")
_SENTENCE = re.compile(r"(?<=[.?:])\s+")
_OPTION = re.compile(r"([+−]?)(\d+(?:\.\d+)?)(%| percentage points?)?")
_AGREEING = re.compile(r"\{\w+:([^{}|]*)\|([^{}|]*)\}")
_SLOT = re.compile(r"\{(?:one )?(\w+(?:=\w+)?)\}")
_TOKENS = {
    "GROUP": r"(?P<group>(?:(?:the|all) )?\[units\](?: (?:(?:and|with|that) )*\[\w+=\d\])*)",
    "EVENT": r"(?:had )?(?P<event>\[\w+=\d\])",
    "N": r"(?P<n>\d[\d,]*(?:\.\d+)?%?)",
    "M": r"(?P<m>\d[\d,]*)",
    "UNITS": r"\[units\]",
    "SPEAKER": r"\[speaker\]",
}
_WHEN = r"(?:(?P<when>(?:\[\w+=\d\](?: and )?)+), )?"


@dataclass(frozen=True, slots=True)
class StatedNumber:
    """A number that a text states: how many units have certain levels, or which share has the event."""

    kind: str
    levels: Levels
    event: tuple[str, int] | None
    number: Fraction
    hits: Fraction | None = None


@dataclass(slots=True)
class ReadStem:
    """What a stem was found to say; factors go by their place in the scene."""

    facts: Counter[tuple[str, tuple[str, ...]]] = field(default_factory=Counter)
    assumed: Counter[str] = field(default_factory=Counter)
    statements: list[StatedNumber] = field(default_factory=list)
    numbers: dict[int, Fraction] = field(default_factory=dict)
    sentences: list[tuple[str, str, str]] = field(default_factory=list)
    question: str = ""


def checked(drawn: Draft | OpenDraft, recipe: Recipe, scene: Scene, level: int) -> None:
    """Check that the stem of a question of a level says what its model says, and determines its key.

    Unreadable with the first difference.
    """
    assert isinstance(drawn.world, Scm)
    task = recipe.tasks[int(drawn.template.rsplit("/", 1)[1])]
    state_name, ask = drawn.state.split("/")
    state = names_of(recipe, task, state_name, ask)
    reading = read(drawn.stem, recipe, task, scene)
    if reading.assumed != Counter(task.assume):
        raise Unreadable(f"the text assumes {sorted(reading.assumed.elements())}, not {sorted(task.assume)}")
    first: Unreadable | None = None
    for cast in _casts(reading, recipe, task, state):
        try:
            _compare(drawn, recipe, task, state, level, _recast(reading, cast))
            _check_sentences(recipe, task, state, reading, cast)
            _check_question(drawn, recipe, task, state, ask, _renamed(reading.question, cast))
            break
        except Unreadable as error:
            first = first or error
    else:
        raise first or Unreadable(
            f"the facts of the text are not those of the state {state_name!r}: {reading.facts}"
        )
    if isinstance(drawn, Draft):
        for answer in drawn.answers:
            _check_option(answer, recipe.asks[ask].display)


def read(stem: str, recipe: Recipe, task: Task, scene: Scene) -> ReadStem:
    """Read a stem of a task. Unreadable where a sentence is none that the task has, or is two of them."""
    tagged = _tagged(stem, *_phrases(recipe, scene))
    opening, *blocks, last = tagged.split("\n\n")
    if not _pattern(recipe.opening.read).search(opening):
        raise Unreadable(f"the opening {opening!r} cannot be read")
    reading, due = ReadStem(question=last), False
    for block in blocks:
        announced = any(_statement(form).fullmatch(block.rstrip(":")) for form in recipe.reading["lead"])
        if due != block.startswith("|"):
            raise Unreadable(f"a table and the sentence that announces it do not belong together: {block!r}")
        due = announced
        if block.startswith("|"):
            reading.statements += _table(block, recipe)
        else:
            for sentence in _SENTENCE.split(block):
                _sentence(sentence.rstrip(".:"), recipe, task, reading)
    return reading


def problems(recipe: Recipe) -> Iterator[tuple[Place, str]]:
    """Yield every form of a recipe that its own pattern does not read, or another's does."""

    def misread(
        place: Place, form: str, name: str, patterns: Mapping[str, str]
    ) -> Iterator[tuple[Place, str]]:
        return _problems_of(place, _with(form, recipe), name, patterns)

    for group in ("facts", "assume"):
        sayings: Mapping[str, Saying] = getattr(recipe, group)
        for name, saying in sayings.items():
            for place, form in enumerate(saying.say):
                yield from misread(
                    (group, name, "say", place), form, name, {n: s.read for n, s in sayings.items()}
                )
    for place, form in enumerate(recipe.opening.say):
        yield from misread(("opening", "say", place), form, "opening", {"opening": recipe.opening.read})
    patterns = {name: _levelled(ask.read, ask.levels) for name, ask in recipe.asks.items()}
    for name, ask in recipe.asks.items():
        for whole in _questions(recipe, ask):
            if not ask.say:
                read = {"question": recipe.question.read}
                yield from misread(("question", "say"), whole, "question", read)
            levelled = _levelled(whole, ask.levels)
            yield from misread(("question", "asks", name), levelled, name, patterns)
    for number, task in enumerate(recipe.tasks):
        for at, given in enumerate(task.given):
            if given.saying is not None:
                for form in given.saying.say:
                    yield from misread(
                        ("tasks", number, "given", at), form, "number", {"number": given.saying.read}
                    )


def _questions(recipe: Recipe, ask: Ask) -> Iterator[str]:
    """Yield each way of asking for something."""
    for form in ask.say or recipe.question.say:
        for phrases in itertools.product(*ask.slots.values()):
            whole = form
            for slot, phrase in zip(ask.slots, phrases, strict=True):
                whole = whole.replace("{" + slot + "}", phrase)
            yield whole


def _levelled(text: str, levels: Mapping[str, int]) -> str:
    """Return a text with named levels as numbers."""
    return re.sub(r"=(\w+)", lambda match: f"={levels.get(match[1], match[1])}", text)


def _with(form: str, recipe: Recipe) -> str:
    """Return a form with the word that joins a group and what its units have in common."""
    words = {CastRole.TREATMENT: "that ", CastRole.OUTCOME: "that ", CastRole.OWN: ""}

    def joined(match: re.Match[str]) -> str:
        part = recipe.cast.get(match[1])
        return f"{words.get(part.role, 'with ') if part else 'with '}[{match[1]}={match[2]}]"

    for name, part in recipe.cast.items():
        for phrases in (part.did, part.one, part.which, part.when):
            for level, phrase in sorted(enumerate(phrases), key=lambda pair: -len(pair[1])):
                form = form.replace(phrase, f"[{name}={level}]")
        form = re.sub(rf"\b{re.escape(part.noun)}\b", f"[{name}]", form) if part.noun else form
    return re.sub(r"\{with (\w+)=(\w+)\}", joined, form)


def _problems_of(
    place: Place, form: str, name: str, patterns: Mapping[str, str]
) -> Iterator[tuple[Place, str]]:
    for number in (r"\1", r"\2"):
        form = form.replace("{a_unit}", "a [unit]")
        text = _SLOT.sub(r"[\1]", _AGREEING.sub(number, form))
        found = [other for other, pattern in patterns.items() if _pattern(pattern).search(text)]
        if found != [name]:
            others = " and ".join(map(repr, found)) or "nothing"
            yield place, f"{text!r} is read as {others}, not as {name!r} alone: change the form, or `read`"
            return


def _phrases(recipe: Recipe, scene: Scene) -> tuple[re.Pattern[str], Mapping[str, str]]:
    """Return a pattern of all phrases of the scene and the recipe's own parts, and the tag of each phrase."""
    tags: dict[str, str] = {}
    for phrase, tag in _named(recipe, scene):
        if tags.setdefault(phrase.lower(), tag) != tag:
            raise Unreadable(f"the phrase {phrase!r} stands for {tags[phrase.lower()]} and for {tag}")
    for phrase, tag in zip(
        (*reversed(scene.units), scene.setting), ("units", "unit", "setting"), strict=True
    ):
        tags.setdefault(phrase.lower(), f"[{tag}]")
    for phrase in scene.speakers:
        tags.setdefault(phrase.lower(), "[speaker]")
    longest = sorted(tags, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)", re.IGNORECASE), tags


def _named(recipe: Recipe, scene: Scene) -> Iterator[tuple[str, str]]:
    """Yield each phrase for a variable or for one of its levels, with its tag."""
    slots = {"units": scene.units[1], "unit": scene.units[0], "setting": scene.setting}
    for name, part in recipe.cast.items():
        if part.role in (CastRole.TREATMENT, CastRole.OUTCOME):
            action = scene.treatment if part.role is CastRole.TREATMENT else scene.outcome
            slots |= {name: action.noun.text, f"{name}=1": action.yes[1], f"{name}=0": action.no[1]}
            yield action.noun.text, f"[{name}]"
            yield from ((phrase, f"[{name}=0]") for phrase in action.no)
            yield from ((phrase, f"[{name}=1]") for phrase in action.yes)
    for place, factor in enumerate(scene.factors):
        yield factor.noun.text, f"[f{place}]"
        yield factor.low, f"[f{place}=0]"
        yield factor.high, f"[f{place}=1]"
    for name, part in recipe.cast.items():
        if part.role is CastRole.OWN:
            yield _filled(part.noun, slots), f"[{name}]"
            for forms in (part.did, part.one, part.which, part.when):
                yield from ((_filled(phrase, slots), f"[{name}={at}]") for at, phrase in enumerate(forms))


def _filled(template: str, slots: Mapping[str, str]) -> str:
    return re.sub(r"\{(\w+(?:=\d)?)\}", lambda match: slots[match[1]], template)


def _tagged(text: str, phrases: re.Pattern[str], tags: Mapping[str, str]) -> str:
    return phrases.sub(lambda match: tags[match[0].lower()], text)


@lru_cache(maxsize=1024)
def _pattern(written: str) -> re.Pattern[str]:
    """Return a pattern of the data file as a regular expression over tagged text."""
    text = re.escape(" ".join(written.split())).replace(r"\ ", " ")
    for old, new in ((r"\(", "(?:"), (r"\)", ")"), (r" \| ", "|"), (r"\|", "|"), (r" \.\.\. ", ".*?")):
        text = text.replace(old, new)
    return re.compile(rf"(?<!\w)(?:{text})(?!\w)", re.IGNORECASE)


@lru_cache(maxsize=1024)
def _compiled(written: str, factors: frozenset[str]) -> re.Pattern[str]:
    pattern = _pattern(written).pattern
    for slot in "vw":
        first, rest = rf"\\[(?P<{slot}>f\\d+|[A-Z]\\w*)\\]", r"\\[(?:f\\d+|[A-Z]\\w*)\\]"
        pattern = re.sub(rf"\\\[{slot}\\\]", first, pattern, count=1)
        pattern = re.sub(rf"\\\[{slot}\\\]", rest, pattern)
    for name in factors:
        pattern = re.sub(rf"\\\[{name}(?=\\\]|=)", r"\\[f\\d+", pattern)
    return re.compile(re.sub(r"=[a-z]\w*(?=\\\])", r"=\\d", pattern), re.IGNORECASE)


def _loose(written: str, recipe: Recipe) -> re.Pattern[str]:
    """Return a pattern in which any factor may stand for a factor, and any level for one with a name."""
    return _compiled(written, frozenset(n for n, part in recipe.cast.items() if part.role is CastRole.FACTOR))


@lru_cache(maxsize=256)
def _statement(written: str) -> re.Pattern[str]:
    """Return a pattern of `reading.yaml` as a regular expression over a whole sentence."""
    parts = re.split(r"\b(GROUP|EVENT|N|M|UNITS|SPEAKER)\b", written)
    made = "".join(_TOKENS.get(part, re.escape(part).replace(r"\ ", " ")) for part in parts)
    return re.compile(f"{_WHEN}{made}", re.IGNORECASE)


def _sentence(text: str, recipe: Recipe, task: Task, reading: ReadStem) -> None:
    """Note what one sentence says."""
    found: list[str] = []
    if any(_statement(form).fullmatch(text) for form in recipe.reading["lead"]):
        found.append("lead")
    for kind in ("share", "trial", "count"):
        for form in recipe.reading[kind]:
            if match := _statement(form).fullmatch(text):
                reading.statements.append(_stated(kind, match))
                found.append(kind)
                break
    for place, given in enumerate(task.given):
        if given.saying is not None and _loose(given.saying.read, recipe).search(text):
            if place in reading.numbers:
                raise Unreadable(f"the text says twice what {text!r} says")
            reading.sentences.append(("given", str(place), text))
            reading.numbers[place] = _one_number(text)
            found.append("number")
    assumed = [name for name, saying in recipe.assume.items() if _loose(saying.read, recipe).search(text)]
    if text.lower().startswith("assume"):
        reading.assumed.update(assumed)
        reading.sentences += [("assume", name, text) for name in assumed]
        found += assumed
    else:
        told = text
        for form in recipe.reading["said"]:
            if match := _statement(form).match(told):
                told = told[match.end() :].strip()
                break
        facts = [name for name, saying in recipe.facts.items() if _loose(saying.read, recipe).search(told)]
        found += facts
        reading.sentences += [("facts", name, told) for name in facts]
        reading.facts.update((name, _about(told, recipe, task, name)) for name in facts)
    if len(found) != 1:
        raise Unreadable(f"the sentence {text!r} says {' and '.join(found) or 'nothing that can be read'}")


def _about(text: str, recipe: Recipe, task: Task, name: str) -> tuple[str, ...]:
    """Return what a fact is about, in the order in which its pattern names them."""
    if not any(fact == name for fact, _ in task.facts):
        raise Unreadable(f"the text states {name!r}, which is not among the facts: {text!r}")
    named = _loose(recipe.facts[name].read, recipe).search(text)
    if named and (groups := [match for match in named.groupdict().items() if match[1]]):
        return tuple(about for _, about in sorted(groups))
    about = tuple(dict.fromkeys(_FACTOR.findall(text)))
    if len(about) != 1:
        raise Unreadable(f"{text!r} is about {len(about)} factors, not about one")
    return about


def _stated(kind: str, match: re.Match[str]) -> StatedNumber:
    levels = frozenset(
        (name, int(level)) for name, level in _TAG.findall(f"{match['when'] or ''} {match['group']}")
    )
    ((event, at),) = _TAG.findall(match["event"])
    hits = _number(match["m"]) if kind == "count" else None
    return StatedNumber(kind, levels, (event, int(at)), _number(match["n"]), hits)


def _number(text: str) -> Fraction:
    number = Fraction(text.rstrip("%").replace(",", ""))
    return number / 100 if text.endswith("%") else number


def _one_number(text: str) -> Fraction:
    found = re.findall(r"(?<![\w=.])(\d[\d,]*(?:\.\d+)?)(%| percentage points?)?(?![\w\]])", text)
    if len(found) != 1:
        raise Unreadable(f"{text!r} has {len(found)} numbers, not one")
    return _number(found[0][0]) / (100 if found[0][1] else 1)


def _table(block: str, recipe: Recipe) -> list[StatedNumber]:
    """Return what a table states, row by row."""
    header, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines())
    columns: list[str] = []
    event: tuple[str, int] | None = None
    for cell in header:
        kind = next((k for k in ("number", "hits", "part") if _any(recipe.reading[k], cell)), "")
        if kind in ("hits", "part"):
            ((name, at),) = _TAG.findall(cell)
            event = name, int(at)
        elif not kind and not (kind := (_NOUN.fullmatch(cell) or ["", ""])[1]):
            raise Unreadable(f"the column {cell!r} cannot be read")
        columns.append(kind)
    found = []
    for row in rows:
        levels: list[tuple[str, int]] = []
        numbers: dict[str, Fraction] = {}
        for kind, cell in zip(columns, row, strict=True):
            if kind in ("number", "hits", "part"):
                numbers[kind] = _number(cell)
            elif (match := _TAG.fullmatch(cell)) and match[1] == kind:
                levels.append((kind, int(match[2])))
            else:
                raise Unreadable(f"the cell {cell!r} is not a level of the column {kind!r}")
        told = "share" if "part" in numbers else "count"
        number = numbers["part"] if told == "share" else numbers["number"]
        found.append(StatedNumber(told, frozenset(levels), event, number, numbers.get("hits")))
    return found


def _any(forms: Sequence[str], text: str) -> bool:
    return any(_statement(form).fullmatch(text) for form in forms)


def _casts(reading: ReadStem, recipe: Recipe, task: Task, state: States) -> Iterator[Mapping[str, str]]:
    """Yield each way of telling which factor plays which variable that the facts allow."""
    wanted = Counter(
        (name, tuple(only(each, state) for each in about.split()))
        for name, several in task.facts
        for about in several
    )
    variables = sorted(
        {each for _, about in wanted for each in about if recipe.cast[each].role is CastRole.FACTOR}
    )
    factors = sorted({each for _, about in reading.facts for each in about if re.fullmatch(r"f\d+", each)})
    if len(factors) != len(variables):
        return
    for chosen in itertools.permutations(variables):
        cast = dict(zip(factors, chosen, strict=True))
        if wanted == Counter(
            (name, tuple(cast.get(each, each) for each in about)) for name, about in reading.facts.elements()
        ):
            yield cast


def _recast(reading: ReadStem, cast: Mapping[str, str]) -> ReadStem:
    def renamed(pair: tuple[str, int]) -> tuple[str, int]:
        return cast.get(pair[0], pair[0]), pair[1]

    statements = [
        StatedNumber(
            s.kind, frozenset(map(renamed, s.levels)), renamed(s.event) if s.event else None, s.number, s.hits
        )
        for s in reading.statements
    ]
    return ReadStem(
        reading.facts, reading.assumed, statements, reading.numbers, reading.sentences, reading.question
    )


def _renamed(text: str, cast: Mapping[str, str]) -> str:
    return _FACTOR.sub(lambda match: f"[{cast.get(match[1], match[1])}", text)


def _compare(
    drawn: Draft | OpenDraft, recipe: Recipe, task: Task, state: States, level: int, reading: ReadStem
) -> None:
    """Check that a text gives the numbers that it must, and that the key follows from them alone."""
    assert isinstance(drawn.world, Scm)
    route, left = Counted(drawn.world), list(reading.statements)
    named: dict[str, q.Term | Fraction] = {}
    numbers = dict(reading.numbers)
    named.update(
        {name: Fraction(behind[0]) for name, behind in state.items() if behind and behind[0].isdigit()}
    )
    for place, given in enumerate(task.given):
        if level not in given.levels:
            continue
        if given.number:
            if place not in numbers:
                raise Unreadable(f"the text does not give the number {given.number!r}")
            number, true = numbers.pop(place), route.number(bound(parsed(given.number), state, named))
            if number != true:
                raise Unreadable(f"the text has {number} where the model has {true} ({given.number!r})")
            named[given.name] = number
            continue
        wanted = told_terms(task, given, state)
        part = [_taken(left, term, counts=given.counts) for term in wanted]
        everyone = sum(statement.number for statement in part)
        for term, statement in zip(wanted, part, strict=True):
            if given.counts:
                assert statement.hits is not None
                _equal(term, statement.hits / statement.number, route.number(term))
                if term.given:
                    _equal(term, statement.number / everyone, route.number(q.Probability(term.given)))
            else:
                _equal(term, statement.number, route.number(term))
    if left or numbers:
        raise Unreadable(f"the text has numbers that it should not have: {left or numbers}")
    key_name = task.key[drawn.state.split("/")[0]][drawn.state.split("/")[1]]
    formula = bound(recipe.answer(drawn.state.split("/")[1], key_name), state, named)
    try:
        from_text = _known(reading.statements, task).number(formula)
    except InvalidInput as error:
        raise Unreadable(f"the key does not follow from the text: {error}") from error
    true = route.number(bound(parsed(recipe.asks[drawn.state.split("/")[1]].target), state, named))
    if from_text != true:
        raise Unreadable(f"the numbers of the text give {from_text}, and the model gives {true}")


def _taken(left: list[StatedNumber], term: q.Probability, *, counts: bool) -> StatedNumber:
    kind = "count" if counts else "trial" if term.do else "share"
    levels = frozenset((*term.given, *term.do))
    fitting = [s for s in left if (s.kind, s.levels, s.event) == (kind, levels, term.event[0])]
    if len(fitting) != 1:
        raise Unreadable(f"the text states {len(fitting)} times, not once, the {kind} of {term!r}")
    left.remove(fitting[0])
    return fitting[0]


def _equal(term: q.Probability, number: Fraction, true: Fraction) -> None:
    if number != true:
        raise Unreadable(f"the text has {number} where the model has {true}: {term!r}")


def _known(statements: Sequence[StatedNumber], task: Task) -> Known:
    known = Known(task.independent)
    for each in statements:
        assert each.event is not None
        if each.kind == "count":
            assert each.hits is not None
            known.count(dict(each.levels), each.event, each.number, each.hits)
        else:
            known.share(each.event, each.levels, each.number, trial=each.kind == "trial")
    return known


def _check_sentences(
    recipe: Recipe, task: Task, state: States, reading: ReadStem, cast: Mapping[str, str]
) -> None:
    """Check that sentences name the variables and levels of the state where their patterns name them."""
    for group, name, text in reading.sentences:
        if group == "given":
            saying = task.given[int(name)].saying
        else:
            saying = recipe.facts[name] if group == "facts" else recipe.assume[name]
        assert saying is not None
        pattern = _resolved(re.sub(r"\[[vw]\]", "...", saying.read), state)
        renamed = _renamed(text, cast)
        if "[" in pattern and not _pattern(pattern).search(renamed):
            raise Unreadable(f"the sentence {text!r} does not say {pattern!r}")
        if group != "facts":
            _check_groups(renamed, saying.say, recipe, state)


def _check_question(
    drawn: Draft | OpenDraft, recipe: Recipe, task: Task, state: States, ask: str, text: str
) -> None:
    """Check that a question asks what it should, in the units in which it is answered."""
    if not recipe.asks[ask].say and not _pattern(_resolved(recipe.question.read, state)).search(text):
        raise Unreadable(f"the question {text!r} cannot be read")
    found = []
    for name in task.asks:
        levels = recipe.asks[name].levels
        if _pattern(_resolved(_levelled(recipe.asks[name].read, levels), state)).search(text):
            found.append(name)
    if found != [ask]:
        raise Unreadable(
            f"the text asks for {' and '.join(found) or 'nothing that can be read'}, not for {ask!r}"
        )
    _check_groups(text, _questions(recipe, recipe.asks[ask]), recipe, state)
    if isinstance(drawn, OpenDraft):
        kind = "decimal" if drawn.tolerance else "exact"
    else:
        kind = {Display.NUMBER: "plain"}.get(recipe.asks[ask].display, recipe.asks[ask].display.value)
    if not any(_pattern(form).search(text) for form in recipe.reading[kind]):
        raise Unreadable(f"the text does not say that the answer is to be given {recipe.reading[kind][0]!r}")


def _check_groups(text: str, forms: Iterable[str], recipe: Recipe, state: States) -> None:
    """Check that a text names the groups of units that one of its forms names in a state, in that order."""

    def groups(form: str) -> list[tuple[str, str]]:
        found = _LEVEL.findall(_with(form, recipe))
        return [("".join(state.get(name, (name,))), "".join(state.get(at, (at,)))) for name, at in found]

    if _TAG.findall(text) not in map(groups, forms):
        raise Unreadable(f"{text!r} names other groups than the data, or in another order")


def _resolved(pattern: str, state: States) -> str:
    """Return a pattern with the names of a state as variables and levels."""

    def name(match: re.Match[str]) -> str:
        return match[1] + "".join(state.get(match[2], (match[2],)))

    return re.sub(r"(\[|=)(\w+)(?=[\]=])", name, pattern)


def _check_option(answer: Answer, display: Display) -> None:
    match = _OPTION.fullmatch(answer.text)
    unit = {Display.POINTS: " percentage point", Display.PERCENT: "%", Display.NUMBER: ""}[display]
    if match is None or (match[3] or "").rstrip("s") != unit:
        raise Unreadable(f"the option {answer.text!r} cannot be read as {display.value}")
    value = Fraction(match[2]) / (100 if unit else 1) * (-1 if match[1] == "−" else 1)
    if value != answer.claims[0].answer:
        raise Unreadable(f"the option {answer.text!r} claims {answer.claims[0].answer}")
