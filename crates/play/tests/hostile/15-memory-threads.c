// agon-hostile
// game: back-track
// verdict: memory,crash
// level: B
// clock: off
// about: forty-eight threads with stacks of 32 MiB, all of it used
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static int full;

static void *thread(void *unused) {
    volatile char stack[31 << 20];
    for (int i = 0; i < sizeof stack; i += 1024) stack[i] = 1;
    __atomic_add_fetch(&full, 1, __ATOMIC_RELAXED);
    for (;;) pause();
}

int main(void) {
    pthread_t id;
    pthread_attr_t large;
    pthread_attr_init(&large);
    pthread_attr_setstacksize(&large, 32 << 20);
    if (!start()) return 0;
    for (int i = 0; i < 48; i++)
        if (pthread_create(&id, &large, thread, NULL)) exit(1);
    while (turn()) {
        while (__atomic_load_n(&full, __ATOMIC_RELAXED) < 48) usleep(1000);
        if (full == 48) breach("1.5 GiB of stacks"), full = 49;
        say("WAIT");
    }
    return 0;
}
