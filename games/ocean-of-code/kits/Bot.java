// Ocean of Code: a starter bot.
//
// It stays in the larger part of the sea, keeps a list of the cells the enemy may be in, and fires where that list is dense.
// The whole game in three steps: read (what the statement calls the protocol), decide (your ideas go there), print one line.
//
// Time: 1000 ms for the first answer, the start of the program included, and 50 ms for every other one.
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
    Cell step(char direction) {
        return switch (direction) {
            case 'N' -> new Cell(x, y - 1);
            case 'E' -> new Cell(x + 1, y);
            case 'S' -> new Cell(x, y + 1);
            default -> new Cell(x - 1, y);
        };
    }

    /** 1 to 9, row by row. */
    int sector() {
        return x / 5 + y / 5 * 3 + 1;
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

/** The map: it never changes. */
record Sea(int width, int height, int myId, List<String> rows) {
    boolean isWater(Cell cell) {
        return cell.x() >= 0 && cell.x() < width && cell.y() >= 0 && cell.y() < height
            && rows.get(cell.y()).charAt(cell.x()) == '.';
    }

    List<Cell> cells() {
        List<Cell> all = new ArrayList<>();
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                if (isWater(new Cell(x, y))) all.add(new Cell(x, y));
            }
        }
        return all;
    }
}

/**
 * What you are told before each answer. A cooldown counts the charges that are missing: 0 is ready, -1 is not in this league.
 * sonarResult is Y or N after your own SONAR, else NA; oppOrders is what the enemy did, as far as it can be heard.
 */
record Turn(
    Cell cell, int myLife, int oppLife,
    int torpedoCooldown, int sonarCooldown, int silenceCooldown, int mineCooldown,
    String sonarResult, List<String> oppOrders) {}

class Bot {
    static final char[] DIRECTIONS = {'N', 'E', 'S', 'W'};
    static final int TORPEDO_RANGE = 4;
    static final int SILENCE_STEPS = 4;
    static final int ANYWHERE = 1000; // More steps than there are.
    static final double FIRE_AT = 0.5; // Fire when the damage to expect is at least this.

    // ---- Reading ----

    static final BufferedReader INPUT = new BufferedReader(new InputStreamReader(System.in));

    static String readLine() throws IOException {
        String line = INPUT.readLine();
        if (line == null) System.exit(0); // The input has ended: the game is over.
        return line;
    }

    static int[] readNumbers() throws IOException {
        String[] words = readLine().split(" ");
        int[] numbers = new int[words.length];
        for (int i = 0; i < words.length; i++) numbers[i] = Integer.parseInt(words[i]);
        return numbers;
    }

    static Sea readSea() throws IOException {
        int[] n = readNumbers();
        List<String> rows = new ArrayList<>();
        for (int y = 0; y < n[1]; y++) rows.add(readLine());
        return new Sea(n[0], n[1], n[2], rows);
    }

    static Turn readTurn() throws IOException {
        int[] n = readNumbers();
        String sonarResult = readLine();
        String heard = readLine();
        List<String> oppOrders = heard.equals("NA") ? List.of() : List.of(heard.split("\\|"));
        return new Turn(new Cell(n[0], n[1]), n[2], n[3], n[4], n[5], n[6], n[7], sonarResult, oppOrders);
    }

    // ---- Thinking ----

    final Sea sea;
    Set<Cell> trail = new HashSet<>(); // Cells that may not be entered again until we surface.
    Set<Cell> suspects; // Cells the enemy may be in.
    int life = 0; // Our lives, as far as we know why.

    Bot(Sea sea) {
        this.sea = sea;
        suspects = new HashSet<>(sea.cells());
    }

    /** Steps from `start` to each water cell that can be reached in `limit` steps without entering a blocked one. */
    Map<Cell, Integer> distances(Cell start, Set<Cell> blocked, int limit) {
        Map<Cell, Integer> found = new HashMap<>();
        found.put(start, 0);
        List<Cell> queue = new ArrayList<>(List.of(start));
        for (int i = 0; i < queue.size(); i++) { // The queue grows while we walk along it.
            Cell cell = queue.get(i);
            if (found.get(cell) == limit) continue;
            for (char direction : DIRECTIONS) {
                Cell near = cell.step(direction);
                if (sea.isWater(near) && !blocked.contains(near) && !found.containsKey(near)) {
                    found.put(near, found.get(cell) + 1);
                    queue.add(near);
                }
            }
        }
        return found;
    }

    /** A cell of the largest sea, as near to the middle as possible: in a corner there is little room to hide. */
    Cell chooseStart() {
        Map<Cell, Integer> largest = Map.of();
        Set<Cell> seen = new HashSet<>();
        for (Cell cell : sea.cells()) {
            if (seen.contains(cell)) continue;
            Map<Cell, Integer> region = distances(cell, Set.of(), ANYWHERE);
            seen.addAll(region.keySet());
            if (region.size() > largest.size()) largest = region;
        }
        Cell best = null;
        int bestDistance = ANYWHERE;
        for (Cell cell : sea.cells()) {
            int distance = Math.abs(cell.x() - sea.width() / 2) + Math.abs(cell.y() - sea.height() / 2);
            if (largest.containsKey(cell) && distance < bestDistance) {
                best = cell;
                bestDistance = distance;
            }
        }
        return best;
    }

