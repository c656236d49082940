"""What model-written code may try in order to pass tests, and what tests promise to honest code."""

# ruff: noqa: E501 - programs are kept whole
from __future__ import annotations

import code_answers
import pytest

from assay.core.grade import Grade
from assay.sandbox.sandbox import Sandbox

TESTS = """
import math
from math import isclose

def test_small():
    assert add(1, 2) == 3

def test_negative():
    result = add(-5, 2)
    assert not result > 0
    assert result + 3 == 0 and result in (-3, -3.0)

def test_close():
    assert math.isclose(add(0.1, 0.2), 0.3)

def test_close_again():
    from math import isclose as inner
    assert isclose(add(0.1, 0.2), 0.3) and inner(add(0.1, 0.2), 0.3)
"""

CHEATS = {
    "prints success": "print('PASSED')\nprint([('test_small', True, '')])",
    "prints the last line it saw": """
import os
for _ in range(3):
    os.write(1, b"\\n[('test_small', True, ''), ('test_negative', True, ''), ('test_close', True, '')]\\n")
def add(a, b): return 0
""",
    "leaves with success while loading": "import sys\ndef add(a, b): return 0\nsys.exit(0)",
    "leaves with success in the test": "import sys\ndef add(a, b): sys.exit(0)",
    "leaves without a word": "import os\ndef add(a, b): os._exit(0)",
    "leaves without a word while loading": "import os\nos._exit(0)",
    "always equal": """
class Any:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __lt__(self, other): return True
    __gt__ = lambda self, other: False
    __le__ = __ge__ = __lt__
    def __add__(self, other): return self
    def __float__(self): return 0.0
    def __hash__(self): return 0
def add(a, b): return Any()
""",
    "a number that is always equal": """
class Number(float):
    def __eq__(self, other): return True
    def __gt__(self, other): return False
    def __add__(self, other): return self
    __hash__ = float.__hash__
def add(a, b): return Number(77)
""",
    "a class that lies about its class": """
class Liar:
    __class__ = int
    def __eq__(self, other): return True
    def __gt__(self, other): return False
    def __add__(self, other): return self
def add(a, b): return Liar()
""",
    "a metaclass that lies about its ancestors": """
class Meta(type):
    __mro__ = property(lambda cls: (int, object))
    def __instancecheck__(cls, other): return True
class Liar(metaclass=Meta):
    def __eq__(self, other): return True
    def __gt__(self, other): return False
    def __add__(self, other): return self
def add(a, b): return Liar()
""",
    "replaces builtins": """
import builtins
class AssertionError(Exception): pass
builtins.AssertionError = SystemExit
builtins.isinstance = builtins.callable = builtins.any = builtins.all = lambda *a: True
builtins.len = builtins.bool = lambda *a: 1
def add(a, b): return 0
""",
    "replaces the builtins that comparing needs": """
import builtins
builtins.zip = lambda *a, **k: ()
builtins.type = lambda value: float
builtins.hasattr = builtins.any = lambda *a: False
def add(a, b): return 0
""",
    "replaces what the tests import": """
import math
math.isclose = lambda *a: True
def add(a, b): return 0
""",
    "replaces what the tests import, once and for all": """
import math
def always(*a): return True
math.isclose = getattr(math, 'kept', always)
math.kept = math.isclose
def add(a, b): return 0
""",
    "swallows exceptions": """
import sys, contextlib
sys.excepthook = lambda *a: None
def add(a, b):
    try: return 0
    finally: sys.exc_info()
""",
    "looks for the expected value in its caller": """
import inspect, sys
def add(a, b):
    frame = sys._getframe(1)
    while frame:
        for value in frame.f_locals.values():
            if isinstance(value, int): return value
        frame = frame.f_back
""",
    "climbs by a traceback": """
def add(a, b):
    try: raise ValueError
    except ValueError as error: frame = error.__traceback__.tb_frame
    while frame.f_back:
        frame = frame.f_back
        for name, value in list(frame.f_locals.items()):
            if isinstance(value, list): value[:] = [(n, True, '') for n in ('test_small', 'test_negative', 'test_close')]
        if '__assay_compare__' in frame.f_globals: frame.f_globals['__assay_compare__'] = lambda *a: True
    return 0
""",
    "climbs by a generator": """
def add(a, b):
    def inner(): yield 1
    made = inner()
    frame = made.gi_frame.f_back or made.gi_frame
    frame.f_back.f_globals['__assay_compare__'] = lambda *a: True
    return 0
""",
    "climbs by its own exception's text": """
import sys
class Odd(Exception):
    def __str__(self):
        trace = sys.exception().__traceback__
        trace.tb_frame.f_globals['describe'] = lambda error: ''
        return ''
def add(a, b): raise Odd
""",
    "finds the results among all objects": """
import gc
def add(a, b):
    for thing in gc.get_objects():
        if isinstance(thing, dict) and '__assay_compare__' in thing: thing['__assay_compare__'] = lambda *a: True
    return 0
""",
    "traces the tests": """
import sys
def trace(frame, event, argument):
    frame.f_globals.update(__assay_compare__=lambda *a: True)
    return trace
sys.settrace(trace)
sys.setprofile(trace)
def add(a, b): return 0
""",
    "replaces the harness": """
import sys
from assay_inside import harness, equality
equality.comparison = lambda own: (lambda *a: True, str)
for name in ('attempt', 'one_test', 'describe'): setattr(harness, name, lambda *a: None)
def add(a, b): return 0
""",
    "reports by itself": """
from assay_inside.harness import run
def add(a, b): return a + b
run('def add(a, b): return a + b', 'def test_small(): pass', ['add'], [], ['test_small'], False)
def add(a, b): return 0
""",
    "replaces itself through its module": """
import sys
sys.modules['tests'] = sys.modules['__main__']
sys.modules['__main__'].test_small = lambda: None
def test_small(): pass
def test_negative(): pass
def test_close(): pass
def add(a, b): return 0
""",
}

