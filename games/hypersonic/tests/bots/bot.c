/* Hypersonic: bombs boxes it stands beside when there is a way out, and never waits in the reach of a bomb. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDE 15 /* a row with a frame of wall on both sides */
#define CELLS (WIDE * 13)

static const int step[4] = {-1, 1, -WIDE, WIDE};
static char grid[CELLS], bomb[CELLS], hot[CELLS], line[256];
static int here;

static void next(void) {
    if (!fgets(line, sizeof line, stdin)) exit(0);
}

static void blast(int cell, int range) {
    hot[cell] = 1;
    for (int d = 0; d < 4; d++)
        for (int i = 1, n = cell + step[d]; i < range && grid[n] == '.'; i++, n += step[d]) hot[n] = 1;
}

static int beside_box(int cell) {
    for (int d = 0; d < 4; d++)
        if (strchr("012", grid[cell + step[d]])) return 1;
    return 0;
}

/* The first step to the nearest safe cell, or over safe cells to the nearest box; -1 if there is none. */
static int find(int flee) {
    int queue[CELLS], first[CELLS] = {0}, head = 0, tail = 0;
    first[here] = -1;
    for (int cell = here;; cell = queue[head++]) {
        if (cell != here && (flee ? !hot[cell] : beside_box(cell))) return first[cell];
        for (int d = 0; d < 4; d++) {
            int n = cell + step[d];
            if (grid[n] != '.' || bomb[n] || first[n] || (!flee && hot[n])) continue;
            first[n] = cell == here ? n : first[cell];
            queue[tail++] = n;
        }
        if (head == tail) return -1;
    }
}

int main(void) {
    int w, h, me, count, bombs, range, at[CELLS], reach[CELLS];
    next();
    if (sscanf(line, "%d %d %d", &w, &h, &me) != 3 || w > 13 || h > 11) return 0;
    memset(grid, 'X', sizeof grid);
    for (;;) {
        for (int y = 0; y < h; y++) next(), memcpy(&grid[(y + 1) * WIDE + 1], line, w);
        next();
        memset(bomb, 0, sizeof bomb), memset(hot, 0, sizeof hot);
        count = atoi(line), bombs = range = 0;
        int laid = 0;
        for (int type, owner, x, y, a, b; count > 0; count--) {
            next();
            if (sscanf(line, "%d %d %d %d %d %d", &type, &owner, &x, &y, &a, &b) != 6) return 0;
            int cell = (y + 1) * WIDE + x + 1;
            if (type == 0 && owner == me) here = cell, bombs = a, range = b;
            if (type == 1 && laid < CELLS) bomb[cell] = 1, at[laid] = cell, reach[laid++] = b;
        }
        for (int i = 0; i < laid; i++) blast(at[i], reach[i]);
        const char *verb = "MOVE";
        int to = -1;
        if (hot[here]) to = find(1);
        else if (bombs > 0 && beside_box(here)) {
            blast(here, range);
            if ((to = find(1)) >= 0) verb = "BOMB";
        } else if (bombs > 0) to = find(0);
        if (to < 0) to = here;
        printf("%s %d %d\n", verb, to % WIDE - 1, to / WIDE - 1);
        fflush(stdout);
    }
}
