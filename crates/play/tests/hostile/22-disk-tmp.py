# agon-hostile
# game: ocean-of-code
# verdict: fine
# level: B
# about: fills the temporary folder with one file that grows and with many
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


def attack():
    written, files = 0, []
    for n in range(64):
        try:
            with open(f"/tmp/disk-{n}", "xb", buffering=0) as file:
                files.append(file.name)
                # The first file takes all it gets, the others take a mebibyte each.
                for _ in range(64 if n == 0 else 1):
                    written += file.write(bytes(1 << 20)) >> 20
        except OSError:
            pass
    if written >= 64:
        print(f"BREACH {written} MiB written to /tmp", file=sys.stderr)
        for name in files:
            os.unlink(name)


for n, answer in enumerate(answers()):
    if n == 0 and in_own_namespace():
        attack()
    say(answer)
