// agon-hostile
// game: ocean-of-code
// verdict: fine,crash
// level: B
// about: goes round the list of forbidden calls by the numbers of other machines
#define _GNU_SOURCE
#include <fcntl.h>
#include <setjmp.h>
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

static sigjmp_buf back;

static void refused(int signal) { siglongjmp(back, 1); }

static void attack(void) {
#ifdef __x86_64__
    signal(SIGSYS, refused);
    signal(SIGSEGV, refused);
    if (sigsetjmp(back, 1) == 0) {
        int result;
        // keyctl(KEYCTL_GET_KEYRING_ID, KEY_SPEC_PROCESS_KEYRING, 1) as a program of 32 bits calls it
        __asm__ volatile("int $0x80" : "=a"(result) : "0"(288), "b"(0), "c"(-2), "d"(1) : "memory", "r8", "r9", "r10", "r11");
        if (result >= 0) breach("keyctl by a 32-bit call");
    }
    if (sigsetjmp(back, 1) == 0) {
        int result;
        __asm__ volatile("int $0x80" : "=a"(result) : "0"(359), "b"(2), "c"(1), "d"(0) : "memory", "r8", "r9", "r10", "r11");
        if (result >= 0) breach("socket by a 32-bit call");
    }
    if (sigsetjmp(back, 1) == 0 && syscall(0x40000000 | 41, 2, 1, 0) >= 0) breach("socket by an x32 call");
    signal(SIGSYS, SIG_DFL);
    signal(SIGSEGV, SIG_DFL);
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
