// Hypersonic: a starter bot.
//
// In each round it tries the ten things it can do (lay a bomb or not; stay or take one of four steps), drops those after which it
// could not survive the bombs that are in play, and takes the one after which it can bomb its next box soonest.
// The whole game in three steps: read (what the statement calls the protocol), decide (your ideas go there), print one line.
//
// Time: 1000 ms for the first answer, the start of the program included, and 100 ms for every other one.
// Your answers go to the standard output; for debugging, write to std::cerr, the standard error output.

#include <algorithm>
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
    Cell operator+(Cell step) const { return {x + step.x, y + step.y}; }
};

const std::vector<Cell> STEPS = {{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}};
const int FUSE = 8;             // Rounds from laying a bomb to its explosion.
const int HORIZON = FUSE + 1;   // So many rounds from now every bomb we know of has gone off.
const double PATIENCE = 0.9;    // What a box is worth if it comes one round later.

// What a box is worth if it comes so many rounds later.
double later(int rounds) {
    double worth = 1.0;
    for (int i = 0; i < rounds; i++) worth *= PATIENCE;
    return worth;
}

// ---- Reading ----

struct Player {
    int id;
    Cell cell;
    int bombs;  // How many it can lay now.
    int range;  // Of the bombs it lays; the cell of the bomb counts.
};

struct Bomb {
    int owner;
    Cell cell;
    int timer;  // 1: it goes off in this round, before anybody moves.
    int range;
};

struct Item {
    Cell cell;
    int kind;  // 1: extra range, 2: extra bomb.
};

// What you are told before each answer.
struct Round {
    std::vector<std::string> rows;  // '.' is floor, 'X' a wall, '0', '1', '2' boxes: empty, with extra range, with an extra bomb.
    std::vector<Player> players;
    std::vector<Bomb> bombs;
    std::vector<Item> items;

    // What is there; outside of the grid, wall.
    char at(Cell cell) const {
        bool inside = cell.y >= 0 && cell.y < int(rows.size()) && cell.x >= 0 && cell.x < int(rows[cell.y].size());
        return inside ? rows[cell.y][cell.x] : 'X';
    }

    bool is_box(Cell cell) const { return at(cell) >= '0' && at(cell) <= '2'; }
};

std::string read_line() {
    std::string line;
    if (!std::getline(std::cin, line)) std::exit(0);  // The input has ended: the game is over, at least for us.
    return line;
}

Round read_round(int height) {
    Round round;
    for (int y = 0; y < height; y++) round.rows.push_back(read_line());
    int entities = std::stoi(read_line());
    for (int i = 0; i < entities; i++) {
        int type, owner, x, y, param1, param2;
        std::istringstream(read_line()) >> type >> owner >> x >> y >> param1 >> param2;
        if (type == 0) round.players.push_back({owner, {x, y}, param1, param2});
        if (type == 1) round.bombs.push_back({owner, {x, y}, param1, param2});
        if (type == 2) round.items.push_back({{x, y}, param1});
    }
    return round;
}

// ---- Thinking ----

// What the bombs in play will do.
struct Forecast {
    const Round& round;
    std::set<Cell> stops;                    // Bombs and items stop explosions.
    std::set<std::pair<Cell, int>> deadly;   // (cell, t): who stands there after t steps from now is hit.
    std::map<Cell, int> blocked_until;       // Cell of a bomb: so many steps from now nobody can enter it.
    std::set<Cell> doomed;                   // Boxes that will be gone.

    Forecast(const Round& round, const std::vector<Bomb>& bombs) : round(round) {
        for (auto& bomb : bombs) stops.insert(bomb.cell);
        for (auto& item : round.items) stops.insert(item.cell);
        std::vector<std::set<Cell>> blasts;
        std::vector<int> timers;
        for (auto& bomb : bombs) {
            blasts.push_back(blast(bomb.cell, bomb.range));
            timers.push_back(bomb.timer);
        }
        // A bomb that is hit goes off at the same moment: pass earlier timers on until nothing changes.
        for (bool changed = true; changed;) {
            changed = false;
            for (size_t i = 0; i < bombs.size(); i++)
                for (size_t j = 0; j < bombs.size(); j++)
                    if (timers[i] < timers[j] && blasts[i].count(bombs[j].cell)) {
                        timers[j] = timers[i];
                        changed = true;
                    }
        }
        for (size_t i = 0; i < bombs.size(); i++) {
            blocked_until[bombs[i].cell] = timers[i];
            for (Cell cell : blasts[i]) {
                // What counts is where you stand before the round in which the timer reaches 0.
                deadly.insert({cell, timers[i] - 1});
                if (round.is_box(cell)) doomed.insert(cell);
            }
        }
    }

