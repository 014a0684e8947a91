// agon-hostile
// game: ocean-of-code
// verdict: crash
// level: any
// about: exits with code 0 before it has read anything
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) { return 0; }
