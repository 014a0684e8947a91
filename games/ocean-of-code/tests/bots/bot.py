# Ocean of Code: keeps to narrow water, charges torpedoes and fires them three cells ahead.
import sys


def main():
    read = sys.stdin.readline
    header = read().split()
    if len(header) < 3:
        return
    w, h, me = map(int, header)
    wide = w + 2
    step = (-wide, 1, wide, -1)
    # The sea with a frame of land around it, row after row.
    water = [False] * (wide * (h + 2))
    for y in range(h):
        for x, cell in enumerate(read().rstrip("\r\n")):
            water[(y + 1) * wide + x + 1] = cell == "."
    cells = [(x, y) for y in range(h) for x in range(w)]
    half = me * (len(cells) // 2)
    for x, y in cells[half:] + cells[:half]:
        if water[(y + 1) * wide + x + 1]:
            print(x, y, flush=True)
            break
    been = [False] * len(water)
    turn = 0
    while True:
        state, sonar, heard = read(), read(), read()
        if not heard:
            return
        x, y, _, _, torpedo = map(int, state.split()[:5])
        here = (y + 1) * wide + x + 1
        been[here] = True
        best, least = -1, 9
        for d in range(4):
            n = here + step[d]
            if water[n] and not been[n]:
                # Few ways on: take it now. None at all: only if there is nothing else.
                exits = sum(water[n + s] and not been[n + s] for s in step) or 8
                if exits < least:
                    best, least = d, exits
        answer = ""
        if torpedo == 0:
            for k in range(4):
                d = (turn + k) % 4
                if all(water[here + i * step[d]] for i in (1, 2, 3)):
                    answer = f"TORPEDO {x + (0, 3, 0, -3)[d]} {y + (-3, 0, 3, 0)[d]}|"
                    break
        if best < 0:
            been = [False] * len(water)
            answer += "SURFACE"
        else:
            answer += f"MOVE {'NESW'[best]} TORPEDO"
        print(answer, flush=True)
        turn += 1


main()
