// agon-hostile
// game: ocean-of-code
// verdict: timeout
// level: any
// about: neither reads nor answers
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    for (;;) pause();
}
