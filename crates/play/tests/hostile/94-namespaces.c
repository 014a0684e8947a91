// agon-hostile
// game: ocean-of-code
// verdict: fine
// level: B
// about: makes namespaces of its own, enters others, mounts, changes its root
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
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
    static const int kinds[] = {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP};
    static const char *names[] = {"user", "mnt", "pid", "net", "ipc", "uts", "cgroup"};
    int open_door = 0, status;
    char path[64];
    for (int i = 0; i < 7; i++) {
        pid_t child = fork();
        if (child == 0) _exit(unshare(kinds[i]) == 0);
        waitpid(child, &status, 0);
        if (status) open_door = 1, fprintf(stderr, "BREACH a new namespace: %s\n", names[i]);
        child = syscall(SYS_clone, kinds[i] | SIGCHLD, 0, 0, 0, 0);
        if (child == 0) _exit(0);
        if (child > 0) {
            waitpid(child, &status, 0);
            open_door = 1, fprintf(stderr, "BREACH a process in a new namespace: %s\n", names[i]);
        }
        sprintf(path, "/proc/%d/ns/%s", getppid() > 0 ? getppid() : 1, names[i]);
        int fd = open(path, O_RDONLY);
        if (fd >= 0 && setns(fd, 0) == 0) open_door = 1, fprintf(stderr, "BREACH entered a namespace: %s\n", names[i]);
    }
    // Where it could do that, it could mount as well; the host is spared.
    if (open_door) return;
    if (mount("none", "/tmp", "tmpfs", 0, NULL) == 0) breach("mounted a file system");
    if (mount("/", "/tmp", NULL, MS_BIND, NULL) == 0) breach("mounted a folder");
    if (mount(NULL, "/", NULL, MS_REMOUNT, NULL) == 0) breach("mounted the root anew");
    if (syscall(SYS_pivot_root, "/tmp", "/tmp") == 0) breach("changed its root");
    if (chroot("/tmp") == 0) breach("changed its root");
    if (syscall(430, "tmpfs", 0) >= 0) breach("opened a file system");
    if (syscall(428, -100, "/", 1) >= 0) breach("copied the tree of mounts");
}

int main(void) {
    char answer[64];
    if (!start(answer)) return 0;
    if (in_own_namespace()) attack();
    say(answer);
    while (turn(answer)) say(answer);
    return 0;
}
