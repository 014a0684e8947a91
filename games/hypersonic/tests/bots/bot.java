// Hypersonic: bombs boxes it stands beside when there is a way out, and never waits in the reach of a bomb.
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Scanner;

class Bot {
    static final int WIDE = 15, CELLS = WIDE * 13; // with a frame of wall around the grid
    static final int[] STEPS = {-1, 1, -WIDE, WIDE};
    static final char[] grid = new char[CELLS];
    static final boolean[] bomb = new boolean[CELLS], hot = new boolean[CELLS];
    static int here;

    static void blast(int cell, int range) {
        hot[cell] = true;
        for (int s : STEPS)
            for (int i = 1, n = cell + s; i < range && grid[n] == '.'; i++, n += s) hot[n] = true;
    }

    static boolean besideBox(int cell) {
        for (int s : STEPS) if (grid[cell + s] >= '0' && grid[cell + s] <= '2') return true;
        return false;
    }

    /** The first step to the nearest safe cell, or over safe cells to the nearest box; -1 if there is none. */
    static int find(boolean flee) {
        int[] first = new int[CELLS];
        ArrayDeque<Integer> queue = new ArrayDeque<>();
        queue.add(here);
        first[here] = -1;
        while (!queue.isEmpty()) {
            int cell = queue.remove();
            if (cell != here && (flee ? !hot[cell] : besideBox(cell))) return first[cell];
            for (int s : STEPS) {
                int n = cell + s;
                if (grid[n] != '.' || bomb[n] || first[n] != 0 || !flee && hot[n]) continue;
                first[n] = cell == here ? n : first[cell];
                queue.add(n);
            }
        }
        return -1;
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        if (!in.hasNext()) return;
        int w = in.nextInt(), h = in.nextInt(), me = in.nextInt();
        Arrays.fill(grid, 'X');
        while (in.hasNext()) {
            for (int y = 1; y <= h && in.hasNext(); y++) in.next().getChars(0, w, grid, y * WIDE + 1);
            Arrays.fill(bomb, false);
            Arrays.fill(hot, false);
            int left = 0, range = 0;
            for (int count = in.hasNext() ? in.nextInt() : 0; count > 0 && in.hasNext(); count--) {
                int kind = in.nextInt(), owner = in.nextInt(), x = in.nextInt(), y = in.nextInt();
                int a = in.nextInt(), b = in.nextInt(), cell = (y + 1) * WIDE + x + 1;
                if (kind == 0 && owner == me) { here = cell; left = a; range = b; }
                if (kind == 1) { bomb[cell] = true; blast(cell, b); }
            }
            boolean calm = !hot[here] && left > 0, lay = calm && besideBox(here);
            if (lay) blast(here, range);
            int to = hot[here] ? find(true) : calm ? find(false) : -1;
            String verb = lay && to >= 0 ? "BOMB" : "MOVE";
            if (to < 0) to = here;
            System.out.println(verb + " " + (to % WIDE - 1) + " " + (to / WIDE - 1));
        }
    }
}
