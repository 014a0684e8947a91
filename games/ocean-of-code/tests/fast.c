/* The smallest player of Ocean of Code that is always legal, for benchmarks: one read and one write per turn.
 *
 * It starts on the first water cell, goes to the first free neighbour (north, east, south, west), and surfaces when there is
 * none. It ends when its input ends.
 *
 *     gcc -O2 -o fast fast.c
 *
 * With -DMETRICS it writes two metrics to its standard error output with each answer.
 * With -DSPIN_US=25000 it thinks for so many microseconds before each answer, with the processor at work. With -DREST_US=20000 it
 * sleeps for so many before its first answer.
 */
#define _DEFAULT_SOURCE
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifndef SPIN_US
#define SPIN_US 0
#endif

#ifndef REST_US
#define REST_US 0
#endif

#define WIDE 16 /* a row of the map with its line feed: 15 cells and a barrier */

static char input[1 << 16];
static int filled;
/* The sea with a barrier around it: 1 where a submarine may go. `here` is an index into it. */
static char open_cell[WIDE * 17 + 1], fresh[WIDE * 17 + 1];

/* Reads until so many lines are there; returns their length, 0 at the end of the input. */
static int question(int lines) {
    int at = 0;
    for (;;) {
        for (; at < filled; at++)
            if (input[at] == '\n' && --lines == 0) return at + 1;
        int got = read(0, input + filled, sizeof input - filled);
        if (got <= 0) return 0;
        filled += got;
    }
}

/* What came behind the question, if anything, moves to the front. */
static void done(int length) {
    filled -= length;
    if (filled) memmove(input, input + length, filled);
}

static char *number(char *to, int value) {
    if (value > 9) *to++ = '0' + value / 10;
    *to++ = '0' + value % 10;
    return to;
}

/* Works until so much time has passed on the wall. */
static void think(void) {
    struct timespec from, now;
    if (!SPIN_US) return;
    clock_gettime(CLOCK_MONOTONIC, &from);
    do clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - from.tv_sec) * 1000000L + (now.tv_nsec - from.tv_nsec) / 1000 < SPIN_US);
}

static int answer(const char *text, int length) {
    think();
#ifdef METRICS
    if (write(2, "[TDATA] depth = 7\n[TDATA] value = 0.25\n", 39) != 39) return 0;
#endif
    return write(1, text, length) == length;
}

int main(void) {
    static const int step[4] = {-WIDE, 1, WIDE, -1};
    char text[16], *end = text;
    int length = question(16), here = -1;
    if (!length) return 0;
    char *rows = memchr(input, '\n', length);
    /* Cell (x, y) is at (y + 1) * WIDE + x + 1: the line feed of a row is the barrier on its right and on the left of the next. */
    for (int i = 0; rows && i < 15 * WIDE && rows + 1 + i < input + length; i++) {
        open_cell[WIDE + 1 + i] = rows[1 + i] == '.';
        if (here < 0 && open_cell[WIDE + 1 + i]) here = i;
    }
    if (here < 0) return 0;
    memcpy(fresh, open_cell, sizeof fresh);
    end = number(end, here % WIDE);
    *end++ = ' ';
    end = number(end, here / WIDE);
    *end++ = '\n';
    done(length);
    if (REST_US) usleep(REST_US);
    if (!answer(text, end - text)) return 0;
    for (here += WIDE + 1; (length = question(3)); ) {
        int d = 0;
        done(length);
        open_cell[here] = 0;
        while (d < 4 && !open_cell[here + step[d]]) d++;
        if (d == 4) {
            memcpy(open_cell, fresh, sizeof fresh);
            if (!answer("SURFACE\n", 8)) return 0;
        } else {
            here += step[d];
            char move[] = "MOVE N TORPEDO\n";
            move[5] = "NESW"[d];
            if (!answer(move, 15)) return 0;
        }
    }
    return 0;
}
