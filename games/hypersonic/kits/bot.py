# Hypersonic: a starter bot.
#
# In each round it tries the ten things it can do (lay a bomb or not; stay or take one of four steps), drops those after which it
# could not survive the bombs that are in play, and takes the one after which it can bomb its next box soonest.
# The whole game in three steps: read (what the statement calls the protocol), decide (your ideas go there), print one line.
#
# Time: 1000 ms for the first answer, the start of the program included, and 100 ms for every other one.
# Your answers go to the standard output; for debugging, print to the standard error output, as debug() does.

import sys
from dataclasses import dataclass

STEPS = [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)]
BOXES = ("0", "1", "2")
FUSE = 8  # Rounds from laying a bomb to its explosion.
HORIZON = FUSE + 1  # So many rounds from now every bomb we know of has gone off.
PATIENCE = 0.9  # What a box is worth if it comes one round later,
LATER = [1.0]  # and if it comes that many rounds later.
for _ in range(HORIZON):
    LATER.append(LATER[-1] * PATIENCE)


# ---- Reading ----

@dataclass
class Player:
    id: int
    cell: tuple[int, int]
    bombs: int  # How many it can lay now.
    range: int  # Of the bombs it lays; the cell of the bomb counts.


@dataclass
class Bomb:
    owner: int
    cell: tuple[int, int]
    timer: int  # 1: it goes off in this round, before anybody moves.
    range: int


@dataclass
class Item:
    cell: tuple[int, int]
    kind: int  # 1: extra range, 2: extra bomb.


@dataclass
class Round:
    """What you are told before each answer."""
    rows: list[str]  # "." is floor, "X" a wall, "0", "1", "2" boxes: empty, with extra range, with an extra bomb.
    players: list[Player]
    bombs: list[Bomb]
    items: list[Item]

    def at(self, cell):
        """What is there; outside of the grid, wall."""
        x, y = cell
        return self.rows[y][x] if 0 <= y < len(self.rows) and 0 <= x < len(self.rows[y]) else "X"


def read_line():
    line = sys.stdin.readline()
    if not line:
        sys.exit()  # The input has ended: the game is over, at least for us.
    return line.rstrip("\n")


def read_round(height):
    rows = [read_line() for _ in range(height)]
    players, bombs, items = [], [], []
    for _ in range(int(read_line())):
        kind, owner, x, y, param1, param2 = map(int, read_line().split())
        if kind == 0:
            players.append(Player(owner, (x, y), param1, param2))
        elif kind == 1:
            bombs.append(Bomb(owner, (x, y), param1, param2))
        elif kind == 2:
            items.append(Item((x, y), param1))
    return Round(rows, players, bombs, items)


def debug(*what):
    print(*what, file=sys.stderr)


# ---- Thinking ----

class Forecast:
    """What the bombs in play will do."""

    def __init__(self, state, bombs):
        self.state = state
        self.stops = {bomb.cell for bomb in bombs} | {item.cell for item in state.items}
        blasts = [self.blast(bomb.cell, bomb.range) for bomb in bombs]
        timers = [bomb.timer for bomb in bombs]
        # A bomb that is hit goes off at the same moment: pass earlier timers on until nothing changes.
        changed = True
        while changed:
            changed = False
            for i in range(len(bombs)):
                for j in range(len(bombs)):
                    if timers[i] < timers[j] and bombs[j].cell in blasts[i]:
                        timers[j] = timers[i]
                        changed = True
        self.deadly = set()  # (cell, t): who stands there after t steps from now is hit.
        self.blocked_until = {}  # Cell of a bomb: so many steps from now nobody can enter it.
        self.doomed = set()  # Boxes that will be gone.
        for bomb, timer, cells in zip(bombs, timers, blasts):
            # What counts is where you stand before the round in which the timer reaches 0.
            self.deadly.update((cell, timer - 1) for cell in cells)
            self.blocked_until[bomb.cell] = timer
            self.doomed.update(cell for cell in cells if state.at(cell) in BOXES)

    def blast(self, cell, range_):
        """The cells that a bomb would hit. A box, an item and another bomb stop it."""
        hit = {cell}
        for dx, dy in STEPS[1:]:
            for i in range(1, range_):
                near = (cell[0] + dx * i, cell[1] + dy * i)
                what = self.state.at(near)
                if what == "X":
                    break
                hit.add(near)
                if what != "." or near in self.stops:
                    break
        return hit

    def boxes(self, hit):
        """How many boxes are among these cells, those left out that will be gone anyway."""
        return sum(self.state.at(cell) in BOXES and cell not in self.doomed for cell in hit)


def reach(state, forecast, here, first):
    """The cells we can be in after the step `first` and then any others, with the earliest time; None if we cannot survive."""
    earliest = {}
    layer = {here}
    for t in range(1, HORIZON + 1):
        following = set()
        for cell in layer:
            for dx, dy in [first] if t == 1 else STEPS:
                near = (cell[0] + dx, cell[1] + dy)
                if near != cell and (state.at(near) != "." or forecast.blocked_until.get(near, 0) >= t):
                    continue
                if (near, t) not in forecast.deadly:
                    following.add(near)
                    earliest.setdefault(near, t)
        layer = following
    return earliest if layer else None


def best_ahead(state, forecast, me, cells, wait):
    """How soon a box can be bombed from one of these cells: 1 for at once, less for each round later, 0 for never. `wait` rounds from
    now we can lay a bomb."""
    best = 0.0
    for cell, t in cells.items():
        hit = forecast.blast(cell, me.range)
        # Without a cell to hide in no bomb can be laid.
        if forecast.boxes(hit) > 0 and any(hideout not in hit for hideout in cells):
            best = max(best, LATER[max(t, wait)])
    return best


def decide(state, me):
    """Your ideas go here. Returns the command of this round."""
    command, target, best = "MOVE", me.cell, -1.0
    for lay in (False, True):
        bombs, boxes_here = state.bombs, 0
        if lay:
            before = Forecast(state, state.bombs)
            boxes_here = before.boxes(before.blast(me.cell, me.range))
            if me.bombs == 0 or me.cell in before.blocked_until or boxes_here == 0:
                continue
            # A bomb that is laid now shows its full timer in the next round.
            bombs = bombs + [Bomb(me.id, me.cell, FUSE + 1, me.range)]
        forecast = Forecast(state, bombs)
        # The next bomb can be laid at once if there is one left, else when one of ours has gone off.
        timers = [bomb.timer for bomb in bombs if bomb.owner == me.id]
        wait = 0 if me.bombs > lay else min(timers, default=HORIZON)
        for step in STEPS:
            cells = reach(state, forecast, me.cell, step)
            if cells is None:
                continue  # That way lies death.
            worth = boxes_here + best_ahead(state, forecast, me, cells, wait)
            if worth > best:
                command, best = "BOMB" if lay else "MOVE", worth
                target = (me.cell[0] + step[0], me.cell[1] + step[1])
    debug(f"at {me.cell}: {command} to {target}, worth {best:.2f}")
    # Idea: a bomb that hits several boxes is worth more than one that hits a single box, and items make your bombs better.
    # Idea: expect a bomb from every opponent who can lay one now, and see that you survive that, too.
    return f"{command} {target[0]} {target[1]}"


def main():
    _width, height, my_id = map(int, read_line().split())
    while True:
        state = read_round(height)
        me = next(player for player in state.players if player.id == my_id)
        print(decide(state, me), flush=True)


main()
