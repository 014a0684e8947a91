// agon-hostile
// game: ocean-of-code
// verdict: fine
// level: B
// about: talks to other bots by locks on files that all of them see, and watches who opens them
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <unistd.h>

static void breach(const char *what) { fprintf(stderr, "BREACH %s\n", what); }

// In a namespace of processes of its own a program has a small number. Elsewhere nothing is tried: the host is spared.
static int in_own_namespace(void) {
    if (getpid() < 100) return 1;
    breach("no namespace of processes of its own");
    return 0;
}

// A small legal player of Ocean of Code: the first water cell, then any free neighbour, else up.
static char sea[15][16], been[15][15], text[4096];

static int start(char *answer) {
    fgets(text, sizeof text, stdin);
    for (int y = 0; y < 15; y++)
        if (!fgets(text, sizeof text, stdin)) return 0;
        else memcpy(sea[y], text, 15);
    for (int i = 0; i < 225; i++)
        if (sea[i / 15][i % 15] == '.') return sprintf(answer, "%d %d", i % 15, i / 15);
    return 0;
}

static int turn(char *answer) {
    int x, y;
    if (!fgets(text, sizeof text, stdin) || sscanf(text, "%d %d", &x, &y) != 2) return 0;
    if (!fgets(text, sizeof text, stdin) || !fgets(text, sizeof text, stdin)) return 0;
    been[y][x] = 1;
    for (int d = 0; d < 4; d++) {
        int u = x + (d == 1) - (d == 3), v = y + (d == 2) - (d == 0);
        if (u >= 0 && v >= 0 && u < 15 && v < 15 && sea[v][u] == '.' && !been[v][u])
            return sprintf(answer, "MOVE %c TORPEDO", "NESW"[d]);
    }
    memset(been, 0, sizeof been);
    return sprintf(answer, "SURFACE");
}

static void say(const char *answer) {
    printf("%s\n", answer);
    fflush(stdout);
}

static void attack(void) {
    static const char *shared[] = {"/etc/passwd", "/usr/bin/env", "/bin/sh", "/proc/self/exe"};
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = 77, .l_len = 1};
    for (int i = 0; i < 4; i++) {
        int fd = open(shared[i], O_RDONLY);
        if (fd < 0) continue;
        if (flock(fd, LOCK_EX | LOCK_NB) == 0) fprintf(stderr, "BREACH a lock on %s\n", shared[i]);
        if (fcntl(fd, F_SETLK, &lock) == 0) fprintf(stderr, "BREACH a record lock on %s\n", shared[i]);
        if (fcntl(fd, F_OFD_SETLK, &lock) == 0) fprintf(stderr, "BREACH a description lock on %s\n", shared[i]);
        if (fcntl(fd, F_SETLEASE, F_RDLCK) == 0) fprintf(stderr, "BREACH a lease on %s\n", shared[i]);
        if (fcntl(fd, F_NOTIFY, DN_ACCESS) == 0) fprintf(stderr, "BREACH a notice on %s\n", shared[i]);
    }
    int watch = inotify_init1(IN_NONBLOCK);
    if (watch >= 0 && inotify_add_watch(watch, "/usr/bin", IN_OPEN | IN_ACCESS) >= 0) breach("watches /usr/bin");
}

int main(void) {
    char answer[64];
    if (!start(answer)) return 0;
    if (in_own_namespace()) attack();
    say(answer);
    while (turn(answer)) say(answer);
    return 0;
}