HONEST = {
    "plain": "def add(a, b): return a + b",
    "prints on the way": "import sys\ndef add(a, b):\n    print(a, b); print(a, file=sys.stderr)\n    return a + b",
    "guarded main": "def add(a, b): return a + b\nif __name__ == '__main__':\n    import sys; sys.exit(add(1, 2))",
    "a number of its own class": """
class Number(float):
    def __add__(self, other): return Number(float(self) + other)
def add(a, b): return Number(a) + b
""",
    "logs": "import logging\ndef add(a, b):\n    logging.warning('adding %s', a)\n    return a + b",
    "named tuples, data classes and enumerations": """
from collections import namedtuple
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple
Pair = namedtuple('Pair', 'a b')
class Two(NamedTuple):
    a: int
    b: int
@dataclass(frozen=True)
class Sum:
    pair: Pair
    def value(self): return self.pair.a + self.pair.b
def add(a, b): return Sum(Pair(a, b)).value()
""",
    "reads its own traceback": """
import traceback
def add(a, b):
    try: raise ValueError('x')
    except ValueError: assert 'ValueError: x' in traceback.format_exc()
    return a + b
""",
}  # fmt: skip


def grade(
    sandbox: Sandbox, answer: str, tests: str = TESTS, entry: str = "add", **parameters: object
) -> Grade:
    """Return the grade of an answer."""
    return code_answers.grade(sandbox, answer, tests, entry, **parameters)


@pytest.mark.slow
@pytest.mark.parametrize("name", CHEATS)
def test_a_cheat_earns_nothing(sandbox: Sandbox, name: str) -> None:
    """Code that does not add two numbers fails every test, whatever else it does."""
    found = grade(sandbox, CHEATS[name])
    assert found.value == 0, found.evidence


@pytest.mark.parametrize("name", HONEST)
def test_honest_code_passes(sandbox: Sandbox, name: str) -> None:
    """Code that adds two numbers passes every test, in its own style."""
    found = grade(sandbox, HONEST[name])
    assert (found.value, found.evidence["failed"]) == (1, [])


def test_each_test_counts_by_itself(sandbox: Sandbox) -> None:
    """A wrong case costs its own test only, and the evidence says what was compared."""
    found = grade(sandbox, "def add(a, b): return abs(a + b)")
    assert found.value == pytest.approx(3 / 4)
    error = "AssertionError: not result > 0 (3 > 0 does not hold)"
    assert [failure["test"] for failure in found.evidence["failed"]] == ["test_negative"], error


def test_the_evidence_names_the_values(sandbox: Sandbox) -> None:
    """A failed comparison is reported with both sides."""
    found = grade(sandbox, "def add(a, b): return 4", tests="def test_a():\n    assert add(1, 2) == 3\n")
    error = "AssertionError: add(1, 2) == 3 (4 == 3 does not hold)"
    assert found.evidence["failed"] == [{"test": "test_a", "error": error}]


@pytest.mark.slow
def test_an_endless_test_costs_itself_only(sandbox: Sandbox) -> None:
    """A test that runs out of time fails; those before and after it are still marked."""
    answer = "def add(a, b):\n    while a < 0: pass\n    return a + b"
    found = grade(sandbox, answer, seconds=1)
    failed = [(failure["test"], failure["error"]) for failure in found.evidence["failed"]]
    assert failed == [("test_negative", "time-out: no end within 1 s")]


def test_code_that_ends_the_program_costs_that_test_only(sandbox: Sandbox) -> None:
    """`os._exit` in one test fails that test; the others are run again without it."""
    answer = "import os\ndef add(a, b):\n    if a < 0: os._exit(0)\n    return a + b"
    found = grade(sandbox, answer)
    assert [failure["test"] for failure in found.evidence["failed"]] == ["test_negative"]


