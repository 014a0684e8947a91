# Back Track: a starter bot.
#
# It lays tracks for the wish that costs the least paint, turn after turn until it is connected, then for the next one.
# The whole game in three steps: read (what the statement calls the protocol), decide (your ideas go there), print one line.
#
# Time: 1000 ms for the first answer, the start of the program included, and 50 ms for every other one.
# Your answers go to the standard output; for debugging, print to the standard error output, as debug() does.

import sys
from dataclasses import dataclass, field

NO_TRACK = -1
PAINT = [1, 2, 3, 3]  # For a track on plains, a river, a mountain, a place of interest.


# ---- Reading ----

@dataclass
class Cell:
    region_id: int
    type: int
    town: bool = False
    # What changes from turn to turn:
    track_owner: int = NO_TRACK  # -1, or the player 0 or 1, or 2: neutral.
    instability: int = 0  # Of the whole region.
    inked: bool = False
    connections: list[str] = field(default_factory=list)  # ["1-2"]: it is on the way from town 1 to the town 2 it wants.


@dataclass
class Town:
    id: int
    x: int
    y: int
    wants: list[int]  # Ids of other towns.


@dataclass
class Game:
    my_id: int
    width: int
    height: int
    cells: list[Cell]  # Row by row: (x, y) is at y * width + x.
    towns: list[Town]
    my_score: int = 0
    foe_score: int = 0

    def cell(self, x, y):
        return self.cells[y * self.width + x]


def read_line():
    line = sys.stdin.readline()
    if not line:
        sys.exit()  # The input has ended: the game is over.
    return line.rstrip("\n")


def read_list(text):
    return [] if text == "x" else text.split(",")


def read_game():
    my_id, width, height = int(read_line()), int(read_line()), int(read_line())
    cells = [Cell(*map(int, read_line().split())) for _ in range(width * height)]
    towns = []
    for _ in range(int(read_line())):
        town_id, x, y, wants = read_line().split()
        towns.append(Town(int(town_id), int(x), int(y), [int(wanted) for wanted in read_list(wants)]))
    game = Game(my_id, width, height, cells, towns)
    for town in towns:
        game.cell(town.x, town.y).town = True
    return game


def read_turn(game):
    game.my_score, game.foe_score = int(read_line()), int(read_line())
    for cell in game.cells:
        owner, instability, inked, connections = read_line().split()
        cell.track_owner, cell.instability, cell.inked = int(owner), int(instability), inked == "1"
        cell.connections = read_list(connections)


def debug(*what):
    print(*what, file=sys.stderr)


# ---- Thinking ----

def paint_for(cell):
    """What it costs to go on through this cell; None where no track can be laid."""
    if cell.town or cell.track_owner != NO_TRACK:
        return 0
    return None if cell.inked else PAINT[cell.type]


def paint_from(game, costs, town):
    """The paint that a way from this town to each (x, y) costs, as AUTOPLACE would lay it. `costs` has paint_for each cell."""
    paint = {}
    waiting = [[(town.x, town.y)]]  # waiting[p]: places that can be reached for p points of paint.
    for p, places in enumerate(waiting):  # Both lists grow while we walk along them.
        for x, y in places:
            if (x, y) in paint:
                continue  # Reached before, for less.
            paint[x, y] = p
            for near_x, near_y in (x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y):
                if not (0 <= near_x < game.width and 0 <= near_y < game.height):
                    continue
                more = costs[near_y * game.width + near_x]
                if more is not None and (near_x, near_y) not in paint:
                    while len(waiting) <= p + more:
                        waiting.append([])
                    waiting[p + more].append((near_x, near_y))
    return paint


def choose_wish(game):
    """The unfulfilled wish that costs the least paint: (paint, from, to), or None."""
    best = None
    costs = [paint_for(cell) for cell in game.cells]
    for town in game.towns:
        connections = game.cell(town.x, town.y).connections
        wishes = [game.towns[to] for to in town.wants if f"{town.id}-{to}" not in connections]
        paint = paint_from(game, costs, town) if wishes else {}
        for to in wishes:
            cost = paint.get((to.x, to.y))
            if cost is not None and (best is None or cost < best[0]):
                best = (cost, town, to)
    return best


def decide(game):
    """Your ideas go here. Returns the actions of this turn."""
    actions = []
    wish = choose_wish(game)
    if wish is not None:
        paint, start, end = wish
        debug(f"score {game.my_score} : {game.foe_score}, town {start.id} to town {end.id} for {paint} paint")
        # Two players who lay the same tracks in the same turn both pay for neutral ones: the second one begins at the other end.
        if game.my_id == 1:
            start, end = end, start
        actions.append(f"AUTOPLACE {start.x} {start.y} {end.x} {end.y}")
    # Idea: DISRUPT washes the tracks of the opponent away. In which region does it have most to lose, and you least?
    # Idea: PLACE_TRACKS spends the paint that AUTOPLACE leaves over, and finds ways that serve several wishes at once.
    return actions


def main():
    game = read_game()
    while True:
        read_turn(game)
        print(";".join(decide(game)) or "WAIT", flush=True)


main()
