// agon-hostile
// game: ocean-of-code
// verdict: crash,memory,timeout
// level: any
// about: fills the heap of the virtual machine until it gives up
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Arrays;
import java.util.ArrayList;
import java.util.List;

class Bot {
    // A small legal player of Ocean of Code: the first water cell, then any free neighbour, else up.
    static final BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    static final String[] sea = new String[15];
    static final boolean[] been = new boolean[225];

    static boolean open(int x, int y) {
        return x >= 0 && y >= 0 && x < 15 && y < 15 && sea[y].charAt(x) == '.';
    }

    static String start() throws IOException {
        in.readLine();
        for (int y = 0; y < 15; y++) sea[y] = in.readLine();
        int at = 0;
        while (!open(at % 15, at / 15)) at++;
        return at % 15 + " " + at / 15;
    }

    static String turn() throws IOException {
        String state = in.readLine(), sonar = in.readLine(), heard = in.readLine();
        if (heard == null) System.exit(0);
        int x = Integer.parseInt(state.split(" ")[0]), y = Integer.parseInt(state.split(" ")[1]);
        been[y * 15 + x] = true;
        int[] dx = {0, 1, 0, -1}, dy = {-1, 0, 1, 0};
        for (int d = 0; d < 4; d++) {
            int u = x + dx[d], v = y + dy[d];
            if (open(u, v) && !been[v * 15 + u]) return "MOVE " + "NESW".charAt(d) + " TORPEDO";
        }
        Arrays.fill(been, false);
        return "SURFACE";
    }

    public static void main(String[] args) throws IOException {
        String answer = start();
        List<byte[]> hoard = new ArrayList<>();
        while (hoard.size() < 4096) hoard.add(new byte[1 << 20]);
        while (true) {
            System.out.println(answer);
            answer = turn();
        }
    }
}
