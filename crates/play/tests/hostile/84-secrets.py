# agon-hostile
# game: ocean-of-code
# verdict: fine
# level: B
# about: reads what only the host's owner may read: passwords, keys, disks, memory of the kernel
import glob
import os
import sys


def answers():
    """A small legal player of Ocean of Code: the first water cell, then any free neighbour, else up."""
    read = sys.stdin.buffer.readline
    read()
    sea = [read().decode() for _ in range(15)]
    cells = [(x, y) for y in range(15) for x in range(15) if sea[y][x : x + 1] == "."]
    if not cells:
        return
    yield "%d %d" % cells[0]
    been = set()
    while True:
        state, _, heard = read().split(), read(), read()
        if not heard:
            return
        x, y = int(state[0]), int(state[1])
        been.add((x, y))
        for name, u, v in ("N", x, y - 1), ("E", x + 1, y), ("S", x, y + 1), ("W", x - 1, y):
            if (u, v) in cells and (u, v) not in been:
                yield f"MOVE {name} TORPEDO"
                break
        else:
            been.clear()
            yield "SURFACE"


def say(answer):
    sys.stdout.buffer.write(answer if isinstance(answer, bytes) else answer.encode() + b"\n")
    sys.stdout.buffer.flush()


def in_own_namespace():
    """There a program has a small number. Elsewhere nothing is tried: the host is spared."""
    if os.getpid() >= 100:
        print("BREACH no namespace of processes of its own", file=sys.stderr)
    return os.getpid() < 100


PATHS = """
/etc/shadow /etc/gshadow /etc/sudoers /etc/ssh/ssh_host_*_key /etc/ssl/private/*
/root/.ssh/* /root/.bash_history /root/.netrc /root/.gitconfig /root/.git-credentials /root/.npmrc /root/.pypirc
/root/.cargo/credentials* /root/.aws/* /root/.config/*/* /root/.docker/* /root/.kube/*
/home/*/.ssh/* /home/*/.bash_history /home/*/.netrc /home/*/.gitconfig /home/*/.git-credentials /home/*/.aws/*
/proc/kcore /proc/kmsg /proc/vmcore /dev/mem /dev/kmem /dev/port /dev/vda /dev/sda /dev/nvme0n1 /dev/kmsg
/run/docker.sock /var/run/docker.sock /run/secrets/* /var/lib/docker /var/lib/postgresql/*
/sys/kernel/debug/* /sys/firmware/efi/efivars/* /sys/kernel/security/* /var/spool/cron/crontabs/*
"""


def attack():
    for pattern in PATHS.split():
        for path in glob.glob(pattern)[:20]:
            try:
                fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
                if os.path.isfile(path) and not os.read(fd, 1):
                    continue
                print(f"BREACH read {path}", file=sys.stderr)
            except OSError:
                pass


for n, answer in enumerate(answers()):
    if n == 0 and in_own_namespace():
        attack()
    say(answer)
