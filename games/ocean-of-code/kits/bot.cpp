// Ocean of Code: a starter bot.
//
// It stays in the larger part of the sea, keeps a list of the cells the enemy may be in, and fires where that list is dense.
// The whole game in three steps: read (what the statement calls the protocol), decide (your ideas go there), print one line.
//
// Time: 1000 ms for the first answer, the start of the program included, and 50 ms for every other one.
// Your answers go to the standard output; for debugging, write to std::cerr, the standard error output.

#include <cstdlib>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

struct Cell {
    int x, y;
    auto operator<=>(const Cell&) const = default;
};

const std::string DIRECTIONS = "NESW";
const int TORPEDO_RANGE = 4;
const int SILENCE_STEPS = 4;
const int ANYWHERE = 1000;    // More steps than there are.
const double FIRE_AT = 0.5;   // Fire when the damage to expect is at least this.

Cell step(Cell cell, char direction) {
    switch (direction) {
        case 'N': return {cell.x, cell.y - 1};
        case 'E': return {cell.x + 1, cell.y};
        case 'S': return {cell.x, cell.y + 1};
        default: return {cell.x - 1, cell.y};
    }
}

// 1 to 9, row by row.
int sector(Cell cell) { return cell.x / 5 + cell.y / 5 * 3 + 1; }

// ---- Reading ----

// The map: it never changes.
struct Sea {
    int width, height, my_id;
    std::vector<std::string> rows;

    bool is_water(Cell cell) const {
        return cell.x >= 0 && cell.x < width && cell.y >= 0 && cell.y < height && rows[cell.y][cell.x] == '.';
    }

    std::vector<Cell> cells() const {
        std::vector<Cell> all;
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                if (is_water({x, y})) all.push_back({x, y});
        return all;
    }
};

// What you are told before each answer. A cooldown counts the charges that are missing: 0 is ready, -1 is not in this league.
struct Turn {
    Cell cell;
    int my_life, opp_life;
    int torpedo_cooldown, sonar_cooldown, silence_cooldown, mine_cooldown;
    std::string sonar_result;             // Y or N after your own SONAR, else NA.
    std::vector<std::string> opp_orders;  // What the enemy did, as far as it can be heard: "MOVE N", "TORPEDO 3 5".
};

std::string read_line() {
    std::string line;
    if (!std::getline(std::cin, line)) std::exit(0);  // The input has ended: the game is over.
    return line;
}

Sea read_sea() {
    Sea sea;
    std::istringstream(read_line()) >> sea.width >> sea.height >> sea.my_id;
    for (int y = 0; y < sea.height; y++) sea.rows.push_back(read_line());
    return sea;
}

Turn read_turn() {
    Turn turn;
    std::istringstream(read_line()) >> turn.cell.x >> turn.cell.y >> turn.my_life >> turn.opp_life >>
        turn.torpedo_cooldown >> turn.sonar_cooldown >> turn.silence_cooldown >> turn.mine_cooldown;
    turn.sonar_result = read_line();
    std::string heard = read_line();
    std::istringstream pieces(heard);
    for (std::string order; heard != "NA" && std::getline(pieces, order, '|');) turn.opp_orders.push_back(order);
    return turn;
}

// ---- Thinking ----

// Steps from `start` to each water cell that can be reached in `limit` steps without entering a blocked one.
std::map<Cell, int> distances(const Sea& sea, Cell start, const std::set<Cell>& blocked, int limit) {
    std::map<Cell, int> found = {{start, 0}};
    std::vector<Cell> queue = {start};
    for (size_t i = 0; i < queue.size(); i++) {  // The queue grows while we walk along it.
        Cell cell = queue[i];
        if (found[cell] == limit) continue;
        for (char direction : DIRECTIONS) {
            Cell near = step(cell, direction);
            if (sea.is_water(near) && !blocked.count(near) && !found.count(near)) {
                found[near] = found[cell] + 1;
                queue.push_back(near);
            }
        }
    }
    return found;
}

class Bot {
    const Sea& sea;
    std::set<Cell> trail;     // Cells that may not be entered again until we surface.
    std::set<Cell> suspects;  // Cells the enemy may be in.
    std::optional<int> life;  // Our lives, as far as we know why.

    void suspect_everywhere() {
        for (Cell cell : sea.cells()) suspects.insert(cell);
    }

    // Keeps those suspects that fit what the enemy was heard to do.
    void listen(const std::string& order) {
        std::istringstream words(order);
        std::string word;
        words >> word;
        std::set<Cell> fitting;
        if (word == "MOVE") {
            char direction;
            words >> direction;
            for (Cell cell : suspects)
                if (sea.is_water(step(cell, direction))) fitting.insert(step(cell, direction));
        } else if (word == "SURFACE") {
            int number;
            words >> number;
            for (Cell cell : suspects)
                if (sector(cell) == number) fitting.insert(cell);
        } else if (word == "TORPEDO") {
            int x, y;
            words >> x >> y;
            for (Cell cell : suspects)
                if (std::abs(cell.x - x) + std::abs(cell.y - y) <= TORPEDO_RANGE) fitting.insert(cell);
        } else if (word == "SILENCE") {
            fitting = suspects;
            for (Cell start : suspects)
                for (char direction : DIRECTIONS) {
                    Cell cell = step(start, direction);
                    for (int i = 0; i < SILENCE_STEPS && sea.is_water(cell); i++) {
                        fitting.insert(cell);
                        cell = step(cell, direction);
                    }
                }
        } else {
            return;
        }
        suspects = fitting;
        // Idea: MINE and TRIGGER tell something as well, and so do the lives that our own shots cost the enemy.
    }

