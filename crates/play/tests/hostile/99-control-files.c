// agon-hostile
// game: ocean-of-code
// verdict: fine
// level: B
// about: writes to the switches of the kernel, to control groups and to the terminal
#define _GNU_SOURCE
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
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

static int visit(const char *path, const struct stat *info, int kind, struct FTW *at) {
    // It is enough to know that it could write.
    if (kind == FTW_F && access(path, W_OK) == 0 && open(path, O_WRONLY | O_NONBLOCK) >= 0) {
        fprintf(stderr, "BREACH opened %s for writing\n", path);
        return 1;
    }
    return at->level > 6;
}

static void attack(void) {
    static const char *files[] = {"/proc/sys/kernel/core_pattern", "/proc/sys/vm/drop_caches", "/proc/sys/fs/suid_dumpable",
                                  "/proc/sys/kernel/hostname", "/proc/sysrq-trigger", "/sys/power/state",
                                  "/proc/self/uid_map", "/sys/kernel/uevent_helper", "/proc/self/loginuid"};
    for (int i = 0; i < sizeof files / sizeof *files; i++) {
        int file = open(files[i], O_WRONLY);
        // Some of them may be opened by anybody and refuse what is written.
        if (file >= 0 && (strstr(files[i], "/self/") ? write(file, "0 0 1\n", 6) > 0 : 1))
            fprintf(stderr, "BREACH opened %s for writing\n", files[i]);
    }
    int score = open("/proc/self/oom_score_adj", O_WRONLY);
    if (score >= 0 && write(score, "-1000", 5) == 5) breach("is never killed for its memory");
    nftw("/sys/fs/cgroup", visit, 16, FTW_PHYS);
    int terminal = open("/dev/tty", O_RDWR | O_NOCTTY);
    if (terminal >= 0) breach("opened the terminal");
    for (int fd = 0; fd < 3; fd++)
        if (ioctl(fd, TIOCSTI, "\n") == 0) breach("typed on the terminal");
}

int main(void) {
    char answer[64];
    if (!start(answer)) return 0;
    if (in_own_namespace()) attack();
    say(answer);
    while (turn(answer)) say(answer);
    return 0;
}
