# Hypersonic: bombs boxes it stands beside when there is a way out, and never waits in the reach of a bomb.
import sys


def blast(grid, steps, cell, reach, hot):
    hot.add(cell)
    for s in steps:
        for i in range(1, reach):
            if grid[cell + i * s] != ".":
                break
            hot.add(cell + i * s)


def find(grid, steps, here, blocked, goal):
    """The first step to the nearest goal; -1 if there is none."""
    first = {here: -1}
    queue = [here]
    for cell in queue:
        if cell != here and goal(cell):
            return first[cell]
        for s in steps:
            n = cell + s
            if grid[n] == "." and n not in blocked and n not in first:
                first[n] = n if cell == here else first[cell]
                queue.append(n)
    return -1


def main():
    lines = iter(sys.stdin.readline, "")
    w, h, me = map(int, next(lines).split())
    wide = w + 2
    steps = (-1, 1, -wide, wide)
    while True:
        # The grid with a frame of wall around it, row after row.
        rows = ["X" * wide] + ["X" + next(lines).strip() + "X" for _ in range(h)] + ["X" * wide]
        grid = "".join(rows)
        here = bombs = reach = 0
        solid, hot = set(), set()
        for _ in range(int(next(lines))):
            kind, owner, x, y, a, b = map(int, next(lines).split())
            cell = (y + 1) * wide + x + 1
            if kind == 0 and owner == me:
                here, bombs, reach = cell, a, b
            elif kind == 1:
                solid.add(cell)
                blast(grid, steps, cell, b, hot)
        beside_box = lambda cell: any(grid[cell + s] in "012" for s in steps)
        safe = lambda cell: cell not in hot
        verb, to = "MOVE", -1
        if here in hot:
            to = find(grid, steps, here, solid, safe)
        elif bombs and beside_box(here):
            blast(grid, steps, here, reach, hot)
            to = find(grid, steps, here, solid, safe)
            verb = "MOVE" if to < 0 else "BOMB"
        elif bombs:
            to = find(grid, steps, here, solid | hot, beside_box)
        y, x = divmod(here if to < 0 else to, wide)
        print(verb, x - 1, y - 1, flush=True)


try:
    main()
except StopIteration:
    pass  # the input has ended
