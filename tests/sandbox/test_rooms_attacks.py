"""What code may try against the line between the rooms: it reaches neither the tests nor the marks."""

# ruff: noqa: E501 - programs are kept whole
from __future__ import annotations

import textwrap

import pytest
from code_answers import grade

from assay.sandbox.sandbox import Sandbox

SECRET = "a value that only the tests know: 7351"
# `act(text)` hands a message of the code's own making to the other room in place of a reply.
FORGE = """
import sys, json, gc
def rooms():
    return [thing for thing in gc.get_objects() if type(thing).__name__ in ("Room", "Peer")]
def forge(text):
    for thing in rooms():
        if type(thing).__name__ == "Peer":
            type(thing).pack = lambda self, *a, **k: text
"""


def forging(*messages: str) -> str:
    """Return code that sends each message in place of the reply to a call."""
    return f"{FORGE}\nleft = {list(messages)!r}\ndef f(*a):\n    forge(left.pop(0) if left else '[]')\n"


ATTACKS = {
    "a forged result of a test": forging('["", true]'),
    "a forged command": forging("!test test_a"),
    "a forged ending": forging("!ended"),
    "no JSON": forging("nonsense"),
    "an empty message": forging(""),
    "half a message": forging('[["ok",'),
    "other JSON": forging("{}"),
    "no body": forging('[[],[],[],""]'),
    "an unknown kind": forging('[["pass",["h",2]],[],[],""]'),
    "a guessed handle": forging('[["ok",["h",2]],[],[],""]'),
    "a call to a guessed handle": forging('[["call",["h",2],["t"],["d",3,[]]],[],[],""]'),
    "a container that nobody sent": forging('[["ok",["#",2]],[],[],""]'),
    "a change of a container that nobody sent": forging('[["ok",1],[[4,[]]],[],""]'),
    "a number of the tests' own": forging('[["ok",["l",2,[]]],[],[],""]'),
    "a number twice": forging('[["ok",["t",["l",33,[]],["l",33,[]]]],[],[],""]'),
    "a function by its name": forging('[["ok",["n","builtins:eval"]],[],[],""]'),
    "a class of mock by its name": forging('[["ok",["n","unittest.mock:_ANY"]],[],[],""]'),
    "a module by its name": forging('[["ok",["n","builtins:__import__"]],[],[],""]'),
    "a value 100,000 deep": forging('[["ok",' + '["t",' * 100_000 + "]" * 100_000 + '],[],[],""]'),
    "a number of 100,000 digits": forging('[["ok",' + "7" * 100_000 + '],[],[],""]'),
    "a class whose ancestor it is itself": forging('[["ok",["o",3,["k",5,"A",[["k",5]],[],null],0]],[],[],""]'),
    "a class named with nul": forging('[["ok",["o",3,["k",5,"A\\\\u0000",[],[],null],0]],[],[],""]'),
    "a class derived from bool": forging('[["ok",["v",3,["k",5,"A",[["n","builtins:bool"]],[],null],true]],[],[],""]'),
    "a text that is said to be a number": forging('[["ok",["v",3,["k",5,"A",[["n","builtins:int"]],[],null],"7"]],[],[],""]'),
    "an error that is none": forging('[["raise",7],[],[],""]'),
    "a special method that compares": forging(
        '[["ok",["o",3,["k",5,"A",[],["__eq__","__class__","__instancecheck__","__getattribute__"],null],0]],[],[],""]',
        '[["ok",true],[],[],""]',
    ),
    "an exception whose text never ends": "class E(Exception):\n    def __str__(self):\n        while True: pass\ndef f(*a): raise E",
    "an exception whose text raises": "class E(Exception):\n    def __str__(self): raise self\ndef f(*a): raise E",
    "a value that changes between two reads": "class V:\n    n = 0\n    def __getattr__(self, name): return [7351, 'a'][V.n % 2]\n    def __iter__(self):\n        V.n += 1\n        return iter([V.n])\n    def __eq__(self, o): return True\n    def __len__(self): return 1\ndef f(*a): return V()",
    "a class that equals and hides": "class M(type):\n    def __instancecheck__(c, o): return True\n    def __eq__(c, o): return True\n    __hash__ = type.__hash__\nclass V(metaclass=M):\n    __class__ = str\n    def __eq__(self, o): return True\n    def __ne__(self, o): return False\n    def __hash__(self): return hash(7351)\n    def __contains__(self, x): return True\n    def __sub__(self, o): return 0.0\n    __rsub__ = __sub__\n    def __str__(self): return ''\n    def __del__(self): raise SystemExit\ndef f(*a): return V()",
    "a class in place of the function": "class f:\n    def __init__(self, *a): pass\n    __sub__ = __rsub__ = lambda self, o: self\n    __abs__ = lambda self: 0.0\n    __contains__ = __eq__ = lambda self, o: True\n    __hash__ = lambda self: hash(7351)",
    "a class of numbers in place of the function": "class f(float):\n    def __new__(cls, *a): return float.__new__(cls, 1)\n    __sub__ = __rsub__ = lambda self, o: self\n    __abs__ = lambda self: 0.0\n    __eq__ = lambda self, o: True\n    __hash__ = lambda self: hash(7351)",
    "an endless iterator": "import itertools\ndef f(*a): return itertools.count()",
    "a number whose difference is nothing": "class N(float):\n    def __sub__(self, o): return N(0.0)\n    __rsub__ = __sub__\n    def __abs__(self): return 0.0\n    def __eq__(self, o): return True\n    __hash__ = None\ndef f(*a): return N(1)",
    "a flood of output": "def f(*a):\n    for _ in range(200): print('x' * 1_000_000)",
    "a huge value": "def f(*a): return 'x' * (40 << 20)",
    "many handles": "def f(*a): return [object() for _ in range(60_000)]",
    "an error that says it is another": "class E(AssertionError): pass\nE.__name__ = ''\ndef f(*a): raise E()",
    "leaving": "import os\ndef f(*a): os._exit(0)",
    "leaving by an exception": "def f(*a): raise SystemExit(0)",
    "stopping the iteration": "def f(*a): raise StopIteration(True)",
}  # fmt: skip
TESTS = f"""
SECRET = {SECRET!r}
def test_equal():
    assert f(1, [2]) == SECRET
def test_near():
    assert abs(f(2) - 7351.5) < 1e-6
def test_among():
    assert f(3) in (SECRET, 7351, [7351], {{7351: SECRET}})
def test_key():
    assert {{SECRET: True, 7351: True}}[f(4)]
def test_different():
    assert f(5) != 1 and f(5) is not None and f(5) != SECRET[1:] and not f(5) < 1
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_on_the_line_earns_nothing(sandbox: Sandbox, name: str) -> None:
    """Forged messages, values made to deceive and exhausted limits fail the tests and nothing else."""
    found = grade(sandbox, ATTACKS[name], TESTS, "f", seconds=1)
    assert found.value == 0, found.evidence
    honest = grade(
        sandbox,
        f"def f(x, *a): return {{1: {SECRET!r}, 2: 7351.5, 3: 7351, 4: 7351}}.get(x, 'b')",
        TESTS,
        "f",
    )
    assert honest.evidence["failed"][1:] == [], "the room of the tests serves the next answer as before"


SEARCH = """
import gc, sys, types
def everything():
    seen, todo = set(), [*gc.get_objects(), *sys.modules.values()]
    while todo:
        thing = todo.pop()
        if id(thing) in seen: continue
        seen.add(id(thing))
        if isinstance(thing, str): yield thing
        elif isinstance(thing, (bytes, bytearray)): yield bytes(thing).decode("latin-1")
        else:
            todo += gc.get_referents(thing)
