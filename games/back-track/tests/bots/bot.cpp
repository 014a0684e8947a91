// Back Track: joins towns that want each other, the nearest first, and washes away where the foe has more tracks.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

struct Town {
    int x, y;
};

struct Wish {
    int length, from, to, tries;
    bool operator<(const Wish &other) const {
        return std::tie(length, from, to) < std::tie(other.length, other.from, other.to);
    }
};

int main() {
    std::ios::sync_with_stdio(false);
    int me, w, h, count, terrain;
    if (!(std::cin >> me >> w >> h)) return 0;
    std::vector<int> region(w * h);
    for (int &id : region) std::cin >> id >> terrain;
    if (!(std::cin >> count)) return 0;
    std::vector<Town> towns(count);
    std::vector<std::string> wanted(count);
    for (int i = 0, id; i < count; i++) std::cin >> id >> towns[i].x >> towns[i].y >> wanted[i];
    std::vector<Wish> wishes;
    for (int i = 0; i < count; i++) {
        std::istringstream list(wanted[i]);
        for (std::string word; std::getline(list, word, ',') && word != "x";) {
            int j = std::stoi(word);
            int length = std::abs(towns[i].x - towns[j].x) + std::abs(towns[i].y - towns[j].y);
            wishes.push_back({length, i, j, 0});
        }
    }
    std::sort(wishes.begin(), wishes.end());
    const int regions = *std::max_element(region.begin(), region.end()) + 1;
    for (int turn = 0;; turn++) {
        std::vector<int> more(regions);  // tracks the foe has more than we, by region
        std::vector<std::string> links(w * h);
        int mine, theirs, owner, instability, inked;
        if (!(std::cin >> mine >> theirs)) return 0;
        for (int i = 0; i < w * h; i++) {
            if (!(std::cin >> owner >> instability >> inked >> links[i])) return 0;
            if (owner == 0 || owner == 1) more[region[i]] += owner == me ? -1 : 1;
        }
        std::ostringstream answer;
        for (Wish &wish : wishes) {
            const Town a = towns[wish.from], b = towns[wish.to];
            // The connections of a town are on the line of its cell.
            std::string name = "," + std::to_string(wish.from) + "-" + std::to_string(wish.to) + ",";
            if (wish.tries >= 15 || ("," + links[a.y * w + a.x] + ",").find(name) != std::string::npos) continue;
            wish.tries++;
            const Town start = me ? b : a, end = me ? a : b;  // the two players meet half way
            answer << "AUTOPLACE " << start.x << ' ' << start.y << ' ' << end.x << ' ' << end.y;
            break;
        }
        auto worst = std::max_element(more.begin(), more.end());
        if (turn % 2 && *worst > 0) answer << (answer.str().empty() ? "" : ";") << "DISRUPT " << worst - more.begin();
        std::cout << (answer.str().empty() ? "WAIT" : answer.str()) << std::endl;
    }
}
