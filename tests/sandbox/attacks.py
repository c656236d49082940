"""Programs that try to get out of a sandbox, to outlast it, or to change what runs after them.

Each is (name, statuses it may end with, program). A program prints ESCAPED when it reached something
it must not reach. The tests and benchmarks/sandbox.py both read `ATTACKS`; `CANARY` is run after each.
"""

# ruff: noqa: E501 - programs are kept whole
from __future__ import annotations

# The limit of an attack that may run until it is stopped, and of one that must end by itself.
SECONDS = 0.4
PATIENCE = 10.0
DONE = ("passed", "failed")
ENDLESS = ("time-out",)
FULL = ("out of memory", "failed")
ANY = ("passed", "failed", "time-out", "out of memory")


def limit(endings: tuple[str, ...]) -> float:
    """Return the seconds an attack gets, by the statuses it may end with."""
    return SECONDS if "time-out" in endings else PATIENCE


CANARY = """
import builtins, math, os, sys
traces = [name for name in ("LEAK", "leaked") if hasattr(builtins, name) or name in sys.modules]
left = os.path.exists("/tmp/leak") or os.environ.get("LEAK")
print(traces, left, len([1, 2]), math.sqrt(16), sorted([3, 1, 2]), sum(range(10)))
"""
CLEAN = ("[] None 2 4.0 [1, 2, 3] 45\n", "[] False 2 4.0 [1, 2, 3] 45\n")

