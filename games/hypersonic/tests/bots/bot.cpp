// Hypersonic: bombs boxes it stands beside when there is a way out, and never waits in the reach of a bomb.
#include <deque>
#include <functional>
#include <iostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

int main() {
    std::ios::sync_with_stdio(false);
    int w, h, me;
    if (!(std::cin >> w >> h >> me)) return 0;
    const int wide = w + 2, steps[] = {-1, 1, -wide, wide};
    // The grid with a frame of wall around it, row after row.
    std::string grid, row;
    std::set<int> bombs, hot;
    auto blast = [&](int cell, int range) {
        hot.insert(cell);
        for (int s : steps)
            for (int i = 1, n = cell + s; i < range && grid[n] == '.'; i++, n += s) hot.insert(n);
    };
    auto safe = [&](int cell) { return !hot.count(cell); };
    auto beside_box = [&](int cell) {
        for (int s : steps)
            if (grid[cell + s] >= '0' && grid[cell + s] <= '2') return true;
        return false;
    };
    for (;;) {
        grid.assign(wide * (h + 2), 'X');
        for (int y = 1; y <= h && std::cin >> row; y++) grid.replace(y * wide + 1, row.size(), row);
        bombs.clear(), hot.clear();
        int count, here = 0, left = 0, range = 0, kind, owner, x, y, a, b;
        if (!(std::cin >> count)) return 0;
        std::vector<std::pair<int, int>> laid;
        while (count-- > 0 && std::cin >> kind >> owner >> x >> y >> a >> b) {
            int cell = (y + 1) * wide + x + 1;
            if (kind == 0 && owner == me) here = cell, left = a, range = b;
            if (kind == 1) bombs.insert(cell), laid.emplace_back(cell, b);
        }
        for (auto [cell, reach] : laid) blast(cell, reach);
        // The first step to the nearest goal; -1 if there is none.
        auto find = [&](bool over_hot, const std::function<bool(int)> &goal) {
            std::vector<int> first(grid.size(), 0);
            std::deque<int> queue{here};
            for (first[here] = -1; !queue.empty(); queue.pop_front()) {
                int cell = queue.front();
                if (cell != here && goal(cell)) return first[cell];
                for (int s : steps) {
                    int n = cell + s;
                    if (grid[n] != '.' || bombs.count(n) || first[n] || !(over_hot || safe(n))) continue;
                    first[n] = cell == here ? n : first[cell];
                    queue.push_back(n);
                }
            }
            return -1;
        };
        int to = -1;
        bool lay = safe(here) && left > 0 && beside_box(here), seek = safe(here) && left > 0 && !lay;
        if (lay) blast(here, range);
        if (!safe(here)) to = find(true, safe);
        if (seek) to = find(false, beside_box);
        std::cout << (lay && to >= 0 ? "BOMB " : "MOVE ");
        if (to < 0) to = here;
        std::cout << to % wide - 1 << ' ' << to / wide - 1 << std::endl;
    }
}
