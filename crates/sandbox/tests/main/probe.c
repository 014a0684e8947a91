// What a boxed program can and cannot do. Each word on the command line is one attempt; what came of it is one line.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static void say(const char *what, long result) {
    if (result < 0)
        printf("%s -%s\n", what, strerrorname_np(errno));
    else
        printf("%s %ld\n", what, result);
    fflush(stdout);
}

static void list_fds(void) {
    for (int fd = 0; fd < 4096; fd++)
        if (fcntl(fd, F_GETFD) >= 0) say("fd", fd);
}

static void list_processes(void) {
    DIR *dir = opendir("/proc");
    long seen = 0, read_from = 0;
    for (struct dirent *e; dir && (e = readdir(dir));) {
        long pid = atol(e->d_name);
        if (pid <= 0) continue;
        seen++;
        char path[64], byte;
        snprintf(path, sizeof path, "/proc/%ld/environ", pid);
        int fd = open(path, O_RDONLY);
        if (fd >= 0 && pid != getpid() && read(fd, &byte, 1) == 1) read_from++;
    }
    say("processes", seen);
    say("environments", read_from);
}

static void try_write(const char *path) {
    char file[4096];
    snprintf(file, sizeof file, "%s/probe.tmp", path);
    int fd = open(file, O_CREAT | O_WRONLY, 0600);
    printf("write ");
    say(path, fd < 0 ? fd : 0);
    if (fd >= 0) unlink(file);
}

// Fills a folder with files of one megabyte; says how many bytes it took.
static void fill(const char *folder) {
    static char block[1 << 20];
    memset(block, 7, sizeof block);
    long total = 0;
    for (int i = 0; i < 4096; i++) {
        char file[4096];
        snprintf(file, sizeof file, "%s/fill.%d", folder, i);
        int fd = open(file, O_CREAT | O_WRONLY, 0600);
        if (fd < 0) break;
        long wrote = write(fd, block, sizeof block);
        if (wrote > 0) total += wrote;
        close(fd);
        if (wrote < (long)sizeof block) break;
    }
    say("filled", total);
}

// Starts processes that only wait, until that fails.
static void fork_until_refused(void) {
    long made = 0;
    for (; made < 5000; made++) {
        pid_t pid = fork();
        if (pid < 0) break;
        if (pid == 0)
            for (;;) pause();
    }
    say("forked", made);
}

static void fork_bomb(void) {
    say("bomb", 0);
    for (;;)
        if (fork() < 0) usleep(100);
}

// A process that nobody is the parent of, with a name of its own.
static void daemon_named(const char *name) {
    if (fork() == 0) {
        setsid();
        setpgid(0, 0);
        if (fork() == 0) {
            signal(SIGTERM, SIG_IGN);
            signal(SIGHUP, SIG_IGN);
            prctl(PR_SET_PDEATHSIG, 0);
            execl("/proc/self/exe", "probe", "sleep", name, NULL);
            execl("/bin/sleep", "sleep", name, NULL);
            _exit(1);
        }
        _exit(0);
    }
    wait(NULL);
    say("daemon", 0);
}

static void use_memory(long mebibytes) {
    long used = 0;
    for (; used < mebibytes; used++) {
        char *p = malloc(1 << 20);
        if (!p) break;
        for (int i = 0; i < 1 << 20; i += 4096) p[i] = (char)(i + used);
    }
    say("memory", used);
}

static void open_many(void) {
    long count = 0;
    while (open("/dev/null", O_RDONLY) >= 0) count++;
    say("opened", count);
}

static long burn(long milliseconds) {
    struct timespec t;
    volatile long x = 0;
    do {
        for (int i = 0; i < 10000; i++) x += i;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    } while (t.tv_sec * 1000 + t.tv_nsec / 1000000 < milliseconds);
    return x != 0;
}

