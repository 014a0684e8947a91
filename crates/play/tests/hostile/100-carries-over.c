// agon-hostile
// game: ocean-of-code
// verdict: fine
// level: B
// about: leaves marks in everything that a box could keep between two matches, and looks for those of an earlier match
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
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

enum { KEY = 0x41474f4e, CHILDREN = 8 };

static void mark_file(const char *path) {
    int file = open(path, O_CREAT | O_EXCL | O_WRONLY, 0666);
    if (file < 0 && errno == EEXIST) fprintf(stderr, "BREACH the mark %s is still there\n", path);
    if (file >= 0) write(file, "mark", 4), fsync(file), close(file);
}

// A folder that is writable must be empty and new: the numbers of its files begin again, and no time is from before.
static void look_at_folder(const char *path) {
    struct stat folder, file;
    char name[300];
    DIR *entries = opendir(path);
    for (struct dirent *entry; entries && (entry = readdir(entries));)
        if (entry->d_name[0] != '.' && strcmp(entry->d_name, "hsperfdata_bot")) {
            sprintf(name, "%s/%s", path, entry->d_name);
            // A part of the program's own files may be shown there.
            if (!lstat(name, &file) && !S_ISDIR(file.st_mode))
                fprintf(stderr, "BREACH %s is in %s\n", entry->d_name, path);
        }
    if (entries) closedir(entries);
    sprintf(name, "%s/number", path);
    int made = open(name, O_CREAT | O_EXCL | O_WRONLY, 0666);
    if (made < 0) return;
    if (!fstat(made, &file) && file.st_ino > 64) fprintf(stderr, "BREACH %s counts its files on\n", path);
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (!stat(path, &folder) && now.tv_sec - folder.st_ctim.tv_sec > 20) fprintf(stderr, "BREACH %s is old\n", path);
    close(made);
}

static int lines_of(const char *path) {
    FILE *file = fopen(path, "r");
    int lines = 0;
    for (int c; file && (c = getc(file)) != EOF;) lines += c == '\n';
    if (file) fclose(file);
    return lines;
}

static void look(void) {
    look_at_folder("/tmp");
    look_at_folder("/dev/shm");
    if (getpid() != 2 || getppid() != 1) breach("the numbers of processes go on");
    for (int pid = 3; pid < 400; pid++)
        if (!kill(pid, 0)) fprintf(stderr, "BREACH process %d is still there\n", pid);
    for (int fd = 3; fd < 1024; fd++)
        if (fcntl(fd, F_GETFD) >= 0) fprintf(stderr, "BREACH descriptor %d is open\n", fd);
    if (lines_of("/proc/net/unix") > 1) breach("a socket is still there");
    if (lines_of("/proc/sysvipc/shm") > 1 || lines_of("/proc/sysvipc/sem") > 1 || lines_of("/proc/sysvipc/msg") > 1)
        breach("an object of System V is still there");
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur < 32) breach("a limit was kept");
    if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur == 3 << 20) breach("the limit of the stack was kept");
    errno = 0;
    if (getpriority(PRIO_PROCESS, 0) > 5) breach("the priority was kept");
    mode_t mask = umask(0);
    if (mask == 0777) breach("the mask of file modes was kept");
    umask(mask);
    char name[16] = "", folder[4096] = "";
    prctl(PR_GET_NAME, name);
    if (!strcmp(name, "mark")) breach("the name of a process was kept");
    if (!getcwd(folder, sizeof folder) || !strcmp(folder, "/dev/shm/mark")) breach("the folder was kept");
    sigset_t blocked;
    sigprocmask(SIG_SETMASK, NULL, &blocked);
    if (sigismember(&blocked, SIGUSR1)) breach("the mask of signals was kept");
    struct itimerval timer = {{0}};
    if (!getitimer(ITIMER_REAL, &timer) && timer.it_value.tv_sec) breach("a timer was kept");
    if (getenv("MARK")) breach("the environment was kept");
    char host[64] = "";
    gethostname(host, sizeof host);
    if (!strcmp(host, "mark")) breach("the name of the host was kept");
    if (syscall(SYS_keyctl, 10, -4, "user", "agon-mark", 0) >= 0) breach("a key is still there");
    if (shmget(KEY, 0, 0) >= 0 || msgget(KEY, 0) >= 0 || semget(KEY, 0, 0) >= 0) breach("System V keeps a mark");
    if (syscall(SYS_mq_open, "agon-mark", O_RDONLY, 0, NULL) >= 0) breach("a queue with a name is still there");
    struct sockaddr_un address = {AF_UNIX, "\0agon-mark"};
    int to = socket(AF_UNIX, SOCK_STREAM, 0);
    if (to >= 0 && !connect(to, (void *)&address, sizeof address)) breach("an abstract socket is still there");
}

