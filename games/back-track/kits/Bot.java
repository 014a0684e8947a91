// Back Track: a starter bot.
//
// It lays tracks for the wish that costs the least paint, turn after turn until it is connected, then for the next one.
// The whole game in three steps: read (what the statement calls the protocol), decide (your ideas go there), print one line.
//
// Time: 1000 ms for the first answer, the start of the program included, and 50 ms for every other one.
// Your answers go to the standard output; for debugging, write to System.err, the standard error output.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

class Cell {
    int regionId;
    int type;
    boolean town;
    // What changes from turn to turn:
    int trackOwner; // -1, or the player 0 or 1, or 2: neutral.
    int instability; // Of the whole region.
    boolean inked;
    List<String> connections; // "1-2": it is on the way from town 1 to the town 2 it wants.
}

/** wants: ids of other towns. */
record Town(int id, int x, int y, List<Integer> wants) {}

record Wish(int paint, Town from, Town to) {}

class Game {
    int myId;
    int width;
    int height;
    List<Cell> cells = new ArrayList<>(); // Row by row: (x, y) is at y * width + x.
    List<Town> towns = new ArrayList<>();
    int myScore;
    int foeScore;

    int index(Town town) {
        return town.y() * width + town.x();
    }
}

class Bot {
    static final int NO_TRACK = -1;
    static final int[] PAINT = {1, 2, 3, 3}; // For a track on plains, a river, a mountain, a place of interest.
    static final int NEVER = -1; // Where no track can be laid, or no way leads.

    // ---- Reading ----

    static final BufferedReader INPUT = new BufferedReader(new InputStreamReader(System.in));

    static String readLine() throws IOException {
        String line = INPUT.readLine();
        if (line == null) System.exit(0); // The input has ended: the game is over.
        return line;
    }

    static int readNumber() throws IOException {
        return Integer.parseInt(readLine());
    }

    static List<String> readList(String text) {
        return text.equals("x") ? List.of() : List.of(text.split(","));
    }

    static Game readGame() throws IOException {
        Game game = new Game();
        game.myId = readNumber();
        game.width = readNumber();
        game.height = readNumber();
        for (int i = 0; i < game.width * game.height; i++) {
            String[] words = readLine().split(" ");
            Cell cell = new Cell();
            cell.regionId = Integer.parseInt(words[0]);
            cell.type = Integer.parseInt(words[1]);
            game.cells.add(cell);
        }
        int townCount = readNumber();
        for (int i = 0; i < townCount; i++) {
            String[] words = readLine().split(" ");
            List<Integer> wants = new ArrayList<>();
            for (String wanted : readList(words[3])) wants.add(Integer.parseInt(wanted));
            Town town =
                new Town(Integer.parseInt(words[0]), Integer.parseInt(words[1]), Integer.parseInt(words[2]), wants);
            game.towns.add(town);
            game.cells.get(game.index(town)).town = true;
        }
        return game;
    }

    static void readTurn(Game game) throws IOException {
        game.myScore = readNumber();
        game.foeScore = readNumber();
        for (Cell cell : game.cells) {
            String[] words = readLine().split(" ");
            cell.trackOwner = Integer.parseInt(words[0]);
            cell.instability = Integer.parseInt(words[1]);
            cell.inked = words[2].equals("1");
            cell.connections = readList(words[3]);
        }
    }

    // ---- Thinking ----

    /** What it costs to go on through this cell; NEVER where no track can be laid. */
    static int paintFor(Cell cell) {
        if (cell.town || cell.trackOwner != NO_TRACK) return 0;
        return cell.inked ? NEVER : PAINT[cell.type];
    }

    /** The paint that a way from this town to each cell costs, as AUTOPLACE would lay it. */
    static int[] paintFrom(Game game, Town town) {
        int[] paint = new int[game.cells.size()];
        Arrays.fill(paint, NEVER);
        // waiting.get(p): cells that can be reached for p points of paint. Both lists grow while we walk along them.
        List<List<Integer>> waiting = new ArrayList<>();
        waiting.add(new ArrayList<>(List.of(game.index(town))));
        for (int p = 0; p < waiting.size(); p++) {
            for (int i = 0; i < waiting.get(p).size(); i++) {
                int here = waiting.get(p).get(i);
                if (paint[here] != NEVER) continue; // Reached before, for less.
                paint[here] = p;
                int x = here % game.width;
                int y = here / game.width;
                for (int[] place : new int[][] {{x, y - 1}, {x + 1, y}, {x, y + 1}, {x - 1, y}}) {
                    if (place[0] < 0 || place[0] >= game.width || place[1] < 0 || place[1] >= game.height) continue;
                    int near = place[1] * game.width + place[0];
                    int more = paintFor(game.cells.get(near));
                    if (more == NEVER || paint[near] != NEVER) continue;
                    while (waiting.size() <= p + more) waiting.add(new ArrayList<>());
                    waiting.get(p + more).add(near);
                }
            }
        }
        return paint;
    }

    /** The unfulfilled wish that costs the least paint; null if there is none. */
    static Wish chooseWish(Game game) {
        Wish best = null;
        for (Town town : game.towns) {
            List<String> connections = game.cells.get(game.index(town)).connections;
            int[] paint = paintFrom(game, town);
            for (int wanted : town.wants()) {
                if (connections.contains(town.id() + "-" + wanted)) continue;
                Town to = game.towns.get(wanted);
                int cost = paint[game.index(to)];
                if (cost != NEVER && (best == null || cost < best.paint())) best = new Wish(cost, town, to);
            }
        }
        return best;
    }

    /** Your ideas go here. Returns the actions of this turn. */
    static List<String> decide(Game game) {
        List<String> actions = new ArrayList<>();
        Wish wish = chooseWish(game);
        if (wish != null) {
            Town from = wish.from();
            Town to = wish.to();
            System.err.println("score " + game.myScore + " : " + game.foeScore
                + ", town " + from.id() + " to town " + to.id() + " for " + wish.paint() + " paint");
            // Two players who lay the same tracks in the same turn both pay for neutral ones: the second one begins at the other
            // end.
            if (game.myId == 1) {
                from = wish.to();
                to = wish.from();
            }
            actions.add("AUTOPLACE " + from.x() + " " + from.y() + " " + to.x() + " " + to.y());
        }
        // Idea: DISRUPT washes the tracks of the opponent away. In which region does it have most to lose, and you least?
        // Idea: PLACE_TRACKS spends the paint that AUTOPLACE leaves over, and finds ways that serve several wishes at once.
        return actions;
    }

    public static void main(String[] arguments) throws IOException {
        Game game = readGame();
        while (true) {
            readTurn(game);
            List<String> actions = decide(game);
            System.out.println(actions.isEmpty() ? "WAIT" : String.join(";", actions));
        }
    }
}
