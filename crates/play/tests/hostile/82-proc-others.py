# agon-hostile
# game: ocean-of-code
# verdict: fine
# level: B
# about: looks at all processes it sees: their environment, memory and descriptors
import os
import stat
import sys


def answers():
    """A small legal player of Ocean of Code: the first water cell, then any free neighbour, else up."""
    read = sys.stdin.buffer.readline
    read()
    sea = [read().decode() for _ in range(15)]
    cells = [(x, y) for y in range(15) for x in range(15) if sea[y][x : x + 1] == "."]
    if not cells:
        return
    yield "%d %d" % cells[0]
    been = set()
    while True:
        state, _, heard = read().split(), read(), read()
        if not heard:
            return
        x, y = int(state[0]), int(state[1])
        been.add((x, y))
        for name, u, v in ("N", x, y - 1), ("E", x + 1, y), ("S", x, y + 1), ("W", x - 1, y):
            if (u, v) in cells and (u, v) not in been:
                yield f"MOVE {name} TORPEDO"
                break
        else:
            been.clear()
            yield "SURFACE"


def say(answer):
    sys.stdout.buffer.write(answer if isinstance(answer, bytes) else answer.encode() + b"\n")
    sys.stdout.buffer.flush()


def in_own_namespace():
    """There a program has a small number. Elsewhere nothing is tried: the host is spared."""
    if os.getpid() >= 100:
        print("BREACH no namespace of processes of its own", file=sys.stderr)
    return os.getpid() < 100


HARMLESS = {b"PATH", b"HOME", b"LANG", b"LC_ALL", b"LC_CTYPE", b"PWD", b"OLDPWD", b"SHLVL", b"_", b"TMPDIR"}


def breach(what):
    print("BREACH", what, file=sys.stderr)


def look_at(pid):
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            names = {entry.split(b"=")[0] for entry in file.read().split(b"\0") if entry}
        if names - HARMLESS:
            breach(f"process {pid} has {sorted(names - HARMLESS)[0]!r} in its environment")
    except OSError:
        pass
    try:
        for fd in os.listdir(f"/proc/{pid}/fd"):
            if stat.S_ISDIR(os.stat(f"/proc/{pid}/fd/{fd}").st_mode):
                breach(f"process {pid} holds a folder open: {os.readlink(f'/proc/{pid}/fd/{fd}')}")
    except OSError:
        pass


def attack():
    expected = {1, os.getpid(), os.getppid()}
    pids = [int(name) for name in os.listdir("/proc") if name.isdigit()] if os.path.isdir("/proc") else []
    for pid in pids:
        if pid not in expected:
            breach(f"sees process {pid}")
            try:
                with open(f"/proc/{pid}/mem", "rb"):
                    breach(f"opened the memory of process {pid}")
            except OSError:
                pass
            break
    for pid in expected:
        look_at(pid)


for n, answer in enumerate(answers()):
    if n == 0 and in_own_namespace():
        attack()
    say(answer)
