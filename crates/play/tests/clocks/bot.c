// A bot of Ocean of Code and Hypersonic that spends its time as its arguments say: pairs of a word and milliseconds.
// Each turn it does these in order, then it answers. `until N`, `mix N` and `burst N` are counted from the question.
//
//   sleep N   sleeps
//   spin N    computes until it has used N ms of CPU time
//   work N    does N million steps of a computation, in any time
//   until N   computes until N ms after the question
//   mix N     until N ms after the question: sleeps for 3 ms, computes for 1 ms
//   burst N   until N ms after the question: two threads compute for 5 ms at the same time, then both sleep
//   after 1   computes after each answer until the next question comes
//   hogs N    starts N processes that compute all the time
//   memory N  uses N MiB of memory from the start
//   wrong N   answers nonsense in turn N
//
// Each turn it reports on its standard error output: the time and the CPU time of its turn in microseconds, and the CPU
// time that it used between its last answer and this question.
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static long long us(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

static long long wall(void) { return us(CLOCK_MONOTONIC); }
static long long cpu(void) { return us(CLOCK_PROCESS_CPUTIME_ID); }

static void nap(long long micros) {
    struct timespec time = {micros / 1000000, micros % 1000000 * 1000};
    if (micros > 0) nanosleep(&time, NULL);
}

static void *helper(void *until) {
    while (wall() < *(long long *)until) {}
    return NULL;
}

static unsigned table[1 << 16];

static void work(long long steps) {
    for (unsigned state = 1; steps > 0; steps--) {
        state = state * 1664525 + 1013904223;
        table[state >> 16] += state;
    }
}

static char text[4096], sea[15][16], been[15][15];
static int hypersonic;

static void skip(int lines) {
    while (lines-- > 0)
        if (!fgets(text, sizeof text, stdin)) exit(0);
}

static void start(char *answer) {
    int width, height, id;
    skip(1);
    sscanf(text, "%d %d %d", &width, &height, &id);
    hypersonic = width == 13;
    if (hypersonic) return;
    for (int y = 0; y < 15; y++) {
        skip(1);
        memcpy(sea[y], text, 15);
    }
    for (int i = 0; i < 225; i++)
        if (sea[i / 15][i % 15] == '.') {
            sprintf(answer, "%d %d", i % 15, i / 15);
            return;
        }
}

static void turn(char *answer) {
    int x, y;
    if (hypersonic) {
        skip(12);
        skip(atoi(text));
        strcpy(answer, "MOVE 6 5");
        return;
    }
    skip(1);
    sscanf(text, "%d %d", &x, &y);
    skip(2);
    been[y][x] = 1;
    for (int d = 0; d < 4; d++) {
        int u = x + (d == 1) - (d == 3), v = y + (d == 2) - (d == 0);
        if (u >= 0 && v >= 0 && u < 15 && v < 15 && sea[v][u] == '.' && !been[v][u]) {
            sprintf(answer, "MOVE %c TORPEDO", "NESW"[d]);
            return;
        }
    }
    memset(been, 0, sizeof been);
    strcpy(answer, "SURFACE");
}

static int is(const char *word, const char *other) { return strcmp(word, other) == 0; }

int main(int argc, char **argv) {
    char answer[64];
    long long answered_cpu = 0;
    int after = 0, wrong = -1;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (is(argv[i], "after")) after = 1;
        if (is(argv[i], "wrong")) wrong = atoi(argv[i + 1]);
        for (int hog = 0; is(argv[i], "hogs") && hog < atoi(argv[i + 1]); hog++)
            if (fork() == 0)
                for (;;) work(1000000);
        if (is(argv[i], "memory")) memset(malloc((size_t)atoi(argv[i + 1]) << 20), 1, (size_t)atoi(argv[i + 1]) << 20);
    }
    start(answer);
    for (int n = 0;; n++) {
        if (n > 0 || hypersonic) turn(answer);
        long long begun = wall(), begun_cpu = cpu();
        // The first answer has a limit of its own.
        for (int i = 1; n > 0 && i + 1 < argc; i += 2) {
            long long time = atoll(argv[i + 1]) * 1000;
            if (is(argv[i], "sleep")) nap(time);
            if (is(argv[i], "spin")) while (cpu() - begun_cpu < time) {}
            if (is(argv[i], "work")) work(atoll(argv[i + 1]) * 1000000);
            if (is(argv[i], "until")) while (wall() - begun < time) {}
            if (is(argv[i], "mix"))
                while (wall() - begun < time) {
                    nap(3000);
                    long long end = wall() + 1000;
                    while (wall() < end) {}
                }
            if (is(argv[i], "burst"))
                while (wall() - begun < time) {
                    long long end = wall() + 5000;
                    pthread_t other;
                    pthread_create(&other, NULL, helper, &end);
                    helper(&end);
                    pthread_join(other, NULL);
                    nap(5000);
                }
        }
        fprintf(stderr, "%lld %lld %lld\n", wall() - begun, cpu() - begun_cpu, n ? begun_cpu - answered_cpu : 0);
        printf("%s\n", n == wrong ? "nonsense" : answer);
        fflush(stdout);
        answered_cpu = cpu();
        struct pollfd input = {0, POLLIN, 0};
        while (after && poll(&input, 1, 0) == 0) {}
    }
}
