# __title__: a starter bot.
#
# It walks to the nearest coin. The whole game in three steps: read (the statement calls this the protocol), decide, print one
# line.
#
# Time: 1000 ms for the first answer, the start of the program included, and 100 ms for every other one.
# Your answers go to the standard output; for debugging, print to the standard error output, as debug() does.

import sys


# ---- Reading ----

def read_numbers():
    line = sys.stdin.readline()
    if not line:
        sys.exit()  # The input has ended: the game is over.
    return tuple(map(int, line.split()))


def read_turn():
    own = read_numbers()
    opponent = read_numbers()
    (count,) = read_numbers()
    coins = [read_numbers() for _ in range(count)]
    return own, opponent, coins


def debug(*words):
    print(*words, file=sys.stderr, flush=True)


# ---- Deciding ----

def distance(a, b):
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def towards(cell, target):
    """The first step of a shortest way."""
    if target[0] != cell[0]:
        return "LEFT" if target[0] < cell[0] else "RIGHT"
    if target[1] != cell[1]:
        return "UP" if target[1] < cell[1] else "DOWN"
    return "STAY"


def decide(own, opponent, coins):
    # Your ideas go here. A first one: leave coins alone that the opponent reaches before you.
    if not coins:
        return "STAY"
    return towards(own, min(coins, key=lambda coin: distance(own, coin)))


# ---- The game ----

def main():
    width, height, seat = read_numbers()
    while True:
        print(decide(*read_turn()), flush=True)


main()
