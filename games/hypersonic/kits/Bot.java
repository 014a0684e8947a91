// Hypersonic: a starter bot.
//
// In each round it tries the ten things it can do (lay a bomb or not; stay or take one of four steps), drops those after which it
// could not survive the bombs that are in play, and takes the one after which it can bomb its next box soonest.
// The whole game in three steps: read (what the statement calls the protocol), decide (your ideas go there), print one line.
//
// Time: 1000 ms for the first answer, the start of the program included, and 100 ms for every other one.
// Your answers go to the standard output; for debugging, write to System.err, the standard error output.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

record Cell(int x, int y) {
    Cell plus(Cell step) {
        return new Cell(x + step.x, y + step.y);
    }

    // Sets of cells are faster with these than with those of every record.
    @Override
    public int hashCode() {
        return y * 1000 + x;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Cell cell && cell.x == x && cell.y == y;
    }
}

/** bombs: how many it can lay now; range: of the bombs it lays, the cell of the bomb counts. */
record Player(int id, Cell cell, int bombs, int range) {}

/** timer 1: it goes off in this round, before anybody moves. */
record Bomb(int owner, Cell cell, int timer, int range) {}

/** kind 1: extra range, 2: extra bomb. */
record Item(Cell cell, int kind) {}

/** What you are told before each answer. */
class Round {
    /** '.' is floor, 'X' a wall, '0', '1', '2' boxes: empty, with extra range, with an extra bomb. */
    List<String> rows = new ArrayList<>();
    List<Player> players = new ArrayList<>();
    List<Bomb> bombs = new ArrayList<>();
    List<Item> items = new ArrayList<>();

    /** What is there; outside of the grid, wall. */
    char at(Cell cell) {
        boolean inside = cell.y() >= 0 && cell.y() < rows.size() && cell.x() >= 0 && cell.x() < rows.get(cell.y()).length();
        return inside ? rows.get(cell.y()).charAt(cell.x()) : 'X';
    }

    boolean isBox(Cell cell) {
        return at(cell) >= '0' && at(cell) <= '2';
    }
}

/** What the bombs in play will do. */
class Forecast {
    final Round round;
    final Set<Cell> stops = new HashSet<>(); // Bombs and items stop explosions.
    final List<Set<Cell>> deadly = new ArrayList<>(); // deadly.get(t): who stands there after t steps from now is hit.
    final Map<Cell, Integer> blockedUntil = new HashMap<>(); // Cell of a bomb: so many steps from now nobody can enter it.
    final Set<Cell> doomed = new HashSet<>(); // Boxes that will be gone.

    Forecast(Round round, List<Bomb> bombs) {
        this.round = round;
        for (Bomb bomb : bombs) stops.add(bomb.cell());
        for (Item item : round.items) stops.add(item.cell());
        List<Set<Cell>> blasts = new ArrayList<>();
        int[] timers = new int[bombs.size()];
        for (int i = 0; i < timers.length; i++) {
            blasts.add(blast(bombs.get(i).cell(), bombs.get(i).range()));
            timers[i] = bombs.get(i).timer();
        }
        // A bomb that is hit goes off at the same moment: pass earlier timers on until nothing changes.
        for (boolean changed = true; changed;) {
            changed = false;
            for (int i = 0; i < timers.length; i++) {
                for (int j = 0; j < timers.length; j++) {
                    if (timers[i] < timers[j] && blasts.get(i).contains(bombs.get(j).cell())) {
                        timers[j] = timers[i];
                        changed = true;
                    }
                }
            }
        }
        for (int t = 0; t <= Bot.HORIZON; t++) deadly.add(new HashSet<>());
        for (int i = 0; i < timers.length; i++) {
            blockedUntil.put(bombs.get(i).cell(), timers[i]);
            for (Cell cell : blasts.get(i)) {
                // What counts is where you stand before the round in which the timer reaches 0.
                deadly.get(timers[i] - 1).add(cell);
                if (round.isBox(cell)) doomed.add(cell);
            }
        }
    }

    /** The cells that a bomb would hit. A box, an item and another bomb stop it. */
    Set<Cell> blast(Cell cell, int range) {
        Set<Cell> hit = new HashSet<>();
        hit.add(cell);
        for (Cell step : Bot.STEPS.subList(1, Bot.STEPS.size())) {
            Cell near = cell;
            for (int i = 1; i < range; i++) {
                near = near.plus(step);
                if (round.at(near) == 'X') break;
                hit.add(near);
                if (round.at(near) != '.' || stops.contains(near)) break;
            }
        }
        return hit;
    }

    /** How many boxes are among these cells, those left out that will be gone anyway. */
    int boxes(Set<Cell> hit) {
        int count = 0;
        for (Cell cell : hit) {
            if (round.isBox(cell) && !doomed.contains(cell)) count++;
        }
        return count;
    }

    /** Whether somebody can walk into this cell with step number t. */
    boolean isOpen(Cell cell, int t) {
        return round.at(cell) == '.' && blockedUntil.getOrDefault(cell, 0) < t;
    }
}

class Bot {
    static final List<Cell> STEPS =
        List.of(new Cell(0, 0), new Cell(-1, 0), new Cell(1, 0), new Cell(0, -1), new Cell(0, 1));
    static final int FUSE = 8; // Rounds from laying a bomb to its explosion.
    static final int HORIZON = FUSE + 1; // So many rounds from now every bomb we know of has gone off.
    static final double PATIENCE = 0.9; // What a box is worth if it comes one round later.

