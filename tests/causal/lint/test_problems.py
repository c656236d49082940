"""Everything that is wrong with a hand-written form, told at once."""

from __future__ import annotations

from dataclasses import replace

from every_row import every_row

from assay.causal.item import Item, Variant
from assay.causal.lint.problems import problems
from assay.causal.lint.raw import Raw, items

SOUND = [
    Raw(
        f"c-{variant}",
        "collider",
        variant.value,
        f"A {variant} question?",
        tuple("ABCD"),
        ("one", "two", "three", "four"),
        ("B",),
        file="form.yaml",
        line=10 * place + 4,
    )
    for place, variant in enumerate(Variant)
]


def said(**changes: object) -> str:
    """Return what is said of a form whose first question has these changes."""
    return "\n".join(str(one) for one in problems([replace(SOUND[0], **changes), *SOUND[1:]]))  # type: ignore[arg-type]


def test_a_sound_form_has_no_problems() -> None:
    """Five variants of a concept, each with four different options and one key, are what is asked for."""
    assert problems(SOUND) == ()
    assert items(SOUND)[0] == Item(
        "c-base", "collider", "base", "A base question?", ("one", "two", "three", "four"), 1
    )


@every_row(
    "changes, words",
    [
        ({"id": None}, "form.yaml:4: a question without an id: has no `id`"),
        ({"concept": None}, "has no `subcategory`"),
        ({"variant": "basic"}, "'basic' is no variant: write one of base, trap"),
        ({"stem": " "}, "has no stem"),
        ({"letters": (), "options": ()}, "has no options"),
        ({"letters": tuple("ABC"), "options": ("one", "two", "three")}, "lacks option D (it has A, B, C)"),
        ({"letters": tuple("ABCDE"), "options": tuple("vwxyz")}, "extra option E"),
        ({"letters": tuple("ABBD")}, "option B more than once"),
        ({"letters": tuple("ACBD")}, "stand in the order A, C, B, D"),
        ({"keys": ()}, "has no key"),
        ({"keys": ("B", "C")}, "several keys (B, C)"),
        ({"keys": ("E",)}, "its key 'E' is not among its options A, B, C, D"),
        ({"options": ("one", "0.5", "50 %", "four")}, "options B and C say the same and one is the key"),
        ({"options": ("One.", "two", "one", "four")}, "options A and C say the same: a reader can rule"),
        ({"options": ("one", "two", " ", "four")}, "option C is empty"),
        ({"id": "c-trap"}, "form.yaml:14: the id 'c-trap' stands at form.yaml:4 too: rename one"),
        ({"concept": "m-bias"}, "the bundle 'm-bias' has no trap and no transfer and no numeric"),
        ({"variant": "trap"}, "the bundle 'collider' has a trap question at form.yaml:4 already"),
        ({"stem": "A trap question"}, "its stem is that of 'c-base' at form.yaml:4"),
    ],
)
def test_each_fault_is_told_with_its_place(changes: dict[str, object], words: str) -> None:
    """The message says what is wrong, where, and what to do."""
    assert words in said(**changes)


def test_all_faults_come_at_once_in_order() -> None:
    """Faults of several questions are listed together, in the order in which the questions stand."""
    broken = [replace(SOUND[0], keys=("E",), stem=""), *SOUND[1:4], replace(SOUND[4], id="c-base", keys=())]
    found = problems(broken)
    assert [problem.line for problem in found] == [4, 4, 44, 44]


def test_the_same_key_given_twice_is_one_key() -> None:
    """`b` and `B` are the same key, and five declared letters allow five options."""
    assert said(keys=("b", "B")) == ""
    assert said(letters=tuple("ABCDE"), options=tuple("vwxyz"), declared="ABCDE") == ""
