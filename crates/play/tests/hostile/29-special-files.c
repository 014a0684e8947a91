// agon-hostile
// game: ocean-of-code
// verdict: fine
// level: B
// about: makes devices, pipes with names, files of the host under a second name, setuid copies
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
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
    char first[16];
    mkfifo("/tmp/pipe", 0666);
    if (mknod("/tmp/disk", S_IFBLK | 0666, makedev(254, 0)) == 0 || mknod("/tmp/disk", S_IFBLK | 0666, makedev(8, 0)) == 0)
        breach("made a block device");
    if (mknod("/tmp/memory", S_IFCHR | 0666, makedev(1, 1)) == 0) breach("made a character device");
    if (link("/etc/passwd", "/tmp/passwd") == 0) breach("gave a file of the host a second name"), unlink("/tmp/passwd");
    int copy = open("/tmp/program", O_CREAT | O_WRONLY, 0755);
    if (copy >= 0 && fchmod(copy, 06755) == 0 && geteuid() == 0 && getuid() != 0) breach("a setuid copy");
    static const char *devices[] = {"/dev/vda", "/dev/sda", "/dev/nvme0n1", "/dev/mem", "/dev/kmsg", "/dev/loop-control",
                                    "/dev/fuse", "/dev/kvm", "/dev/vsock", "/dev/net/tun", "/dev/uinput"};
    for (int i = 0; i < sizeof devices / sizeof *devices; i++)
        if (open(devices[i], O_RDWR | O_NONBLOCK) >= 0 || open(devices[i], O_RDONLY | O_NONBLOCK) >= 0)
            fprintf(stderr, "BREACH opened %s\n", devices[i]);
}

int main(void) {
    char answer[64];
    if (!start(answer)) return 0;
    if (in_own_namespace()) attack();
    say(answer);
    while (turn(answer)) say(answer);
    return 0;
}
