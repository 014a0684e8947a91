# agon-hostile
# game: hypersonic
# verdict: fine
# level: any
# about: answers before it has read anything, and again when it is asked
import sys


def answers():
    """A small legal player of Hypersonic: it stays where it is."""
    read = sys.stdin.readline
    header = read().split()
    while len(header) == 3:
        for _ in range(int(header[1])):
            read()
        count = read()
        if not count:
            return
        for _ in range(int(count)):
            kind, owner, x, y = read().split()[:4]
            if kind == "0" and owner == header[2]:
                answer = f"MOVE {x} {y}"
        yield answer


def say(answer):
    sys.stdout.write(answer + "\n")
    sys.stdout.flush()


say("MOVE 0 0")
for answer in answers():
    say(answer)
