// agon-hostile
// game: ocean-of-code
// verdict: fine
// level: B
// about: knocks at doors of the kernel that no bot needs
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

// What is refused says so; any other answer means that the door is open.
static void knock(const char *name, long result, int open_if_other_error) {
    if (result >= 0 || (open_if_other_error && errno != EPERM && errno != ENOSYS && errno != EACCES))
        fprintf(stderr, "BREACH %s\n", name);
}

static void attack(void) {
    char zeros[256] = {0};
    int map[16] = {1, 4, 4, 1}; // a map of one entry
    struct { unsigned type, size; unsigned long long config; char rest[112]; } event = {1, 120, 0};
    knock("bpf", syscall(SYS_bpf, 0, map, sizeof map), 0);
    knock("perf_event_open", syscall(SYS_perf_event_open, &event, 0, -1, -1, 0), 0);
    knock("userfaultfd", syscall(SYS_userfaultfd, 1), 0);
    knock("io_uring_setup", syscall(425, 8, zeros), 0);
    knock("add_key", syscall(SYS_add_key, "user", "agon", "x", 1, -2), 0);
    knock("request_key", syscall(SYS_request_key, "user", "agon", NULL, -2), 0);
    knock("keyctl", syscall(SYS_keyctl, 0, -3, 1), 0);
    knock("fanotify_init", syscall(SYS_fanotify_init, 0, 0), 0);
    knock("open_by_handle_at", syscall(SYS_open_by_handle_at, -100, zeros, 0), 0);
    knock("init_module", syscall(SYS_init_module, zeros, 0, ""), 1);
    knock("delete_module", syscall(SYS_delete_module, "agon_none", 0), 1);
    knock("kexec_load", syscall(SYS_kexec_load, 0, 99, zeros, 0), 1);
    knock("acct", syscall(SYS_acct, "/agon-none"), 1);
    knock("swapon", syscall(SYS_swapon, "/agon-none", 0), 1);
    knock("syslog", syscall(SYS_syslog, 3, zeros, sizeof zeros), 0);
    knock("sethostname", syscall(SYS_sethostname, zeros, 9999), 1);
#ifdef SYS_iopl
    knock("iopl", syscall(SYS_iopl, 3), 1);
#endif
}

int main(void) {
    char answer[64];
    if (!start(answer)) return 0;
    if (in_own_namespace()) attack();
    say(answer);
    while (turn(answer)) say(answer);
    return 0;
}
