// Ocean of Code: keeps to narrow water, charges torpedoes and fires them three cells ahead.
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

int main() {
    std::ios::sync_with_stdio(false);
    int w, h, me;
    if (!(std::cin >> w >> h >> me)) return 0;
    const int wide = w + 2;
    const int step[] = {-wide, 1, wide, -1}, dx[] = {0, 1, 0, -1}, dy[] = {-1, 0, 1, 0};
    // The sea with a frame of land around it, row after row.
    std::vector<bool> water(wide * (h + 2)), been(water.size());
    for (int y = 0; y < h; y++) {
        std::string row;
        std::cin >> row;
        for (int x = 0; x < w && x < int(row.size()); x++) water[(y + 1) * wide + x + 1] = row[x] == '.';
    }
    for (int i = 0; i < w * h; i++) {
        int at = (i + me * (w * h / 2)) % (w * h);
        if (water[(at / w + 1) * wide + at % w + 1]) {
            std::cout << at % w << ' ' << at / w << std::endl;
            break;
        }
    }
    auto open = [&](int cell) { return water[cell] && !been[cell]; };
    for (int turn = 0;; turn++) {
        int x, y, life, other, torpedo, sonar, silence, mine;
        std::string result, heard;
        if (!(std::cin >> x >> y >> life >> other >> torpedo >> sonar >> silence >> mine >> result)) return 0;
        if (!std::getline(std::cin >> std::ws, heard)) return 0;
        const int here = (y + 1) * wide + x + 1;
        been[here] = true;
        int best = -1, least = 9;
        for (int d = 0; d < 4; d++) {
            int n = here + step[d], exits = 0;
            if (!open(n)) continue;
            for (int s : step) exits += open(n + s);
            if (exits == 0) exits = 8;  // a dead end, only if there is nothing else
            if (exits < least) best = d, least = exits;
        }
        std::ostringstream answer;
        for (int k = 0; torpedo == 0 && k < 4; k++) {
            int d = (turn + k) % 4, s = step[d];
            if (!water[here + s] || !water[here + 2 * s] || !water[here + 3 * s]) continue;
            answer << "TORPEDO " << x + 3 * dx[d] << ' ' << y + 3 * dy[d] << '|';
            break;
        }
        if (best < 0) {
            been.assign(been.size(), false);
            answer << "SURFACE";
        } else {
            answer << "MOVE " << "NESW"[best] << " TORPEDO";
        }
        std::cout << answer.str() << std::endl;
    }
}
