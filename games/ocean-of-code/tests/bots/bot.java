// Ocean of Code: keeps to narrow water, charges torpedoes and fires them three cells ahead.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Arrays;

class Bot {
    static final int[] DX = {0, 1, 0, -1}, DY = {-1, 0, 1, 0};
    static boolean[] water, been;

    static boolean open(int cell) {
        return water[cell] && !been[cell];
    }

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        String line = in.readLine();
        if (line == null) return;
        String[] words = line.split(" ");
        int w = Integer.parseInt(words[0]), h = Integer.parseInt(words[1]), me = Integer.parseInt(words[2]);
        int wide = w + 2;
        int[] step = {-wide, 1, wide, -1};
        // The sea with a frame of land around it, row after row.
        water = new boolean[wide * (h + 2)];
        been = new boolean[water.length];
        for (int y = 0; y < h; y++) {
            if ((line = in.readLine()) == null) return;
            for (int x = 0; x < w; x++) water[(y + 1) * wide + x + 1] = line.charAt(x) == '.';
        }
        int at = me * (w * h / 2);
        while (!water[(at / w + 1) * wide + at % w + 1]) at = (at + 1) % (w * h);
        System.out.println(at % w + " " + at / w);
        for (int turn = 0; (line = in.readLine()) != null; turn++) {
            words = line.split(" ");
            String sonar = in.readLine(), heard = in.readLine();
            if (heard == null) return;
            int x = Integer.parseInt(words[0]), y = Integer.parseInt(words[1]), torpedo = Integer.parseInt(words[4]);
            int here = (y + 1) * wide + x + 1, best = -1, least = 9;
            been[here] = true;
            for (int d = 0; d < 4; d++) {
                int n = here + step[d], exits = 0;
                if (!open(n)) continue;
                for (int s : step) exits += open(n + s) ? 1 : 0;
                if (exits == 0) exits = 8; // a dead end, only if there is nothing else
                if (exits < least) {
                    best = d;
                    least = exits;
                }
            }
            String answer = "";
            for (int k = 0; torpedo == 0 && k < 4 && answer.isEmpty(); k++) {
                int d = (turn + k) % 4, s = step[d];
                if (!water[here + s] || !water[here + 2 * s] || !water[here + 3 * s]) continue;
                answer = "TORPEDO " + (x + 3 * DX[d]) + " " + (y + 3 * DY[d]) + "|";
            }
            if (best < 0) Arrays.fill(been, false);
            System.out.println(answer + (best < 0 ? "SURFACE" : "MOVE " + "NESW".charAt(best) + " TORPEDO"));
        }
    }
}
