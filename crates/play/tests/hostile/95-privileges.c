// agon-hostile
// game: ocean-of-code
// verdict: fine
// level: B
// about: takes back capabilities, user ids and limits
#define _GNU_SOURCE
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
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

static void attack(void) {
    char line[256];
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status)) {
        if (strncmp(line, "CapEff:", 7) == 0 && strtoull(line + 7, NULL, 16)) breach("has capabilities");
        if (strncmp(line, "CapPrm:", 7) == 0 && strtoull(line + 7, NULL, 16)) breach("may have capabilities");
        if (strncmp(line, "NoNewPrivs:", 11) == 0 && atoi(line + 11) != 1) breach("may gain privileges");
        if (strncmp(line, "Seccomp:", 8) == 0 && atoi(line + 8) != 2) breach("has no filter of calls");
    }
    struct { unsigned version; int pid; } head = {0x20080522, 0};
    struct { unsigned effective, permitted, inheritable; } all[2] = {{~0u, ~0u, 0}, {~0u, ~0u, 0}};
    if (syscall(SYS_capset, &head, all) == 0) breach("took all capabilities");
    uid_t real, effective, saved;
    getresuid(&real, &effective, &saved);
    if (real && effective && saved && (setuid(0) == 0 || setresuid(-1, 0, -1) == 0)) breach("became root");
    gid_t root = 0;
    if (getgid() && (setgid(0) == 0 || setgroups(1, &root) == 0)) breach("joined the group of root");
    for (int which = 0; which < RLIMIT_NLIMITS; which++) {
        struct rlimit before, after;
        getrlimit(which, &before);
        if (before.rlim_max == RLIM_INFINITY) continue;
        after.rlim_cur = after.rlim_max = RLIM_INFINITY;
        if (setrlimit(which, &after) == 0) fprintf(stderr, "BREACH raised limit %d\n", which);
    }
    struct rlimit core;
    if (getrlimit(RLIMIT_CORE, &core) || core.rlim_max) breach("may dump core");
}

int main(void) {
    char answer[64];
    if (!start(answer)) return 0;
    if (in_own_namespace()) attack();
    say(answer);
    while (turn(answer)) say(answer);
    return 0;
}
