/* Ocean of Code: keeps to narrow water, charges torpedoes and fires them three cells ahead. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDE 17 /* a row with a frame of land on both sides */

static const int step[4] = {-WIDE, 1, WIDE, -1};
static const int dx[4] = {0, 1, 0, -1}, dy[4] = {-1, 0, 1, 0};
static char water[WIDE * 17], been[WIDE * 17];
static char line[4096];

static void next(void) {
    if (!fgets(line, sizeof line, stdin)) exit(0);
}

static int open_water(int cell) { return water[cell] && !been[cell]; }

int main(void) {
    int w, h, me, turn = 0;
    next();
    if (sscanf(line, "%d %d %d", &w, &h, &me) != 3 || w > 15 || h > 15) return 0;
    for (int y = 0; y < h; y++) {
        next();
        for (int x = 0; x < w; x++) water[(y + 1) * WIDE + x + 1] = line[x] == '.';
    }
    for (int i = 0; i < w * h; i++) {
        int at = (i + me * (w * h / 2)) % (w * h), x = at % w, y = at / w;
        if (water[(y + 1) * WIDE + x + 1]) {
            printf("%d %d\n", x, y);
            fflush(stdout);
            break;
        }
    }
    for (;; turn++) {
        int x, y, torpedo, best = -1, least = 9;
        next();
        if (sscanf(line, "%d %d %*d %*d %d", &x, &y, &torpedo) != 3) return 0;
        next();
        next();
        int here = (y + 1) * WIDE + x + 1;
        been[here] = 1;
        for (int d = 0; d < 4; d++) {
            int n = here + step[d], exits = 0;
            if (!open_water(n)) continue;
            for (int e = 0; e < 4; e++) exits += open_water(n + step[e]);
            if (!exits) exits = 8; /* a dead end, only if there is nothing else */
            if (exits < least) best = d, least = exits;
        }
        for (int k = 0; torpedo == 0 && k < 4; k++) {
            int d = (turn + k) % 4, s = step[d];
            if (!water[here + s] || !water[here + 2 * s] || !water[here + 3 * s]) continue;
            printf("TORPEDO %d %d|", x + 3 * dx[d], y + 3 * dy[d]);
            break;
        }
        if (best < 0) memset(been, 0, sizeof been), puts("SURFACE");
        else printf("MOVE %c TORPEDO\n", "NESW"[best]);
        fflush(stdout);
    }
}
