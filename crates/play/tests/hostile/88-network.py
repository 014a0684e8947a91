# agon-hostile
# game: ocean-of-code
# verdict: fine
# level: B
# about: looks for a way out by TCP and UDP, over IPv4 and IPv6, and for servers on this host
import os
import socket
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


# Addresses that belong to nobody: it is enough that a packet would leave.
NOBODY, NOBODY_6 = "192.0.2.1", "2001:db8::1"


def attempt(what, family, kind, act):
    try:
        with socket.socket(family, kind) as line:
            line.settimeout(0.02)
            act(line)
    except TimeoutError:
        pass  # it went out, and nobody answered
    except OSError:
        return
    print("BREACH", what, file=sys.stderr)


def attack():
    for port in 22, 25, 53, 80, 443, 631, 2375, 3306, 5432, 6379, 8080:
        attempt(f"reached port {port}", socket.AF_INET, socket.SOCK_STREAM, lambda s: s.connect(("127.0.0.1", port)))
    attempt("a way out: TCP", socket.AF_INET, socket.SOCK_STREAM, lambda s: s.connect((NOBODY, 443)))
    attempt("a way out: UDP", socket.AF_INET, socket.SOCK_DGRAM, lambda s: s.sendto(b"x", (NOBODY, 53)))
    attempt("a way out: TCP 6", socket.AF_INET6, socket.SOCK_STREAM, lambda s: s.connect((NOBODY_6, 443)))
    attempt("a way out: UDP 6", socket.AF_INET6, socket.SOCK_DGRAM, lambda s: s.sendto(b"x", (NOBODY_6, 53)))


for n, answer in enumerate(answers()):
    if n == 0 and in_own_namespace():
        attack()
    say(answer)
