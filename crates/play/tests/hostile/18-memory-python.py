# agon-hostile
# game: back-track
# verdict: memory,crash
# level: B
# clock: off
# about: a list that grows without end
import sys


def answers():
    """A small legal player of Back Track: it waits."""
    lines = iter(sys.stdin.readline, "")
    try:
        _, w, h = int(next(lines)), int(next(lines)), int(next(lines))
        for _ in range(w * h):
            next(lines)
        for _ in range(int(next(lines))):
            next(lines)
        while True:
            for _ in range(2 + w * h):
                next(lines)
            yield "WAIT"
    except StopIteration:
        return


def say(answer):
    sys.stdout.write(answer + "\n")
    sys.stdout.flush()


def eat(hoard):
    while len(hoard) < 1536:
        hoard.append(bytearray(b"x") * (1 << 20))
        if len(hoard) == 1536:
            print("BREACH 1.5 GiB of memory", file=sys.stderr, flush=True)


hoard = []
for answer in answers():
    eat(hoard)
    say(answer)
