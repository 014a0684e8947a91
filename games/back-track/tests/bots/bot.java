// Back Track: joins towns that want each other, the nearest first, and washes away where the foe has more tracks.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;

class Bot {
    static final BufferedReader in = new BufferedReader(new InputStreamReader(System.in));

    static String next() throws IOException {
        String line = in.readLine();
        if (line == null) System.exit(0);
        return line;
    }

    static int number() throws IOException {
        return Integer.parseInt(next());
    }

    public static void main(String[] args) throws IOException {
        int me = number(), w = number(), h = number();
        int[] region = new int[w * h];
        for (int i = 0; i < w * h; i++) region[i] = Integer.parseInt(next().split(" ")[0]);
        int count = number();
        int[] x = new int[count], y = new int[count];
        List<int[]> wishes = new ArrayList<>(); // from, to, length, tries
        for (int i = 0; i < count; i++) {
            String[] words = next().split(" ");
            x[i] = Integer.parseInt(words[1]);
            y[i] = Integer.parseInt(words[2]);
            if (words[3].equals("x")) continue;
            for (String to : words[3].split(",")) wishes.add(new int[] {i, Integer.parseInt(to), 0, 0});
        }
        for (int[] wish : wishes) wish[2] = Math.abs(x[wish[0]] - x[wish[1]]) + Math.abs(y[wish[0]] - y[wish[1]]);
        wishes.sort((a, b) -> a[2] != b[2] ? a[2] - b[2] : a[0] != b[0] ? a[0] - b[0] : a[1] - b[1]);
        for (int turn = 0;; turn++) {
            next();
            next();
            int[] more = new int[w * h]; // tracks the foe has more than we, by region
            String[] links = new String[w * h];
            for (int i = 0; i < w * h; i++) {
                String[] words = next().split(" ");
                int owner = Integer.parseInt(words[0]);
                if (owner == 0 || owner == 1) more[region[i]] += owner == me ? -1 : 1;
                links[i] = "," + words[3] + ",";
            }
            List<String> answer = new ArrayList<>();
            for (int[] wish : wishes) {
                int a = wish[0], b = wish[1];
                // The connections of a town are on the line of its cell.
                if (wish[3] >= 15 || links[y[a] * w + x[a]].contains("," + a + "-" + b + ",")) continue;
                wish[3]++;
                int start = me == 0 ? a : b, end = me == 0 ? b : a; // the two players meet half way
                answer.add("AUTOPLACE " + x[start] + " " + y[start] + " " + x[end] + " " + y[end]);
                break;
            }
            int worst = 0;
            for (int r = 1; r < more.length; r++) if (more[r] > more[worst]) worst = r;
            if (turn % 2 == 1 && more[worst] > 0) answer.add("DISRUPT " + worst);
            System.out.println(answer.isEmpty() ? "WAIT" : String.join(";", answer));
        }
    }
}