def found():
    word = " ".join(["only", "the", "tests", "know"])
    return [text[:200] for text in everything() if word in text and text != word]
"""
CALLBACKS = """
class Keeper:
    answer = 1
    def __init__(self, secret): self._secret = secret
    def give(self): return 3
def test_a():
    secret = "SECRET"
    def call(x): return len(secret) + x
    def generate():
        yield secret and 1
    keeper = Keeper(secret)
    try:
        f(call, generate(), keeper, [call], {"k": keeper.give}, Keeper)
    except ValueError as error:
        kept = error
    left = [found for found in f(call, generate(), keeper, None, None, None)]
    assert left == [], left
"""


@pytest.mark.slow
def test_the_answers_room_holds_nothing_of_the_tests(sandbox: Sandbox) -> None:
    """No text in the answer's memory holds what only the tests know, also after callbacks and errors."""
    answer = SEARCH + textwrap.dedent("""
    def f(call, made, keeper, calls, table, kind):
        call(1), next(made), keeper.give(), keeper.answer
        for thing, names in ((call, NAMES), (made, NAMES), (keeper, NAMES), (kind, NAMES)):
            for name in names:
                try: getattr(thing, name)
                except Exception: pass
        if calls: raise ValueError(call)
        return found()
    NAMES = ("__globals__", "__code__", "__closure__", "__builtins__", "__func__", "__self__", "gi_frame", "gi_code",
        "_secret", "__dict__", "__class__", "__init__", "__subclasses__", "__module__", "__defaults__", "__kwdefaults__",
        "__traceback__", "__wrapped__", "__getattribute__", "__reduce__", "__reduce_ex__", "__mro__", "__annotations__")
    """)
    tests = CALLBACKS.replace("SECRET", SECRET)
    found = grade(sandbox, answer, tests, "f", megabytes=1024)
    assert found.value == 1, found.evidence
    searches = grade(
        sandbox,
        SEARCH + f"kept = {SECRET!r}\ndef f(): return len(found())",
        "def test_a():\n    assert f() >= 1\n",
        "f",
        megabytes=1024,
    )
    assert searches.value == 1, "the search finds what is there"