    // ---- Reading ----

    static final BufferedReader INPUT = new BufferedReader(new InputStreamReader(System.in));

    static String readLine() throws IOException {
        String line = INPUT.readLine();
        if (line == null) System.exit(0); // The input has ended: the game is over, at least for us.
        return line;
    }

    static int[] readNumbers() throws IOException {
        String[] words = readLine().split(" ");
        int[] numbers = new int[words.length];
        for (int i = 0; i < words.length; i++) numbers[i] = Integer.parseInt(words[i]);
        return numbers;
    }

    static Round readRound(int height) throws IOException {
        Round round = new Round();
        for (int y = 0; y < height; y++) round.rows.add(readLine());
        int entities = readNumbers()[0];
        for (int i = 0; i < entities; i++) {
            int[] n = readNumbers(); // entityType owner x y param1 param2
            Cell cell = new Cell(n[2], n[3]);
            if (n[0] == 0) round.players.add(new Player(n[1], cell, n[4], n[5]));
            if (n[0] == 1) round.bombs.add(new Bomb(n[1], cell, n[4], n[5]));
            if (n[0] == 2) round.items.add(new Item(cell, n[4]));
        }
        return round;
    }

    // ---- Thinking ----

    /** What a box is worth if it comes so many rounds later. */
    static double later(int rounds) {
        double worth = 1.0;
        for (int i = 0; i < rounds; i++) worth *= PATIENCE;
        return worth;
    }

    /** The cells we can be in after the step `first` and then any others, with the earliest time; null if we cannot survive. */
    static Map<Cell, Integer> reach(Forecast forecast, Cell here, Cell first) {
        Map<Cell, Integer> earliest = new HashMap<>();
        Set<Cell> layer = Set.of(here);
        for (int t = 1; t <= HORIZON; t++) {
            Set<Cell> following = new HashSet<>();
            for (Cell cell : layer) {
                for (Cell step : t == 1 ? List.of(first) : STEPS) {
                    Cell near = cell.plus(step);
                    if (!near.equals(cell) && !forecast.isOpen(near, t)) continue;
                    if (forecast.deadly.get(t).contains(near)) continue;
                    following.add(near);
                    earliest.putIfAbsent(near, t);
                }
            }
            layer = following;
        }
        return layer.isEmpty() ? null : earliest;
    }

    /**
     * How soon a box can be bombed from one of these cells: 1 for at once, less for each round later, 0 for never. `wait` rounds
     * from now we can lay a bomb.
     */
    static double bestAhead(Forecast forecast, Player me, Map<Cell, Integer> cells, int wait) {
        double best = 0;
        for (Map.Entry<Cell, Integer> entry : cells.entrySet()) {
            Cell cell = entry.getKey();
            int t = entry.getValue();
            Set<Cell> hit = forecast.blast(cell, me.range());
            // Without a cell to hide in no bomb can be laid.
            boolean hideout = !hit.containsAll(cells.keySet());
            if (hideout && forecast.boxes(hit) > 0) best = Math.max(best, later(Math.max(t, wait)));
        }
        return best;
    }

    /** Your ideas go here. Returns the command of this round. */
    static String decide(Round round, Player me) {
        String command = "MOVE";
        Cell target = me.cell();
        double best = -1;
        for (boolean lay : new boolean[] {false, true}) {
            List<Bomb> bombs = new ArrayList<>(round.bombs);
            int boxesHere = 0;
            if (lay) {
                Forecast before = new Forecast(round, round.bombs);
                boxesHere = before.boxes(before.blast(me.cell(), me.range()));
                if (me.bombs() == 0 || before.blockedUntil.containsKey(me.cell()) || boxesHere == 0) continue;
                // A bomb that is laid now shows its full timer in the next round.
                bombs.add(new Bomb(me.id(), me.cell(), FUSE + 1, me.range()));
            }
            Forecast forecast = new Forecast(round, bombs);
            // The next bomb can be laid at once if there is one left, else when one of ours has gone off.
            int wait = me.bombs() > (lay ? 1 : 0) ? 0 : HORIZON;
            for (Bomb bomb : bombs) {
                if (bomb.owner() == me.id()) wait = Math.min(wait, bomb.timer());
            }
            for (Cell step : STEPS) {
                Map<Cell, Integer> cells = reach(forecast, me.cell(), step);
                if (cells == null) continue; // That way lies death.
                double worth = boxesHere + bestAhead(forecast, me, cells, wait);
                if (worth > best) {
                    command = lay ? "BOMB" : "MOVE";
                    target = me.cell().plus(step);
                    best = worth;
                }
            }
        }
        System.err.println("at (" + me.cell().x() + ", " + me.cell().y() + "): " + command
            + " to (" + target.x() + ", " + target.y() + "), worth " + best);
        // Idea: a bomb that hits several boxes is worth more than one that hits a single box, and items make your bombs better.
        // Idea: expect a bomb from every opponent who can lay one now, and see that you survive that, too.
        return command + " " + target.x() + " " + target.y();
    }

    public static void main(String[] arguments) throws IOException {
        int[] n = readNumbers(); // width height myId
        while (true) {
            Round round = readRound(n[1]);
            for (Player player : round.players) {
                if (player.id() == n[2]) System.out.println(decide(round, player));
            }
        }
    }
}