static void calls(void) {
    char unix_name[32] = {0};
    int pair[2];
    say("socket-inet", socket(AF_INET, SOCK_STREAM, 0));
    say("socket-udp", socket(AF_INET, SOCK_DGRAM, 0));
    say("socket-inet6", socket(AF_INET6, SOCK_STREAM, 0));
    say("socket-unix", socket(AF_UNIX, SOCK_STREAM, 0));
    say("socket-netlink", socket(AF_NETLINK, SOCK_RAW, 0));
    say("socket-vsock", socket(40, SOCK_STREAM, 0));
    say("pair-stream", socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0 ? -1 : 0);
    say("pair-datagram", socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) < 0 ? -1 : 0);
    say("keyctl", syscall(SYS_keyctl, 0, -1, 0));
    say("add_key", syscall(SYS_add_key, "user", "x", "y", 1, -3));
    say("flock", flock(0, LOCK_SH));
    struct flock lock = {.l_type = F_RDLCK};
    say("lockf", fcntl(open("/usr/bin/env", O_RDONLY), F_SETLK, &lock));
    say("inotify", inotify_init1(0));
    say("io_uring", syscall(SYS_io_uring_setup, 1, unix_name));
    say("bpf", syscall(SYS_bpf, 0, NULL, 0));
    say("perf", syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0));
    say("userfaultfd", syscall(SYS_userfaultfd, 0));
    say("ptrace", syscall(SYS_ptrace, 0, 0, 0, 0));
    // None of these may do harm where they are allowed.
    say("mount", syscall(SYS_mount, "none", "/no/such/folder", "tmpfs", 0, NULL));
    say("unshare-user", unshare(CLONE_NEWUSER));
    say("unshare-net", unshare(CLONE_NEWNET));
    say("clone-user", syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
    say("clone3", syscall(SYS_clone3, NULL, 0));
    say("chroot", syscall(SYS_chroot, "/no/such/folder"));
    say("setsid", setsid());
    say("setpgid", setpgid(0, 0));
    say("shmget", syscall(SYS_shmget, 0, 4096, 0));
    cpu_set_t all;
    memset(&all, 0xff, sizeof all);
    say("setaffinity", sched_setaffinity(0, sizeof all, &all));
    struct sched_param first = {.sched_priority = 1};
    say("setscheduler", sched_setscheduler(0, SCHED_FIFO, &first));
    say("scheduler", sched_getscheduler(0));
    cpu_set_t now;
    sched_getaffinity(0, sizeof now, &now);
    say("cores", CPU_COUNT(&now));
#ifdef __x86_64__
    // A call of the 32-bit kind: getpid.
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20L) : "memory");
    if (result < 0) errno = (int)-result;
    say("32-bit", result < 0 ? -1 : 0);
#endif
}

int main(int count, char **words) {
    for (int i = 1; i < count; i++) {
        const char *word = words[i], *next = i + 1 < count ? words[i + 1] : "";
        if (!strcmp(word, "env"))
            for (char **e = environ; *e; e++) printf("env %s\n", *e);
        else if (!strcmp(word, "fds")) list_fds();
        else if (!strcmp(word, "processes")) list_processes();
        else if (!strcmp(word, "calls")) calls();
        else if (!strcmp(word, "uid")) say("uid", getuid());
        else if (!strcmp(word, "bomb")) fork_bomb();
        else if (!strcmp(word, "forks")) fork_until_refused();
        else if (!strcmp(word, "files")) open_many();
        else if (!strcmp(word, "write")) try_write(next), i++;
        else if (!strcmp(word, "fill")) fill(next), i++;
        else if (!strcmp(word, "daemon")) daemon_named(next), i++;
        else if (!strcmp(word, "memory")) use_memory(atol(next)), i++;
        else if (!strcmp(word, "burn")) burn(atol(next)), say("burnt", 0), i++;
        else if (!strcmp(word, "kill")) say("kill", kill(atoi(next), 0)), i++;
        else if (!strcmp(word, "raise")) raise(atoi(next)), i++;
        else if (!strcmp(word, "abort")) abort();
        else if (!strcmp(word, "crash")) *(volatile int *)8 = 1;
        else if (!strcmp(word, "exit")) exit(atoi(next));
        else if (!strcmp(word, "sleep")) for (;;) pause();
        else if (!strcmp(word, "count")) for (long n = 0;; n++) printf("%ld\n", n), fflush(stdout), usleep(1000);
        else if (!strcmp(word, "large")) {
            // More than a file may hold.
            signal(SIGXFSZ, SIG_IGN);
            int fd = open(next, O_CREAT | O_WRONLY, 0600);
            say("large", fd < 0 ? fd : ftruncate(fd, atol(words[i + 2])));
            i += 2;
        } else if (!strcmp(word, "read")) {
            int fd = open(next, O_RDONLY);
            char byte;
            printf("read ");
            say(next, fd < 0 ? fd : read(fd, &byte, 1));
            i++;
        } else if (!strcmp(word, "chmod")) {
            say("chmod", chmod(next, 0777));
            i++;
        }
    }
    return 0;
}
