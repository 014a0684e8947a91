// Back Track: a starter bot.
//
// It lays tracks for the wish that costs the least paint, turn after turn until it is connected, then for the next one.
// The whole game in three steps: read (what the statement calls the protocol), decide (your ideas go there), print one line.
//
// Time: 1000 ms for the first answer, the start of the program included, and 50 ms for every other one.
// Your answers go to the standard output; for debugging, write to std::cerr, the standard error output.

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

const int NO_TRACK = -1;
const int PAINT[] = {1, 2, 3, 3};  // For a track on plains, a river, a mountain, a place of interest.
const int NEVER = -1;              // Where no track can be laid, or no way leads.

// ---- Reading ----

struct Cell {
    int region_id;
    int type;
    bool town = false;
    // What changes from turn to turn:
    int track_owner = NO_TRACK;  // -1, or the player 0 or 1, or 2: neutral.
    int instability = 0;         // Of the whole region.
    bool inked = false;
    std::vector<std::string> connections;  // "1-2": it is on the way from town 1 to the town 2 it wants.
};

struct Town {
    int id, x, y;
    std::vector<int> wants;  // Ids of other towns.
};

struct Game {
    int my_id, width, height;
    std::vector<Cell> cells;  // Row by row: (x, y) is at y * width + x.
    std::vector<Town> towns;
    int my_score = 0, foe_score = 0;

    int index(const Town& town) const { return town.y * width + town.x; }
};

std::string read_line() {
    std::string line;
    if (!std::getline(std::cin, line)) std::exit(0);  // The input has ended: the game is over.
    return line;
}

int read_number() { return std::stoi(read_line()); }

std::vector<std::string> read_list(const std::string& text) {
    std::vector<std::string> list;
    std::istringstream pieces(text);
    for (std::string piece; text != "x" && std::getline(pieces, piece, ',');) list.push_back(piece);
    return list;
}

Game read_game() {
    Game game;
    game.my_id = read_number();
    game.width = read_number();
    game.height = read_number();
    for (int i = 0; i < game.width * game.height; i++) {
        Cell cell;
        std::istringstream(read_line()) >> cell.region_id >> cell.type;
        game.cells.push_back(cell);
    }
    int town_count = read_number();
    for (int i = 0; i < town_count; i++) {
        Town town;
        std::string wants;
        std::istringstream(read_line()) >> town.id >> town.x >> town.y >> wants;
        for (auto& wanted : read_list(wants)) town.wants.push_back(std::stoi(wanted));
        game.towns.push_back(town);
        game.cells[game.index(town)].town = true;
    }
    return game;
}

void read_turn(Game& game) {
    game.my_score = read_number();
    game.foe_score = read_number();
    for (auto& cell : game.cells) {
        std::string connections;
        std::istringstream(read_line()) >> cell.track_owner >> cell.instability >> cell.inked >> connections;
        cell.connections = read_list(connections);
    }
}

// ---- Thinking ----

// What it costs to go on through this cell; NEVER where no track can be laid.
int paint_for(const Cell& cell) {
    if (cell.town || cell.track_owner != NO_TRACK) return 0;
    return cell.inked ? NEVER : PAINT[cell.type];
}

// The paint that a way from this town to each cell costs, as AUTOPLACE would lay it.
std::vector<int> paint_from(const Game& game, const Town& town) {
    std::vector<int> paint(game.cells.size(), NEVER);
    std::vector<std::vector<int>> waiting = {{game.index(town)}};  // waiting[p]: cells that can be reached for p points of paint.
    for (size_t p = 0; p < waiting.size(); p++)  // Both lists grow while we walk along them.
        for (size_t i = 0; i < waiting[p].size(); i++) {
            int here = waiting[p][i];
            if (paint[here] != NEVER) continue;  // Reached before, for less.
            paint[here] = p;
            int x = here % game.width, y = here / game.width;
            for (auto [near_x, near_y] : {std::pair{x, y - 1}, {x + 1, y}, {x, y + 1}, {x - 1, y}}) {
                if (near_x < 0 || near_x >= game.width || near_y < 0 || near_y >= game.height) continue;
                int near = near_y * game.width + near_x;
                int more = paint_for(game.cells[near]);
                if (more == NEVER || paint[near] != NEVER) continue;
                if (waiting.size() <= p + more) waiting.resize(p + more + 1);
                waiting[p + more].push_back(near);
            }
        }
    return paint;
}

struct Wish {
    int paint;
    Town from, to;
};

// The unfulfilled wish that costs the least paint.
std::optional<Wish> choose_wish(const Game& game) {
    std::optional<Wish> best;
    for (auto& town : game.towns) {
        auto& connections = game.cells[game.index(town)].connections;
        auto paint = paint_from(game, town);
        for (int wanted : town.wants) {
            std::string name = std::to_string(town.id) + "-" + std::to_string(wanted);
            if (std::count(connections.begin(), connections.end(), name)) continue;
            const Town& to = game.towns[wanted];
            int cost = paint[game.index(to)];
            if (cost != NEVER && (!best || cost < best->paint)) best = Wish{cost, town, to};
        }
    }
    return best;
}

// Your ideas go here. Returns the actions of this turn.
std::vector<std::string> decide(const Game& game) {
    std::vector<std::string> actions;
    if (auto wish = choose_wish(game)) {
        auto [paint, from, to] = *wish;
        std::cerr << "score " << game.my_score << " : " << game.foe_score << ", town " << from.id << " to town " << to.id
                  << " for " << paint << " paint" << std::endl;
        // Two players who lay the same tracks in the same turn both pay for neutral ones: the second one begins at the other end.
        if (game.my_id == 1) std::swap(from, to);
        std::ostringstream action;
        action << "AUTOPLACE " << from.x << " " << from.y << " " << to.x << " " << to.y;
        actions.push_back(action.str());
    }
    // Idea: DISRUPT washes the tracks of the opponent away. In which region does it have most to lose, and you least?
    // Idea: PLACE_TRACKS spends the paint that AUTOPLACE leaves over, and finds ways that serve several wishes at once.
    return actions;
}

int main() {
    Game game = read_game();
    while (true) {
        read_turn(game);
        std::string line;
        for (auto& action : decide(game)) line += (line.empty() ? "" : ";") + action;
        std::cout << (line.empty() ? "WAIT" : line) << std::endl;
    }
}
