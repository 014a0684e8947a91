# Ocean of Code: a starter bot.
#
# It stays in the larger part of the sea, keeps a list of the cells the enemy may be in, and fires where that list is dense.
# The whole game in three steps: read (what the statement calls the protocol), decide (your ideas go there), print one line.
#
# Time: 1000 ms for the first answer, the start of the program included, and 50 ms for every other one.
# Your answers go to the standard output; for debugging, print to the standard error output, as debug() does.

import sys
from dataclasses import dataclass

DIRECTIONS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
TORPEDO_RANGE = 4
SILENCE_STEPS = 4
FIRE_AT = 0.5  # Fire when the damage to expect is at least this.


# ---- Reading ----

@dataclass
class Sea:
    """The map: it never changes."""
    width: int
    height: int
    my_id: int
    rows: list[str]

    def is_water(self, cell):
        x, y = cell
        return 0 <= x < self.width and 0 <= y < self.height and self.rows[y][x] == "."

    def cells(self):
        return [(x, y) for y in range(self.height) for x in range(self.width) if self.is_water((x, y))]


@dataclass
class Turn:
    """What you are told before each answer. A cooldown counts the charges that are missing: 0 is ready, -1 is not in this league."""
    cell: tuple[int, int]
    my_life: int
    opp_life: int
    torpedo_cooldown: int
    sonar_cooldown: int
    silence_cooldown: int
    mine_cooldown: int
    sonar_result: str  # Y or N after your own SONAR, else NA.
    opp_orders: list[str]  # What the enemy did, as far as it can be heard: ["MOVE N", "TORPEDO 3 5"].


def read_line():
    line = sys.stdin.readline()
    if not line:
        sys.exit()  # The input has ended: the game is over.
    return line.rstrip("\n")


def read_sea():
    width, height, my_id = map(int, read_line().split())
    return Sea(width, height, my_id, [read_line() for _ in range(height)])


def read_turn():
    x, y, *others = map(int, read_line().split())
    sonar_result = read_line()
    heard = read_line()
    return Turn((x, y), *others, sonar_result, [] if heard == "NA" else heard.split("|"))


def debug(*what):
    print(*what, file=sys.stderr)


# ---- Thinking ----

def step(cell, direction):
    dx, dy = DIRECTIONS[direction]
    return cell[0] + dx, cell[1] + dy


def sector(cell):
    """1 to 9, row by row."""
    return cell[0] // 5 + cell[1] // 5 * 3 + 1


def distances(sea, start, blocked, limit):
    """Steps from `start` to each water cell that can be reached in `limit` steps without entering a blocked one."""
    found = {start: 0}
    queue = [start]
    for cell in queue:  # The queue grows while we walk along it.
        if found[cell] == limit:
            continue
        for direction in DIRECTIONS:
            near = step(cell, direction)
            if sea.is_water(near) and near not in blocked and near not in found:
                found[near] = found[cell] + 1
                queue.append(near)
    return found


