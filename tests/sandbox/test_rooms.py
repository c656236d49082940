"""Values, objects, errors and callbacks cross between the tests' room and the answer's; nothing else does."""

# ruff: noqa: E501 - programs are kept whole
from __future__ import annotations

import textwrap

import pytest
from code_answers import grade

from assay.sandbox.sandbox import Sandbox

HONEST = {
    "a list sorted in place": (
        "def f(items): items.sort()",
        "items = [3, 1, 2]\nassert f(items) is None\nassert items == [1, 2, 3]",
    ),
    "nested arguments changed in place": (
        "def f(d): d['a'].append({'x': (1,)}); d['b'] = d['a']; d['s'].add(4); d['y'][0] = 65",
        "d = {'a': [], 's': {3}, 'y': bytearray(b'zz')}\nf(d)\nassert d['a'] == [{'x': (1,)}] and d['b'] is d['a'] and d['s'] == {3, 4} and d['y'] == b'Az'",
    ),
    "an argument that is returned": ("def f(x): return [x, x]", "x = [1]\ny = f(x)\nassert y[0] is x and y[1] is x"),
    "a list that the object keeps": (
        "class f:\n    def __init__(self, log): self.log = log\n    def say(self, x): self.log.append(x)\n    def seen(self): return list(self.log)",
        "log = []\nthing = f(log)\nthing.say(1)\nassert log == [1]\nlog.append(2)\nassert thing.seen() == [1, 2]",
    ),
    "a list that the object gives away": (
        "class f:\n    def __init__(self): self.items = []\n    def all(self): return self.items\n    def copy(self): return list(self.items)\n    def size(self): return len(self.items)",
        "t = f()\nt.all().append(1)\nassert t.size() == 1\nt.copy().append(2)\nassert t.size() == 1",
    ),
    "a container that holds itself": (
        "def f(x): return x is x[0] and len(x)",
        "x = []\nx.append(x)\nassert f(x) == 1",
    ),
    "odd numbers and texts": (
        "def f(x): return x",
        "import math\nfor x in (0.0, -0.0, 1e308 * 10, 10 ** 5000, -(10 ** 5000), True, 1, 1.0, 2j, '\\ud800\\udc00', '\\udc80', '\\U0001f600', b'\\x00\\xff', None, ..., frozenset({1, (2,)})):\n    y = f(x)\n    assert y == x and type(y) is type(x), x\nassert math.isnan(f(math.nan)) and math.copysign(1, f(-0.0)) == -1",
    ),
    "tuples of all kinds in lists": (
        "def f(x): return [*x, *x]",
        "for x in ([()], [(1, -2), (3,)], [(10 ** 5000,), (1,)], [('a', None, 1.5)], [('a',), ('ß',)], [('\\udc80',)], [((1,), ())], [([1],), (1,)], [(1,), [1]]):\n    y = f(x)\n    assert y == x + x and [type(i) for i in y] == [type(i) for i in x] * 2, x",
    ),
    "names and values as arguments": (
        "def f(*a, **k): return a, k",
        "assert f() == ((), {}) and f(1, b=2) == ((1,), {'b': 2}) and f(**{}) == ((), {}) and f({}) == (({},), {})",
    ),
    "a key function": ("def f(items, key): return sorted(items, key=key)", "assert f(['bb', 'a'], key=lambda s: len(s)) == ['a', 'bb']"),
    "a callback that changes the test's own state": (
        "def f(n, tell):\n    for i in range(n): tell(i)\n    return n",
        "seen = []\nassert f(3, seen.append) == 3\nassert seen == [0, 1, 2]\ncount = 0\ndef tell(i):\n    nonlocal count\n    count += i\nf(4, tell)\nassert count == 6",
    ),
    "a decorator": (
        "import functools\ndef f(function):\n    @functools.wraps(function)\n    def wrapper(*a, **k): return function(*a, **k) * 2\n    return wrapper",
        "@f\ndef triple(x, *, y=1):\n    'Doc.'\n    return 3 * x * y\nassert triple(2, y=5) == 60 and triple.__name__ == 'triple' and triple.__doc__ == 'Doc.'\nimport inspect\nassert list(inspect.signature(triple).parameters) == ['x', 'y']",
    ),
    "a generator of the answer": (
        "def f(n):\n    while True:\n        yield n\n        n += 1",
        "g = f(3)\nassert [next(g), next(g)] == [3, 4]\nimport itertools\nassert list(itertools.islice(f(1), 3)) == [1, 2, 3]",
    ),
    "a generator of the tests": ("def f(xs): return sum(xs)", "assert f(x * x for x in range(4)) == 14"),
    "a context manager": (
        "import contextlib\n@contextlib.contextmanager\ndef f(log):\n    log.append('in')\n    try: yield 7\n    except KeyError: log.append('key')\n    finally: log.append('out')",
        "log = []\nwith f(log) as x:\n    assert x == 7\n    raise KeyError('k')\nassert log == ['in', 'key', 'out']",
    ),
    "errors of its own": (
        "class Base(Exception): pass\nclass f(Base, ValueError):\n    def __init__(self, code): super().__init__(f'code {code}'); self.code = code\n    def fail(self=None): raise f(7) from KeyError('k')",
        "try: f.fail()\nexcept ValueError as error:\n    assert str(error) == 'code 7' and error.code == 7 and type(error) is f and isinstance(error.__cause__, KeyError) and error.args == ('code 7',)\nelse: assert False",
    ),
    "an error of the tests that comes back": (
        "def f(call):\n    try: call()\n    except Exception as error: raise",
        "class Boom(Exception): pass\nboom = Boom('x')\ndef call(): raise boom\ntry: f(call)\nexcept Boom as error: assert error is boom\nelse: assert False",
    ),
    "a retry with the tests' errors": (
        "def f(call, kinds, times):\n    for n in range(times):\n        try: return call()\n        except kinds:\n            if n == times - 1: raise",
        "class Flaky(Exception): pass\nleft = [1, 2]\ndef call():\n    if left:\n        left.pop()\n        raise Flaky\n    return 'ok'\nassert f(call, (Flaky,), 3) == 'ok' and left == []",
    ),
    "a clock that the tests give": (
        "class f:\n    def __init__(self, clock): self.clock = clock; self.start = clock.now()\n    def age(self): return self.clock.now() - self.start",
        "class Clock:\n    t = 5\n    def now(self): return self.t\nclock = Clock()\nthing = f(clock)\nclock.t = 9\nassert thing.age() == 4",
    ),
    "a mock": (
        "def f(client): return client.get('/x', retries=2)['a']",
        "from unittest.mock import Mock\nclient = Mock()\nclient.get.return_value = {'a': 3}\nassert f(client) == 3\nclient.get.assert_called_once_with('/x', retries=2)",
    ),
    "operators of a class that the tests name": (
        "class Number:\n    def __init__(self, x): self.x = x\n    def __mul__(self, n): return Number(self.x * n)\n    __rmul__ = __mul__\n    def __add__(self, o): return Number(self.x + o.x)\n    def __eq__(self, o): return isinstance(o, Number) and self.x == o.x\n    def __hash__(self): return hash(self.x)\n    def __lt__(self, o): return self.x < o.x\n    def __len__(self): return self.x\n    def __getitem__(self, i): return i\n    def __call__(self, *a): return a\n    def __repr__(self): return f'N({self.x})'\n    def __bool__(self): return self.x > 0\ndef f(): return Number",
        "assert f() is Number and Number(2) * 3 == Number(6) and 3 * Number(2) == Number(2) + Number(4) and Number(1) < Number(2) and len(Number(3)) == 3 and Number(1)[5] == 5 and Number(1)(1, 2) == (1, 2)\nassert repr(Number(4)) == 'N(4)' and not Number(0) and sorted([Number(2), Number(1)]) == [Number(1), Number(2)] and {Number(1): 'a'}[Number(1)] == 'a' and len({Number(1), Number(1), Number(2)}) == 2",
    ),
    "named tuples, enumerations and data classes": (
        "from collections import namedtuple\nfrom dataclasses import dataclass\nfrom enum import Enum, IntEnum\nP = namedtuple('P', 'a b')\nclass C(Enum):\n    RED = 1\n    BLUE = 2\nclass N(IntEnum):\n    ONE = 1\n@dataclass\nclass D:\n    x: int\ndef f(): return P(1, [2]), C.RED, N.ONE, D(3)",
        "p, c, n, d = f()\nassert p == (1, [2]) and p.b == [2] and c is C.RED and c.name == 'RED' and n == 1 and n.name == 'ONE' and d == D(3) and d.x == 3 and [k.value for k in C] == [1, 2]",
    ),
    "a class that derives from list": (
        "class f(list):\n    def push(self, x): self.append(x)",
        "s = f()\ns.push(1)\ns.append(2)\nassert s == [1, 2] and len(s) == 2 and isinstance(s, list) and list(s) == [1, 2] and s[0] == 1",
    ),
    "what is printed": (
        "def f(): print('hello', end='!')",
        "import contextlib, io\nout = io.StringIO()\nwith contextlib.redirect_stdout(out):\n    f()\nassert out.getvalue() == 'hello!'",
    ),
    "coroutines": (
        "import asyncio\nasync def f(job):\n    await asyncio.sleep(0.01)\n    return await job() + 1",
        "import asyncio\nasync def job():\n    await asyncio.sleep(0.01)\n    return 4\nassert asyncio.run(f(job)) == 5",
    ),
    "functions of the standard library": (
        "def f(function, *a): return function(*a)",
        "import math, operator\nassert f(len, [1]) == 1 and f(math.sqrt, 4) == 2 and f(operator.itemgetter(1), [5, 6]) == 6 and f(str.upper, 'a') == 'A' and f(int, '3') == 3",
    ),
    "errors of the standard library": (
        "import json\ndef f(x): return json.loads(x)",
        "import json\ntry: f('{')\nexcept json.JSONDecodeError as error: assert error.pos == 1 and 'line 1' in str(error)\nelse: assert False\ntry: f('\\n[')\nexcept ValueError: pass",
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", HONEST)
def test_what_tests_do_with_honest_code(sandbox: Sandbox, name: str) -> None:
    """Tests use the answer's functions, classes and errors as if they were in the same room."""
    answer, test = HONEST[name]
    tests = f"def test_a():\n{textwrap.indent(test, '    ')}\n"
    found = grade(sandbox, answer, tests, "f")
    assert (found.value, found.evidence["failed"]) == (1, [])
