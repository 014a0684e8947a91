// agon-hostile
// game: ocean-of-code
// verdict: fine
// level: B
// about: opens sockets of every family: local, abstract, virtual machines, kernel, raw
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
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
    // INET, INET6, NETLINK, PACKET, KEY, BLUETOOTH, CAN, TIPC, ALG, NFC, VSOCK, QIPCRTR, SMC, XDP
    static const int families[] = {2, 10, 16, 17, 15, 31, 29, 30, 38, 39, 40, 42, 43, 44};
    static const int kinds[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW, SOCK_SEQPACKET};
    for (int f = 0; f < sizeof families / sizeof *families; f++)
        for (int k = 0; k < 4; k++)
            if (socket(families[f], kinds[k], 0) >= 0) {
                fprintf(stderr, "BREACH a socket of family %d\n", families[f]);
                break;
            }
    struct sockaddr_un abstract = {.sun_family = AF_UNIX, .sun_path = "\0agon-abstract"};
    int local = socket(AF_UNIX, SOCK_DGRAM, 0);
    if (local >= 0 && bind(local, (struct sockaddr *)&abstract, sizeof(sa_family_t) + 14) == 0)
        breach("an abstract local socket");
    static const char *servers[] = {"/run/docker.sock", "/run/dbus/system_bus_socket", "/dev/log", "/run/postgresql/.s.PGSQL.5432"};
    for (int i = 0; i < 4; i++) {
        struct sockaddr_un server = {.sun_family = AF_UNIX};
        strcpy(server.sun_path, servers[i]);
        for (int k = 0; k < 2; k++) {
            int fd = socket(AF_UNIX, kinds[k], 0);
            if (fd >= 0 && connect(fd, (struct sockaddr *)&server, sizeof server) == 0)
                fprintf(stderr, "BREACH connected to %s\n", servers[i]);
        }
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
