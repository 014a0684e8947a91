# Back Track: joins towns that want each other, the nearest first, and washes away where the foe has more tracks.
import sys


def main():
    lines = iter(sys.stdin.readline, "")
    me, w, h = int(next(lines)), int(next(lines)), int(next(lines))
    region = [int(next(lines).split()[0]) for _ in range(w * h)]
    towns, wishes = [], []
    for _ in range(int(next(lines))):
        i, x, y, wanted = next(lines).split()
        towns.append((int(x), int(y)))
        wishes += [(int(i), int(j)) for j in wanted.split(",") if j != "x"]
    length = lambda a, b: abs(towns[a][0] - towns[b][0]) + abs(towns[a][1] - towns[b][1])
    wishes.sort(key=lambda wish: (length(*wish), wish))
    tries = dict.fromkeys(wishes, 0)
    turn = 0
    while True:
        next(lines), next(lines)  # the scores
        cells = [next(lines).split() for _ in range(w * h)]
        answer = []
        for a, b in wishes:
            x, y = towns[a]
            # The connections of a town are on the line of its cell.
            if tries[a, b] < 15 and f"{a}-{b}" not in cells[y * w + x][3].split(","):
                tries[a, b] += 1
                start, end = (b, a) if me else (a, b)  # the two players meet half way
                answer.append("AUTOPLACE {} {} {} {}".format(*towns[start], *towns[end]))
                break
        more = [0] * (max(region) + 1)  # tracks the foe has more than we, by region
        for i, cell in enumerate(cells):
            if cell[0] in ("0", "1"):
                more[region[i]] += -1 if int(cell[0]) == me else 1
        if turn % 2 and max(more) > 0:
            answer.append(f"DISRUPT {more.index(max(more))}")
        print(";".join(answer) or "WAIT", flush=True)
        turn += 1


try:
    main()
except StopIteration:
    pass  # the input has ended
