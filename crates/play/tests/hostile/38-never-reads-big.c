// agon-hostile
// game: back-track
// verdict: fine,timeout
// level: any
// about: never reads, until the questions do not fit in the pipe any more, and answers every 5 ms
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    for (;;) {
        if (write(1, "WAIT\n", 5) != 5) return 0;
        usleep(5000);
    }
}