    /** Keeps those suspects that fit what the enemy was heard to do. */
    void listen(String order) {
        String[] words = order.split(" ");
        Set<Cell> fitting = new HashSet<>();
        switch (words[0]) {
            case "MOVE" -> {
                for (Cell cell : suspects) {
                    Cell moved = cell.step(words[1].charAt(0));
                    if (sea.isWater(moved)) fitting.add(moved);
                }
            }
            case "SURFACE" -> {
                for (Cell cell : suspects) {
                    if (cell.sector() == Integer.parseInt(words[1])) fitting.add(cell);
                }
            }
            case "TORPEDO" -> {
                int x = Integer.parseInt(words[1]);
                int y = Integer.parseInt(words[2]);
                for (Cell cell : suspects) {
                    if (Math.abs(cell.x() - x) + Math.abs(cell.y() - y) <= TORPEDO_RANGE) fitting.add(cell);
                }
            }
            case "SILENCE" -> {
                fitting.addAll(suspects);
                for (Cell start : suspects) {
                    for (char direction : DIRECTIONS) {
                        Cell cell = start.step(direction);
                        for (int i = 0; i < SILENCE_STEPS && sea.isWater(cell); i++) {
                            fitting.add(cell);
                            cell = cell.step(direction);
                        }
                    }
                }
            }
            // Idea: MINE and TRIGGER tell something as well, and so do the lives that our own shots cost the enemy.
            default -> fitting = suspects;
        }
        suspects = fitting;
    }

    /**
     * The direction with the most room behind it; of equal ones the one with the fewest ways on, which follows the shores and so
     * keeps the sea in one piece. null if every way is closed.
     */
    Character bestDirection(Cell here) {
        Character best = null;
        int bestRoom = 0;
        int bestWays = 0;
        for (char direction : DIRECTIONS) {
            Cell cell = here.step(direction);
            if (!sea.isWater(cell) || trail.contains(cell)) continue;
            int room = distances(cell, trail, ANYWHERE).size();
            int ways = distances(cell, trail, 1).size() - 1;
            if (best == null || room > bestRoom || (room == bestRoom && ways < bestWays)) {
                best = direction;
                bestRoom = room;
                bestWays = ways;
            }
        }
        return best;
    }

    /** The damage to expect from a torpedo at this cell. */
    double damage(Cell target) {
        int lives = suspects.contains(target) ? 1 : 0; // 2 in the middle, 1 around it.
        for (int y = target.y() - 1; y <= target.y() + 1; y++) {
            for (int x = target.x() - 1; x <= target.x() + 1; x++) {
                if (suspects.contains(new Cell(x, y))) lives++;
            }
        }
        return (double) lives / suspects.size();
    }

    /** The cell in range with the highest damage to expect; null if there is none. */
    Cell bestTarget(Cell here) {
        Cell best = null;
        double bestDamage = 0;
        Map<Cell, Integer> inRange = distances(here, Set.of(), TORPEDO_RANGE);
        for (Cell target : sea.cells()) {
            // A blast next to us would hit us, too.
            boolean near = Math.abs(target.x() - here.x()) <= 1 && Math.abs(target.y() - here.y()) <= 1;
            if (near || !inRange.containsKey(target)) continue;
            if (damage(target) > bestDamage) {
                best = target;
                bestDamage = damage(target);
            }
        }
        return best;
    }

    /** Your ideas go here. Returns the actions of this turn; each word may be there once only. */
    List<String> decide(Turn turn) {
        List<String> actions = new ArrayList<>();
        Cell here = turn.cell();
        trail.add(here);
        boolean wasHit = turn.myLife() < life;
        life = turn.myLife();

        for (String order : turn.oppOrders()) listen(order);
        if (suspects.isEmpty()) suspects = new HashSet<>(sea.cells()); // We have misunderstood something: begin again.

        // Move; where no way is left, surface first, which costs a life and wipes out the trail.
        int torpedoCooldown = turn.torpedoCooldown();
        Character direction = bestDirection(here);
        if (direction == null) {
            actions.add("SURFACE");
            trail = new HashSet<>(Set.of(here));
            life--;
            direction = bestDirection(here);
        }
        if (direction != null) {
            String power = torpedoCooldown == 0 && turn.silenceCooldown() > 0 ? "SILENCE" : "TORPEDO";
            actions.add("MOVE " + direction + " " + power);
            if (power.equals("TORPEDO") && torpedoCooldown > 0) torpedoCooldown--;
            here = here.step(direction);
            trail.add(here);
        }

        // Fire, if the enemy is likely enough to be hit.
        Cell target = bestTarget(here);
        double damage = target == null ? 0 : damage(target);
        if (torpedoCooldown == 0 && damage >= FIRE_AT) actions.add("TORPEDO " + target.x() + " " + target.y());

        // Somebody knows where we are: slip away unheard.
        Character escape = bestDirection(here);
        if (wasHit && turn.silenceCooldown() == 0 && escape != null) actions.add("SILENCE " + escape + " 1");

        System.err.println("at (" + turn.cell().x() + ", " + turn.cell().y() + "), " + suspects.size()
            + " suspects, damage to expect " + damage);
        // Idea: SONAR halves the suspects, MINE and TRIGGER make whole regions dangerous.
        return actions;
    }

    public static void main(String[] arguments) throws IOException {
        Bot bot = new Bot(readSea());
        Cell start = bot.chooseStart();
        System.out.println(start.x() + " " + start.y());
        while (true) {
            List<String> actions = bot.decide(readTurn());
            System.out.println(actions.isEmpty() ? "SURFACE" : String.join("|", actions));
        }
    }
}
