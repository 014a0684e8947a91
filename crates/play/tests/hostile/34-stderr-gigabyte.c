// agon-hostile
// game: back-track
// verdict: fine
// level: any
// clock: off
// about: writes more than a gigabyte to its standard error, 10 MiB each turn, and plays on
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A small legal player of Back Track: it waits.
static char text[65536];
static int cells;

static int skip(int lines) {
    while (lines-- > 0)
        if (!fgets(text, sizeof text, stdin)) return 0;
    return 1;
}

static int start(void) {
    int width, height;
    if (!skip(2)) return 0;
    width = atoi(text);
    if (!skip(1)) return 0;
    height = atoi(text);
    cells = width * height;
    return skip(cells + 1) && skip(atoi(text));
}

static int turn(void) { return skip(2 + cells); }

static void say(const char *answer) {
    printf("%s\n", answer);
    fflush(stdout);
}

int main(void) {
    static char block[1 << 16];
    memset(block, 'e', sizeof block);
    if (!start()) return 0;
    while (turn()) {
        for (int i = 0; i < 160; i++) write(2, block, sizeof block);
        say("WAIT");
    }
    return 0;
}
