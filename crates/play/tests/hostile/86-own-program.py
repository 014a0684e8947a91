# agon-hostile
# game: ocean-of-code
# verdict: fine
# level: B
# about: changes its own program for the games to come
import os
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


def attempt(what, call):
    try:
        call()
        print("BREACH", what, file=sys.stderr)
    except OSError:
        pass


def make_neighbour(folder):
    path = os.path.join(folder, "agon-was-here.py")
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    os.unlink(path)


def attack():
    program = os.path.realpath(__file__)
    folder = os.path.dirname(program)
    # Nothing is changed: it is enough to know that it could be.
    attempt("opened its program for writing", lambda: os.close(os.open(program, os.O_RDWR)))
    attempt("changed the mode of its program", lambda: os.chmod(program, os.stat(program).st_mode & 0o7777))
    attempt("touched its program", lambda: os.utime(program))
    attempt("made a file beside its program", lambda: make_neighbour(folder))
    shelf = os.path.dirname(folder)
    if os.listdir(shelf) != [os.path.basename(folder)]:
        attempt("made a file beside the programs of others", lambda: make_neighbour(shelf))


for n, answer in enumerate(answers()):
    if n == 0 and in_own_namespace():
        attack()
    say(answer)
