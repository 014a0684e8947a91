// agon-hostile
// game: back-track
// verdict: memory
// level: A
// clock: off
// about: takes memory as shared mappings, which no limit of a single process covers
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void breach(const char *what) { fprintf(stderr, "BREACH %s\n", what); }

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

static void eat(void) {
    static int mebibytes;
    for (; mebibytes < 1536; mebibytes++) {
        char *more = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
        if (more == MAP_FAILED) exit(1);
        memset(more, 1, 1 << 20);
        if (mebibytes == 1535) breach("1.5 GiB of shared memory");
    }
}

int main(void) {
    if (!start()) return 0;
    while (turn()) {
        eat();
        say("WAIT");
    }
    return 0;
}