class Bot:
    def __init__(self, sea):
        self.sea = sea
        self.trail = set()  # Cells that may not be entered again until we surface.
        self.suspects = set(sea.cells())  # Cells the enemy may be in.
        self.life = None  # Our lives, as far as we know why.

    def choose_start(self):
        """A cell of the largest sea, as near to the middle as possible: in a corner there is little room to hide."""
        largest, seen = {}, set()
        for cell in self.sea.cells():
            if cell not in seen:
                region = distances(self.sea, cell, set(), 1000)
                seen.update(region)
                if len(region) > len(largest):
                    largest = region
        x, y = self.sea.width // 2, self.sea.height // 2
        choices = [cell for cell in self.sea.cells() if cell in largest]
        return min(choices, key=lambda cell: abs(cell[0] - x) + abs(cell[1] - y))

    def listen(self, order):
        """Keeps those suspects that fit what the enemy was heard to do."""
        word, *arguments = order.split()
        if word == "MOVE":
            moved = {step(cell, arguments[0]) for cell in self.suspects}
            self.suspects = {cell for cell in moved if self.sea.is_water(cell)}
        elif word == "SURFACE":
            self.suspects = {cell for cell in self.suspects if sector(cell) == int(arguments[0])}
        elif word == "TORPEDO":
            x, y = map(int, arguments)
            self.suspects = {c for c in self.suspects if abs(c[0] - x) + abs(c[1] - y) <= TORPEDO_RANGE}
        elif word == "SILENCE":
            spread = set(self.suspects)
            for start in self.suspects:
                for direction in DIRECTIONS:
                    cell = start
                    for _ in range(SILENCE_STEPS):
                        cell = step(cell, direction)
                        if not self.sea.is_water(cell):
                            break
                        spread.add(cell)
            self.suspects = spread
        # Idea: MINE and TRIGGER tell something as well, and so do the lives that our own shots cost the enemy.

    def best_direction(self, here):
        """The direction with the most room behind it; of equal ones the one with the fewest ways on, which follows the shores and
        so keeps the sea in one piece. None if every way is closed."""
        best, best_worth = None, None
        for direction in DIRECTIONS:
            cell = step(here, direction)
            if not self.sea.is_water(cell) or cell in self.trail:
                continue
            room = len(distances(self.sea, cell, self.trail, 1000))
            ways = len(distances(self.sea, cell, self.trail, 1)) - 1
            if best is None or (room, -ways) > best_worth:
                best, best_worth = direction, (room, -ways)
        return best

    def best_target(self, here):
        """The cell in range with the highest damage to expect, and that damage."""
        best, best_damage = None, 0.0
        in_range = distances(self.sea, here, set(), TORPEDO_RANGE)
        for target in self.sea.cells():
            x, y = target
            # A blast next to us would hit us, too.
            if target not in in_range or abs(x - here[0]) <= 1 and abs(y - here[1]) <= 1:
                continue
            around = sum((x + dx, y + dy) in self.suspects for dx in (-1, 0, 1) for dy in (-1, 0, 1))
            damage = (around + (target in self.suspects)) / len(self.suspects)  # 2 lives in the middle, 1 around it.
            if damage > best_damage:
                best, best_damage = target, damage
        return best, best_damage

    def decide(self, turn):
        """Your ideas go here. Returns the actions of this turn; each word may be there once only."""
        actions = []
        here = turn.cell
        self.trail.add(here)
        was_hit = self.life is not None and turn.my_life < self.life
        self.life = turn.my_life

        for order in turn.opp_orders:
            self.listen(order)
        if not self.suspects:
            self.suspects = set(self.sea.cells())  # We have misunderstood something: begin again.

        # Move; where no way is left, surface first, which costs a life and wipes out the trail.
        direction = self.best_direction(here)
        if direction is None:
            actions.append("SURFACE")
            self.trail = {here}
            self.life -= 1
            direction = self.best_direction(here)
        if direction is not None:
            power = "SILENCE" if turn.torpedo_cooldown == 0 and turn.silence_cooldown > 0 else "TORPEDO"
            actions.append(f"MOVE {direction} {power}")
            if power == "TORPEDO" and turn.torpedo_cooldown > 0:
                turn.torpedo_cooldown -= 1
            here = step(here, direction)
            self.trail.add(here)

        # Fire, if the enemy is likely enough to be hit.
        target, damage = self.best_target(here)
        if turn.torpedo_cooldown == 0 and damage >= FIRE_AT:
            actions.append(f"TORPEDO {target[0]} {target[1]}")

        # Somebody knows where we are: slip away unheard.
        escape = self.best_direction(here)
        if was_hit and turn.silence_cooldown == 0 and escape is not None:
            actions.append(f"SILENCE {escape} 1")

        debug(f"at {turn.cell}, {len(self.suspects)} suspects, damage to expect {damage:.2f}")
        # Idea: SONAR halves the suspects, MINE and TRIGGER make whole regions dangerous.
        return actions


def main():
    sea = read_sea()
    bot = Bot(sea)
    x, y = bot.choose_start()
    print(x, y, flush=True)
    while True:
        turn = read_turn()
        print("|".join(bot.decide(turn)) or "SURFACE", flush=True)


main()