ATTACKS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    # Files
    ("read the password file", DONE, "print('ESCAPED' if open('/etc/passwd').read() else '')"),
    ("read the shadow file", DONE, "print('ESCAPED' if open('/etc/shadow').read() else '')"),
    ("walk for suites with answers", ANY, """
import os
for folder, inner, files in os.walk('/'):
    inner[:] = [name for name in inner if name not in ('proc', 'dev', 'share') and 'linux-gnu' not in name]
    if 'suite.yaml' in files or 'assay.yaml' in files or '.env' in files: print('ESCAPED', folder)
"""),
    ("climb out by relative paths", DONE, "print('ESCAPED' if open('../' * 30 + 'etc/hostname').read() else '')"),
    ("write into the standard library", DONE, """
import json
with open(json.__file__, 'a') as file: file.write('x = 1')
print('ESCAPED')
"""),
    ("leave a file for the next run", DONE, "open('/tmp/leak', 'w').write('x')"),
    ("fill the disk", DONE, """
for n in range(10000):
    with open(f'/tmp/{n}', 'wb') as file:
        file.write(b'x' * (8 << 20))
print('ESCAPED')
"""),
    ("hard-link out", DONE, "import os; os.link('/etc/passwd', '/tmp/p'); print('ESCAPED')"),
    ("symlink out", DONE, "import os; os.symlink('/etc/passwd', '/tmp/p'); open('/tmp/p').read(); print('ESCAPED')"),
    ("list home folders", DONE, """
import os
found = [name for home in ('/root', '/home') if os.path.isdir(home) for name in os.listdir(home)]
print('ESCAPED' if any(name in found for name in ('.ssh', '.bashrc', '.profile')) else found)
"""),
    # Environment and other processes
    ("read the environment", DONE, "import os; print('ESCAPED' if 'SECRET' in str(os.environ) else 'none')"),
    ("read the parent's environment", DONE, "print('ESCAPED' if 'SECRET' in open('/proc/1/environ').read() else '')"),
    ("read every environment in proc", DONE, """
import glob
for path in glob.glob('/proc/[0-9]*/environ'):
    try: text = open(path).read()
    except OSError: continue
    if 'SECRET' in text: print('ESCAPED', path)
"""),
    ("read command lines of others", DONE, """
import glob
for path in glob.glob('/proc/[0-9]*/cmdline'):
    if 'pytest' in open(path).read(): print('ESCAPED', path)
"""),
    ("kill everything", DONE, "import os; os.kill(-1, 9)"),
    ("kill the parent", DONE, "import os; os.kill(os.getppid(), 9)"),
    ("become root", DONE, "import os; os.setuid(0); print('ESCAPED')"),
    ("raise the limits again", DONE, """
import resource
resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print('ESCAPED')
"""),
    # Network
    ("connect by TCP", DONE, """
import socket
socket.create_connection(('1.1.1.1', 53), timeout=0.2)
print('ESCAPED')
"""),
    ("connect to the host's loopback", DONE, """
import socket
for port in (22, 80, 5432, 8000, 8080):
    try: socket.create_connection(('127.0.0.1', port), timeout=0.05); print('ESCAPED', port)
    except OSError: pass
"""),
    ("send by UDP", DONE, """
import socket
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('8.8.8.8', 53))
print('ESCAPED')
"""),
    ("resolve a name", DONE, "import socket; socket.getaddrinfo('example.com', 80); print('ESCAPED')"),
    ("fetch a page", DONE, "import urllib.request; urllib.request.urlopen('http://1.1.1.1', timeout=0.2); print('ESCAPED')"),
    ("use Docker's socket", DONE, """
import socket
socket.socket(socket.AF_UNIX).connect('/var/run/docker.sock')
print('ESCAPED')
"""),
    # Processes and threads
    ("fork bomb", ANY, """
import os
while True:
    try: os.fork()
    except OSError: pass
"""),
    ("fork and outlive", ANY, """
import os, time
if os.fork() == 0:
    os.setsid()
    while True: time.sleep(0.01)
"""),
    ("run a shell", DONE, "import subprocess; subprocess.run(['/bin/sh', '-c', 'id'], check=True); print('ESCAPED')"),
    ("os.system", DONE, "import os; print('ESCAPED' if os.system('true') == 0 else '')"),
    ("spawn", DONE, "import os; os.posix_spawn('/bin/true', ['true'], {}); print('ESCAPED')"),
    ("unpickle a command", DONE, """
import os, pickle
class Run:
    def __reduce__(self): return os.system, ('true',)
print('ESCAPED' if pickle.loads(pickle.dumps(Run())) == 0 else '')
"""),
    ("thread bomb", ANY, """
import threading
def spin():
    while True: pass
while True: threading.Thread(target=spin).start()
"""),
    ("process pool", ANY, """
from concurrent.futures import ProcessPoolExecutor
with ProcessPoolExecutor(64) as pool: list(pool.map(abs, range(1000)))
"""),
    # Memory
    ("ten gigabytes at once", FULL, "x = bytearray(10 * 10**9); print('ESCAPED')"),
    ("ten gigabytes by pieces", FULL, """
x = []
while len(x) < 10_000: x.append(bytearray(1 << 20))
print('ESCAPED')
"""),
    ("a growing text", FULL, """
x = 'x'
while len(x) < 10**10: x += x
print('ESCAPED')
"""),
    ("memory errors caught in a loop", ("time-out", "failed", "out of memory"), """
x = []
while True:
    try: x.append(bytearray(1 << 24))
    except MemoryError: pass
"""),
    ("a list of itself many times over", FULL, "x = [0] * (1 << 33); print('ESCAPED')"),
    # Time
    ("endless loop", ENDLESS, "while True: pass"),
    ("endless loop that catches everything", ENDLESS, """
while True:
    try:
        while True: pass
    except BaseException: pass
"""),
    ("endless finally", ENDLESS, """
def again():
    try:
        while True: pass
    finally: again()
again()
"""),
    ("signals ignored, then endless", ANY, """
import signal
for number in range(1, 32):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
while True: pass
"""),
    ("sleep for thirty years", ("passed", "time-out"), "import time; time.sleep(1e9)"),
    ("sleep in a loop", ENDLESS, """
import time
while True:
    try: time.sleep(1e6)
    except BaseException: pass
"""),
    ("sleep by a fresh copy of the module", ("failed", "passed", "time-out"), """
import sys
del sys.modules['time']
import time
time.sleep(1e6)
"""),
    ("sleep by the builder of modules", ("failed", "time-out"), """
import _imp, importlib.machinery as machinery
time = _imp.create_builtin(machinery.ModuleSpec('time', machinery.BuiltinImporter))
_imp.exec_builtin(time)
time.sleep(1e6)
"""),
    ("wait for nothing", ("failed", "time-out", "passed"), "import select; select.select([], [], [], 1e6)"),
    ("wait for a lock for ever", ("failed", "time-out"), """
import threading
lock = threading.Lock()
lock.acquire()
lock.acquire()
"""),
    ("an event loop that never ends", ANY, """
import asyncio
async def forever():
    while True: await asyncio.sleep(3600)
asyncio.run(forever())
"""),
    ("read from standard input", DONE, "input()"),
    ("regular expression that backtracks", ENDLESS, "import re; re.match(r'(a+)+$', 'a' * 60 + 'b')"),
    ("a huge power", ("time-out", "out of memory", "failed"), "x = 7 ** (10 ** 9)"),
    ("a huge factorial", ENDLESS, "import math; math.factorial(10 ** 7)"),
    ("a huge range summed", ENDLESS, "sum(range(10 ** 12))"),
    ("an endless iterator in C", ENDLESS, "import itertools, collections; collections.deque(itertools.count(), maxlen=0)"),
    ("a comparison that never ends", ANY, "x = []; x.append(x); y = []; y.append(y); x == y"),
    # Output
    ("a gigabyte of output", ANY, """
for _ in range(1000): print('x' * 1_000_000)
"""),
    ("a gigabyte of errors", ANY, """
import sys
for _ in range(1000): sys.stderr.write('x' * 1_000_000)
"""),
    ("endless small writes", ENDLESS, """
import os
while True: os.write(1, b'x')
"""),
    ("closed output", DONE, "import os; os.close(1); os.close(2)"),
    # The interpreter itself
    ("deep recursion", DONE, "def f(n): return f(n + 1)\nf(0)"),
    ("recursion without a limit", ANY, "import sys; sys.setrecursionlimit(10**9)\ndef f(n): return f(n + 1)\nf(0)"),
    ("deeply nested value", ANY, "x = []\nfor _ in range(10**6): x = [x]\nrepr(x)"),
    ("deeply nested source", ANY, "compile('(' * 10**5 + ')' * 10**5, 'x', 'eval')"),
    ("native code by ctypes", DONE, "import ctypes; ctypes.CDLL(None).system(b'true'); print('reached libc')"),
    ("crash by ctypes", DONE, "import ctypes; ctypes.string_at(0)"),
    ("crash by bytecode", ANY, """
def f(): pass
f.__code__ = f.__code__.replace(co_code=bytes(range(256)) * 10, co_stacksize=1)
f()
"""),
    ("abort", DONE, "import os; os.abort()"),
    ("leave at once", DONE, "import os; os._exit(0)"),
    ("leave with a status", DONE, "import sys; sys.exit(3)"),
    ("read all objects", DONE, """
import gc
for thing in gc.get_objects():
    if isinstance(thing, dict) and 'SECRET' in thing: print('ESCAPED')
"""),
    ("resurrecting finalizers", ANY, """
class Phoenix:
    def __del__(self): Phoenix()
Phoenix()
"""),
    ("call the host's imports", ANY, """
import componentize_py_runtime as runtime
for number in range(-3, 50):
    try: runtime.call_import(number, [])
    except BaseException: pass
"""),
    ("turn the clock back", ANY, "import wit_world; wit_world.advance(2**64 - 1); wit_world.advance(-1)"),
    ("run the next program yourself", ANY, """
import wit_world
wit_world.WitWorld.run = lambda self, program: ''
import app
app.WitWorld.run = lambda self, program: ''
"""),
    # Leaving something behind
    ("change builtins for the next run", DONE, """
import builtins
builtins.len = lambda _: 7
builtins.LEAK = builtins.sorted = builtins.sum = None
"""),
    ("change modules for the next run", DONE, """
import math, sys, types
math.sqrt = lambda _: 7
sys.modules['leaked'] = types.ModuleType('leaked')
"""),
    ("change the environment for the next run", DONE, "import os; os.environ['LEAK'] = '1'"),
    ("change the runner for the next run", DONE, """
import sys
for name, module in list(sys.modules.items()):
    if name.startswith('assay_inside') or name == 'app':
        for key in list(vars(module)):
            if callable(vars(module)[key]): vars(module)[key] = lambda *a, **k: 'ESCAPED'
"""),
    ("leave a clock that lies", DONE, "import time; time.sleep(10**6 / 10**7); time.time = lambda: 0"),
    ("leave work for the exit", ANY, """
import atexit
@atexit.register
def forever():
    while True: pass
"""),
)  # fmt: skip
