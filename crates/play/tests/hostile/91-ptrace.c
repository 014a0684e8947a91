// agon-hostile
// game: ocean-of-code
// verdict: fine
// level: B
// about: traces its parent, itself and its child, and reads their memory
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
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

static long peek(pid_t pid) {
    char here[16];
    struct iovec local = {here, sizeof here}, remote = {(void *)peek, sizeof here};
    return process_vm_readv(pid, &local, 1, &remote, 1, 0);
}

static void attack(void) {
    int status;
    pid_t parent = getppid(), child = fork();
    if (child == 0) {
        if (ptrace(PTRACE_TRACEME, 0, 0, 0) == 0) breach("asked to be traced");
        _exit(0);
    }
    waitpid(child, &status, 0);
    if ((child = fork()) == 0) {
        for (;;) pause();
    }
    if (ptrace(PTRACE_SEIZE, child, 0, 0) == 0) breach("traces its child");
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    if (parent < 1) return;
    if (ptrace(PTRACE_SEIZE, parent, 0, 0) == 0) breach("traces its parent");
    if (peek(parent) > 0) breach("read the memory of its parent");
    int handle = syscall(SYS_pidfd_open, parent, 0);
    for (int fd = 0; handle >= 0 && fd < 32; fd++)
        if (syscall(SYS_pidfd_getfd, handle, fd, 0) >= 0) {
            breach("took a descriptor of its parent");
            break;
        }
}

int main(void) {
    char answer[64];
    if (!start(answer)) return 0;
    if (in_own_namespace()) attack();
    say(answer);
    while (turn(answer)) say(answer);
    return 0;
}