@pytest.mark.slow
def test_endless_code_is_given_up(sandbox: Sandbox) -> None:
    """After three tests ran out of time the others are not run."""
    tests = "".join(f"def test_{n}():\n    assert add({n}, 0) == {n}\n" for n in range(9))
    found = grade(sandbox, "def add(a, b):\n    while True: pass", tests=tests, seconds=1)
    errors = [failure["error"] for failure in found.evidence["failed"]]
    assert errors == ["time-out: no end within 1 s"] * 3 + ["not run: 3 tests had used up their limits"] * 6


def test_tests_that_do_not_load_grade_nobody(sandbox: Sandbox) -> None:
    """A fault in the suite's tests is never the answer's."""
    tests = (
        "import zoneinfo\nzone = zoneinfo.ZoneInfo('No/Where')\ndef test_a():\n    assert add(1, 2) == 3\n"
    )
    found = grade(sandbox, "def add(a, b): return a + b", tests=tests)
    assert found.value is None
    assert found.reason is not None and found.reason.startswith(
        "the tests do not load: ZoneInfoNotFoundError"
    )


def test_tests_do_not_share_state(sandbox: Sandbox) -> None:
    """Every test meets freshly loaded code, so that their order does not matter."""
    answer = "calls = []\ndef add(a, b):\n    calls.append(a)\n    return len(calls)"
    tests = "def test_a():\n    assert add(0, 0) == 1\ndef test_b():\n    assert add(0, 0) == 1\n"
    assert grade(sandbox, answer, tests=tests).value == 1


def test_classes_of_the_answer_may_be_tested(sandbox: Sandbox) -> None:
    """Objects of the answer's class compare with each other, and hold plain values that compare."""
    answer = """
class Point:
    def __init__(self, x): self.x = x
    def __eq__(self, other): return self.x == other.x
    def __contains__(self, x): return x == self.x
class Missing(KeyError): pass
def point(x):
    if x is None: raise Missing('x')
    return Point(x)
"""
    tests = """
def test_equal():
    assert point(1) == Point(1) and point(1) != Point(2)
    assert [point(1)] == [Point(1)]
def test_inside():
    assert 1 in point(1) and 2 not in point(1)
def test_values():
    assert point(1).x == 1 and type(point(2).x) == int and point(1).x is not None
def test_error():
    try:
        point(None)
    except Missing as error:
        assert isinstance(error, KeyError)
    else:
        raise AssertionError('no error')
"""
    found = grade(sandbox, answer, tests=tests, entry="point")
    assert (found.value, found.evidence["failed"]) == (1, [])


def test_own_equality_must_be_allowed(sandbox: Sandbox) -> None:
    """A class that compares itself with numbers passes only where the case says that it may."""
    answer = "class Money:\n    def __init__(self, n): self.n = n\n    def __eq__(self, other): return self.n == other"
    tests = "def test_a():\n    assert Money(3) == 3\n    assert not Money(3) == 4\n"
    assert grade(sandbox, answer, tests=tests, entry="Money").value == 0
    assert grade(sandbox, answer, tests=tests, entry="Money", own_equality=True).value == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "value",
    [
        "[1, {'a': (2, 3)}, {4, 5}, None, 1.5, 'x', b'y']",
        "collections.OrderedDict(a=[1], b=2)",
        "collections.Counter('aab')",
        "collections.defaultdict(list, a=[1])",
        "collections.deque([1, 2], maxlen=2)",
        "decimal.Decimal('1.10')",
        "fractions.Fraction(1, 3)",
        "datetime.datetime(2026, 1, 2, 3, 4)",
        "datetime.timedelta(days=1)",
        "range(3)",
        "[ValueError, len, int]",
        "{'a': 1}.items()",
        "array.array('i', [1, 2])",
    ],
)
def test_values_of_the_standard_library_compare(sandbox: Sandbox, value: str) -> None:
    """What the standard library makes is compared as always."""
    imports = "import array, collections, datetime, decimal, fractions\n"
    answer = f"{imports}def make(): return {value}"
    tests = f"{imports}def test_a():\n    assert make() == {value}\n    assert make() in [{value}]\n"
    found = grade(sandbox, answer, tests=tests, entry="make")
    assert (found.value, found.evidence["failed"]) == (1, [])


@pytest.mark.parametrize(
    "value",
    [
        "[E()]",
        "{'a': E()}",
        "{1: [E()]}.values()",
        "collections.OrderedDict(a=E())",
        "(x for x in [E()])",
        "slice(E())",
    ],
)
def test_equality_hidden_inside_a_value_is_found(sandbox: Sandbox, value: str) -> None:
    """An object that equals everything is seen inside containers, views and iterators too."""
    answer = f"""
import collections
class E:
    def __eq__(self, other): return True
    __hash__ = None
def make(): return {value}
"""
    tests = """
import collections
EXPECTED = ([5], {'a': 5}, {1: [5]}, slice(5))
def test_a():
    assert make() in EXPECTED or make() == collections.OrderedDict(a=5) or 5 in make()
"""
    assert grade(sandbox, answer, tests=tests, entry="make").value == 0