    // The cells that a bomb would hit. A box, an item and another bomb stop it.
    std::set<Cell> blast(Cell cell, int range) const {
        std::set<Cell> hit = {cell};
        for (size_t direction = 1; direction < STEPS.size(); direction++) {
            Cell near = cell;
            for (int i = 1; i < range; i++) {
                near = near + STEPS[direction];
                if (round.at(near) == 'X') break;
                hit.insert(near);
                if (round.at(near) != '.' || stops.count(near)) break;
            }
        }
        return hit;
    }

    // How many boxes are among these cells, those left out that will be gone anyway.
    int boxes(const std::set<Cell>& hit) const {
        return std::count_if(hit.begin(), hit.end(), [&](Cell cell) { return round.is_box(cell) && !doomed.count(cell); });
    }

    // Whether somebody can walk into this cell with step number t.
    bool is_open(Cell cell, int t) const {
        auto bomb = blocked_until.find(cell);
        return round.at(cell) == '.' && (bomb == blocked_until.end() || bomb->second < t);
    }
};

// The cells we can be in after the step `first` and then any others, with the earliest time; nothing if we cannot survive.
std::optional<std::map<Cell, int>> reach(const Forecast& forecast, Cell here, Cell first) {
    std::map<Cell, int> earliest;
    std::set<Cell> layer = {here};
    for (int t = 1; t <= HORIZON; t++) {
        std::set<Cell> following;
        for (Cell cell : layer)
            for (Cell step : t == 1 ? std::vector<Cell>{first} : STEPS) {
                Cell near = cell + step;
                if (near != cell && !forecast.is_open(near, t)) continue;
                if (forecast.deadly.count({near, t})) continue;
                following.insert(near);
                earliest.emplace(near, t);
            }
        layer = following;
    }
    if (layer.empty()) return {};
    return earliest;
}

// How soon a box can be bombed from one of these cells: 1 for at once, less for each round later, 0 for never. `wait` rounds from
// now we can lay a bomb.
double best_ahead(const Forecast& forecast, const Player& me, const std::map<Cell, int>& cells, int wait) {
    double best = 0.0;
    for (auto& [cell, t] : cells) {
        auto hit = forecast.blast(cell, me.range);
        // Without a cell to hide in no bomb can be laid.
        bool hideout = std::any_of(cells.begin(), cells.end(), [&](auto& other) { return !hit.count(other.first); });
        if (hideout && forecast.boxes(hit) > 0) best = std::max(best, later(std::max(t, wait)));
    }
    return best;
}

// Your ideas go here. Returns the command of this round.
std::string decide(const Round& round, const Player& me) {
    std::string command = "MOVE";
    Cell target = me.cell;
    double best = -1.0;
    for (bool lay : {false, true}) {
        std::vector<Bomb> bombs = round.bombs;
        int boxes_here = 0;
        if (lay) {
            Forecast before(round, round.bombs);
            boxes_here = before.boxes(before.blast(me.cell, me.range));
            if (me.bombs == 0 || before.blocked_until.count(me.cell) || boxes_here == 0) continue;
            // A bomb that is laid now shows its full timer in the next round.
            bombs.push_back({me.id, me.cell, FUSE + 1, me.range});
        }
        Forecast forecast(round, bombs);
        // The next bomb can be laid at once if there is one left, else when one of ours has gone off.
        int wait = me.bombs > int(lay) ? 0 : HORIZON;
        for (auto& bomb : bombs)
            if (bomb.owner == me.id) wait = std::min(wait, bomb.timer);
        for (Cell step : STEPS) {
            auto cells = reach(forecast, me.cell, step);
            if (!cells) continue;  // That way lies death.
            double worth = boxes_here + best_ahead(forecast, me, *cells, wait);
            if (worth > best) {
                command = lay ? "BOMB" : "MOVE";
                target = me.cell + step;
                best = worth;
            }
        }
    }
    std::cerr << "at (" << me.cell.x << ", " << me.cell.y << "): " << command << " to (" << target.x << ", " << target.y
              << "), worth " << best << std::endl;
    // Idea: a bomb that hits several boxes is worth more than one that hits a single box, and items make your bombs better.
    // Idea: expect a bomb from every opponent who can lay one now, and see that you survive that, too.
    return command + " " + std::to_string(target.x) + " " + std::to_string(target.y);
}

int main() {
    int width, height, my_id;
    std::istringstream(read_line()) >> width >> height >> my_id;
    while (true) {
        Round round = read_round(height);
        auto me = std::find_if(round.players.begin(), round.players.end(), [&](auto& player) { return player.id == my_id; });
        std::cout << decide(round, *me) << std::endl;
    }
}