@pytest.mark.parametrize(
    "request_",
    [
        "peer.request('get', '{0.__globals__[SECRET]}', 'format')(call)",
        "peer.request('op', '{0.__globals__[SECRET]}', '__mod__', (call,))",
        "peer.request('call', '{0.__globals__[SECRET]}'.format, (call,), {})",
        "peer.request('get', call, '__globals__')['SECRET']",
        "peer.request('op', call, '__getattribute__', ('__globals__',))['SECRET']",
        "peer.request('call', len, (call,), {})",
        "peer.request('get', Text('{0.__globals__[SECRET]}'), 'format')(call)",
        "Text('{0.__globals__[SECRET]}').format(call)",
        "peer.request('await', call)",
        "peer.request('load', ('SECRET',))",
    ],
)
def test_callbacks_lead_to_no_names_of_the_tests(sandbox: Sandbox, request_: str) -> None:
    """Whatever the answer asks of a callback or of the tests' room, it does not get the tests' globals."""
    answer = f"""
import gc
def f(call, Text):
    peer = next(thing for thing in gc.get_objects() if type(thing).__name__ == 'Peer' and thing.mirrors)
    return {request_}
"""
    tests = f"""
SECRET = {SECRET!r}
class Text(str): pass
def call(): return 1
def test_a():
    assert f(call, Text) == SECRET
def test_b():
    assert f(call, Text) != 0
"""
    found = grade(sandbox, answer, tests, "f")
    assert "test_a" in [failure["test"] for failure in found.evidence["failed"]]
    assert SECRET not in str(found.evidence["failed"]).replace(f"== {SECRET!r}", "")


def test_what_a_callback_raises_says_nothing(sandbox: Sandbox) -> None:
    """An assertion that fails inside a callback reaches the answer without its text."""
    answer = "def f(call):\n    try: call(1)\n    except AssertionError as error: return str(error), error.args, str(error.__context__), str(vars(error))"
    tests = "def test_a():\n    def call(x):\n        assert x == 7351, 'not 7351'\n    assert '7351' not in repr(f(call))\n"
    assert grade(sandbox, answer, tests, "f").value == 1


@pytest.mark.slow
def test_callbacks_may_be_many(sandbox: Sandbox) -> None:
    """Ten thousand callbacks in one call pass, and endless recursion through both rooms ends."""
    answer = (
        "def f(n, call):\n    for i in range(n): call(i)\n    return n\ndef deep(call, n): return call(n)"
    )
    tests = """
def test_many():
    seen = []
    assert f(10_000, seen.append) == 10_000 and len(seen) == 10_000
def test_deep():
    def again(n): return deep(again, n + 1)
    try:
        deep(again, 0)
    except RecursionError:
        pass
    else:
        assert False
"""
    found = grade(sandbox, answer, tests, "f", seconds=100)
    assert "test_many" not in str(found.evidence["failed"]), found.evidence


@pytest.mark.slow
def test_a_hung_answer_takes_its_own_room_only(sandbox: Sandbox) -> None:
    """The time that one answer burns is not charged to the next, whose tests run in the same room."""
    tests = "".join(f"def test_{n}():\n    assert f({n}) == {n}\n" for n in range(3))
    hung = grade(sandbox, "def f(x):\n    while x == 1: pass\n    return x", tests, "f", seconds=1)
    assert [failure["test"] for failure in hung.evidence["failed"]] == ["test_1"]
    for _ in range(3):
        assert grade(sandbox, "def f(x): return x", tests, "f", seconds=1).value == 1


def test_a_handle_of_an_earlier_answer_leads_nowhere(sandbox: Sandbox) -> None:
    """What tests keep of an answer in a module cannot be used with the next test's."""
    tests = """
import types
def test_a():
    types.kept_by_a_test = Thing()
    assert types.kept_by_a_test.x == 1
def test_b():
    assert Thing().x == 1
    assert getattr(types, "kept_by_a_test", None) is None or types.kept_by_a_test.x == 1
"""
    found = grade(sandbox, "class Thing:\n    x = 1", tests, "Thing")
    assert found.evidence["passed"] >= 1
    assert grade(sandbox, "class Thing:\n    x = 2", tests, "Thing").value == 0