// Sockets that hold each other: nothing but the collector of the kernel can free them.
static void socket_circle(void) {
    for (int i = 0; i < 4; i++) {
        int pair[2];
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) return;
        union {
            struct cmsghdr head;
            char space[CMSG_SPACE(2 * sizeof(int))];
        } control = {0};
        char byte = 0;
        struct iovec data = {&byte, 1};
        struct msghdr message = {0, 0, &data, 1, &control, sizeof control, 0};
        control.head = (struct cmsghdr){CMSG_LEN(2 * sizeof(int)), SOL_SOCKET, SCM_RIGHTS};
        memcpy(CMSG_DATA(&control.head), pair, sizeof pair);
        sendmsg(pair[0], &message, 0);
        sendmsg(pair[1], &message, 0);
        close(pair[0]), close(pair[1]);
    }
}

static void leave_marks(void) {
    mark_file("/tmp/agon-mark"), mark_file("/dev/shm/agon-mark"), mark_file("/var/tmp/agon-mark");
    mark_file("/run/agon-mark"), mark_file("./agon-mark"), mark_file("/proc/agon-mark"), mark_file("/dev/agon-mark");
    mkdir("/dev/shm/mark", 0777), symlink("/etc/passwd", "/tmp/link"), mkfifo("/tmp/fifo", 0666);
    for (int i = 0; i < 200; i++) {
        char name[64];
        sprintf(name, "/tmp/many-%d", i);
        close(open(name, O_CREAT | O_WRONLY, 0666));
    }
    shmget(KEY, 4096, IPC_CREAT | 0666), msgget(KEY, IPC_CREAT | 0666), semget(KEY, 1, IPC_CREAT | 0666);
    syscall(SYS_mq_open, "agon-mark", O_CREAT | O_RDWR, 0666, NULL);
    syscall(SYS_add_key, "user", "agon-mark", "x", 1, -4), syscall(SYS_keyctl, 1, "agon-mark");
    struct sockaddr_un address = {AF_UNIX, "\0agon-mark"};
    int from = socket(AF_UNIX, SOCK_STREAM, 0);
    if (from >= 0 && !bind(from, (void *)&address, sizeof address)) listen(from, 5);
    socket_circle();
    mount("none", "/tmp", "tmpfs", 0, NULL), mount("/tmp", "/dev", NULL, MS_BIND, NULL), umount2("/tmp", MNT_DETACH);
    mount(NULL, "/", NULL, MS_REMOUNT, NULL), syscall(SYS_pivot_root, "/tmp", "/tmp"), chroot("/tmp");
    unshare(CLONE_NEWNS), unshare(CLONE_NEWUSER), sethostname("mark", 4);
    int watch = inotify_init1(0);
    inotify_add_watch(watch, "/tmp", IN_ALL_EVENTS);
    int memory = memfd_create("mark", 0);
    if (memory >= 0) ftruncate(memory, 1 << 20), mmap(NULL, 1 << 20, PROT_WRITE, MAP_SHARED | MAP_POPULATE, memory, 0);
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGURG};
    struct itimerspec soon = {{0, 1000000}, {0, 1000000}};
    timer_t timer;
    if (!timer_create(CLOCK_MONOTONIC, &event, &timer)) timer_settime(timer, 0, &soon, NULL);
    struct itimerval later = {{0}, {1000, 0}};
    setitimer(ITIMER_REAL, &later, NULL);
    struct rlimit low = {20, 20}, small = {3 << 20, 3 << 20};
    setrlimit(RLIMIT_NOFILE, &low), setrlimit(RLIMIT_STACK, &small);
    setpriority(PRIO_PROCESS, 0, 10), setenv("MARK", "mark", 1), prctl(PR_SET_NAME, "mark"), umask(0777);
    // The parent, and every other process that could be there.
    for (int pid = 1; pid < 400; pid++)
        if (pid != getpid()) kill(pid, SIGSTOP), kill(pid, SIGTERM);
    for (int i = 0; i < CHILDREN; i++)
        if (!fork()) {
            // Twice, so that it has no parent but the first process.
            if (fork()) _exit(0);
            chdir("/dev/shm/mark"), setsid(), prctl(PR_SET_PDEATHSIG, 0);
            for (int s = 1; s < 65; s++) signal(s, SIG_IGN);
            close(0);
            for (;;) close(open("/dev/shm/child", O_CREAT | O_WRONLY, 0666)), usleep(10000);
        }
    while (waitpid(-1, NULL, WNOHANG) > 0) {}
}

int main(void) {
    char answer[64];
    if (!start(answer)) return 0;
    if (in_own_namespace()) look(), leave_marks();
    say(answer);
    while (turn(answer)) say(answer);
    return 0;
}
