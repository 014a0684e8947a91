// agon-hostile
// game: ocean-of-code
// verdict: fine
// level: B
// about: leaves marks wherever something could outlast a game, and looks for those of an earlier one
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/syscall.h>
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

static void mark_file(const char *path) {
    int file = open(path, O_CREAT | O_EXCL | O_WRONLY, 0666);
    if (file < 0 && errno == EEXIST) fprintf(stderr, "BREACH the mark %s is still there\n", path);
}

static void attack(void) {
    const int key = 0x41474f4e;
    mark_file("/tmp/agon-mark");
    mark_file("/dev/shm/agon-mark");
    mark_file("/var/tmp/agon-mark");
    mark_file("/run/agon-mark");
    mark_file("./agon-mark");
    if (shmget(key, 4096, IPC_CREAT | IPC_EXCL | 0666) < 0 && errno == EEXIST) breach("shared memory is still there");
    if (msgget(key, IPC_CREAT | IPC_EXCL | 0666) < 0 && errno == EEXIST) breach("a message queue is still there");
    if (semget(key, 1, IPC_CREAT | IPC_EXCL | 0666) < 0 && errno == EEXIST) breach("a semaphore is still there");
    if (syscall(SYS_mq_open, "agon-mark", O_CREAT | O_EXCL | O_RDWR, 0666, NULL) < 0 && errno == EEXIST)
        breach("a queue with a name is still there");
    if (syscall(SYS_keyctl, 10, -4, "user", "agon-mark", 0) >= 0) breach("a key is still there");
    syscall(SYS_add_key, "user", "agon-mark", "x", 1, -4);
}

int main(void) {
    char answer[64];
    if (!start(answer)) return 0;
    if (in_own_namespace()) attack();
    say(answer);
    while (turn(answer)) say(answer);
    return 0;
}
