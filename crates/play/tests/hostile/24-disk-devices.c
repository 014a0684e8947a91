// agon-hostile
// game: ocean-of-code
// verdict: fine
// level: B
// about: fills the device folder and the shared memory folder
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static char block[1 << 20];

// Writes files of 4 MiB into a folder until that fails; returns the MiB written. They stay unless it was too much.
static int fill(const char *folder, int most) {
    char path[256];
    int written = 0;
    for (int i = 0; written < most; i++) {
        snprintf(path, sizeof path, "%s/fill-%d", folder, i);
        int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
        if (file < 0) break;
        int part = 0;
        while (part < 4 && write(file, block, sizeof block) == sizeof block) part++;
        close(file);
        written += part;
        if (part < 4) break;
    }
    for (int i = 0; written >= most && i <= most / 4; i++) {
        snprintf(path, sizeof path, "%s/fill-%d", folder, i);
        unlink(path);
    }
    return written;
}

static void attack(void) {
    static const char *folders[] = {"/dev", "/dev/shm", "/dev/mqueue", "/dev/pts"};
    signal(SIGXFSZ, SIG_IGN);
    for (int i = 0; i < sizeof folders / sizeof *folders; i++)
        if (fill(folders[i], 64) >= 64) fprintf(stderr, "BREACH 64 MiB written to %s\n", folders[i]);
}

int main(void) {
    char answer[64];
    if (!start(answer)) return 0;
    if (in_own_namespace()) attack();
    say(answer);
    while (turn(answer)) say(answer);
    return 0;
}
