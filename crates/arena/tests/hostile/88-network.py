# agon-hostile
# game: ocean-of-code
# verdict: fine
# level: B
# about: calls out by TCP and UDP, over IPv4 and IPv6, to strangers and to this host, and asks for names
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


QUERY = b"\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x07example\x03com\x00\x00\x01\x00\x01"


def attempt(what, family, kind, act):
    try:
        with socket.socket(family, kind) as line:
            line.settimeout(0.05)
            act(line)
        print("BREACH", what, file=sys.stderr)
    except OSError:
        pass


def attack():
    for port in 22, 25, 53, 80, 443, 631, 2375, 3306, 5432, 6379, 8080:
        attempt(f"reached port {port}", socket.AF_INET, socket.SOCK_STREAM, lambda s: s.connect(("127.0.0.1", port)))
    attempt("called out", socket.AF_INET, socket.SOCK_STREAM, lambda s: s.connect(("1.1.1.1", 443)))
    attempt("asked for a name", socket.AF_INET, socket.SOCK_DGRAM, lambda s: s.sendto(QUERY, ("8.8.8.8", 53)))
    attempt("reached the metadata", socket.AF_INET, socket.SOCK_STREAM, lambda s: s.connect(("169.254.169.254", 80)))
    attempt("called out (v6)", socket.AF_INET6, socket.SOCK_STREAM, lambda s: s.connect(("2606:4700:4700::1111", 443)))
    attempt("sent to all", socket.AF_INET6, socket.SOCK_DGRAM, lambda s: s.sendto(b"x", ("ff02::1", 5353)))


for n, answer in enumerate(answers()):
    if n == 0:
        attack()
    say(answer)
