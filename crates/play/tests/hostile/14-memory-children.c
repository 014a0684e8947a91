// agon-hostile
// game: back-track
// verdict: memory
// level: A
// clock: off
// about: six children take 250 MiB each
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
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

static int *full;

static void child(void) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int i = 0; i < 250; i++) {
        char *more = malloc(1 << 20);
        if (!more) _exit(1);
        memset(more, 1, 1 << 20);
    }
    __atomic_add_fetch(full, 1, __ATOMIC_RELAXED);
    for (;;) pause();
}

int main(void) {
    full = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!start()) return 0;
    for (int i = 0; i < 6; i++)
        if (fork() == 0) child();
    while (turn()) {
        while (*full < 6) {
            if (waitpid(-1, NULL, WNOHANG) > 0) _exit(1);
            usleep(1000);
        }
        if (*full == 6) breach("1.5 GiB of memory in six processes"), *full = 7;
        say("WAIT");
    }
    return 0;
}
