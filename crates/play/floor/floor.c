/* The floor under a match between two programs: what it costs to start both, exchange the lines and reap them, without any
 * rules, clocks or checks. What a runner needs beyond this is its own.
 *
 *     gcc -O2 -o floor floor.c
 *     ./floor [-n MATCHES] [-c CORE] [-b CORE,CORE] [-k] EXCHANGE PROGRAM PROGRAM
 *
 *     -n MATCHES     how many times the match is played (200)
 *     -c CORE        this program and the two others run on this core
 *     -b CORE,CORE   the two others run on these cores instead
 *     -k             the two are killed at the end; otherwise their input ends and they exit by themselves
 *
 * EXCHANGE holds a match as text. A line `>0 N` or `>1 N` says that N lines follow, which are written to the first or the
 * second program at once; one line is then read back from it. What that line says does not matter.
 *
 *     >0 16
 *     15 15 0
 *     ...............
 *     (14 more rows)
 *     >1 16
 *     ...
 *     >0 3
 *     0 0 6 6 3 4 6 3
 *     NA
 *     NA
 *
 * It prints one line: `matches/s`, `us/turn` (exchange alone), `us/start` (both programs), `us/reap` (both), turns per match.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct exchange {
    int player;
    char *text;
    size_t length;
};

struct program {
    pid_t pid;
    int in, out;
};

static struct exchange *exchanges;
static int turns;

static void die(const char *what) {
    fprintf(stderr, "floor: %s: %s\n", what, errno ? strerror(errno) : "not as expected");
    exit(2);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void load(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) die(path);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *all = malloc(size + 1), *at = all;
    if (!all || fread(all, 1, size, file) != (size_t)size) die(path);
    all[size] = 0;
    fclose(file);
    while (*at) {
        int player, lines, header;
        errno = 0;
        if (sscanf(at, ">%d %d%n", &player, &lines, &header) != 2 || (player & ~1) || at[header] != '\n') die(path);
        at += header + 1;
        char *text = at;
        for (; lines > 0; lines--) {
            at = strchr(at, '\n');
            if (!at++) die(path);
        }
        exchanges = realloc(exchanges, (turns + 1) * sizeof *exchanges);
        exchanges[turns++] = (struct exchange){player, text, at - text};
    }
}

static void pin(int core) {
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(core, &only);
    if (sched_setaffinity(0, sizeof only, &only)) die("sched_setaffinity");
}

static struct program start(char *path, int core) {
    int in[2], out[2];
    char *argv[] = {path, NULL}, *environment[] = {NULL};
    if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC)) die("pipe2");
    pid_t pid = vfork();
    if (pid < 0) die("vfork");
    if (pid == 0) {
        if (core >= 0) pin(core);
        if (dup2(in[0], 0) < 0 || dup2(out[1], 1) < 0) _exit(126);
        execve(path, argv, environment);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    return (struct program){pid, in[1], out[0]};
}

static void ask(const struct program *program, const struct exchange *exchange) {
    char line[4096];
    for (size_t at = 0; at < exchange->length;) {
        ssize_t written = write(program->in, exchange->text + at, exchange->length - at);
        if (written < 0) die("write");
        at += written;
    }
    for (;;) {
        ssize_t got = read(program->out, line, sizeof line);
        errno = 0;
        if (got <= 0) die("a program ended before the match did");
        if (line[got - 1] == '\n') return;
    }
}

static void reap(const struct program *program, int by_force) {
    int status;
    close(program->in);
    if (by_force) kill(program->pid, SIGKILL);
    if (waitpid(program->pid, &status, 0) < 0) die("waitpid");
    close(program->out);
}

int main(int argc, char **argv) {
    int matches = 200, core = -1, bots[2] = {-1, -1}, by_force = 0, option;
    while ((option = getopt(argc, argv, "n:c:b:k")) != -1) {
        if (option == 'n') matches = atoi(optarg);
        else if (option == 'c') core = atoi(optarg);
        else if (option == 'b' && sscanf(optarg, "%d,%d", &bots[0], &bots[1]) == 2) continue;
        else if (option == 'k') by_force = 1;
        else optind = argc;
    }
    if (argc - optind != 3 || matches < 1) {
        fprintf(stderr, "usage: %s [-n MATCHES] [-c CORE] [-b CORE,CORE] [-k] EXCHANGE PROGRAM PROGRAM\n", argv[0]);
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    load(argv[optind]);
    if (core >= 0) pin(core);
    double starting = 0, playing = 0, reaping = 0, begun = now();
    for (int n = 0; n < matches; n++) {
        double a = now();
        struct program programs[2];
        for (int i = 0; i < 2; i++) programs[i] = start(argv[optind + 1 + i], bots[i]);
        double b = now();
        for (int i = 0; i < turns; i++) ask(&programs[exchanges[i].player], &exchanges[i]);
        double c = now();
        for (int i = 0; i < 2; i++) reap(&programs[i], by_force);
        double d = now();
        starting += b - a, playing += c - b, reaping += d - c;
    }
    double all = now() - begun;
    printf("%.1f matches/s  %.2f us/turn  %.0f us/start  %.0f us/reap  %d turns\n", matches / all,
           playing * 1e6 / matches / (turns ? turns : 1), starting * 1e6 / matches, reaping * 1e6 / matches, turns);
    return 0;
}