    // The direction with the most room behind it; of equal ones the one with the fewest ways on, which follows the shores and so
    // keeps the sea in one piece. Nothing if every way is closed.
    std::optional<char> best_direction(Cell here) const {
        std::optional<char> best;
        std::pair<int, int> best_worth;
        for (char direction : DIRECTIONS) {
            Cell cell = step(here, direction);
            if (!sea.is_water(cell) || trail.count(cell)) continue;
            int room = distances(sea, cell, trail, ANYWHERE).size();
            int ways = distances(sea, cell, trail, 1).size() - 1;
            std::pair<int, int> worth = {room, -ways};
            if (!best || worth > best_worth) {
                best = direction;
                best_worth = worth;
            }
        }
        return best;
    }

    // The cell in range with the highest damage to expect, and that damage.
    std::pair<Cell, double> best_target(Cell here) const {
        std::pair<Cell, double> best = {here, 0.0};
        auto in_range = distances(sea, here, {}, TORPEDO_RANGE);
        for (Cell target : sea.cells()) {
            // A blast next to us would hit us, too.
            bool near = std::abs(target.x - here.x) <= 1 && std::abs(target.y - here.y) <= 1;
            if (!in_range.count(target) || near) continue;
            int lives = suspects.count(target);  // 2 in the middle, 1 around it.
            for (int y = target.y - 1; y <= target.y + 1; y++)
                for (int x = target.x - 1; x <= target.x + 1; x++) lives += suspects.count({x, y});
            double damage = double(lives) / suspects.size();
            if (damage > best.second) best = {target, damage};
        }
        return best;
    }

public:
    explicit Bot(const Sea& sea) : sea(sea) { suspect_everywhere(); }

    // A cell of the largest sea, as near to the middle as possible: in a corner there is little room to hide.
    Cell choose_start() const {
        std::map<Cell, int> largest;
        std::set<Cell> seen;
        for (Cell cell : sea.cells()) {
            if (seen.count(cell)) continue;
            auto region = distances(sea, cell, {}, ANYWHERE);
            for (auto& [reached, steps] : region) seen.insert(reached);
            if (region.size() > largest.size()) largest = region;
        }
        Cell best = {0, 0};
        int best_distance = ANYWHERE;
        for (Cell cell : sea.cells()) {
            int distance = std::abs(cell.x - sea.width / 2) + std::abs(cell.y - sea.height / 2);
            if (largest.count(cell) && distance < best_distance) {
                best = cell;
                best_distance = distance;
            }
        }
        return best;
    }

    // Your ideas go here. Returns the actions of this turn; each word may be there once only.
    std::vector<std::string> decide(Turn turn) {
        std::vector<std::string> actions;
        Cell here = turn.cell;
        trail.insert(here);
        bool was_hit = life && turn.my_life < *life;
        life = turn.my_life;

        for (auto& order : turn.opp_orders) listen(order);
        if (suspects.empty()) suspect_everywhere();  // We have misunderstood something: begin again.

        // Move; where no way is left, surface first, which costs a life and wipes out the trail.
        auto direction = best_direction(here);
        if (!direction) {
            actions.push_back("SURFACE");
            trail = {here};
            life = *life - 1;
            direction = best_direction(here);
        }
        if (direction) {
            std::string power = turn.torpedo_cooldown == 0 && turn.silence_cooldown > 0 ? "SILENCE" : "TORPEDO";
            actions.push_back(std::string("MOVE ") + *direction + " " + power);
            if (power == "TORPEDO" && turn.torpedo_cooldown > 0) turn.torpedo_cooldown--;
            here = step(here, *direction);
            trail.insert(here);
        }

        // Fire, if the enemy is likely enough to be hit.
        auto [target, damage] = best_target(here);
        if (turn.torpedo_cooldown == 0 && damage >= FIRE_AT)
            actions.push_back("TORPEDO " + std::to_string(target.x) + " " + std::to_string(target.y));

        // Somebody knows where we are: slip away unheard.
        auto escape = best_direction(here);
        if (was_hit && turn.silence_cooldown == 0 && escape)
            actions.push_back(std::string("SILENCE ") + *escape + " 1");

        std::cerr << "at (" << turn.cell.x << ", " << turn.cell.y << "), " << suspects.size()
                  << " suspects, damage to expect " << damage << std::endl;
        // Idea: SONAR halves the suspects, MINE and TRIGGER make whole regions dangerous.
        return actions;
    }
};

int main() {
    Sea sea = read_sea();
    Bot bot(sea);
    Cell start = bot.choose_start();
    std::cout << start.x << " " << start.y << std::endl;
    while (true) {
        std::string line;
        for (auto& action : bot.decide(read_turn())) line += (line.empty() ? "" : "|") + action;
        std::cout << (line.empty() ? "SURFACE" : line) << std::endl;
    }
}
