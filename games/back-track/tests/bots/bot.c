/* Back Track: joins towns that want each other, the nearest first, and washes away where the foe has more tracks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct wish { int from, to, length, tries; char name[16]; };

static char line[65536], links[64][512];
static int region[600], town_at[64], town_x[64], town_y[64];
static struct wish wishes[64 * 64];

static char *next(void) {
    if (!fgets(line, sizeof line, stdin)) exit(0);
    return line;
}

static int by_length(const void *a, const void *b) {
    const struct wish *u = a, *v = b;
    if (u->length != v->length) return u->length - v->length;
    return u->from != v->from ? u->from - v->from : u->to - v->to;
}

int main(void) {
    int me = atoi(next()), w = atoi(next()), h = atoi(next()), count = 0;
    for (int i = 0; i < w * h && i < 600; i++) region[i] = atoi(next());
    int towns = atoi(next());
    for (int i = 0; i < towns && i < 64; i++) {
        sscanf(next(), "%*d %d %d %511s", &town_x[i], &town_y[i], links[i]);
        town_at[i] = town_y[i] * w + town_x[i];
    }
    for (int i = 0; i < towns; i++)
        for (char *to = strtok(links[i], ","); to && *to != 'x'; to = strtok(NULL, ",")) {
            struct wish *wish = &wishes[count++];
            wish->from = i, wish->to = atoi(to);
            wish->length = abs(town_x[i] - town_x[wish->to]) + abs(town_y[i] - town_y[wish->to]);
            sprintf(wish->name, ",%d-%d,", i, wish->to);
        }
    qsort(wishes, count, sizeof *wishes, by_length);
    for (int turn = 0;; turn++) {
        int more[600] = {0}, worst = -1; /* tracks the foe has more than we, by region */
        next(), next();
        for (int i = 0; i < w * h; i++) {
            int owner = atoi(next());
            if (owner == 0 || owner == 1) more[region[i]] += owner == me ? -1 : 1;
            for (int t = 0; t < towns; t++) /* the connections of a town are on the line of its cell */
                if (town_at[t] == i) {
                    line[strcspn(line, "\r\n")] = 0;
                    snprintf(links[t], sizeof links[t], ",%s,", strrchr(line, ' ') + 1);
                }
        }
        char answer[128] = "";
        for (struct wish *wish = wishes; wish < wishes + count; wish++) {
            if (wish->tries >= 15 || strstr(links[wish->from], wish->name)) continue;
            wish->tries++;
            int a = me ? wish->to : wish->from, b = me ? wish->from : wish->to; /* the two players meet half way */
            sprintf(answer, "AUTOPLACE %d %d %d %d", town_x[a], town_y[a], town_x[b], town_y[b]);
            break;
        }
        for (int r = 0; turn % 2 && r < 600; r++)
            if (more[r] > 0 && (worst < 0 || more[r] > more[worst])) worst = r;
        if (worst >= 0) sprintf(answer + strlen(answer), "%sDISRUPT %d", *answer ? ";" : "", worst);
        puts(*answer ? answer : "WAIT");
        fflush(stdout);
    }
}
