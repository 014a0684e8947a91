// agon-hostile
// game: hypersonic
// verdict: fine
// level: any
// about: never reads and answers every 2 ms, whether it is asked or not
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    for (;;) {
        if (write(1, "MOVE 0 0\n", 9) != 9) return 0;
        usleep(2000);
    }
}
